"""The figure of the learning curves: a panel for each role, with the gain over the lineup's agent in that seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from riverbed_env.registry import find_game
from riverbed_lab.report.canvas import FAINT, INK, QUIET, camp_colour, style, to_svg
from riverbed_lab.statistics import FEWEST_SEEDS, SeedsDifference, gain_of, seeds_difference

from .results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from riverbed_lab.league.best_response import BestResponses

PURPOSE_OF_SEEDS = 10
ACROSS = 3  # panels
PANEL = (2.6, 2.15)  # inches
LEAST = 4.0  # points that the axis shows on either side of zero
ROOM = 1.1  # factor of the axis beyond the data
THOUSAND = 1_000


def over_seeds(results: Sequence[Result]) -> list[tuple[int, SeedsDifference]]:
    """The mean gain of one role's learners at each evaluation that all of them had, by steps."""
    curves = {result.seed: {row.steps: gain_of(vars(row)) for row in result.curve} for result in results}
    common = sorted(set.intersection(*(set(curve) for curve in curves.values())))
    return [
        (steps, seeds_difference({seed: curve[steps] for seed, curve in curves.items()}, PURPOSE_OF_SEEDS))
        for steps in common
    ]


def draw_curves(study: BestResponses, results: Sequence[Result]) -> str:
    """The figure as SVG, from at least one result. Roles without results have no panel."""
    from matplotlib.figure import Figure

    by_role = {role: [result for result in results if result.role == role] for role in study.roles}
    shown = {role: mine for role, mine in by_role.items() if mine}
    down = -(-(len(shown) + 1) // ACROSS)  # one more for the legend
    with style():
        figure = Figure(figsize=(PANEL[0] * ACROSS, PANEL[1] * down), layout="constrained")
        axes = figure.subplots(down, ACROSS, squeeze=False).ravel()
        span = _span(list(shown.values()))
        for number, (role, mine) in enumerate(shown.items()):
            _draw_role(axes[number], study, role, mine, span)
            if number % ACROSS == 0:
                axes[number].set_ylabel("gain, points")
        for axis in axes[len(shown) :]:
            axis.axis("off")
        _draw_words(axes[len(shown)], study, shown)
        return to_svg(figure)


def _span(shown: Sequence[Sequence[Result]]) -> tuple[float, float]:
    """The ends of the common axis of gains, in points."""
    gains = [100 * row.gain for mine in shown for result in mine for row in result.curve]
    for mine in shown:
        if len(mine) >= FEWEST_SEEDS:
            gains += [100 * end for _, gain in over_seeds(mine) for end in (gain.low, gain.high)]
    return ROOM * min([-LEAST, *gains]), ROOM * max([LEAST, *gains])


def _draw_role(
    axis: Axes, study: BestResponses, role: str, results: Sequence[Result], span: tuple[float, float]
) -> None:
    """A thin line for each seed, a thick one for their mean, and its interval from FEWEST_SEEDS seeds on."""
    game = find_game(results[0].environment)
    colour = camp_colour(game.camp_of_role[role], game.camps)
    axis.set_title(role, color=colour, fontweight="bold", loc="left")
    axis.axhline(0, color=INK, linewidth=0.8, linestyle=(0, (4, 1.5)))
    for result in results:
        steps = [row.steps / THOUSAND for row in result.curve]
        axis.plot(steps, [100 * row.gain for row in result.curve], color=colour, linewidth=0.6, alpha=0.45)
    mean = over_seeds(results)
    steps = [each / THOUSAND for each, _ in mean]
    axis.plot(steps, [100 * gain.value for _, gain in mean], color=colour, linewidth=1.8)
    if len(results) >= FEWEST_SEEDS:
        low, high = ([100 * getattr(gain, end) for _, gain in mean] for end in ("low", "high"))
        axis.fill_between(steps, low, high, color=colour, alpha=0.18, linewidth=0)
    last = max(row.steps for result in results for row in result.curve) / THOUSAND
    _name_reference(axis, study.learner(role, results[0].seed).reference, last, below=mean[-1][1].value >= 0)
    axis.set_xlim(0, last)
    axis.set_ylim(*span)
    axis.grid(axis="y", color=FAINT, linewidth=0.5)
    axis.set_axisbelow(True)
    axis.tick_params(axis="y", labelcolor=QUIET)
    axis.yaxis.set_major_formatter(lambda points, _: f"{points:+g}" if points else "0")
    axis.set_xlabel("thousand decisions learnt from")


def _name_reference(axis: Axes, agent: str, last: float, *, below: bool) -> None:
    """Write the name of the lineup's agent at the end of the line at zero, where the curves aren't."""
    axis.annotate(
        *(agent, (last, 0), (0, -2 if below else 2)), textcoords="offset points", ha="right",
        va="top" if below else "bottom", color=INK, fontsize=7,
    )  # fmt: skip


def _draw_words(axis: Axes, study: BestResponses, shown: dict[str, list[Result]]) -> None:
    """The legend, in place of a panel."""
    fewest, most = (end(len(mine) for mine in shown.values()) for end in (min, max))
    games = max(row.games for mine in shown.values() for result in mine for row in result.curve)
    players = " or ".join(str(count) for count in study.training.counts())
    lines = [
        f"One seat of {players} learns,",
        "the others stay as they are.",
        "",
        "thin: one learner",
        f"thick: mean of {fewest}{'' if fewest == most else f' to {most}'}",
        *(["band: 95 % interval over learners"] if most >= FEWEST_SEEDS else []),
        "dashed: the agent it replaces",
        "",
        f"{games:,} common deals an evaluation,",
        "actions drawn from the policy",
    ]
    axis.text(0.02, 0.95, "\n".join(lines), transform=axis.transAxes, va="top", color=QUIET, linespacing=1.35)
