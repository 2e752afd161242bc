"""The report's sections: which tables and pictures the results make, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from ..evaluation.inference import Compared
from ..evaluation.ratings import Ratings
from ..evaluation.results import (
    DeviationRow,
    HeldOutRow,
    InferenceRow,
    LearningRow,
    LengthRow,
    MatrixCell,
    MirrorRow,
    Report,
    Swap,
)
from ..statistics import Mean, Rate, ranked
from . import figures
from .cells import Cell, Mark, Row, Section, Table, gain_cell, in_order, mean_cell, points, rate_cell, row, signed

MARK_WORDS = "▲ the whole interval is above that of the best rule-based agent, ▼ below that of all random."
GAIN_WORDS = "▲ ▼ the interval of a gain leaves out 0."
ORDER_WORDS = "as far as intervals lie apart (= joins those that overlap, directly or by way of others)"
BASE_HEAD = ("all random", "best rule-based")


class Counted(Protocol):
    """Results of one player count."""

    @property
    def num_players(self) -> int:
        """How many play."""
        ...


Some = TypeVar("Some", bound=Counted)


def sections(report: Report) -> list[Section]:
    """All parts for which there are results: how an agent came about first, then in the order of the protocol."""
    before: list[tuple[object, Callable[[Report], Section]]] = [
        (report.learning, _learning),
        (report.mirror, _mirror),
        (report.deviations, _deviations),
        (report.matrix, _matrix),
        (report.held_out, _held_out),
        (report.training, _training),
    ]
    after: list[tuple[object, Callable[[Report], Section]]] = [
        (report.inference, _inference),
        (report.lengths, _lengths),
    ]
    ratings = [] if report.ratings is None else [_ratings(report, report.ratings)]
    return [
        *(make(report) for results, make in before if results),
        *ratings,
        *(make(report) for results, make in after if results),
    ]


def _learning(report: Report) -> Section:
    words = (
        "As training goes on, the learner and its reference play the same deals in the same seat, none of which it "
        "learns from. Wins are in %, gains in points, with 95 % intervals. After 0 decisions the network is as it was "
        f"drawn. {GAIN_WORDS}"
    )
    tables = [table for each in report.learning for table in _learning_tables(each)]
    return Section("learning", "The learning curve", words, tuple(figures.learning_pictures(report)), tuple(tables))


def _learning_tables(each: LearningRow) -> list[Table]:
    """The learner beside the others in its seat, where that was played, and the points of its curve, folded away."""
    seat = f"{each.role}, {', '.join(map(str, each.players))} players, among {each.opponents}"
    lines = [
        row(f"{point.steps:,}", f"{point.seconds:,.0f}", rate_cell(point.won), gain_cell(point.gain))
        for point in each.points
    ]
    head = ("decisions", "seconds", "wins", f"gain over {each.reference}")
    found = [Table(f"{each.agent} as training went on: {seat}", head, tuple(lines), folded=True)]
    if each.wins is None:
        return found
    beside = [
        row(each.agent, rate_cell(each.wins), ""),
        *(row(other.agent, rate_cell(other.wins), gain_cell(other.gain)) for other in each.others),
    ]
    below = f"{each.wins.games:,} deals, the same for all."
    title = f"Who sits in the learner's seat: {seat}"
    return [Table(title, ("in the seat", "wins", f"gain of {each.agent} over it"), tuple(beside), below), *found]


def _mirror(report: Report) -> Section:
    words = (
        "Every seat is played by the same agent: how often each camp wins, in % of the games that have the camp, with "
        f"its 95 % interval. {MARK_WORDS}"
    )
    tables = [_mirror_table(report, count, rows) for count, rows in _by_count(report.mirror).items()]
    pictures = figures.mirror_pictures(report)
    return Section("mirror", "Every seat the same agent", words, tuple(pictures), tuple(tables))


def _mirror_table(report: Report, count: int, rows: list[MirrorRow]) -> Table:
    camps = _camps(report, (each.wins for each in rows))
    lines = [
        row(each.agent, f"{each.games:,}", *_win_cells(report, each, camps), f"{each.nobody_won:,}") for each in rows
    ]
    orders = [
        f"{camp}: {in_order(ranked({each.agent: each.wins[camp] for each in rows if camp in each.wins}))}"
        for camp in camps
    ]
    below = f"Who wins more often, {ORDER_WORDS}: {'; '.join(orders)}."
    head = ("agent", "games", *camps, "nobody won")
    return Table(f"{count} players", head, (*_base_rows(report, count, camps, 1, 1), *lines), below)


def _deviations(report: Report) -> Section:
    reference = report.header.reference
    words = (
        f"One seat of a role changes hands, on the same deals: the agent sits down among {reference} in place of "
        f"{reference}, and {reference} among the agent in place of the agent. Wins are in %, gains in points, with "
        f"95 % intervals. {GAIN_WORDS}"
    )
    head = (
        "role", "agent", f"gain among {reference}", "agent", f"{reference} there", "games",
        f"{reference}'s gain among agent", reference, "agent there", "games", *BASE_HEAD,
    )  # fmt: skip
    tables = [
        Table(f"{count} players", head, tuple(_deviation_line(report, each) for each in rows))
        for count, rows in _by_count(report.deviations).items()
    ]
    return Section("deviation", "One seat changes hands", words, (), tuple(tables))


def _deviation_line(report: Report, each: DeviationRow) -> Row:
    both_ways = (*_swap_cells(each.among_reference), *_swap_cells(each.among_agent))
    return row(each.role, each.agent, *both_ways, *_base_cells(report, each.num_players, each.camp))


def _swap_cells(found: Swap | None) -> tuple[Cell, ...]:
    """Gain, wins, wins of who was replaced, games."""
    if found is None:
        return (Cell("–"),) * 4
    games = Cell(f"{found.gain.games:,}", f"{found.gain.blocks:,} deals")
    return gain_cell(found.gain), rate_cell(found.wins), rate_cell(found.replaced), games


def _matrix(report: Report) -> Section:
    words = (
        "Each camp's agents are drawn as one: how often each camp wins, in %, for every choice of agents. In the "
        f"figures all maps of a camp share one scale, from 0. {MARK_WORDS}"
    )
    tables = [_matrix_table(report, count, cells) for count, cells in _by_count(report.matrix).items()]
    pictures = figures.matrix_pictures(report)
    return Section("matrix", "Camps of different agents", words, tuple(pictures), tuple(tables))


def _matrix_table(report: Report, count: int, cells: list[MatrixCell]) -> Table:
    camps = _camps(report, (cell.wins for cell in cells))
    lines = [
        row(
            *(cell.agents.get(camp, "–") for camp in camps), f"{cell.games:,}", *_win_cells(report, cell, camps),
            f"{cell.nobody_won:,}",
        )
        for cell in cells
    ]  # fmt: skip
    head = (*(f"{camp} are" for camp in camps), "games", *(f"{camp} win" for camp in camps), "nobody won")
    base = _base_rows(report, count, camps, len(camps), 1)
    return Table(f"{count} players, {len(cells)} lineups", head, (*base, *lines), folded=True)


def _held_out(report: Report) -> Section:
    reference = report.header.reference
    words = (
        f"The agent takes one seat of a role in place of {reference}, on the same deals, among partners and opponents "
        f"that nobody trained on. Wins are in %, gains in points, with 95 % intervals. {GAIN_WORDS}"
    )
    head = ("role", "agent", "gain", "agent", f"{reference} there", "games", "the others", *BASE_HEAD)
    tables = [
        Table(f"{count} players", head, tuple(_held_out_line(report, each) for each in rows))
        for count, rows in _by_count(report.held_out).items()
    ]
    return Section("held_out", "Among strangers", words, (), tuple(tables))


def _held_out_line(report: Report, each: HeldOutRow) -> Row:
    base = _base_cells(report, each.num_players, each.camp)
    return row(each.role, each.agent, *_swap_cells(each.swap), each.others, *base)


def _training(report: Report) -> Section:
    words = (
        f"What a training method gains over {report.header.reference} in a role's seat, in points: the mean over its "
        f"training seeds with a 95 % interval that draws whole seeds, and each seed's own gain. {GAIN_WORDS}"
    )
    head = ("players", "role", "method", "mean gain", "seeds", "each seed")
    lines = []
    for each in report.training:
        low, high, own = each.gain.low, each.gain.high, each.gain.by_seed
        mark: Mark = "above" if low > 0 else "below" if high < 0 else ""
        mean = Cell(points(each.gain.value), f"{points(low)} to {points(high)}", mark)
        seeds = ", ".join(f"{seed}: {points(found.value)}" for seed, found in own.items())
        lines.append(row(str(each.num_players), each.role, each.method, mean, str(len(own)), seeds))
    return Section("training", "Over training seeds", words, (), (Table("Gains by method", head, tuple(lines)),))


def _ratings(report: Report, found: Ratings) -> Section:
    words = (
        "The chance that a camp wins is taken to be proportional to exp(intercept of the camp at the player count + "
        f"strength of the agent in the camp). Strengths are in log odds; {found.reference} is 0 in every camp. Fitted "
        f"to {found.games:,} decided games by maximum likelihood with a normal prior of deviation "
        f"{found.prior_deviation:g}; {found.nobody_won:,} games that nobody won are left out. Intervals are 95 %, "
        "from a bootstrap over deals."
    )
    strengths = [
        row(each.agent, each.camp, Cell(signed(each.value, 2), _between(each.low, each.high)), f"{each.games:,}")
        for each in found.strengths
    ]
    intercepts = [
        row(str(each.num_players), each.camp, Cell(signed(each.value, 2), _between(each.low, each.high)))
        for each in found.intercepts
    ]
    orders = [
        f"{camp}: {in_order(ranked({each.agent: each for each in found.strengths if each.camp == camp}))}"
        for camp in report.header.camps
    ]
    below = f"Who is stronger, {ORDER_WORDS}: {'; '.join(orders)}."
    tables = (
        Table("Strengths", ("agent", "camp", "strength", "games"), tuple(strengths), below),
        Table(
            "Intercepts: what the game gives a camp", ("players", "camp", "intercept"), tuple(intercepts), folded=True
        ),
    )
    return Section("ratings", "Strength by camp", words, tuple(figures.rating_pictures(report)), tables)


def _between(low: float, high: float) -> str:
    return f"{signed(low, 2)} to {signed(high, 2)}" if low < high else "reference"


def _inference(report: Report) -> Section:
    words = (
        "What an observer believes about the roles of the others, held against the roles they have: log-loss in nats "
        "and Brier score (0 to 2) a seat, lower is better. A claim is that a seat has a role; it is calibrated where "
        "claims of 30 % are true in 30 of 100. An observer that expects another way of playing than it sees can do "
        "worse than its reference. Intervals are 95 %, clustered by game."
    )
    counts = sorted({each.num_players for each in report.inference})
    tables = [table for count in counts for table in _inference_tables(report, count)]
    return Section("inference", "Reading the roles", words, tuple(figures.inference_pictures(report)), tuple(tables))


def _inference_tables(report: Report, count: int) -> list[Table]:
    """The overall scores and the readability of all lineups of a player count, and details folded away."""
    lineups = report.lineups(count)
    firsts = [rows[0] for rows in lineups]
    head = ("whose play", "seats", *_score_names(firsts[0]))
    overall = tuple(_score_line(each.observed, each.scores.overall) for each in firsts)
    role_head = ("true role", "whose play", "seats", *(f"log-loss, {name}" for name in _observers(firsts[0])))
    return [
        Table(f"{count} players", head, overall),
        Table(f"{count} players: readability of each role", role_head, tuple(_readability_lines(firsts))),
        *(_group_table(each) for rows in lineups for each in rows),
        *(_calibration_table(each) for each in firsts),
    ]


def _readability_lines(firsts: list[InferenceRow]) -> list[Row]:
    return [
        row(role, each.observed, f"{found.own.count:,}", mean_cell(found.own), *_if_some(found.reference))
        for role in dict.fromkeys(role for each in firsts for role in each.scores.by_role)
        for each in firsts
        if role in each.scores.by_role
        for found in [each.scores.by_role[role]]
    ]


def _observers(each: InferenceRow) -> list[str]:
    return [each.observer, *([each.reference] if each.reference else [])]


def _score_names(each: InferenceRow) -> list[str]:
    return [f"{score}, {name}" for score in ("log-loss", "Brier") for name in _observers(each)]


def _group_table(each: InferenceRow) -> Table:
    lines = tuple(_score_line(str(group), found) for group, found in sorted(each.scores.by_group.items()))
    title = f"{each.num_players} players, {each.observed}: scores by {each.grouped_by}"
    return Table(title, (each.grouped_by, "seats", *_score_names(each)), lines, folded=True)


def _calibration_table(each: InferenceRow) -> Table:
    head = ("whose claims", "mean chance claimed, %", "true, %", "claims")
    title = f"{each.num_players} players, {each.observed}: calibration"
    return Table(title, head, tuple(_calibration_lines(each)), folded=True)


def _if_some(found: Mean | None) -> tuple[Cell, ...]:
    return () if found is None else (mean_cell(found),)


def _score_line(name: str, found: Compared) -> Row:
    both = [found.own, *([] if found.reference is None else [found.reference])]
    cells = [*(mean_cell(each.log_loss) for each in both), *(mean_cell(each.brier) for each in both)]
    return row(name, f"{found.own.log_loss.count:,}", *cells)


def _calibration_lines(each: InferenceRow) -> list[Row]:
    overall = each.scores.overall
    whose = [(each.observer, overall.own)]
    whose += [] if overall.reference is None else [(each.reference, overall.reference)]
    return [
        row(name, f"{100 * found.predicted:.1f}", rate_cell(found.observed), f"{found.observed.games:,}")
        for name, scores in whose
        for found in scores.bins
    ]


def _lengths(report: Report) -> Section:
    words = "Decisions in a game, of all seats together."
    head = ("players", "lineup", "games", "mean", "5 %", "median", "95 %")
    table = Table("Decisions a game", head, tuple(_length_line(each) for each in report.lengths))
    return Section("lengths", "How long games are", words, tuple(figures.length_pictures(report)), (table,))


def _length_line(each: LengthRow) -> Row:
    numbers = (f"{number:.0f}" for number in (each.p5, each.median, each.p95))
    return row(str(each.num_players), each.lineup, f"{each.games:,}", f"{each.mean:.1f}", *numbers)


def _by_count(rows: Iterable[Some]) -> dict[int, list[Some]]:
    """The rows of each player count, the smallest first."""
    found: dict[int, list[Some]] = {}
    for each in sorted(rows, key=lambda each: each.num_players):
        found.setdefault(each.num_players, []).append(each)
    return found


def _camps(report: Report, wins: Iterable[Mapping[str, Rate]]) -> list[str]:
    """The camps that any of the games had."""
    there = {camp for each in wins for camp, found in each.items() if found.games}
    return [camp for camp in report.header.camps if camp in there]


def _win_cells(report: Report, played: MirrorRow | MatrixCell, camps: Sequence[str]) -> list[Cell]:
    return [
        rate_cell(found, played.games, _mark(report, played.num_players, camp, found))
        for camp in camps
        for found in [played.wins.get(camp)]
    ]


def _mark(report: Report, count: int, camp: str, found: Rate | None) -> Mark:
    base = report.base(count, camp)
    if base is None or found is None or not found.games:
        return ""
    return "above" if found.is_above(base.rule_based) else "below" if base.random.is_above(found) else ""


def _base_rows(report: Report, count: int, camps: Sequence[str], names: int, after: int) -> list[Row]:
    """The two base rates of each camp as lines; `names` columns come before the games, `after` behind the rates."""
    bases = [report.base(count, camp) for camp in camps]
    if not any(bases):
        return []
    random = [rate_cell(base.random if base else None) for base in bases]
    best = [_best_cell(base.rule_based, base.rule_based_agent) if base else Cell("–") for base in bases]
    return [
        row(name, *[""] * names, *cells, *[""] * after, base=True)
        for name, cells in zip(BASE_HEAD, (random, best), strict=True)
    ]


def _base_cells(report: Report, count: int, camp: str) -> tuple[Cell, Cell]:
    base = report.base(count, camp)
    if base is None:
        return Cell("–"), Cell("–")
    return rate_cell(base.random), _best_cell(base.rule_based, base.rule_based_agent)


def _best_cell(found: Rate, agent: str) -> Cell:
    cell = rate_cell(found)
    return Cell(cell.text, f"{cell.small}, {agent}") if cell.small else cell
