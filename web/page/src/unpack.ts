/** Reads the frames of a replay, which are stored as differences (see riverbed_web/replay.py). */

import type { Choice, Event, Frame, Panel, Shape, View } from "./frame";

export type Track = {
  view: View;
  patches: number[][]; // of each frame: places in `keys` and in `pool`, in turn; -1 for a key that is gone
  at: number[] | null; // the frame after each step; null: a frame is a step
};

export type ReplayFile = {
  form: 1;
  kind: "riverbed replay";
  title: string;
  players: number;
  names: string[]; // who played in each seat
  kinds: ("person" | "agent")[];
  note: string;
  roles: string[]; // what beliefs are about; [] in games without hidden roles
  truth: number[] | null; // the role of each seat; null in a file for one seat
  advisor: string; // the agent whose choices are given beside; "" for none
  worlds: number; // in which choices were played on to value them; 0: they weren't
  keys: string[];
  pool: unknown[];
  tracks: Track[];
};

export type Moment = {
  frame: Frame;
  events: number; // how many there are up to now
  taken: number | null; // the action chosen at this moment
  advice: number | null; // what the advisor would have chosen
  action_values: Record<string, number> | null; // how often the seat wins after each choice, in percent
  beliefs: number[][] | null; // percentages by seat and role
};

/** The moments of a track. Each key's value stays until a later patch changes it. */
export function moments(file: ReplayFile, track: Track): { moments: Moment[]; events: (Event & { at: number })[] } {
  const state = new Map<string, unknown>();
  const events: (Event & { at: number })[] = [];
  const unpacked = track.patches.map((patch, place) => {
    for (let position = 0; position < patch.length; position += 2) {
      const key = file.keys[patch[position]!]!;
      const value = patch[position + 1]!;
      if (value < 0) state.delete(key);
      else state.set(key, file.pool[value]);
    }
    const frame = assemble(state);
    events.push(...frame.events.map((event) => ({ ...event, at: place })));
    return {
      frame,
      events: events.length,
      taken: (state.get("taken") as number | undefined) ?? null,
      advice: (state.get("advice") as number | undefined) ?? null,
      action_values: (state.get("action_values") as Record<string, number> | undefined) ?? null,
      beliefs: (state.get("beliefs") as number[][] | undefined) ?? null,
    };
  });
  return { moments: unpacked, events };
}

/** A frame from its parts: fields by name; panels, shapes and choices by their ids. */
function assemble(state: Map<string, unknown>): Frame {
  const fields = [...state].filter(([key]) => key.startsWith("frame:")).map(([key, value]) => [key.slice(6), value]);
  const parts = <T>(kind: string, ids: unknown) =>
    (ids as (string | number)[]).map((id) => state.get(`${kind}:${id}`) as T);
  const shapesOf = (id: string): Shape[] =>
    parts<Shape>("shape", state.get(`shapes:${id}`)).map((shape) =>
      shape.kind === "group" ? { ...shape, shapes: shapesOf(shape.id) } : shape,
    );
  return {
    ...(Object.fromEntries(fields) as Frame),
    choices: parts<Choice>("choice", state.get("choices")),
    scene: {
      panels: parts<Panel>("panel", state.get("panels")).map((panel) => ({ ...panel, shapes: shapesOf(panel.id) })),
    },
  };
}
