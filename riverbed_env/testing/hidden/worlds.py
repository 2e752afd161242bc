"""What a game hides, and twins of a game in which it is drawn again."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np

from riverbed_env.core.game import Game, copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.kernels.compile import Records
from riverbed_env.testing.conformance.kit import is_over, leaves

Games = Records  # length 1, as the environments hold it
Rng = np.random.Generator
Twin = Callable[..., Games]

MOST_DRAWN = 100
SOME: Sequence[str] = ()  # in place of the parts to draw again: random ones, one or more


class Disclosure(Enum):
    """The seats to which a step rightly reveals a difference between two worlds."""

    NOTHING = "nothing that differs"
    ALONE = "something that differs, to the agent alone"
    OPENLY = "something that differs, and others see it too"


@dataclass(frozen=True)
class Step:
    """A decision in one of two worlds: the environment after it, the action, and the record before it."""

    env: TurnEnv
    action: int
    noted: np.void


def any_legal(env: TurnEnv, legal: list[int], rng: Rng) -> int:
    """A uniformly drawn legal action."""
    return legal[int(rng.integers(len(legal)))]


@dataclass(frozen=True)
class HiddenWorlds:
    """What a game hides from a seat, written from the rules and not from what the game shows.

    Args:
        game: the game.
        twin: `twin(games, params, seat, rng, parts)` gives another (1,) record of the game in which some `parts` of
            what the seat may not know are drawn again, consistent with all that it knows by the rules or once saw.
        told: `told(one, two, agent)` says whom a step played in both worlds rightly told something that differs. It may
            raise Leak if something differs that never should.
        touches: the fields, by full names, that a twin may differ in, those of an array "private" only for other seats.
        needed: the fields that twins must have differed in after some games.
        parts: the names of the parts that can be drawn again.
        moments: the share of one player's decisions to stop at.
        private: names of channels and pieces that are free to differ once the seat alone was told something.
        in_state: whether `state()` shows any of what twins differ in.
        forced_tells: whether decisions taken for the mover alone (auto_forced="all") are documented to tell something.
        policy: how games are played, `policy(env, legal, rng)`; by default uniformly.
        stop: `stop(env, rng)`, whether to stop at a moment, in place of `moments`.
        games: how many times as many games to search.
        lies_open: channels of what lies open beside the table.
        cut_off: options under which games are cut off early.
    """

    game: Game
    twin: Twin
    told: Callable[[Step, Step, str], Disclosure]
    touches: Collection[str]
    needed: Collection[str]
    parts: Sequence[str] = ("all",)  # a twin of few of them stays alike for longer
    moments: float = 0.2
    private: Collection[str] = ()
    in_state: bool = True
    forced_tells: bool = False
    policy: Callable[..., Any] = any_legal
    stop: Callable[[TurnEnv, Rng], bool] | None = None
    games: int = 1
    lies_open: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    cut_off: Mapping[str, Any] = field(default_factory=dict)

    def stops(self, num_players: int) -> Callable[[TurnEnv, Rng], bool]:
        """At which decisions to stop: as often as `moments` says, some time apart, over all games played."""
        left = num_players

        def stop(env: TurnEnv, rng: Rng) -> bool:
            nonlocal left
            left -= 1
            if left > 0:
                return False
            left = int(rng.integers(1, round(2 * num_players / self.moments)))
            return True

        return stop


# --- records ----------------------------------------------------------------------------------------------------------


def contents(record: np.void) -> list[tuple[str, int | None, bytes]]:
    """Every plain field of a record: its full name, its place in an array of records, its bytes."""
    whole = record.tobytes()
    return [(name, place, whole[at : at + kind.itemsize]) for name, place, at, kind in leaves(record.dtype)]


def fields_apart(one: np.void, two: np.void) -> set[tuple[str, int | None]]:
    """The fields in which two records differ: full names, each with the seat for fields of a seat's own part."""
    pairs = zip(contents(one), contents(two), strict=True)
    return {(name, place) for (name, place, here), (_, _, there) in pairs if here != there}


def streams(*names: str) -> frozenset[str]:
    """The fields of these random streams, and the seed and number that they follow from.

    Args:
        names: of the streams in the record.

    Returns:
        The fields' full names.
    """
    return frozenset({"seed", "number", *(f"{name}.{field}" for name in names for field in ("key", "block", "drawn"))})


def redraw_future(game: np.void, rng: Rng, *names: str) -> None:
    """Give a record another seed and number, and other random streams: everything that decides its chance to come.

    Args:
        game: the record, which is changed.
        rng: what is drawn from.
        names: of the streams in the record.
    """
    game["seed"] = rng.integers(2**40)
    game["number"] = rng.integers(2**20)
    for name in names:
        game[name]["key"] = rng.integers(2**32)
        game[name]["block"] = rng.integers(2**32)
        game[name]["drawn"] = rng.integers(MOST_DRAWN)


def other_seats(game: np.void, seat: int) -> list[int]:
    """The seats of the other players of a game, ascending."""
    return [other for other in range(int(game["table"]["num_players"])) if other != seat]


# --- environments -----------------------------------------------------------------------------------------------------


def make(game: Game, num_players: int, **options: Any) -> TurnEnv:
    """An environment of any game, which draws its table."""
    return TurnEnv(game, num_players=num_players, render_mode="ansi", **options)


def lay(env: TurnEnv, games: Games) -> TurnEnv:
    """Put an environment into any sound state of a game, (1,), as its own saved states do; returns the environment."""
    if not env.agents:
        env.reset(seed=0)
    env._games = copy_records(games)
    env.set_state(env.get_state())
    return env


def with_record(env: TurnEnv, games: Games) -> TurnEnv:
    """Another environment like this one, with a game of the same table and so the same rewards so far."""
    other = lay(env.clone(), games)
    other.rewards = dict(env.rewards)
    other._cumulative_rewards = dict(env._cumulative_rewards)
    return other


def random_moments(
    env: TurnEnv,
    rng: Rng,
    *,
    policy: Callable[..., int] = any_legal,
    stop: Callable[[TurnEnv, Rng], bool] = lambda env, rng: rng.random() < 0.3,
) -> Iterator[int]:
    """Play an environment from its reset to its end; gives the numbers of the decisions at which to stop, from 0."""
    number = 0
    while not is_over(env):
        if stop(env, rng):
            yield number
        env.step(policy(env, env.legal_actions(env.agent_selection).tolist(), rng))
        number += 1


def moments_of(worlds: HiddenWorlds, env: TurnEnv) -> Iterator[Rng]:
    """Stop at random moments of a random game of the environment; gives a generator to draw from."""
    rng = np.random.default_rng(env.num_players)
    env.reset(seed=env.num_players)
    for _ in random_moments(env, rng, stop=worlds.stops(env.num_players)):
        yield rng


def twin_env(worlds: HiddenWorlds, env: TurnEnv, agent: str, rng: Rng, parts: Sequence[str] | None = None) -> TurnEnv:
    """Another environment with a twin of the game in it, which must be sound and which the agent can't tell apart.

    parts: names of the parts to draw again, by default all; SOME draws few of them, so that it stays alike for longer.
    """
    chosen = worlds.parts if parts is None else parts
    if not chosen:
        chosen = rng.permutation(worlds.parts)[: rng.integers(1, len(worlds.parts) + 1)].tolist()
    return with_record(env, worlds.twin(env._games, env._params, env.possible_agents.index(agent), rng, chosen))
