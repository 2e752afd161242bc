"""Trained agents of Riverbed Hunt: policies that come with the library, one for each role or one for all.

Their files are made by `riverbed train` and put beside this one by `python experiments/studies release_policies`,
which says where they come from. They hold numbers and words, no code, and are played by NumPy.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.players.agents import Agent, Memory, PythonAgent, Streams, Vectors
from riverbed_env.players.policies import SUFFIX, SavedPolicy, load_policy

from ..observation_reader import FOLDERS

FOLDER = Path(__file__).parent / "policies"
SHARED = "shared"


@dataclass(frozen=True, eq=False)  # its policies' arrays aren't compared: it is equal to itself alone
class ByRole:
    """An agent that plays each role by an agent for that role, in the order of the game's roles; none keeps memory.

    folders: what it is made of, so that an evaluation that is taken up again knows it from another.
    """

    name: str
    policies: tuple[Agent, ...]
    about: str = ""
    folders: tuple[Path, ...] = ()
    memory_size: int = 0

    def act(self, observations: Vectors, masks: Vectors, memory: Memory, rng: Streams) -> npt.NDArray[np.int64]:
        """One legal action for each game; see `Agent`. Each role's policy is asked once, for all games at a time."""
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
    """Where the policy of a role, or the shared one, is kept."""
    return FOLDER / f"{name}{SUFFIX}"


def published(name: str, greedy: bool) -> SavedPolicy:
    """The policy of a role, or the shared one; OptionError where it is missing or for another version of the game."""
    return load_policy(policy_file(name), RIVERBED_HUNT, name=name, greedy=greedy)


@functools.cache
def trained_agent(greedy: bool = True) -> ByRole:
    """Trained, a network for every role; takes the likeliest action, or draws from its policy if `greedy` is false."""
    policies = tuple(published(role, greedy) for role in RIVERBED_HUNT.roles)
    return ByRole("trained", policies, "trained, a network for every role, each in one seat of seven", FOLDERS)


@functools.cache
def shared_agent(greedy: bool = True) -> PythonAgent:
    """Trained, one network for all roles and 4 to 9 players; likeliest action, or drawn if `greedy` is false."""
    about = "trained, one network for all roles and 4 to 9 players"
    return PythonAgent(SHARED, published(SHARED, greedy).act, about=about, folders=FOLDERS)
