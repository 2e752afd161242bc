"""The agent that asks a seat's channel, again if an answer can't be taken, and keeps count of what went wrong."""

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.core.keys import without_key
from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.core.transcript import Transcript, actions_of
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import random_legal_action
from riverbed_env.players.agents import Memory, Streams, Vectors, Views

from .answer import Answer, Failure, SeatFailureError, read_answer
from .message import Message, Talk, seat_message, with_problem

LOG = logging.getLogger(__name__)
REPAIR, FORFEIT = ON_FAILURE = ("repair", "forfeit")
MOST_RETRIES, MOST_LANES = 20, 1000
MOST_COUNTED = int(np.iinfo(np.int32).max)  # what a seat's memory holds

# What is counted for each seat of each game, in this order, and what a seat remembers before that.
FIGURES = ("decisions", "forfeited", "repaired", *Failure, "tokens_in", "tokens_out", "micros")
# Events told, the game's number, 1 + the action that a text said with the last one stands for, the first figure.
SEEN, TABLE, MEANT, COUNTED = range(4)

Read = TypeVar("Read")


def check_time_limit(way: str, seconds: float) -> None:
    """Raise OptionError unless an answer may take some time, but not for ever. way: the seat's, like "http"."""
    if not 0 < seconds < float("inf"):
        raise OptionError(f"{way}: time_limit is seconds above 0, not {seconds:g}")


@dataclass
class Usage:
    """What answers have cost.

    Args:
        tokens_in: input tokens.
        tokens_out: output tokens.
        micros: the price, in millionths of the currency of the prices.
    """

    tokens_in: int = 0
    tokens_out: int = 0
    micros: int = 0


class Channel:
    """The transport to a player from outside: a function, a program, a service or a model.

    `lanes` says how many decisions may be asked for at once, by default 1; `pieces` whether messages hold the
    observation as numbers, by default True; `numbered` whether the player is shown choices numbered from 1 and answers
    with a number, not with an id, by default False; `key` is the secret that the other side knows, "" for none. The key
    is cut out of what the seat says at the table.
    """

    lanes = 1
    pieces = True
    numbered = False

    @property
    def key(self) -> str:
        """The secret; see the class."""
        return ""

    def ask(self, message: Message, decision: str = "", usage: Usage | None = None) -> str:
        """Send the message; returns the seat's answer.

        After an answer that can't be taken it is asked again, with `problem`.

        Args:
            message: the question; see `seat_message` and `belief_message`.
            decision: names the decision; it is the same whenever the same game comes to it again. The name follows from
                the game's chance, so it must not reach the player.
            usage: where to count what the answer costs; None: nowhere.

        Returns:
            The answer in the seat's own words, not read yet.

        Raises:
            SeatFailureError: there is no answer.
        """
        raise NotImplementedError


@dataclass
class _Turn:
    """A decision that is being asked for: its row, message and name, and what came of it."""

    row: int
    message: Message
    decision: str
    usage: Usage = field(default_factory=Usage)
    answer: Answer | None = None
    failures: list[Failure] = field(default_factory=list)


@dataclass(eq=False)
class SeatAgent:
    """An agent that plays through a channel.

    An answer that can't be taken is asked for again, with the reason. If none of the answers can be taken, the choice
    is drawn uniformly from the legal actions. Both, and every failed answer by its class, are counted in the seat's
    memory (`FIGURES`).

    Args:
        name: its name in lineups and tables.
        game: the game it plays.
        channel: the way to whoever sits there.
        retries: how often a decision is asked for again, 0 to 20.
        on_failure: "repair" draws this one choice, "forfeit" all that the seat still has in this game.
        about: a description for lists.
        memory_size: how many int32 numbers it remembers per seat and game.
        by_view: True; it needs views and params.
        in_words: True; it gets the content pack and what was said in words.
        figures: the names of the last numbers of its memory.

    Raises:
        OptionError: `retries` or `on_failure` isn't allowed.
    """

    name: str
    game: Game
    channel: Channel
    retries: int = 1
    on_failure: str = REPAIR
    about: str = ""
    memory_size: int = COUNTED + len(FIGURES)
    by_view: bool = True
    in_words: bool = True
    figures: tuple[str, ...] = FIGURES
    _tables: int = 0
    _met: bool = False
    _told: bool = False

    def __post_init__(self) -> None:
        check_whole("retries", self.retries, 0, MOST_RETRIES)
        check_choice("on_failure", self.on_failure, ON_FAILURE)

    def act(
        self,
        observations: Vectors,
        masks: Vectors,
        memory: Memory,
        rng: Streams,
        views: Views | None = None,
        params: npt.NDArray[np.void] | None = None,
        pack: Any = None,
        said: Sequence[Transcript] | None = None,
        texts: list[str] | None = None,
    ) -> npt.NDArray[np.int64]:
        """One legal action for each of n games; see `Agent`.

        A text said with silence that makes a legal claim is that claim (RH-9.9).

        Args:
            observations: (n, D) int8.
            masks: (n, A) int8, 1 for legal actions.
            memory: (n, memory_size) int32, written in place.
            rng: (n,) random streams, which are drawn from only where a choice is drawn.
            views: (n,) view records.
            params: (1,), the games'.
            pack: the content pack.
            said: what was said in words in each game; None where nothing may be said.
            texts: n texts, where what the seats say goes; None to drop it.

        Returns:
            The actions' numbers, (n,) int64.

        Raises:
            OptionError: views or params are missing.
        """
        if views is None or params is None:
            raise OptionError(f"{self.name} plays in words: give act() views, params and pack too")
        actions = np.zeros(len(masks), np.int64)
        turns = []
        for row in range(len(masks)):
            meant = int(memory[row, MEANT]) - 1
            memory[row, MEANT] = 0
            if meant >= 0 and masks[row, meant]:
                actions[row] = meant
            elif memory[row, COUNTED + FIGURES.index("forfeited")]:
                actions[row] = random_legal_action(masks[row], rng[row])
            else:
                if not memory[row, TABLE]:
                    self._tables += 1
                    memory[row, TABLE] = self._tables
                message = seat_message(
                    *(self.game, pack, views[row], params, np.flatnonzero(masks[row]).tolist()),
                    since=int(memory[row, SEEN]),
                    table=int(memory[row, TABLE]),
                    observation=observations[row] if self.channel.pieces else None,
                    talk=None if said is None else Talk.at(self.game, views[row], params[0], said[row]),
                )
                turns.append(_Turn(row, message, hashlib.sha256(rng[row].tobytes()).hexdigest()))
        self._ask(turns)
        for turn in turns:
            row, answer = turn.row, turn.answer
            if answer is None:
                actions[row] = random_legal_action(masks[row], rng[row])
            else:
                actions[row] = answer.choice
                if answer.text:  # of two actions that it stands for the first is taken, the other remembered
                    actions[row], *rest = actions_of(self.game, views[row], answer.choice, answer.text)
                    memory[row, MEANT] = 1 + rest[0] if rest else 0
                if texts is not None:
                    texts[row] = answer.text
            self._count(turn, memory[row])
        return actions

    def choose(self, message: Message, decision: str = "") -> Answer | None:
        """The player's answer, retried after failures as in games.

        Args:
            message: the question, as `seat_message` makes it.
            decision: see `Channel.ask`.

        Returns:
            The answer; None if none can be taken.
        """
        turn = _Turn(0, message, decision)
        self._take(turn)
        return turn.answer

    def ask(
        self,
        message: Message,
        decision: str,
        read: Callable[[str, Message], Read],
        usage: Usage | None = None,
        failures: list[Failure] | None = None,
    ) -> Read | None:
        """The seat's answer as `read` parses it, retried after failures as in games.

        A question that is longer than a model's context isn't asked again.

        Args:
            message: the question.
            decision: see `Channel.ask`.
            read: `read(words, message)` reads an answer, like `read_answer`, or raises SeatFailureError.
            usage: where to count what the answers cost; None: nowhere.
            failures: where to note what was wrong with the answers; None: nowhere.

        Returns:
            What `read` returned; None if every try failed.
        """
        asked = message
        for _ in range(1 + self.retries):
            try:
                return read(self.channel.ask(asked, decision, usage), message)
            except SeatFailureError as failure:
                if failures is not None:
                    failures.append(failure.kind)
                self._tell(failure)
                if failure.kind == Failure.CONTEXT:
                    break  # with the reason the question would be longer still
                asked = with_problem(message, str(failure.kind), without_key(str(failure), self.channel.key))
        return None

    def _tell(self, failure: SeatFailureError) -> None:
        """Say in words what was wrong with the first answer that couldn't be taken; the others are only counted."""
        if not self._told:
            self._told = True
            words = without_key(f"{failure.kind}: {failure}", self.channel.key)
            LOG.warning("%s: an answer can't be taken (%s); further ones are only counted", self.name, words)

    def _ask(self, turns: Sequence[_Turn]) -> None:
        """Ask for all decisions, as many at once as the channel takes. The very first is asked alone.

        The first answer shows what the other side understands, so that what is sent afterwards doesn't depend on
        which of several answers comes first.
        """
        first = 0 if self._met else 1
        for turn in turns[:first]:
            self._take(turn)
            self._met = True
        if self.channel.lanes == 1 or len(turns) < 2:
            for turn in turns[first:]:
                self._take(turn)
        else:
            with ThreadPoolExecutor(self.channel.lanes) as threads:
                list(threads.map(self._take, turns[first:]))  # after an error those not begun are left

    def _take(self, turn: _Turn) -> None:
        """Ask until an answer can be taken; what it says in words holds no key."""
        read = partial(read_answer, numbered=self.channel.numbered)
        answer = self.ask(turn.message, turn.decision, read, turn.usage, turn.failures)
        turn.answer = answer and replace(answer, text=without_key(answer.text, self.channel.key))

    def _count(self, turn: _Turn, memory: Memory) -> None:
        memory[SEEN] = turn.message["event_count"]
        failed = "repaired" if self.on_failure == REPAIR else "forfeited"
        counted = Counter({"decisions": 1, **vars(turn.usage), failed: turn.answer is None})
        counted.update(map(str, turn.failures))
        for name, number in counted.items():
            place = COUNTED + FIGURES.index(name)
            memory[place] = min(MOST_COUNTED, int(memory[place]) + number)
