/** What the server of tables and the page say to each other. */

import type { Frame, View } from "./frame";

export type Value = string | number | boolean | null;
export type Option = { name: string; default: Value; values: Value[] | null; about: string };
export type GameInfo = {
  id: string;
  title: string;
  about: string;
  min_players: number;
  max_players: number;
  default_players: number;
  options: Option[];
  packs: { name: string }[];
  agents: { name: string; about: string }[];
  default_agent: string;
};
export type Games = { version: string; key: boolean; games: GameInfo[] };

export type Seat = {
  seat: number;
  kind: "person" | "agent";
  name: string;
  agent: string | null;
  connected: boolean;
  late: number | null;
};
export type TableFacts = {
  id: string;
  game: string;
  title: string;
  players: number;
  options: Record<string, Value | Record<string, string>>;
  pack: string | null;
  stage: "preparing" | "playing" | "over" | "closed" | "broken";
  listed: boolean;
  pace: number; // seconds between agents' moves
  paused: boolean;
  progress: { text: string; done: number; of: number } | null;
  trouble: string;
  seed: string | null;
  seed_chosen: boolean;
  seats: Seat[];
  changes: { seat: number; choices: number; was: string; is_now: string }[]; // seats that changed hands
  undone: { seat: number }[]; // choices that were taken back
  open: boolean; // agents alone play, so that anybody may see all
  watchers: number;
};

export type Seating = { kind: "person"; name?: string } | { kind: "agent"; agent: string; name?: string };
export type Wanted = {
  game: string;
  players: number;
  options: Record<string, Value>;
  pack?: string;
  seed: string | null;
  seats: Seating[];
  pace: number;
  listed: boolean;
};
export type Opened = { table: TableFacts; owner: string; seats: (string | null)[] };

/** What the eyes of a view could believe of the roles so far, and how often the asked seat wins after each choice. */
export type Assessed = {
  type: "assessed";
  step: number;
  view: View;
  beliefs: number[][][]; // percentages by seat and role, after each choice
  action_values: Record<string, number>;
  roles: string[];
  truth: number[] | null;
};

export type FromServer =
  | { type: "table"; table: TableFacts }
  | { type: "joined"; view: View }
  | { type: "frame"; step: number; answered: number | null; undo: boolean; frame: Frame }
  | Assessed
  | { type: "hint"; action: number; agent: string; step: number }
  | { type: "refused"; code: string; text: string; step: number };

/** How fast agents move: seconds between moves, whether they wait, one move more, or all up to a person's choice. */
export type Tempo = { pace?: number; paused?: boolean; step?: boolean; skip?: boolean };

export type ToServer =
  | { type: "hint" | "assess" }
  | { type: "undo"; step: number }
  | ({ type: "tempo" } & Tempo)
  | { type: "join"; token: string | null; since: number }
  | { type: "act"; action: number; step: number; text: string }
  | { type: "look"; view: View };

/** Ask the server; throws an Error with the sentence that it answers when it refuses. */
export async function ask<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const given: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const refused = given as { error?: { text?: string } } | null;
    throw new Error(refused?.error?.text ?? `The server answers with status ${answer.status}.`);
  }
  return given as T;
}
