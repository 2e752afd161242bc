"""What a process for agents does: prepare a game or an agent, and let an agent think."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.transcript import Transcript
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.kernels.compile import Records
from riverbed_env.players.agents import Agent, checked_answer
from riverbed_env.players.installed import usual_agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from .messages import PUBLIC, TRUTH, see
from .play import Play
from .replay import replay_page
from .values import action_values, believed


@dataclass(frozen=True)
class Facts:
    """What a table needs to know of an agent: numbers it remembers, whether it plays by views, and whether in words.

    One that plays in words is somebody from outside: it is asked when it has to choose, and never to try it out.
    """

    memory_size: int
    by_view: bool
    in_words: bool = False


@dataclass(frozen=True)
class Question:
    """A decision of an agent's seat.

    observation (1, D) and mask (1, A) int8; memory (1, memory_size) int32; streams (1,); view (1,) and params (1,) for
    agents that play by views; pack: the content pack, and said: the game's transcript, for those that play in words.
    """

    game: str
    agent: str
    observation: npt.NDArray[np.int8]
    mask: npt.NDArray[np.int8]
    memory: npt.NDArray[np.int32]
    streams: Records
    view: Records | None = None
    params: Records | None = None
    pack: Any = None
    said: Transcript = ()


@dataclass(frozen=True)
class Answer:
    """The agent's action, what it remembers from now on, and what it says in words, "" for nothing."""

    action: int
    memory: npt.NDArray[np.int32]
    text: str = ""


def question(play: Play, agent: str, facts: Facts, memory: npt.NDArray[np.int32], seat: int | None = None) -> Question:
    """What a seat that may answer has to decide, for an agent. seat: by default the one that is asked now."""
    seat = play.asked if seat is None else seat
    batch = play.ahead(seat)
    view, params = (batch.look(seat), batch.params) if facts.by_view else (None, None)
    rows = batch.observe(seat)[0], play.mask(seat)[None]
    words = {"pack": batch.pack, "said": batch.notes()} if facts.in_words else {}
    return Question(play.game.id, agent, *rows, memory, play.streams(), view, params, **words)


def rehearse(game: str, options: dict[str, Any]) -> None:
    """Play a game to its end as a server does, so that everything it calls is compiled and loaded."""
    play = Play(find_game(game), 0, options)
    chance = np.random.default_rng(0)
    for viewer in (*range(play.players), PUBLIC):
        see(play.position, viewer)
    while not play.over:
        seats = [seat for seat in range(play.players) if play.may_answer(seat)]
        play.answer(seats[-1], int(chance.choice(np.flatnonzero(play.mask(seats[-1])))))
    for viewer in (*range(play.players), PUBLIC, TRUTH):
        see(play.position, viewer)


@lru_cache(maxsize=64)  # of any spec: whoever opens a table sets parameters
def known_agent(spec: str, game: str) -> tuple[Agent, Facts]:
    """An agent, loaded once."""
    agent = find_agent(spec, game)
    return agent, Facts(agent.memory_size, *(bool(getattr(agent, kind, False)) for kind in ("by_view", "in_words")))


def meet(spec: str, game: str, options: dict[str, Any]) -> None:
    """Let an agent choose once, so that it is compiled."""
    _, facts = known_agent(spec, game)
    if not facts.in_words:
        play = Play(find_game(game), 0, options)
        think(question(play, spec, facts, np.zeros((1, facts.memory_size), np.int32)))


def make_replay(record: RecordedGame, values: bool) -> str:
    """The page of a finished game, with what the game's usual agent would have chosen, and what choices were worth."""
    advisor, _ = known_agent(usual_agent(record.environment), record.environment)
    return replay_page(record, advisor=advisor, values=values)


@dataclass(frozen=True)
class Position:
    """A position as it is assessed: by what a watcher knew in the game so far, and by the view of who has to choose.

    views: a watcher's after each choice, None where nothing can be believed; chooser: (1,); legal: what that seat can
    choose; params: (1,).
    """

    game: str
    options: dict[str, Any]
    params: Records
    views: Records | None
    chooser: Records
    legal: list[int]


def assess(at: Position) -> dict[str, Any]:
    """What a watcher could believe of the roles so far, and what the choices are worth to the seat that has them."""
    game = find_game(at.game)
    values = action_values(game, at.options, at.chooser, at.params, at.legal)
    return {"beliefs": believed(game, at.views, at.params), "action_values": values}


def think(asked: Question) -> Answer:
    """Ask the agent. Raises OptionError if its answer is no action, ValueError if it isn't legal."""
    agent, _ = known_agent(asked.agent, asked.game)
    memory = asked.memory.copy()
    extra: dict[str, Any] = {} if asked.view is None else {"views": asked.view, "params": asked.params}
    texts = [""]
    if asked.pack is not None:
        extra |= {"pack": asked.pack, "said": [asked.said], "texts": texts}
    given = agent.act(asked.observation, asked.mask, memory, asked.streams, **extra)
    action = int(checked_answer(agent, given, 1)[0])
    if not 0 <= action < asked.mask.shape[1] or not asked.mask[0, action]:
        raise ValueError(f"agent {asked.agent!r} took action {action}, which isn't legal")
    return Answer(action, memory, texts[0])
