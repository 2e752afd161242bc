"""How recorded games ended, and how the same deals end with the reference in all open seats: what winners say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError

from ..playing.play import play_seated
from .choices import Group, groups_of, take_recorded
from .judge import Judge

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Outcomes:
    """Who won, (games, seats): `won` as recorded, NaN where a game isn't over; `usual` with the reference.

    roles: (games, seats), by name; shared: (games,), whether several seats were open.
    """

    roles: npt.NDArray[np.str_]
    won: Numbers
    instead: Numbers
    shared: Flags


def winners_of(judge: Judge, games: Sequence[RecordedGame], judged: Flags) -> Outcomes:
    """How games ended and would have with the judge's reference in all open seats.

    Raises OptionError if a game doesn't pay what its record says.
    """
    shape = judged.shape
    out = Outcomes(
        np.full(shape, "", "U32"), np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(len(games), bool)
    )
    lineups = judge.lineups(games, judged)
    out.shared[:] = (lineups < 0).sum(axis=1) > 1
    for group in groups_of(games):
        places, batch = group.places, group.batch
        out.roles[places] = np.array(batch.game.roles)[batch.game.roles_of(group.deals)]
        out.instead[places] = _played(judge, group, np.maximum(lineups[places], 0))
        out.won[places] = _as_recorded(group, [games[place] for place in places])
    return out


def _played(judge: Judge, group: Group, seats: npt.NDArray[np.int64]) -> Numbers:
    """Who wins the group's deals with these agents of the judge, (n, seats)."""
    batch = group.batch
    played = play_seated(
        *(batch.game, judge.agents, seats, batch.game_number.copy(), batch.seed),
        threads=judge.threads,
        **batch.options,
    )
    return np.asarray(batch.game.returns(played.games, batch.num_players) > 0, np.float64)


def _as_recorded(group: Group, games: Sequence[RecordedGame]) -> Numbers:
    """Who won as recorded, (n, seats)."""
    for decision in range(group.actions.shape[1]):
        take_recorded(group, decision, group.lengths > decision)
    batch = group.batch
    paid = np.asarray(batch.game.returns(batch.games, batch.num_players), np.float64)
    for game, row, going in zip(games, paid, batch.acting):
        if game.returns and not going and not np.allclose(game.returns, row):
            raise OptionError(f"game {game.number} of seed {game.seed} pays {row.tolist()}, not {list(game.returns)}")
    return np.where(batch.acting[:, None], np.nan, paid > 0)
