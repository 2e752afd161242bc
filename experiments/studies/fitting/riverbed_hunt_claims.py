"""Fits the model of talk of Riverbed Hunt: who says what when it is true and when it isn't (RH-9).

    python experiments/studies fitting.riverbed_hunt_claims --agent rule_based --games 4000

plays games with claims at every player count and looks at each at random moments, as `fitting.riverbed_hunt` (roles)
and `fitting.riverbed_hunt_looks` (tiles) do. The models of play and of looks stay as they are; only what words add to
them is fitted, with a light ridge. Writes `riverbed_env/deduction/claim_weights.py` and prints for held-out games the
log loss
of roles and tiles without and with hearing, and how often roles were as likely as claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer
from scipy.optimize import minimize
from scipy.special import expit

from riverbed_env import deduction
from riverbed_env.core.batch import Batch
from riverbed_env.core.files import write_whole
from riverbed_env.core.game import take_records
from riverbed_env.deduction.assignments import MOST_ASKS, SUMS, sum_up, weigh_alone, with_claims
from riverbed_env.deduction.claims import NUM_CLAIMED, NUM_HEARD
from riverbed_env.deduction.evidence import EVIDENCE, FIRST, gather
from riverbed_env.deduction.kernels import kernel
from riverbed_env.deduction.look_weights import LOOKS
from riverbed_env.deduction.looks import NUM_LEANINGS, NUM_SITUATIONS, count_claimers, count_lookers
from riverbed_env.deduction.posterior import ASKED
from riverbed_env.deduction.weights import TALLIES
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    MAX_SEATS,
    MIN_PLAYERS,
    NO_TILE,
    NUM_CAMPS,
    NUM_ROLES,
    NUM_SPACES,
    Role,
)
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent
from riverbed_lab.playing.play import watch

from .riverbed_hunt import GAME, NUM_ENVS, likelihood, look_at_games

Numbers = npt.NDArray[np.float64]
Records = npt.NDArray[np.void]

DECISIONS = 300  # of a game with talk, about
LOOKS_AT_A_GAME = 8  # about
PAIRS = 4  # of tiles, at most, of each look
ROLE_RIDGE, TILE_RIDGE = 3.0, 1.0
HEARD_SHAPE = (NUM_ROLES, NUM_HEARD)
SAID_SHAPE = (NUM_CAMPS, NUM_ROLES, NUM_ROLES)
BEARS_SHAPE = (2 * NUM_CLAIMED, NUM_ROLES, NUM_CLAIMED)
NUM_BEARS = 2 * NUM_CLAIMED * NUM_ROLES * NUM_CLAIMED
TARGET = Path(deduction.__file__).parent / "claim_weights.py"
TALK: dict[str, Any] = {"talk": "claims"}


class Pairs(NamedTuple):
    """Exchanges of two tiles: what claims say for the true places (n, weights), and the log odds without them (n,)."""

    claims: npt.NDArray[np.float32]
    before: Numbers


# --- roles ------------------------------------------------------------------------------------------------------------


def unpack(weights: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """Log odds of tallies and words, and factors of asking and claiming, for a player count, from fitted weights."""
    split = NUM_ROLES * NUM_HEARD
    heard, said = weights[:split].reshape(HEARD_SHAPE), weights[split:].reshape(SAID_SHAPE)
    return np.concatenate([TALLIES[count], heard], axis=1), with_claims(ASKED[count], said)


def fit_roles(evidence: Records, truths: npt.NDArray[np.int64], count: int) -> Numbers:
    """The weights of words that maximise the likelihood of the true roles."""

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        tallies, asked = unpack(weights, count)
        tally_slope, asked_slope = np.zeros_like(tallies), np.zeros_like(asked)
        score = likelihood(evidence, truths, tallies, asked, tally_slope, asked_slope)
        slope = np.concatenate([tally_slope[:, -NUM_HEARD:].ravel(), asked_slope[MOST_ASKS + 1 :].ravel()])
        return float(ROLE_RIDGE * weights @ weights - score), 2 * ROLE_RIDGE * weights - slope

    start = np.zeros(int(np.prod(HEARD_SHAPE) + np.prod(SAID_SHAPE)))
    fitted: Numbers = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return fitted


@kernel
def weigh_each(evidence: Records, tallies: Numbers, asked: Numbers, marginals: Numbers) -> None:
    """Write each sample's role probabilities, (n, MAX_SEATS, NUM_ROLES)."""
    alone = np.ones((MAX_SEATS, NUM_ROLES), np.float64)
    sums = np.empty(1, SUMS)
    for sample in range(len(evidence)):
        weigh_alone(evidence[sample], tallies, asked, alone)
        marginals[sample] = 0.0
        marginals[sample] /= sum_up(evidence[sample], alone, asked, sums, marginals[sample])


def role_losses(evidence: Records, truths: npt.NDArray[np.int64], weights: Numbers, count: int) -> tuple[float, str]:
    """The mean log loss of an unknown seat's role, and how likely roles were claimed to be and how often they were."""
    marginals = np.zeros((len(evidence), MAX_SEATS, NUM_ROLES))
    weigh_each(evidence, *unpack(weights, count), marginals)
    unknown = (evidence["known"] == Role.UNKNOWN) & (np.arange(MAX_SEATS) < count + MIN_PLAYERS)
    claimed, roles = marginals[unknown], truths[unknown]
    true = np.eye(NUM_ROLES)[roles] > 0
    bins = np.minimum(9, (10 * claimed).astype(int))
    shares = [f"{100 * claimed[bins == k].mean():.0f} {100 * true[bins == k].mean():.1f}" for k in np.unique(bins)]
    return float(-np.log(np.maximum(claimed[true], 1e-9)).mean()), ", ".join(shares)


# --- tiles ------------------------------------------------------------------------------------------------------------


@kernel
def count_all(views: Records, params: Records, states: Records, lookers: Numbers, claimers: Numbers) -> None:
    """Count lookers and claimers in each view, with the true roles; written, see `count_lookers`, `count_claimers`."""
    evidence = np.zeros(1, EVIDENCE)
    for index in range(len(views)):
        gather(views[index], params[0], evidence[0])
        count_lookers(views[index], params[0], evidence[0], states[index]["private"], lookers[index])
        count_claimers(views[index], evidence[0], states[index]["private"], claimers[index])


def pairs_of(views: Records, params: Records, states: Records, count: int, rng: np.random.Generator) -> Pairs:
    """Pairs of tiles that may lie on each other's spaces, the first one claimed to bear something."""
    lookers = np.zeros((len(views), NUM_SPACES, NUM_SITUATIONS, NUM_ROLES))
    claimers = np.zeros((len(views), NUM_SPACES, 2 * NUM_CLAIMED, NUM_ROLES))
    count_all(views, params, states, lookers, claimers)
    leanings = np.einsum("vsir,irf->vsf", lookers, LOOKS[count])
    tile_at, known = states["tile_at"].astype(np.int64), views["private"]["known"]
    features = params["features"][0].astype(np.float64)
    first_elements = features[:, FIRST].astype(np.int64)
    truths = np.eye(NUM_CLAIMED)[np.where(first_elements == 0, NUM_CLAIMED, first_elements) - 1]
    unknown = (tile_at != NO_TILE) & (known == NO_TILE)
    claimed = claimers.any(axis=(2, 3))
    rows, possible = np.arange(len(views)), views["private"]["possible"].astype(np.int64)
    parts, before = [], []
    for _ in range(PAIRS):
        first = np.argmax(rng.random(unknown.shape) * (unknown & claimed), axis=1)
        second = np.argmax(rng.random(unknown.shape) * unknown * (np.arange(NUM_SPACES) != first[:, None]), axis=1)
        one, two = tile_at[rows, first], tile_at[rows, second]
        may = (unknown & claimed)[rows, first] & unknown[rows, second] & (first != second)
        may &= (possible[rows, one - 1] >> second & possible[rows, two - 1] >> first & 1) == 1
        telling = np.flatnonzero(may & (truths[one] != truths[two]).any(axis=1))
        apart = (claimers[rows, first] - claimers[rows, second])[telling]
        more = (truths[one] - truths[two])[telling]
        parts.append((apart[..., None] * more[:, None, None, :]).reshape(len(telling), NUM_BEARS).astype(np.float32))
        lean = (leanings[rows, first] - leanings[rows, second])[telling]
        before.append((lean * (features[one] - features[two])[telling, :NUM_LEANINGS]).sum(axis=1))
    return Pairs(np.concatenate(parts), np.concatenate(before))


def pairs_in_games(agents: Sequence[Agent], num_players: int, games: int, seed: int) -> Pairs:
    """The pairs seen in games with talk; each seat's agent is drawn from `agents`."""
    rng = np.random.default_rng(seed)
    batch = Batch(GAME, min(games, NUM_ENVS), seed=seed, num_players=num_players, auto_reset=False, **TALK)
    pairs = []
    for first in range(0, games, batch.num_envs):
        sitting = rng.integers(len(agents), size=(batch.num_envs, num_players))
        for _ in watch(batch, agents, sitting, first + np.arange(batch.num_envs)):
            indices = np.flatnonzero(batch.acting & (rng.random(batch.num_envs) < LOOKS_AT_A_GAME / DECISIONS))
            if len(indices):
                views = take_records(batch.look(np.maximum(batch.seat, 0)), indices)
                states = take_records(batch.games, indices)
                pairs.append(pairs_of(views, batch.params, states, num_players - MIN_PLAYERS, rng))
    return Pairs(*(np.concatenate(parts) for parts in zip(*pairs, strict=True)))


def fit_tiles(pairs: Pairs) -> Numbers:
    """The weights of claims that maximise the likelihood of the true places against the exchanged ones."""

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        odds = pairs.claims @ weights.astype(np.float32) + pairs.before
        slope = -(expit(-odds).astype(np.float32) @ pairs.claims)
        return float(np.logaddexp(0, -odds).sum() + TILE_RIDGE * weights @ weights), slope + 2 * TILE_RIDGE * weights

    fitted: Numbers = minimize(loss, np.zeros(NUM_BEARS), jac=True, method="L-BFGS-B").x
    return fitted


def tile_loss(pairs: Pairs, weights: Numbers) -> float:
    """The mean log loss of the true places against the exchanged ones."""
    return float(np.logaddexp(0, -(pairs.claims @ weights + pairs.before)).mean())


# --- the study --------------------------------------------------------------------------------------------------------


def write_weights(path: Path, roles: Sequence[Numbers], tiles: Sequence[Numbers], command: str) -> None:
    """The weights as a Python file."""
    split = NUM_ROLES * NUM_HEARD
    tables = {
        "HEARD": np.stack([fitted[:split].reshape(HEARD_SHAPE) for fitted in roles]),
        "SAID": np.stack([fitted[split:].reshape(SAID_SHAPE) for fitted in roles]),
        "BEARS": np.stack([fitted.reshape(BEARS_SHAPE) for fitted in tiles]),
    }
    texts = {
        name: np.array2string(table + 0.0, precision=2, suppress_small=True, separator=", ", threshold=10**6)
        for name, table in tables.items()
    }
    arrays = "\n".join(
        f"{name} = np.array(\n" + "\n".join(f"    {line.strip()}" for line in text.splitlines() if line.strip()) + "\n)"
        for name, text in texts.items()
    )
    whole = f'''"""The fitted model of talk, in log odds, by player count from {MIN_PLAYERS} on.

HEARD (counts, NUM_ROLES, NUM_HEARD): by the speaker's role, for each unit of Heard. SAID (counts, NUM_CAMPS,
NUM_ROLES, NUM_ROLES): by camp claimed, the speaker's role and that of the seat it is about. BEARS (counts,
2 NUM_CLAIMED, NUM_ROLES, NUM_CLAIMED): by what a tile is claimed to bear (by seats that haven't looked at it, then by
those that have), the speaker's role, and what would be true.

    {command}
"""

import numpy as np

# fmt: off
{arrays}
# fmt: on
'''
    write_whole(path, lambda partial: partial.write_text(whole))


def main(
    agent: Annotated[list[str], typer.Option(help="Agents that play; each seat draws one. May be repeated.")],
    games: Annotated[int, typer.Option(help="Games at each player count.")] = 4_000,
    seed: Annotated[int, typer.Option(help="Seed of the games; the test plays the next one.")] = 5,
    out: Annotated[Path, typer.Option(help="The file to write.")] = TARGET,
) -> None:
    """Play, fit, test, write."""
    agents = [find_agent(name, GAME.name) for name in agent]
    roles, tiles = [], []
    for count, num_players in enumerate(range(GAME.min_players, GAME.max_players + 1)):
        roles.append(fit_roles(*look_at_games(agents, num_players, games, seed, **TALK), count))
        tiles.append(fit_tiles(pairs_in_games(agents, num_players, games, seed)))
        evidence, truths = look_at_games(agents, num_players, games // 4, seed + 1, **TALK)
        pairs = pairs_in_games(agents, num_players, games // 4, seed + 1)
        deaf, _ = role_losses(evidence, truths, np.zeros_like(roles[-1]), count)
        hearing, shares = role_losses(evidence, truths, roles[-1], count)
        typer.echo(
            f"{num_players} players: log loss of a seat's role {deaf:.3f} deaf, {hearing:.3f} hearing; of two tiles' "
            f"places {tile_loss(pairs, np.zeros_like(tiles[-1])):.3f} deaf, {tile_loss(pairs, tiles[-1]):.3f} hearing; "
            f"roles claimed and true, %: {shares}"
        )
    names = " ".join(f"--agent {name}" for name in agent)
    command = f"python experiments/studies fitting.riverbed_hunt_claims {names} --games {games} --seed {seed}"
    write_weights(out, roles, tiles, command)
