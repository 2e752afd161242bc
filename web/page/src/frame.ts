/** A frame: all that one viewer may know of a game at one moment, as riverbed_env.core.frame makes it. */

export type Common = { id: string; class: string; label?: string; choices?: number[] };
export type Rect = Common & { kind: "rect"; x: number; y: number; w: number; h: number; r?: number };
export type Circle = Common & { kind: "circle"; x: number; y: number; r: number };
export type Polygon = Common & { kind: "polygon"; points: number[] };
export type Line = Common & { kind: "line"; points: number[] };
export type Text = Common & {
  kind: "text";
  x: number;
  y: number;
  text: string;
  size: number;
  anchor?: "start" | "middle" | "end";
  w?: number;
};
export type Group = Common & { kind: "group"; x: number; y: number; shapes: Shape[] };
export type Shape = Rect | Circle | Polygon | Line | Text | Group;

export type Panel = {
  id: string;
  title: string;
  label: string;
  place: "board" | "side";
  width: number;
  height: number;
  shapes: Shape[];
};

export type Choice = { action: number; text: string; rule: string; sentence: string; help: string; shapes: string[] };

export type Event = { kind: string; text: string };

export type Frame = {
  form: 1;
  game: string;
  title: string;
  view: "seat" | "public" | "truth";
  seat: number | null;
  players: number;
  clock: string;
  headline: string;
  asked: number | null;
  goal: string;
  help: string[];
  events: Event[];
  event_count: number;
  choices: Choice[];
  may_say: { most_characters: number; alone: number } | null; // in words: how much, and the action to say it alone
  over: boolean;
  result: string;
  returns: number[] | null;
  scene: { panels: Panel[] };
};

/** Whose eyes a frame is for: a seat's number, everybody's, or nobody's, with nothing hidden. */
export type View = number | "public" | "truth";
