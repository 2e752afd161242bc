"""The report's sections: tables and pictures of the results, and what they mean in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from riverbed_env.seats import Failure

from ..evaluation.ratings import Intercept, Ratings, Strength
from ..evaluation.roles import ALL, BY_ROLE, BY_TENTH, BY_TURN, CALIBRATION
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, MIRROR
from ..playing.rows import WON
from ..statistics import ranked
from .figures import FAINT, OWN, REFERENCE, Group, Line, Row, camp_colour, draw_lines, draw_rows, short_names
from .learning import Learner
from .model import NOTHING, Entries, Entry, Picture, Section, Table, Values, number, percent, points, signed, table
from .report import Report

if TYPE_CHECKING:
    import pandas as pd

THOUSAND, MILLION = 1_000, 1_000_000
GAIN_WORDS = "Wins are in %, gains in points, with 95 % intervals. ▲ ▼ mark gains whose interval leaves out 0."
OUTSIDE_WORDS = (
    "Seats played from outside (programs, services, language models): answers that couldn't be taken, by class, in "
    "% of all answers; choices that were then drawn at random (repaired), in % of decisions; seats that were given "
    "up after a failure (forfeited), in % of their games. Wins are those of the seats' camps in all games, and in "
    "the games without a repaired or forfeited choice, which aren't a fair sample: long games break more often."
)
ENDS = ("_low", "_high", "_games")  # of columns that belong to another
RANDOM, RULES = "random in all seats", "best rules in all seats"


def sections(report: Report) -> list[Section]:
    """All parts with results: how an agent was made first, then in the order of the protocol."""
    makers: list[tuple[object, Callable[[Report], Section]]] = [
        (report.learners, _learning),
        (len(report.table(MIRROR)), _mirror),
        (len(report.table(DEVIATION)), _deviations),
        (report.cross_play, _cross_play),
        (len(report.table(MATRIX)), _matrix),
        (len(report.table(HELD_OUT)), _held_out),
        (report.ratings, _ratings),
        ("score" in report.cells, _scores),
        (len(report.roles), lambda report: inference(report.roles)),
        (len(report.table(MIRROR)), _lengths),
        (len(report.outside), _outside),
    ]
    return [make(report) for results, make in makers if results]


def _lines(frame: pd.DataFrame, *by: str) -> list[tuple[Any, list[Values]]]:
    """The lines of a frame with the same values in some columns, by default in `setup`, in order."""
    groups = frame.groupby(list(by) if len(by) > 1 else by[0] if by else "setup", sort=False)
    return [(name, lines.to_dict("records")) for name, lines in groups]


def _tables(frame: pd.DataFrame, line: Callable[[Values], Entries]) -> tuple[Table, ...]:
    """A table for each setup, with a line for each line of the frame."""
    return tuple(table(setup, map(line, lines)) for setup, lines in _lines(frame))


def _camps(report: Report, lines: Iterable[Values]) -> list[str]:
    """The camps that any of the games had."""
    lines = list(lines)
    return [camp for camp in report.camps if any(line[f"{WON}{camp}_games"] for line in lines)]


def _row(name: str, line: Values, column: str, words: str, scale: float = 100) -> Row:
    return Row(name, scale * line[column], scale * line[f"{column}_low"], scale * line[f"{column}_high"], words)


# --- how it was learnt ------------------------------------------------------------------------------------------------


def _learning(report: Report) -> Section:
    words = (
        "How each learner was made, and how strong it was on the way: after each stretch of learning it plays the same "
        "deals in the same seat among the same opponents as its reference. It doesn't learn from these, and the tables "
        f"below are of other deals. At 0 the network is untrained. {GAIN_WORDS}"
    )
    made = table("How they were made", [learner.made for learner in report.learners])
    pictures = (picture for learner in report.learners for picture in _learning_pictures(learner))
    return Section("learning", "Learning curve", words, (made, *map(_curve, report.learners)), tuple(pictures))


def _learning_pictures(learner: Learner) -> Iterator[Picture]:
    short = short_names([learner.agent, learner.reference])
    unit, name = (THOUSAND, "thousands") if learner.points[-1].steps < MILLION else (MILLION, "millions")
    steps, across = [point.steps / unit for point in learner.points], f"decisions or targets learnt from, {name}"
    values, gains = (
        [[100 * getattr(point, name) for point in learner.points] for name in names]
        for names in (("won", "low", "high"), ("gain", "gain_low", "gain_high"))
    )
    name, level = short[learner.agent], 100 * learner.points[-1].reference
    for title, words, lines, dashed in (
        (f"{learner.role} wins, %", f"dashed: {learner.reference} there", values, level),
        (f"Gain over {short[learner.reference]}, points", "on the same deals", gains, 0.0),
    ):
        yield Picture(
            f"{title}: {name}",
            f"What {learner.agent} reaches as {learner.role} by what it has learnt from; band: 95 %; {words}.",
            partial(draw_lines, [Line(name, OWN, steps, *lines)], across, title, level=dashed),
        )


def _curve(learner: Learner) -> Table:
    """The points of a curve, folded."""
    lines: list[Entries] = [
        {
            "learnt from": f"{point.steps:,}",
            f"gain over {learner.reference}": points(vars(point), "gain"),
            "wins": percent({"won": point.won, "won_low": point.low, "won_high": point.high}, "won"),
            "deals": f"{point.games:,}",
            "seconds": f"{point.seconds:,.0f}",
        }
        for point in learner.points
    ]
    return table(f"{learner.agent} during training", lines, folded=True)


# --- the tables of the protocol ---------------------------------------------------------------------------------------


def _mirror(report: Report) -> Section:
    one = len(report.camps) == 1
    words = (
        "Every seat is played by the same agent: how often "
        + ("a seat wins, in %" if one else "each camp wins, in % of the games that have the camp")
        + ", with 95 % intervals. These rates are what the game gives a camp when all play alike; they don't say which "
        "agent is stronger."
    )
    pictures, tables = [], []
    for setup, lines in _lines(report.table(MIRROR)):
        bases = {camp: _bases(report, setup, camp) for camp in _camps(report, lines)}
        shown: list[Entries] = [
            {"agent": line["agent"], **_wins(report, line, lines, "{}"), "games": f"{line['games']:,}"}
            for line in lines
        ]
        best = {_head(report, camp, "{}"): entries[RULES] for camp, entries in bases.items()}
        known = any(entry.small for entry in best.values())
        tables.append(table(setup, shown, [{"agent": "best rules", **best}] if known else []))
        pictures.append(_win_rates(report, setup, lines))
    return Section(MIRROR, "mirror: the same agent in every seat", words, tuple(tables), tuple(pictures))


def _win_rates(report: Report, setup: str, lines: list[Values]) -> Picture:
    """Each agent's win rate in each camp that plays; a dotted line marks the camp's rate with random play."""
    short, groups = short_names(line["agent"] for line in lines), []
    for camp in _camps(report, lines):
        name = f"{WON}{camp}"
        rows = [_row(short[line["agent"]], line, name, f"{100 * line[name]:.1f}") for line in lines]
        level = [100 * line[name] for line in lines if line["agent"] == report.random]
        words = f"··· random {level[0]:.1f}" if level else ""
        groups.append(Group(camp, camp_colour(camp, report.camps), rows, level, words))
    return Picture(
        f"Who wins when all play alike, {setup}",
        f"Win rates of the camps with {setup}, the same agent in every seat, with 95 % intervals; dotted: random play.",
        partial(draw_rows, groups, "games won, % (line: 95 % interval)"),
    )


def _bases(report: Report, setup: str, camp: str) -> dict[str, Entry]:
    """The camp's base rates: random play in all seats, and the best mirror of rules with its agents.

    Several agents are named where intervals overlap, since those aren't ranked.
    """
    mirrors, name = report.table(MIRROR), f"{WON}{camp}"
    found = mirrors[(mirrors["setup"] == setup) & mirrors[name].notna()]
    base, rules = (found[found["agent"].isin(agents)] for agents in ([report.random], report.rule_based))
    random = percent(base.iloc[0], name).text if len(base) else NOTHING
    if rules.empty:
        return {RANDOM: Entry(random), RULES: Entry(NOTHING)}
    best = rules.loc[rules[name].idxmax()]
    tied = rules[rules[f"{name}_high"] >= best[f"{name}_low"]]["agent"]
    return {RANDOM: Entry(random), RULES: Entry(percent(best, name).text, " or ".join(tied))}


def _head(report: Report, camp: str, head: str) -> str:
    return head.format(camp) if len(report.camps) > 1 else "wins of a seat"


def _wins(report: Report, line: Values, lines: Iterable[Values], head: str) -> Entries:
    """The wins of each camp, and the games that nobody won."""
    camps = _camps(report, lines)
    wins: dict[str, Entry | str] = {
        _head(report, camp, head): percent(line, f"{WON}{camp}", line["games"]) for camp in camps
    }
    return {**wins, **({"nobody won": f"{line['nobody_won']:,}"} if len(report.camps) > 1 else {})}


def _deviations(report: Report) -> Section:
    words = (
        "One seat of a role changes hands, on the same deals: how much more often the seat's camp wins with this agent "
        f"there than with one more of the others. {GAIN_WORDS}"
    )
    pictures = tuple(_gains(report, setup, lines) for setup, lines in _lines(report.gains(DEVIATION)))
    tables = _tables(report.table(DEVIATION), partial(_swap_line, report))
    return Section(DEVIATION, "deviation: one seat changes hands", words, tables, pictures)


def _gains(report: Report, setup: str, lines: list[Values]) -> Picture:
    """The gain of each agent that takes a seat among the reference, in a group for each role."""
    short, groups = short_names([report.reference, *report.agents]), []
    for role in dict.fromkeys(line["role"] for line in lines):
        mine = [line for line in lines if line["role"] == role]
        rows = [_row(short[line["agent"]], line, "gain", signed(100 * line["gain"], 1)) for line in mine]
        groups.append(Group(role, camp_colour(mine[0]["camp"], report.camps), rows))
    return Picture(
        f"Gain of one seat over {short[report.reference]}, {setup}",
        f"Points: how much more often the seat's camp wins than with {report.reference} in that seat too, with "
        f"{setup}; lines: 95 % intervals.",
        partial(draw_rows, groups, "gain in points (line: 95 % interval)"),
    )


def _held_out(report: Report) -> Section:
    cells = report.gains(HELD_OUT)
    words = (
        "One seat of a role among partners and opponents that nobody trained with, drawn from "
        f"{report.table(HELD_OUT)['among'].iloc[0]}: how much more often the seat's camp wins with this agent there "
        f"than with {report.reference}, on the same deals. {GAIN_WORDS}"
    )
    tables = _tables(cells, partial(_swap_line, report, among=False))
    return Section(HELD_OUT, "held_out: one seat among strangers", words, tables)


def _swap_line(report: Report, line: Values, among: bool = True) -> Entries:
    deals = f"{line['deals']:,.0f} deals"
    return {
        "seat": Entry(
            f"{line['agent']} as {line['role']}",
            f"among {line['among']}" if among and line["num_players"] > 1 else "",
        ),
        "gain": points(line, "gain"),
        "wins": percent(line, "won"),
        "instead": Entry(percent(line, "instead").text, line["replaced"]),
        "games": Entry(f"{line['games']:,}", "" if line["games"] == line["deals"] else deals),
        **_bases(report, line["setup"], line["camp"]),
    }


def _cross_play(report: Report) -> Section:
    words = (
        "Each agent in one seat of a role, its line, among each other agent, its column: how much more often the "
        f"seat's camp wins than with one more of the others, in points; on the diagonal, its wins in %. {GAIN_WORDS}"
    )
    tables, mirrors = [], report.table(MIRROR)
    for (setup, role), lines in _lines(report.table(DEVIATION), "setup", "role"):
        entries = {(line["agent"], line["among"]): points(line, "gain") for line in lines}
        for line in mirrors[mirrors["setup"] == setup].to_dict("records"):
            entries[line["agent"], line["agent"]] = percent(line, f"{WON}{lines[0]['camp']}")
        grid: list[Entries] = [
            {"in one seat": one, **{f"among {among}": entries[one, among] for among in report.compared}}
            for one in report.compared
        ]
        tables.append(table(f"{setup}, {role}", grid))
    return Section("cross_play", "cross_play: everybody among everybody", words, tuple(tables))


def _matrix(report: Report) -> Section:
    words = (
        "Each camp is played by one agent: how often each camp wins, in %, for every choice of agents, with 95 % "
        "intervals."
    )
    cells = report.cells[report.cells["table"].isin((MIRROR, MATRIX))]
    order = {agents: place for place, agents in enumerate(product(report.compared, repeat=len(report.camps)))}
    tables = []
    for setup, lines in _lines(cells):
        by_agents = {tuple(line[f"agent_{camp}"] for camp in report.camps): line for line in lines}
        shown = [by_agents[agents] for agents in order if agents in by_agents]
        camps = _camps(report, shown)
        lineups: list[Entries] = [
            {
                **{f"{camp} are": line[f"agent_{camp}"] for camp in camps},
                **_wins(report, line, shown, "{} win"),
                "games": f"{line['games']:,}",
            }
            for line in shown
        ]
        tables.append(table(f"{setup}, {len(lineups)} lineups", lineups, folded=True))
    return Section(MATRIX, "matrix: each camp its own agent", words, tuple(tables))


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
    by_agent: dict[str, dict[str, Entry | str]] = {}
    for each in ratings.strengths:
        by_agent.setdefault(each.agent, {"agent": each.agent})[each.camp] = _log_odds(each)
    by_camp = {camp: [each for each in ratings.strengths if each.camp == camp] for camp in report.camps}
    orders = [
        f"{camp}: {' above '.join(' = '.join(group) for group in ranked({each.agent: each for each in mine}))}"
        for camp, mine in by_camp.items()
    ]
    below = f'"=" joins agents whose intervals overlap. {"; ".join(orders)}.'
    intercepts: list[Entries] = [
        {"players": str(each.num_players), "camp": each.camp, "intercept": _log_odds(each)}
        for each in ratings.intercepts
    ]
    tables = (
        table(f"log odds beside {ratings.reference}", by_agent.values(), below=below),
        table("Intercepts: what the game gives a camp", intercepts, folded=True),
    )
    return Section("ratings", "ratings: strength by camp", words, tables, (_strengths(report, ratings),))


def _strengths(report: Report, ratings: Ratings) -> Picture:
    short, groups = short_names(each.agent for each in ratings.strengths), []
    for camp in report.camps:
        rows = [
            Row(short[each.agent], each.value, each.low, each.high, _log_odds(each).text)
            for each in ratings.strengths
            if each.camp == camp
        ]
        groups += [Group(camp, camp_colour(camp, report.camps), rows)] if rows else []
    return Picture(
        "How strong each agent is in each camp",
        f"Strengths of the agents in each camp, in log odds beside {ratings.reference}, 95 % intervals.",
        partial(draw_rows, groups, "strength, log odds (line: 95 % interval)"),
    )


def _log_odds(each: Strength | Intercept) -> Entry:
    fixed = each.low == each.high
    return Entry("0", "reference") if fixed else Entry(signed(each.value, 2), _ends(each.low, each.high))


def _ends(low: float, high: float) -> str:
    return f"{signed(low, 2)} to {signed(high, 2)}"


# --- scores, lengths, players from outside ----------------------------------------------------------------------------


def _scores(report: Report) -> Section:
    words = (
        "Final scores: of the one seat where an agent sits alone among others, else of all seats. The interval of the "
        "mean is 95 %."
    )
    cells = report.cells[report.cells["table"].isin((MIRROR, DEVIATION))]
    return Section("scores", "scores", words, _tables(cells, _score_line))


def _score_line(line: Values) -> Entries:
    return {
        "lineup": f"{line['agent']} among {line['among']}" if line["role"] else f"all {line['agent']}",
        "mean score": number(line, "score", 1),
        "deviation": f"{line['score_deviation']:.0f}",
        **_percentiles(line, "score"),
    }


def _percentiles(line: Values, name: str) -> Entries:
    percentiles = {"5 %": "p5", "median": "median", "95 %": "p95"}
    shown = {head: f"{line[f'{name}_{part}']:.0f}" for head, part in percentiles.items()}
    return {**shown, "games": f"{line['games']:,}"}


def _lengths(report: Report) -> Section:
    words = "Games with the same agent in every seat: the events of a game, means per game, and its decisions in all."
    return Section("lengths", "lengths: how games go", words, _tables(report.table(MIRROR), _length_line))


def _length_line(line: Values) -> Entries:
    heads, means = (
        [name.removeprefix(kind) for name in line if name.startswith(kind) and not name.endswith(ENDS)]
        for kind in ("share_", "mean_")
    )
    return {
        "lineup": f"all {line['agent']}",
        **{f"{head}, %": percent(line, f"share_{head}", line["games"]) for head in heads},
        **{head: f"{line[f'mean_{head}']:.1f}" for head in means if head != "decisions"},
        "decisions": f"{line['decisions']:.1f}",
        **_percentiles(line, "decisions"),
    }


def _outside(report: Report) -> Section:
    return Section("outside", "outside: failures and costs", OUTSIDE_WORDS, _tables(report.outside, outside_line))


def outside_line(line: Values) -> Entries:
    """What went wrong with an agent from outside, and what it cost."""
    return {
        "agent": line["agent"],
        "games": f"{line['games']:,}",
        "decisions": f"{line['decisions']:,}",
        "forfeited, %": percent(line, "forfeits"),
        "repaired, %": _share(line["repaired"], line["decisions"]),
        **{f"{kind}, %": _share(line[kind], line["answers"]) for kind in Failure},
        "tokens in": f"{line['tokens_in']:,}",
        "tokens out": f"{line['tokens_out']:,}",
        "cost": f"{line['micros'] / 1e6:.4f}",
        "wins": percent(line, "wins"),
        "wins if untouched": percent(line, "wins_untouched"),
    }


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else NOTHING


# --- beliefs about roles ----------------------------------------------------------------------------------------------


def inference(roles: pd.DataFrame) -> Section:
    """How good beliefs about roles are."""
    words = (
        "What an observer believes about the roles of the others, compared with their true roles: log-loss in nats and "
        "Brier score (0 to 2) per seat, lower is better. A claim is that a seat has a role; it is calibrated if claims "
        "of 30 % are true in 30 of 100 cases. An observer that expects another way of playing can do worse than its "
        "reference. Intervals are 95 %, clustered by game."
    )
    tables, pictures = list[Table](), list[Picture]()
    for count, mine in roles.groupby("num_players", sort=False):
        title = f"{count} players"
        readable = _belief_lines(mine, BY_ROLE, "group", "observed")
        tables.append(table(title, _belief_lines(mine, ALL, "observed")))
        tables.append(table(f"{title}: readability of each role", readable, folded=True))
        for observed, one in mine.groupby("observed", sort=False):
            who, claims = f"{title}, {observed}", one[one["by"] == CALIBRATION].to_dict("records")
            for by in (BY_TURN, BY_TENTH):
                tables.append(table(f"{who}: scores by {by}", _belief_lines(one, by, "group"), folded=True))
            tables.append(table(f"{who}: calibration", map(_claim_line, claims), folded=True))
            pictures += _belief_pictures(one, f"{observed}, {title}")
    return Section("inference", "inference: reading roles from play", words, tuple(tables), tuple(pictures))


def _belief_lines(roles: pd.DataFrame, by: str, *heads: str) -> Iterator[Entries]:
    """A line for each group, with the scores of each observer side by side."""
    words = {"observed": "whose play", "group": by}
    for _, lines in _lines(roles[roles["by"] == by], *heads):
        yield {
            **{words[head]: str(lines[0][head]) for head in heads},
            **{f"log-loss, {line['observer']}": number(line, "log_loss", 3) for line in lines},
            **{f"Brier, {line['observer']}": number(line, "brier", 3) for line in lines},
            "seats": f"{lines[0]['seats']:,.0f}",
        }


def _claim_line(line: Values) -> Entries:
    return {
        "whose claims": line["observer"],
        "mean chance claimed, %": f"{100 * line['claimed']:.1f}",
        "true, %": percent(line, "true"),
        "claims": f"{line['claims']:,.0f}",
    }


def _belief_pictures(roles: pd.DataFrame, where: str) -> Iterator[Picture]:
    """Log-loss by turn, and calibration, for each observer."""
    for title, by, across, value, label, scale in (
        ("Log-loss along the game", BY_TURN, "group", "log_loss", "log-loss, nats a seat", 1),
        ("Calibration", CALIBRATION, "claimed", "true", "true, % (band: 95 %)", 100),
    ):
        lines = [Line("as claimed", FAINT, *([[0, 100]] * 4))] if by == CALIBRATION else []
        for (observer, mine), colour in zip(roles[roles["by"] == by].groupby("observer", sort=False), (OWN, REFERENCE)):
            wanted = (across, value, f"{value}_low", f"{value}_high")
            drawn = [(scale * mine[each].astype(float)).tolist() for each in wanted]
            lines.append(Line(short_names([str(observer)])[str(observer)], colour, *drawn))
        heads = {"group": by, "claimed": "chance claimed, %"}
        words = f"{title} of each observer's beliefs about the roles of others, with {where}; band: 95 % interval."
        yield Picture(f"{title}: {where}", words, partial(draw_lines, lines, heads[across], label))
