/** What a reader sets for this browser: light or dark, and other small wishes. */

import { useState } from "preact/hooks";

/** A wish kept in this browser; null where there is none, or no storage, as in a frame of a notebook. */
export function kept(name: string): string | null {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string) {
  try {
    window.localStorage.setItem(name, value);
  } catch {
    // it is as before next time
  }
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Put on what was chosen before. */
export function dress() {
  const chosen = kept("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function ThemeSwitch() {
  const [dark, turn] = useState(isDark);
  return (
    <button
      type="button"
      class="quiet icon-button"
      aria-label={dark ? "Light colours" : "Dark colours"}
      title={dark ? "Light colours" : "Dark colours"}
      onClick={() => {
        const theme = dark ? "light" : "dark";
        document.documentElement.dataset.theme = theme;
        keep("theme", theme);
        turn(!dark);
      }}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path
          d={
            dark ? "M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3M8 0v2M8 14v2M0 8h2M14 8h2" : "M11 1a7 7 0 1 0 4 11A7 7 0 0 1 11 1"
          }
        />
      </svg>
    </button>
  );
}
