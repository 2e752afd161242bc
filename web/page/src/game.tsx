/** One frame of a game: the table, what is asked, the choices, and what happened. */

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Patterns, Signs } from "./art";
import { ChoiceList, ChoiceRow, divided, type Marks, usual, WhichOne, Why } from "./choices";
import { Key } from "./controls";
import type { Event, Frame, Panel } from "./frame";
import { isSaid, Log } from "./log";
import { type Board, PanelPicture } from "./scene";
import { Claim, OwnWords, useSpokesman } from "./talk";
import { capital, fishNamed, told, withNames } from "./words";

type GameProps = {
  frame: Frame;
  names: string[];
  events?: Event[];
  jump?: (place: number) => void; // to the moment of an event; without it they are a list to read
  now?: number[]; // places of the events of this moment
  choose: ((action: number, text: string) => void) | null; // and what is said in words with it
  status?: ComponentChildren; // beside the headline: who is thinking, the connection
  marks?: Marks;
  helper?: ComponentChildren; // below the choices
  above?: ComponentChildren; // before the choices
  after?: ComponentChildren; // in place of what is asked, when the game is over
  children?: ComponentChildren; // below all
};

export function GameView(props: GameProps) {
  const { frame, names, events = [], choose, status, marks, helper, above, after, children } = props;
  const [hot, warm] = useState<number[]>([]);
  const [asked, ask] = useState<number[]>([]);
  const [text, write] = useState("");
  const [veiled, veil] = useState(false);
  const [tab, turnTo] = useState<(typeof TABS)[number]>("Board");
  const [tapped, tap] = useState(""); // what the piece is that was clicked last
  const maySay = frame.may_say !== null;
  const swims = frame.game.startsWith("deep_river") ? (frame.seat ?? frame.asked) : undefined;
  const say = useCallback(
    (text: string) => withNames(swims === undefined ? text : fishNamed(text, swims), names),
    [names, swims],
  );
  useEffect(() => {
    warm([]);
    ask([]);
    tap("");
  }, [frame]);
  useEffect(() => {
    if (!maySay) write("");
  }, [maySay]);
  const take = choose && ((action: number) => choose(action, maySay ? text.trim() : ""));
  const talk = useSpokesman(frame, take);
  const board: Board = {
    names: say,
    describe: ([action, another]) =>
      another ? "several choices" : say(frame.choices.find((choice) => choice.action === action)?.text ?? ""),
    choose: take && ((actions) => (actions.length === 1 ? take(actions[0]!) : ask(actions))),
    hot,
    warm,
    advised: marks?.advised?.action ?? null,
    changed: useChanged(frame),
  };
  const placed = (place: Place) => frame.scene.panels.filter((panel) => placeOf(panel, frame) === place);
  const boards = placed("board");
  const since = props.jump ? -1 : events.findLastIndex(({ text }) => /^you\b/.test(text));
  const news = since < 0 ? [] : events.slice(since + 1).filter(matters);
  const newest = events.findLast((event) => !isSaid(event));
  return (
    <div class={`game ${plainName(frame.game)}${veiled ? " veiled" : ""}`} data-tab={tab}>
      <Patterns />
      <div class="tabs" role="group" aria-label="Parts of the table">
        {TABS.map((each) => (
          <button type="button" class="quiet" key={each} aria-pressed={tab === each} onClick={() => turnTo(each)}>
            {each}
          </button>
        ))}
      </div>
      <div class="left">
        <Me frame={frame} say={say} veiled={veiled} veil={() => veil(!veiled)} />
        {placed("side").map((panel) => (
          <PanelPicture key={panel.id} panel={panel} board={board} />
        ))}
        {placed("folded").map((panel) => (
          <PanelPicture key={panel.id} panel={panel} board={board} folded />
        ))}
      </div>
      {/* biome-ignore lint/a11y: a reader is told what each piece is without a click */}
      <div
        class="boards"
        style={{ "--ratio": `${ratio(boards)}`, "--titles": boards.length }}
        onClick={({ target }) => tap((target as Element).closest("[role=img]")?.getAttribute("aria-label") ?? "")}
      >
        <div class="strip" aria-hidden="true">
          {(tapped || newest) && <p class="ribbon">{tapped || told(newest!, say)}</p>}
        </div>
        {boards.map((panel) => (
          <PanelPicture key={panel.id} panel={panel} board={board} />
        ))}
      </div>
      <div class="right">
        {(frame.over && after) || <Headline frame={frame} say={say} status={status} />}
        <Log events={events} say={say} since={since} turn={choose !== null} now={props.now} jump={props.jump} />
        {above}
        {!frame.over && (
          <Choices
            frame={frame}
            say={say}
            choose={take}
            hot={hot}
            warm={warm}
            marks={marks}
            boards={boards.map((panel) => panel.id)}
            talk={talk}
            helper={helper}
          >
            {news.length > 0 && (
              <div class="narrow small">
                Since your last turn:
                <ul>
                  {news.map((event, place) => (
                    <li key={place}>{told(event, say)}</li>
                  ))}
                </ul>
              </div>
            )}
            {take && frame.may_say && <OwnWords may={frame.may_say} text={text} write={write} choose={take} />}
          </Choices>
        )}
        <Help frame={frame} say={say} />
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

const TABS = ["Board", "Players", "Log"] as const; // of a phone, which has no room for all

type Place = "board" | "side" | "folded";

// Panels that stand elsewhere than the frame says, by game: cards below the board, what is rarely read folded.
const PLACES: Record<string, Record<string, Place>> = {
  riverbed_hunt: { unknown: "folded", piles: "folded" },
  river_rats: { hand: "board" },
  riverside: { dice: "side" },
};

function plainName(game: string): string {
  return game.replace(/_v\d+$/, "");
}

function placeOf(panel: Panel, frame: Frame): Place {
  if (panel.id.startsWith("sheet-")) return panel.id === `sheet-${frame.seat}` ? "board" : "folded";
  return PLACES[plainName(frame.game)]?.[panel.id] ?? panel.place;
}

/** Width by height of panels that stand below each other. */
function ratio(panels: Panel[]): number {
  return panels.length ? panels[0]!.width / panels.reduce((sum, panel) => sum + panel.height, 0) : 1;
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

const DULL = /^(end_turn|place|dive|swim|co_op|uncover|play|view|move|draw|discard|refresh|marker|reshuffle)$/;

/** Whether an event is told where there is no room for all: it turned something up, say, or was done to the viewer. */
function matters({ kind, text }: Event): boolean {
  return !DULL.test(kind) || /\byour?\b/.test(text);
}

function Headline({ frame, say, status }: { frame: Frame; say: Say; status: ComponentChildren }) {
  return (
    <div class={`headline panel${frame.choices.length && frame.view === "seat" ? " mine" : ""}`}>
      <div role="status">
        <p class="clock">{frame.clock}</p>
        {frame.view === "seat" && !frame.over && <p class="narrow secret">{say(frame.goal).split(/(?<=\.) /, 1)}</p>}
        <p class="what">{capital(say(frame.over && frame.result ? frame.result : frame.headline))}</p>
      </div>
      {status}
    </div>
  );
}

const OWN_SIGNS: [RegExp, string][] = [
  [/separatist/, "log"],
  [/profiteer/, "coin"],
  [/merchant/, "kelp"],
  [/salmon\./, "salmon"],
  [/eels\./, "eel"],
  [/River Rats/, "ace"],
  [/captain/, "ship"],
];

type MeProps = { frame: Frame; say: Say; veiled: boolean; veil: () => void };

/** Who the viewer is and what wins, with an eye that hides it from others in the room. */
function Me({ frame, say, veiled, veil }: MeProps) {
  if (frame.view !== "seat" || !frame.goal) return null;
  const [who, ...wins] = say(frame.goal).split(/(?<=\.) /);
  const sign = OWN_SIGNS.find(([pattern]) => pattern.test(who ?? ""))?.[1];
  return (
    <section class="panel me" aria-label="Who you are">
      <div class="secret">
        {sign && <Signs names={sign} />}
        <div>
          <p class={who && who.length > 32 ? "who-i-am long" : "who-i-am"}>{who}</p>
          <p>{wins.join(" ")}</p>
        </div>
      </div>
      <Key sign={veiled ? "hidden" : "eye"} label="Hide what is secret" act={veil} pressed={veiled} />
    </section>
  );
}

type ChoicesProps = {
  frame: Frame;
  say: Say;
  choose: ((action: number) => void) | null;
  hot: number[];
  warm: (actions: number[]) => void;
  marks: Marks | undefined;
  boards: string[]; // ids of the panels in sight
  talk: ReturnType<typeof useSpokesman>;
  helper: ComponentChildren;
  children: ComponentChildren;
};

/** The choices in words. When they change under a person's hands, the focus stays with them. */
function Choices({ frame, say, choose, hot, warm, marks, boards, talk, helper, children }: ChoicesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const had = useRef(false);
  const [folded, fold] = useState(false); // on a phone, where it covers what is below
  useEffect(() => {
    if (had.current && choose && document.activeElement === document.body) heading.current?.focus();
    had.current = frame.choices.length > 0;
  }, [frame, choose]);
  const state = !frame.choices.length ? "idle" : folded ? "folded" : "";
  const title = frame.view === "seat" ? "Your choices" : "Choices";
  const main = choose && usual(frame.choices);
  const claims = choose !== null && talk.floor;
  const listed = claims ? [] : frame.choices.filter((choice) => choice !== main);
  const row = { names: say, choose, hot, warm, marks };
  const [inList, onTable] = choose ? divided(listed, boards, marks?.advised?.action) : [listed, []];
  return (
    <section class={`panel asks ${state}`} aria-labelledby="choices-title">
      <h2 id="choices-title" ref={heading} tabIndex={-1}>
        <span class="wide">{title}</span>
        <button type="button" class="narrow handle" aria-expanded={!folded} onClick={() => fold(!folded)}>
          {title} <span aria-hidden="true">{folded ? "▴" : "▾"}</span>
        </button>
      </h2>
      {children}
      {main && <ChoiceRow choice={main} {...row} main />}
      {claims && (
        <>
          <Claim frame={frame} say={say} choose={choose} then={talk.then} />
          <label class="field check">
            <input
              type="checkbox"
              checked={talk.quiet}
              onChange={(event) => {
                talk.hush(event.currentTarget.checked);
                if (event.currentTarget.checked && main) choose(main.action);
              }}
            />
            Silent until my turn
          </label>
        </>
      )}
      {onTable.length > 0 && (
        <>
          <p class="hint">Choose on the table: what is outlined.</p>
          <details class="fold">
            <summary>Or from a list ({onTable.length})</summary>
            <ChoiceList choices={onTable} {...row} />
          </details>
        </>
      )}
      {inList.length > 0 && <ChoiceList choices={inList} {...row} />}
      <div class="foot">
        {choose && helper}
        <Why choices={claims ? frame.choices.slice(0, 1) : frame.choices} names={say} />
      </div>
    </section>
  );
}

/** What the words of the game mean, for those who ask. */
function Help({ frame, say }: { frame: Frame; say: Say }) {
  if (!frame.help.length) return null;
  return (
    <details class="panel help">
      <summary>What things mean</summary>
      <ul>
        {frame.help.map((line) => (
          <li key={line}>{say(line)}</li>
        ))}
      </ul>
    </details>
  );
}
