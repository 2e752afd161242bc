"""The door to TRL: a class for `GRPOTrainer(environment_factory=…)`, whose one tool takes a choice."""

import json
from typing import Any

from ..llm.prompt import Chat
from .env import CHANGES, SeatEnv

BY_TOOL = "Take a choice by calling the tool act with its number, one call at a time; write no JSON of your own."


class SeatTools:
    """A game whose choices are calls of a tool; without talk.

    A trainer makes one for each rollout: `environment_factory=partial(SeatTools, players=7, reward="worth")`. Columns
    `index` and `role` of its data set choose the game.

    Args:
        settings: those of `SeatEnv`.
    """

    def __init__(self, **settings: Any) -> None:
        self._env = SeatEnv(**{"split": "train", **settings}, history=CHANGES)
        self._total = 0.0

    def reset(self, index: int | None = None, role: str | None = None, **row: Any) -> str:
        """Deal a game; the rules and the first question. row: the other columns, which are ignored."""
        self._total = 0.0
        messages: Chat = self._env.reset(index, role)
        return "\n\n".join([*(each["content"] for each in messages), BY_TOOL])

    def act(self, choice: int) -> str:
        """Take one of the choices that are listed.

        Args:
            choice: The number of the choice.

        Returns:
            What happened since, what changed, and the next choices.
        """
        if self._env.done:
            raise ValueError("the game is over")
        messages, reward, done, _ = self._env.step(json.dumps({"choice": choice}))
        self._total += reward
        return "The game is over." if done else messages[-1]["content"]

    def get_reward(self) -> float:
        """The sum of the game's rewards; a game that isn't over counts as forfeited."""
        return self._total + (0.0 if self._env.done else self._env.forfeit)
