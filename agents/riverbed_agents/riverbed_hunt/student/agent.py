"""The student agents: `student`, and `student_lookahead`, which tries its best choices.

    riverbed evaluate student_lookahead:worlds=32 student:policy=results/student/policy.npz

Without a policy file of `riverbed distil` they play by the published student. The lookahead tries the student's best
actions in a few worlds drawn from the view and plays each on for two turns, as `lookahead` does. The student's action
values count as much as PRIOR_WORLDS of them.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.state import GAME
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import KernelFamily, Record
from riverbed_env.kernels.random import draw
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.policies import SavedPolicy, load_policy
from riverbed_env.rollouts.kernels import FOLDER
from riverbed_env.rollouts.networks import PLAYED_AT, compiled_policy, digest, link_network, packed

from ..kernels import kernel
from ..search.lookahead import MOST_WORLDS, try_choices
from ..search.rollout import make_buffers, on_floor, turns_played

Vector = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

FILE = Path(__file__).parent / "student.npz"  # of the published student; the study release_policies writes it

DEFAULT_WORLDS, DEFAULT_TURNS = 32, 2
DEFAULT_ACTIONS = 3  # the student's best, which are tried
MOST_BEHIND = 14.0  # points; an action that the student thinks worse by more isn't tried
PRIOR_WORLDS = 16.0  # worlds that the student's action values count as much as
POINTS = 100.0  # of a win

WORLDS, TURNS, ACTIONS, NETWORK = DEFAULT_WORLDS, DEFAULT_TURNS, DEFAULT_ACTIONS, None  # of the template, replaced


def write_action_values(
    net: Any, view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Numbers
) -> None:
    """The student's logits; replaced."""
    raise NotImplementedError


@kernel
def best_of(values: Numbers, among: Flags) -> int:
    """The action with the highest value, -1 if there is none."""
    best = -1
    for action in range(NUM_ACTIONS):
        if among[action] and (best < 0 or values[action] > values[best]):
            best = action
    return best


@kernel
def keep_best(values: Numbers, mask: Vector, count: int) -> Flags:
    """The `count` legal actions of the highest values, (NUM_ACTIONS,), none more than MOST_BEHIND below the best."""
    rest = mask.astype(np.bool_)
    kept = np.zeros(NUM_ACTIONS, np.bool_)
    lowest = values[best_of(values, rest)] - MOST_BEHIND / PLAYED_AT
    for _ in range(count):
        best = best_of(values, rest)
        if best >= 0 and values[best] >= lowest:
            kept[best] = True
            rest[best] = False
    return kept


def choose_with_worlds(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """The best action by the student's action values and WORLDS worlds together, of its best ACTIONS."""
    action = only_legal(mask)
    if action < 0:
        values = np.zeros(NUM_ACTIONS, np.float32)
        write_action_values(NETWORK, view, params, observation, mask, stream, values)
        left = keep_best(values, mask, ACTIONS)
        if on_floor(view["table"]) or left.sum() == 1:
            return best_of(values, left)
        buffers = make_buffers()
        buffers.last_turn[0] = int(view["table"]["turn"]) + TURNS
        sampled = np.zeros(1, GAME)
        won = np.zeros((NUM_ACTIONS, WORLDS), np.float32)
        seed = draw(stream)
        for world in range(WORLDS):
            try_choices(left, world, won, sampled, buffers, view, params, seed)
        for each in range(NUM_ACTIONS):
            values[each] = PRIOR_WORLDS * PLAYED_AT * values[each] + POINTS * won[each].sum()
        action = best_of(values, left)
        sampled[0]["number"] = 0  # Numba frees an array after its last use, even if records of it are in use
    return action


def student_policy(path: str) -> SavedPolicy:
    """The policy of a file that `riverbed distil` wrote; the published student's without a path."""
    return load_policy(Path(path) if path else FILE, RIVERBED_HUNT, name=path or "student")


@functools.cache
def student_agent(policy: str = "") -> CompiledAgent:
    """A student's likeliest action. policy: a file that `riverbed distil` wrote; the published student without one."""
    return compiled_policy(student_policy(policy), RIVERBED_HUNT)


@functools.cache
def student_lookahead_agent(
    policy: str = "", worlds: int = DEFAULT_WORLDS, turns: int = DEFAULT_TURNS, actions: int = DEFAULT_ACTIONS
) -> CompiledAgent:
    """The student with a few worlds: each of its best `actions` is played on for `turns` turns in `worlds` worlds.

    Raises OptionError unless worlds is 1 to MOST_WORLDS, turns 0 (to the end) to TO_THE_END and actions 2 to
    NUM_ACTIONS.
    """
    if not 1 <= worlds <= MOST_WORLDS:
        raise OptionError(f"worlds must be from 1 to {MOST_WORLDS:,}, not {worlds}")
    if not 2 <= actions <= NUM_ACTIONS:
        raise OptionError(f"actions must be from 2 to {NUM_ACTIONS}, not {actions}")
    student, played = student_policy(policy), turns_played(turns)
    write = link_network(RIVERBED_HUNT, student.config.view, student.features).write
    links = {
        "WORLDS": worlds,
        "TURNS": played,
        "ACTIONS": actions,
        "NETWORK": packed(student),
        "write_action_values": write,
    }
    name = f"student_{digest(student)}_{worlds}_{turns}_{actions}"
    features = (each for part in student.features for each in part.folders)
    folders = tuple(dict.fromkeys([*kernel.folders, *features, FOLDER]))
    linked = KernelFamily("riverbed_hunt_students", *folders).link(choose_with_worlds, f"choose_{name}", links)
    about = f"a student with {worlds} sampled worlds"
    return CompiledAgent(name, linked, folders=folders, about=about, by_view=True)
