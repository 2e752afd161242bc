"""Fits the model of play behind role inference in Riverbed Hunt: what each role does, from games between agents.

    python experiments/studies fitting.riverbed_hunt --agent rule_based --games 20000

The command plays games at every player count and takes the views of random seats at random moments. The weights
maximise the conditional likelihood of the true roles given those views, summed exactly over all assignments of roles,
with a light ridge penalty. The command writes `deduction/role_weights.npz` and prints the log loss on
held-out games.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from scipy.optimize import minimize

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.deduction import kernel
from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE, NUM_TALLIES, gather
from riverbed_env.games.riverbed_hunt.deduction.posterior import (
    MOST_ASKS,
    NO_TARGET,
    asking,
    asking_factors,
    walk,
    weigh_alone,
    with_claims,
)
from riverbed_env.games.riverbed_hunt.deduction.weights import ROLE_FILE, save
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_CAMPS, NUM_ROLES, Role
from riverbed_env.kernels.compile import Floats, Record, Records, Whole
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import watch

AgentsOption = Annotated[list[str], typer.Option(help="An agent that plays; repeatable, each seat draws one.")]
GamesOption = Annotated[int, typer.Option(help="Games at each player count.")]
SeedOption = Annotated[int, typer.Option(help="Seed of the games; held-out games have the next one.")]
OutOption = Annotated[Path, typer.Option(help="The file to write.")]

GAME = find_game("riverbed_hunt")
NUM_ENVS = 2000
LOOKS = 4  # views a game, on average
DECISIONS = 80  # a game, roughly
RIDGE = 3.0
NUM_WEIGHTS = NUM_ROLES * NUM_TALLIES + 2 * NUM_ROLES * NUM_ROLES
ASKS = slice(1, MOST_ASKS + 1)
NO_CLAIMS = np.zeros((NUM_CAMPS, NUM_ROLES, NUM_ROLES))


@kernel
def likelihood(
    evidence: Records,
    truths: Whole,
    tallies: Floats,
    asked: Floats,
    tally_slope: Floats,
    asked_slope: Floats,
) -> float:
    """The log likelihood of the true roles.

    truths: (n, MAX_SEATS). tally_slope, asked_slope: the gradient is added; shaped as `tallies` and `asked`.
    """
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
                    amount = evidence[sample]["tallies"][seat, tally]
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
def gather_all(views: Records, params: Records, evidence: Records) -> None:
    """Write the evidence of each view. evidence: (n,), written."""
    for index in range(len(views)):
        gather(views[index], params[0], evidence[index])


@kernel
def weight_of(evidence: Record, alone: Floats, asked: Floats, roles: Whole) -> float:
    """The weight of one assignment of roles, as `walk` computes it."""
    weight = 1.0
    for seat in range(int(evidence["num_players"])):
        if evidence["known"][seat] == Role.UNKNOWN:
            weight *= alone[seat, roles[seat]]
            for other in range(seat):
                if evidence["known"][other] == Role.UNKNOWN:
                    weight *= asking(evidence, asked, seat, other, roles[seat], roles[other])
    return weight


def random_moments(
    agents: Sequence[Agent], num_players: int, games: int, seed: int, looks: float, **options: Any
) -> Iterator[tuple[Batch, Whole, np.random.Generator]]:
    """Play games; each seat draws its agent from `agents`. Yields the batch and some of its environments at each step.

    looks: how often a game is yielded, on average. options: the games'. The generator is for further draws.
    """
    rng = np.random.default_rng(seed)
    batch = Batch(GAME, min(games, NUM_ENVS), seed=seed, num_players=num_players, auto_reset=False, **options)
    for first in range(0, games, batch.num_envs):
        sitting = rng.integers(len(agents), size=(batch.num_envs, num_players))
        for _ in watch(batch, agents, sitting, first + np.arange(batch.num_envs)):
            yield batch, np.flatnonzero(batch.acting & (rng.random(batch.num_envs) < looks / DECISIONS)), rng


def look_at_games(
    agents: Sequence[Agent], num_players: int, games: int, seed: int, **options: Any
) -> tuple[Records, Whole]:
    """Evidence (n,) and true roles (n, MAX_SEATS) of random views; each seat draws its agent from `agents`."""
    views: list[Records] = []
    truths: list[Whole] = []
    for batch, indices, rng in random_moments(agents, num_players, games, seed, LOOKS, **options):
        views.append(batch.look(rng.integers(num_players, size=batch.num_envs))[indices])
        truths.append(batch.games["private"]["role"][indices, :MAX_SEATS].astype(np.int64))
    seen = np.concatenate(views)
    evidence = np.zeros(len(seen), EVIDENCE)
    gather_all(seen, batch.params, evidence)
    return evidence, np.concatenate(truths)


def parts(weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Log odds of tallies (NUM_ROLES, NUM_TALLIES), of a first ask, of each further one (NUM_ROLES, NUM_ROLES)."""
    split = NUM_ROLES * NUM_TALLIES
    first, again = weights[split:].reshape(2, NUM_ROLES, NUM_ROLES)
    return weights[:split].reshape(NUM_ROLES, NUM_TALLIES), first, again


def unpack(weights: Floats) -> tuple[Floats, Floats]:
    """Log odds of tallies (NUM_ROLES, NUM_TALLIES), and the factors of asking, with those of claims, which are 1."""
    tallies, first, again = parts(weights)
    return tallies, with_claims(asking_factors(first, again), NO_CLAIMS)


def fit(evidence: Records, truths: Whole) -> Floats:
    """The weights that maximise the likelihood of the true roles, (NUM_WEIGHTS,)."""
    again = np.arange(MOST_ASKS)[:, None, None]

    def loss(weights: Floats) -> tuple[float, Floats]:
        tallies, asked = unpack(weights)
        tally_slope, asked_slope = np.zeros_like(tallies), np.zeros_like(asked)
        score = likelihood(evidence, truths, tallies, asked, tally_slope, asked_slope)
        slopes = (tally_slope, asked_slope[ASKS].sum(axis=0), (again * asked_slope[ASKS]).sum(axis=0))
        slope = np.concatenate([part.ravel() for part in slopes])
        return float(RIDGE * weights @ weights - score), 2 * RIDGE * weights - slope

    fitted: Floats = minimize(loss, np.zeros(NUM_WEIGHTS), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return fitted


def log_losses(evidence: Records, truths: Whole, weights: Floats) -> tuple[float, float]:
    """The mean log loss of the whole role assignment under the fitted and under the uniform model."""

    def mean(tallies: Floats, asked: Floats) -> float:
        slopes = np.zeros_like(tallies), np.zeros_like(asked)
        return -float(likelihood(evidence, truths, tallies, asked, *slopes)) / len(evidence)

    return mean(*unpack(weights)), mean(*unpack(np.zeros(NUM_WEIGHTS)))


def main(agent: AgentsOption, games: GamesOption = 20_000, seed: SeedOption = 5, out: OutOption = ROLE_FILE) -> None:
    """Fit the model of play to games, test it on others, write the weights."""
    agents = [find_agent(name, GAME.name) for name in agent]
    fitted = []
    for count in range(GAME.min_players, GAME.max_players + 1):
        fitted.append(fit(*look_at_games(agents, count, games, seed)))
        ours, uniform = log_losses(*look_at_games(agents, count, games // 4, seed + 1), fitted[-1])
        typer.echo(f"{count} players: log loss of all roles together {ours:.3f}, without evidence {uniform:.3f}")
    arrays = map(np.stack, zip(*map(parts, fitted), strict=True))
    save(out, dict(zip(("tallies", "asked_first", "asked_again"), arrays, strict=True)))
