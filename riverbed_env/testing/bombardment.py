"""Random legal play that checks any masked turn-based environment of PettingZoo.

PettingZoo's own bombardment and state tests sample actions without masks, or of one episode only; these play whole
episodes with legal actions alone. Both raise an AssertionError that says what is wrong, for which agent and when.

    from riverbed_env.testing.bombardment import bombardment_test, state_test

    env = pettingzoo.make("aec", "classic/connect_four_v3")
    bombardment_test(env, 500, wait_action=None, masks_in_infos=False)
"""

from __future__ import annotations

import copy
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import gymnasium.spaces
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from .leaks.compare import brief, same

Env: TypeAlias = AECEnv[Any, Any, Any]


@dataclass(frozen=True)
class _Expected:
    """The parameters of `bombardment_test`."""

    wait_action: int | None
    masks_in_infos: bool
    end_together: bool


@dataclass(frozen=True)
class _Turn:
    """What `last()` gave an agent and the action it took; None for an agent that is done."""

    agent: Any
    observation: Any
    reward: float
    terminated: bool
    truncated: bool
    action: int | None


def bombardment_test(
    env: Env,
    cycles: int = 1000,
    *,
    seed: int = 0,
    wait_action: int | None = 0,
    masks_in_infos: bool = True,
    end_together: bool = True,
) -> None:
    """Play whole episodes of random legal actions until `cycles` steps are taken, and check every step.

    Checked at each step: observations lie in their spaces; masks are int8 vectors of 0 and 1 as long as the action
    space, and the selected agent's has a legal action; rewards are finite numbers; `observe` of any agents, in any
    order, changes nothing. After each episode: the rewards that `last()` gave an agent sum to those of its `rewards`;
    and the same seed and actions give the same episode if nobody else is observed, or `observe` has a side effect.

    wait_action: the only legal action of agents that aren't selected; None if there is no such action, and then their
    masks may hold anything. masks_in_infos: `infos[agent]["action_mask"]` must be the very array of `observe(agent)`.
    end_together: all agents must be done at the same step.

    Raises AssertionError.
    """
    expected = _Expected(wait_action, masks_in_infos, end_together)
    rng = np.random.default_rng(seed)
    taken = 0
    while taken < cycles:
        episode_seed = int(rng.integers(2**31))
        turns = _watched_episode(env, episode_seed, rng, expected)
        _play_again(env, episode_seed, turns)
        taken += len(turns)


def state_test(env: Env, cycles: int = 1000, *, seed: int = 0) -> None:
    """Play whole episodes of random legal actions until `cycles` steps are taken, and check `state()` before each.

    Checked: it lies in `state_space`, has its shape and dtype, is the same at a second call, doesn't change after it
    was returned, and isn't constant over an episode. Raises AssertionError.
    """
    space = _state_space(env)
    rng = np.random.default_rng(seed)
    taken = 0
    while taken < cycles:
        env.reset(seed=int(rng.integers(2**31)))
        states: list[npt.NDArray[Any]] = []
        copies: list[npt.NDArray[Any]] = []
        while env.agents:
            states.append(_checked_state(env, space, len(states)))
            copies.append(states[-1].copy())
            _take_turn(env, rng)
        _check_states(states, copies)
        taken += len(states)


# --- one episode ---------------------------------------------------------------------------------------------------


def _watched_episode(env: Env, seed: int, rng: np.random.Generator, expected: _Expected) -> list[_Turn]:
    """Play an episode, checking everything visible before each step."""
    env.reset(seed=seed)
    started = list(env.agents)
    given: defaultdict[Any, float] = defaultdict(float)
    turns: list[_Turn] = []
    while env.agents:
        _check_flags(env)
        if expected.end_together:
            _check_end(env, started)
        _check_observations(env, rng, expected)
        turns.append(_take_turn(env, rng))
        _add_rewards(env, given)
    _check_sums(turns, given)
    return turns


def _take_turn(env: Env, rng: np.random.Generator) -> _Turn:
    """Step the selected agent: a random legal action, or None if it is done."""
    agent = env.agent_selection
    observation, reward, terminated, truncated, _ = env.last()
    action = None if terminated or truncated else _random_legal_action(env, agent, observation, rng)
    turn = _Turn(agent, copy.deepcopy(observation), float(reward), terminated, truncated, action)
    env.step(action)
    return turn


def _random_legal_action(env: Env, agent: Any, observation: Any, rng: np.random.Generator) -> int:
    legal = _legal(env, agent, _mask(env, agent, observation))
    if not legal:
        raise AssertionError(f"{agent} is selected and its mask is empty")
    return legal[int(rng.integers(len(legal)))]


def _play_again(env: Env, seed: int, turns: Sequence[_Turn]) -> None:
    """The same seed and actions, observed by `last()` alone, must give the same episode."""
    env.reset(seed=seed)
    for number, turn in enumerate(turns):
        if not env.agents:
            raise AssertionError(f"seed {seed}, played again without observing others, ends at step {number} already")
        observation, reward, terminated, truncated, _ = env.last()
        again = _Turn(env.agent_selection, observation, float(reward), terminated, truncated, turn.action)
        if not same(vars(again), vars(turn)):
            raise AssertionError(
                f"seed {seed}, played again without observing others, differs at step {number}: observe() has a side "
                f"effect, or reset(seed) doesn't fix the game; {_difference(turn, again)}"
            )
        env.step(turn.action)
    if env.agents:
        raise AssertionError(f"seed {seed}, played again without observing others, isn't over after {len(turns)} steps")


def _difference(first: _Turn, again: _Turn) -> str:
    names = [name for name, value in vars(first).items() if not same(value, vars(again)[name])]
    name = names[0]
    return f"{name} was {brief(vars(first)[name])}, then {brief(vars(again)[name])}"


# --- what is checked before each step --------------------------------------------------------------------------------


def _check_flags(env: Env) -> None:
    """The dictionaries have the agents in play as keys, and one of these is selected."""
    if env.agent_selection not in env.agents:
        raise AssertionError(f"{env.agent_selection!r} is selected, but in play are {env.agents}")
    for name in ("rewards", "terminations", "truncations", "infos"):
        if set(getattr(env, name)) != set(env.agents):
            raise AssertionError(f"{name} is of {sorted(getattr(env, name))}, but in play are {env.agents}")
    for agent in env.agents:
        _check_finite(agent, env.rewards[agent])


def _check_finite(agent: Any, reward: float) -> None:
    if not math.isfinite(reward):
        raise AssertionError(f"the reward of {agent} is {reward!r}, which isn't a finite number")


def _check_end(env: Env, started: Sequence[Any]) -> None:
    """Either all agents are in play and none is done, or all that are left are done."""
    done = [agent for agent in env.agents if _is_done(env, agent)]
    if not done and list(env.agents) != list(started):
        raise AssertionError(f"in play are {env.agents}, but {started} began, and all must end together")
    if done and len(done) != len(env.agents):
        raise AssertionError(f"{done} are done while {env.agents} are in play, but all must end together")


def _check_observations(env: Env, rng: np.random.Generator, expected: _Expected) -> None:
    """Each agent's observation and mask are in order, and observing changes nothing."""
    order = [env.agents[place] for place in rng.permutation(len(env.agents))]
    before = _public(env)
    seen = {agent: copy.deepcopy(_checked_observation(env, agent, expected)) for agent in order}
    for agent in reversed(order):
        again = env.observe(agent)
        if not same(again, seen[agent]):
            raise AssertionError(f"observe({agent!r}) says something else the second time: a side effect of observe()")
    if not same(_public(env), before):
        names = [name for name, value in _public(env).items() if not same(value, before[name])]
        raise AssertionError(f"observe() has a side effect: {', '.join(names)} changed")


def _checked_observation(env: Env, agent: Any, expected: _Expected) -> Any:
    observation = env.observe(agent)
    space = env.observation_space(agent)
    if not space.contains(observation):
        raise AssertionError(f"observe({agent!r}) is outside its observation space: {_outside(space, observation)}")
    mask = _mask(env, agent, observation)
    _check_mask(env, agent, mask, expected.wait_action)
    if expected.masks_in_infos and env.infos[agent].get("action_mask") is not mask:
        raise AssertionError(f"infos[{agent!r}]['action_mask'] isn't the very mask of observe({agent!r})")
    return observation


def _check_mask(env: Env, agent: Any, mask: Any, wait_action: int | None) -> None:
    """The mask's form; something legal for an agent that is asked, only waiting for others."""
    size = int(_action_space(env, agent).n)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.int8 or mask.shape != (size,):
        raise AssertionError(f"the mask of {agent} must be an int8 array of shape ({size},), not {brief(mask)}")
    if not ((mask == 0) | (mask == 1)).all():
        raise AssertionError(f"the mask of {agent} holds other numbers than 0 and 1: {sorted(set(mask.tolist()))}")
    legal = _legal(env, agent, mask)
    asked = agent == env.agent_selection and not _is_done(env, agent)
    if not legal and (asked or wait_action is not None):
        raise AssertionError(f"the mask of {agent} is empty")
    if wait_action is None:
        return
    if asked and legal == [wait_action]:
        raise AssertionError(f"{agent} is asked, but can only wait (action {wait_action})")
    if not asked and legal != [wait_action]:
        raise AssertionError(f"{agent} isn't asked, but {legal} are legal for it, not only action {wait_action}")


# --- what is checked after an episode --------------------------------------------------------------------------------


def _add_rewards(env: Env, given: defaultdict[Any, float]) -> None:
    for agent, reward in env.rewards.items():
        _check_finite(agent, reward)
        given[agent] += float(reward)


def _check_sums(turns: Sequence[_Turn], given: Mapping[Any, float]) -> None:
    """The rewards that `last()` gave an agent sum to those of its `rewards`."""
    returned: defaultdict[Any, float] = defaultdict(float)
    for turn in turns:
        returned[turn.agent] += turn.reward
    for agent in {**returned, **given}:
        if not math.isclose(returned[agent], given.get(agent, 0.0), abs_tol=1e-6):
            raise AssertionError(
                f"{agent} was given rewards of {given.get(agent, 0.0)} in all, but last() returned {returned[agent]}"
            )


def _state_space(env: Env) -> gymnasium.spaces.Space[Any]:
    space = getattr(env, "state_space", None)
    if not isinstance(space, gymnasium.spaces.Space):
        raise AssertionError(f"state_space must be a gymnasium space, not {space!r}")
    return space


def _checked_state(env: Env, space: gymnasium.spaces.Space[Any], step: int) -> npt.NDArray[Any]:
    state = env.state()
    if not isinstance(state, np.ndarray) or state.shape != space.shape or state.dtype != space.dtype:
        raise AssertionError(
            f"step {step}: state() must be a {space.dtype} array of shape {space.shape}, not {brief(state)}"
        )
    if not space.contains(state):
        raise AssertionError(f"step {step}: state() is outside state_space: {_outside(space, state)}")
    if not same(env.state(), state):
        raise AssertionError(f"step {step}: state() says something else the second time: a side effect of state()")
    return state


def _check_states(states: Sequence[npt.NDArray[Any]], copies: Sequence[npt.NDArray[Any]]) -> None:
    for step, (state, kept) in enumerate(zip(states, copies, strict=True)):
        if not same(state, kept):
            raise AssertionError(f"the array that state() gave at step {step} changed later")
    if all(same(state, copies[0]) for state in copies):
        raise AssertionError(f"state() was the same at all {len(states)} steps of an episode")


# --- helpers ---------------------------------------------------------------------------------------------------------


def _is_done(env: Env, agent: Any) -> bool:
    return bool(env.terminations[agent] or env.truncations[agent])


def _action_space(env: Env, agent: Any) -> gymnasium.spaces.Discrete:
    space = env.action_space(agent)
    if not isinstance(space, gymnasium.spaces.Discrete):
        raise AssertionError(f"a mask needs a Discrete action space; that of {agent} is {space}")
    return space


def _mask(env: Env, agent: Any, observation: Any) -> Any:
    """The mask of an observation, or else of the agent's info."""
    if isinstance(observation, Mapping) and "action_mask" in observation:
        return observation["action_mask"]
    if "action_mask" not in env.infos[agent]:
        raise AssertionError(f"neither observe({agent!r}) nor infos[{agent!r}] has an 'action_mask'")
    return env.infos[agent]["action_mask"]


def _legal(env: Env, agent: Any, mask: Any) -> list[int]:
    start = int(_action_space(env, agent).start)
    return [int(place) + start for place in np.flatnonzero(mask)]


def _public(env: Env) -> dict[str, Any]:
    """A copy of everything public except observations."""
    names = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")
    public = {name: copy.deepcopy(getattr(env, name)) for name in names}
    public["last()"] = copy.deepcopy(env.last(observe=False))
    if type(env.unwrapped).state is not AECEnv.state:
        public["state()"] = copy.deepcopy(env.state())
    return public


def _outside(space: gymnasium.spaces.Space[Any], value: Any) -> str:
    """Why a value isn't in a space, if that can be found."""
    if isinstance(space, gymnasium.spaces.Dict) and isinstance(value, Mapping):
        if set(space.keys()) != set(value):
            return f"it has {sorted(value)}, the space {sorted(space.keys())}"
        name = next((key for key in space if not space[key].contains(value[key])), "")
        return f"[{name!r}] {_outside(space[name], value[name])}" if name else brief(value)
    if not isinstance(space, gymnasium.spaces.Box) or not isinstance(value, np.ndarray) or value.shape != space.shape:
        return f"{brief(value)}, where {space} is declared"
    wrong = np.argwhere((value < space.low) | (value > space.high))
    if not len(wrong):
        return f"{brief(value)}, where dtype {space.dtype} is declared"
    place = tuple(int(part) for part in wrong[0])
    return f"entry {place} is {value[place]}, not from {space.low[place]} to {space.high[place]}"
