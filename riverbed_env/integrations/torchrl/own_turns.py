"""Rollouts of turns regrouped by agent: from a seat's own turn to its own next one."""

from __future__ import annotations

import torch
from tensordict import TensorDict, TensorDictBase
from torch import Tensor

from riverbed_env.errors import OptionError


def own_turns(rollout: TensorDictBase, group: str | None = None) -> TensorDictBase:
    """The transitions of each agent between its own turns, one after the other, as a flat TensorDict (m,).

    rollout: (n, T), of `RiverbedEnv` from a collector or `rollout`; group: one of its groups, None if it has none.
    Entries of the acting agent keep their names. `next` holds what it saw at its own next turn, the reward it got in
    between, and done, terminated and truncated. After the last turn of a game `terminated` is set (also when the cap on
    its length ended it, as that pays its returns), and the observation repeats the last. The rows of an agent follow
    one another, so TorchRL's value estimators work on the result as they are: `GAE(...)(own_turns(rollout))`. An
    agent's last turn in a rollout that cuts its game has no next one and is left out; the turn before it ends with
    `truncated`, whose value is taken from the turn left out. Raises OptionError if the rollout has no such group.
    """
    _check_group(rollout, group)
    turns, paid, over = _signals(rollout, group)
    lane, slot, time = turns.movedim(1, 2).nonzero(as_tuple=True)
    game = over.cumsum(1) - over.long()  # of the rollout, by lane: (n, T)
    mine = game[lane, time]
    follows = torch.zeros_like(mine, dtype=torch.bool)
    same = (lane[1:] == lane[:-1]) & (slot[1:] == slot[:-1]) & (mine[1:] == mine[:-1])
    follows[:-1] = same
    finished = ~follows & (mine < over.sum(1)[lane])
    kept = follows | finished
    following = torch.arange(len(lane), device=lane.device) + follows.long()
    rows = _rows(rollout, group, lane, time, slot)
    after = {name: rows.get(name)[following] for name in ("observation", "action_mask")}
    cut = follows & ~kept[following]
    flags = {"done": finished | cut, "terminated": finished, "truncated": cut}
    reward = _between(paid, game, lane, slot, time)
    after |= {name: flag[:, None] for name, flag in flags.items()} | {"reward": reward[:, None]}
    rows.set("next", TensorDict(after, rows.batch_size))
    return rows[kept]


def _check_group(rollout: TensorDictBase, group: str | None) -> None:
    """Raise OptionError unless the rollout has the group, or has none and None is asked for."""
    nested = {key for key in rollout.keys(include_nested=True) if isinstance(key, tuple)}
    groups = sorted(name for name, *rest in nested if rest == ["mask"])
    if group is None and groups:
        raise OptionError(f"group must be one of the rollout's groups, {', '.join(groups)}, not None")
    if group is not None and group not in groups:
        raise OptionError(f"group must be {' or '.join(groups) or 'None, as the rollout has no groups'}, not {group!r}")


def _signals(rollout: TensorDictBase, group: str | None) -> tuple[Tensor, Tensor, Tensor]:
    """Who acted (n, T, slots) bool, what each got (n, T, slots), and where the game ended (n, T) bool."""
    over = rollout.get(("next", "done"))[..., 0]
    if group is not None:
        return rollout.get((group, "mask")), rollout.get(("next", group, "reward"))[..., 0], over
    paid = rollout.get(("next", "returns"))
    turns = rollout.get("seat") == torch.arange(paid.shape[-1], device=paid.device)
    return turns, paid, over


def _rows(rollout: TensorDictBase, group: str | None, lane: Tensor, time: Tensor, slot: Tensor) -> TensorDictBase:
    """What the agent saw and did at each of its turns."""
    if group is None:
        return rollout.exclude("next", "done", "terminated", "truncated", "returns")[lane, time]
    return rollout.get(group).exclude("done", "terminated", "truncated", "mask")[lane, time, slot]


def _between(paid: Tensor, game: Tensor, lane: Tensor, slot: Tensor, time: Tensor) -> Tensor:
    """What an agent got from each of its turns until just before its next one or the end of the game, (m,)."""
    total = paid.cumsum(1)
    before = total[lane, time, slot] - paid[lane, time, slot]
    until = torch.full_like(time, paid.shape[1] - 1)
    same = (lane[1:] == lane[:-1]) & (slot[1:] == slot[:-1])
    until[:-1] = torch.where(same, time[1:] - 1, until[:-1])
    last = _last_steps(game)[lane, time]
    return total[lane, torch.minimum(until, last), slot] - before


def _last_steps(game: Tensor) -> Tensor:
    """The last step of the game that is under way at each step, (n, T). game: (n, T), from 0 in each lane."""
    steps = torch.arange(game.shape[1], device=game.device).expand_as(game)
    last = torch.zeros_like(game).scatter_reduce(1, game, steps, "amax")
    return last.gather(1, game)
