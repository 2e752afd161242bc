/** The legal choices in words, each under the rule that allows it. */

import { useEffect, useRef } from "preact/hooks";
import { counts } from "./controls";
import type { Choice } from "./frame";
import { capital, withoutReferences } from "./words";

export type Marks = {
  taken: number | null;
  advised: { action: number; who: string } | null; // what an agent would choose
  action_values: Record<string, number> | null; // how often the seat wins after each choice, in percent
};

/** What helps with each of several choices, so that it is said once; "" if they differ. */
function shared(choices: Choice[]): string {
  const help = choices[0]?.help ?? "";
  return choices.length > 1 && choices.every((choice) => choice.help === help) ? help : "";
}

const PLAIN = /^(end the turn|be silent|stay\b|neither\b|no\b|done\b|finish)/i;

/** The choice that is usual here: the only one, or that which ends or passes. Null if every choice is a real one. */
export function usual(choices: Choice[]): Choice | null {
  if (choices.length === 1) return choices[0]!;
  return choices.find((choice) => !choice.shapes.length && PLAIN.test(choice.text)) ?? null;
}

const FEW = 5;

/** Choices to list, and those better made on the boards, where each has its place: if they are many. A hint is listed. */
export function divided(choices: Choice[], boards: string[], hinted?: number): [listed: Choice[], placed: Choice[]] {
  const placed = choices.filter(({ shapes }) => shapes.some((id) => boards.includes(id.split(".", 1)[0]!)));
  const folded = placed.length > FEW ? placed.filter(({ action }) => action !== hinted) : [];
  return [choices.filter((choice) => !folded.includes(choice)), folded];
}

type ListProps = {
  choices: Choice[];
  names: (text: string) => string;
  choose: ((action: number) => void) | null;
  hot: number[];
  warm: (actions: number[]) => void;
  marks?: Marks;
};

const STEPS: Record<string, (place: number, count: number) => number> = {
  ArrowDown: (place, count) => (place + 1) % count,
  ArrowUp: (place, count) => (place + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Move the focus within the list by arrow keys, Home and End. */
function moveFocus(event: KeyboardEvent) {
  const list = event.currentTarget as HTMLElement;
  const buttons = [...list.querySelectorAll<HTMLButtonElement>("button.choice-button")];
  const place = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const step = STEPS[event.key];
  if (!step || place < 0) return;
  event.preventDefault();
  buttons[step(place, buttons.length)]?.focus();
}

export function ChoiceList({ choices, ...row }: ListProps) {
  const help = shared(choices);
  return (
    <div class="choices" role="group" onKeyDown={moveFocus}>
      {help && <p class="rule">{row.names(help)}</p>}
      <ul class="choices-list">
        {choices.map((choice) => (
          <li key={choice.action}>
            <ChoiceRow choice={help ? { ...choice, help: "" } : choice} {...row} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The rules behind the choices, each once, for those who ask. */
export function Why({ choices, names }: { choices: Choice[]; names: (text: string) => string }) {
  const rules = new Map(choices.map(({ rule, sentence }) => [`${rule} ${sentence}`, { rule, sentence }]));
  const told = [...rules.values()].filter((each) => each.sentence);
  if (!told.length) return null;
  return (
    <details class="why">
      <summary>The rules behind this</summary>
      <ul>
        {told.map(({ rule, sentence }) => (
          <li key={sentence}>
            {rule && <span class="rule-id">{rule}</span>} {names(withoutReferences(sentence))}
          </li>
        ))}
      </ul>
    </details>
  );
}

type RowProps = Omit<ListProps, "choices"> & { choice: Choice; main?: boolean };

/** "Dive: look at a tile" in its two parts. */
function parted(text: string): [string, string] {
  const found = /^(?!Say: )([\w-]+:) (.+)$/.exec(text);
  return found ? [found[1]!, found[2]!] : [text, ""];
}

export function ChoiceRow({ choice, names, choose, hot, warm, marks, main }: RowProps) {
  const { action } = choice;
  const only = /^Face-down within reach: space (\d+)\.$/.exec(choice.help)?.[1];
  const [head, tail] = parted(capital(names(only ? `reveal the tile on space ${only}` : choice.text)));
  const words = (
    <>
      <span class="choice-text">{head}</span>
      {tail && <span class="choice-tail"> {tail}</span>}
      {marks?.taken === action && <span class="mark taken">chosen</span>}
      {marks?.advised?.action === action && <span class="mark advised">{marks.advised.who} would choose this</span>}
      {marks?.action_values?.[action] !== undefined && <span class="mark">wins {marks.action_values[action]} %</span>}
      {choice.help && <span class="choice-help">{names(choice.help)}</span>}
    </>
  );
  const looks = `choice-button${hot.includes(action) ? " hot" : ""}${main ? " main" : ""}`;
  if (!choose) return <div class={looks}>{words}</div>;
  return (
    <button
      type="button"
      class={looks}
      data-action={action}
      onClick={(event) => counts(event, choice.text) && choose(action)}
      onMouseEnter={() => warm([action])}
      onMouseLeave={() => warm([])}
      onFocus={() => warm([action])}
      onBlur={() => warm([])}
    >
      {words}
    </button>
  );
}

type WhichProps = {
  choices: Choice[];
  names: (text: string) => string;
  choose: (action: number) => void;
  close: () => void;
};

/** Asks which of several choices a click on one place of the board means. */
export function WhichOne({ choices, names, choose, close }: WhichProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="panel" onClose={close} aria-labelledby="which-title">
      <h2 id="which-title">Which of these?</h2>
      <ChoiceList choices={choices} names={names} choose={choose} hot={[]} warm={() => undefined} />
      <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
        Cancel
      </button>
    </dialog>
  );
}
