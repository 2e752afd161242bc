"""Choices made at the same time: what others choose in a phase shows nowhere before the phase is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from hidden import hidden_worlds
from reach import Stops, everything, is_over, lay, make, views, with_record

from riverbed_env.core.game import Game
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.testing.leaks import Channels, Leak, any_legal, compare_worlds, differences, names_of, random_moments

Options = Mapping[str, Any]


def moments_of(env: TurnEnv) -> Iterator[np.random.Generator]:
    """Random moments of a random game, at which the environment stands; gives a generator to draw from."""
    rng = np.random.default_rng(env.num_players)
    env.reset(seed=env.num_players)
    for _ in random_moments(env, rng, moments=Stops(env.game, env.num_players)):
        yield rng


def in_parallel(env: TurnEnv, variant: Options) -> SimultaneousEnv:
    """The same game in a parallel environment."""
    parallel = SimultaneousEnv(env.game, num_players=env.num_players, render_mode="ansi", **variant)
    parallel.set_state(env.get_state())
    return parallel


def seen_in_parallel(env: SimultaneousEnv, agent: str) -> dict[str, Any]:
    """What a parallel environment shows a seat; not for whom it waits."""
    seen = env.observe(agent)
    return {
        "observation": env.game.observation.named(seen["observation"]),
        "mask": seen["action_mask"],
        "state in words": env.describe_state(agent),
        "picture": env.render(agent),
        "events in words": env.describe_events(viewer=agent),
        "agents": list(env.agents),
        "actions in words": [env.describe_action(int(action), agent) for action in env.legal_actions(agent)],
    }


def compare_parallel(pair: list[SimultaneousEnv], agent: str) -> None:
    """Raise Leak if a seat can tell two parallel environments apart."""
    one, two = (seen_in_parallel(env, agent) for env in pair)
    found = [difference for name in one for difference in differences(one[name], two[name], name)]
    if found:
        raise Leak(f"{agent} can tell by {found[0]}", names_of(found))


def search_paces(game: Game, variant: Options, num_players: int) -> int:
    """RS-5.1: a view doesn't even tell who is still choosing, nor does a parallel environment but by whom it awaits.

    Returns how many twins differed. Raises Leak.
    """
    env, other, differed = make(game, num_players, **variant), make(game, num_players, **variant), 0
    worlds, channels = hidden_worlds(game.id), views(game)
    assert worlds.any_pace is not None
    for rng in moments_of(env):
        for seat, agent in enumerate(env.possible_agents):
            lay(other, worlds.any_pace(env._games, env._params, seat, rng))
            differed += not np.array_equal(env.state(), other.state())
            compare_worlds(env, other, agent, channels)
            compare_parallel([in_parallel(env, variant), in_parallel(other, variant)], agent)
    return differed


def search_parallel(game: Game, variant: Options, num_players: int) -> int:
    """Play twins on in parallel, a seat alike in both and the others as they like, until a phase is over in one.

    Returns how many steps were played. Raises Leak.
    """
    env, steps = make(game, num_players, **variant), 0
    worlds = hidden_worlds(game.id)
    assert worlds.any_pace is not None
    for rng in moments_of(env):
        seat = int(rng.integers(num_players))
        other = with_record(env, worlds.any_pace(env._games, env._params, seat, rng))
        pair = [in_parallel(env, variant), in_parallel(other, variant)]
        while played_on(pair, seat, rng):
            compare_parallel(pair, env.possible_agents[seat])
            steps += 1
    return steps


def played_on(pair: list[SimultaneousEnv], seat: int, rng: np.random.Generator) -> bool:
    """Step both, the seat alike and the others each by themselves; returns whether the phase goes on in both."""
    own = int(rng.choice(pair[0].legal_actions(pair[0].possible_agents[seat])))
    for env in pair:
        before = phase_of(env)
        chosen = {agent: int(rng.choice(env.legal_actions(agent))) for agent in env.possible_agents}
        env.step({**chosen, env.possible_agents[seat]: own})
        if phase_of(env) != before:
            return False
    return True


def phase_of(env: SimultaneousEnv) -> tuple[int, int, int]:
    """Round and phase, and whether the game is over."""
    table = env._games[0]["table"]
    return int(table["round"]), int(table["phase"]), int(table["ending"])


def search_steps(game: Game, variant: Options, num_players: int) -> int:
    """In a turn-based environment later seats of a step see nothing of what earlier ones chose in it.

    Returns how many times worlds were compared. Raises Leak.
    """
    env, channels, compared = make(game, num_players, **variant), everything(game), 0
    for rng in moments_of(env):
        compared += compare_steps([env.clone(), env.clone()], channels, rng)
    return compared


def compare_steps(pair: list[TurnEnv], channels: Channels, rng: np.random.Generator) -> int:
    """Let the seats of a step choose by themselves in two equal games; those still to come must see the same."""
    compared, asked = 0, seat_asked(pair[0])
    while True:
        for env in pair:
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
            env.step(any_legal(env, legal, rng))
        later = seat_asked(pair[0])
        if any(is_over(env) for env in pair) or later <= asked:
            return compared
        for agent in pair[0].possible_agents[later:]:
            compare_worlds(*pair, agent, channels)
            compared += 1
        asked = later


def seat_asked(env: TurnEnv) -> int:
    """The seat that is asked."""
    return env.possible_agents.index(env.agent_selection)
