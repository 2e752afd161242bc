/** One frame of a game: the table, what is asked, the choices, and what happened. */

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ChoiceList, type Marks, WhichOne } from "./choices";
import type { Event, Frame } from "./frame";
import { type Board, PanelPicture } from "./scene";
import { capital, told, withNames } from "./words";

type GameProps = {
  frame: Frame;
  names: string[];
  events?: Event[];
  since?: number | null; // how many events there were when the person chose last
  log?: ComponentChildren; // in place of the list of events
  choose: ((action: number, text: string) => void) | null; // and what is said in words with it
  status?: ComponentChildren; // beside the headline: who is thinking, the connection
  marks?: Marks;
  above?: ComponentChildren; // before what happened
  children?: ComponentChildren; // after it
};

export function GameView({
  frame,
  names,
  events = [],
  since = null,
  log,
  choose,
  status,
  marks,
  above,
  children,
}: GameProps) {
  const [hot, warm] = useState<number[]>([]);
  const [asked, ask] = useState<number[]>([]);
  const [text, write] = useState("");
  const maySay = frame.may_say !== null;
  const say = useCallback((text: string) => withNames(text, names), [names]);
  useEffect(() => {
    warm([]);
    ask([]);
  }, [frame]);
  useEffect(() => {
    if (!maySay) write("");
  }, [maySay]);
  const take = choose && ((action: number) => choose(action, maySay ? text.trim() : ""));
  const board: Board = {
    names: say,
    describe: (actions) => described(frame, actions, say),
    choose: take && ((actions) => (actions.length === 1 ? take(actions[0]!) : ask(actions))),
    hot,
    warm,
    changed: useChanged(frame),
  };
  const { panels } = frame.scene;
  const boards = panels.filter((panel) => panel.place === "board");
  const sides = panels.filter((panel) => panel.place === "side");
  return (
    <div class="game">
      <Headline frame={frame} say={say} status={status} />
      <div class={sides.length > 0 ? "left beside" : "left"}>
        <div class="boards">
          {boards.map((panel) => (
            <PanelPicture key={panel.id} panel={panel} board={board} />
          ))}
        </div>
        <div class="sides">
          {sides.map((panel) => (
            <PanelPicture key={panel.id} panel={panel} board={board} />
          ))}
        </div>
      </div>
      <div class="right">
        {above}
        {take && frame.may_say && <OwnWords may={frame.may_say} text={text} write={write} choose={take} />}
        {frame.over ? null : <Choices frame={frame} say={say} choose={take} hot={hot} warm={warm} marks={marks} />}
        <Help frame={frame} say={say} unfolded={!log && frame.view === "seat"} />
        <Said events={events} say={say} />
        {log ?? <Events events={events} say={say} since={since} />}
        {children}
      </div>
      {asked.length > 1 && take && (
        <WhichOne
          choices={frame.choices.filter((choice) => asked.includes(choice.action))}
          names={say}
          choose={take}
          close={() => ask([])}
        />
      )}
    </div>
  );
}

type Say = (text: string) => string;

/** The named pieces of the boards that look different from the frame before, whatever can be clicked on them. */
function useChanged(frame: Frame): Set<string> {
  const before = useRef<{ frame: Frame; looks: Map<string, string>; changed: Set<string> } | null>(null);
  const known = before.current;
  if (known?.frame === frame) return known.changed;
  const pieces = frame.scene.panels.filter((panel) => panel.place === "board").flatMap((panel) => panel.shapes);
  const looks = new Map(
    pieces
      .filter((shape) => shape.kind === "group")
      .map((shape) => [
        shape.id,
        JSON.stringify(shape).replace(/"choices":\[[\d,]*\]|"label":"[^"]*"| choice"| turn"/g, ""),
      ]),
  );
  const comparable = known !== null && known.frame.game === frame.game && known.frame.seat === frame.seat;
  const changed = new Set(
    comparable ? [...looks].filter(([id, look]) => known.looks.get(id) !== look).map(([id]) => id) : [],
  );
  before.current = { frame, looks, changed };
  return changed;
}

function described(frame: Frame, actions: number[], say: Say): string {
  if (actions.length > 1) return `${actions.length} choices`;
  const choice = frame.choices.find((each) => each.action === actions[0]);
  return choice ? say(choice.text) : "";
}

function Headline({ frame, say, status }: { frame: Frame; say: Say; status: ComponentChildren }) {
  return (
    <div class={`headline${frame.choices.length && frame.view === "seat" ? " mine" : ""}`}>
      <div class="sentences" role="status">
        <p class="what">{capital(say(frame.over && frame.result ? frame.result : frame.headline))}</p>
        <p class="clock">{frame.clock}</p>
      </div>
      {status}
    </div>
  );
}

type ChoicesProps = {
  frame: Frame;
  say: Say;
  choose: ((action: number) => void) | null;
  hot: number[];
  warm: (actions: number[]) => void;
  marks: Marks | undefined;
};

/** Tells the style sheet how tall an element is. */
function useTall() {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current?.style.setProperty("--tall", `${box.current.offsetHeight}px`);
  });
  return box;
}

/** The choices in words. When they change under a person's hands, the focus stays with them. */
function Choices({ frame, say, choose, hot, warm, marks }: ChoicesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const box = useTall();
  const had = useRef(false);
  useEffect(() => {
    if (had.current && choose && document.activeElement === document.body) heading.current?.focus();
    had.current = frame.choices.length > 0;
  }, [frame, choose]);
  return (
    <section class="panel asks" aria-labelledby="choices-title" ref={box}>
      <h2 id="choices-title" ref={heading} tabIndex={-1}>
        {frame.view === "seat" ? "Your choices" : "Choices"}
      </h2>
      {frame.choices.length ? (
        <ChoiceList choices={frame.choices} names={say} choose={choose} hot={hot} warm={warm} marks={marks} />
      ) : (
        <p class="none">Nothing to choose now.</p>
      )}
    </section>
  );
}

type OwnWordsProps = {
  may: { most_characters: number; alone: number };
  text: string;
  write: (text: string) => void;
  choose: (action: number) => void;
};

/** Where a person writes what to say with the next choice, or instead of a claim. */
function OwnWords({ may, text, write, choose }: OwnWordsProps) {
  return (
    <section class="panel own-words" aria-labelledby="own-words-title">
      <h2 id="own-words-title">In your own words</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) choose(may.alone);
        }}
      >
        <input
          type="text"
          aria-label={`What you say, at most ${may.most_characters} characters`}
          maxLength={may.most_characters}
          autoComplete="off"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <button type="submit" class="quiet" disabled={!text.trim()}>
          Say this alone
        </button>
      </form>
      <p class="small">Everybody reads it. It goes with the choice that you make below, or alone.</p>
    </section>
  );
}

type HelpProps = { frame: Frame; say: Say; unfolded: boolean };

/** unfolded: whether a person plays, who may need what things do in sight, until they fold it. */
function Help({ frame, say, unfolded }: HelpProps) {
  const [open, unfold] = useState(() => unfolded && hasRoom() && !wasClosed(frame.game));
  if (!frame.goal && !frame.help.length) return null;
  return (
    <section class="panel help" aria-labelledby="help-title">
      <h2 id="help-title">{frame.view === "seat" ? "What you want" : "What things do"}</h2>
      {frame.goal && <p class="goal">{say(frame.goal)}</p>}
      {frame.help.length > 0 && (
        <details
          open={open || frame.help.length < 4}
          onToggle={(event) => {
            unfold(event.currentTarget.open);
            if (unfolded) keepClosed(frame.game, !event.currentTarget.open);
          }}
        >
          <summary>What things mean</summary>
          <ul>
            {frame.help.map((line) => (
              <li key={line}>{say(line)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** On a phone the help would push the hand and the players far down. */
function hasRoom(): boolean {
  return window.matchMedia("(min-width: 52rem)").matches;
}

/** Whether a person closed a game's help before, in this browser; it is open until then. */
function wasClosed(game: string): boolean {
  try {
    return window.localStorage.getItem(`help ${game}`) === "closed";
  } catch {
    return false; // no storage here, as in a frame of a notebook
  }
}

function keepClosed(game: string, closed: boolean) {
  try {
    window.localStorage.setItem(`help ${game}`, closed ? "closed" : "open");
  } catch {
    // it opens again next time
  }
}

function isSaid(event: Event): boolean {
  return event.kind.startsWith("say");
}

/** Claims and texts, in games with talk: kinds of events that begin with "say". */
function Said({ events, say }: { events: Event[]; say: Say }) {
  const said = events.filter(isSaid);
  if (!said.length) return null;
  return (
    <section class="panel said" aria-labelledby="said-title">
      <h2 id="said-title">What was said</h2>
      <Lines events={said} say={say} label="What was said, oldest first" />
    </section>
  );
}

/** What happened apart from what was said; what is new since the person chose last is marked. */
function Events({ events, say, since }: { events: Event[]; say: Say; since: number | null }) {
  const done = events.filter((event) => !isSaid(event));
  const known = since === null ? done.length : events.slice(0, since).filter((event) => !isSaid(event)).length;
  return (
    <section class="panel events" aria-labelledby="events-title">
      <h2 id="events-title">What happened</h2>
      {done.length ? (
        <Lines events={done} say={say} label="Events, oldest first" since={known} />
      ) : (
        <p class="none">Nothing yet.</p>
      )}
    </section>
  );
}

/** A log that keeps its end in sight, unless the reader scrolled up. */
function Lines({
  events,
  say,
  label,
  since = events.length,
}: {
  events: Event[];
  say: Say;
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
