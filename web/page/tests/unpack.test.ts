import { expect, test } from "vitest";
import { moments, type ReplayFile } from "../src/unpack";

const dot = (id: string) => ({ id, class: "dot", kind: "circle", x: 0, y: 0, r: 1 });
const pool: unknown[] = [
  ["river"], // 0: panels
  { id: "river", title: "The river", label: "", place: "board", width: 10, height: 10 }, // 1
  ["a", "g"], // 2: shapes of the river
  dot("a"), // 3
  { id: "g", class: "tile", kind: "group", x: 1, y: 2 }, // 4
  ["b"], // 5: shapes of g
  dot("b"), // 6
  { id: "g", class: "tile", kind: "group", x: 5, y: 2 }, // 7: moved
  [], // 8
  [{ kind: "dive", text: "player_1 dives" }], // 9
  [4], // 10: choices
  { action: 4, text: "dive", rule: "", sentence: "", help: "", shapes: [] }, // 11
  4, // 12
  ["a"], // 13
];
const keys = ["panels", "panel:river", "shapes:river", "shape:a", "shape:g", "shapes:g", "shape:b"];
keys.push("frame:events", "choices", "choice:4", "taken");
const file: ReplayFile = {
  form: 1,
  kind: "riverbed replay",
  title: "",
  players: 2,
  names: [],
  kinds: [],
  note: "",
  roles: [],
  truth: null,
  advisor: "",
  worlds: 0,
  keys,
  pool,
  tracks: [
    {
      view: 0,
      at: null,
      patches: [
        [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 10, 9, 11, 10, 12],
        [4, 7, 7, 9, 8, 8, 9, -1, 10, -1],
        [2, 13, 4, -1, 5, -1, 6, -1, 7, 8],
      ],
    },
  ],
};

test("a frame is what the patches up to it leave, groups with their own shapes", () => {
  const { moments: all } = moments(file, file.tracks[0]!);
  expect(all[0]!.frame.scene.panels[0]!.shapes).toEqual([
    dot("a"),
    { id: "g", class: "tile", kind: "group", x: 1, y: 2, shapes: [dot("b")] },
  ]);
  expect(all[1]!.frame.scene.panels[0]!.shapes[1]).toMatchObject({ id: "g", x: 5, shapes: [dot("b")] });
  expect(all[2]!.frame.scene.panels[0]!.shapes).toEqual([dot("a")]);
});

test("choices and what was chosen are there at their moment only", () => {
  const { moments: all } = moments(file, file.tracks[0]!);
  expect(all.map((moment) => moment.taken)).toEqual([4, null, null]);
  expect(all.map((moment) => moment.frame.choices.length)).toEqual([1, 0, 0]);
});

test("events are counted up to each moment, and each knows its own", () => {
  const { moments: all, events } = moments(file, file.tracks[0]!);
  expect(all.map((moment) => moment.events)).toEqual([0, 1, 1]);
  expect(events).toEqual([{ kind: "dive", text: "player_1 dives", at: 1 }]);
});
