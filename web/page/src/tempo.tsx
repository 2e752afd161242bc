/** How fast the agents at a table move: pause, one step, faster, on to the next person's choice. */

import type { TableFacts, Tempo } from "./messages";

const SPEEDS: [number, string][] = [
  [2.5, "Slow"],
  [0.7, "Normal"],
  [0.25, "Fast"],
  [0, "Instant"],
];

const SIGNS = {
  pause: "M5 3v10M11 3v10",
  play: "M4 3l9 5-9 5z",
  step: "M3 3l7 5-7 5zM13 3v10",
  skip: "M2 3l6 5-6 5zM8 3l6 5-6 5z",
};

function Key({
  sign,
  label,
  act,
  pressed,
}: {
  sign: keyof typeof SIGNS;
  label: string;
  act: () => void;
  pressed?: boolean;
}) {
  return (
    <button type="button" class="key" aria-label={label} title={label} aria-pressed={pressed} onClick={act}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SIGNS[sign]} />
      </svg>
    </button>
  );
}

export function TempoKeys({ table, set }: { table: TableFacts; set: (tempo: Tempo) => void }) {
  if (table.stage !== "playing" || !table.seats.some((seat) => seat.kind === "agent")) return null;
  const { paused, pace } = table;
  const nearest = SPEEDS.reduce((best, each) => (Math.abs(each[0] - pace) < Math.abs(best[0] - pace) ? each : best));
  return (
    <div class="tempo" role="group" aria-label="How fast agents move">
      <Key
        sign={paused ? "play" : "pause"}
        label={paused ? "Let agents move" : "Pause the agents"}
        pressed={paused}
        act={() => set({ paused: !paused })}
      />
      {paused && <Key sign="step" label="One move" act={() => set({ step: true })} />}
      <Key sign="skip" label="Skip to the next person’s choice" act={() => set({ skip: true })} />
      <select
        aria-label="Speed of agents"
        value={String(nearest[0])}
        onChange={(event) => set({ pace: Number(event.currentTarget.value) })}
      >
        {SPEEDS.map(([seconds, name]) => (
          <option key={name} value={String(seconds)}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
