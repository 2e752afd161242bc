/** How fast the agents at a table move: pause, one step, faster, on to the next person's choice. */

import { Key, Select } from "./controls";
import type { TableFacts, Tempo } from "./messages";

const SPEEDS: [number, string][] = [
  [2.5, "Slow"],
  [0.7, "Normal"],
  [0.25, "Fast"],
  [0, "Instant"],
];

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
      <Key sign="next" label="Skip to the next person’s choice" act={() => set({ skip: true })} />
      <Select
        label="Speed of agents"
        value={nearest[0]}
        options={SPEEDS}
        change={(pace) => set({ pace: Number(pace) })}
      />
    </div>
  );
}
