/** A finished game, step by step, as each seat knew it. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { BeliefCurve, Beliefs, Table } from "./beliefs";
import { Key, Select } from "./controls";
import type { View } from "./frame";
import { GameView } from "./game";
import { savePicture } from "./picture";
import { HowToPlay } from "./rules";
import { ThemeSwitch } from "./theme";
import { type Moment, moments, type ReplayFile } from "./unpack";
import { agentWords, capital, eyes, seatNames } from "./words";

const SPEEDS: [number, string][] = [
  [2000, "Slow"],
  [900, "Normal"],
  [300, "Fast"],
]; // milliseconds between steps while it plays
const MARKED = /reveal|compare|bear|score|hunt|con$|end/; // kinds of events that the slider marks

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

/** Where a link wants the replay to begin: `#step=40&view=2`; `#compact&step=40` shows the board alone, for embedding. */
function asked(file: ReplayFile, steps: number): { step: number; track: number; compact: boolean } {
  const given = new URLSearchParams(window.location.hash.slice(1));
  const step = Math.min(steps - 1, Math.max(0, Number.parseInt(given.get("step") ?? "0", 10) || 0));
  const track = file.tracks.findIndex((each) => String(each.view) === given.get("view"));
  return { step, track: Math.max(0, track), compact: given.has("compact") };
}

export function ReplayPage({ file }: { file: ReplayFile }) {
  const unpack = useTracks(file);
  const steps = file.tracks[0]?.at?.length ?? file.tracks[0]?.patches.length ?? 0;
  const begin = useMemo(() => asked(file, steps), [file, steps]);
  const [step, go] = useState(begin.step);
  const [place, see] = useState(begin.track);
  const [playing, play] = useState(false);
  const [speed, hasten] = useState(900);
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
  const earlier = () => move(choices.findLast((when) => when < step) ?? 0);
  const later = () => move(choices.find((when) => when > step) ?? steps - 1);
  useKeys({
    ArrowLeft: () => move(step - 1),
    ArrowRight: () => move(step + 1),
    Home: () => move(0),
    End: () => move(steps - 1),
    PageUp: earlier,
    PageDown: later,
    p: () => play(!playing),
  });
  useEffect(() => {
    const last = step >= steps - 1;
    if (playing && last) play(false);
    if (!playing || last) return undefined;
    const timer = window.setTimeout(() => move(step + 1), speed);
    return () => window.clearTimeout(timer);
  }, [playing, step, speed]);
  const here = `#${begin.compact ? "compact&" : ""}step=${step}&view=${track.view}`; // a link to this moment
  useEffect(() => {
    document.documentElement.classList.toggle("compact", begin.compact);
    try {
      window.history.replaceState(null, "", here);
    } catch {
      // no address of its own, as in a frame of a notebook
    }
  }, [here]);
  const marked = useMemo(() => {
    const found = events.filter((event) => MARKED.test(event.kind)).map((event) => event.at);
    return [...new Set(found)].map((moment) => (track.at ? track.at.indexOf(moment) : moment));
  }, [events, track]);
  const believing = track.view === "truth" ? file.tracks.findIndex((each) => each.view === "public") : place;
  const shares = useMemo(
    () => (believing < 0 ? [] : Array.from({ length: steps }, (_, when) => momentAt(believing, when).beliefs)),
    [believing, steps],
  );
  const jump = (moment: number) => {
    const when = track.at ? track.at.indexOf(moment) : moment;
    if (when >= 0) go(when);
  };
  return (
    <>
      <header class="top at-board">
        <span class="home">Riverbed</span>
        <h1>{file.title}, replayed</h1>
        <HowToPlay game={now.frame.game} title={file.title} />
        <ThemeSwitch />
      </header>
      <main id="main" class="at-table">
        <section class="timeline" aria-label="Timeline">
          <div class="keys">
            <Key sign="previous" label="Previous choice" act={earlier} />
            <Key sign="back" label="One step back" act={() => move(step - 1)} />
            <Key sign={playing ? "pause" : "play"} label={playing ? "Pause" : "Play"} act={() => play(!playing)} />
            <Key sign="on" label="One step on" act={() => move(step + 1)} />
            <Key sign="next" label="Next choice" act={later} />
          </div>
          <div class="rail">
            <input
              type="range"
              min="0"
              max={steps - 1}
              value={step}
              aria-label="Step"
              aria-valuetext={`step ${step} of ${steps - 1}, ${now.frame.clock}`}
              onInput={(event) => go(Number(event.currentTarget.value))}
            />
            <svg viewBox={`0 0 ${steps} 8`} preserveAspectRatio="none" aria-hidden="true">
              {marked.map((when) => (
                <rect key={when} x={when} width={Math.max(0.4, steps / 400)} height="8" />
              ))}
            </svg>
          </div>
          <output class="count">
            {step} / {steps - 1}
          </output>
          <Select
            label="See it as"
            value={place}
            options={file.tracks.map((each, number) => [number, eyes(each.view, names)] as const)}
            change={(number) => see(Number(number))}
          />
          <Select label="Play speed" value={speed} options={SPEEDS} change={(pause) => hasten(Number(pause))} />
          <Key
            sign="link"
            label="Copy a link to this moment"
            act={() => navigator.clipboard?.writeText(new URL(here, window.location.href).href)}
          />
        </section>
        <GameView
          frame={now.frame}
          names={names}
          events={events.slice(0, now.events)}
          choose={null}
          marks={{
            taken: now.taken,
            advised: now.advice === null ? null : { action: now.advice, who: agentWords(file.advisor) },
            action_values: now.action_values,
          }}
          now={[...events.keys()].filter((each) => events[each]!.at === frameAt(place, step))}
          jump={(each) => jump(events[each]!.at)}
          above={
            <>
              <BeliefsNow
                file={file}
                view={track.view}
                now={now}
                before={step ? momentAt(place, step - 1).beliefs : null}
                at={(view) => momentOf(view, step)}
                names={names}
              />
              <BeliefCurve beliefs={shares} truth={file.truth} step={step} names={names} go={move} />
            </>
          }
        >
          <Players file={file} here={here} />
        </GameView>
      </main>
    </>
  );
}

type BeliefsNowProps = {
  file: ReplayFile;
  view: View;
  now: Moment;
  before: number[][] | null; // what was believed one step earlier
  at: (view: View) => Moment | null;
  names: string[];
};

/** What the seat or an onlooker could believe, or, in the truth, what all of them could. */
function BeliefsNow({ file, view, now, before, at, names }: BeliefsNowProps) {
  if (now.beliefs) {
    const seat = typeof view === "number";
    return <Beliefs beliefs={now.beliefs} before={before} seat={seat} roles={file.roles} names={names} />;
  }
  if (view !== "truth" || !file.truth) return null;
  const { truth, roles } = file;
  return (
    <Table
      title="Who could know whom"
      about="How sure each row could be of the true role of each column, in percent, under a model of how agents play."
      rows={[...names, "onlooker"].map(capital)}
      upright
      columns={truth.map((role, seat) => `${seat} ${roles[role]}`)}
      cells={[...names.keys(), "public" as const].map((seer) =>
        truth.map((role, seat) => at(seer)?.beliefs?.[seat]?.[role] ?? -1),
      )}
    />
  );
}

function Players({ file, here }: { file: ReplayFile; here: string }) {
  const served = window.location.pathname.startsWith("/table/");
  return (
    <section class="panel seats" aria-labelledby="seats-title">
      <h2 id="seats-title">At the table</h2>
      <ul>
        {file.names.map((name, seat) => (
          <li key={seat}>
            <strong>Player {seat}</strong>{" "}
            <span class="who" title={name}>
              {file.kinds[seat] === "agent" ? `agent ${agentWords(name)}` : name}
            </span>
          </li>
        ))}
      </ul>
      {file.worlds > 0 && (
        <p class="small">
          "Wins 40 %": so often the seat wins after this choice, in {file.worlds} worlds drawn from what it knew, if the
          game's plainest agent plays on for all.
        </p>
      )}
      {served && !file.worlds && (
        <p>
          <a href={`?values${here}`}>How good were the choices?</a> <span class="small">It takes a minute or two.</span>
        </p>
      )}
      <div class="field">
        This picture
        {(["svg", "png"] as const).map((kind) => (
          <button type="button" class="quiet" key={kind} onClick={() => savePicture(kind, `step${here}`)}>
            {kind.toUpperCase()}
          </button>
        ))}
      </div>
      {file.note && <p class="small">{file.note}</p>}
      <p class="small">Keys: ← → a step, page up and down a choice, Home, End, p plays.</p>
    </section>
  );
}

/** Keys that work anywhere on the page, except where a person writes or the element has a use for them. */
function useKeys(keys: Record<string, () => void>) {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
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
