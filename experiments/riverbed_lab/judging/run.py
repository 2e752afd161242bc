"""Judging recorded games in a folder: blocks of games are kept as they are finished, then the rows are written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env import kernels
from riverbed_env.core.files import read_arrays, write_arrays, write_json
from riverbed_env.core.game import Game
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
from ..files import digest, writable_folder
from .choices import Choices
from .judge import Judge, Judged
from .results import JudgedRow, rows_of, winners
from .sources import Found, Seats, Wanted, check_seated, find_games

KIND = "riverbed judgement"  # of the result's file
BLOCKS, RESULT = "blocks", "judged.json"
BLOCK = 50  # games judged and written at a time
DIGITS = 16  # of hashes


@dataclass(frozen=True)
class Settings:
    """All that decides what the judge says of given games.

    reference: whom choices are compared with; agents: who is judged, everybody else if empty; known: agents whose seats
    play by their policy, None for those that the games' source vouches for; most: games of each source, 0 for all;
    worlds, moves, seed: the judge's.
    """

    game: str
    reference: str
    agents: tuple[str, ...] = ()
    known: tuple[str, ...] | None = None
    most: int = 0
    worlds: int = 128
    moves: int = 16
    seed: int = 0


def code_of(game: Game, reference: Agent) -> str:
    """A hash of everything that decides a judgement besides settings and games: judge, rules, reference."""
    folders = (*game.folders, Path(kernels.__file__).parent, Path(judging.__file__).parent)
    return digest(
        dict.fromkeys([path for folder in folders for path in sorted(folder.rglob("*.py"))] + sources_of(reference))
    )


class Judging:
    """Recorded games that are judged in a folder.

    Raises OptionError for games that can't be read or are of another game, and for agents that aren't known.
    """

    def __init__(self, folder: Path, settings: Settings, sources: Sequence[Path]) -> None:
        self.folder, self.settings = writable_folder(folder), settings
        self.game = find_game(settings.game)
        self.reference = find_agent(settings.reference, self.game.id)
        self.code = code_of(self.game, self.reference)
        Judge(self.reference, worlds=settings.worlds, moves=settings.moves, seed=settings.seed)  # checks them
        self.found: Found = find_games(sources, Wanted(settings.reference, settings.agents, settings.most))
        wrong = {game.environment for game in self.found.games} - {self.game.id}
        if wrong:
            raise OptionError(f"there are games of {', '.join(sorted(wrong))}: judge each game apart, with --game")
        check_seated("--known", settings.known or (), self.found.names)

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
        agents = [find_agent(name, self.game.id) for name in sorted(seated & (self.found.played | {*(asked or ())}))]
        if asked is not None:
            agents = [agent for agent in agents if agent.name in asked]
            slow = [agent.name for agent in agents if not isinstance(agent, CompiledAgent)]
            if slow:
                raise OptionError(f"--known takes compiled agents, and {slow[0]} isn't one")
        return tuple(agent for agent in agents if isinstance(agent, CompiledAgent))

    @cached_property
    def setups(self) -> dict[str, list[int]]:
        """The places of the games of each setup."""
        setups: dict[str, list[int]] = {}
        for place, game in enumerate(self.found.games):
            setups.setdefault(f"{game.environment}, {game.num_players} players", []).append(place)
        return setups

    def rows(self, threads: int = 1, progress: Callable[[int], None] = lambda games: None) -> list[JudgedRow]:
        """Judge the games that aren't judged yet, and the rows of all setups. progress: gets numbers of games."""
        writable_folder(self.folder / BLOCKS)
        settings = self.settings
        judge = Judge(*(self.reference, self.known, settings.worlds, settings.moves, settings.seed), threads=threads)
        rows: list[JudgedRow] = []
        for setup, places in self.setups.items():
            blocks, before = list[dict[str, Any]](), 0
            for first in range(0, len(places), BLOCK):
                games, seats = self._of(places[first : first + BLOCK])
                blocks.append({**(block := self._block(judge, games, seats)), "game": block["game"] + before})
                before += len(games)
                progress(len(games))
            whole = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
            choices = Choices(**{name: whole[name] for name in Choices.__annotations__})
            judged = Judged(choices, whole["effects"], whole["judged"], whole["deal"])
            rows += rows_of(setup, judged, whole["agents"], whole["roles"], whole["more"], self.game.camp_of_role)
        return rows

    def write(self, rows: Sequence[JudgedRow], beliefs: Sequence[InferenceRow] = ()) -> Path:
        """Write the result's file."""
        pool = {agent.name: digest(sources_of(agent)) for agent in (self.reference, *self.known)}
        games = self.found.games
        write_json(
            self.folder / RESULT,
            {
                "kind": KIND, "settings": asdict(self.settings), "code": self.code, "version": __version__,
                "pool": pool, "games": len(games), "games_hash": _hash(games, self.found.seats),
                "seeds": sorted({game.seed for game in games}), "packs": sorted({game.pack for game in games}),
                "rows": [to_plain(row) for row in rows], "beliefs": [to_plain(row) for row in beliefs],
            },
        )  # fmt: skip
        return self.folder / RESULT

    def _of(self, places: Sequence[int]) -> tuple[list[RecordedGame], list[Seats]]:
        return [self.found.games[place] for place in places], [self.found.seats[place] for place in places]

    def _block(self, judge: Judge, games: Sequence[RecordedGame], seats: Sequence[Seats]) -> dict[str, Any]:
        """The arrays of a block; it is judged unless its file is there, named by all that decides what it holds."""
        known = [agent.name for agent in judge.agents]
        path = self.folder / BLOCKS / f"{_hash(games, seats, [asdict(self.settings), self.code, known])}.npz"
        if path.is_file():
            return dict(read_arrays(path, "judged games"))
        judged = judge.judge(games, seats)
        roles, more = winners(judge, games, judged.judged)
        arrays: dict[str, Any] = {
            **{name: getattr(judged.choices, name) for name in Choices.__annotations__},
            **{name: getattr(judged, name) for name in ("effects", "judged", "deal")},
            "agents": np.array([game.agents for game in games]),
            "roles": roles,
            "more": more,
        }
        write_arrays(path, arrays, compressed=True)
        return arrays


def _hash(games: Sequence[RecordedGame], seats: Sequence[Seats], more: Any = None) -> str:
    total = hashlib.sha256(json.dumps(more).encode())
    for game, some in zip(games, seats):
        total.update(f"{game.to_json()} {some}\n".encode())
    return total.hexdigest()[:DIGITS]
