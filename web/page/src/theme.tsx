/** What a reader sets for this browser: light or dark, and other small wishes. */

import { useState } from "preact/hooks";
import { Key } from "./controls";

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
  const change = () => {
    const theme = dark ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    keep("theme", theme);
    turn(!dark);
  };
  return <Key sign={dark ? "sun" : "moon"} label={dark ? "Light colours" : "Dark colours"} act={change} />;
}
