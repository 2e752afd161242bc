import { expect, test } from "vitest";
import { byRule } from "../src/choices";
import type { Text } from "../src/frame";
import { keysIn, tableLink } from "../src/keys";
import type { Seat } from "../src/messages";
import { fittingSize } from "../src/scene";
import { seatNames, told, withNames, withoutReferences } from "../src/words";

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

test("choices stand together under their rule, in their order", () => {
  const choice = (action: number, rule: string) => ({ action, text: "", rule, sentence: rule, help: "", shapes: [] });
  const groups = byRule([choice(3, "R-1"), choice(5, "R-2"), choice(9, "R-1")]);
  expect(groups.map((group) => [group.rule, group.choices.map((each) => each.action)])).toEqual([
    ["R-1", [3, 9]],
    ["R-2", [5]],
  ]);
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
