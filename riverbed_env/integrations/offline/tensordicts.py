"""Recorded games as TensorDicts of transitions between a seat's own turns."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tensordict import TensorDict

from riverbed_env.corpus import Corpus, Decisions, Games
from riverbed_env.corpus.corpus import DECISIONS, bits
from riverbed_env.corpus.replaying import Replayer
from riverbed_env.errors import OptionError

NAMED = ("seat", "role", "agent", "game", "step")


def tensordicts(
    corpus: Corpus,
    *,
    size: int = DECISIONS,
    view: str = "history",
    parts: Iterable[int] | None = None,
    agents: Collection[str] | None = None,
    roles: Collection[str] | None = None,
) -> Iterator[TensorDict]:
    """The transitions of the chosen seats, some games at a time; those of a seat in a game follow one another.

    Args:
        corpus: the recorded games.
        size: about how many decisions at a time.
        view: of the observations.
        parts: only these parts; None for all.
        agents: only seats that have one of these agents; None for all.
        roles: only seats that have one of these roles; None for all.

    Yields:
        Flat TensorDicts (n,), whose entries are those of `own_turns`. They hold observation (n, D) int8, action_mask
        (n, A) bool, action (n,) int64, seat and role (n, 1), and agent, game and step (n, 1) int64. `next` holds what
        the same seat saw at its own next turn, or when the game was over, its reward, and done, terminated and
        truncated. `terminated` is also set where the cap on a game's length ended it, as that pays the returns.

    Raises:
        OptionError: see `Corpus.decisions`.
    """
    seats = corpus.seats_of(agents, roles)
    replayer = Replayer(corpus.game, corpus.manifest, view, size, last=True)
    for games in corpus.chunks(size, parts):
        found = replayer.play(games, bits(seats(games)))
        if len(found):
            yield _transitions(games, found, replayer)


def tensordict(corpus: Corpus, **chosen: Any) -> TensorDict:
    """All transitions of the chosen seats in memory; see `tensordicts`.

    Args:
        corpus: the recorded games.
        chosen: the options of `tensordicts`.

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


def _transitions(games: Games, found: Decisions, replayer: Replayer) -> TensorDict:
    whose = np.searchsorted(games.number, found.game) * found.num_players + found.seat
    order = np.argsort(whose, kind="stable")
    taken, whose = found.take(order), whose[order]
    last = np.diff(whose, append=-1) != 0  # of a seat in a game
    masks, size = taken.action_mask, replayer.size
    seen, mask = np.split(replayer.last_rows[whose[last], : size + masks.shape[1]], [size], axis=1)
    entries: dict[str, npt.NDArray[Any]] = {name: getattr(taken, name)[:, None] for name in NAMED}
    entries |= {"action": taken.action, "observation": taken.observation, "action_mask": masks.astype(np.bool_)}
    after = {
        "observation": _following(taken.observation, seen, last),
        "action_mask": _following(masks, mask, last).astype(np.bool_),
        "reward": np.where(last, taken.returns, np.float32(0))[:, None],
        "done": last[:, None],
        "terminated": last[:, None],
        "truncated": np.zeros_like(last)[:, None],
    }
    count = (len(taken),)
    following = TensorDict({name: torch.from_numpy(each) for name, each in after.items()}, count)
    return TensorDict({**{name: torch.from_numpy(each) for name, each in entries.items()}, "next": following}, count)


def _following(
    rows: npt.NDArray[np.int8], at_end: npt.NDArray[np.int8], last: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int8]:
    """The row after each one; after the last of a seat in a game, that of the game's end."""
    following = np.roll(rows, -1, axis=0)
    following[last] = at_end
    return following
