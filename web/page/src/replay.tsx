/** A finished game, step by step, as each seat knew it. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Beliefs, Certainty } from "./beliefs";
import type { View } from "./frame";
import { GameView } from "./game";
import { type Moment, moments, type ReplayFile } from "./unpack";
import { capital, seatNames, told, withNames } from "./words";

const PAUSE = 900; // milliseconds between steps while it plays

type Unpacked = ReturnType<typeof moments>;

/** Each track, unpacked when it is first asked for. */
function useTracks(file: ReplayFile): (place: number) => Unpacked {
  return useMemo(() => {
    const known = new Map<number, Unpacked>();
    return (place) => {
      const found = known.get(place) ?? moments(file, file.tracks[place]!);
      known.set(place, found);
      return found;
    };
  }, [file]);
}

function nameOf(view: View, names: string[]): string {
  if (view === "truth") return "The truth";
  return view === "public" ? "What everybody knew" : capital(names[view] ?? `player ${view}`);
}

/** Where a link wants the replay to begin: `#step=40&view=2`. */
function asked(file: ReplayFile, steps: number): { step: number; track: number } {
  const given = new URLSearchParams(window.location.hash.slice(1));
  const step = Math.min(steps - 1, Math.max(0, Number.parseInt(given.get("step") ?? "0", 10) || 0));
  const track = file.tracks.findIndex((each) => String(each.view) === given.get("view"));
  return { step, track: Math.max(0, track) };
}

export function ReplayPage({ file }: { file: ReplayFile }) {
  const unpack = useTracks(file);
  const steps = file.tracks[0]?.at?.length ?? file.tracks[0]?.patches.length ?? 0;
  const begin = useMemo(() => asked(file, steps), [file, steps]);
  const [step, go] = useState(begin.step);
  const [place, see] = useState(begin.track);
  const [playing, play] = useState(false);
  const names = useMemo(
    () => seatNames(file.names.map((name, seat) => ({ seat, name, kind: file.kinds[seat]! }))),
    [file],
  );
  const frameAt = (track: number, when: number) => file.tracks[track]?.at?.[when] ?? when;
  const momentAt = (track: number, when: number): Moment => unpack(track).moments[frameAt(track, when)]!;
  const momentOf = (view: View, when: number): Moment | null => {
    const found = file.tracks.findIndex((each) => each.view === view);
    return found < 0 ? null : momentAt(found, when);
  };
  const track = file.tracks[place]!;
  const { moments: all, events } = unpack(place);
  const now = momentAt(place, step);
  const move = (to: number) => go(Math.min(steps - 1, Math.max(0, to)));
  const choices = useMemo(() => {
    const found: number[] = [];
    for (let when = 0; when < steps; when++) {
      const moment = frameAt(place, when);
      if (all[moment]?.taken !== null && (when + 1 === steps || frameAt(place, when + 1) !== moment)) found.push(when);
    }
    return found;
  }, [place, steps, all]);
  useKeys({
    ArrowLeft: () => move(step - 1),
    ArrowRight: () => move(step + 1),
    Home: () => move(0),
    End: () => move(steps - 1),
    PageUp: () => move(choices.findLast((when) => when < step) ?? 0),
    PageDown: () => move(choices.find((when) => when > step) ?? steps - 1),
    p: () => play(!playing),
  });
  useEffect(() => {
    if (!playing) return undefined;
    if (step >= steps - 1) {
      play(false);
      return undefined;
    }
    const timer = window.setTimeout(() => move(step + 1), PAUSE);
    return () => window.clearTimeout(timer);
  }, [playing, step]);
  useEffect(() => {
    document.title = `${file.title}, replayed · Riverbed`;
  }, [file]);
  const jump = (moment: number) => {
    const when = track.at ? track.at.indexOf(moment) : moment;
    if (when >= 0) go(when);
  };
  return (
    <>
      <header class="top">
        <span class="home">Riverbed</span>
        <h1>{file.title}, replayed</h1>
      </header>
      <main id="main">
        <section class="timeline" aria-label="Timeline">
          <div class="keys">
            <Key sign="first" label="First step" act={() => move(0)} />
            <Key
              sign="previous"
              label="Previous choice"
              act={() => move(choices.findLast((when) => when < step) ?? 0)}
            />
            <Key sign="back" label="One step back" act={() => move(step - 1)} />
            <Key sign={playing ? "pause" : "play"} label={playing ? "Pause" : "Play"} act={() => play(!playing)} />
            <Key sign="on" label="One step on" act={() => move(step + 1)} />
            <Key sign="next" label="Next choice" act={() => move(choices.find((when) => when > step) ?? steps - 1)} />
            <Key sign="last" label="Last step" act={() => move(steps - 1)} />
          </div>
          <input
            type="range"
            min="0"
            max={steps - 1}
            value={step}
            aria-label="Step"
            aria-valuetext={`step ${step} of ${steps - 1}, ${now.frame.clock}`}
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
          <output class="count">
            {step} / {steps - 1}
          </output>
        </section>
        <Views file={file} names={names} place={place} see={see} />
        <GameView
          frame={now.frame}
          names={names}
          events={events.slice(0, now.events)}
          choose={null}
          marks={{
            taken: now.taken,
            advised: now.advice === null ? null : { action: now.advice, agent: file.advisor },
          }}
          log={<EventList events={events} now={frameAt(place, step)} past={now.events} names={names} jump={jump} />}
          above={
            <BeliefsNow file={file} view={track.view} now={now} at={(view) => momentOf(view, step)} names={names} />
          }
        >
          <Players file={file} />
        </GameView>
      </main>
    </>
  );
}

type BeliefsNowProps = {
  file: ReplayFile;
  view: View;
  now: Moment;
  at: (view: View) => Moment | null;
  names: string[];
};

/** What the seat or an onlooker could believe, or, in the truth, what all of them could. */
function BeliefsNow({ file, view, now, at, names }: BeliefsNowProps) {
  if (now.beliefs) {
    return <Beliefs beliefs={now.beliefs} seat={typeof view === "number"} roles={file.roles} names={names} />;
  }
  if (view !== "truth" || !file.truth) return null;
  const beliefs = [...names.keys(), "public" as const].map((viewer) => at(viewer)?.beliefs ?? null);
  return <Certainty beliefs={beliefs} truth={file.truth} roles={file.roles} names={names} />;
}

const SIGNS: Record<string, string> = {
  first: "M3 3v10M13 3 6 8l7 5z",
  previous: "M8 3 3 8l5 5zM13 3 8 8l5 5z",
  back: "M10 3 5 8l5 5z",
  play: "M4 3l9 5-9 5z",
  pause: "M5 3v10M11 3v10",
  on: "M6 3l5 5-5 5z",
  next: "M3 3l5 5-5 5zM8 3l5 5-5 5z",
  last: "M13 3v10M3 3l7 5-7 5z",
};

function Key({ sign, label, act }: { sign: string; label: string; act: () => void }) {
  return (
    <button type="button" class="key" aria-label={label} title={label} onClick={act}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SIGNS[sign]} />
      </svg>
    </button>
  );
}

type ViewsProps = { file: ReplayFile; names: string[]; place: number; see: (place: number) => void };

function Views({ file, names, place, see }: ViewsProps) {
  if (file.tracks.length === 1) return <p class="views">{nameOf(file.tracks[0]!.view, names)}</p>;
  return (
    <div class="views" role="group" aria-label="See it as">
      <span aria-hidden="true">See it as</span>
      {file.tracks.map((track, number) => (
        <button
          type="button"
          key={String(track.view)}
          class={number === place ? "view chosen" : "view"}
          aria-pressed={number === place}
          onClick={() => see(number)}
        >
          {nameOf(track.view, names)}
        </button>
      ))}
    </div>
  );
}

type EventListProps = {
  events: Unpacked["events"];
  now: number;
  past: number;
  names: string[];
  jump: (moment: number) => void;
};

/** All events of the game; a click goes to the moment of one. */
function EventList({ events, now, past, names, jump }: EventListProps) {
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const last = box.current?.children[past - 1] as HTMLElement | undefined;
    if (box.current) box.current.scrollTop = last ? last.offsetTop - box.current.clientHeight / 2 : 0;
  }, [past]);
  return (
    <section class="panel events" aria-labelledby="events-title">
      <h2 id="events-title">What happened</h2>
      <ol class="log" ref={box}>
        {events.map((event, place) => (
          <li key={place} class={place >= past ? "future" : event.at === now ? "now" : ""}>
            <button type="button" aria-current={event.at === now ? "step" : undefined} onClick={() => jump(event.at)}>
              {told(event, (text) => withNames(text, names))}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Players({ file }: { file: ReplayFile }) {
  return (
    <section class="panel seats" aria-labelledby="seats-title">
      <h2 id="seats-title">At the table</h2>
      <ul>
        {file.names.map((name, seat) => (
          <li key={seat}>
            <strong>Player {seat}</strong> <span class="who">{name}</span>
          </li>
        ))}
      </ul>
      {file.note && <p class="small">{file.note}</p>}
      <p class="small">Keys: ← → a step, page up and down a choice, Home, End, p plays.</p>
    </section>
  );
}

/** Keys that work anywhere on the page, except where a person writes or the element has a use for them. */
function useKeys(keys: Record<string, () => void>) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const inside = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (inside.matches("textarea, select, input:not([type=range])")) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}
