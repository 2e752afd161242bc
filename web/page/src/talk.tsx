/** What a person says: a claim as one sentence, silence until their turn, and own words. */

import { useEffect, useState } from "preact/hooks";
import { Select } from "./controls";
import type { Frame } from "./frame";
import { capital } from "./words";

const SAY = "say: ";
const GAP = /(player|space) …/;
const SPACES = 16;

/** What could stand in the gap of "player … is with the merchants": texts as the library writes them. */
export function objects(text: string, players: number, seat: number | null): string[] {
  const gap = GAP.exec(text)?.[1];
  if (gap === "player")
    return Array.from({ length: players }, (_, at) => `player_${at}`).filter((_, at) => at !== seat);
  return gap ? Array.from({ length: SPACES }, (_, at) => `space ${at + 1}`) : [];
}

export function filled(text: string, object: string): string {
  return object ? text.replace(GAP, object) : text;
}

const KINDS: [RegExp, string][] = [
  [/ is with /, "Somebody’s camp"],
  [/ I am /, "My role"],
  [/ bears /, "A face-down tile"],
  [/ I turn up /, "My promise"],
  [/ I (believe|doubt) /, "Whom I believe"],
  [/./, "What to do"],
];

function kindOf(text: string): string {
  return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? "";
}

type ClaimProps = {
  frame: Frame;
  say: (text: string) => string;
  choose: (action: number) => void;
  then: (text: string) => void; // the text of the next choice to take, which completes the sentence
};

/** One sentence to say: its form, and whom or what it is about. */
export function Claim({ frame, say, choose, then }: ClaimProps) {
  const forms = frame.choices.filter((choice) => choice.text.startsWith(SAY));
  const [action, form] = useState(forms[0]?.action ?? 0);
  const [object, about] = useState("");
  const chosen = forms.find((each) => each.action === action) ?? forms[0];
  const offered = chosen ? objects(chosen.text, frame.players, frame.seat) : [];
  const named = offered.includes(object) ? object : (offered[0] ?? "");
  if (!chosen) return null;
  return (
    <form
      class="claim"
      onSubmit={(event) => {
        event.preventDefault();
        if (named) then(filled(chosen.text, named));
        choose(chosen.action);
      }}
    >
      <strong>I say:</strong>
      <select
        aria-label="What you claim"
        value={String(chosen.action)}
        onChange={(event) => form(Number(event.currentTarget.value))}
      >
        {[...new Set(forms.map((each) => kindOf(each.text)))].map((kind) => (
          <optgroup key={kind} label={kind}>
            {forms
              .filter((each) => kindOf(each.text) === kind)
              .map((each) => (
                <option key={each.action} value={String(each.action)}>
                  {capital(say(each.text.slice(SAY.length)))}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      {offered.length > 0 && (
        <Select
          label="Whom or what it is about"
          value={named}
          options={offered.map((each) => [each, capital(say(each))] as const)}
          change={about}
        />
      )}
      <button type="submit" class="quiet">
        Say it
      </button>
    </form>
  );
}

/** Keeps silent for a person, and completes a sentence that was begun, when its frame comes. */
export function useSpokesman(frame: Frame, choose: ((action: number) => void) | null) {
  const [quiet, hush] = useState(false);
  const [next, then] = useState("");
  const floor = frame.choices.some((choice) => choice.text.startsWith(SAY) && !choice.shapes.length);
  useEffect(() => {
    if (!choose || !frame.choices.length) return;
    const wanted = next ? frame.choices.find((choice) => choice.text === next) : undefined;
    const silent = quiet && floor ? frame.choices.find((choice) => choice.text === "be silent") : undefined;
    const taken = wanted ?? silent;
    if (!floor || !next) then("");
    if (quiet && !floor && !next) hush(false);
    if (taken) choose(taken.action);
  }, [frame, choose === null]);
  return { floor, quiet, hush, then };
}

type OwnWordsProps = {
  may: { most_characters: number; alone: number };
  text: string;
  write: (text: string) => void;
  choose: (action: number) => void;
};

/** Where a person writes what to say with the next choice, or instead of a claim. */
export function OwnWords({ may, text, write, choose }: OwnWordsProps) {
  return (
    <section class="own-words" aria-labelledby="own-words-title">
      <h2 id="own-words-title">In your own words</h2>
      <form
        class="say-alone"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) choose(may.alone);
        }}
      >
        <input
          type="text"
          aria-label={`What you say, at most ${may.most_characters} characters`}
          maxLength={may.most_characters}
          autoComplete="off"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <button type="submit" class="quiet" disabled={!text.trim()}>
          Say this alone
        </button>
      </form>
      <p class="small">Everybody reads it. It goes with the choice that you make, or alone.</p>
    </section>
  );
}
