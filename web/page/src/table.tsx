/** The page of one table: a person's seat, or a watcher's place. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { BeliefCurve, Beliefs } from "./beliefs";
import { Trouble } from "./controls";
import { After, SeeAs } from "./end";
import { GameView } from "./game";
import type { Keys } from "./keys";
import { Connection, type Live, NOTHING } from "./live";
import { levelWords } from "./lobby";
import { Manage } from "./manage";
import type { Assessed, Seat, TableFacts } from "./messages";
import { HowToPlay } from "./rules";
import { TempoKeys } from "./tempo";
import { ThemeSwitch } from "./theme";
import { agentWords, capital, seatNames } from "./words";

export function TablePage({ id, keys }: { id: string; keys: Keys }) {
  const [live, change] = useState<Live>(NOTHING);
  const connection = useRef<Connection | null>(null);
  useEffect(() => {
    const opened = new Connection(id, keys.seat ?? keys.owner, change);
    connection.current = opened;
    const hurry = () => opened.hurry();
    window.addEventListener("online", hurry);
    window.addEventListener("focus", hurry);
    return () => {
      window.removeEventListener("online", hurry);
      window.removeEventListener("focus", hurry);
      opened.close();
    };
  }, [id, keys.seat, keys.owner]);
  const { table, frame } = live;
  const names = useMemo(() => (table ? seatNames(table.seats) : []), [table]);
  useEffect(() => {
    const turn = frame?.view === "seat" && frame.choices.length ? "Your turn: " : ""; // seen from another tab
    document.title = table ? `${turn}${table.title} · Riverbed` : "Riverbed";
  }, [table, frame]);
  const [insight, seek] = useState(false);
  const { assessed, step } = live;
  const wondering = insight && table?.open && table.stage === "playing" && assessed?.step !== step && !live.refused;
  useEffect(() => {
    if (wondering) connection.current?.wonder("assess");
  }, [wondering, live]);
  const absent = table?.seats.some((seat) => seat.kind === "person" && !seat.connected);
  const inviting = keys.owner !== null && absent && live.known === 0;
  const manage = table && <Manage table={table} owner={keys.owner} own={keys.seat} open={inviting} />;
  const canAct = live.link === "open" && !live.sent && frame?.view === "seat" && frame.choices.length > 0;
  return (
    <>
      <header class="top at-board">
        <a class="home" href="/">
          Riverbed
        </a>
        <h1>{table?.title ?? "Table"}</h1>
        {table && (keys.seat || keys.owner) && (
          <TempoKeys table={table} set={(tempo) => connection.current?.pace(tempo)} />
        )}
        {table && <HowToPlay game={table.game} title={table.title} />}
        <ThemeSwitch />
      </header>
      <main id="main" class="at-table">
        {live.ending && <p class="notice bad">{live.ending}</p>}
        {live.link === "lost" && (
          <p class="notice" role="alert">
            The connection is lost. Trying again …
          </p>
        )}
        <Trouble text={live.refused} />
        {table && <Stage table={table} />}
        {inviting && manage}
        {frame && table && (
          <GameView
            frame={frame}
            names={names}
            events={live.events}
            choose={canAct ? (action, text) => connection.current?.act(action, text) : null}
            status={
              <>
                <Waiting live={live} names={names} />
                {live.undo && !live.sent && (
                  <button type="button" class="quiet" onClick={() => connection.current?.undo()}>
                    Take back
                  </button>
                )}
              </>
            }
            marks={{
              taken: null,
              advised: live.hint && { action: live.hint.action, who: `Hint: ${levelWords(live.hint.agent)}` },
              action_values: insight && assessed?.step === step ? assessed.action_values : null,
            }}
            above={
              table.open &&
              !frame.over && (
                <>
                  <section class="panel sight" aria-label="What you see">
                    <SeeAs live={live} names={names} look={connection} />
                    <button type="button" class="quiet" aria-pressed={insight} onClick={() => seek(!insight)}>
                      {insight ? "Hide" : "Show"} beliefs, and how often choices win
                    </button>
                  </section>
                  {insight && assessed && <Insight seen={assessed} names={names} />}
                </>
              )
            }
            helper={
              <button type="button" class="quiet hint-button" onClick={() => connection.current?.wonder("hint")}>
                Hint
              </button>
            }
            after={table.stage === "over" && <After table={table} live={live} names={names} look={connection} />}
          >
            <Seats table={table} live={live} names={names} />
          </GameView>
        )}
        {!inviting && manage}
      </main>
    </>
  );
}

/** What hinders a table from being played: it is being prepared, closed or broken. */
function Stage({ table }: { table: TableFacts }) {
  if (table.stage === "preparing") {
    const { progress } = table;
    return (
      <div class="notice" role="status">
        <p>{progress ? capital(progress.text) : "The table is being prepared."}</p>
        {progress && <progress aria-label="Preparing" max={Math.max(1, progress.of)} value={progress.done} />}
        <p class="small">
          The first game on a machine compiles its rules, up to half a minute. Later ones start at once.
        </p>
      </div>
    );
  }
  if (table.stage === "closed") return <p class="notice">This table is closed.</p>;
  if (table.stage === "broken") return <p class="notice bad">This table can't go on: {table.trouble}</p>;
  return null;
}

/** What those whose eyes a watcher has can believe now, and could before. */
function Insight({ seen, names }: { seen: Assessed; names: string[] }) {
  const { beliefs, roles, truth, view } = seen;
  const now = beliefs.at(-1);
  if (!now) return null;
  return (
    <>
      <Beliefs beliefs={now} before={beliefs.at(-2) ?? null} seat={typeof view === "number"} {...{ roles, names }} />
      <BeliefCurve beliefs={beliefs} truth={truth} step={beliefs.length - 1} names={names} />
    </>
  );
}

function Waiting({ live, names }: { live: Live; names: string[] }) {
  const { frame, table, answered } = live;
  if (!frame || !table || frame.over || table.stage !== "playing") return null;
  if (live.sent) return <p class="waiting">Sent …</p>;
  if (answered !== null) return <p class="waiting">You have chosen. Waiting for the others …</p>;
  if (frame.asked === null || frame.asked === frame.seat) return null;
  const seat = table.seats[frame.asked];
  const who = names[frame.asked] ?? `player ${frame.asked}`;
  if (seat?.kind === "agent" && table.paused) return <p class="waiting">Paused before the move of {who}.</p>;
  return seat?.kind === "agent" ? <p class="waiting">{capital(who)} is thinking …</p> : null;
}

function Seats({ table, live, names }: { table: TableFacts; live: Live; names: string[] }) {
  return (
    <section class="panel seats" aria-labelledby="seats-title">
      <h2 id="seats-title">At the table</h2>
      <ul>
        {table.seats.map((seat) => (
          <li key={seat.seat} class={live.frame?.asked === seat.seat ? "asked" : ""}>
            <strong>{capital(names[seat.seat] ?? "")}</strong>
            {live.view === seat.seat && " (you)"}{" "}
            <span class="who" title={seat.agent ?? undefined}>
              {who(seat)}
              {seat.late ? `, late ${seat.late} times` : ""}
              {tookBack(table, seat.seat)}
            </span>
          </li>
        ))}
      </ul>
      <p class="small">
        {table.watchers > 0 && `Watching: ${table.watchers}.`}
        {table.seed_chosen && " The seed was chosen by who opened the table, who may know the deal."}
        {live.view === "public" && " You see what everybody at the table knows."}
      </p>
      {wished(table).map(([player, role]) => (
        <p class="small" key={player}>
          {capital(player.replace("_", " "))} asked to be the {role}.
        </p>
      ))}
      {table.changes.map((change) => (
        <p class="small" key={`${change.seat} ${change.choices}`}>
          After choice {change.choices} {names[change.seat]} changed: {change.was}, then {change.is_now}.
        </p>
      ))}
    </section>
  );
}

function who({ kind, agent, name, connected }: Seat): string {
  if (kind === "agent") return `agent ${agentWords(agent ?? name)}`;
  return connected ? "here" : "not connected";
}

function tookBack({ undone }: TableFacts, seat: number): string {
  const times = undone.filter((each) => each.seat === seat).length;
  return times ? `, took ${times === 1 ? "a choice" : `${times} choices`} back` : "";
}

/** Roles that were chosen when the table was opened, by seat. */
function wished(table: TableFacts): [string, string][] {
  const { roles } = table.options;
  return roles !== null && typeof roles === "object" ? Object.entries(roles) : [];
}
