/** Light or dark, as a reader sets it for this browser. */

import { useState } from "preact/hooks";
import { Key } from "./controls";

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Put on what was chosen before, or this one, and keep it where there is storage; a frame of a notebook has none. */
export function dress(chosen?: string) {
  try {
    if (chosen) window.localStorage.setItem("theme", chosen);
    chosen ??= window.localStorage.getItem("theme") ?? undefined;
  } catch {
    // it is as before next time
  }
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function ThemeSwitch() {
  const [dark, turn] = useState(isDark);
  const change = () => {
    dress(dark ? "light" : "dark");
    turn(!dark);
  };
  return <Key sign={dark ? "sun" : "moon"} label={dark ? "Light colours" : "Dark colours"} act={change} />;
}
