/** What seats could believe of each other's roles at a moment, as bars with numbers. */

import { capital } from "./words";

function Bar({ percent, told, change }: { percent: number; told: string; change: number }) {
  return (
    <td>
      <span class="bar" style={{ "--part": `${percent}%` }}>
        <span class="hidden">{told} </span>
        {percent}
        {change !== 0 && <strong> {change > 0 ? `+${change}` : `−${-change}`}</strong>}
      </span>
    </td>
  );
}

/** Percentages, a row for each player, with what one step changed. */
export function Table({ title, about, upright, rows, columns, cells, before }: TableProps) {
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
                    <Bar
                      key={column}
                      percent={percent}
                      told={column}
                      change={percent - (before?.[place]?.[other] ?? percent)}
                    />
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
  before?: number[][] | null; // the cells one step earlier, to show what changed
};

type BeliefsProps = { beliefs: number[][]; before: number[][] | null; seat: boolean; roles: string[]; names: string[] };

/** The posterior of one seat, or of an onlooker who knows what everybody knows: how likely each role of each player is. */
export function Beliefs({ beliefs, before, seat, roles, names }: BeliefsProps) {
  return (
    <Table
      title={seat ? "What this seat could believe" : "What an onlooker could believe"}
      about={`How likely each role of each player was, in percent, by all that ${seat ? "this seat" : "everybody"} knew then, under a model of how agents play; with + and −, what this step changed.`}
      rows={names.map(capital)}
      columns={roles}
      cells={beliefs}
      before={before}
    />
  );
}

const COLOURS = ["#3b8fd6", "#d9632a", "#2fa26a", "#a468cc", "#d23c77", "#8f9433", "#1b9aa1", "#8a8a8a", "#ad7650"];

type CurveProps = {
  beliefs: (number[][] | null)[]; // at each step
  truth: number[] | null; // without it, the likeliest role counts
  step: number;
  names: string[];
  go?: (step: number) => void;
};

/** How likely each player's true role was over the whole game, by what one viewer knew. */
export function BeliefCurve({ beliefs, truth, step, names, go }: CurveProps) {
  const last = Math.max(1, beliefs.length - 1);
  const sure = (shares: number[] | undefined, seat: number) =>
    shares ? (truth ? (shares[truth[seat]!] ?? 0) : Math.max(...shares)) : 0;
  const path = (seat: number) =>
    beliefs.map((each, at) => (each ? `${at ? "L" : "M"}${at} ${100 - sure(each[seat], seat)}` : "")).join("");
  if (!beliefs[0]) return null;
  return (
    <section class="panel curve" aria-labelledby="curve-title">
      <h2 id="curve-title">{truth ? "How likely the true roles were" : "How sure the likeliest roles were"}</h2>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the slider above does the same by keyboard */}
      <svg
        viewBox={`0 0 ${last} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={names
          .map((name, seat) => `${capital(name)}: ${sure(beliefs[step]?.[seat], seat)} percent at this step`)
          .join("; ")}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          go?.(Math.round(((event.clientX - box.left) / box.width) * last));
        }}
      >
        <line x1="0" x2={last} y1="100" y2="100" />
        <line class="now" x1={step} x2={step} y1="0" y2="100" />
        {names.map((name, seat) => (
          <path key={name} d={path(seat)} style={{ stroke: COLOURS[seat] }} />
        ))}
      </svg>
      <p class="small key-of-curve">
        {names.map((name, seat) => (
          <span key={name}>
            <span class="swatch" style={{ background: COLOURS[seat] }} /> {capital(name)}
          </span>
        ))}
      </p>
    </section>
  );
}
