import { expect, test } from "vitest";
import { divided, usual } from "../src/choices";
import { lastMoves } from "../src/end";
import type { Event, Text } from "../src/frame";
import { keysIn, tableLink } from "../src/keys";
import { company, levelWords } from "../src/lobby";
import type { Seat } from "../src/messages";
import { fittingSize } from "../src/scene";
import { filled, objects } from "../src/talk";
import { agentWords, fishNamed, seatNames, told, withNames, withoutReferences } from "../src/words";

const seat = (number: number, kind: "person" | "agent", name: string): Seat => ({
  seat: number,
  kind,
  name,
  agent: kind === "agent" ? name : null,
  connected: false,
  late: null,
});

test("a person is called by a name of their own, everybody else by the seat's number", () => {
  const names = seatNames([
    seat(0, "person", "Ada"),
    seat(1, "person", "Ben"),
    seat(2, "person", "Ben"),
    seat(3, "agent", "simple"),
  ]);
  expect(names).toEqual(["Ada", "player 1", "player 2", "player 3"]);
  expect(withNames("player_0 asks player_3; player_12 waits", names)).toBe("Ada asks player 3; player 12 waits");
});

test("a link carries its secrets in the fragment alone", () => {
  const link = tableLink("t1", { owner: "o", seat: "s" });
  expect(link).toBe("/table/t1#owner=o&seat=s");
  expect(keysIn(link.slice(link.indexOf("#")))).toEqual({ owner: "o", seat: "s", key: null });
  expect(tableLink("t1", {})).toBe("/table/t1");
});

test("a text too long for its place is drawn smaller, another as it is", () => {
  const text: Text = { id: "t", class: "bold", kind: "text", x: 0, y: 0, text: "", size: 12, w: 60 };
  expect(fittingSize(text, "short")).toBe(12);
  const size = fittingSize(text, "a text that is far too long for it");
  expect(size).toBeLessThan(4);
  expect(size).toBeGreaterThan(2);
});

const choice = (action: number, text: string, shapes: string[] = []) => ({
  action,
  text,
  rule: "",
  sentence: "",
  help: "",
  shapes,
});

test("the main button takes the usual choice: the only one, or what ends or passes", () => {
  expect(usual([choice(3, "reveal a tile")])?.action).toBe(3);
  expect(usual([choice(6, "ready Swim", ["actions.swim"]), choice(7, "end the turn")])?.action).toBe(7);
  expect(usual([choice(67, "say: I am a merchant"), choice(66, "be silent")])?.action).toBe(66);
  expect(usual([choice(1, "dive", ["actions.dive"]), choice(2, "swim", ["actions.swim"])])).toBeNull();
  expect(usual([choice(1, "declare the Hunt"), choice(2, "reveal a tile")])).toBeNull();
});

test("many choices with places are made on the board, and what has none stays in the list", () => {
  const placed = [2, 3, 4, 5, 6, 7].map((space) => choice(space, `reveal ${space}`, [`river.space-${space}`]));
  const stop = choice(1, "stop the Hunt");
  expect(divided([stop, ...placed], ["river"])).toEqual([[stop], placed]);
  expect(divided([stop, ...placed.slice(1)], ["river"])).toEqual([[stop, ...placed.slice(1)], []]);
  expect(divided([stop, ...placed], ["tracks"])).toEqual([[stop, ...placed], []]); // their board is elsewhere
  expect(divided([stop, ...placed], ["river"], 4)).toEqual([[stop, placed[2]], placed.filter((_, at) => at !== 2)]);
});

test("a claim is completed as the library writes it", () => {
  const form = "say: player … is with the merchants";
  expect(objects(form, 3, 1)).toEqual(["player_0", "player_2"]);
  expect(filled(form, "player_2")).toBe("say: player_2 is with the merchants");
  expect(objects("say: I am a merchant", 3, 1)).toEqual([]);
});

test("a rule's sentence stands without its references", () => {
  expect(withoutReferences("The player moves the meeple (RH-2.6), once.")).toBe("The player moves the meeple, once.");
  expect(withoutReferences("A card (a trump) is played.")).toBe("A card (a trump) is played.");
});

test("names stand in place of numbers in what happened, but not in what somebody said in their own words", () => {
  const say = (text: string) => withNames(text, ["Ada", "Ben"]);
  const kind = "say_text";
  expect(told({ kind, text: 'player_1 says in words: "player_0: lies"' }, say)).toBe(
    'Ben says in words: "player_0: lies"',
  );
  expect(told({ kind: "dive", text: "player_1 dives" }, say)).toBe("Ben dives");
});

test("the end tells the moves of the last turn, without talk", () => {
  const events: Event[] = [
    "end_turn",
    "discard",
    "say_doubt",
    "co_op",
    "con",
    "discard",
    "reveal",
    "reveal",
    "win",
  ].map((kind, at) => ({ kind, text: `${at}` }));
  expect(lastMoves(events).map((event) => event.kind)).toEqual(["co_op", "con", "discard", "reveal", "reveal"]);
  expect(lastMoves(events.slice(3, 5)).length).toBe(2);
});

test("a hint names an agent by its level", () => {
  expect(levelWords("simple")).toBe("an easy agent");
  expect(levelWords("greedy")).toBe("a medium agent");
  expect(levelWords("mine:worlds=2")).toBe("mine");
});

test("the lobby says who plays by the seats, however they were set", () => {
  const seats = ["person", "agent", "agent", "person", "person"].map((kind) => ({ kind: kind as "person" | "agent" }));
  expect([1, 2, 3, 4, 5].map((players) => company(seats.slice(0, players)))).toEqual([
    "You",
    "You and 1 agent",
    "You and 2 agents",
    "You and 1 other person and 2 agents",
    "You and 2 other people and 2 agents",
  ]);
});

test("Deep River's pawns are called by their side, and agents by their names", () => {
  const said: [string, number | null, string][] = [
    ["move the fish on tile 1", 0, "move the salmon on tile 1"],
    [
      "the eels move the single pawn from tile 4, onto a rival pawn",
      0,
      "the eels move the single eel from tile 4, onto a rival",
    ],
    ["moves a pawn 2 tiles", 1, "moves a salmon or eel 2 tiles"],
    ["exchanges the two pawns of a pile", 1, "exchanges the two salmon or eels of a pile"],
    ["It then shows two fish", 1, "It then shows two fish"],
  ];
  for (const [text, asked, words] of said) expect(fishNamed(text, asked)).toBe(words);
  expect(agentWords("student_lookahead:worlds=128")).toBe("student lookahead");
});
