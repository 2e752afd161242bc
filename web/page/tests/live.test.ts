import { expect, test } from "vitest";
import type { Frame } from "../src/frame";
import { after, NOTHING } from "../src/live";

const event = (text: string) => ({ kind: "dive", text });
function frame(count: number, ...events: string[]): Frame {
  return { event_count: count, events: events.map(event) } as Frame;
}
const sent = (given: Frame) => ({ type: "frame", step: 0, answered: null, undo: false, frame: given }) as const;

test("events come once each, also when a frame repeats some after a reconnect", () => {
  let live = after(NOTHING, sent(frame(2, "one", "two")));
  live = after(live, sent(frame(3, "two", "three")));
  live = after(live, sent(frame(3)));
  expect(live.events.map(({ text }) => text)).toEqual(["one", "two", "three"]);
});

test("events that the server kept no more leave no gap in the numbers", () => {
  let live = after(NOTHING, sent(frame(40, ...Array.from({ length: 32 }, (_, n) => `${n}`))));
  expect(live.known).toBe(40);
  live = after(live, sent(frame(41, "next")));
  expect(live.events.at(-1)?.text).toBe("next");
  expect(live.events.length).toBe(33);
});

test("another view begins with no events", () => {
  let live = after(NOTHING, { type: "joined", view: 1 });
  live = after(live, sent(frame(1, "one")));
  live = after(live, { type: "joined", view: "truth" });
  expect(live.events).toEqual([]);
  expect(after(live, sent(frame(1, "one"))).events).toHaveLength(1);
});

test("a refusal is told until the next frame", () => {
  const live = after(NOTHING, { type: "refused", code: "stale", text: "Too late.", step: 3 });
  expect(live.refused).toBe("Too late.");
  expect(after(live, sent(frame(0))).refused).toBe("");
});
