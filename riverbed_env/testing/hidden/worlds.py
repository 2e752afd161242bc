"""What a game hides, and twins of a game in which it is drawn again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.envs.aec import TurnEnv

from .pairs import Disclosure, Step, any_legal, random_moments
from .records import Games, with_record

Twin = Callable[..., Games]


@dataclass(frozen=True)
class HiddenWorlds:
    """What a game hides from a seat, written from the rules and not from what the game shows.

    Args:
        game: the game.
        twin: `twin(games, params, seat, rng, parts)` gives another (1,) record of the game in which some `parts` of
            what the seat may not know are drawn again, consistent with all that it knows by the rules or once saw.
        told: `told(one, two, agent)` says what a step played in both worlds rightly told the agent that differs; see
            `Follow`, whose `noted` is the record before the step.
        touches: the fields, as `leaves` names them, that a twin may differ in, those of an array "private" only for
            other seats.
        needed: the fields that twins must have differed in after some games.
        parts: the names of the parts that can be drawn again.
        moments: the share of one player's decisions to stop at.
        private: names of channels and pieces that are free to differ once the seat alone was told something.
        must_notice: whether the seat must see in all cases what it is told.
        in_state: whether `state()` shows any of what twins differ in.
        forced_tells: whether decisions taken for the mover alone (auto_forced="all") are documented to tell something.
        policy: how games are played, `policy(env, legal, rng) -> action`; by default uniformly.
        stop: `stop(env, rng)`, whether to stop at a moment, in place of `moments`.
        games: how many times as many games to search.
        lies_open: channels of what lies open beside the table.
        cut_off: options under which games are cut off early.
        any_pace: for games with simultaneous choices, a twin in which others may be through with the phase sooner or
            later.
        phase: for games with simultaneous choices, `phase(record)`, a value that changes when what was chosen is shown.
    """

    game: Game
    twin: Twin
    told: Callable[[Step, Step, str], Disclosure]
    touches: Collection[str]
    needed: Collection[str]
    parts: Sequence[str] = ("all",)  # a twin of few of them stays alike for longer
    moments: float = 0.2
    private: Collection[str] = ()
    must_notice: bool = True
    in_state: bool = True
    forced_tells: bool = False
    policy: Callable[..., Any] = any_legal
    stop: Callable[..., bool] | None = None
    games: int = 1
    lies_open: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    cut_off: Mapping[str, Any] = field(default_factory=dict)
    any_pace: Twin | None = None
    phase: Callable[[np.void], Any] | None = None


class Stops:
    """At which decisions to stop: as often as the hidden worlds say, some time apart, over all games played."""

    def __init__(self, worlds: HiddenWorlds, num_players: int) -> None:
        self.longest = round(2 * num_players / worlds.moments)
        self.left = num_players

    def __call__(self, env: TurnEnv, rng: np.random.Generator) -> bool:
        """Whether to stop at this decision."""
        self.left -= 1
        if self.left > 0:
            return False
        self.left = int(rng.integers(1, self.longest))
        return True


def make(game: Game, num_players: int, **options: Any) -> TurnEnv:
    """An environment of any game, which draws its table."""
    return TurnEnv(game, num_players=num_players, render_mode="ansi", **options)


def moments_of(worlds: HiddenWorlds, env: TurnEnv) -> Iterator[np.random.Generator]:
    """Stop at random moments of a random game of the environment; gives a generator to draw from."""
    rng = np.random.default_rng(env.num_players)
    env.reset(seed=env.num_players)
    for _ in random_moments(env, rng, moments=Stops(worlds, env.num_players)):
        yield rng


def twin_env(worlds: HiddenWorlds, env: TurnEnv, agent: str, rng: np.random.Generator) -> TurnEnv:
    """Another environment with a twin of the game in it, which must be sound.

    Args:
        worlds: what the game hides, all parts of which are drawn again.
        env: the environment, which stays as it is.
        agent: who may not tell them apart.
        rng: what is drawn from.

    Returns:
        The other environment.
    """
    return twin_in_part(worlds, env, agent, rng, worlds.parts)


def twin_in_part(
    worlds: HiddenWorlds, env: TurnEnv, agent: str, rng: np.random.Generator, parts: Sequence[str] | None = None
) -> TurnEnv:
    """A twin in which only some parts are drawn again: it stays alike for longer.

    Args:
        worlds: what the game hides.
        env: the environment, which stays as it is.
        agent: who may not tell them apart.
        rng: what is drawn from.
        parts: names of the parts to draw again; by default random ones, one or more.

    Returns:
        The other environment.
    """
    seat = env.possible_agents.index(agent)
    if parts is None:
        parts = rng.permutation(worlds.parts)[: rng.integers(1, len(worlds.parts) + 1)].tolist()
    return with_record(env, worlds.twin(env._games, env._params, seat, rng, parts))
