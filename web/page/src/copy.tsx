/** A link that can be copied. */

import { useState } from "preact/hooks";

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
          navigator.clipboard?.writeText(link).then(
            () => note(true),
            () => note(false),
          );
        }}
      >
        Copy<span class="hidden"> {label}</span>
      </button>
      <span role="status">{copied ? "copied" : ""}</span>
    </span>
  );
}
