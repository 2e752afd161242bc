/** What the one who opened a table can do: links of seats, other players in seats, closing it. */

import { useEffect, useState } from "preact/hooks";
import { Trouble } from "./controls";
import { CopyLink } from "./copy";
import { rememberedSeats, rememberSeats, tableLink } from "./keys";
import { ask, type GameInfo, type Games, type TableFacts } from "./messages";

export function Manage({ table, owner }: { table: TableFacts; owner: string }) {
  const [seats, remember] = useState(() => rememberedSeats(table.id));
  const [game, know] = useState<GameInfo | null>(null);
  const [trouble, say] = useState("");
  useEffect(() => {
    ask<Games>("GET", "/api/games").then(
      (given) => know(given.games.find((each) => each.id === table.game) ?? null),
      (error: Error) => say(error.message),
    );
  }, [table.game]);
  const replace = async (seat: number, agent: string) => {
    const person = table.seats[seat]?.kind === "person";
    if (person && !window.confirm(`Send the person in the seat of player ${seat} away? Their link ends.`)) {
      throw new Error(`Player ${seat} stays.`);
    }
    const wanted = agent ? { kind: "agent", agent } : { kind: "person" };
    const given = await ask<{ seat: string | null }>("POST", `/api/tables/${table.id}/seats/${seat}`, wanted, owner);
    const changed = table.seats.map((_, place) => (place === seat ? given.seat : (seats[place] ?? null)));
    rememberSeats(table.id, changed);
    remember(changed);
  };
  const close = async () => {
    if (window.confirm("Close the table? Its game ends for everybody.")) {
      await ask("DELETE", `/api/tables/${table.id}`, undefined, owner);
    }
  };
  const tried = (doing: Promise<unknown>) => {
    doing.then(
      () => say(""),
      (error: Error) => say(error.message),
    );
  };
  const playing = table.stage === "playing" || table.stage === "preparing";
  return (
    <details class="panel manage">
      <summary>Your table: links and seats</summary>
      <Trouble text={trouble} />
      <ul>
        {table.seats.map(({ seat, kind, agent }) => (
          <li key={seat}>
            <label>
              Player {seat}{" "}
              <select
                value={kind === "agent" ? (agent ?? "") : ""}
                disabled={!playing}
                onChange={(event) => tried(replace(seat, event.currentTarget.value))}
              >
                <option value="">a person</option>
                {agent && !game?.agents.some((each) => each.name === agent) && <option value={agent}>{agent}</option>}
                {game?.agents.map((each) => (
                  <option key={each.name} value={each.name}>
                    {each.name}
                  </option>
                ))}
              </select>
            </label>{" "}
            {seats[seat] && (
              <CopyLink path={tableLink(table.id, { seat: seats[seat] })} label={`the link of player ${seat}`} />
            )}
          </li>
        ))}
      </ul>
      {playing && (
        <button type="button" class="quiet" onClick={() => tried(close())}>
          Close the table
        </button>
      )}
    </details>
  );
}
