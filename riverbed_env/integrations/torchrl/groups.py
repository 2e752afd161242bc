"""Groups of agents in TorchRL's convention: which seat of which game sits in which slot of which group."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import NO_ROLE
from riverbed_env.core.options import check_choice
from riverbed_env.errors import RiverbedError

from .specs import NOBODY

Slots = npt.NDArray[np.int64]

AGENTS = "agents"  # the name of the one group of all
GROUPINGS = ("all", "seat", "role")
DEALT = 4096  # games looked at to learn how many seats of a role there can be


class Groups:
    """The slots of each group; `seats_of(roles)` says who sits in them.

    group_by: "all" is one group, "agents", with a slot for every seat; "seat" a group for every seat, `player_0`, …;
    "role" a group for every role, with as many slots as seats of one game can have it, in the order of the seats.
    """

    def __init__(self, batch: Batch, group_by: str) -> None:
        check_choice("group_by", group_by, GROUPINGS)
        self.group_by, self.game = group_by, batch.game
        self.sizes = self._sizes(batch)

    def _sizes(self, batch: Batch) -> dict[str, int]:
        if self.group_by == "all":
            return {AGENTS: batch.num_players}
        if self.group_by == "seat":
            return {f"player_{seat}": 1 for seat in range(batch.num_players)}
        most = _most_of_each_role(batch)
        return {role: count for role, count in zip(batch.game.roles, most) if count}

    @property
    def group_map(self) -> Mapping[str, list[str]]:
        """The agents of each group, by name, as TorchRL's losses and examples expect it."""
        if self.group_by == "role":
            return {name: [f"{name}_{slot}" for slot in range(size)] for name, size in self.sizes.items()}
        return {
            name: [name] if size == 1 else [f"player_{s}" for s in range(size)] for name, size in self.sizes.items()
        }

    def seats_of(self, roles: npt.NDArray[np.int8]) -> dict[str, Slots]:
        """The seat in each slot of each game, (n, slots) for each group; NOBODY in an empty one. roles: (n, seats)."""
        seats = np.where(roles != NO_ROLE, np.arange(roles.shape[1]), NOBODY)
        if self.group_by == "all":
            return {AGENTS: seats}
        if self.group_by == "seat":
            return {name: seats[:, place : place + 1] for place, name in enumerate(self.sizes)}
        return {name: self._holders(roles == self.game.roles.index(name), name) for name in self.sizes}

    def _holders(self, held: npt.NDArray[np.bool_], role: str) -> Slots:
        """The seats that have the role, in order, (n, slots). held: (n, seats)."""
        size = self.sizes[role]
        if held.sum(axis=1).max() > size:
            raise RiverbedError(f"a game dealt {role} to more than {size} seats; group by seat instead")
        order = np.argsort(~held, axis=1, kind="stable")[:, :size]
        return np.where(np.take_along_axis(held, order, axis=1), order, NOBODY)


def _most_of_each_role(batch: Batch) -> list[int]:
    """The most seats with each role in the first deals with each set of options."""
    game, most, every = batch.game, np.zeros(len(batch.game.roles), np.int64), np.arange(DEALT)
    for number in range(len(batch.params)):
        games = np.zeros(DEALT, game.dtype)
        game.loops.deal_games(games, batch.params, np.full(DEALT, number), 0, every, every)
        roles = game.roles_of(games)
        most = np.maximum(most, [(roles == role).sum(axis=1).max() for role in range(len(most))])
    return most.tolist()
