"""How fast algorithms close the gaps of small games: NashConv by iterations and by seconds, one line a seed.

    python experiments/studies exact_curves --games rill,brook --seconds 20 --out docs/images/exact_curves.svg

A seed draws the policy that a solver begins with, or a learner's network and games. Iterations are those of solvers,
and updates of learners. All aim at the returns of self-play, see `paying_wins`. Seconds leave out what it takes to
measure. The table has the last point of each line.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

import torch
import typer

from riverbed_env.kernels.compile import Floats
from riverbed_env.small import find_small
from riverbed_lab.exact import (
    CFR,
    MCCFR,
    CFRPlus,
    Exact,
    MirrorDescent,
    Tree,
    build_tree,
    evaluate_exactly,
    paying_wins,
    policy_of,
)
from riverbed_lab.selfplay import SelfPlay
from riverbed_lab.training.build import build_training

from .kit import print_table, say

GROWTH = 1.6  # of the iterations from one point of a line to the next
LEARNER = {"num_envs": 64, "warm_up": 10_000}


class Point(NamedTuple):
    """Where an algorithm is after some iterations."""

    iterations: int
    seconds: float
    found: Exact


class Learner:
    """A learner in all seats; an iteration is a rollout and an update. advantages: as in `TrainingConfig`."""

    def __init__(self, tree: Tree, seed: int, advantages: str) -> None:
        config = build_training({**LEARNER, "small": tree.small.name, "seed": seed, "advantages": advantages}, "study")
        self.tree, self.iterations, self.learner = tree, 0, SelfPlay(config)

    def run(self, iterations: int) -> None:
        """Do some updates."""
        for _ in range(iterations):
            self.learner.learn(self.learner.config.rollout_steps, self.learner.config.learning_rate)
        self.iterations += iterations

    def policy(self) -> Floats:
        """What the network plays."""
        with TemporaryDirectory() as folder:
            self.learner.save_policy(Path(folder) / "policy.npz")
            return policy_of(self.tree, str(Path(folder) / "policy.npz"))


ALGORITHMS: dict[str, Callable[[Tree, int], CFR | MirrorDescent | Learner]] = {
    "CFR": CFR,
    "CFR+": CFRPlus,
    "MCCFR": MCCFR,
    "MMD": MirrorDescent,
    "all-action": partial(Learner, advantages="all"),
    "PPO": partial(Learner, advantages="sampled"),
}


def curve(tree: Tree, solver: CFR | MirrorDescent | Learner, seconds: float) -> list[Point]:
    """An algorithm's points until it has run for so long."""
    points, goal, spent = list[Point](), 1, 0.0
    while spent < seconds:
        begun = time.perf_counter()
        while solver.iterations < goal and spent + time.perf_counter() - begun < seconds:
            solver.run(1)
        spent += time.perf_counter() - begun
        found = evaluate_exactly(tree, solver.policy(), camps=spent >= seconds)
        points.append(Point(solver.iterations, spent, found))
        goal = max(goal + 1, int(goal * GROWTH))
    return points


def draw(curves: dict[tuple[str, str], list[list[Point]]], games: list[str], out: Path) -> None:
    """Draw the lines of each game in a column of its own, by iterations and by seconds."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.5 * len(games), 6.4), layout="constrained")
    for column, game in zip(figure.subplots(2, len(games), squeeze=False).T, games, strict=True):
        for axes, by in zip(column, ("iterations", "seconds"), strict=True):
            for number, name in enumerate(ALGORITHMS):
                for seed, points in enumerate(curves[game, name]):
                    xs, ys = [getattr(point, by) for point in points], [point.found.nash_conv for point in points]
                    axes.plot(xs, ys, color=f"C{number}", alpha=0.8, label=name if seed == 0 else None)
            axes.set(xscale="log", yscale="log", xlabel=by, ylabel="NashConv", title=game)
            axes.grid(alpha=0.3)
        column[0].legend()
    figure.savefig(out, metadata={"Date": None})


def row_of(game: str, name: str, seed: int, last: Point) -> tuple[str, ...]:
    """A line's last point in words."""
    found = last.found
    wins = ", ".join(f"{who} {100 * share:.1f} %" for who, share in found.wins.items())
    camps = ", ".join(f"{who} {gain.low:.4f} to {gain.high:.4f}" for who, gain in found.camps.items())
    return game, name, str(seed), f"{last.iterations:,}", f"{found.nash_conv:.2e}", f"{found.cce_gap:.2e}", wins, camps


def main(
    games: Annotated[str, typer.Option(help="Small games, like rill,brook.")] = "rill,brook",
    seconds: Annotated[float, typer.Option(min=0.01, help="How long each algorithm runs.")] = 20,
    seeds: Annotated[int, typer.Option(min=1, help="Lines of each algorithm.")] = 3,
    out: Annotated[Path, typer.Option(help="The figure.")] = Path("exact_curves.svg"),
) -> None:
    """Solve small games and draw their gaps."""
    torch.set_num_threads(1)
    names = games.split(",")
    curves, rows = dict[tuple[str, str], list[list[Point]]](), list[tuple[str, ...]]()
    for game in names:
        tree = paying_wins(build_tree(find_small(game)))
        for name, algorithm in ALGORITHMS.items():
            curves[game, name] = [curve(tree, algorithm(tree, seed), seconds) for seed in range(seeds)]
            rows += [row_of(game, name, seed, points[-1]) for seed, points in enumerate(curves[game, name])]
    draw(curves, names, out)
    headings = ("game", "algorithm", "seed", "iterations", "NashConv", "CCE gap", "wins", "joint gains")
    print_table(f"after {seconds:g} s", headings, rows, left=(0, 1, 6, 7))
    say(f"wrote {out}")
