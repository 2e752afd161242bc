/** The legal choices in words, each under the rule that allows it. */

import { useEffect, useRef } from "preact/hooks";
import type { Choice } from "./frame";
import { capital, withoutReferences } from "./words";

export type Marks = { taken: number | null; advised: { action: number; agent: string } | null };

/** Choices that stand under one rule, in the order of the first of each. */
export function byRule(choices: Choice[]): { rule: string; sentence: string; choices: Choice[] }[] {
  const groups = new Map<string, { rule: string; sentence: string; choices: Choice[] }>();
  for (const choice of choices) {
    const key = `${choice.rule}\n${choice.sentence}`;
    const group = groups.get(key) ?? { rule: choice.rule, sentence: choice.sentence, choices: [] };
    group.choices.push(choice);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What helps with each of several choices, so that it is said once; "" if they differ. */
function shared(choices: Choice[]): string {
  const help = choices[0]?.help ?? "";
  return choices.length > 1 && choices.every((choice) => choice.help === help) ? help : "";
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

export function ChoiceList({ choices, names, choose, hot, warm, marks }: ListProps) {
  return (
    <div class="choices" role="group" onKeyDown={moveFocus}>
      {byRule(choices).map((group) => (
        <div class="rule-group" key={`${group.rule} ${group.sentence}`}>
          {group.sentence && (
            <p class="rule">
              {group.rule && (
                <span class="rule-id" title="where the game's rules page says so">
                  {group.rule}
                </span>
              )}{" "}
              {names(withoutReferences(group.sentence))}
            </p>
          )}
          {shared(group.choices) && <p class="rule">{names(shared(group.choices))}</p>}
          <ul>
            {group.choices.map((choice) => (
              <li key={choice.action}>
                <ChoiceRow
                  choice={shared(group.choices) ? { ...choice, help: "" } : choice}
                  names={names}
                  choose={choose}
                  hot={hot}
                  warm={warm}
                  marks={marks}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

type RowProps = Omit<ListProps, "choices"> & { choice: Choice };

function ChoiceRow({ choice, names, choose, hot, warm, marks }: RowProps) {
  const { action } = choice;
  const text = capital(names(choice.text));
  const words = (
    <>
      <span class="choice-text">{text}</span>
      {marks?.taken === action && <span class="mark taken">chosen</span>}
      {marks?.advised?.action === action && <span class="mark advised">{marks.advised.agent} would choose this</span>}
      {choice.help && <span class="choice-help">{names(choice.help)}</span>}
    </>
  );
  const looks = `choice-button${hot.includes(action) ? " hot" : ""}`;
  if (!choose) return <div class={looks}>{words}</div>;
  return (
    <button
      type="button"
      class={looks}
      data-action={action}
      onClick={(event) => event.detail < 2 && choose(action)} // the second click of two may be on another question
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
    <dialog ref={dialog} onClose={close} aria-labelledby="which-title">
      <h2 id="which-title">Which of these?</h2>
      <ChoiceList choices={choices} names={names} choose={choose} hot={[]} warm={() => undefined} />
      <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
        Cancel
      </button>
    </dialog>
  );
}
