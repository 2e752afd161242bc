/** Events in words. */

import { useEffect, useRef } from "preact/hooks";
import type { Event } from "./frame";
import { told } from "./words";

export function isSaid(event: Event): boolean {
  return event.kind.startsWith("say");
}

/** A log that keeps its end in sight, unless the reader scrolled up. */
export function Lines({
  events,
  say,
  label,
  since = events.length,
}: {
  events: Event[];
  say: (text: string) => string;
  label: string;
  since?: number;
}) {
  const box = useRef<HTMLDivElement>(null);
  const followed = useRef(true);
  useEffect(() => {
    if (followed.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [events.length]);
  return (
    <div
      ref={box}
      class="log"
      role="log"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        followed.current = scrollHeight - scrollTop - clientHeight < 30;
      }}
    >
      <ol>
        {events.map((event, place) => (
          <li key={place} class={place >= since ? "new" : ""}>
            {told(event, say)}
          </li>
        ))}
      </ol>
    </div>
  );
}
