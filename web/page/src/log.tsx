/** What happened and what was said, in words. */

import type { Event } from "./frame";
import { told } from "./words";

export function isSaid(event: Event): boolean {
  return event.kind.startsWith("say");
}

type LogProps = {
  events: Event[];
  say: (text: string) => string;
  since: number | null; // how many events there were when the person chose last
  now?: number[];
  jump?: (place: number) => void;
};

/** All events; the style keeps the newest in sight. What is new since the person chose last is marked. */
export function Log({ events, say, since, now = [], jump }: LogProps) {
  const looks = (event: Event, place: number) => [
    since !== null && place >= since ? "new" : "",
    now.includes(place) ? "now" : "",
    isSaid(event) ? "speech" : "",
  ];
  return (
    <section class="panel events" aria-labelledby="events-title">
      <h2 id="events-title">What happened</h2>
      <div
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
