"""Recorded games as TensorDicts of transitions between a seat's own turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tensordict import TensorDict

from riverbed_env.corpus import Corpus, Trajectories, trajectories
from riverbed_env.errors import OptionError

NAMED = ("action", "seat", "role", "agent", "game", "step")


def tensordicts(corpus: Corpus, **chosen: Any) -> Iterator[TensorDict]:
    """The transitions of the chosen seats, some games at a time.

    Args:
        corpus: the recorded games.
        chosen: the options of `corpus.trajectories`.

    Yields:
        Flat TensorDicts (n,), whose entries are those of `own_turns`. They hold observation (n, D) int8, action_mask
        (n, A) bool, action (n,) int64, seat and role (n, 1), and agent, game and step (n, 1) int64. `next` holds what
        the same seat saw at its own next turn, or when the game was over, its reward, and done, terminated and
        truncated. `terminated` is also set where the cap on a game's length ended it, as that pays the returns.

    Raises:
        OptionError: see `Corpus.decisions`.
    """
    for found in trajectories(corpus, **chosen):
        yield _transitions(found)


def tensordict(corpus: Corpus, **chosen: Any) -> TensorDict:
    """All transitions of the chosen seats in memory; see `tensordicts`.

    Args:
        corpus: the recorded games.
        chosen: the options of `corpus.trajectories`.

    Returns:
        One flat TensorDict (n,).

    Raises:
        OptionError: there are none, or as in `Corpus.decisions`.
    """
    parts = list(tensordicts(corpus, **chosen))
    if not parts:
        raise OptionError(f"{corpus.folder} has no decisions of these")
    whole: TensorDict = torch.cat(parts)
    return whole


def _transitions(found: Trajectories) -> TensorDict:
    decisions, last = found.decisions, found.is_last
    entries = {name: torch.from_numpy(getattr(decisions, name)[:, None]) for name in NAMED}
    entries["action"] = entries["action"][:, 0]
    flags = {"done": last, "terminated": last, "truncated": np.zeros_like(last)}
    after = {
        "observation": torch.from_numpy(_following(decisions.observation, found.last_observation, last)),
        "action_mask": torch.from_numpy(_following(decisions.action_mask, found.last_mask, last)).bool(),
        "reward": torch.from_numpy(found.rewards[:, None]),
        **{name: torch.from_numpy(flag[:, None]) for name, flag in flags.items()},
    }
    entries["observation"] = torch.from_numpy(decisions.observation)
    entries["action_mask"] = torch.from_numpy(decisions.action_mask).bool()
    count = (len(decisions),)
    return TensorDict({**entries, "next": TensorDict(after, count)}, count)


def _following(
    rows: npt.NDArray[np.int8], at_end: npt.NDArray[np.int8], last: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int8]:
    """The row after each one; after the last of a trajectory, that of its end."""
    following = np.roll(rows, -1, axis=0)
    following[last] = at_end
    return following
