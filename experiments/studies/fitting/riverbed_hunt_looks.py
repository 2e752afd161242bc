"""Fits the model of looks of Riverbed Hunt: which tiles each role leaves face-down after it has looked at them.

    python experiments/studies fitting.riverbed_hunt_looks --agent rule_based --games 8000

The command plays games at every player count and takes the acting seat's view at random moments. It picks pairs of
tiles that could lie in each other's place as far as the seat knows. The model gives the odds of the true places against
the exchanged ones. The weights maximise the likelihood of the true places, with a light ridge penalty (composite
likelihood: Lindsay 1988). The command writes `deduction/look_weights.npz` and prints the log loss on
held-out games. It is 0.693 if looks carry no information.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import typer
from scipy.optimize import minimize
from scipy.special import expit

from riverbed_env.core.game import take_records
from riverbed_env.games.riverbed_hunt.deduction import kernel
from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE, gather
from riverbed_env.games.riverbed_hunt.deduction.looks import NUM_LEANINGS, NUM_SITUATIONS, count_lookers
from riverbed_env.games.riverbed_hunt.deduction.weights import LOOK_FILE, save
from riverbed_env.games.riverbed_hunt.rules.vocab import NO_TILE, NUM_ROLES, NUM_SPACES
from riverbed_env.kernels.compile import Numbers, Records
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent

from .riverbed_hunt import GAME, AgentsOption, GamesOption, OutOption, SeedOption, random_moments

LOOKS = 8  # views a game, on average
PAIRS = 4  # pairs of tiles a view, at most
RIDGE = 1.0
SHAPE = (NUM_SITUATIONS, NUM_ROLES, NUM_LEANINGS)
NUM_WEIGHTS = NUM_SITUATIONS * NUM_ROLES * NUM_LEANINGS


@kernel
def count_all(views: Records, params: Records, states: Records, lookers: npt.NDArray[np.float64]) -> None:
    """Count the lookers in each view, with the true roles. lookers: see `count_lookers`, (n, …), written."""
    evidence = np.zeros(1, EVIDENCE)
    for index in range(len(views)):
        gather(views[index], params[0], evidence[0])
        count_lookers(views[index], params[0], evidence[0], states[index]["private"], lookers[index])


def pairs_of(views: Records, params: Records, states: Records, rng: np.random.Generator) -> Numbers:
    """The features of the true places less those of the exchanged ones, (pairs, weights).

    The pairs are tiles that may lie on each other's spaces as far as the seat knows.
    """
    lookers = np.zeros((len(views), NUM_SPACES, NUM_SITUATIONS, NUM_ROLES))
    count_all(views, params, states, lookers)
    tile_at, known = states["tile_at"].astype(np.int64), views["private"]["known"]
    features = params["features"][0][:, :NUM_LEANINGS].astype(np.float32)
    unknown = (tile_at != NO_TILE) & (known == NO_TILE)
    rows, possible = np.arange(len(views)), views["private"]["possible"].astype(np.int64)
    pairs = []
    for _ in range(PAIRS):
        first, second = np.argsort(-rng.random(unknown.shape) * unknown, axis=1)[:, :2].T
        one, two = tile_at[rows, first], tile_at[rows, second]
        may = unknown.sum(axis=1) > 1
        may &= (possible[rows, one - 1] >> second & possible[rows, two - 1] >> first & 1) == 1
        apart = (lookers[rows, first] - lookers[rows, second]).astype(np.float32)
        telling = np.flatnonzero(may & (apart != 0).any(axis=(1, 2)))
        more = (features[one] - features[two])[telling, None, None, :]
        pairs.append((apart[telling][..., None] * more).reshape(len(telling), NUM_WEIGHTS))
    return np.concatenate(pairs)


def look_at_games(agents: Sequence[Agent], num_players: int, games: int, seed: int) -> Numbers:
    """The pairs seen in games; each seat's agent is drawn from `agents`."""
    pairs = []
    for batch, indices, rng in random_moments(agents, num_players, games, seed, LOOKS):
        views = take_records(batch.look(np.maximum(batch.seat, 0)), indices)
        pairs.append(pairs_of(views, batch.params, take_records(batch.games, indices), rng))
    return np.concatenate(pairs)


def log_loss(pairs: Numbers, weights: npt.NDArray[np.floating]) -> float:
    """The mean log loss of the true places against the exchanged ones."""
    return float(np.logaddexp(0, -(pairs @ weights.astype(np.float32))).mean(dtype=np.float64))


def calibration(pairs: Numbers, weights: npt.NDArray[np.floating]) -> str:
    """The mean predicted probability and the observed frequency in percent, for each tenth from 50 % to 100 %.

    A prediction below one half counts as its complement.
    """
    predicted = expit(pairs @ weights.astype(np.float32))
    surer = np.maximum(predicted, 1 - predicted)
    bins = np.minimum(9, (10 * surer).astype(int))
    tenths = [(bins == place) for place in range(5, 10) if (bins == place).any()]
    return ", ".join(f"{100 * surer[tenth].mean():.0f} {100 * (predicted[tenth] > 0.5).mean():.1f}" for tenth in tenths)


def fit(pairs: Numbers) -> npt.NDArray[np.float64]:
    """The weights that maximise the likelihood of the true places, of shape SHAPE."""

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        odds = pairs @ weights.astype(np.float32)
        slope = -expit(-odds) @ pairs
        return float(np.logaddexp(0, -odds).sum(dtype=np.float64) + RIDGE * weights @ weights), slope.astype(
            np.float64
        ) + 2 * RIDGE * weights

    fitted: npt.NDArray[np.float64] = minimize(loss, np.zeros(NUM_WEIGHTS), jac=True, method="L-BFGS-B").x
    return fitted.reshape(SHAPE)


def main(agent: AgentsOption, games: GamesOption = 8_000, seed: SeedOption = 5, out: OutOption = LOOK_FILE) -> None:
    """Fit the model of looks to games, test it on others, write the weights."""
    agents = [find_agent(name, GAME.name) for name in agent]
    fitted = []
    for count in range(GAME.min_players, GAME.max_players + 1):
        fitted.append(fit(look_at_games(agents, count, games, seed)))
        held_out = look_at_games(agents, count, games // 4, seed + 1)
        typer.echo(
            f"{count} players: log loss {log_loss(held_out, fitted[-1].ravel()):.4f} of {len(held_out):,} pairs; "
            f"predicted and observed, %: {calibration(held_out, fitted[-1].ravel())}"
        )
    save(out, {"looks": np.stack(fitted)})
