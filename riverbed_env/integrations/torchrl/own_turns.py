"""Rollouts of turns regrouped by agent, from a seat's own turn to its own next one; and random legal play."""

import torch
from tensordict import TensorDict, TensorDictBase
from torch import Tensor

MASK = "action_mask"


def random_legal(tensordict: TensorDictBase) -> TensorDictBase:
    """Set a uniformly drawn legal action next to every "action_mask".

    For environments whose action specs have lost the masks: `SerialEnv`, `ParallelEnv`, TorchRL's PettingZooWrapper
    behind transforms.

    Args:
        tensordict: has masks (…, A), also in nested entries; those under "next" are left alone.

    Returns:
        The same tensordict, with actions (…) int64.
    """
    for key in list(tensordict.keys(include_nested=True, leaves_only=True)):
        *group, name = key if isinstance(key, tuple) else (key,)
        if name == MASK and "next" not in group:
            mask = tensordict.get(key)
            drawn = torch.multinomial(mask.reshape(-1, mask.shape[-1]).float(), 1).reshape(mask.shape[:-1])
            tensordict.set((*group, "action"), drawn)
    return tensordict


def own_turns(rollout: TensorDictBase) -> TensorDictBase:
    """The transitions of each agent between its own turns, one after the other.

    `next` holds what the seat saw at its own next turn, the reward it got in between, and done, terminated and
    truncated. After the last turn of a game `terminated` is set (also when the cap on its length ended it, as that pays
    its returns), and the observation repeats the last. The rows of an agent follow one another, so TorchRL's value
    estimators work on the result as they are: `GAE(...)(own_turns(rollout))`. An agent's last turn in a rollout that
    cuts its game has no next one and is left out; the turn before it ends with `truncated`, whose value is taken from
    the turn left out.

    Args:
        rollout: (n, T), of `RiverbedEnv` from a collector or `rollout`.

    Returns:
        A flat TensorDict (m,), whose entries keep their names.
    """
    over, paid = rollout.get(("next", "done"))[..., 0], rollout.get(("next", "returns"))
    turns = rollout.get("seat") == torch.arange(paid.shape[-1], device=paid.device)
    lane, seat, time = turns.movedim(1, 2).nonzero(as_tuple=True)
    game = over.cumsum(1) - over.long()  # of the rollout, by lane: (n, T)
    mine = game[lane, time]
    follows = torch.zeros_like(mine, dtype=torch.bool)
    follows[:-1] = (lane[1:] == lane[:-1]) & (seat[1:] == seat[:-1]) & (mine[1:] == mine[:-1])
    finished = ~follows & (mine < over.sum(1)[lane])
    kept = follows | finished
    following = torch.arange(len(lane), device=lane.device) + follows.long()
    rows = rollout.exclude("next", "done", "terminated", "truncated", "returns")[lane, time]
    cut = follows & ~kept[following]
    steps = torch.arange(game.shape[1], device=game.device).expand_as(game)
    last = torch.zeros_like(game).scatter_reduce(1, game, steps, "amax").gather(1, game)  # step of the same game
    reward = torch.where(finished, paid[lane, last[lane, time], seat], 0.0)  # all is paid at the end
    after: dict[str, Tensor] = {name: rows.get(name)[following] for name in ("observation", MASK)}
    flags = {"done": finished | cut, "terminated": finished, "truncated": cut, "reward": reward}
    after |= {name: flag[:, None] for name, flag in flags.items()}
    rows.set("next", TensorDict(after, rows.batch_size))
    return rows[kept]
