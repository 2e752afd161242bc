"""Random legal play, watched and then played again: masks, spaces, flags, rewards, and looks that change nothing."""

from __future__ import annotations

import copy
import math
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.actions import WAIT
from riverbed_env.testing.compare import differences, same


class Turn(NamedTuple):
    """What `last()` gave an agent, and the action it took; None for an agent that is done."""

    agent: str
    last: Any
    action: int | None


def legal_play_test(env: Any, cycles: int, *, seed: int = 0) -> None:
    """Play whole games of random legal actions until `cycles` steps are taken, and check every step.

    Observations lie in their spaces, the selected agent can do more than wait and all others can do nothing else;
    `observe` of any agents, in any order, changes nothing; all agents end together; `last()` returns the rewards that
    were given; and the same seed and actions give the same game if nobody else is observed. Raises AssertionError.
    """
    rng, taken = np.random.default_rng(seed), 0
    while taken < cycles:
        deal = int(rng.integers(2**31))
        turns = _watched(env, deal, rng)
        env.reset(seed=deal)
        for number, turn in enumerate(turns):
            assert env.agents, f"seed {deal}, played again, ends at step {number} already"
            apart = differences(_last(env), (turn.agent, turn.last))
            assert not apart, f"seed {deal}, played again without observing others, differs at step {number}: {apart}"
            env.step(turn.action)
        assert not env.agents, f"seed {deal}, played again, isn't over after {len(turns)} steps"
        taken += len(turns)


def _last(env: Any) -> tuple[str, Any]:
    return env.agent_selection, copy.deepcopy(env.last()[:4])


def _watched(env: Any, deal: int, rng: np.random.Generator) -> list[Turn]:
    """Play a game, checking all that is visible before each step."""
    env.reset(seed=deal)
    started, turns = list(env.agents), []
    given: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    while env.agents:
        done = [agent for agent in env.agents if env.terminations[agent] or env.truncations[agent]]
        together = env.agents == done if done else env.agents == started
        assert together, f"{done} are done, in play are {env.agents}: all must end together"
        _check_looks(env, rng)
        agent, last = _last(env)
        returned[agent] += last[1]
        legal = np.flatnonzero(last[0]["action_mask"])
        action = None if agent in done else int(rng.choice(legal))
        turns.append(Turn(agent, last, action))
        env.step(action)
        for each, reward in env.rewards.items():
            assert math.isfinite(reward), f"the reward of {each} is {reward!r}"
            given[each] += reward
    for agent in started:
        sums = returned[agent], given[agent]
        assert math.isclose(*sums, abs_tol=1e-6), f"last() returned {sums[0]} to {agent}, which was given {sums[1]}"
    return turns


def _check_looks(env: Any, rng: np.random.Generator) -> None:
    """Each agent's observation and mask are in order, and observing changes nothing."""
    order = [env.agents[place] for place in rng.permutation(len(env.agents))]
    before = _public(env)
    for name in ("rewards", "terminations", "truncations", "infos"):
        assert set(before[name]) == set(env.agents), f"{name} is of {list(before[name])}, in play are {env.agents}"
    seen = {agent: copy.deepcopy(_checked(env, agent)) for agent in order}
    for agent in reversed(order):
        assert same(env.observe(agent), seen[agent]), f"observe({agent!r}) says something else the second time"
    apart = differences(_public(env), before)
    assert not apart, f"observe() has a side effect: {apart[0]}"


def _public(env: Any) -> dict[str, Any]:
    """A copy of everything public except observations."""
    names = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")
    return {name: copy.deepcopy(getattr(env, name)) for name in names} | {"state()": env.state().copy()}


def _checked(env: Any, agent: str) -> Any:
    seen = env.observe(agent)
    assert env.observation_space(agent).contains(seen), f"observe({agent!r}) is outside its observation space"
    mask: npt.NDArray[Any] = seen["action_mask"]
    assert mask.dtype == np.int8, f"the mask of {agent} is {mask.dtype}"
    assert same(env.infos[agent]["action_mask"], mask), f"infos[{agent!r}] holds another mask"
    legal = np.flatnonzero(mask).tolist()
    asked = agent == env.agent_selection and not (env.terminations[agent] or env.truncations[agent])
    right = bool(legal) and (legal != [WAIT]) == asked
    assert right, f"{agent}, {'asked' if asked else 'not asked'}, may take {legal}"
    return seen


def state_test(env: Any, cycles: int, *, seed: int = 0) -> None:
    """Play as `legal_play_test` does, and check `state()` before each step.

    It lies in `state_space`, is the same at a second call, doesn't change after it was returned, and isn't constant
    over a game. Raises AssertionError.
    """
    rng, taken = np.random.default_rng(seed), 0
    while taken < cycles:
        env.reset(seed=int(rng.integers(2**31)))
        states: list[Any] = []
        copies: list[Any] = []
        while env.agents:
            state = env.state()
            assert env.state_space.contains(state), f"step {len(states)}: state() is outside state_space"
            assert same(env.state(), state), f"step {len(states)}: state() says something else the second time"
            states.append(state)
            copies.append(state.copy())
            _, last = _last(env)
            env.step(None if last[2] or last[3] else int(rng.choice(np.flatnonzero(last[0]["action_mask"]))))
        assert same(states, copies), "an array that state() gave changed later"
        assert any(not same(state, copies[0]) for state in copies), "state() was the same at all steps of a game"
        taken += len(states)
