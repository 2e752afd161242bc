"""A native environment of TorchRL over batches: its batch size is the number of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Unbounded
from torchrl.envs import EnvBase

from riverbed_env.core.batch import Batch, read_actions
from riverbed_env.core.options import check_choice, check_known
from riverbed_env.errors import IllegalActionError
from riverbed_env.kernels.actions import WAIT
from riverbed_env.registry import find_game

from . import specs
from .groups import Groups
from .specs import NOBODY

Tensors = dict[str, Any]
Occupied = npt.NDArray[np.bool_]


class RiverbedEnv(EnvBase):
    """`num_envs` games of any of the library's games; each step is one decision in every game.

    game: its versioned name; options: those of `riverbed_env.Batch` (num_players, view, rewards, threads, pack, …),
    which may have several values to mix games of several sizes or packs; seed as there.

    Without `group_by`, each step asks the current seat of each game: `observation` (n, D) int8, `action_mask` (n, A)
    bool, `seat` and `role` (n, 1) int64 (-1 once a game is over), `action` (n,) int64. `reward` (n, 1) is what the seat
    that acted got, and `returns` (n, seats) what every seat got, both 0 until the game ends. A seat's own next turn
    comes some steps later: `own_turns` regroups a rollout so that values and advantages are right.

    With `group_by` "all", "seat" or "role", entries are nested by group as in TorchRL's other multi-agent
    environments, (n, slots, …): `mask` tells the slot whose turn it is; the rows of the others are 0 and their only
    legal action is 0. `seat` is each slot's, -1 in an empty one. `group_map` names the agents.

    return_state: adds `state` (n, S) int8, everything about the game, for central critics only. columns: names of what
    `Batch.ended_columns` tells; in the step that ends a game, `("columns", name)` (n, 1) says it, else it is 0. A game
    that ends waits for the reset that TorchRL's rollouts and collectors make; the next game then takes its place.
    """

    def __init__(
        self,
        game: str = "riverbed_hunt_v1",
        num_envs: int = 1,
        *,
        group_by: str | None = None,
        return_state: bool = False,
        columns: Sequence[str] = (),
        seed: int | None = None,
        device: Any = None,
        **options: Any,
    ) -> None:
        known = find_game(game)
        check_known(known, options, RiverbedEnv.__init__, Batch.__init__, fixed=("auto_reset",))
        self.batch = Batch(known, num_envs, seed=seed, auto_reset=False, **options)
        super().__init__(device=device, batch_size=torch.Size([num_envs]))
        self.return_state = return_state
        self.groups = None if group_by is None else Groups(self.batch, group_by)
        kinds = {name: column.dtype for name, column in self.batch.ended_columns().items()}
        for name in columns:
            check_choice("columns", name, kinds)
        self._columns = {name: kinds[name] for name in columns}
        self._first = True  # the games of the constructor are the first ones
        self._new_seed: int | None = None
        self._make_specs()
        self._look()

    @property
    def group_map(self) -> Mapping[str, list[str]]:
        """The agents of each group, by name; without groups, every seat under "agents"."""
        return (self.groups or Groups(self.batch, "all")).group_map

    # --- specs --------------------------------------------------------------------------------------------------

    def _make_specs(self) -> None:
        batch, n = self.batch, self.batch.num_envs
        observation = self._turn_specs() if self.groups is None else self._group_specs()
        if self.return_state:
            observation["state"] = specs.whole_state(batch, (n,))
        if self._columns:
            kinds = {name: torch.from_numpy(np.zeros(0, kind)).dtype for name, kind in self._columns.items()}
            told: Tensors = {name: Unbounded((n, 1), dtype=kind) for name, kind in kinds.items()}
            observation["columns"] = specs.together(told, (n,))
        done = specs.flags((n, 1))
        if self.groups is None:
            action, reward = specs.actions(batch, (n,)), specs.payments((n, 1))
            self.action_spec, self.reward_spec = action, reward
        else:
            shapes = {name: (n, size) for name, size in self.groups.sizes.items()}
            nested = {name: {"action": specs.actions(batch, shape)} for name, shape in shapes.items()}
            self.action_spec = specs.together(_composites(nested, shapes), (n,))
            nested = {name: {"reward": specs.payments((*shape, 1))} for name, shape in shapes.items()}
            self.reward_spec = specs.together(_composites(nested, shapes), (n,))
            done |= _composites({name: specs.flags((*shape, 1)) for name, shape in shapes.items()}, shapes)
        self.observation_spec = specs.together(observation, (n,))
        self.done_spec = specs.together(done, (n,))

    def _turn_specs(self) -> Tensors:
        batch, n = self.batch, self.batch.num_envs
        return {
            **specs.observed(batch, (n,)),
            "seat": specs.place(batch.num_players, (n, 1)),
            "role": specs.place(len(batch.game.roles), (n, 1)),
            "returns": specs.payments((n, batch.num_players)),
        }

    def _group_specs(self) -> Tensors:
        assert self.groups is not None
        batch, n = self.batch, self.batch.num_envs
        shapes = {name: (n, size) for name, size in self.groups.sizes.items()}
        entries = {
            name: {
                **specs.observed(batch, shape),
                "seat": specs.place(batch.num_players, shape),
                "role": specs.place(len(batch.game.roles), shape),
                "mask": specs.flags(shape)["done"],
            }
            for name, shape in shapes.items()
        }
        return _composites(entries, shapes)

    # --- playing ------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Note whose turn it is, and in which slots."""
        self._seat, self._held = self.batch.seat.copy(), self.batch.roles()
        if self.groups is not None:
            self._seats = self.groups.seats_of(self._held)
            acting = self._seat[:, None]
            self._turns = {name: (seats == acting) & (acting >= 0) for name, seats in self._seats.items()}

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        wanted = None if tensordict is None else tensordict.get("_reset", None)
        every = np.ones(self.batch.num_envs, np.bool_)
        chosen = every if wanted is None else wanted.cpu().numpy().reshape(self.batch.num_envs, -1).any(axis=1)
        if not chosen.all():
            dealt = np.flatnonzero(chosen)
            self.batch.deal(self.batch.game_number[dealt] + self.batch.num_envs, dealt)
        elif not self._first or self._new_seed is not None:
            self.batch.reset(self._new_seed)
        self._first, self._new_seed = False, None
        self._look()
        return self._as_tensordict(_merged(self._shown(), self._ends()))

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        acted = self._seat
        self.batch.step(self._chosen(tensordict))
        self._look()
        returns = self.batch.returns * (acted >= 0)[:, None]  # a game that was over already pays nothing
        shown = self._shown(returns)
        if self.groups is None:
            own = np.take_along_axis(returns, np.maximum(acted, 0)[:, None], axis=1)
            shown["reward"] = torch.from_numpy(own)
        else:
            for name, seats in self._seats.items():
                paid = np.take_along_axis(returns, np.maximum(seats, 0), axis=1) * (seats >= 0)
                shown[name]["reward"] = torch.from_numpy(paid[:, :, None])
        return self._as_tensordict(_merged(shown, self._ends()))

    def _chosen(self, tensordict: TensorDictBase) -> npt.NDArray[np.int64]:
        """The action of the current seat of each game, (n,). Raises IllegalActionError for what isn't a row of them."""
        if self.groups is None:
            return read_actions(tensordict.get("action").cpu().numpy(), self.batch.num_envs)
        chosen = np.zeros(self.batch.num_envs, np.int64)
        for name, turns in self._turns.items():
            given = tensordict.get((name, "action")).cpu().numpy()
            if given.shape != turns.shape or not np.issubdtype(given.dtype, np.integer):
                raise IllegalActionError(
                    f"actions of {name} must be integers of shape {turns.shape}, not {given.dtype} of {given.shape}"
                )
            chosen[turns.any(axis=1)] = given[turns]
        return chosen

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """A uniformly drawn legal action for every game, from the games' own streams."""
        actions = self.batch.random_actions()
        given: Tensors = {"action": torch.from_numpy(actions)}
        if self.groups is not None:
            given = {}
            for name, turns in self._turns.items():
                slots = np.full(turns.shape, WAIT, np.int64)
                slots[turns] = actions[turns.any(axis=1)]
                given[name] = {"action": torch.from_numpy(slots)}
        drawn = self._as_tensordict(given)
        return drawn if tensordict is None else tensordict.update(drawn)

    def _set_seed(self, seed: int | None) -> None:
        self._new_seed = None if seed is None else int(seed)

    # --- what is seen -------------------------------------------------------------------------------------------

    def _shown(self, returns: npt.NDArray[np.float32] | None = None) -> Tensors:
        """The entries of the observation spec, as they are now; updates the masks of the action spec."""
        batch = self.batch
        observation, mask = batch.observation.copy(), batch.action_mask.astype(np.bool_)
        shown = self._turn(observation, mask) if self.groups is None else self._grouped(observation, mask)
        if self.groups is None:
            paid = np.zeros((batch.num_envs, batch.num_players), np.float32) if returns is None else returns
            shown["returns"] = torch.from_numpy(paid)
            self.action_spec.update_mask(shown["action_mask"])
        else:
            for name in self._seats:
                self.full_action_spec[name, "action"].update_mask(shown[name]["action_mask"])
        if self.return_state:
            shown["state"] = torch.from_numpy(batch.states())
        if self._columns:
            shown["columns"] = self._told()
        return shown

    def _told(self) -> TensorDictBase:
        """The chosen columns of the games that the last step ended, 0 in the others' places."""
        done, told = self.batch.done, self.batch.ended_columns()
        every = {name: np.zeros((self.batch.num_envs, 1), kind) for name, kind in self._columns.items()}
        for name, column in every.items():
            column[done, 0] = told[name]
        return TensorDict({name: torch.from_numpy(column) for name, column in every.items()}, self.batch_size)

    def _turn(self, observation: npt.NDArray[np.int8], mask: Occupied) -> Tensors:
        seat = self._seat[:, None]
        return {
            "observation": torch.from_numpy(observation),
            "action_mask": torch.from_numpy(mask),
            "seat": torch.from_numpy(seat.copy()),
            "role": torch.from_numpy(self._roles(seat)),
        }

    def _grouped(self, observation: npt.NDArray[np.int8], mask: Occupied) -> Tensors:
        shown: Tensors = {}
        for name, seats in self._seats.items():
            turns = self._turns[name]
            asked = turns.any(axis=1)
            observations = np.zeros((*turns.shape, observation.shape[1]), np.int8)
            observations[turns] = observation[asked]
            masks = np.zeros((*turns.shape, mask.shape[1]), np.bool_)
            masks[:, :, WAIT] = True
            masks[turns] = mask[asked]
            entries = {"observation": observations, "action_mask": masks, "role": self._roles(seats)}
            entries |= {"seat": seats.copy(), "mask": turns.copy()}  # what is handed out is the caller's
            shown[name] = {key: torch.from_numpy(value) for key, value in entries.items()}
        return shown

    def _roles(self, seats: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The role of each of these seats of each game, NOBODY for none."""
        roles = np.take_along_axis(self._held, np.maximum(seats, 0), axis=1).astype(np.int64)
        return np.where(seats >= 0, roles, NOBODY)

    def _ends(self) -> Tensors:
        """The flags of environments whose game is over."""
        over, truncated = self._seat < 0, self.batch.truncated
        named = {"done": over, "terminated": over & ~truncated, "truncated": over & truncated}
        flags = {name: torch.from_numpy(flag[:, None].copy()) for name, flag in named.items()}
        if self.groups is None:
            return flags
        sizes = self.groups.sizes
        nested = {
            name: {key: flag[:, None].repeat(1, size, 1) for key, flag in flags.items()} for name, size in sizes.items()
        }
        return {**flags, **nested}

    def _as_tensordict(self, entries: Tensors) -> TensorDictBase:
        nested = {
            key: TensorDict(value, (self.batch.num_envs, *self._width(key))) if isinstance(value, dict) else value
            for key, value in entries.items()
        }
        return TensorDict(nested, self.batch_size, device=self.device)

    def _width(self, name: str) -> tuple[int, ...]:
        return () if self.groups is None else (self.groups.sizes[name],)


def _composites(entries: Mapping[str, Tensors], shapes: Mapping[str, tuple[int, ...]]) -> Tensors:
    """The composite spec of each group."""
    return {name: specs.together(nested, shapes[name]) for name, nested in entries.items()}


def _merged(first: Tensors, second: Tensors) -> Tensors:
    """Both, entries of the same group together."""
    both = dict(first)
    for name, value in second.items():
        both[name] = {**both[name], **value} if isinstance(value, dict) and name in both else value
    return both
