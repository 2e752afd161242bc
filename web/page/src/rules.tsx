/** How each game is played, in pictures. */

import { useEffect, useRef, useState } from "preact/hooks";
import { Signs } from "./art";

type Step = [picture: string, words: string];

const STEPS: Record<string, Step[]> = {
  riverbed_hunt: [
    ["kelp log coin", "Three camps hunt along one river: merchants want kelp, separatists logs, the profiteer coins."],
    ["me ask you", "Only the chief merchant is known. Your own role is your secret; find out who is with you."],
    ["me eye back", "Dive: look at a face-down tile within reach, alone. Swim: move your meeple and draw a card."],
    ["me ask she tile", "Co-op: ask another player, who turns up a tile of their choice. It shows what they want."],
    [
      "card tile",
      "Uncover, once a game: pay a card and turn up a tile yourself. Each turn you may also play one card.",
    ],
    [
      "ask log tile tile",
      "Hunt: once, when asked for a co-op, the separatists’ leader may pay a card and turn up tiles until one has no hunt icon, the trident. Then the chief turns a log of the Hunt back down.",
    ],
    [
      "ask coin tile tile",
      "Con: once, when asked for a co-op, the profiteer may pay a card and turn up two tiles, the second anywhere. Hunt and Con show the role.",
    ],
    ["tile to track", "A tile turned up moves the tracks. The first full track ends the game, and its camp wins."],
  ],
  river_rats: [
    ["ace me you rat", "You play poker together against two River Rats. Nobody sees the others’ cards."],
    ["card card ace", "In your turn draw up to three cards and play one, face-up, into the hand you build together."],
    ["card to cardback", "The card’s suit has an action: more debt, discard, a card for the market, or a swap."],
    ["ace crown", "A card of your own ace’s suit may use your power instead."],
    ["card rat debt", "When your hand is complete it meets the rat’s. Who loses takes the debt at stake."],
    ["debt rat crown", "Five debts defeat a rat. Defeat both to win, before you have five debts of your own."],
  ],
  deep_river: [
    ["salmon bear eel", "One side plays the salmon, the other the eels. A bear walks along the bank."],
    ["token to salmon", "In your turn take one of three tokens. Its large face moves one of your salmon or eels."],
    ["token to token", "Then the token drifts one tile down the river and turns over."],
    ["salmon to nest", "A salmon or eel that comes to a tile uses what the tile does."],
    ["eel salmon", "One that meets a lone rival stands on it, and carries it along."],
    ["nest to bear", "Each one that gets to the rival nest draws the bear there. The bear in their nest wins."],
  ],
  riverside: [
    ["die die green", "All choose at once from the same dice; the ship sails as far as the middle one says."],
    ["die to row", "Take one die, and the green one too if you like: cross so many seats in the boat of its colour."],
    ["fire die", "A die with a flame costs as many fire symbols as it shows."],
    ["row to crown", "A full row has a ticket and bonus seats. A boat’s two gold seats bring its royal power."],
    ["ship village", "With tickets you may visit a village near the ship: it pays points for boats."],
    ["ship crown", "When the ship is at the anchor, most points win. Churches and your lowest boat count too."],
  ],
};

/** A button that opens the game's picture page. */
export function HowToPlay({ game, title }: { game: string; title: string }) {
  const [open, show] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!open) return;
    dialog.current?.showModal();
    dialog.current?.querySelector("h2")?.focus(); // the button would scroll a phone to the end
  }, [open]);
  const steps = STEPS[game.replace(/_v\d+$/, "")];
  if (!steps) return null;
  return (
    <>
      <button type="button" class="quiet" aria-label="How to play" onClick={() => show(true)}>
        <span class="wide">How to play</span>
        <span class="narrow">?</span>
      </button>
      {open && (
        <dialog ref={dialog} class="panel rules" aria-labelledby="rules-title" onClose={() => show(false)}>
          <h2 id="rules-title" tabIndex={-1}>
            {title} in pictures
          </h2>
          <ol>
            {steps.map(([picture, words]) => (
              <li key={words}>
                <Signs names={picture} />
                <p>{words}</p>
              </li>
            ))}
          </ol>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Back to the game
          </button>
        </dialog>
      )}
    </>
  );
}
