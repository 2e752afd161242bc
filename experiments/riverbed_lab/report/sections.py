"""The report's sections: tables and figures of the results, and what they mean in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any, Protocol, TypeVar

from riverbed_env.seats import Failure

from ..evaluation.inference import Compared
from ..evaluation.ratings import Intercept, Ratings, Strength
from ..evaluation.results import InferenceRow, LearningRow, LineupRow, OutsideRow, Report, SpreadRow, SwapRow
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, MIRROR, Setup
from ..statistics import ranked
from .canvas import short_names
from .curve_figures import draw_calibration, draw_learning, draw_log_loss
from .matrix_figure import draw_matrix
from .model import NOTHING, Entries, Entry, Grid, Picture, Section, gain_entry, grid, mean_entry, rate_entry, signed
from .row_figures import draw_gains, draw_lengths, draw_ratings, draw_scores, draw_win_rates

GAIN_WORDS = "Wins are in %, gains in points, with 95 % intervals. ▲ ▼ mark gains whose interval leaves out 0."
SPREAD_WORDS = "player count and lineup: the median, and a line from the 5th to the 95th percentile."
OUTSIDE_WORDS = (
    "Seats played from outside (programs, services, language models): answers that couldn't be taken, by class, in "
    "% of all answers; choices that were then drawn at random (repaired), in % of decisions; seats that were given "
    "up after a failure (forfeited), in % of their games. Wins are those of the seats' camps in all games, and in "
    "the games without a repaired or forfeited choice, which aren't a fair sample: long games break more often."
)
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
        (report.games, _games),
        (report.outside, _outside),
    ]
    return [make(report) for results, make in makers if results]


def _pictures(
    report: Report, rows: Iterable[InSetup], title: str, words: str, draw: Callable[[Report, Setup], Any]
) -> tuple[Picture, ...]:
    """A picture of each setup that rows are of; title and words have a place for the setup."""
    return tuple(
        Picture(
            f"{draw.__name__.removeprefix('draw_')}_{setup}",
            title.replace("{}", str(setup)),
            words.replace("{}", str(setup)),
            partial(draw, report, setup),
        )
        for setup in _by_setup(rows)
    )


def _by_setup(rows: Iterable[Result]) -> dict[Setup, list[Result]]:
    """The rows of each setup, in order."""
    by_setup: dict[Setup, list[Result]] = {}
    for row in rows:
        by_setup.setdefault(row.setup, []).append(row)
    return by_setup


def _grids(rows: Iterable[Result], line: Callable[[Result], Entries]) -> tuple[Grid, ...]:
    """A grid for each setup, with a line for each row."""
    return tuple(grid(str(setup), map(line, mine)) for setup, mine in _by_setup(rows).items())


def _learning(report: Report) -> Section:
    words = (
        "After each stretch of learning, the learner and its reference play the same deals in the same seat among the "
        "learner's opponents. The learner doesn't learn from these, and the tables below are of other deals. At 0 the "
        f"network is untrained. {GAIN_WORDS}"
    )
    pictures = tuple(_learning_picture(row, number) for number, row in enumerate(report.learning, 1))
    return Section("learning", "Learning curve", words, pictures, tuple(map(_learning_grid, report.learning)))


def _learning_picture(row: LearningRow, number: int) -> Picture:
    words = (
        f"Above, how often {row.agent} wins as {row.role} by the decisions or labels it learnt from, with 95 % "
        f"intervals; line: {row.reference} in the same seat. Below, its gain over {row.reference} on the same deals."
    )
    title = f"Learning curve of {short_names([row.agent])[row.agent]}"
    return Picture(f"learning_{number}", title, words, partial(draw_learning, row))


def _learning_grid(row: LearningRow) -> Grid:
    """The points of a curve, folded."""
    seat = f"{row.role}, {', '.join(map(str, row.players))} players, among {row.opponents}"
    curve: list[Entries] = [
        {
            "learnt from": f"{point.steps:,}",
            f"gain over {row.reference}": gain_entry(point.gain),
            "wins": rate_entry(point.won),
            "deals": f"{point.won.games:,}",
            "seconds": f"{point.seconds:,.0f}",
        }
        for point in row.points
    ]
    return grid(f"{row.agent} during training: {seat}", curve, folded=True)


def _mirror(report: Report) -> Section:
    one = len(report.about.camps) == 1
    words = (
        "Every seat is played by the same agent: how often "
        + ("a seat wins, in %" if one else "each camp wins, in % of the games that have the camp")
        + ", with 95 % intervals. These rates are what the game gives a camp when all play alike; they don't say which "
        "agent is stronger."
    )
    pictures = _pictures(
        report, report.mirror, "Who wins when all play alike, {}",
        "Win rates of the camps with {}, the same agent in every seat, with 95 % intervals. Dotted line: random play "
        "in all seats; dashed line: the best rule-based agent in all seats.", draw_win_rates,
    )  # fmt: skip
    grids = tuple(_mirror_grid(report, setup, rows) for setup, rows in _by_setup(report.mirror).items())
    return Section(MIRROR, "mirror: the same agent in every seat", words, pictures, grids)


def _mirror_grid(report: Report, setup: Setup, rows: list[LineupRow]) -> Grid:
    lines: list[Entries] = [
        {"agent": row.agent, **_wins(report, row, rows, "{}"), **_nobody(row), "games": f"{row.games:,}"}
        for row in rows
    ]
    best = {
        _head(rows[0], camp, "{}"): _base_entries(report, setup, camp)[RULES] for camp in _camps_played(report, rows)
    }
    best_rules: Entries = {"agent": "best rules", **best}
    return grid(str(setup), lines, [best_rules] if any(entry.small for entry in best.values()) else [])


def _deviations(report: Report) -> Section:
    reference = report.about.reference
    words = (
        "One seat of a role changes hands, on the same deals: how much more often the seat's camp wins with this agent "
        f"there than with one more of the others. {GAIN_WORDS}"
    )
    pictures = _pictures(
        report, [row for setup in _by_setup(report.deviations) for row in report.gains_over_reference(setup)],
        f"Gain of one seat over {short_names([reference])[reference]}, {{}}",
        f"Points: how much more often the seat's camp wins than with {reference} in that seat too, with {{}}; lines: "
        "95 % intervals.", draw_gains,
    )  # fmt: skip
    grids = _grids(report.deviations, partial(_swap_line, report))
    return Section(DEVIATION, "deviation: one seat changes hands", words, pictures, grids)


def _held_out(report: Report) -> Section:
    words = (
        "One seat of a role among partners and opponents that nobody trained with, drawn from "
        f"{report.held_out[0].among}: how much more often the seat's camp wins with this agent there than with "
        f"{report.about.reference}, on the same deals. {GAIN_WORDS}"
    )
    grids = _grids(report.held_out, partial(_swap_line, report, among=False))
    return Section(HELD_OUT, "held_out: one seat among strangers", words, (), grids)


def _swap_line(report: Report, row: SwapRow, among: bool = True) -> Entries:
    games = Entry(f"{row.wins.games:,}", "" if row.wins.games == row.gain.blocks else f"{row.gain.blocks:,} deals")
    others = f"among {row.among}" if among and row.setup.num_players > 1 else ""
    return {
        "seat": Entry(f"{row.agent} as {row.role}", others),
        "gain": gain_entry(row.gain),
        "wins": rate_entry(row.wins),
        "instead": Entry(rate_entry(row.replaced_wins).text, row.replaced),
        "games": games,
        **_base_entries(report, row.setup, row.camp),
    }


def _base_entries(report: Report, setup: Setup, camp: str) -> Mapping[str, Entry]:
    """The camp's base rates: random play, and the best rules with their agent."""
    base = report.base(setup, camp)
    if base is None:
        return {RANDOM: Entry(NOTHING), RULES: Entry(NOTHING)}
    return {
        RANDOM: Entry(rate_entry(base.random).text),
        RULES: Entry(rate_entry(base.rule_based).text, base.rule_based_agent),
    }


def _matrix(report: Report) -> Section:
    words = (
        "Each camp is played by one agent: how often each camp wins, in %, for every choice of agents, with 95 % "
        "intervals. In the figures all maps of a camp share one scale, from 0."
    )
    pictures = _pictures(
        report, report.matrix, "Which camp wins when camps differ, {}",
        "Heat maps: how often, in %, each camp wins with {} for every choice of agents by camp.", draw_matrix,
    )  # fmt: skip
    grids = tuple(_matrix_grid(report, setup, rows) for setup, rows in _by_setup(report.matrix).items())
    return Section(MATRIX, "matrix: each camp its own agent", words, pictures, grids)


def _matrix_grid(report: Report, setup: Setup, rows: list[LineupRow]) -> Grid:
    lines: list[Entries] = [
        {
            **{f"{camp} are": row.agents.get(camp, NOTHING) for camp in _camps_played(report, rows)},
            **_wins(report, row, rows, "{} win"),
            "games": f"{row.games:,}",
            **_nobody(row),
        }
        for row in rows
    ]
    return grid(f"{setup}, {len(rows)} lineups", lines, folded=True)


def _camps_played(report: Report, rows: Iterable[LineupRow]) -> list[str]:
    """The camps that any of the games had."""
    return [camp for camp in report.about.camps if any(row.has(camp) for row in rows)]


def _head(row: LineupRow, camp: str, head: str) -> str:
    return head.format(camp) if len(row.agents) > 1 else "wins of a seat"


def _wins(report: Report, row: LineupRow, rows: Iterable[LineupRow], head: str) -> Mapping[str, Entry]:
    camps = _camps_played(report, rows)
    return {_head(row, camp, head): rate_entry(row.wins.get(camp), row.games) for camp in camps}


def _nobody(row: LineupRow) -> Entries:
    return {} if len(row.agents) == 1 else {"nobody won": f"{row.nobody_won:,}"}


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
    caption = f"Strengths of the agents in each camp, in log odds beside {ratings.reference}, 95 % intervals."
    picture = Picture("ratings", "How strong each agent is in each camp", caption, partial(draw_ratings, report))
    return Section(
        "ratings", "ratings: strength by camp", words, (picture,), tuple(_rating_grids(report.about.camps, ratings))
    )


def _rating_grids(camps: Iterable[str], ratings: Ratings) -> Iterator[Grid]:
    by_agent: dict[str, dict[str, Entry | str]] = {}
    for each in ratings.strengths:
        by_agent.setdefault(each.agent, {"agent": each.agent})[each.camp] = _log_odds(each)
    orders = []
    for camp in camps:
        groups = ranked({each.agent: each for each in ratings.strengths if each.camp == camp})
        orders.append(f"{camp}: {' above '.join(' = '.join(group) for group in groups)}")
    below = f'"=" joins agents whose intervals overlap. {"; ".join(orders)}.'
    yield grid(f"log odds beside {ratings.reference}", by_agent.values(), below=below)
    intercepts: list[Entries] = [
        {"players": str(each.num_players), "camp": each.camp, "intercept": _log_odds(each)}
        for each in ratings.intercepts
    ]
    yield grid("Intercepts: what the game gives a camp", intercepts, folded=True)


def _log_odds(each: Strength | Intercept) -> Entry:
    if each.low == each.high:
        return Entry("0", "reference")
    return Entry(signed(each.value, 2), f"{signed(each.low, 2)} to {signed(each.high, 2)}")


def _scores(report: Report) -> Section:
    words = (
        "Final scores: of the one seat where an agent sits alone among others, else of all seats. The interval of the "
        "mean is 95 %."
    )
    caption = f"Final scores by {SPREAD_WORDS}"
    picture = Picture("scores", "How scores are spread", caption, partial(draw_scores, report))
    return Section("scores", "scores", words, (picture,), _grids(report.scores, _score_line))


def _score_line(row: SpreadRow) -> Entries:
    spread = row.spread
    return {
        "lineup": row.lineup,
        "mean score": Entry(f"{spread.mean:.1f}", f"{spread.low:.1f}–{spread.high:.1f}"),
        "deviation": f"{spread.deviation:.0f}",
        **_percentiles(row),
    }


def _percentiles(row: SpreadRow) -> Entries:
    spread = row.spread
    percentiles = {"5 %": spread.p5, "median": spread.median, "95 %": spread.p95}
    return {**{head: f"{value:.0f}" for head, value in percentiles.items()}, "games": f"{row.games:,}"}


def _lengths(report: Report) -> Section:
    words = "Games with the same agent in every seat: the events of a game, means per game, and its decisions in all."
    caption = f"Decisions per game by {SPREAD_WORDS}"
    picture = Picture("lengths", "How long games are", caption, partial(draw_lengths, report))
    return Section("lengths", "lengths: how games go", words, (picture,), _grids(report.lengths, _length_line))


def _outside(report: Report) -> Section:
    return Section("outside", "outside: failures and costs", OUTSIDE_WORDS, (), _grids(report.outside, outside_line))


def outside_line(row: OutsideRow) -> Entries:
    """What went wrong with an agent from outside, and what it cost."""
    figures = row.figures
    classes = {f"{kind}, %": _share(figures[kind], row.answers) for kind in Failure}
    return {
        "agent": row.agent,
        "games": f"{row.forfeits.games:,}",
        "decisions": f"{figures['decisions']:,}",
        "forfeited, %": rate_entry(row.forfeits),
        "repaired, %": _share(figures["repaired"], figures["decisions"]),
        **classes,
        "tokens in": f"{figures['tokens_in']:,}",
        "tokens out": f"{figures['tokens_out']:,}",
        "cost": f"{figures['micros'] / 1e6:.4f}",
        "wins": rate_entry(row.wins),
        "wins if untouched": rate_entry(row.wins_untouched),
    }


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else NOTHING


def _length_line(row: SpreadRow) -> Entries:
    return {
        "lineup": row.lineup,
        **{f"{head}, %": rate_entry(rate, row.games) for head, rate in row.happened.items()},
        **{head: f"{value:.1f}" for head, value in row.means.items() if head != "decisions"},
        "decisions": f"{row.spread.mean:.1f}",
        **_percentiles(row),
    }


def _games(report: Report) -> Section:
    words = (
        "A handful of games to look at, each as a page of its own: step by step as every seat saw it, or with nothing "
        "hidden. The links lead to the moment in question."
    )
    lines: list[Entries] = [
        {"game": Entry(each.what, link=each.link), "what happens": each.words, "row": each.source}
        for each in report.games
    ]
    return Section("games", "games: some to look at", words, (), (grid("Replays", lines),))


def _inference(report: Report) -> Section:
    return inference(report.inference)


def inference(scored: Iterable[InferenceRow]) -> Section:
    """How good beliefs about roles are."""
    words = (
        "What an observer believes about the roles of the others, compared with their true roles: log-loss in nats and "
        "Brier score (0 to 2) per seat, lower is better. A claim is that a seat has a role; it is calibrated if claims "
        "of 30 % are true in 30 of 100 cases. An observer that expects another way of playing can do worse than its "
        "reference. Intervals are 95 %, clustered by game."
    )
    rows: dict[int, list[InferenceRow]] = {}
    for row in scored:
        rows.setdefault(row.num_players, []).append(row)
    by_count = sorted(rows.items())
    firsts = [row for _, mine in by_count for row in _firsts(mine)]
    pictures = (*map(_log_loss_picture, firsts, count(1)), *map(_calibration_picture, firsts, count(1)))
    grids = tuple(each for players, mine in by_count for each in _inference_grids(str(Setup(players)), mine))
    return Section("inference", "inference: reading roles from play", words, pictures, grids)


def _firsts(rows: Iterable[InferenceRow]) -> list[InferenceRow]:
    """The first row of each lineup and observer; the others differ from it in their groups only."""
    firsts: dict[tuple[str, str], InferenceRow] = {}
    for row in rows:
        firsts.setdefault((row.observed, row.observer), row)
    return list(firsts.values())


def _log_loss_picture(row: InferenceRow, number: int) -> Picture:
    where, beside = _where(row)
    title = f"What {row.observer} learns along the game: {where}"
    words = f"Log-loss about the roles of others by {row.grouped_by}{beside}, with {where}; lower is better."
    return Picture(f"log_loss_{number}", title, words, partial(draw_log_loss, row))


def _calibration_picture(row: InferenceRow, number: int) -> Picture:
    where, beside = _where(row)
    words = f"How often claims about roles were true, by the chance claimed{beside}, with {where}."
    title = f"Calibration of {row.observer}: {where}"
    return Picture(f"calibration_{number}", title, words, partial(draw_calibration, row))


def _where(row: InferenceRow) -> tuple[str, str]:
    """The lineup observed, and the reference."""
    return f"{row.observed}, {row.num_players} players", f", beside {row.reference}" if row.reference else ""


def _inference_grids(title: str, rows: list[InferenceRow]) -> Iterator[Grid]:
    """The overall scores of all lineups of a player count; readability, scores by group and calibration are folded."""
    firsts = _firsts(rows)
    yield grid(title, [{"whose play": row.observed, **_score_entries(row, row.scores.overall)} for row in firsts])
    yield grid(f"{title}: readability of each role, log-loss", _readability_lines(firsts), folded=True)
    for row in rows:
        groups = sorted(row.scores.by_group.items())
        lines = [{row.grouped_by: str(group), **_score_entries(row, scores)} for group, scores in groups]
        yield grid(f"{title}, {row.observed}: scores by {row.grouped_by}", lines, folded=True)
    for row in firsts:
        yield grid(f"{title}, {row.observed}: calibration", _calibration_lines(row), folded=True)


def _score_entries(row: InferenceRow, compared: Compared) -> Entries:
    both = row.named(compared)
    return {
        **{f"log-loss, {name}": mean_entry(scores.log_loss) for name, scores in both.items()},
        **{f"Brier, {name}": mean_entry(scores.brier) for name, scores in both.items()},
        "seats": f"{compared.own.log_loss.count:,}",
    }


def _readability_lines(firsts: list[InferenceRow]) -> Iterator[Entries]:
    for role in dict.fromkeys(role for row in firsts for role in row.scores.by_role):
        for row in firsts:
            readable = row.scores.by_role.get(role)
            if readable is not None:
                yield {
                    "true role": role,
                    "whose play": row.observed,
                    **{name: mean_entry(mean) for name, mean in row.named(readable).items()},
                    "seats": f"{readable.own.count:,}",
                }


def _calibration_lines(row: InferenceRow) -> Iterator[Entries]:
    for name, scores in row.named(row.scores.overall).items():
        for each in scores.bins:
            yield {
                "whose claims": name,
                "mean chance claimed, %": f"{100 * each.predicted:.1f}",
                "true, %": rate_entry(each.observed),
                "claims": f"{each.observed.games:,}",
            }
