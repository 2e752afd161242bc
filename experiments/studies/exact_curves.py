"""How fast solvers close the gaps of small games: NashConv by iterations, one line a seed, in one figure.

    python experiments/studies exact_curves --games rill,brook --iterations 1000 --out docs/images/exact_curves.svg

A seed draws the policy that a solver begins with. The table has the last point of each line.
"""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from riverbed_env.small import find_small
from riverbed_lab.exact import CFR, CFRPlus, MirrorDescent, Solver, Tree, build_tree, evaluate_exactly

from .kit import print_table, say

SOLVERS: dict[str, type[Solver]] = {"CFR": CFR, "CFR+": CFRPlus, "MMD": MirrorDescent}
GROWTH = 1.6  # of the iterations from one point of a line to the next


class Point(NamedTuple):
    """Where a solver is after some iterations."""

    iterations: int
    nash_conv: float
    cce_gap: float
    wins: dict[str, float]


def curve(tree: Tree, solver: Solver, iterations: int) -> list[Point]:
    """A solver's points up to so many iterations."""
    points, goal = list[Point](), 1
    while not points or points[-1].iterations < iterations:
        solver.run(min(goal, iterations) - solver.iterations)
        found = evaluate_exactly(tree, solver.policy(), camps=False)
        points.append(Point(solver.iterations, found.nash_conv, found.cce_gap, found.wins))
        goal = max(goal + 1, int(goal * GROWTH))
    return points


def draw(curves: dict[tuple[str, str], list[list[Point]]], games: list[str], out: Path) -> None:
    """Draw the lines of each game in a panel of its own."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.5 * len(games), 3.6), layout="constrained")
    for axes, game in zip(figure.subplots(1, len(games), squeeze=False)[0], games, strict=True):
        for number, name in enumerate(SOLVERS):
            for seed, points in enumerate(curves[game, name]):
                xs, ys = [point.iterations for point in points], [point.nash_conv for point in points]
                axes.plot(xs, ys, color=f"C{number}", alpha=0.8, label=name if seed == 0 else None)
        axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="NashConv", title=game)
        axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(out, metadata={"Date": None})


def main(
    games: Annotated[str, typer.Option(help="Small games, like rill,brook.")] = "rill,brook",
    iterations: Annotated[int, typer.Option(min=1, help="Iterations of each solver.")] = 1000,
    seeds: Annotated[int, typer.Option(min=1, help="First policies of each solver.")] = 3,
    out: Annotated[Path, typer.Option(help="The figure.")] = Path("exact_curves.svg"),
) -> None:
    """Solve small games and draw their gaps."""
    names = games.split(",")
    curves, rows = dict[tuple[str, str], list[list[Point]]](), list[tuple[str, ...]]()
    for game in names:
        tree = build_tree(find_small(game))
        for name, solver in SOLVERS.items():
            lines = [curve(tree, solver(tree, seed), iterations) for seed in range(seeds)]
            curves[game, name] = lines
            for seed, points in enumerate(lines):
                last = points[-1]
                wins = ", ".join(f"{who} {100 * share:.1f} %" for who, share in last.wins.items())
                rows.append((game, name, str(seed), f"{last.nash_conv:.2e}", f"{last.cce_gap:.2e}", wins))
    draw(curves, names, out)
    title = f"after {iterations:,} iterations"
    print_table(title, ("game", "solver", "seed", "NashConv", "CCE gap", "wins"), rows, left=(0, 1, 5))
    say(f"wrote {out}")
