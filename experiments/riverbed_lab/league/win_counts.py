"""Win counts of each learner, by its role and by lineup; older games count less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator

from riverbed_env.core.schema import NOTHING_ELSE, Finite, of_kind

Tally = dict[tuple[str, str], tuple[float, float]]  # wins and games by role and lineup

PRIOR_GAMES = 2.0  # at the learner's overall win rate: the prior of a lineup
FORGOTTEN = 0.5  # games: counts that decay below this are dropped


@dataclass(frozen=True)
class Row:
    """A learner's games in a role among a lineup, and how many it won."""

    __pydantic_config__ = NOTHING_ELSE

    learner: str
    role: str
    lineup: str
    wins: Finite
    games: Finite


class WinCounts:
    """Wins and games by learner, role and the lineup's name."""

    def __init__(self) -> None:
        self._games: dict[str, Tally] = {}

    def add(self, learner: str, tally: Tally) -> None:
        """Count the games of a round."""
        mine = self._games.setdefault(learner, {})
        for key, (wins, games) in tally.items():
            before = mine.get(key, (0.0, 0.0))
            mine[key] = (before[0] + wins, before[1] + games)

    def fade(self, factor: float) -> None:
        """Multiply all counts by `factor`."""
        for learner, tally in self._games.items():
            faded = {key: (wins * factor, games * factor) for key, (wins, games) in tally.items()}
            self._games[learner] = {key: count for key, count in faded.items() if count[1] >= FORGOTTEN}

    def forget(self, learner: str) -> None:
        """Drop the counts of a learner that restarts."""
        self._games.pop(learner, None)

    def counted(self, learner: str, *, role: str | None = None, lineup: str | None = None) -> tuple[float, float]:
        """Wins and games of a learner, in one role or all, among one lineup or all."""
        counts = [
            count
            for (own, among), count in self._games.get(learner, {}).items()
            if role in (None, own) and lineup in (None, among)
        ]
        return sum(wins for wins, _ in counts), sum(games for _, games in counts)

    def win_rate(self, learner: str, lineup: str) -> float:
        """A learner's win rate among a lineup, 0 to 1; without games its overall win rate."""
        wins, games = self.counted(learner)
        overall = (wins + 1) / (games + 2)
        wins, games = self.counted(learner, lineup=lineup)
        return (wins + PRIOR_GAMES * overall) / (games + PRIOR_GAMES)

    def rows(self) -> Iterator[dict[str, Any]]:
        """All counts, a row for each learner, role and lineup."""
        for learner, tally in self._games.items():
            for (role, lineup), (wins, games) in tally.items():
                yield asdict(Row(learner, role, lineup, wins, games))

    @staticmethod
    def of(rows: Sequence[Row]) -> WinCounts:
        """The counts of the rows that `rows` gave. Raises ValueError for more wins than games."""
        counts = WinCounts()
        for row in rows:
            if not 0 <= row.wins <= row.games:
                raise ValueError(f"{row.wins} wins of {row.games} games")
            counts.add(row.learner, {(row.role, row.lineup): (row.wins, row.games)})
        return counts


def _tally_of(rows: Any) -> Tally:
    checked = of_kind(tuple[tuple[str, str, Finite, Finite], ...], rows, "tally")
    return {(role, lineup): (wins, games) for role, lineup, wins, games in checked}


# The same as files hold them: rows of role, lineup, wins and games; and `Row`s.
TallyRows = Annotated[
    Tally,
    PlainValidator(_tally_of),
    PlainSerializer(lambda tally: [[*key, *count] for key, count in tally.items()]),
]
WinCountRows = Annotated[
    WinCounts,
    PlainValidator(lambda rows: WinCounts.of(of_kind(tuple[Row, ...], rows, "results"))),
    PlainSerializer(lambda counts: list(counts.rows())),
]
