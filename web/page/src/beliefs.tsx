/** What seats could believe of each other's roles at a moment, as bars with numbers. */

import { capital } from "./words";

function Bar({ percent, told }: { percent: number; told: string }) {
  return (
    <td>
      <span class="bar" style={{ "--part": `${percent}%` }}>
        <span class="hidden">{told} </span>
        {percent}
      </span>
    </td>
  );
}

function Table({ title, about, upright, rows, columns, cells }: TableProps) {
  return (
    <section class="panel beliefs" aria-labelledby="beliefs-title">
      <h2 id="beliefs-title">{title}</h2>
      <p class="small">{about}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <div class={upright ? "scroll upright" : "scroll"} tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">player</span>
              </th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {columns.map((column, other) => {
                  const percent = cells[place]?.[other];
                  return percent === undefined || percent < 0 ? (
                    <td key={column}>–</td>
                  ) : (
                    <Bar key={column} percent={percent} told={column} />
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

type TableProps = {
  title: string;
  about: string;
  upright?: boolean;
  rows: string[];
  columns: string[];
  cells: number[][];
};

/** The posterior of one seat: how likely each role of each player is to it. */
export function Beliefs({ beliefs, roles, names }: { beliefs: number[][]; roles: string[]; names: string[] }) {
  return (
    <Table
      title="What this seat could believe"
      about="How likely each role of each player was, in percent, by all that this seat knew then."
      rows={names.map(capital)}
      columns={roles}
      cells={beliefs}
    />
  );
}

type TruthProps = { beliefs: (number[][] | null)[]; truth: number[]; roles: string[]; names: string[] };

/** For each seat, how likely it could hold every other player's true role. */
export function Certainty({ beliefs, truth, roles, names }: TruthProps) {
  return (
    <Table
      title="Who could know whom"
      about="How likely each seat (a row) could hold each player's true role (a column), in percent."
      rows={names.map(capital)}
      upright
      columns={truth.map((role, seat) => `${seat} ${roles[role]}`)}
      cells={truth.map((_, seer) => truth.map((role, seat) => beliefs[seer]?.[seat]?.[role] ?? -1))}
    />
  );
}
