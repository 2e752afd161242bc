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

type BeliefsProps = { beliefs: number[][]; seat: boolean; roles: string[]; names: string[] };

/** The posterior of one seat, or of an onlooker who knows what everybody knows: how likely each role of each player is. */
export function Beliefs({ beliefs, seat, roles, names }: BeliefsProps) {
  return (
    <Table
      title={seat ? "What this seat could believe" : "What an onlooker could believe"}
      about={`How likely each role of each player was, in percent, by all that ${seat ? "this seat" : "everybody"} knew then, under a model of how agents play.`}
      rows={names.map(capital)}
      columns={roles}
      cells={beliefs}
    />
  );
}

type TruthProps = {
  beliefs: (number[][] | null)[]; // of each seat, then of an onlooker
  truth: number[];
  roles: string[];
  names: string[];
};

/** For each seat and an onlooker, how likely it could hold every player's true role. */
export function Certainty({ beliefs, truth, roles, names }: TruthProps) {
  return (
    <Table
      title="Who could know whom"
      about="How sure each row could be of the true role of each column, in percent, under a model of how agents play."
      rows={[...names, "onlooker"].map(capital)}
      upright
      columns={truth.map((role, seat) => `${seat} ${roles[role]}`)}
      cells={beliefs.map((_, seer) => truth.map((role, seat) => beliefs[seer]?.[seat]?.[role] ?? -1))}
    />
  );
}
