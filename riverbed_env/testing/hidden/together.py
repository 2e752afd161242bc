"""Choices made at the same time: what others choose in a phase shows nowhere before the phase is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.testing.compare import differences

from .channels import everything, views
from .pairs import Channels, any_legal, check_alike, compare_worlds
from .records import lay, with_record
from .worlds import HiddenWorlds, make, moments_of

Options = Mapping[str, Any]


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
    apart = [difference for name in one for difference in differences(one[name], two[name], name)]
    check_alike(apart, agent, "in parallel")


def search_paces(worlds: HiddenWorlds, variant: Options, num_players: int) -> int:
    """A view doesn't tell who is still choosing, nor does a parallel environment except by whom it waits for.

    Returns how many twins differed. Raises Leak.
    """
    env, other = (make(worlds.game, num_players, **variant) for _ in range(2))
    differed, channels = 0, views(worlds)
    assert worlds.any_pace is not None
    for rng in moments_of(worlds, env):
        for seat, agent in enumerate(env.possible_agents):
            lay(other, worlds.any_pace(env._games, env._params, seat, rng))
            differed += not np.array_equal(env.state(), other.state())
            compare_worlds(env, other, agent, channels)
            compare_parallel([in_parallel(env, variant), in_parallel(other, variant)], agent)
    return differed


def search_parallel(worlds: HiddenWorlds, variant: Options, num_players: int) -> int:
    """Play twins on in parallel, one seat the same in both and the others independently, until a phase ends in one.

    Returns how many steps were played. Raises Leak.
    """
    env, steps = make(worlds.game, num_players, **variant), 0
    assert worlds.any_pace is not None
    for rng in moments_of(worlds, env):
        seat = int(rng.integers(num_players))
        other = with_record(env, worlds.any_pace(env._games, env._params, seat, rng))
        pair = [in_parallel(env, variant), in_parallel(other, variant)]
        while played_on(worlds, pair, seat, rng):
            compare_parallel(pair, env.possible_agents[seat])
            steps += 1
    return steps


def played_on(worlds: HiddenWorlds, pair: list[SimultaneousEnv], seat: int, rng: np.random.Generator) -> bool:
    """Step both, the seat alike and the others independently; returns whether the phase continues in both."""
    assert worlds.phase is not None
    action = int(rng.choice(pair[0].legal_actions(pair[0].possible_agents[seat])))
    for env in pair:
        before = worlds.phase(env._games[0])
        chosen = {agent: int(rng.choice(env.legal_actions(agent))) for agent in env.possible_agents}
        env.step({**chosen, env.possible_agents[seat]: action})
        if not env.agents or worlds.phase(env._games[0]) != before:
            return False
    return True


def search_steps(worlds: HiddenWorlds, variant: Options, num_players: int) -> int:
    """In a turn-based environment later seats of a step see nothing of what earlier ones chose in it.

    Returns how many times worlds were compared. Raises Leak.
    """
    env, channels, compared = make(worlds.game, num_players, **variant), everything(worlds), 0
    for rng in moments_of(worlds, env):
        compared += compare_steps([env.clone(), env.clone()], channels, rng)
    return compared


def compare_steps(pair: list[TurnEnv], channels: Channels, rng: np.random.Generator) -> int:
    """Let the seats of a step choose by themselves in two equal games; those still to come must see the same."""
    compared, asked = 0, seat_asked(pair[0])
    while True:
        for env in pair:
            env.step(any_legal(env, env.legal_actions(env.agent_selection).tolist(), rng))
        later = seat_asked(pair[0])
        if any(env.game.kernels.ending(env._games[0]) != 0 for env in pair) or later <= asked:
            return compared
        for agent in pair[0].possible_agents[later:]:
            compare_worlds(pair[0], pair[1], agent, channels)
            compared += 1
        asked = later


def seat_asked(env: TurnEnv) -> int:
    """The seat that is asked."""
    return env.possible_agents.index(env.agent_selection)
