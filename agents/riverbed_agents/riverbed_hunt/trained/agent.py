"""Trained agents of Riverbed Hunt: `trained`, a policy for each role; and the policy of the agent `student`.

`riverbed train` and `riverbed distil` make the policy files; `python experiments/studies release_policies` copies them
here and notes their origin. They hold weights and a config, no code.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.players.agents import Agent, Memory, Streams, Vectors
from riverbed_env.players.policies import SUFFIX, SavedPolicy, load_policy

from ..observation_reader import FOLDERS

FOLDER = Path(__file__).parent / "policies"
STUDENT = "student"


@dataclass(frozen=True, eq=False)  # compared by identity: comparing the policies would compare their arrays
class ByRole:
    """An agent made of one agent per role, in the order of the game's roles, none with memory.

    folders: the source folders, by which a resumed evaluation recognises the agent.
    """

    name: str
    policies: tuple[Agent, ...]
    about: str = ""
    folders: tuple[Path, ...] = ()
    memory_size: int = 0

    def act(self, observations: Vectors, masks: Vectors, memory: Memory, rng: Streams) -> npt.NDArray[np.int64]:
        """A legal action for each game; see `Agent`. Calls each role's policy once, with all its games."""
        roles = observations[:, OBSERVATION.slices["own_role"]].argmax(axis=1)
        actions = np.zeros(len(roles), np.int64)
        for role, policy in enumerate(self.policies):
            rows = np.flatnonzero(roles == role)
            if not len(rows):
                continue
            streams = rng[rows]
            actions[rows] = policy.act(observations[rows], masks[rows], memory[rows], streams)
            rng[rows] = streams
        return actions


def policy_file(name: str) -> Path:
    """The file of a role's policy, or of the student."""
    return FOLDER / f"{name}{SUFFIX}"


def published(name: str, greedy: bool) -> SavedPolicy:
    """A role's policy, or the student. Raises OptionError if it is missing or for another version of the game."""
    return load_policy(policy_file(name), RIVERBED_HUNT, name=name, greedy=greedy)


@functools.cache
def trained_agent(greedy: bool = True) -> ByRole:
    """The agent `trained`: it takes the likeliest action, or draws from its policies if `greedy` is false."""
    policies = tuple(published(role, greedy) for role in RIVERBED_HUNT.roles)
    return ByRole("trained", policies, "trained, a network for every role, each in one seat of seven", FOLDERS)
