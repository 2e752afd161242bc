"""The rows of a judgement: what an agent's choices were worth in all its seats, by camp, role and seat."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError

from ..playing.play import play_seated
from ..statistics import Mean, clustered_mean
from .choices import groups_of, take_recorded
from .judge import Flags, Judge, Judged, Numbers

ALL, CAMP, ROLE, SEAT = GROUPS = ("all seats", "camp", "role", "seat")
WITHIN = 0.03  # of a win: the interval that games are counted for


@dataclass(frozen=True)
class JudgedRow:
    """What an agent's choices were worth in some seats, as shares of a win, and what winners say of the same games.

    setup: the environment and number of players; group and name: "all seats", or a camp, role or seat by its name;
    games: seats judged; choices: those that differ from the reference's; gain: per judged seat and game; winners: how
    much more often these seats won than the reference in them on the same deals, in finished games with one open seat;
    needed and needed_by_winners: games for an interval of +-WITHIN, None if nothing can be said.
    """

    setup: str
    agent: str
    group: str
    name: str
    games: int
    choices: int
    gain: Mean
    winners: Mean
    needed: int | None
    needed_by_winners: int | None


def rows_of(
    setup: str,
    judged: Judged,
    agents: npt.NDArray[np.str_],
    roles: npt.NDArray[np.str_],
    more: Numbers,
    camps: Mapping[str, str],
) -> Iterator[JudgedRow]:
    """The rows of a setup's games: of each judged agent in all seats, then by camp, by role and by seat.

    agents, roles: (games, seats), by name; more: see `winners`; camps: the camp of each role.
    """
    by_camp = np.array([camps[role] for role in roles.ravel().tolist()]).reshape(roles.shape)
    by_seat = np.broadcast_to(np.arange(roles.shape[1]).astype(np.str_), roles.shape)
    for agent in dict.fromkeys(agents[judged.judged].tolist()):
        mine = judged.judged & (agents == agent)
        yield _row(setup, judged, more, agent, (ALL, ""), mine)
        for group, names in ((CAMP, by_camp), (ROLE, roles), (SEAT, by_seat)):
            named = dict.fromkeys(names[mine].tolist()) if group != SEAT else sorted(set(names[mine].tolist()), key=int)
            if len(named) > 1:
                yield from (_row(setup, judged, more, agent, (group, name), mine & (names == name)) for name in named)


def _row(setup: str, judged: Judged, more: Numbers, agent: str, group: tuple[str, str], seats: Flags) -> JudgedRow:
    gain, deal = judged.gain(seats), np.unique(judged.deal, return_inverse=True)[1]
    known = seats & np.isfinite(more)
    winners = clustered_mean(more[known], deal[np.nonzero(known)[0]])
    choices = int(seats[judged.choices.game, judged.choices.seat].sum())
    needed = (games_for(each) for each in (gain, winners))
    return JudgedRow(setup, agent, *group, int(seats.sum()), choices, gain, winners, *needed)


def games_for(mean: Mean) -> int | None:
    """How many games give an interval of +-WITHIN, from this one's width; None if it has none."""
    half = (mean.high - mean.low) / 2
    return math.ceil(mean.count * (half / WITHIN) ** 2) if math.isfinite(half) else None


def winners(judge: Judge, games: Sequence[RecordedGame], judged: Flags) -> tuple[npt.NDArray[np.str_], Numbers]:
    """The roles of recorded games by name, and how much more often their one open seat won than the reference there.

    Both are (games, seats); NaN where a game isn't over or other seats are open. Raises OptionError if a game doesn't
    pay what its record says.
    """
    roles, more = np.full(judged.shape, "", "U32"), np.full(judged.shape, np.nan)
    lineups = judge.lineups(games, judged)
    alone = judged & ((lineups < 0).sum(axis=1) == 1)[:, None]
    for group in groups_of(games):
        places, batch = group.places, group.batch
        roles[places] = np.array(batch.game.roles)[batch.game.roles_of(group.deals)]
        seats, options = np.maximum(lineups[places], 0), {**batch.options, "threads": judge.threads}
        usual = play_seated(batch.game, judge.agents, seats, batch.game_number.copy(), batch.seed, **options)
        for decision in range(group.actions.shape[1]):
            take_recorded(group, decision, group.lengths > decision)
        paid, instead = (
            np.asarray(batch.game.returns(records, batch.num_players)) for records in (batch.games, usual.games)
        )
        for place, row, going in zip(places.tolist(), paid, batch.acting):
            game = games[place]
            if game.returns and not going and not np.allclose(game.returns, row):
                raise OptionError(
                    f"game {game.number} of seed {game.seed} pays {row.tolist()}, not {list(game.returns)}"
                )
        won = (paid > 0).astype(np.float64) - (instead > 0)
        more[places] = np.where(alone[places] & ~batch.acting[:, None], won, np.nan)
    return roles, more
