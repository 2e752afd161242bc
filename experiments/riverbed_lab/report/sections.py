"""The report's sections: the grids and pictures made from the results, and their explanations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from ..evaluation.inference import Compared
from ..evaluation.ratings import Ratings
from ..evaluation.results import (
    InferenceRow,
    LearningRow,
    LengthRow,
    LineupRow,
    Report,
    ScoreRow,
    SwapRow,
)
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, MIRROR, Setup
from ..statistics import Rate, ranked
from . import figures
from .model import NOTHING, Entries, Entry, Grid, Section, gain_entry, grid, mean_entry, rate_entry, signed

GAIN_WORDS = "▲ ▼ mark gains whose interval leaves out 0."
RANDOM, RULES = "random in all seats", "best rules in all seats"


class InSetup(Protocol):
    """A result of one setup."""

    @property
    def setup(self) -> Setup:
        """The player count and variant."""
        ...


Result = TypeVar("Result", bound=InSetup)


def sections(report: Report) -> list[Section]:
    """All parts with results: how an agent was trained first, then in the order of the protocol."""
    makers: list[tuple[object, Callable[[Report], Section]]] = [
        (report.learning, _learning),
        (report.mirror, _mirror),
        (report.deviations, _deviations),
        (report.matrix, _matrix),
        (report.held_out, _held_out),
        (report.ratings, _ratings),
        (report.scores, _scores),
        (report.inference, _inference),
        (report.lengths, _lengths),
    ]
    return [make(report) for results, make in makers if results]


def _learning(report: Report) -> Section:
    words = (
        "During training the learner and its reference play the same deals in the same seat; the learner doesn't learn "
        "from these. Wins are in %, gains in points, with 95 % intervals. At 0 decisions the network is untrained. "
        f"{GAIN_WORDS}"
    )
    grids = [each for row in report.learning for each in _learning_grids(row)]
    return Section("learning", "Learning curve", words, tuple(figures.learning_pictures(report)), tuple(grids))


def _learning_grids(row: LearningRow) -> list[Grid]:
    """The learner beside the others in its seat, if that was played, and the points of its curve, folded."""
    seat = f"{row.role}, {', '.join(map(str, row.players))} players, among {row.opponents}"
    curve: list[Entries] = [
        {
            "decisions": f"{point.steps:,}",
            f"gain over {row.reference}": gain_entry(point.gain),
            "wins": rate_entry(point.won),
            "seconds": f"{point.seconds:,.0f}",
        }
        for point in row.points
    ]
    points = grid(f"{row.agent} during training: {seat}", curve, folded=True)
    if row.wins is None:
        return [points]
    gain = f"gain of {row.agent} over it"
    beside: list[Entries] = [{"in the seat": row.agent, gain: "", "wins": rate_entry(row.wins)}]
    beside += [
        {"in the seat": other.agent, gain: gain_entry(other.gain), "wins": rate_entry(other.wins)}
        for other in row.others
    ]
    return [grid(f"In the learner's seat: {seat}", beside, below=f"{row.wins.games:,} common deals."), points]


def _mirror(report: Report) -> Section:
    one = len(report.about.camps) == 1
    words = (
        "Every seat is played by the same agent: how often "
        + ("a seat wins, in %" if one else "each camp wins, in % of the games that have the camp")
        + ", with 95 % intervals. These rates are what the game gives a camp when all play alike; they don't say which "
        "agent is stronger."
    )
    grids = [_mirror_grid(report, setup, rows) for setup, rows in _by_setup(report.mirror)]
    pictures = figures.mirror_pictures(report)
    return Section(MIRROR, "mirror: the same agent in every seat", words, tuple(pictures), tuple(grids))


def _mirror_grid(report: Report, setup: Setup, rows: list[LineupRow]) -> Grid:
    camps = _camps(report, rows)
    lines: list[Entries] = [
        {"agent": row.agent, **_wins(row, camps, "{}"), **_nobody(row), "games": f"{row.games:,}"} for row in rows
    ]
    best = {_head(rows[0], camp, "{}"): _best_entry(report, setup, camp) for camp in camps}
    best_rules: Entries = {"agent": "best rules", **best}
    return grid(str(setup), lines, [best_rules] if any(entry.small for entry in best.values()) else [])


def _deviations(report: Report) -> Section:
    words = (
        "One seat of a role changes hands, on the same deals: how much more often the seat's camp wins with this agent "
        f"there than with one more of the others. Wins are in %, gains in points, with 95 % intervals. {GAIN_WORDS}"
    )
    grids = [grid(str(setup), _swap_lines(report, rows)) for setup, rows in _by_setup(report.deviations)]
    pictures = figures.gain_pictures(report)
    return Section(DEVIATION, "deviation: one seat changes hands", words, tuple(pictures), tuple(grids))


def _held_out(report: Report) -> Section:
    strangers = report.held_out[0].among
    words = (
        f"One seat of a role among partners and opponents that nobody trained with, drawn from {strangers}: how much "
        f"more often the seat's camp wins with this agent there than with {report.about.reference}, on the same deals. "
        f"Wins are in %, gains in points, with 95 % intervals. {GAIN_WORDS}"
    )
    grids = [grid(str(setup), _swap_lines(report, rows, among=False)) for setup, rows in _by_setup(report.held_out)]
    return Section(HELD_OUT, "held_out: one seat among strangers", words, (), tuple(grids))


def _swap_lines(report: Report, rows: Iterable[SwapRow], among: bool = True) -> Iterator[Entries]:
    for row in rows:
        games = Entry(f"{row.wins.games:,}", "" if row.wins.games == row.gain.blocks else f"{row.gain.blocks:,} deals")
        others = f"among {row.among}" if among and row.setup.num_players > 1 else ""
        yield {
            "seat": Entry(f"{row.agent} as {row.role}", others),
            "gain": gain_entry(row.gain),
            "wins": rate_entry(row.wins),
            "instead": Entry(rate_entry(row.replaced_wins).text, row.replaced),
            "games": games,
            RANDOM: _random_entry(report, row.setup, row.camp),
            RULES: _best_entry(report, row.setup, row.camp),
        }


def _matrix(report: Report) -> Section:
    words = (
        "Each camp is played by one agent: how often each camp wins, in %, for every choice of agents, with 95 % "
        "intervals. In the figures all maps of a camp share one scale, from 0."
    )
    grids = [_matrix_grid(report, setup, rows) for setup, rows in _by_setup(report.matrix)]
    return Section(
        MATRIX, "matrix: each camp its own agent", words, tuple(figures.matrix_pictures(report)), tuple(grids)
    )


def _matrix_grid(report: Report, setup: Setup, rows: list[LineupRow]) -> Grid:
    camps = _camps(report, rows)
    lines: list[Entries] = [
        {
            **{f"{camp} are": row.agents.get(camp, NOTHING) for camp in camps},
            **_wins(row, camps, "{} win"),
            "games": f"{row.games:,}",
            **_nobody(row),
        }
        for row in rows
    ]
    return grid(f"{setup}, {len(rows)} lineups", lines, folded=True)


def _ratings(report: Report) -> Section:
    ratings = report.ratings
    assert ratings is not None
    words = (
        "The chance that a camp wins is taken to be proportional to exp(intercept of the camp at the player count + "
        f"strength of the agent in the camp). Strengths are in log odds; {ratings.reference} is 0 in every camp. "
        f"Fitted to {ratings.games:,} decided games by maximum likelihood with a normal prior of deviation "
        f"{ratings.prior_deviation:g}; {ratings.nobody_won:,} games that nobody won are left out. Intervals are 95 %, "
        "from a bootstrap over deals."
    )
    pictures = tuple(figures.rating_pictures(report))
    return Section("ratings", "ratings: strength by camp", words, pictures, tuple(_rating_grids(report, ratings)))


def _rating_grids(report: Report, ratings: Ratings) -> list[Grid]:
    by_agent: dict[str, dict[str, Entry | str]] = {}
    for each in ratings.strengths:
        by_agent.setdefault(each.agent, {"agent": each.agent})[each.camp] = _log_odds(each)
    orders = []
    for camp in report.about.camps:
        groups = ranked({each.agent: each for each in ratings.strengths if each.camp == camp})
        orders.append(f"{camp}: {' above '.join(' = '.join(group) for group in groups)}")
    intercepts: list[Entries] = [
        {"players": str(each.num_players), "camp": each.camp, "intercept": _log_odds(each)}
        for each in ratings.intercepts
    ]
    return [
        grid(
            f"log odds beside {ratings.reference}", by_agent.values(),
            below=f'"=" joins agents whose intervals overlap. {"; ".join(orders)}.',
        ),
        grid("Intercepts: what the game gives a camp", intercepts, folded=True),
    ]  # fmt: skip


def _log_odds(each: Any) -> Entry:
    if each.low == each.high:
        return Entry("0", "reference")
    return Entry(signed(each.value, 2), f"{signed(each.low, 2)} to {signed(each.high, 2)}")


def _scores(report: Report) -> Section:
    words = (
        "Final scores: of the one seat where an agent sits alone among others, else of all seats. The interval of the "
        "mean is 95 %."
    )
    grids = [grid(str(setup), map(_score_line, rows)) for setup, rows in _by_setup(report.scores)]
    return Section("scores", "scores", words, tuple(figures.score_pictures(report)), tuple(grids))


def _score_line(row: ScoreRow) -> Entries:
    spread = row.scores
    return {
        "lineup": row.lineup,
        "mean score": Entry(f"{spread.mean:.1f}", f"{spread.low:.1f}–{spread.high:.1f}"),
        "deviation": f"{spread.deviation:.0f}",
        "5 %": f"{spread.p5:.0f}",
        "median": f"{spread.median:.0f}",
        "95 %": f"{spread.p95:.0f}",
        "games": f"{row.games:,}",
    }


def _inference(report: Report) -> Section:
    words = (
        "What an observer believes about the roles of the others, compared with their true roles: log-loss in nats and "
        "Brier score (0 to 2) per seat, lower is better. A claim is that a seat has a role; it is calibrated if claims "
        "of 30 % are true in 30 of 100 cases. An observer that expects another way of playing can do worse than its "
        "reference. Intervals are 95 %, clustered by game."
    )
    counts = sorted({row.num_players for row in report.inference})
    grids = [each for count in counts for each in _inference_grids(report, count)]
    pictures = tuple(figures.inference_pictures(report))
    return Section("inference", "inference: reading roles from play", words, pictures, tuple(grids))


def _inference_grids(report: Report, count: int) -> list[Grid]:
    """The overall scores and the readability of all lineups of a player count, and details folded away."""
    lineups = report.lineups(count)
    firsts = [rows[0] for rows in lineups]
    return [
        grid(str(Setup(count)), [{"whose play": row.observed, **_score_entries(row)} for row in firsts]),
        grid(f"{Setup(count)}: readability of each role, log-loss", _readability_lines(firsts), folded=True),
        *(_group_grid(row) for rows in lineups for row in rows),
        *(
            grid(f"{count} players, {row.observed}: calibration", _calibration_lines(row), folded=True)
            for row in firsts
        ),
    ]


def _score_entries(row: InferenceRow, compared: Compared | None = None) -> Entries:
    compared = compared or row.scores.overall
    both = {row.observer: compared.own, **({row.reference: compared.reference} if compared.reference else {})}
    return {
        **{f"log-loss, {name}": mean_entry(scores.log_loss) for name, scores in both.items()},
        **{f"Brier, {name}": mean_entry(scores.brier) for name, scores in both.items()},
        "seats": f"{compared.own.log_loss.count:,}",
    }


def _readability_lines(firsts: list[InferenceRow]) -> Iterator[Entries]:
    for role in dict.fromkeys(role for row in firsts for role in row.scores.by_role):
        for row in firsts:
            found = row.scores.by_role.get(role)
            if found is not None:
                yield {
                    "true role": role,
                    "whose play": row.observed,
                    row.observer: mean_entry(found.own),
                    **({row.reference: mean_entry(found.reference)} if found.reference else {}),
                    "seats": f"{found.own.count:,}",
                }


def _group_grid(row: InferenceRow) -> Grid:
    title = f"{row.num_players} players, {row.observed}: scores by {row.grouped_by}"
    groups = sorted(row.scores.by_group.items())
    lines = [{row.grouped_by: str(group), **_score_entries(row, scores)} for group, scores in groups]
    return grid(title, lines, folded=True)


def _calibration_lines(row: InferenceRow) -> Iterator[Entries]:
    overall = row.scores.overall
    for name, scores in ((row.observer, overall.own), (row.reference, overall.reference)):
        for each in () if scores is None else scores.bins:
            yield {
                "whose claims": name,
                "mean chance claimed, %": f"{100 * each.predicted:.1f}",
                "true, %": rate_entry(each.observed),
                "claims": f"{each.observed.games:,}",
            }


def _lengths(report: Report) -> Section:
    words = "Games with the same agent in every seat: the events of a game, means per game, and its decisions in all."
    grids = [grid(str(setup), map(_length_line, rows)) for setup, rows in _by_setup(report.lengths)]
    return Section("lengths", "lengths: how games go", words, tuple(figures.length_pictures(report)), tuple(grids))


def _length_line(row: LengthRow) -> Entries:
    means = {head: f"{value:.1f}" for head, value in row.means.items() if head != "decisions"}
    return {
        "lineup": row.lineup,
        **{f"{head}, %": rate_entry(rate, row.games) for head, rate in row.happened.items()},
        **means,
        "decisions": f"{row.mean:.1f}",
        "5 %": f"{row.p5:.0f}",
        "median": f"{row.median:.0f}",
        "95 %": f"{row.p95:.0f}",
        "games": f"{row.games:,}",
    }


def _by_setup(rows: Iterable[Result]) -> list[tuple[Setup, list[Result]]]:
    """The rows of each setup, in order."""
    found: dict[Setup, list[Result]] = {}
    for row in rows:
        found.setdefault(row.setup, []).append(row)
    return list(found.items())


def _camps(report: Report, rows: Iterable[LineupRow]) -> list[str]:
    """The camps that any of the games had."""
    there = {camp for row in rows for camp, rate in row.wins.items() if rate.games}
    return [camp for camp in report.about.camps if camp in there]


def _head(row: LineupRow, camp: str, head: str) -> str:
    return head.format(camp) if len(row.agents) > 1 else "wins of a seat"


def _wins(row: LineupRow, camps: Sequence[str], head: str) -> Mapping[str, Entry]:
    return {_head(row, camp, head): rate_entry(row.wins.get(camp), row.games) for camp in camps}


def _nobody(row: LineupRow) -> Entries:
    return {} if len(row.agents) == 1 else {"nobody won": f"{row.nobody_won:,}"}


def _random_entry(report: Report, setup: Setup, camp: str) -> Entry:
    base = report.base(setup, camp)
    return Entry(NOTHING) if base is None else Entry(_text(base.random))


def _best_entry(report: Report, setup: Setup, camp: str) -> Entry:
    base = report.base(setup, camp)
    if base is None or not base.rule_based.games:
        return Entry(NOTHING)
    return Entry(_text(base.rule_based), base.rule_based_agent)


def _text(rate: Rate) -> str:
    return rate_entry(rate).text
