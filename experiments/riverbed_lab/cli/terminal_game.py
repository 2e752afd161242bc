"""A game in the terminal: watched between agents, or with a person in a seat."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.envs.ansi import draw
from riverbed_env.players.agents import Agent, answers

Show = Callable[[str], None]
Ask = Callable[[str], str]
ONLY = np.zeros(1, np.int64)  # the one game of the batch


class Quit(Exception):  # noqa: N818  # leaving is no error
    """The person wants to leave."""


class TerminalGame:
    """One game between agents, told step by step as `viewer` sees it (None: everything)."""

    def __init__(
        self, game: Game, agents: dict[int, Agent], batch: Batch, viewer: int | None, show: Show, pause: float = 0.0
    ) -> None:
        self.game = game
        self.agents = agents
        self.batch = batch
        self.viewer = viewer
        self.show = show
        self.pause = pause
        self.memories = {seat: np.zeros((1, agent.memory_size), np.int32) for seat, agent in agents.items()}
        self.told = 0

    def picture(self) -> str:
        """The table as the viewer sees it."""
        return draw(self.game, self.batch.pack, self.batch.games, self.batch.params, self.viewer)

    def tell_news(self) -> None:
        """Say the public events that happened since the last time."""
        words = self.game.words.describe_events(self.batch.pack, self.batch.games[0], self.told)
        self.told += len(words)
        for line in words:
            self.show(f"  {line}")

    def choose(self, seat: int) -> int:
        """The action of the agent in a seat."""
        streams = self.batch.agent_streams()
        actions = answers(self.agents[seat], self.batch, ONLY, self.memories[seat], streams)
        self.batch.put_agent_streams(streams)
        return int(actions[0])

    def play(self, person: int | None = None, ask: Ask = input) -> None:
        """Play to the end; a person in a seat is asked by `ask`. Raises Quit when they leave."""
        self.show(self.picture())
        while self.batch.acting[0]:
            seat = int(self.batch.seat[0])
            action = self.ask_person(seat, ask) if seat == person else self.choose(seat)
            self.batch.step([action])
            self.tell_news()
            if self.pause:
                time.sleep(self.pause)
        self.viewer = None
        self.show(self.picture())

    def ask_person(self, seat: int, ask: Ask) -> int:
        """Show the table, list the legal actions in words and take a number."""
        legal = np.flatnonzero(self.batch.action_mask[0])
        words = [
            self.game.words.describe_action(self.batch.pack, self.batch.games[0], int(action), seat) for action in legal
        ]
        self.show(self.picture())
        for number, line in enumerate(words, 1):
            self.show(f"  {number:>2}  {line}")
        while True:
            answer = ask(f"player_{seat}, your choice (1 to {len(legal)}, q to leave): ").strip().lower()
            if answer in ("q", "quit", "exit"):
                raise Quit
            if answer.isdigit() and 1 <= int(answer) <= len(legal):
                return int(legal[int(answer) - 1])
            self.show(f"  {answer!r} isn't a number from 1 to {len(legal)}")


def to_screen(text: str) -> None:
    """Write a line to the terminal at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
