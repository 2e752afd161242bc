"""A game in the terminal: watched between agents, or with a person in a seat.

A game's module of words may have three functions for this: `goal` and `explain` (what a seat wants, and what its cards
do) and `result` (how the game ended).
"""

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from rich.text import Text

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.core.text import addressing
from riverbed_env.core.transcript import actions_of, most_characters, quoted, say
from riverbed_env.envs.rendering import table_text
from riverbed_env.errors import RiverbedError
from riverbed_env.players.agents import Agent, answers
from riverbed_env.seats import Failure

from ..card import summary_of
from .console import PlainConsole

Show = Callable[[str], None]
Ask = Callable[[str], str]
ONLY = np.zeros(1, np.int64)  # the one game of the batch

LEAVE, BOARD, HELP = ("q", "quit", "exit"), ("b", "board"), ("?", "h", "help")
QUOTE = '"'  # before what a person says in words
KEYS = "Keys: ? this help, b the table, q leave."

SEAT_STYLES = ("cyan", "magenta", "green", "yellow", "blue", "red")
STYLES = {
    r"\b[Yy]ou\b|\b[Yy]our\b|\(you\)": "bold",
    r"\[\?+\]|\(hidden\)": "dim",
    r"\b(?:10|[2-9JQKA])[♥♦]": "red",
    r"\bkelp\b": "green",
    r"\blogs?\b": "red",
    r"\bcoins?\b": "yellow",
    **{rf"\bplayer_{seat}\b": SEAT_STYLES[seat % len(SEAT_STYLES)] for seat in range(10)},
}

screen = PlainConsole()


class Leave(Exception):  # noqa: N818  # leaving is no error
    """The person leaves the game."""


class TerminalGame:
    """One game between agents, shown as the seat `viewer` sees it (None: everything)."""

    def __init__(self, game: Game, agents: dict[int, Agent], batch: Batch, viewer: int | None, show: Show) -> None:
        self.game = game
        self.agents = agents
        self.batch = batch
        self.viewer = viewer
        self.show = show
        self.actions: list[int] = []  # all so far
        self._memories = {seat: np.zeros((1, agent.memory_size), np.int32) for seat, agent in agents.items()}
        self._events = self._texts = 0  # printed so far
        self._text = ""  # what a person has said in words for their next choice
        self._board = ""  # as shown last

    def faults(self) -> Iterator[str]:
        """What went wrong with answers from outside, a line for each seat in which something did."""
        for seat, agent in self.agents.items():
            names: Sequence[str] = getattr(agent, "figures", ())
            told = dict(zip(names, self._memories[seat][0, -len(names) :].tolist(), strict=True)) if names else {}
            kinds = [f"{told[kind]} {kind}" for kind in Failure if told.get(kind)]
            drawn = told.get("repaired", 0) + told.get("forfeited", 0)
            if kinds or drawn:
                yield (
                    f"player_{seat}: {drawn} of {told['decisions']} choices were drawn at random, since answers of "
                    f"{agent.name} couldn't be taken ({', '.join(kinds)})"
                )

    # --- what is shown ---

    def board(self) -> str:
        """The table as the viewer sees it, without the events, which are printed as they happen."""
        words = table_text(self.game, self.batch.pack, self.batch.games, self.batch.params, self.viewer)
        return words.partition("\nLast events:")[0]

    def show_board(self) -> None:
        """Show the table, unless nothing but the turn changed since it was shown last."""
        board = self.board()
        content = board.partition(". ")[2] or board  # the first sentence of several says who has to choose
        if content != self._board:
            self.show(f"\n{board}")
        self._board = content

    def show_events(self) -> None:
        """Print what was said in words and the public events since the last time."""
        transcript = self.batch.notes()
        for said in transcript[self._texts :]:
            self.show(f"  {quoted(said, addressing(self.viewer))}")
        self._texts = len(transcript)
        lines = self.game.words.describe_events(self.batch.pack, self.batch.games[0], self._events, viewer=self.viewer)
        self._events += len(lines)
        for line in lines:
            self.show(f"  {line}")

    def goal(self, seat: int) -> str:
        """The goal of a seat, or what the game is about if its words have no `goal`."""
        if hasattr(self.game.words, "goal"):
            return str(self.game.words.goal(self.batch.pack, self.batch.games, self.batch.params, seat))
        return summary_of(self.game)

    def help_for(self, seat: int) -> Iterator[str]:
        """The goal, the cards, and the keys."""
        words, batch = self.game.words, self.batch
        yield self.goal(seat)
        if hasattr(words, "explain"):
            yield from words.explain(batch.pack, batch.games, batch.params, seat)
        yield KEYS

    def result(self) -> str:
        """How the game ended, for the viewer."""
        if hasattr(self.game.words, "result"):
            result = self.game.words.result
            return f"{result(self.batch.pack, self.batch.games, self.batch.params, self.viewer)}."
        won = self.game.returns(self.batch.games, self.batch.num_players)[0] > 0
        if self.viewer is not None:
            return f"You {'won' if won[self.viewer] else 'lost'}."
        return f"Winners: {', '.join(f'player_{seat}' for seat in np.flatnonzero(won)) or 'nobody'}."

    # --- playing ---

    def choose(self, seat: int) -> int:
        """The action of the agent in a seat."""
        streams = self.batch.agent_streams()
        actions = answers(self.agents[seat], self.batch, ONLY, self._memories[seat], streams)
        self.batch.put_agent_streams(streams)
        return int(actions[0])

    def _step(self, action: int) -> None:
        """Take an action, or the claim that the text said with it makes (RH-9.9)."""
        meant = actions_of(self.game, self.batch.games[0], action, self._text) if self._text else [action]
        self._text = ""
        for each in meant:
            self.batch.step([each])
            self.actions.append(each)

    def play(self, person: int, ask: Ask = input) -> None:
        """Play to the end; `ask` gets a person's choices in their seat. Raises Leave if they leave."""
        others = dict.fromkeys(agent.name for seat, agent in self.agents.items() if seat != person)
        against = f" The other seats are played by {', '.join(others)}." if others else ""
        self.show(f"You are player_{person}.{against} ? explains the game.\n{self.goal(person)}")
        while self.batch.acting[0]:
            seat = int(self.batch.seat[0])
            self._step(self.ask_person(seat, ask) if seat == person else self.choose(seat))
            self.show_events()
        self._end()

    def watch(self, pause: float = 0.0, *, by_hand: bool = False, ask: Ask = input) -> None:
        """Play to the end between agents.

        pause: seconds between turns; by_hand: wait for Enter between turns. Raises Leave if the person leaves.
        """
        self.show(f"Every seat is played by {', '.join(dict.fromkeys(agent.name for agent in self.agents.values()))}.")
        self.show_board()
        while self.batch.acting[0]:
            turn = self._turn()
            while self.batch.acting[0] and self._turn() == turn:
                self._step(self.choose(int(self.batch.seat[0])))
                self.show_events()
            if self.batch.acting[0]:
                self.show_board()
                self._wait(pause, by_hand, ask)
        self._end()

    def _turn(self) -> tuple[int, ...]:
        """What stays the same during a turn: the seat that decides, and the counters of rounds and turns."""
        table = self.batch.games[0]["table"]
        counters = [int(table[name]) for name in ("round", "turn") if name in (table.dtype.names or ())]
        return int(self.batch.seat[0]), *counters

    def _wait(self, pause: float, by_hand: bool, ask: Ask) -> None:
        if by_hand and ask("Enter for the next turn, q to leave: ").strip().lower() in LEAVE:
            raise Leave
        if pause:
            time.sleep(pause)

    def _end(self) -> None:
        """Show the whole table, hidden things too, and how the game ended."""
        result = self.result()
        self.viewer, self._board = None, ""
        self.show_board()
        self.show(f"\n{result}")

    def ask_person(self, seat: int, ask: Ask) -> int:
        """Show the table if it changed, list the legal actions and take one."""
        legal = np.flatnonzero(self.batch.action_mask[0])
        describe = self.game.words.describe_action
        words = [describe(self.batch.pack, self.batch.games[0], int(action), seat) for action in legal]
        choices = {str(number): each for number, each in enumerate(zip(legal, words, strict=True), 1)}
        self.show_board()
        for label, (_, line) in choices.items():
            self.show(f"  {label:>2}  {line}")
        record, params = self.batch.games[0], self.batch.params[0]
        if most := most_characters(self.game, record, params, self.batch.notes()):
            self.show(f"   {QUOTE}  before you choose, say up to {most} characters in words, like {QUOTE}I saw a log")
        while True:
            typed = ask("Your choice: ").strip()
            answer = typed.lower()
            if answer in LEAVE:
                raise Leave
            if answer in HELP:
                self.show("\n".join(self.help_for(seat)))
            elif answer in BOARD:
                self.show(self.board())
            elif answer.startswith(QUOTE):
                self._say(typed.strip(QUOTE))
            elif answer in choices:
                return int(choices[answer][0])
            else:
                self.show(f"  {answer!r} is none of {', '.join(choices)}. {KEYS}")

    def _say(self, text: str) -> None:
        """Say a text for the person, or show why it can't be said."""
        try:
            self._text = say(self.batch, text).text
        except RiverbedError as error:
            self.show(f"  {error}")
        else:
            self.show_events()


def show(text: str) -> None:
    """Write to the terminal, in colour and folded between words; to files and pipes as it is."""
    shown = Text(text)
    for pattern, style in STYLES.items():
        shown.highlight_regex(pattern, style)
    screen.print(shown, soft_wrap=not screen.is_terminal)
