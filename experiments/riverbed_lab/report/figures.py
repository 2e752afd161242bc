"""The report's figures, made from its results: which there are, and what they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..evaluation.results import InferenceRow, LearningRow, Report
from .bar_figures import draw_ratings, draw_win_rates
from .canvas import Picture, short_names, style, to_svg
from .inference_figures import draw_calibration, draw_log_loss
from .learning_figure import draw_learning
from .length_figure import draw_lengths
from .matrix_figure import draw_matrix
from .ternary_figure import draw_shares

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def learning_pictures(report: Report) -> list[Picture]:
    """The learning curve of each agent that has one."""
    return [_learning_picture(row, number) for number, row in enumerate(report.learning, 1)]


def mirror_pictures(report: Report) -> list[Picture]:
    """A figure of win rates for each player count, then, with three camps, their shares of wins in one triangle."""
    found = [
        _picture(
            f"wins_{count}",
            f"Who wins with {count} players when all play alike",
            f"Bars: win rates of the camps with {count} players, every seat the same agent, with 95 % intervals. "
            "Dotted line: all random; dashed line: best rule-based agent.",
            lambda count=count: draw_win_rates(report, count),  # type: ignore[misc]
        )
        for count in _counts(row.num_players for row in report.mirror)
    ]
    if report.mirror and len(report.header.camps) == 3:
        words = (
            "A dot is an agent in every seat, the number in it the players: the nearer to a camp's corner, the more of "
            "the games that were won it takes. The triangle is cut to where dots are; its grid is in %."
        )
        found.append(_picture("shares", "How the three camps share the wins", words, lambda: draw_shares(report)))
    return found


def matrix_pictures(report: Report) -> list[Picture]:
    """A figure of heat maps for each player count."""
    return [
        _picture(
            f"matrix_{count}",
            f"Which camp wins when camps differ, {count} players",
            f"Heat maps: how often, in %, each camp wins with {count} players for every choice of agents by camp.",
            lambda count=count: draw_matrix(report, count),  # type: ignore[misc]
        )
        for count in _counts(cell.num_players for cell in report.matrix)
    ]


def rating_pictures(report: Report) -> list[Picture]:
    """The strengths with their intervals."""
    ratings = report.ratings
    if ratings is None:
        return []
    words = f"Strengths of the agents in each camp, in log odds beside {ratings.reference}, with 95 % intervals."
    return [_picture("ratings", "How strong each agent is in each camp", words, lambda: draw_ratings(report, ratings))]


def inference_pictures(report: Report) -> list[Picture]:
    """The log-loss along the game for each player count and lineup that was observed, then their calibration."""
    counts = _counts(row.num_players for row in report.inference)
    found = [
        (row, f"{count}_{number}")
        for count in counts
        for number, (row, *_) in enumerate(report.lineups(count))
    ]  # fmt: skip
    return [*(_log_loss_picture(*each) for each in found), *(_calibration_picture(*each) for each in found)]


def length_pictures(report: Report) -> list[Picture]:
    """How long games are, by player count and lineup."""
    if not report.lengths:
        return []
    words = "How the numbers of decisions in a game are spread, by player count and lineup; the tick is the median."
    return [_picture("lengths", "How long games are", words, lambda: draw_lengths(report))]


def _learning_picture(row: LearningRow, number: int) -> Picture:
    lines = ", ".join(each.agent for each in row.others) or row.reference
    return _picture(
        f"learning_{number}",
        f"How {short_names([row.agent])[row.agent]} learnt",
        f"Above, how often {row.agent} wins as {row.role} by the decisions it learnt from, with 95 % intervals; "
        f"lines: {lines} in the same seat. Below, its gain over {row.reference} on the same deals.",
        lambda: draw_learning(row),
    )


def _log_loss_picture(row: InferenceRow, number: str) -> Picture:
    where, beside = _where(row)
    return _picture(
        f"log_loss_{number}",
        f"What {row.observer} learns along the game: {where}",
        f"Log-loss about the roles of others by {row.grouped_by}{beside}, with {where}; lower is better.",
        lambda: draw_log_loss(row),
    )


def _calibration_picture(row: InferenceRow, number: str) -> Picture:
    where, beside = _where(row)
    return _picture(
        f"calibration_{number}",
        f"Whether {row.observer} means what it claims: {where}",
        f"How often claims about roles were true, by the chance claimed{beside}, with {where}; below, how many claims.",
        lambda: draw_calibration(row),
    )


def _where(row: InferenceRow) -> tuple[str, str]:
    """Whose play is read, and beside which reference."""
    return f"{row.observed}, {row.num_players} players", f", beside {row.reference}" if row.reference else ""


def _counts(found: Iterator[int]) -> list[int]:
    return sorted(set(found))


def _picture(name: str, title: str, words: str, draw: Callable[[], Figure]) -> Picture:
    with style():
        return Picture(name, title, words, to_svg(draw()))
