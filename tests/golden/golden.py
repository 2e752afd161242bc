"""Golden games of Riverbed Hunt: whole games in words, to be read and compared.

After an intended change of the rules or words, write the games again with

    python tests/golden/golden.py

from the project's folder (or, with a folder's name behind it, there); look at the difference before you keep it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.actions import ACTIONS
from riverbed_env.games.riverbed_hunt.rules.vocab import Element, Ending, Question
from riverbed_env.games.riverbed_hunt.words.text import card_name, describe_action, describe_events, describe_state

FOLDER = Path(__file__).parent
FEW = 6  # legal actions that are named; more are counted
WIDTH = 116


@dataclass(frozen=True)
class Golden:
    """A golden game: its player count and seed, and the seat whose view is shown."""

    num_players: int
    seed: int
    seat: int

    @property
    def file(self) -> str:
        """The name of the file it is kept in."""
        return f"riverbed_hunt-{self.num_players}.txt"


GOLDEN = (Golden(4, 8818, 1), Golden(6, 4769, 2), Golden(9, 4269, 3))


class Telling:
    """One game in words, played by its own random players."""

    def __init__(self, golden: Golden) -> None:
        self.golden = golden
        options = {"num_players": golden.num_players, "layout": "random"}
        self.batch = Batch(RIVERBED_HUNT, 1, seed=golden.seed, auto_reset=False, **options)
        self.lines: list[str] = []

    @property
    def game(self) -> np.void:
        """The record as it stands."""
        record: np.void = self.batch.games[0]
        return record

    def tell(self) -> str:
        """The whole game."""
        golden = self.golden
        self.lines = [f"Riverbed Hunt, {golden.num_players} players, seed {golden.seed}, game 0, random play.", ""]
        self._tell_all()
        shown = 0
        while self.batch.acting[0]:
            if int(self.game["table"]["turn"]) >= (1, 4, 8)[min(shown, 2)] and shown < 3:
                self._tell_sight()
                shown += 1
            self._tell_step()
        self._tell_end()
        return "\n".join(line.rstrip() for line in self.lines) + "\n"

    def _tell_step(self) -> None:
        """The question, the answer, and what all saw happen."""
        table = self.game["table"]
        seat, turn, since = int(table["asked"]), int(table["turn"]), int(table["event_count"])
        question = Question(int(table["question"])).name.lower().replace("_", " ")
        legal = [self._short(int(action), seat) for action in np.flatnonzero(self.batch.action_mask)]
        choice = " | ".join(legal) if len(legal) <= FEW else f"{len(legal)} choices"
        decision, tracks = int(table["decisions"]) + 1, self._tracks()
        action = self.batch.random_actions()
        chosen = describe_action(self.batch.pack, self.game, int(action[0]), seat)
        self.batch.step(action)
        self._say(f"{decision:>3} turn {turn:<2} player_{seat} {question}: {chosen} ({choice})", " " * 12)
        events = describe_events(self.batch.pack, self.game, since)
        if self._tracks() != tracks:
            events.append(self._tracks())
        if events and question != "place":  # placing says it all
            self._say("      " + "; ".join(events) + ".", "      ")

    def _short(self, action: int, seat: int) -> str:
        """An action in a word or two."""
        name, argument = ACTIONS.split(action)
        if name == "SEAT":
            return f"player_{(seat + argument) % self.golden.num_players}"
        if name == "CARD":
            return card_name(self.batch.pack, argument)
        if name == "READY":
            return f"ready {('dive', 'swim')[argument]}"
        word = name.lower().replace("_", " ")
        return f"{word} {argument + 1}" if name == "SPACE" else word

    def _say(self, words: str, indent: str) -> None:
        """Add a line, wrapped."""
        self.lines += wrap(words, WIDTH, subsequent_indent=indent, break_on_hyphens=False)

    def _tracks(self) -> str:
        ends = self.batch.params[0]["endpoints"]
        return ", ".join(
            f"{Element(track).name.lower()} {int(self.game['table']['tracks'][track])}/{int(ends[track])}"
            for track in range(3)
        )

    def _tell_all(self) -> None:
        """The deal, which nobody at the table sees."""
        self.lines += ["The deal, as nobody at the table sees it:", *self._state(None), ""]

    def _state(self, viewer: int | None) -> list[str]:
        """The table as a seat knows it, or all of it."""
        batch = self.batch
        return describe_state(batch.pack, batch.games, batch.params, viewer).splitlines()

    def _tell_sight(self) -> None:
        """What one seat knows."""
        seat = self.golden.seat
        self.lines += ["", f"What player_{seat} knows now:", *(f"    {line}" for line in self._state(seat)), ""]

    def _tell_end(self) -> None:
        """How the game ended, and the returns."""
        ending = Ending(int(self.game["table"]["ending"])).name.lower()
        returns = ", ".join(f"player_{seat} {value:+.0f}" for seat, value in enumerate(self.batch.returns[0]))
        self.lines += ["", f"{ending.capitalize()} after {int(self.game['table']['decisions'])} decisions: {returns}."]


def tell(golden: Golden) -> str:
    """A golden game in words."""
    return Telling(golden).tell()


def write(folder: Path = FOLDER) -> None:
    """Write every golden game to its file."""
    for golden in GOLDEN:
        (folder / golden.file).write_text(tell(golden), encoding="utf-8")


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
