"""Judging recorded games in a folder: settings hashed before a game is read, games block by block, then the rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env import kernels
from riverbed_env.core.files import read_arrays, read_json, write_arrays, write_json
from riverbed_env.core.game import Game
from riverbed_env.core.schema import NOTHING_ELSE, Count, of_kind
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent, CompiledAgent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.version import __version__

from .. import judging
from ..evaluation.folder import sources_of
from ..evaluation.inference_file import to_plain
from ..evaluation.results import InferenceRow
from ..files import code_version, digest, writable_folder
from .choices import Choices
from .deception import ClaimRow
from .judge import PARTS, Judge, Judged
from .outcomes import winners_of
from .results import Block, JudgedRow, joined, rows_of
from .sources import Found, Seats, check_seated

KIND = "riverbed judgement"  # of the result's file
SETTINGS, BLOCKS, RESULT = "settings.json", "blocks", "judged.json"
BLOCK = 50  # games judged and written at a time
DIGITS = 16  # of hashes


@dataclass(frozen=True)
class Settings:
    """All that decides what the judge says of given games.

    reference: whom choices are compared with; agents: who is judged, everybody else if empty; known: agents whose seats
    play by their policy, None for those that the games' source vouches for; most: games of each source, 0 for all;
    worlds, moves, seed: the judge's; code: hash of the judge, the rules and the reference.
    """

    __pydantic_config__ = NOTHING_ELSE

    game: str
    reference: str
    agents: tuple[str, ...]
    known: tuple[str, ...] | None
    most: Count
    worlds: Count
    moves: Count
    seed: Count
    code: str

    @property
    def hash(self) -> str:
        """The hash that is stated before the games are read."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:DIGITS]


def code_of(game: Game, reference: Agent) -> str:
    """A hash of everything that decides a judgement besides settings and games: judge, rules, reference."""
    folders = (*game.folders, Path(kernels.__file__).parent, Path(judging.__file__).parent)
    return digest(
        dict.fromkeys([path for folder in folders for path in sorted(folder.rglob("*.py"))] + sources_of(reference))
    )


class Judging:
    """A folder in which games are judged. Raises OptionError if it holds another judgement's settings."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder, self.settings = writable_folder(folder), settings
        self.reference = find_agent(settings.reference, settings.game)
        Judge(self.reference, worlds=settings.worlds, moves=settings.moves, seed=settings.seed)  # checks them
        self._begin()

    def _begin(self) -> None:
        """Write the settings, or compare them with those that are there."""
        path = self.folder / SETTINGS
        if not path.is_file():
            write_json(path, {**asdict(self.settings), "hash": self.settings.hash, "version": code_version()})
            return
        read = read_json(path, "settings")
        read.pop("version", None), read.pop("hash", None)
        there, here = asdict(of_kind(Settings, read, str(path))), asdict(self.settings)
        differ = [f"{name} {there[name]} there, {here[name]} now" for name in here if there[name] != here[name]]
        if differ:
            raise OptionError(
                f"{self.folder} was judged with other settings: {'; '.join(differ)}. Choose another folder with --out"
            )

    def read(self, found: Found) -> None:
        """Take the games to judge. Raises OptionError for games of another game, and for agents that aren't known."""
        wrong = {game.environment for game in found.games} - {self.settings.game}
        if wrong:
            raise OptionError(f"there are games of {', '.join(sorted(wrong))}: judge each game apart, with --game")
        check_seated("--known", self.settings.known or (), found.names)
        self.found = found

    @cached_property
    def known(self) -> tuple[CompiledAgent, ...]:
        """The agents whose seats play by their policy, beside the reference: only those that sit in these games."""
        seated = {
            name
            for game, seats in zip(self.found.games, self.found.seats)
            for seat, name in enumerate(game.agents)
            if seat not in seats and name != self.reference.name
        }
        asked = self.settings.known
        names = sorted(seated & (self.found.played if asked is None else set(asked)))
        agents = [find_agent(name, self.settings.game) for name in names]
        if asked is not None:
            return tuple(_compiled(agent) for agent in agents)
        return tuple(agent for agent in agents if isinstance(agent, CompiledAgent))

    @cached_property
    def setups(self) -> dict[str, list[int]]:
        """The places of the games of each setup."""
        setups: dict[str, list[int]] = {}
        for place, game in enumerate(self.found.games):
            setups.setdefault(f"{game.environment}, {game.num_players} players", []).append(place)
        return setups

    @property
    def games_hash(self) -> str:
        """A hash of the games and of whom of them is judged."""
        return _hash(self.found.games, self.found.seats)

    @cached_property
    def blocks(self) -> list[tuple[str, list[int]]]:
        """Every block: the setup, and the places of its games."""
        return [
            (setup, places[first : first + BLOCK])
            for setup, places in self.setups.items()
            for first in range(0, len(places), BLOCK)
        ]

    def file(self, number: int) -> Path:
        """The file of a block; its name has the hash of its games."""
        games, seats = self._of(self.blocks[number][1])
        return self.folder / BLOCKS / f"{number:05}-{_hash(games, seats)}.npz"

    @property
    def left(self) -> list[int]:
        """The blocks that aren't judged yet."""
        return [number for number in range(len(self.blocks)) if not self.file(number).is_file()]

    def play(self, threads: int = 1, progress: Callable[[int], None] = lambda games: None) -> None:
        """Judge what is left; each block is written when it is finished. progress: gets how many games are new."""
        writable_folder(self.folder / BLOCKS)
        settings = self.settings
        judge = Judge(*(self.reference, self.known, settings.worlds, settings.moves, settings.seed), threads=threads)
        for number in self.left:
            games, seats = self._of(self.blocks[number][1])
            write_arrays(self.file(number), _arrays(judge, games, seats), compressed=True)
            progress(len(games))

    def rows(self, within: float) -> list[JudgedRow]:
        """The rows of all setups. within: the interval that games are counted for, as a share of a win."""
        camps = find_game(self.settings.game).camp_of_role
        rows: list[JudgedRow] = []
        for setup in self.setups:
            numbers = [number for number, (each, _) in enumerate(self.blocks) if each == setup]
            rows += rows_of(setup, joined([self._block(number) for number in numbers]), camps, within)
        return rows

    def write(
        self,
        rows: Sequence[JudgedRow],
        claims: Sequence[ClaimRow] = (),
        beliefs: Sequence[InferenceRow] = (),
        questions: Mapping[str, int] | None = None,
    ) -> Path:
        """Write the result's file. questions: how often somebody was asked for beliefs, and answered."""
        path = self.folder / RESULT
        pool = {agent.name: digest(sources_of(agent)) for agent in (self.reference, *self.known)}
        write_json(
            path,
            {
                "kind": KIND, "settings": asdict(self.settings), "settings_hash": self.settings.hash,
                "version": __version__, "pool": pool, "games": len(self.found.games), "games_hash": self.games_hash,
                "seeds": sorted({game.seed for game in self.found.games}),
                "packs": sorted({game.pack for game in self.found.games}), "rows": [to_plain(row) for row in rows],
                "claims": [to_plain(row) for row in claims], "beliefs": [to_plain(row) for row in beliefs],
                "questions": dict(questions or {}),
            },
        )  # fmt: skip
        return path

    def _of(self, places: Sequence[int]) -> tuple[list[RecordedGame], list[Seats]]:
        return [self.found.games[place] for place in places], [self.found.seats[place] for place in places]

    def _block(self, number: int) -> Block:
        """A finished block, read."""
        path = self.file(number)
        arrays = read_arrays(path, "judged games")
        try:
            choices = Choices(**{name: arrays[name] for name in Choices.__annotations__})
            judged = Judged(choices, *(arrays[name] for name in PARTS))
            others = [arrays[name] for name in ("agents", "roles", "won", "instead", "shared")]
        except KeyError as error:
            raise OptionError(f"judged games {path} lack {error}; delete the file and judge again") from error
        return Block(judged, *others)


def _arrays(judge: Judge, games: Sequence[RecordedGame], seats: Sequence[Seats]) -> dict[str, Any]:
    """The arrays of a block: what the judge says, and what winners do."""
    judged = judge.judge(games, seats)
    ended = winners_of(judge, games, judged.judged)
    choices = {name: getattr(judged.choices, name) for name in Choices.__annotations__}
    return {
        **choices,
        **{name: getattr(judged, name) for name in PARTS},
        **asdict(ended),
        "agents": np.array([game.agents for game in games]),
    }


def _compiled(agent: Agent) -> CompiledAgent:
    if not isinstance(agent, CompiledAgent):
        raise OptionError(f"--known takes compiled agents, and {agent.name} isn't one")
    return agent


def _hash(games: Sequence[RecordedGame], seats: Sequence[Seats]) -> str:
    total = hashlib.sha256()
    for game, some in zip(games, seats):
        total.update(f"{game.to_json()} {some}\n".encode())
    return total.hexdigest()[:DIGITS]


def settings_for(game_id: str, reference: str, **more: Any) -> Settings:
    """Settings with the hash of today's code. more: the other fields."""
    game = find_game(game_id)
    return Settings(game=game.id, reference=reference, code=code_of(game, find_agent(reference, game.id)), **more)
