"""Riverbed Hunt, version 1: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A hidden-role game for 4 to 9 players in three camps; docs/games/riverbed_hunt.md is its card.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import addressing
from riverbed_env.core.transcript import (
    Said,
    Transcript,
    actions_of,
    merged,
    quoted,
    read_transcript,
    rows_of,
    said_now,
)
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT

from .aec import TurnEnv
from .single import GameEnv

__all__ = ["env", "raw_env"]

LAST = 6  # texts below the table


class raw_env(GameEnv, TurnEnv, game=RIVERBED_HUNT):  # noqa: N801  # the name PettingZoo's users call
    """Riverbed Hunt as a turn-based environment.

    Args:
        num_players: 4 to 9.
        pack: Name of a content pack or path to its file.
        layout: A layout's name, None for the first of the player count, "random" for one drawn by the seed.
        roles: "random", one role name or None a seat, or a mapping seat -> role ("chief", "merchant", "leader",
            "separatist", "profiteer"); seats without a name are dealt the rest.
        talk: "none", "claims" or "text", what may be said at the beginning of a turn (RH-9).
        talk_speakers: "table" (every seat) or "active", who may speak.
        talk_budget: 1 to 3 claims a speaker.
        rewards: "win" or "zero_sum".
        max_decisions: The cap in decisions after which a game is truncated, 1 to 10**8.
        options: Those of every environment, see `GameEnv`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """

    @property
    def transcript(self) -> Transcript:
        """RH-9.9: what was said in words so far, oldest first; public, like claims."""
        return self._transcript

    def describe_events(self, since: int = 0, viewer: str | int | None = None) -> list[str]:
        """As `TurnEnv`'s, with what was said in words since then, quoted, at its place among the events.

        Args:
            since: How many events of the game to leave out, 0 or more.
            viewer: An agent's name or seat; it is called "you", and what it alone saw is included. None for what is
                public.

        Returns:
            The latest events and texts, oldest first.

        Raises:
            OptionError: `since` isn't an integer from 0 on, or there is no such viewer.
            EpisodeOverError: Before `reset`.
        """
        events = super().describe_events(since, viewer)
        count = int(self.game.words.count_events(self._games[0]))
        texts = tuple(said for said in self._transcript if said.events >= count - len(events))
        lines = [{"kind": "", "text": event} for event in events]
        return [line["text"] for line in merged(lines, count, texts, 0, addressing(self._viewer(viewer)))[0]]

    def render(self, viewer: str | int | None = None) -> str | npt.NDArray[np.uint8] | None:
        """As `TurnEnv`'s; text ends with the newest words.

        Args:
            viewer: An agent's name or seat; None for all of the table.

        Returns:
            Text ("ansi"), an image, (height, width, 3) uint8 ("rgb_array"), or None ("human").

        Raises:
            OptionError: There is no such viewer.
            EpisodeOverError: Before `reset`.
        """
        picture = super().render(viewer)
        if not isinstance(picture, str) or not self._transcript:
            return picture
        name = addressing(self._viewer(viewer))
        return "\n".join([picture, "Last words:", *(f"  {quoted(said, name)}" for said in self._transcript[-LAST:])])

    def say(self, text: str) -> Said:
        """RH-9.9: let the seat that has the floor say a text, once, before its claim or silence; no rule reads it.

        Args:
            text: 1 to 280 characters; control characters become blanks.

        Returns:
            What the transcript holds: the turn, the seat, how many events there were before, and the text.

        Raises:
            OptionError: Without `talk="text"`, or for another text.
            IllegalActionError: No seat may speak now.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("say")
        said = said_now(self.game, self._games[0], self._params[0], self._transcript, text)
        self._transcript = (*self._transcript, said)
        return said

    def actions_of(self, action: int, text: str) -> list[int]:
        """RH-9.9: the actions that an action of the seat with the floor stands for if it says a text with it.

        Args:
            action: The id of the action.
            text: What is said with it.

        Returns:
            Silence with a text that makes a legal claim is that claim, one or two actions; all else is the action
            alone.

        Raises:
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("actions_of")
        return actions_of(self.game, self._games[0], action, text)

    def _put(self, header: dict[str, Any], games: npt.NDArray[np.void]) -> None:
        transcript = read_transcript(header.get("transcript", []), self.num_players)
        super()._put(header, games)
        self._transcript = tuple(transcript)

    def _deal(self, seed: int, number: int) -> None:
        super()._deal(seed, number)
        self._transcript = ()

    def _beside(self) -> dict[str, Any]:
        return {"transcript": rows_of(self._transcript)} if self._transcript else {}


env = raw_env  # PettingZoo's three customary wrappers are built in
