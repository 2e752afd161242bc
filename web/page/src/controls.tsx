/** Small controls that several pages use. */

import { useState } from "preact/hooks";
import { capital } from "./words";

/** Whether a click counts. The second of two may be on another question; crosses are made by many clicks. */
export function counts(event: MouseEvent, text: string): boolean {
  return event.detail < 2 || /^cross /.test(text);
}

/** What went wrong, said at once; nothing if nothing did. */
export function Trouble({ text }: { text: string }) {
  if (!text) return null;
  return (
    <p class="notice bad" role="alert">
      {capital(text)}
    </p>
  );
}

type SelectProps = {
  id?: string;
  label?: string; // where no label element names it
  value: string | number;
  options: (readonly [value: string | number, text: string])[];
  disabled?: boolean;
  change: (value: string) => void;
};

export function Select({ id, label, value, options, disabled, change }: SelectProps) {
  return (
    <select
      id={id}
      aria-label={label}
      value={String(value)}
      disabled={disabled}
      onChange={(event) => change(event.currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={String(each)}>
          {text}
        </option>
      ))}
    </select>
  );
}

const SIGNS = {
  previous: "M8 3 3 8l5 5zM13 3 8 8l5 5z",
  back: "M10 3 5 8l5 5z",
  play: "M4 3l9 5-9 5z",
  pause: "M5 3v10M11 3v10",
  on: "M6 3l5 5-5 5z",
  step: "M3 3l7 5-7 5zM13 3v10",
  next: "M3 3l5 5-5 5zM8 3l5 5-5 5z",
  link: "M6 10l4-4M4 8a3 3 0 1 0 4 4M8 4a3 3 0 1 1 4 4",
  eye: "M1 8q7-9 14 0-7 9-14 0M8 6a2 2 0 1 0 .1 0",
  hidden: "M1 8q7-9 14 0-7 9-14 0M2 14 14 2",
  sun: "M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3M8 0v2M8 14v2M0 8h2M14 8h2",
  moon: "M11 1a7 7 0 1 0 4 11A7 7 0 0 1 11 1",
};

type KeyProps = { sign: keyof typeof SIGNS; label: string; act: () => void; pressed?: boolean };

/** A button with a sign on it. */
export function Key({ sign, label, act, pressed }: KeyProps) {
  return (
    <button type="button" class="key" aria-label={label} title={label} aria-pressed={pressed} onClick={act}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SIGNS[sign]} />
      </svg>
    </button>
  );
}

/** A link that can be copied. */
export function CopyLink({ path, label }: { path: string; label: string }) {
  const [copied, note] = useState(false);
  const link = new URL(path, window.location.href).href;
  return (
    <span class="copy">
      <input readOnly value={link} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <button
        type="button"
        class="quiet"
        onClick={() => {
          const done = navigator.clipboard?.writeText(link);
          done?.then(() => note(true)).catch(() => note(false));
        }}
      >
        Copy<span class="hidden"> {label}</span>
      </button>
      <span role="status">{copied ? "copied" : ""}</span>
    </span>
  );
}
