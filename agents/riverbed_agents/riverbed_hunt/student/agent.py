"""The student agents: `student`, and `student_lookahead`, which tries its best choices.

    riverbed evaluate student_lookahead:worlds=32 student:policy=results/student/policy.npz

Without a policy file of `riverbed distil` they play by the published student. The lookahead tries the student's best
actions in a few worlds drawn from the view and plays each on for two turns, as `lookahead` does. The student's action
values count as much as PRIOR_WORLDS of them.
"""

import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np

from riverbed_env.core.options import check_whole
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import KernelFamily, Numbers, Record, Vector, placeholder
from riverbed_env.kernels.networks import likeliest
from riverbed_env.kernels.random import draw
from riverbed_env.players.agents import CompiledAgent, Memory
from riverbed_env.players.policies import SavedPolicy, load_policy
from riverbed_env.rollouts.kernels import FOLDER
from riverbed_env.rollouts.networks import PLAYED_AT, compiled_policy, digest, link_network, packed

from ..kernels import kernel
from ..search.lookahead import MOST_WORLDS, TO_THE_END, make_buffers, try_choices
from ..sight import is_on_floor

FILE = Path(__file__).parent / "student.npz"  # of the published student; the study release_policies writes it

DEFAULT_WORLDS, DEFAULT_TURNS = 32, 2
DEFAULT_ACTIONS = 3  # the student's best, which are tried
MOST_BEHIND = 14.0  # points; an action that the student thinks worse by more isn't tried
PRIOR_WORLDS = 16.0  # worlds that the student's action values count as much as
POINTS = 100.0  # of a win

WORLDS, TURNS, ACTIONS, NETWORK = DEFAULT_WORLDS, DEFAULT_TURNS, DEFAULT_ACTIONS, None  # of the template, replaced
write_network_logits: Callable[..., None] = placeholder  # the student's logits


@kernel
def keep_best(values: Numbers, mask: Vector, count: int) -> Vector:
    """The `count` legal actions of the highest values, (NUM_ACTIONS,), none more than MOST_BEHIND below the best."""
    rest, kept = mask.copy(), np.zeros(NUM_ACTIONS, np.int8)
    lowest = values[likeliest(values, rest)] - MOST_BEHIND / PLAYED_AT
    for _ in range(count):
        best = likeliest(values, rest)
        if best >= 0 and values[best] >= lowest:
            kept[best] = 1
            rest[best] = 0
    return kept


def choose_with_worlds(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record
) -> int:
    """The best action by the student's action values and WORLDS worlds together, of its best ACTIONS."""
    action = only_legal(mask)
    if action < 0:
        values = np.zeros(NUM_ACTIONS, np.float32)
        write_network_logits(NETWORK, view, params, observation, mask, stream, values)
        left = keep_best(values, mask, ACTIONS)
        if is_on_floor(view) or left.sum() == 1:
            return likeliest(values, left)
        buffers = make_buffers(view, TURNS)
        won = np.zeros((NUM_ACTIONS, WORLDS), np.float32)
        seed = draw(stream)
        for world in range(WORLDS):
            try_choices(left, world, won, buffers, view, params, seed)
        for each in range(NUM_ACTIONS):
            values[each] = PRIOR_WORLDS * PLAYED_AT * values[each] + POINTS * won[each].sum()
        action = likeliest(values, left)
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
    check_whole("worlds", worlds, 1, MOST_WORLDS)
    check_whole("turns", turns, 0, TO_THE_END)
    check_whole("actions", actions, 2, NUM_ACTIONS)
    student = student_policy(policy)
    write = link_network(RIVERBED_HUNT, student.config.view, student.features).write
    sizes = {"WORLDS": worlds, "TURNS": turns or TO_THE_END, "ACTIONS": actions}
    links = {**sizes, "NETWORK": packed(student), "write_network_logits": write}
    name = f"student_{digest(student)}_{worlds}_{turns}_{actions}"
    features = (each for part in student.features for each in part.folders)
    folders = tuple(dict.fromkeys([*kernel.folders, *features, FOLDER]))
    linked = KernelFamily("riverbed_hunt_students", *folders).link(choose_with_worlds, f"choose_{name}", links)
    about = f"a student with {worlds} sampled worlds"
    return CompiledAgent(name, linked, folders=folders, about=about, by_view=True)
