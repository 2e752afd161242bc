/** The lobby: open a table, or watch one. */

import { useEffect, useState } from "preact/hooks";
import { Cover, Patterns } from "./art";
import { Select, Trouble } from "./controls";
import { LOBBY, rememberSeats, tableLink, takeKeys } from "./keys";
import { ask, type GameInfo, type Games, type Opened, type TableFacts, type Value, type Wanted } from "./messages";
import { HowToPlay } from "./rules";
import { ThemeSwitch } from "./theme";
import { agentWords, spaced, withNames } from "./words";

export function Lobby() {
  const [games, know] = useState<Games | null>(null);
  const [tables, list] = useState<TableFacts[]>([]);
  const [trouble, say] = useState("");
  useEffect(() => {
    const failed = (error: Error) => say(error.message);
    ask<Games>("GET", "/api/games").then(know, failed);
    ask<{ tables: TableFacts[] }>("GET", "/api/tables").then((given) => list(given.tables), failed);
  }, []);
  return (
    <>
      <header class="top">
        <span class="home">Riverbed</span>
        <h1>River games, with people and agents</h1>
        <ThemeSwitch />
      </header>
      <Patterns />
      <main id="main" class="lobby">
        <Trouble text={trouble} />
        {games && <NewTable games={games} />}
        <Tables tables={tables} />
        {games && <p class="small">Riverbed {games.version}</p>}
      </main>
    </>
  );
}

/** Sit down in the first person's seat; the table shows its owner the links of the others. */
function sitDown({ table, owner, seats }: Opened) {
  rememberSeats(table.id, seats);
  window.location.assign(tableLink(table.id, { owner, seat: seats.find((seat) => seat !== null) ?? null }));
}

function Tables({ tables }: { tables: TableFacts[] }) {
  return (
    <section class="panel" aria-labelledby="tables-title">
      <h2 id="tables-title">Tables</h2>
      {tables.length === 0 && <p class="none">No tables yet.</p>}
      <ul class="tables">
        {tables.map((table) => (
          <li key={table.id}>
            <a href={tableLink(table.id, {})}>
              {table.title}, {table.players} {table.players === 1 ? "player" : "players"}
            </a>{" "}
            <span class="who">
              {table.stage} · {withNames(table.seats.map((seat) => seat.name || seat.kind).join(", "), [])}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Chosen = { kind: "person" | "agent"; agent: string; name: string };

const LEVELS: [name: string, agents: string[]][] = [
  ["Easy", ["simple", "random"]],
  ["Medium", ["rule_based", "greedy", "simple"]],
  ["Hard", ["student", "careful", "search", "look_ahead", "rule_based", "greedy"]],
];

/** The agent of a level: the first of its kind that the game has. Where the easy one is the medium one, random plays. */
export function agentOf(level: number, agents: string[]): string {
  const found = (place: number) => LEVELS[place]![1].find((each) => agents.includes(each)) ?? "random";
  return level === 0 && found(0) === found(1) ? "random" : found(level);
}

/** An agent by its level: "an easy agent". */
export function levelWords(agent: string): string {
  const level = LEVELS.find(([, agents]) => agents.includes(agent))?.[0].toLowerCase();
  return level ? `${level === "easy" ? "an" : "a"} ${level} agent` : agentWords(agent);
}

function NewTable({ games }: { games: Games }) {
  const [id, choose] = useState(
    games.games.find((each) => each.id.startsWith("riverbed_hunt"))?.id ?? games.games[0]?.id,
  );
  const game = games.games.find((each) => each.id === id);
  return (
    <section class="panel" aria-labelledby="new-title">
      <h2 id="new-title" class="hidden">
        Open a table
      </h2>
      <fieldset class="games">
        <legend>What shall we play?</legend>
        {games.games.map((each) => (
          <label key={each.id} class={each.id === id ? "game-card chosen" : "game-card"}>
            <Cover game={each.id} />
            <input type="radio" name="game" value={each.id} checked={each.id === id} onChange={() => choose(each.id)} />
            <span class="game-title">{each.title}</span>
            <span class="game-players">
              {each.min_players === each.max_players ? each.min_players : `${each.min_players} to ${each.max_players}`}{" "}
              {each.max_players === 1 ? "player" : "players"}
            </span>
            <span class="small">{each.about}</span>
          </label>
        ))}
      </fieldset>
      {game && <SetUp key={game.id} game={game} />}
    </section>
  );
}

const PACE = 0.7; // seconds between agents' moves, until somebody at the table sets another

/** Who plays, in words: "You and 4 agents". */
export function company(seats: Pick<Chosen, "kind">[]): string {
  const persons = seats.filter((seat) => seat.kind === "person").length;
  const others = (count: number, one: string, more: string) => count > 0 && `${count} ${count === 1 ? one : more}`;
  const agents = others(seats.length - persons, "agent", "agents");
  return [persons && "You", others(persons - 1, "other person", "other people"), agents].filter(Boolean).join(" and ");
}

/** Who plays how well, and all else that a table is opened with, with the server's key where there is one. */
function SetUp({ game }: { game: GameInfo }) {
  const known = game.agents.map((each) => each.name);
  const agent = agentOf(1, known);
  const [level, rate] = useState<number | null>(1);
  const [players, count] = useState(game.default_players);
  const [seats, seat] = useState<Chosen[]>(() =>
    Array.from({ length: game.max_players }, (_, place) => ({ kind: place ? "agent" : "person", agent, name: "" })),
  );
  const [options, set] = useState<Record<string, Value>>({});
  const [pack, pick] = useState("");
  const [seed, sow] = useState("");
  const [listed, list] = useState(true);
  const [busy, work] = useState(false);
  const [trouble, say] = useState("");
  const open = (listed: boolean) => {
    work(true);
    const wanted: Wanted = {
      game: game.id,
      players,
      options,
      ...(pack ? { pack } : {}),
      seed: seed || null,
      seats: seats.slice(0, players).map(({ kind, agent, name }) => {
        const named = name.trim() ? { name: name.trim() } : {};
        return kind === "agent" ? { kind, agent } : { kind, ...named };
      }),
      pace: PACE,
      listed,
    };
    ask<Opened>("POST", "/api/tables", wanted, takeKeys(LOBBY).key ?? undefined).then(sitDown, (error: Error) => {
      say(error.message);
      work(false);
    });
  };
  const change = (place: number, changed: Partial<Chosen>) => {
    if (changed.agent) rate(null);
    seat(seats.map((each, other) => (other === place ? { ...each, ...changed } : each)));
  };
  const grade = (level: number) => {
    rate(level);
    seat(seats.map((each) => ({ ...each, agent: agentOf(level, known) })));
  };
  const counts = Array.from({ length: game.max_players - game.min_players + 1 }, (_, more) => game.min_players + more);
  return (
    <>
      <div class="start">
        <button type="button" class="button" disabled={busy} onClick={() => open(false)}>
          {busy ? "Opening …" : "Play now"}
        </button>
        <fieldset class="levels">
          <legend class="hidden">How well the others play</legend>
          {LEVELS.map(([name], place) => (
            <label key={name}>
              <input class="hidden" type="radio" name="level" checked={level === place} onChange={() => grade(place)} />
              {name}
            </label>
          ))}
        </fieldset>
        <HowToPlay game={game.id} title={game.title} />
        <span class="small">{company(seats.slice(0, players))}</span>
        <Trouble text={trouble} />
      </div>
      <details class="set-up">
        <summary>Set the table up: other people, agents, options</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            open(listed);
          }}
        >
          {counts.length > 1 && (
            <div class="field">
              <label for="players">Players</label>
              <Select
                id="players"
                value={players}
                options={counts.map((each) => [each, String(each)] as const)}
                change={(each) => count(Number(each))}
              />
            </div>
          )}
          <fieldset class="seating">
            <legend>Who sits where</legend>
            {seats.slice(0, players).map((each, place) => (
              <SeatRow key={place} place={place} seat={each} game={game} change={(changed) => change(place, changed)} />
            ))}
          </fieldset>
          <details>
            <summary>More options</summary>
            {game.packs.length > 1 && (
              <div class="field">
                <label for="pack">Content pack</label>
                <Select
                  id="pack"
                  value={pack}
                  options={game.packs.map(({ name }) => [name, name] as const)}
                  change={pick}
                />
              </div>
            )}
            {game.options.map((option) => (
              <OptionField
                key={option.name}
                option={option}
                value={options[option.name] ?? option.default}
                change={(value) => set({ ...options, [option.name]: value })}
              />
            ))}
            <label class="field">
              Seed
              <input
                inputMode="numeric"
                pattern="[0-9]*"
                placeholder="random"
                value={seed}
                onInput={(event) => sow(event.currentTarget.value)}
              />
            </label>
            <label class="field check">
              <input type="checkbox" checked={listed} onChange={(event) => list(event.currentTarget.checked)} />
              List the table here, for people to watch
            </label>
          </details>
          <button type="submit" class="button" disabled={busy}>
            {busy ? "Opening …" : "Open the table"}
          </button>
        </form>
      </details>
    </>
  );
}

type SeatRowProps = { place: number; seat: Chosen; game: GameInfo; change: (changed: Partial<Chosen>) => void };

function SeatRow({ place, seat, game, change }: SeatRowProps) {
  const about = game.agents.find((each) => each.name === seat.agent)?.about ?? "";
  const known = game.agents.filter((each) => LEVELS.some(([, agents]) => agents.includes(each.name)));
  const sorted = [...known, ...game.agents.filter((each) => !known.includes(each))];
  return (
    <div class="seat-row">
      <span>Player {place}</span>
      <Select
        label={`Who is player ${place}`}
        value={seat.kind === "person" ? "" : seat.agent}
        options={[["", "a person"], ...sorted.map(({ name }) => [name, `agent ${name}`] as const)]}
        change={(agent) => change(agent ? { kind: "agent", agent } : { kind: "person" })}
      />
      {seat.kind === "person" ? (
        <input
          aria-label={`Name of player ${place}`}
          placeholder={place ? "name (optional)" : "your name (optional)"}
          maxLength={24}
          value={seat.name}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
      ) : (
        <span class="small">{about}</span>
      )}
    </div>
  );
}

type OptionProps = { option: GameInfo["options"][number]; value: Value; change: (value: Value) => void };

function OptionField({ option, value, change }: OptionProps) {
  const { name, values, about } = option;
  if (typeof value === "boolean") {
    return (
      <label class="field check">
        <input type="checkbox" checked={value} onChange={(event) => change(event.currentTarget.checked)} />
        {spaced(name)}
        {about && <span class="small">{about}</span>}
      </label>
    );
  }
  const id = `option-${name}`;
  return (
    <div class="field">
      <label for={id}>{spaced(name)}</label>
      {values ? (
        <Select
          id={id}
          value={String(value ?? "")}
          options={values.map((each) => [String(each ?? ""), String(each ?? "not given")] as const)}
          change={(each) => change(each || null)}
        />
      ) : (
        <input
          id={id}
          inputMode={typeof value === "number" ? "decimal" : "text"}
          value={value ?? ""}
          onChange={({ currentTarget: { value: given } }) =>
            change(typeof value === "number" ? Number(given) : given || null)
          }
        />
      )}
      {about && <span class="small">{about}</span>}
    </div>
  );
}
