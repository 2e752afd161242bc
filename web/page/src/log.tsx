/** What happened and what was said, in words. */

import { useEffect, useRef } from "preact/hooks";
import type { Event } from "./frame";
import { told } from "./words";

export function isSaid(event: Event): boolean {
  return event.kind.startsWith("say");
}

type LogProps = {
  events: Event[];
  say: (text: string) => string;
  since: number; // the place of the last thing that the person did themselves; -1: nothing is marked as new
  turn: boolean; // whether the person is to choose: then the newest is in sight
  now?: number[];
  jump?: (place: number) => void;
};

/** All events; the style keeps the newest in sight. What is new since the person chose last is marked. */
export function Log({ events, say, since, turn, now = [], jump }: LogProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (turn) box.current?.scrollTo(0, 0); // its end, by the style
  }, [turn]);
  const looks = (event: Event, place: number) => [
    since >= 0 && place >= since ? "new" : "",
    now.includes(place) ? "now" : "",
    isSaid(event) ? "speech" : "",
  ];
  return (
    <section class="panel events" aria-labelledby="events-title">
      <h2 id="events-title">What happened</h2>
      <div
        ref={box}
        class="log"
        role="log"
        aria-label="Events, oldest first"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {!events.length && <p class="none">Nothing yet.</p>}
        <ol>
          {events.map((event, place) => (
            <li key={place} class={looks(event, place).filter(Boolean).join(" ")}>
              {jump ? (
                <button
                  type="button"
                  aria-current={now.includes(place) ? "step" : undefined}
                  onClick={() => jump(place)}
                >
                  {told(event, say)}
                </button>
              ) : (
                told(event, say)
              )}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
