"""A native environment of TorchRL over batches: its batch size is the number of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from riverbed_env.core.batch import Batch, read_actions
from riverbed_env.core.options import check_choice, check_known
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.registry import find_game

Tensors = dict[str, Any]

NOBODY = -1  # in place of a seat or a role


class LegalActions(Categorical):
    """A Categorical whose copies share its mask: what copied a spec, like a collector or a transform, draws legally."""

    def update_mask(self, mask: torch.Tensor | None) -> None:
        """Change the mask of this spec and of its copies."""
        known: torch.Tensor | None = self.__dict__.get("mask")
        if known is None or mask is None:
            super().update_mask(mask)
        else:
            known.copy_(mask)

    def clone(self) -> LegalActions:
        """A copy with the same mask."""
        return type(self)(self.space.n, self.shape, self.device, self.dtype, self.mask)


class RiverbedEnv(EnvBase):
    """`num_envs` games of any of the library's games; each step is one decision in every game.

    Each step asks the current seat of each game: `observation` (n, D) int8, `action_mask` (n, A) bool, `seat` and
    `role` (n, 1) int64 (-1 once a game is over), `action` (n,) int64. `reward` (n, 1) float32 is what the seat that
    acted got, and `returns` (n, seats) float32 what every seat got, both 0 until the game ends. A seat's own next turn
    comes some steps later: `own_turns` regroups a rollout so that values and advantages are right.

    A game that ends waits for the reset that TorchRL's rollouts and collectors make; the next game then takes its
    place.

    Args:
        game: its versioned name.
        num_envs: n, the batch size.
        return_state: adds `state` (n, S) int8, everything about the game, for central critics only.
        columns: names of what `Batch.ended_columns` tells. In the step that ends a game, `("columns", name)` (n, 1)
            says it, else it is 0.
        seed: of the numbered games, as in `riverbed_env.Batch`.
        device: where TorchRL puts the entries; the games are played on the CPU.
        options: those of `riverbed_env.Batch` but `auto_reset` (num_players, view, rewards, threads, pack, …), which
            may have several values to mix games of several sizes or packs.

    Raises:
        OptionError: the game, an option or a column isn't known, or a value isn't allowed.
        PackError: a content pack can't be read or breaks a rule.
    """

    def __init__(
        self,
        game: str = "riverbed_hunt_v1",
        num_envs: int = 1,
        *,
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
        kinds = {name: column.dtype for name, column in self.batch.ended_columns().items()}
        for name in columns:
            check_choice("columns", name, kinds)
        self._columns = {name: kinds[name] for name in columns}
        self._first = True  # the games of the constructor are the first ones
        self._new_seed: int | None = None
        batch, n, num_actions = self.batch, num_envs, known.actions.size
        shown: Tensors = {
            "observation": _pieces(known.observation, batch.size, n),
            "action_mask": Binary(num_actions, (n, num_actions), dtype=torch.bool),
            "seat": Bounded(NOBODY, batch.num_players - 1, (n, 1), dtype=torch.int64),
            "role": Bounded(NOBODY, len(known.roles) - 1, (n, 1), dtype=torch.int64),
            "returns": Unbounded((n, batch.num_players), dtype=torch.float32),
        }
        if self.return_state:
            shown["state"] = _pieces(known.state, known.state.size, n)
        if self._columns:
            types = {name: torch.from_numpy(np.zeros(0, kind)).dtype for name, kind in self._columns.items()}
            told: Tensors = {name: Unbounded((n, 1), dtype=kind) for name, kind in types.items()}
            shown["columns"] = Composite(told, shape=(n,))
        flags = {name: Categorical(2, (n, 1), dtype=torch.bool) for name in ("done", "terminated", "truncated")}
        legal = torch.ones((n, num_actions), dtype=torch.bool)
        self.observation_spec, self.done_spec = Composite(shown, shape=(n,)), Composite(flags, shape=(n,))
        self.action_spec = LegalActions(num_actions, (n,), dtype=torch.int64, mask=legal)
        self.reward_spec = Unbounded((n, 1), dtype=torch.float32)

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
        return self._shown(np.zeros_like(self.batch.returns))

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        acted = self.batch.seat.copy()
        self.batch.step(read_actions(tensordict.get("action").cpu().numpy(), self.batch.num_envs))
        returns = self.batch.returns * (acted >= 0)[:, None]  # a game that was over already pays nothing
        own = np.take_along_axis(returns, np.maximum(acted, 0)[:, None], axis=1)
        return self._shown(returns).set("reward", torch.from_numpy(own))

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """A uniformly drawn legal action for every game, from the games' own streams.

        Args:
            tensordict: where to set `action`; None: a new one.

        Returns:
            The tensordict, with `action` (n,) int64.
        """
        drawn = self._tensordict({"action": torch.from_numpy(self.batch.random_actions())})
        return drawn if tensordict is None else tensordict.update(drawn)

    def _set_seed(self, seed: int | None) -> None:
        self._new_seed = None if seed is None else int(seed)

    def _shown(self, returns: npt.NDArray[np.float32]) -> TensorDictBase:
        """The entries of the observation and done specs, as they are now; updates the mask of the action spec."""
        batch, seat = self.batch, self.batch.seat[:, None].copy()
        role = np.take_along_axis(batch.roles(), np.maximum(seat, 0), axis=1).astype(np.int64)
        over, truncated = seat < 0, batch.truncated[:, None]
        arrays = {
            "observation": batch.observation.copy(),
            "action_mask": batch.action_mask.astype(np.bool_),
            "seat": seat,
            "role": np.where(over, NOBODY, role),
            "returns": returns,
            "done": over,
            "terminated": over & ~truncated,
            "truncated": over & truncated,
        }
        if self.return_state:
            arrays["state"] = batch.states()
        shown: Tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        self.action_spec.update_mask(shown["action_mask"])
        if self._columns:  # of the games that the last step ended; 0 in the others' places
            ended = batch.ended_columns()
            told = {name: np.zeros((batch.num_envs, 1), kind) for name, kind in self._columns.items()}
            for name, column in told.items():
                column[batch.done, 0] = ended[name]
            columns = {name: torch.from_numpy(column) for name, column in told.items()}
            shown["columns"] = TensorDict(columns, self.batch_size)
        return self._tensordict(shown)

    def _tensordict(self, entries: Tensors) -> TensorDictBase:
        return TensorDict(entries, self.batch_size, device=self.device)


def _pieces(table: PieceTable, size: int, n: int) -> Bounded:
    """The spec of n vectors of a table's first numbers, (n, size) int8."""
    low, high = (torch.from_numpy(bound[:size]).expand(n, size) for bound in (table.low(), table.high()))
    return Bounded(low, high, (n, size), dtype=torch.int8)
