"""Engine and referee in lock-step: the same decisions and the same chance, compared after each of them.

The driver knows no game. An `Adapter` defines the facts to compare and carries decisions and chance over to the
referee; facts are plain values that must be equal.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from referee.chance import NotedChance, Stream
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import compiled
from riverbed_env.kernels.random import STREAM, open_stream
from riverbed_env.players.agents import Agent, answers

PACKS = Path(__file__).parent / "packs"
Facts = dict[str, Any]
Word = tuple[Any, ...]  # an action as a referee calls it

LEGAL = "the legal actions"

PURPOSE = 77  # of an agent's random streams; no game uses it


@dataclass(frozen=True)
class Disagreement:
    """The first fact on which engine and referee differ in a game, and how to reproduce it."""

    game: str
    options: dict[str, Any]
    seed: int
    number: int
    decision: int  # decisions taken before the difference showed
    actions: tuple[str, ...]  # all of them, the last one last
    fact: str
    engine: str
    referee: str


@dataclass
class Outcome:
    """The outcome of a number of games in lock-step."""

    games: int = 0
    decisions: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)  # how often each thing happened, as the engine counts it
    disagreements: list[Disagreement] = field(default_factory=list)


class Adapter(ABC):
    """The games of a batch on both sides: deals referees, passes them decisions and reads the facts.

    Facts are dictionaries by name. The engine gives a column for each: an array or list with an entry per environment.
    A fact may be named as a field of the record, "table.tracks"; "private.hand[seat]" is that of every player. The
    referee then gives it in the engine's codes, and the engine's column needs no word here.
    """

    game: ClassVar[Game]
    moods: ClassVar[int]  # the number of ways to play at random
    agent: ClassVar[Agent | None] = None  # plays instead of random choice, for endings that random play never reaches
    chance: ClassVar[type[NotedChance]] = NotedChance

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.seats = batch.num_players
        self.words = self.vocabulary()
        self.codes = [{word: code for code, word in enumerate(words) if word} for words in self.words]
        self.chances = [self.chance() for _ in range(batch.num_envs)]
        self.answers: list[Counter[str]] = [Counter() for _ in range(batch.num_envs)]  # by their words

    @abstractmethod
    def vocabulary(self) -> Sequence[Sequence[Word]]:
        """By seat, the referee's word for each action; empty if it has none."""

    @abstractmethod
    def weights(self, mood: int) -> np.ndarray[Any, Any]:
        """The weight of each action in this mood, for a random choice among the legal ones."""

    # --- carrying games over --------------------------------------------------------------------------------------

    @abstractmethod
    def referee(self, index: int) -> Any:
        """A referee dealt the same game as the environment."""

    def referee_in(self, index: int) -> Any:
        """A referee in the position of the environment's record, as a test has drawn it."""
        raise NotImplementedError

    def lay(self, referee: Any, index: int) -> None:  # noqa: B027  # most games' tests edit nothing
        """Set the referee's table to the record that a test has edited, and ask the same question again."""

    def note_chance(self) -> None:
        """Set every referee's chance to the current state of the engine's."""
        if self.draws:
            streams = self.batch.games["chance"]
            columns = [streams[name].tolist() for name in ("key", "block", "drawn")]
            for chance, *numbers in zip(self.chances, *columns, strict=True):
                chance.stream = Stream(*numbers)

    def play(self, referee: Any, index: int, action: int) -> None:
        """Let the referee take the decision, with the chance noted for this environment."""
        referee.play(self.words[max(0, self.asked(referee, index))][action])

    # --- what is asked --------------------------------------------------------------------------------------------

    def asked(self, referee: Any, index: int) -> int:
        """The seat that the referee asks, -1 for nobody."""
        return -1 if referee.asked is None else int(referee.asked)

    def legal(self, referee: Any, seat: int) -> Iterable[Word]:
        """The legal actions of the seat that is asked, in the referee's words."""
        legal: Iterable[Word] = referee.legal()
        return legal

    def only_action(self, referee: Any, index: int) -> int:
        """The one legal action of the seat that the referee asks; fails if there are several."""
        asked = self.asked(referee, index)
        (code,) = np.flatnonzero(self.mask(self.legal(referee, asked), asked))
        return int(code)

    def mask(self, legal: Iterable[Word], seat: int) -> list[int]:
        """The engine's mask for a seat's legal actions in the referee's words."""
        mask = [0] * self.game.actions.size
        for word in legal:
            mask[self.codes[seat][word]] = 1
        return mask

    def decisions(self, index: int) -> int:
        """The number of decisions that the engine has taken in the environment."""
        game = self.batch.games[index]
        return int(game["timing" if "timing" in game.dtype.names else "table"]["decisions"])

    # --- the facts, as both sides have them -----------------------------------------------------------------------

    def engine_facts(self) -> Facts:
        """The engine's columns of facts that aren't fields of the record."""
        return {}

    @abstractmethod
    def referee_facts(self, index: int, referee: Any) -> Facts:
        """The referee's values of all facts but those that every game has, for one environment."""

    def of_referee(self, index: int, referee: Any) -> Facts:
        """The referee's values of all facts."""
        asked = self.asked(referee, index)
        drawn = {"chance.drawn": self.chances[index].stream.drawn} if self.draws else {}
        return {
            "the seat asked": asked,
            LEGAL: self.mask(self.legal(referee, asked), asked),
            **self.referee_facts(index, referee),
            "table.ending": 2 if referee.truncated else int(referee.ended),
            "the returns": self.returns(referee),
            **drawn,
        }

    def of_engine(self, names: Iterable[str]) -> Facts:
        """The engine's columns of these facts."""
        own = {"the seat asked": self.batch.seat, LEGAL: self.engine_mask(), "the returns": self.engine_returns()}
        own |= self.engine_facts()
        return {**own, **{name: self.field(name) for name in names if name not in own}}

    def field(self, name: str) -> np.ndarray[Any, Any]:
        """A field of the records; see `Adapter`."""
        path, _, of_seats = name.partition("[")
        column: np.ndarray[Any, Any] = self.batch.games
        for part in path.split("."):
            column = column[part]
        return column[:, : self.seats] if of_seats else column

    @property
    def draws(self) -> bool:
        """Whether the game draws chance after the deal."""
        return "chance" in (self.batch.games.dtype.names or ())

    def engine_slow_facts(self) -> Facts:
        """Columns that are compared when the engine's values change, at random in between, and at the end."""
        return {}

    def referee_slow_facts(self, referee: Any) -> Facts:
        """The referee's values of the same facts."""
        return {}

    def engine_mask(self) -> np.ndarray[Any, Any]:
        """The legal actions of the seats asked; zeros when the game is over."""
        return np.where(self.batch.acting[:, None], self.batch.action_mask, 0)

    def engine_returns(self) -> np.ndarray[Any, Any]:
        """The returns; zeros until the game is over."""
        return np.where(self.batch.acting[:, None], 0, self.batch.returns[:, : self.seats])

    def returns(self, referee: Any) -> list[float]:
        """+1 to each winner and -1 to the others; 0 to all in a game that isn't over or was truncated."""
        if referee.truncated or not referee.ended:
            return [0.0] * self.seats
        return [1.0 if seat in referee.winners else -1.0 for seat in range(self.seats)]

    # --- in words -------------------------------------------------------------------------------------------------

    def describe(self, referee: Any, action: int) -> str:
        """An action in the referee's words."""
        return f"{referee.asked}: " + " ".join(map(str, self.words[referee.asked or 0][action]))

    def tell(self, fact: str, value: Any, referee: Any) -> str:
        """A fact in words; bytes as a list of numbers."""
        if fact == LEGAL:
            return self.in_words(value, getattr(referee, "asked", 0) or 0)
        return str(list(value)) if isinstance(value, bytes) else str(value)

    def in_words(self, mask: Sequence[int], seat: int) -> str:
        """A seat's legal actions in the referee's words."""
        return ", ".join(" ".join(map(str, self.words[seat][action])) for action in np.flatnonzero(mask).tolist())

    @abstractmethod
    def events(self, index: int) -> Mapping[str, int]:
        """How often each kind of event happened in a finished game, by name."""

    @abstractmethod
    def ending(self, referee: Any) -> str:
        """How a game that wasn't truncated ended, in a word."""


def packs_of(game: Game) -> dict[str, Any]:
    """The default pack and the referee's own packs of a game, by name; none if it has no packs."""
    own = {path.stem: path for path in sorted((PACKS / game.name).glob("*.toml"))}
    return {**own, "default": "default"} if game.load_pack else {}


def bits(numbers: Iterable[int]) -> int:
    """Numbers as the engine's bits."""
    return sum(1 << number for number in numbers)


def by_game(columns: Facts, num_envs: int) -> list[Facts]:
    """The facts of each environment from columns."""
    if not columns:
        return [{}] * num_envs
    lists = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    return [dict(zip(columns, values, strict=True)) for values in zip(*lists, strict=True)]


def difference(engine: Facts, referee: Facts) -> str | None:
    """The name of the first fact that differs; None if all are equal."""
    if engine == referee:
        return None
    assert engine.keys() == referee.keys(), engine.keys() ^ referee.keys()
    return next((name for name in engine if engine[name] != referee[name]), None)


class PlayedGame:
    """One game that is played on both sides."""

    def __init__(self, number: int, seed: int, moods: int, referee: Any) -> None:
        self.number = number
        self.random = Random(f"{seed} {number}")
        self.mood = self.random.randrange(moods)
        self.referee = referee
        self.actions: list[str] = []
        self.open = True
        self.compared: Facts | None = None


class Player:
    """An agent in every seat of the games of a batch, with random streams and memories of its own."""

    def __init__(self, agent: Agent, batch: Batch, seed: int, numbers: Sequence[int]) -> None:
        self.agent = agent
        self.batch = batch
        self.memories = np.zeros((batch.num_envs, batch.num_players, agent.memory_size), np.int32)
        self.streams = np.zeros(batch.num_envs, STREAM)
        for index, number in enumerate(numbers):
            open_stream(self.streams[index], seed, number, PURPOSE)

    def choose(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The agent's action in every game that isn't over, 0 in the others."""
        actions, indices = np.zeros(self.batch.num_envs, np.int64), np.flatnonzero(self.batch.acting)
        place = (indices, self.batch.seat[indices])
        memory = np.ascontiguousarray(self.memories[place])
        actions[indices] = answers(self.agent, self.batch, indices, memory, self.streams)
        self.memories[place] = memory
        return actions


class Lockstep:
    """Numbered games with the same options, played on both sides until each is over or a disagreement shows."""

    def __init__(self, adapter: type[Adapter], seed: int, numbers: Sequence[int], **options: Any) -> None:
        self.options = options
        self.batch = Batch(adapter.game, len(numbers), seed=seed, auto_reset=False, auto_forced="none", **options)
        self.batch.deal(numbers)
        self.adapter = adapter(self.batch)
        self.outcome = Outcome(games=len(numbers))
        self.played = [self._open(index, number, seed) for index, number in enumerate(numbers)]
        self.weights = [self.adapter.weights(mood).tolist() for mood in range(adapter.moods)]
        self.player = None if adapter.agent is None else Player(adapter.agent, self.batch, seed, numbers)

    def _open(self, index: int, number: int, seed: int) -> PlayedGame:
        opened = PlayedGame(number, seed, self.adapter.moods, None)
        try:
            opened.referee = self.adapter.referee(index)
        except Exception as error:  # whatever stops the referee is what we want to hear of
            self._disagree(opened, "the deal", "possible", repr(error))
        return opened

    def play(self) -> Outcome:
        """Play every game to its end."""
        self._compare()
        while any(game.open for game in self.played):
            self._step()
            self._compare()
        return self.outcome

    def _step(self) -> None:
        """One decision in every open game, taken on both sides."""
        actions = self._choose()
        self.adapter.note_chance()
        self.batch.step(actions)
        for index, game in enumerate(self.played):
            if not game.open:
                continue
            game.actions.append(self.adapter.describe(game.referee, int(actions[index])))
            self.outcome.decisions += 1
            try:
                self.adapter.play(game.referee, index, int(actions[index]))
            except Exception as error:  # whatever stops the referee is what we want to hear of
                self._disagree(game, game.actions[-1], "legal", repr(error))

    def _choose(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """A random legal action in every game, weighted by its mood, or the agent's action.

        Games with a disagreement are played on, but not compared.
        """
        if self.player is not None:
            return self.player.choose()
        actions = np.zeros(len(self.played), np.int64)
        legal: list[list[int]] = [[] for _ in self.played]
        for index, action in zip(*(axis.tolist() for axis in np.nonzero(self.batch.action_mask)), strict=True):
            legal[index].append(action)
        for index, game in enumerate(self.played):
            weights = self.weights[game.mood]
            chosen = legal[index]
            actions[index] = game.random.choices(chosen, [weights[action] for action in chosen])[0]
        return actions

    def _compare(self) -> None:
        """Compare every open game; close those that are over or differ."""
        referees = {
            index: self.adapter.of_referee(index, game.referee) for index, game in enumerate(self.played) if game.open
        }
        names = next(iter(referees.values()), {}).keys()
        engine = by_game(self.adapter.of_engine(names), self.batch.num_envs)
        slow = by_game(self.adapter.engine_slow_facts(), self.batch.num_envs)
        broken = self._violations()
        acting = self.batch.acting
        for index, facts in referees.items():
            game = self.played[index]
            self._compare_facts(game, engine[index], facts)
            over = not acting[index]
            if game.open and (slow[index] != game.compared or over or game.random.random() < 1 / 16):
                game.compared = slow[index]
                self._compare_facts(game, slow[index], self.adapter.referee_slow_facts(game.referee))
            if game.open and broken[index]:
                self._disagree(game, "soundness", self.batch.game.words.describe_violation(broken[index]), "sound")
            if game.open and over:
                ending = "truncated" if game.referee.truncated else self.adapter.ending(game.referee)
                self.outcome.endings[ending] += 1
                self.outcome.events.update(self.adapter.events(index))
                game.open = False

    def _violations(self) -> list[int]:
        """The code of each record's violated invariant, 0 for a sound one; as plain Python this would take too long."""
        if not compiled():
            return [0] * self.batch.num_envs
        codes: list[int] = self.batch.game.violations(self.batch.games, self.batch.params).tolist()
        return codes

    def _compare_facts(self, game: PlayedGame, engine: Facts, referee: Facts) -> None:
        name = difference(engine, referee)
        if name is not None:
            here, there = (self.adapter.tell(name, facts[name], game.referee) for facts in (engine, referee))
            self._disagree(game, name, here, there)

    def _disagree(self, game: PlayedGame, fact: str, engine: str, referee: str) -> None:
        """Record the first disagreement of a game and stop comparing the game."""
        game.open = False
        self.outcome.disagreements.append(
            Disagreement(
                self.adapter.game.id,
                {name: str(value) for name, value in self.options.items()},
                self.batch.seed,
                game.number,
                len(game.actions),
                tuple(game.actions),
                fact,
                engine,
                referee,
            )
        )


def agreed(outcome: Outcome) -> Outcome:
    """The outcome, if all games were played to their end and no fact differed; else fail."""
    for first in outcome.disagreements:
        pytest.fail(in_words(first), pytrace=False)
    assert sum(outcome.endings.values()) == outcome.games
    return outcome


def in_words(disagreement: Disagreement) -> str:
    """A disagreement in a sentence."""
    return (
        "{game} {options}, seed {seed}, game {number}, after {decision} decisions (… {last}): {fact}: "
        "the engine says {engine}, the referee {referee}"
    ).format(**vars(disagreement), last=", ".join(disagreement.actions[-6:]))
