"""Fits the model of talk of Riverbed Hunt: who says what when it is true and when it isn't (RH-9).

    python experiments/studies fitting.riverbed_hunt_claims --agent rule_based --games 4000

The command plays games with claims at every player count and takes views at random moments, as
`fitting.riverbed_hunt` (roles) and `fitting.riverbed_hunt_looks` (tiles) do. The models of play and of looks stay as
they are; only what words add to them is fitted, with a light ridge penalty. The command writes
`deduction/claim_weights.npz`. For held-out games it prints the log loss of roles and tiles without and
with hearing, and how often roles were as likely as predicted.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import typer
from scipy.optimize import minimize
from scipy.special import expit

from riverbed_env.core.game import take_records
from riverbed_env.games.riverbed_hunt.deduction import kernel
from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE, FIRST, NUM_CLAIMED, NUM_HEARD, gather
from riverbed_env.games.riverbed_hunt.deduction.looks import NUM_LEANINGS, NUM_SITUATIONS, count_claimers, count_lookers
from riverbed_env.games.riverbed_hunt.deduction.posterior import (
    ASKED,
    MOST_ASKS,
    SUMS,
    sum_up,
    weigh_alone,
    with_claims,
)
from riverbed_env.games.riverbed_hunt.deduction.weights import CLAIM_FILE, LOOKS, TALLIES, save
from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.kernels.compile import Floats, Numbers, Records, Whole
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent

from .riverbed_hunt import (
    DECISIONS,
    GAME,
    AgentsOption,
    GamesOption,
    OutOption,
    SeedOption,
    likelihood,
    look_at_games,
    random_moments,
)

LOOKS_AT_TILES = 8 * DECISIONS / 300  # 8 views a game, on average: one with talk has some 300 decisions
PAIRS = 4  # pairs of tiles a view, at most
ROLE_RIDGE, TILE_RIDGE = 3.0, 1.0
HEARD_SHAPE = (v.NUM_ROLES, NUM_HEARD)
SAID_SHAPE = (v.NUM_CAMPS, v.NUM_ROLES, v.NUM_ROLES)
BEARS_SHAPE = (2 * NUM_CLAIMED, v.NUM_ROLES, NUM_CLAIMED)
NUM_BEARS = 2 * NUM_CLAIMED * v.NUM_ROLES * NUM_CLAIMED
TALK: dict[str, Any] = {"talk": "claims"}


class Pairs(NamedTuple):
    """Exchanges of two tiles: what claims say for the true places (n, weights), and the log odds without them (n,)."""

    claims: Numbers
    before: Floats


# --- roles ------------------------------------------------------------------------------------------------------------


def unpack(weights: Floats, count: int) -> tuple[Floats, Floats]:
    """Log odds of tallies and words, and factors of asking and claiming, for a player count, from fitted weights."""
    split = v.NUM_ROLES * NUM_HEARD
    heard, said = weights[:split].reshape(HEARD_SHAPE), weights[split:].reshape(SAID_SHAPE)
    return np.concatenate([TALLIES[count], heard], axis=1), with_claims(ASKED[count], said)


def fit_roles(evidence: Records, truths: Whole, count: int) -> Floats:
    """The weights of words that maximise the likelihood of the true roles."""

    def loss(weights: Floats) -> tuple[float, Floats]:
        tallies, asked = unpack(weights, count)
        tally_slope, asked_slope = np.zeros_like(tallies), np.zeros_like(asked)
        score = likelihood(evidence, truths, tallies, asked, tally_slope, asked_slope)
        slope = np.concatenate([tally_slope[:, -NUM_HEARD:].ravel(), asked_slope[MOST_ASKS + 1 :].ravel()])
        return float(ROLE_RIDGE * weights @ weights - score), 2 * ROLE_RIDGE * weights - slope

    start = np.zeros(int(np.prod(HEARD_SHAPE) + np.prod(SAID_SHAPE)))
    fitted: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return fitted


@kernel
def weigh_each(evidence: Records, tallies: Floats, asked: Floats, marginals: Floats) -> None:
    """Write each sample's role probabilities, (n, MAX_SEATS, NUM_ROLES)."""
    alone = np.ones((v.MAX_SEATS, v.NUM_ROLES), np.float64)
    sums = np.empty(1, SUMS)
    for sample in range(len(evidence)):
        weigh_alone(evidence[sample], tallies, asked, alone)
        marginals[sample] = 0.0
        marginals[sample] /= sum_up(evidence[sample], alone, asked, sums, marginals[sample])


def role_losses(evidence: Records, truths: Whole, weights: Floats, count: int) -> tuple[float, str]:
    """The mean log loss of an unknown seat's role, and how likely roles were claimed to be and how often they were."""
    marginals = np.zeros((len(evidence), v.MAX_SEATS, v.NUM_ROLES))
    weigh_each(evidence, *unpack(weights, count), marginals)
    unknown = (evidence["known"] == v.Role.UNKNOWN) & (np.arange(v.MAX_SEATS) < count + v.MIN_PLAYERS)
    claimed, roles = marginals[unknown], truths[unknown]
    true = np.eye(v.NUM_ROLES)[roles] > 0
    bins = np.minimum(9, (10 * claimed).astype(int))
    shares = [f"{100 * claimed[bins == k].mean():.0f} {100 * true[bins == k].mean():.1f}" for k in np.unique(bins)]
    return float(-np.log(np.maximum(claimed[true], 1e-9)).mean()), ", ".join(shares)


# --- tiles ------------------------------------------------------------------------------------------------------------


@kernel
def count_all(views: Records, params: Records, states: Records, lookers: Floats, claimers: Floats) -> None:
    """Count lookers and claimers in each view, with the true roles; written, see `count_lookers`, `count_claimers`."""
    evidence = np.zeros(1, EVIDENCE)
    for index in range(len(views)):
        gather(views[index], params[0], evidence[0])
        count_lookers(views[index], params[0], evidence[0], states[index]["private"], lookers[index])
        count_claimers(views[index], evidence[0], states[index]["private"], claimers[index])


def pairs_of(views: Records, params: Records, states: Records, count: int, rng: np.random.Generator) -> Pairs:
    """Pairs of tiles that may lie on each other's spaces, the first one claimed to bear something."""
    lookers = np.zeros((len(views), v.NUM_SPACES, NUM_SITUATIONS, v.NUM_ROLES))
    claimers = np.zeros((len(views), v.NUM_SPACES, 2 * NUM_CLAIMED, v.NUM_ROLES))
    count_all(views, params, states, lookers, claimers)
    leanings = np.einsum("vsir,irf->vsf", lookers, LOOKS[count])
    tile_at, known = states["tile_at"].astype(np.int64), views["private"]["known"]
    features = params["features"][0].astype(np.float64)
    first_elements = features[:, FIRST].astype(np.int64)
    truths = np.eye(NUM_CLAIMED)[np.where(first_elements == 0, NUM_CLAIMED, first_elements) - 1]
    unknown = (tile_at != v.NO_TILE) & (known == v.NO_TILE)
    claimed = claimers.any(axis=(2, 3))
    rows, possible = np.arange(len(views)), views["private"]["possible"].astype(np.int64)
    parts, before = [], []
    for _ in range(PAIRS):
        first = np.argmax(rng.random(unknown.shape) * (unknown & claimed), axis=1)
        second = np.argmax(rng.random(unknown.shape) * unknown * (np.arange(v.NUM_SPACES) != first[:, None]), axis=1)
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
    pairs = []
    for batch, indices, rng in random_moments(agents, num_players, games, seed, LOOKS_AT_TILES, **TALK):
        if len(indices):
            views = take_records(batch.look(np.maximum(batch.seat, 0)), indices)
            states = take_records(batch.games, indices)
            pairs.append(pairs_of(views, batch.params, states, num_players - v.MIN_PLAYERS, rng))
    return Pairs(*(np.concatenate(parts) for parts in zip(*pairs, strict=True)))


def fit_tiles(pairs: Pairs) -> Floats:
    """The weights of claims that maximise the likelihood of the true places against the exchanged ones."""

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = pairs.claims @ weights.astype(np.float32) + pairs.before
        slope = -(expit(-odds).astype(np.float32) @ pairs.claims)
        return float(np.logaddexp(0, -odds).sum() + TILE_RIDGE * weights @ weights), slope + 2 * TILE_RIDGE * weights

    fitted: Floats = minimize(loss, np.zeros(NUM_BEARS), jac=True, method="L-BFGS-B").x
    return fitted


def tile_loss(pairs: Pairs, weights: Floats) -> float:
    """The mean log loss of the true places against the exchanged ones."""
    return float(np.logaddexp(0, -(pairs.claims @ weights + pairs.before)).mean())


# --- the study --------------------------------------------------------------------------------------------------------


def arrays_of(roles: Sequence[Floats], tiles: Sequence[Floats]) -> dict[str, Floats]:
    """The fitted weights of all player counts, as `weights` names and shapes them."""
    split = v.NUM_ROLES * NUM_HEARD
    return {
        "heard": np.stack([fitted[:split].reshape(HEARD_SHAPE) for fitted in roles]),
        "said": np.stack([fitted[split:].reshape(SAID_SHAPE) for fitted in roles]),
        "bears": np.stack([fitted.reshape(BEARS_SHAPE) for fitted in tiles]),
    }


def main(agent: AgentsOption, games: GamesOption = 4_000, seed: SeedOption = 5, out: OutOption = CLAIM_FILE) -> None:
    """Fit the model of talk to games, test it on others, write the weights."""
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
            f"roles predicted and true, %: {shares}"
        )
    save(out, arrays_of(roles, tiles))
