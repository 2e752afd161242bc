"""Fits the model of play behind role inference in Riverbed Hunt: what each role does, from games between agents.

    python experiments/studies fitting.riverbed_hunt --agent rule_based --games 20000

plays games at every player count and looks at each from random seats at random moments. The weights maximise the
conditional likelihood of the true roles given those seats' information states, exactly over all assignments of roles,
with a light ridge. Writes `riverbed_env/deduction/weights.py` and prints the log loss on held-out games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from scipy.optimize import minimize

from riverbed_env import deduction
from riverbed_env.core.batch import Batch
from riverbed_env.core.files import write_whole
from riverbed_env.deduction.assignments import (
    MOST_ASKS,
    NO_TARGET,
    asking,
    asking_factors,
    units_of,
    walk,
    weigh_alone,
    with_claims,
)
from riverbed_env.deduction.evidence import EVIDENCE, NUM_TALLIES
from riverbed_env.deduction.kernels import kernel
from riverbed_env.deduction.loops import gather_all
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, MIN_PLAYERS, NUM_CAMPS, NUM_ROLES, Role
from riverbed_env.kernels.compile import Record
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import watch

Numbers = npt.NDArray[np.float64]
Records = npt.NDArray[np.void]

GAME = find_game("riverbed_hunt_v1")
NUM_ENVS = 2000
LOOKS = 4  # at each game, about
DECISIONS = 80  # of a game, about
RIDGE = 3.0
NUM_WEIGHTS = NUM_ROLES * NUM_TALLIES + 2 * NUM_ROLES * NUM_ROLES
ASKS = slice(1, MOST_ASKS + 1)
NO_CLAIMS = np.zeros((NUM_CAMPS, NUM_ROLES, NUM_ROLES))
TARGET = Path(deduction.__file__).parent / "weights.py"


@kernel
def likelihood(
    evidence: Records,
    truths: npt.NDArray[np.int64],
    tallies: Numbers,
    asked: Numbers,
    tally_slope: Numbers,
    asked_slope: Numbers,
) -> float:
    """The log likelihood of the true roles, (n, MAX_SEATS), and its slope in log odds and in log factors (written)."""
    alone = np.ones((MAX_SEATS, NUM_ROLES), np.float64)
    marginals = np.zeros((MAX_SEATS, NUM_ROLES), np.float64)
    pairs = np.zeros(asked.shape, np.float64)
    roles = np.zeros(MAX_SEATS, np.int64)
    total = 0.0
    for sample in range(len(evidence)):
        known = evidence[sample]["known"]
        num_players = int(evidence[sample]["num_players"])
        marginals[:] = 0.0
        pairs[:] = 0.0
        weigh_alone(evidence[sample], tallies, asked, alone)
        whole = walk(evidence[sample], alone, asked, roles, marginals, pairs, NO_TARGET)
        total += math.log(weight_of(evidence[sample], alone, asked, truths[sample]) / whole)
        for seat in range(num_players):
            truth = truths[sample, seat]
            if known[seat] == Role.UNKNOWN:
                for tally in range(tallies.shape[1]):
                    amount = units_of(evidence[sample], seat, tally)
                    tally_slope[truth, tally] += amount
                    for role in range(NUM_ROLES):
                        tally_slope[role, tally] -= amount * marginals[seat, role] / whole
            for other in range(num_players):
                times = min(MOST_ASKS, int(evidence[sample]["asks"][seat, other]))
                if times > 0:
                    asked_slope[times, truth, truths[sample, other]] += 1.0
                said = int(evidence[sample]["said"][seat, other])
                if said > 0:
                    asked_slope[MOST_ASKS + said, truth, truths[sample, other]] += 1.0
        asked_slope -= pairs / whole
    return total


@kernel
def weight_of(evidence: Record, alone: Numbers, asked: Numbers, roles: npt.NDArray[np.int64]) -> float:
    """The weight of one assignment of roles, as `walk` computes it."""
    weight = 1.0
    for seat in range(int(evidence["num_players"])):
        if evidence["known"][seat] == Role.UNKNOWN:
            weight *= alone[seat, roles[seat]]
            for other in range(seat):
                if evidence["known"][other] == Role.UNKNOWN:
                    weight *= asking(evidence, asked, seat, other, roles[seat], roles[other])
    return weight


def look_at_games(
    agents: Sequence[Agent], num_players: int, games: int, seed: int, **options: Any
) -> tuple[Records, npt.NDArray[np.int64]]:
    """Evidence (n,) and true roles (n, MAX_SEATS) from games; each seat's agent is drawn from `agents`."""
    rng = np.random.default_rng(seed)
    batch = Batch(GAME, min(games, NUM_ENVS), seed=seed, num_players=num_players, auto_reset=False, **options)
    views: list[Records] = []
    truths: list[npt.NDArray[np.int64]] = []
    for first in range(0, games, batch.num_envs):
        sitting = rng.integers(len(agents), size=(batch.num_envs, num_players))
        for _ in watch(batch, agents, sitting, first + np.arange(batch.num_envs)):
            indices = np.flatnonzero(batch.acting & (rng.random(batch.num_envs) < LOOKS / DECISIONS))
            views.append(batch.look(rng.integers(num_players, size=batch.num_envs))[indices])
            truths.append(batch.games["private"]["role"][indices, :MAX_SEATS].astype(np.int64))
    seen = np.concatenate(views)
    evidence = np.zeros(len(seen), EVIDENCE)
    gather_all(seen, batch.params, evidence)
    return evidence, np.concatenate(truths)


def unpack(weights: Numbers) -> tuple[Numbers, Numbers]:
    """Log odds of tallies (NUM_ROLES, NUM_TALLIES), and the factors of asking, with those of claims, which are 1."""
    split = NUM_ROLES * NUM_TALLIES
    first, again = weights[split:].reshape(2, NUM_ROLES, NUM_ROLES)
    return weights[:split].reshape(NUM_ROLES, NUM_TALLIES), with_claims(asking_factors(first, again), NO_CLAIMS)


def fit(evidence: Records, truths: npt.NDArray[np.int64]) -> Numbers:
    """The weights that maximise the likelihood of the true roles, (NUM_WEIGHTS,)."""
    again = np.arange(MOST_ASKS)[:, None, None]

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        tallies, asked = unpack(weights)
        tally_slope, asked_slope = np.zeros_like(tallies), np.zeros_like(asked)
        score = likelihood(evidence, truths, tallies, asked, tally_slope, asked_slope)
        slopes = (tally_slope, asked_slope[ASKS].sum(axis=0), (again * asked_slope[ASKS]).sum(axis=0))
        slope = np.concatenate([part.ravel() for part in slopes])
        return float(RIDGE * weights @ weights - score), 2 * RIDGE * weights - slope

    fitted: Numbers = minimize(loss, np.zeros(NUM_WEIGHTS), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return fitted


def log_losses(evidence: Records, truths: npt.NDArray[np.int64], weights: Numbers) -> tuple[float, float]:
    """The mean log loss of the whole assignment of roles: of the fitted model, and of the uniform one."""

    def mean(tallies: Numbers, asked: Numbers) -> float:
        slopes = np.zeros_like(tallies), np.zeros_like(asked)
        return -float(likelihood(evidence, truths, tallies, asked, *slopes)) / len(evidence)

    return mean(*unpack(weights)), mean(*unpack(np.zeros(NUM_WEIGHTS)))


def write_weights(path: Path, found: dict[int, Numbers], command: str) -> None:
    """The weights as a Python file."""
    fitted = np.stack([found[count] for count in sorted(found)])
    split = NUM_ROLES * NUM_TALLIES
    first, again = np.moveaxis(fitted[:, split:].reshape(-1, 2, NUM_ROLES, NUM_ROLES), 1, 0)

    def rows(array: Numbers) -> str:
        text = np.array2string(array + 0.0, precision=2, suppress_small=True, separator=", ", threshold=10**6)
        return "\n".join(f"    {line.strip()}" for line in text.splitlines() if line.strip())

    text = f'''"""The fitted model of play, in log odds, by player count from {MIN_PLAYERS} on and by role.

TALLIES (counts, NUM_ROLES, NUM_TALLIES): for each unit of a Deed or Choice of a seat of that role; ASKED_FIRST and
ASKED_AGAIN (counts, NUM_ROLES, NUM_ROLES): for the first's asking the second for a co-op once, and each time more.

    {command}
"""

import numpy as np

# fmt: off
TALLIES = np.array(
{rows(fitted[:, :split].reshape(-1, NUM_ROLES, NUM_TALLIES))}
)
ASKED_FIRST = np.array(
{rows(first)}
)
ASKED_AGAIN = np.array(
{rows(again)}
)
# fmt: on
'''
    write_whole(path, lambda partial: partial.write_text(text))


def main(
    agent: Annotated[list[str], typer.Option(help="Agents that play; each seat draws one. May be repeated.")],
    games: Annotated[int, typer.Option(help="Games at each player count.")] = 20_000,
    seed: Annotated[int, typer.Option(help="Seed of the games; the test plays the next one.")] = 5,
    out: Annotated[Path, typer.Option(help="The file to write.")] = TARGET,
) -> None:
    """Play, fit, test, write."""
    agents = [find_agent(name, GAME.name) for name in agent]
    found = {}
    for count in range(GAME.min_players, GAME.max_players + 1):
        found[count] = fit(*look_at_games(agents, count, games, seed))
        ours, uniform = log_losses(*look_at_games(agents, count, games // 4, seed + 1), found[count])
        typer.echo(f"{count} players: log loss {ours:.3f} of all roles together, {uniform:.3f} of the prior")
    names = " ".join(f"--agent {name}" for name in agent)
    write_weights(out, found, f"python experiments/studies fitting.riverbed_hunt {names} --games {games} --seed {seed}")
