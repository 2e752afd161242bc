"""Choices made at the same time: what others choose in a phase shows nowhere before the phase is over."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from hidden import PACES

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.testing.hidden import Channels, HiddenWorlds, compare_worlds, everything
from riverbed_env.testing.hidden.worlds import Rng, any_legal, lay, make, moments_of, with_record

Options = Mapping[str, Any]

# Channels that show who is asked, and what follows from that.
OF_TURNS = ("mask", "info", "last", "who is asked", "mask (now)", "info (now)", "batch", "refusals", "complaints")
OF_CHOICES = ("frame", "seat message")


def views(worlds: HiddenWorlds) -> Channels:
    """What a seat sees, without who is asked and what follows from that."""
    whole = everything(worlds)
    return Channels(
        {name: each for name, each in whole.functions.items() if name not in OF_TURNS + OF_CHOICES}, whole.pieces
    )


def in_parallel(env: TurnEnv, variant: Options) -> SimultaneousEnv:
    """The same game in a parallel environment."""
    parallel = SimultaneousEnv(env.game, num_players=env.num_players, render_mode="ansi", **variant)
    parallel.set_state(env.get_state())
    return parallel


def seen_in_parallel(worlds: HiddenWorlds) -> Channels:
    """What a parallel environment shows a seat; not for whom it waits."""
    kept = ("observation", "who plays", "state in words", "picture", "events in words")
    shown: dict[str, Any] = {
        **{name: everything(worlds).functions[name] for name in kept},
        "mask": lambda env, agent: env.observe(agent)["action_mask"],
        "actions in words": lambda env, agent: [env.describe_action(int(a), agent) for a in env.legal_actions(agent)],
    }
    return Channels(shown, worlds.game.observation)


def search_paces(worlds: HiddenWorlds, variant: Options, num_players: int) -> int:
    """A view doesn't tell who is still choosing, nor does a parallel environment except by whom it waits for.

    Returns how many twins differed. Raises Leak.
    """
    env, other = (make(worlds.game, num_players, **variant) for _ in range(2))
    differed, channels, parallel = 0, views(worlds), seen_in_parallel(worlds)
    for rng in moments_of(worlds, env):
        for seat, agent in enumerate(env.possible_agents):
            lay(other, PACES[worlds.game.id].twin_at_any_pace(env._games, env._params, seat, rng))
            differed += not np.array_equal(env.state(), other.state())
            compare_worlds(env, other, agent, channels)
            compare_worlds(in_parallel(env, variant), in_parallel(other, variant), agent, parallel, "in parallel")
    return differed


def search_parallel(worlds: HiddenWorlds, variant: Options, num_players: int) -> int:
    """Play twins on in parallel, one seat the same in both and the others independently, until a phase ends in one.

    Returns how many steps were played. Raises Leak.
    """
    env, steps, parallel = make(worlds.game, num_players, **variant), 0, seen_in_parallel(worlds)
    for rng in moments_of(worlds, env):
        seat = int(rng.integers(num_players))
        other = with_record(env, PACES[worlds.game.id].twin_at_any_pace(env._games, env._params, seat, rng))
        pair = [in_parallel(env, variant), in_parallel(other, variant)]
        while played_on(worlds, pair, env.possible_agents[seat], rng):
            compare_worlds(pair[0], pair[1], env.possible_agents[seat], parallel, "in parallel")
            steps += 1
    return steps


def played_on(worlds: HiddenWorlds, pair: list[SimultaneousEnv], seat: str, rng: Rng) -> bool:
    """Step both, the seat alike and the others independently; returns whether the phase continues in both."""
    phase = PACES[worlds.game.id].phase
    action = int(rng.choice(pair[0].legal_actions(seat)))
    for env in pair:
        before = phase(env._games[0])
        env.step({agent: int(rng.choice(env.legal_actions(agent))) for agent in env.possible_agents} | {seat: action})
        if not env.agents or phase(env._games[0]) != before:
            return False
    return True


def search_steps(worlds: HiddenWorlds, variant: Options, num_players: int) -> int:
    """In a turn-based environment later seats of a step see nothing of what earlier ones chose in it.

    Returns how many times worlds were compared. Raises Leak.
    """
    env, channels, compared = make(worlds.game, num_players, **variant), everything(worlds), 0
    for rng in moments_of(worlds, env):
        pair, asked = [env.clone(), env.clone()], env._asked
        while True:
            for each in pair:
                each.step(any_legal(each, each.legal_actions(each.agent_selection).tolist(), rng))
            if any(each._asked <= asked for each in pair):
                break
            asked = pair[0]._asked
            for agent in env.possible_agents[asked:]:
                compare_worlds(pair[0], pair[1], agent, channels)
                compared += 1
    return compared
