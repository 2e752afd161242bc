"""The report's pictures: which figures are drawn of the results, with their titles and captions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..evaluation.results import InferenceRow, LearningRow, Report
from ..playing.plan import Setup
from .canvas import Picture, short_names, style, to_svg
from .curve_figures import draw_calibration, draw_learning, draw_log_loss
from .matrix_figure import draw_matrix
from .row_figures import draw_gains, draw_lengths, draw_ratings, draw_scores, draw_win_rates

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def learning_pictures(report: Report) -> list[Picture]:
    """The learning curve of each agent that has one."""
    return [_learning_picture(row, number) for number, row in enumerate(report.learning, 1)]


def mirror_pictures(report: Report) -> list[Picture]:
    """The win rates of each setup."""
    return _per_setup(
        "wins", (row.setup for row in report.mirror), "Who wins when all play alike, {}",
        "Bars: win rates of the camps with {}, the same agent in every seat, with 95 % intervals. Dotted line: random "
        "play in all seats; dashed line: the best rule-based agent in all seats.",
        lambda setup: draw_win_rates(report, setup),
    )  # fmt: skip


def gain_pictures(report: Report) -> list[Picture]:
    """The gains over the reference of each setup."""
    reference = report.about.reference
    played = [row.setup for row in report.deviations if row.replaced == reference and row.gain.games]
    return _per_setup(
        "gains", played, f"Gain of one seat over {short_names([reference])[reference]}, {{}}",
        f"Points: how much more often the seat's camp wins than with {reference} in that seat too, with {{}}; lines: "
        "95 % intervals.",
        lambda setup: draw_gains(report, setup),
    )  # fmt: skip


def matrix_pictures(report: Report) -> list[Picture]:
    """The heat maps of each setup."""
    return _per_setup(
        "matrix", (row.setup for row in report.matrix), "Which camp wins when camps differ, {}",
        "Heat maps: how often, in %, each camp wins with {} for every choice of agents by camp.",
        lambda setup: draw_matrix(report, setup),
    )  # fmt: skip


def rating_pictures(report: Report) -> list[Picture]:
    """The strengths with their intervals."""
    if report.ratings is None:
        return []
    words = f"Strengths of the agents in each camp, in log odds beside {report.ratings.reference}, 95 % intervals."
    return [_picture("ratings", "How strong each agent is in each camp", words, lambda: draw_ratings(report))]


def score_pictures(report: Report) -> list[Picture]:
    """The spread of scores by setup and lineup."""
    words = "Final scores by player count and lineup: the median, and a line from the 5th to the 95th percentile."
    return [_picture("scores", "How scores are spread", words, lambda: draw_scores(report))]


def inference_pictures(report: Report) -> list[Picture]:
    """The log-loss along the game for each player count and observed lineup, then their calibration."""
    rows = [
        (row, f"{count}_{number}")
        for count in sorted({row.num_players for row in report.inference})
        for number, (row, *_) in enumerate(report.lineups(count))
    ]
    return [*(_log_loss_picture(*each) for each in rows), *(_calibration_picture(*each) for each in rows)]


def length_pictures(report: Report) -> list[Picture]:
    """The lengths of games by setup and lineup."""
    words = "Decisions per game by player count and lineup: the median, and a line from the 5th to the 95th percentile."
    return [_picture("lengths", "How long games are", words, lambda: draw_lengths(report))]


def _learning_picture(row: LearningRow, number: int) -> Picture:
    lines = ", ".join(each.agent for each in row.others) or row.reference
    return _picture(
        f"learning_{number}",
        f"Learning curve of {short_names([row.agent])[row.agent]}",
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
        f"Calibration of {row.observer}: {where}",
        f"How often claims about roles were true, by the chance claimed{beside}, with {where}; below, how many claims.",
        lambda: draw_calibration(row),
    )


def _where(row: InferenceRow) -> tuple[str, str]:
    """The lineup observed, and the reference."""
    return f"{row.observed}, {row.num_players} players", f", beside {row.reference}" if row.reference else ""


def _per_setup(
    name: str, setups: Iterable[Setup], title: str, words: str, draw: Callable[[Setup], Figure]
) -> list[Picture]:
    """A picture of each setup; title and words have a place for the setup."""
    different = list(dict.fromkeys(setups))
    variants = list(dict.fromkeys(setup.variant for setup in different))
    return [
        _picture(
            f"{name}_{setup.num_players}" + (f"_{variants.index(setup.variant)}" if len(variants) > 1 else ""),
            title.replace("{}", str(setup)), words.replace("{}", str(setup)), lambda setup=setup: draw(setup),  # type: ignore[misc]
        )
        for setup in different
    ]  # fmt: skip


def _picture(name: str, title: str, words: str, draw: Callable[[], Figure]) -> Picture:
    with style():
        return Picture(name, title, words, to_svg(draw()))
