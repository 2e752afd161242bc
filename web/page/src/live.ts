/** The connection to a table: joins, joins again when it breaks, and tells the page what comes. */

import type { Event, Frame, View } from "./frame";
import type { Assessed, FromServer, TableFacts, Tempo, ToServer } from "./messages";

export type Link = "connecting" | "open" | "lost" | "ended";

/** What a page knows of its table: at first nothing. */
export const NOTHING = {
  link: "connecting" as Link,
  ending: "", // why the connection ended for good
  table: null as TableFacts | null,
  view: null as View | null,
  own: null as View | null, // whose eyes the page joined with
  frame: null as Frame | null,
  events: [] as Event[],
  known: 0, // events of the game so far; the server keeps the last ones only
  step: 0,
  answered: null as number | null,
  undo: false, // whether the seat may take its last choice back
  assessed: null as Assessed | null,
  refused: "",
  hint: null as { action: number; agent: string } | null, // what an agent would choose, where the person asked
  sent: false, // a choice has been made that the server hasn't answered yet
};
export type Live = typeof NOTHING;

const ENDINGS: Record<number, string> = {
  4000: "The server didn't understand this page. Load it again.",
  4001: "This link is no longer valid: the seat was given to somebody else.",
  4002: "This page sent too many messages. Load it again.",
  4003: "This page was too slow to take what it was sent. Load it again.",
  4004: "There is no such table here.",
  4005: "Too many people look at this table or use this server. Load the page again later.",
};

/** What the page knows after a message. */
export function after(live: Live, message: FromServer): Live {
  switch (message.type) {
    case "table":
      return { ...live, table: message.table };
    case "joined": {
      const other = live.view !== null && live.view !== message.view;
      const own = live.own ?? message.view;
      const anew = other ? { events: [], known: 0, assessed: null } : {};
      return { ...live, view: message.view, own, ...anew };
    }
    case "frame": {
      const { frame, step, answered, undo } = message;
      const missed = frame.event_count - live.known;
      const news = missed > 0 ? frame.events.slice(-missed) : [];
      return {
        ...live,
        frame,
        step,
        answered,
        undo,
        events: [...live.events, ...news],
        known: frame.event_count,
        refused: "",
        hint: step === live.step && frame.view === live.frame?.view ? live.hint : null,
        sent: false,
      };
    }
    case "hint":
      return message.step === live.step ? { ...live, hint: message } : live;
    case "assessed":
      return message.view === live.view ? { ...live, assessed: message } : live;
    case "refused":
      return { ...live, refused: message.text, sent: false };
  }
}

const SLOWEST = 8000; // milliseconds between attempts to connect

export class Connection {
  private socket: WebSocket | null = null;
  private live = NOTHING;
  private wait = 500;
  private timer = 0;

  constructor(
    private readonly table: string,
    private readonly token: string | null,
    private readonly tell: (live: Live) => void,
  ) {
    this.open();
  }

  /** Take an action, for the frame that is shown, and say something in words with it. */
  act(action: number, text: string) {
    this.send({ type: "act", action, step: this.live.step, text });
    this.change({ ...this.live, sent: true });
  }

  /** Ask what an agent would choose, or what can be believed and what choices are worth. */
  wonder(about: "hint" | "assess") {
    this.send({ type: about });
  }

  /** Take the last choice back. */
  undo() {
    this.send({ type: "undo", step: this.live.step });
  }

  /** Set how fast the agents move. */
  pace(tempo: Tempo) {
    this.send({ type: "tempo", ...tempo });
  }

  /** After the end: see the game with other eyes. */
  look(view: View) {
    this.send({ type: "look", view });
  }

  /** Connect at once if waiting to: a person came back, or the network did. */
  hurry() {
    if (this.live.link !== "lost") return;
    window.clearTimeout(this.timer);
    this.open();
  }

  close() {
    window.clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  private open() {
    const { protocol, host } = window.location;
    const socket = new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/api/tables/${this.table}/live`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 500;
      this.send({ type: "join", token: this.token, since: this.live.known });
      this.change({ ...this.live, link: "open", sent: false });
    };
    socket.onmessage = (event) => this.change(after(this.live, JSON.parse(String(event.data)) as FromServer));
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code);
    };
  }

  private lost(code: number) {
    const ending = ENDINGS[code];
    if (ending) return this.change({ ...this.live, link: "ended", ending });
    this.change({ ...this.live, link: "lost" });
    this.timer = window.setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, SLOWEST);
  }

  private send(message: ToServer) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private change(live: Live) {
    this.live = live;
    this.tell(live);
  }
}
