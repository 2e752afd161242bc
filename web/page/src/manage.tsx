/** The links of a table; and what the one who opened it can do: other players in seats, closing it. */

import { useEffect, useState } from "preact/hooks";
import { CopyLink, Select, Trouble } from "./controls";
import { rememberedSeats, rememberSeats, tableLink } from "./keys";
import { ask, type GameInfo, type Games, type TableFacts } from "./messages";

type ManageProps = { table: TableFacts; owner: string | null; own: string | null; open?: boolean };

export function Manage({ table, owner, own, open }: ManageProps) {
  return (
    <details class="panel manage" open={open}>
      <summary>{owner ? "Your table: links and seats" : "Links"}</summary>
      {open && <p>Send each player their link. A link is a seat: whoever has it plays there and sees what it knows.</p>}
      <p>
        To watch: <CopyLink path={tableLink(table.id, {})} label="the link to watch" />
      </p>
      {own && (
        <p>
          Your seat, on another device:{" "}
          <CopyLink path={tableLink(table.id, { seat: own })} label="the link of your seat" />
        </p>
      )}
      {owner && <Owned table={table} owner={owner} />}
    </details>
  );
}

function Owned({ table, owner }: { table: TableFacts; owner: string }) {
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
    doing.then(() => say("")).catch((error: Error) => say(error.message));
  };
  const seated = table.seats.flatMap((each) => each.agent ?? []);
  const agents = [...new Set([...(game?.agents.map((each) => each.name) ?? []), ...seated])];
  const playing = table.stage === "playing" || table.stage === "preparing";
  return (
    <>
      <Trouble text={trouble} />
      <ul>
        {table.seats.map(({ seat, kind, agent }) => (
          <li key={seat}>
            Player {seat}{" "}
            <Select
              label={`Who is player ${seat}`}
              value={kind === "agent" ? (agent ?? "") : ""}
              disabled={!playing}
              options={[["", "a person"], ...agents.map((each) => [each, each] as const)]}
              change={(chosen) => tried(replace(seat, chosen))}
            />{" "}
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
    </>
  );
}
