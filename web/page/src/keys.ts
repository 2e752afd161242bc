/** The secrets in a link's fragment, which never reach a server in a path: whose seat it is, who opened the table. */

export type Keys = { seat: string | null; owner: string | null; key: string | null };

export const LOBBY = "lobby";

export function keysIn(fragment: string): Keys {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  return { seat: given.get("seat"), owner: given.get("owner"), key: given.get("key") };
}

export function tableLink(id: string, keys: Partial<Keys>): string {
  const fragment = new URLSearchParams();
  if (keys.owner) fragment.set("owner", keys.owner);
  if (keys.seat) fragment.set("seat", keys.seat);
  const secrets = fragment.toString();
  return `/table/${id}${secrets && `#${secrets}`}`;
}

/**
 * The keys of a page. A link's secrets go to the browser's storage and leave the address bar, which others see and copy.
 * A tab keeps its own, so that one browser can hold two seats; a new tab without any takes those known last.
 */
export function takeKeys(page: string): Keys {
  const given = keysIn(window.location.hash);
  const stores = [window.sessionStorage, window.localStorage];
  const name = `keys ${page}`;
  if (given.seat || given.owner || given.key) {
    for (const store of stores) store.setItem(name, JSON.stringify(given));
    window.history.replaceState(null, "", window.location.pathname);
  }
  const kept = stores.map((store) => store.getItem(name)).find((each) => each !== null);
  return kept ? (JSON.parse(kept) as Keys) : given;
}

/** Links of seats that this browser's tab opened, by table: the server keeps no copy. */
export function rememberSeats(id: string, seats: (string | null)[]) {
  window.sessionStorage.setItem(`seats ${id}`, JSON.stringify(seats));
}

export function rememberedSeats(id: string): (string | null)[] {
  const kept = window.sessionStorage.getItem(`seats ${id}`);
  return kept ? (JSON.parse(kept) as (string | null)[]) : [];
}
