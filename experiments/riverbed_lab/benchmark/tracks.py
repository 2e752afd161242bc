"""What the benchmark fixes: its tracks, from `benchmark.toml`, and what was frozen with them, from `frozen.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from riverbed_env.core.files import read_json
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice
from riverbed_env.core.schema import NOTHING_ELSE, Count, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..config_files import read_toml
from ..playing.play import play_seated

FILE, FROZEN = (Path(__file__).parent / name for name in ("benchmark.toml", "frozen.json"))
ITSELF = "itself"  # the lineup of a track that seats the entrant beside a learner
PROBED, PROBE_SEED = 8, 1  # games by which an agent's play is recognised


@dataclass(frozen=True)
class Track:
    """What one track asks.

    Args:
        about: in words.
        lineups: the agents that fill the other seats, one lineup each.
        players: player counts.
        games: deals of each cell.
        over: the agent whose place the entrant takes; in whole camps it is the lineup's own.
        options: of the game.
        trained: options of the packs for training, to measure the gap to them; none for no gap.
        seats: what the entrant takes: one seat of each role, each whole camp, all seats but one that learns a
            response, or all seats of small games.
        decisions: that each response learns from.
        small: the small games, by name.
    """

    __pydantic_config__ = NOTHING_ELSE

    about: str
    lineups: tuple[str, ...]
    players: tuple[Count, ...]
    games: int
    over: str = "rule_based"
    options: Mapping[str, Any] = field(default_factory=dict)
    trained: Mapping[str, Any] = field(default_factory=dict)
    seats: Literal["role", "camp", "response", "exact"] = "role"
    decisions: int = 0
    small: tuple[str, ...] = ()

    @property
    def is_scored(self) -> bool:
        """Whether its score is a share of the best known gains."""
        return self.seats in ("role", "camp")


@dataclass(frozen=True)
class Benchmark:
    """The benchmark's name, its game, the classes of training budgets, its tracks, and partners that may be met."""

    __pydantic_config__ = NOTHING_ELSE

    name: str
    game: str
    budgets: tuple[str, ...]
    tracks: Mapping[str, Track]
    partners: Mapping[str, tuple[str, ...]]

    def track(self, name: str) -> Track:
        """A track by name. Raises OptionError if there is none."""
        check_choice("track", name, tuple(self.tracks))
        return self.tracks[name]

    @property
    def seated(self) -> tuple[str, ...]:
        """All agents that any track seats beside the entrant."""
        return tuple(dict.fromkeys(each for track in self.tracks.values() for each in (track.over, *track.lineups)))


@dataclass(frozen=True)
class Frozen:
    """What was fixed with the benchmark.

    Args:
        agents: `fingerprint` of each agent that a track seats.
        packs: the hash of the packs of each track, and of its training packs.
        best: the best known gain, 0 to 1, and whose it is, by track and cell.
    """

    __pydantic_config__ = NOTHING_ELSE

    agents: Mapping[str, str]
    packs: Mapping[str, str]
    best: Mapping[str, Mapping[str, tuple[float, str]]]


@cache
def benchmark() -> Benchmark:
    """The benchmark of this version."""
    return of_kind(Benchmark, read_toml(FILE), str(FILE))


@cache
def frozen() -> Frozen:
    """What was fixed with the benchmark."""
    return of_kind(Frozen, read_json(FROZEN, "frozen parts of the benchmark"), str(FROZEN))


def fingerprint(agent: Agent, game: Game) -> str:
    """A hash of all choices of an agent that plays every seat of a few games, with talk and without.

    It changes if the agent or the rules behave differently, not if their code is written differently.
    """
    total = hashlib.sha256()
    numbers = np.arange(PROBED)
    for talk in ("none", "claims"):
        try:
            played = play_seated(
                *(game, [agent], np.zeros((PROBED, game.default_players), np.int64), numbers, PROBE_SEED),
                logged=True,
                talk=talk,
            )
        except OptionError:  # a policy that was trained without talk
            continue
        total.update(played.actions.astype("<u2").tobytes() + played.lengths.astype("<i8").tobytes())
    return total.hexdigest()[:16]


def seed_of(track: str, hashed: str) -> int:
    """The seed of the deals on which an agent of this hash plays a track."""
    drawn = hashlib.sha256(f"{benchmark().name} {track} {hashed}".encode()).digest()
    return int.from_bytes(drawn[:4], "big")


def check_agents(names: tuple[str, ...]) -> None:
    """Raises OptionError if one of the benchmark's own agents plays differently from when it was frozen."""
    game = find_game(benchmark().game)
    for name in names:
        found, fixed = fingerprint(find_agent(name, game.name), game), frozen().agents.get(name)
        if found != fixed:
            raise OptionError(
                f"{name} or the rules play differently ({found}) than in {benchmark().name} ({fixed}): install the "
                "version of the library that the benchmark belongs to"
            )
