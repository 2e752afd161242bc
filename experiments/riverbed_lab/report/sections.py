"""The report's sections: tables and pictures of the results, and what they mean in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from riverbed_env.seats import Failure

from ..judging.beliefs import ALL
from ..judging.run import EVERY_SEAT
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, MIRROR
from ..playing.rows import WON
from ..statistics import WITHIN
from .figures import OWN, Group, Line, Row, camp_colour, draw_lines, draw_rows, short_names
from .learning import Learner
from .model import Entry, Picture, Section, Table, Values, entry, signed, table
from .report import Report, grouped

if TYPE_CHECKING:
    import pandas as pd

THOUSAND, MILLION = 1_000, 1_000_000
GAIN_WORDS = (
    "Wins are in %, gains in points, with 95 % intervals. ▲ ▼ mark gains other than 0, with 95 % for all of a table."
)
ENDS = ("_low", "_high", "_games")  # of columns that belong to another
SHOWN = ("gain", "share_repaired", "wins")  # of players from outside, also if they are 0


def sections(report: Report) -> list[Section]:
    """All parts with results: how an agent was made and what models cost first, then in the order of the protocol."""
    makers: list[tuple[object, Callable[[Report], Section]]] = [
        (report.learners, _learning),
        (len(report.outside), _outside),
        (len(report.table(MIRROR)), _mirror),
        (len(report.table(DEVIATION)), _deviations),
        (report.cross_play, _cross_play),
        (len(report.table(MATRIX)), _matrix),
        (len(report.table(HELD_OUT)), _held_out),
        (len(report.table(MIRROR)), _lengths),
    ]
    return [make(report) for results, make in makers if results]


def _tables(frame: pd.DataFrame, columns: Mapping[str, str], folded: bool = False) -> tuple[Table, ...]:
    """A table for each setup."""
    return tuple(table(setup, lines, columns, folded) for setup, lines in grouped(frame, "setup"))


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
    lines = [{**vars(point), "won_low": point.low, "won_high": point.high} for point in learner.points]
    gain = f"gain over {learner.reference}"
    columns = {"learnt from": "steps", gain: "gain", "wins": "won", "deals": "games", "seconds": "seconds"}
    return table(f"{learner.agent} during training", lines, columns, folded=True)


# --- the tables of the protocol ---------------------------------------------------------------------------------------


def _wins(report: Report, head: str) -> dict[str, str]:
    """The columns of who won how often."""
    if len(report.camps) == 1:
        return {"wins of a seat": f"{WON}{report.camps[0]}", "games": "games"}
    wins = {head.format(camp): f"{WON}{camp}" for camp in report.camps}
    return {**wins, "nobody won": "nobody_won", "games": "games"}


def _mirror(report: Report) -> Section:
    one = len(report.camps) == 1
    words = (
        "Every seat is played by the same agent: how often "
        + ("a seat wins, in %" if one else "each camp wins, in % of the games that have the camp")
        + ", with 95 % intervals. These rates are what the game gives a camp when all play alike; they don't say which "
        "agent is stronger."
    )
    tables = _tables(report.table(MIRROR), {"agent": "agent", **_wins(report, "{}")})
    return Section(MIRROR, "mirror: the same agent in every seat", words, tables)


SWAP = {
    "agent": "agent", "role": "role", "among": "among", "gain": "gain", "best known": "best", "wins": "won",
    "in place of": "replaced", "its wins": "instead", "mean score": "score", "games": "games", "deals": "deals",
}  # fmt: skip


def _deviations(report: Report) -> Section:
    words = (
        "One seat of a role changes hands, on the same deals: how much more often the seat's camp wins with this agent "
        f"there than with one more of the others. Best known is the highest gain over {report.reference} in the same "
        f"role in these games: what there is to gain at least. {GAIN_WORDS}"
    )
    cells, gains = report.table(DEVIATION), report.gains(DEVIATION)
    best = {
        place: Entry(signed(100 * line["gain"], 1), line["agent"])
        for place, lines in grouped(gains, "setup", "role")
        for line in [max(lines, key=lambda line: line["gain"])]
        if line["gain"] > 0
    }
    cells = cells.assign(best=[best.get(place) for place in zip(cells["setup"], cells["role"])])
    pictures = tuple(_gains(report, setup, lines) for setup, lines in grouped(gains, "setup"))
    return Section(DEVIATION, "deviation: one seat changes hands", words, _tables(cells, SWAP), pictures)


def _gains(report: Report, setup: str, lines: list[Values]) -> Picture:
    """The gain of each agent that takes a seat among the reference, in a group for each role."""
    short, groups = short_names([report.reference, *report.agents]), list[Group]()
    for role in dict.fromkeys(line["role"] for line in lines):
        mine = [line for line in lines if line["role"] == role]
        rows = [
            Row(
                short[line["agent"]],
                value=100 * line["gain"],
                low=100 * line["gain_low"],
                high=100 * line["gain_high"],
                words=signed(100 * line["gain"], 1),
            )
            for line in mine
        ]
        groups.append(Group(role, camp_colour(mine[0]["camp"], report.camps), rows))
    return Picture(
        f"Gain of one seat over {short[report.reference]}, {setup}",
        f"Points: how much more often the seat's camp wins than with {report.reference} in that seat too, with "
        f"{setup}; lines: 95 % intervals.",
        partial(draw_rows, groups, "gain in points (line: 95 % interval)"),
    )


def _held_out(report: Report) -> Section:
    words = (
        "One seat of a role among partners and opponents that nobody trained with, drawn from "
        f"{report.table(HELD_OUT)['among'].iloc[0]}: how much more often the seat's camp wins with this agent there "
        f"than with {report.reference}, on the same deals. {GAIN_WORDS}"
    )
    columns = {head: name for head, name in SWAP.items() if head != "among"}
    return Section(HELD_OUT, "held_out: one seat among strangers", words, _tables(report.gains(HELD_OUT), columns))


def _cross_play(report: Report) -> Section:
    words = (
        "Each agent in one seat of a role, its line, among each other agent, its column: how much more often the "
        f"seat's camp wins than with one more of the others, in points; on the diagonal, its wins in %. {GAIN_WORDS}"
    )
    tables, mirrors = [], report.table(MIRROR)
    for (setup, role), lines in grouped(report.table(DEVIATION), "setup", "role"):
        entries = {(line["agent"], line["among"]): entry(line, "gain", len(lines)) for line in lines}
        for line in mirrors[mirrors["setup"] == setup].to_dict("records"):
            entries[line["agent"], line["agent"]] = entry(line, f"{WON}{lines[0]['camp']}")
        grid: list[Values] = [
            {"in one seat": one, **{f"among {among}": entries[one, among] for among in report.compared}}
            for one in report.compared
        ]
        tables.append(table(f"{setup}, {role}", grid))
    return Section("cross_play", "cross_play: everybody among everybody", words, tuple(tables))


def _matrix(report: Report) -> Section:
    words = (
        "Each camp is played by one agent: how often each camp wins, in %, for every choice of agents. A gain is that "
        f"of an agent in one whole camp among {report.reference}, on the same deals. {GAIN_WORDS}"
    )
    cells = report.cells[report.cells["table"].isin((MIRROR, MATRIX)) & report.cells["agent"].isin(report.compared)]
    agents = {camp: f"agent_{camp}" for camp in report.camps}
    columns = {**agents, "gain": "gain", **_wins(report, "{} win")}
    return Section(MATRIX, "matrix: each camp its own agent", words, _tables(cells, columns, folded=True))


# --- how games go, players from outside -------------------------------------------------------------------------------


def _lengths(report: Report) -> Section:
    words = (
        "Games with the same agent in every seat: final scores, if there are any, the events of a game in % of games, "
        "means per game, and its decisions."
    )
    cells = report.table(MIRROR)
    names = [name for name in cells.columns if name.startswith(("share_", "mean_")) and not name.endswith(ENDS)]
    told = {name.partition("_")[2]: name for name in names}
    columns = {"agent": "agent", "mean score": "score", **told, "decisions": "decisions", "games": "games"}
    return Section("lengths", "lengths: how games go", words, _tables(cells, columns))


def _outside(report: Report) -> Section:
    words = (
        "Seats played from outside (programs, services, language models): answers that couldn't be taken, by class, in "
        "% of all answers; choices that were then drawn at random (repaired), in % of decisions; seats that were given "
        "up after a failure (forfeited), in % of their games. Wins are those of the seats' camps. The gain is over all "
        f"its roles, in points, best first; games and cost for ±{100 * WITHIN:g} would narrow its interval to that. "
        "What is 0 for all has no column."
    )
    costs = {
        "agent": "agent",
        "gain": "gain",
        "repaired, %": "share_repaired",
        "tokens a game": "tokens_a_game",
        "cost a game": "cost_a_game",
        f"games for ±{100 * WITHIN:g}": "needed",
        f"cost for ±{100 * WITHIN:g}": "cost_needed",
    }
    columns = {
        "agent": "agent",
        "games": "games",
        "decisions": "decisions",
        "forfeited, %": "forfeits",
        **{f"{kind}, %": f"share_{kind}" for kind in ("repaired", *Failure)},
        "tokens in": "tokens_in",
        "tokens out": "tokens_out",
        "cost": "cost",
        "wins": "wins",
    }
    frame, tables = report.outside.sort_values("gain", ascending=False, kind="stable"), list[Table]()
    for suffix, chosen in (("", costs), (": answers", columns)):
        there = {head: name for head, name in chosen.items() if name in SHOWN or frame[name].any()}
        tables += [table(f"{setup}{suffix}", lines, there) for setup, lines in grouped(frame, "setup")]
    return Section("outside", "outside: strength, costs and failures", words, tuple(tables))


# --- recorded games, choice by choice ---------------------------------------------------------------------------------


def judgement(rows: pd.DataFrame) -> Section:
    """What choices were worth: a table for each setup and group of seats, the strongest first."""
    words = (
        "What the choices of an agent's seats were worth beside what the reference would have done, in points "
        "(hundredths of a win) a game, best first, with 95 % intervals. Winners are those of the same games, less "
        "those of the same deals with the reference in all open seats."
    )
    tables = []
    for (setup, group), lines in grouped(rows.sort_values("gain", ascending=False), "setup", "group"):
        columns = {
            "agent": "agent",
            group: "name",
            "games": "games",
            "choices": "choices",
            "gain": "gain",
            "by deeds": "deeds",
            "by claims": "claims",
            "winners": "winners",
            f"games for ±{100 * WITHIN:g}": "needed",
            "by winners": "needed_by_winners",
        }
        whole = group == EVERY_SEAT
        shown = {head: name for head, name in columns.items() if not (whole and head == group)}
        tables.append((not whole, table(f"{setup}, {group if whole else f'by {group}'}", lines, shown)))
    ordered = (each for _, each in sorted(tables, key=lambda each: each[0]))
    return Section("strength", "strength: what choices were worth", words, tuple(ordered))


def told_by_winners(rows: pd.DataFrame) -> str:
    """Of which agents winners tell more than choices, as with much talk, in a sentence; "" for none."""
    overall = rows[rows["group"] == EVERY_SEAT]
    sharper = overall[overall["needed_by_winners"] < overall["needed"]]["agent"]
    return f"Winners tell more than choices of {', '.join(sharper)}: read theirs." if len(sharper) else ""


# --- beliefs about roles ----------------------------------------------------------------------------------------------


def inference(scores: pd.DataFrame) -> Section:
    """How good beliefs about roles are."""
    words = (
        "What an observer believes about the roles of the others, compared with their true roles: log-loss in nats and "
        "Brier score (0 to 2) per seat, lower is better, with 95 % intervals, clustered by game."
    )
    columns = {
        "whose play": "observed", "observer": "observer", "log-loss": "log_loss", "Brier": "brier", "seats": "seats",
    }  # fmt: skip
    shown = table(f"{scores['num_players'].iloc[0]} players", scores[scores["by"] == ALL].to_dict("records"), columns)
    return Section("inference", "inference: reading roles from play", words, (shown,))
