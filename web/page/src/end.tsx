/** The end of a game as an event: who won, who everybody was, what decided it, and the same table again. */

import { useEffect, useRef, useState } from "preact/hooks";
import { MEEPLE } from "./art";
import { Select, Trouble } from "./controls";
import type { Event, Frame, Panel, Shape, View } from "./frame";
import { LOBBY, rememberSeats, tableLink, takeKeys } from "./keys";
import type { Connection, Live } from "./live";
import { isSaid } from "./log";
import { ask, type Opened, type TableFacts, type Value, type Wanted } from "./messages";
import { capital, eyes, told, withNames } from "./words";

type AfterProps = { table: TableFacts; live: Live; names: string[]; look: { current: Connection | null } };

const HIDES = /hunt|rats/; // games in which something is turned up at the end

/** What led to the end: the last moves of its turn, without talk, the end itself, and discards at the turn before. */
export function lastMoves(events: Event[]): Event[] {
  const moves = events.filter((event) => !isSaid(event) && !/^(win|lose|truncate)$/.test(event.kind));
  const turn = moves.slice(moves.findLastIndex((event) => event.kind === "end_turn") + 1);
  return turn.slice(turn.findIndex((event) => event.kind !== "discard")).slice(-6);
}

/** After the end: everything turned up, with anybody's eyes, and its record. */
export function After({ table, live, names, look }: AfterProps) {
  const { frame, view } = live;
  const moves = useRef<Event[]>([]); // as everybody tells them, whoever's eyes are asked for later
  if (view === "truth" || !moves.current.length) moves.current = lastMoves(live.events);
  const [loading, load] = useState(false);
  useEffect(() => {
    if (frame?.over && HIDES.test(frame.game)) look.current?.look("truth"); // once, as a table turns everything up
  }, [frame?.over]);
  if (!frame?.over) return null;
  const say = (text: string) => withNames(text, names);
  const result = view === live.own ? frame.result : frame.result.replace(/^You\b/, `player_${view}`);
  return (
    <section class={`panel after ${verdict(frame, live.own)}`} aria-labelledby="after-title">
      <div role="status">
        <h2 id="after-title">{VERDICTS[verdict(frame, live.own)]}</h2>
        <p class="what">{capital(say(result))}</p>
        <p class="clock">{frame.clock}</p>
      </div>
      {HIDES.test(frame.game) && (
        <ol class="small" aria-label="The last moves">
          {moves.current.map((event, place) => (
            <li key={place}>{told(event, say)}.</li>
          ))}
        </ol>
      )}
      <Faces frame={frame} names={names} own={live.own} />
      <ScoreTable frame={frame} names={names} />
      <Rematch table={table} own={live.own} />
      <SeeAs live={live} names={names} look={look} />
      <p>
        <a href={`/table/${table.id}/replay#view=${live.own}`} onClick={() => load(true)}>
          {loading ? "Loading the replay …" : "Replay it step by step"}
        </a>
        {" · "}
        <a href={`/api/tables/${table.id}/record`} download={`${table.id}.json`}>
          Save its record
        </a>
        {" · "}
        <a href="/">Another game</a>
      </p>
      {table.seed !== null && <p class="small">Seed {table.seed}</p>}
    </section>
  );
}

/** With whose eyes the table is seen. */
export function SeeAs({ live, names, look }: Omit<AfterProps, "table">) {
  const views: View[] = ["truth", "public", ...names.keys()];
  return (
    <div class="field">
      <label for="see-as">See it as</label>
      <Select
        id="see-as"
        value={String(live.view)}
        options={views.map((view) => [view, eyes(view, names)] as const)}
        change={(view) => look.current?.look(/^\d/.test(view) ? Number(view) : (view as View))}
      />
    </div>
  );
}

const VERDICTS = { won: "You won!", lost: "You lost", over: "The game is over" };

function verdict(frame: Frame, own: View | null): keyof typeof VERDICTS {
  if (typeof own !== "number" || !frame.returns) return "over";
  return (frame.returns[own] ?? 0) > 0 ? "won" : "lost";
}

/** The shapes of a panel with a label, by their own names. */
function labels(panel: Panel | undefined): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (shapes: Shape[]) => {
    for (const shape of shapes) {
      if (shape.label) found.set(shape.id.replace(/^.*[./]/, ""), shape.label);
      if (shape.kind === "group") walk(shape.shapes);
    }
  };
  walk(panel?.shapes ?? []);
  return found;
}

/** Everybody with what they were, winners first to see. */
function Faces({ frame, names, own }: { frame: Frame; names: string[]; own: View | null }) {
  const players = labels(frame.scene.panels.find((panel) => panel.id === "players"));
  return (
    <ul class="faces">
      {names.map((name, seat) => {
        const [, role = ""] = /: ([^,;]+)/.exec(players.get(`player-${seat}`) ?? "") ?? [];
        const won = (frame.returns?.[seat] ?? 0) > 0;
        return (
          <li key={name} class={won ? "winner" : ""}>
            <svg class="rb-scene face" viewBox="-14 -14 28 28" aria-hidden="true">
              <path class={`seat${seat}`} d={MEEPLE} />
            </svg>
            <strong>
              {capital(name)}
              {seat === own && " (you)"}
            </strong>
            <span class="small">{[role, won ? "won" : ""].filter(Boolean).join(", ")}</span>
          </li>
        );
      })}
    </ul>
  );
}

const POINTS = /: (-?\d+) points/;

/** Riverside's sheets side by side: the points of each boat, and the sum. */
function ScoreTable({ frame, names }: { frame: Frame; names: string[] }) {
  const sheets = frame.scene.panels.filter((panel) => panel.id.startsWith("sheet-"));
  if (!sheets.length) return null;
  const columns = sheets
    .map((panel) => ({ seat: Number(panel.id.slice(6)), parts: labels(panel), total: POINTS.exec(panel.label)?.[1] }))
    .sort((one, other) => one.seat - other.seat);
  const boats = [...columns[0]!.parts]
    .filter(([id]) => /^boat-\d$/.test(id))
    .map(([id, label]) => [id, label.split(":")[0]!]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <div class="scroll" tabIndex={0} role="group" aria-label="The scores">
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">Points</th>
            {columns.map(({ seat }) => (
              <th key={seat} scope="col">
                {capital(names[seat] ?? "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {boats.map(([id, name]) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {columns.map(({ seat, parts }) => (
                <td key={seat}>{POINTS.exec(parts.get(id!) ?? "")?.[1]}</td>
              ))}
            </tr>
          ))}
          <tr class="total">
            <th scope="row">In all</th>
            {columns.map(({ seat, total }) => (
              <td key={seat}>{total}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** What opens the same table once more: the same game, options and seats, another deal. */
export function again(table: TableFacts): Wanted {
  const { roles, ...options } = table.options;
  const asked = roles !== null && typeof roles === "object" ? Object.values(roles)[0] : undefined;
  return {
    game: table.game,
    players: table.players,
    options: { ...(options as Record<string, Value>), ...(asked ? { roles: asked } : {}) },
    ...(table.pack ? { pack: table.pack } : {}),
    seed: null,
    seats: table.seats.map((seat) =>
      seat.kind === "agent"
        ? { kind: "agent", agent: seat.agent ?? "" }
        : { kind: "person", ...(/^player_\d+$/.test(seat.name) ? {} : { name: seat.name }) },
    ),
    pace: table.pace,
    listed: table.listed,
  };
}

function Rematch({ table, own }: { table: TableFacts; own: View | null }) {
  const [trouble, tell] = useState("");
  if (typeof own !== "number") return null;
  const others = table.seats.filter((seat) => seat.kind === "person").length > 1;
  const open = async () => {
    try {
      const opened = await ask<Opened>("POST", "/api/tables", again(table), takeKeys(LOBBY).key ?? undefined);
      rememberSeats(opened.table.id, opened.seats);
      window.location.assign(tableLink(opened.table.id, { owner: opened.owner, seat: opened.seats[own] ?? null }));
    } catch (error) {
      tell((error as Error).message);
    }
  };
  return (
    <>
      <button type="button" class="button" onClick={open}>
        Same table again
      </button>
      {others && <p class="small">The links of the others are under “Your table”, below.</p>}
      <Trouble text={trouble} />
    </>
  );
}
