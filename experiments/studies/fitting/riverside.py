"""Fits the network of Riverside's look-ahead agent: `python experiments/studies fitting.riverside`.

The data are score sheets at the ends of rounds with the points scored later. They come first from games of the greedy
agent and then, in each round of fitting, from games of the agent with its latest weights. Some actions are random, so
that the network also sees sheets that the agent avoids. Each fit starts from the weights fitted to the greedy games and
uses all games of the agent so far. The same seed gives the same weights on the same machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from riverbed_agents.riverside import greedy
from riverbed_agents.riverside.kernels import kernel as agents
from riverbed_agents.riverside.look_ahead import MEMORY_SIZE, UNDECIDED, decide, planned
from riverbed_agents.riverside.outlook import NUM_FEATURES, SCRATCH_SIZE, prospect_of, write_features
from riverbed_agents.riverside.value import HIDDEN, NUM_WEIGHTS, SCALE, UNIT_SIZE
from riverbed_env.core.files import write_arrays
from riverbed_env.errors import RiverbedError
from riverbed_env.games.riverside.content.pack import make_params
from riverbed_env.games.riverside.rules import engine
from riverbed_env.games.riverside.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverside.rules.engine import write_mask
from riverbed_env.games.riverside.rules.scoring import subtotal
from riverbed_env.games.riverside.rules.state import GAME, VIEW, look
from riverbed_env.games.riverside.rules.vocab import Ending, Question, Refusal
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import KernelFamily, Numbers, Records
from riverbed_env.kernels.random import check_seed, random_legal_action, uniform
from riverbed_lab.files import writable_folder
from riverbed_lab.statistics import spread

kernel = KernelFamily("riverside_fitting", *agents.folders, Path(__file__).parent)


HUNDRED = 100.0  # the network predicts hundreds of points
MIXTURE = ((1, False, 10), (4, False, 1), (2, True, 1))  # players, with the extension or not, games in a dozen
DOZEN = 12
GREEDY_GAMES = 3  # greedy games per game of the agent's own in a round; they are much faster
GREEDY_DRAWN, OWN_DRAWN = 0.04, 0.015  # share of random actions
DICE_DRAWN = 3.0  # factor for dice: a single answer decides the round
FIRST_FITTED = 1_000_000  # number of the first game of the fit; lower numbers are for measuring
HELD_OUT = 20  # one game in 20 is held out of the fit
EPOCHS, BATCH = 14, 512
FIRST_RATE, RATE, LAST_RATE = 2e-3, 1e-3, 1e-5  # learning rates: from random weights, from fitted ones, at the end
DECAY = 1e-4  # weight decay
MOMENTUM, SQUARES, TINY = 0.9, 0.999, 1e-8  # Adam's usual constants
FEWEST_GAMES = 2 * DOZEN  # some of them are held out


class PlayBuffers(NamedTuple):
    """The arrays of a game.

    games, params, views: (1,). memories: (players, MEMORY_SIZE). mask: (NUM_ACTIONS,), scratch. features: (rounds,
    players, SCRATCH_SIZE), all 0 at first, and to_come: (rounds, players), the points scored later, are written at the
    end of each round; a game has fewer rounds than there are spaces before the anchor.
    """

    games: Records
    params: Records
    views: Records
    memories: npt.NDArray[np.int32]
    mask: npt.NDArray[np.int8]
    features: Numbers
    to_come: npt.NDArray[np.float64]


@kernel
def choose(buffers: PlayBuffers, own: int, drawn: float, weights: Numbers) -> int:
    """The current seat's action: random with chance `drawn`, else the look-ahead agent's (`own`) or the greedy one's.

    weights: (NUM_WEIGHTS,).
    """
    game, params, mask = buffers.games[0], buffers.params[0], buffers.mask
    seat = int(game["timing"]["asked"])
    stream = game["agents"]
    memory = buffers.memories[seat]
    write_mask(game, params, seat, mask)
    action = only_legal(mask)
    if action != UNDECIDED:
        return action
    share = drawn
    if game["private"][seat]["question"] == Question.DIE:
        share *= DICE_DRAWN
    if uniform(stream) < share:
        return random_legal_action(mask, stream)
    view = buffers.views[0]
    look(game, seat, view)
    if own == 0:
        return greedy.choose(view, params, mask, mask, memory, stream)  # which reads no observation
    action = planned(view, mask, memory)
    if action == UNDECIDED:
        action = decide(view, params, memory, weights)
    return action


@kernel
def note_sheets(buffers: PlayBuffers, ship: int, at: int) -> None:
    """Record every seat's sheet, valued as in round `at`, which is just over, with the ship on the space `ship`.

    Points to come are recorded as minus the points scored so far.
    """
    game, params = buffers.games[0], buffers.params[0]
    table = game["table"]
    now = int(table["ship"])
    table["ship"] = ship
    prospect = prospect_of(table, params)
    table["ship"] = now
    for seat in range(int(params["num_players"])):
        sheet = game["private"][seat]["sheet"]
        write_features(sheet, params, prospect, buffers.features[at, seat])
        buffers.to_come[at, seat] = -subtotal(sheet)


@kernel
def play_game(buffers: PlayBuffers, seed: int, number: int, own: int, drawn: float, weights: Numbers) -> int:
    """Play game `number` of `seed`; returns its rounds, -1 after an illegal action. Other arguments as for `choose`."""
    game, params = buffers.games[0], buffers.params[0]
    buffers.memories[:, :] = 0
    engine.reset(game, params, seed, number)
    table = game["table"]
    rounds = 0
    ship = int(table["ship"])
    while table["ending"] == Ending.PLAYING:
        action = choose(buffers, own, drawn, weights)
        if engine.step(game, params, action) != Refusal.OK:
            return -1
        if int(table["ship"]) != ship:
            note_sheets(buffers, ship, rounds)
            rounds += 1
            ship = int(table["ship"])
    for seat in range(int(params["num_players"])):
        for at in range(rounds):
            buffers.to_come[at, seat] += int(table["final"][seat])
    return rounds


@dataclass(frozen=True)
class Sheets:
    """Sheets at the ends of rounds.

    features (n, NUM_FEATURES); to_come (n,), the points scored later, in hundreds; games (n,), numbers.
    """

    features: Numbers
    to_come: Numbers
    games: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.games)

    def part(self, chosen: npt.NDArray[np.bool_]) -> Sheets:
        """The chosen ones."""
        return Sheets(self.features[chosen], self.to_come[chosen], self.games[chosen])

    def split(self) -> tuple[Sheets, Sheets]:
        """The sheets to fit to and the held-out ones, by whole games."""
        held_out = self.games % HELD_OUT == 0
        return self.part(~held_out), self.part(held_out)


def joined(parts: Iterable[Sheets]) -> Sheets:
    """All sheets of several parts."""
    features, to_come, games = zip(*((part.features, part.to_come, part.games) for part in parts), strict=True)
    return Sheets(np.concatenate(features), np.concatenate(to_come), np.concatenate(games))


class Table:
    """Plays games of one player count, with the look-ahead agent or the greedy one in all seats."""

    def __init__(self, seed: int, num_players: int = 1, extension: bool = False) -> None:
        self.seed = seed
        params = make_params(num_players=num_players, extension=extension)[0]
        most_rounds = int(params["anchor"][0])
        self.buffers = PlayBuffers(
            *(np.zeros(1, GAME), params, np.zeros(1, VIEW), np.zeros((num_players, MEMORY_SIZE), np.int32)),
            np.zeros(NUM_ACTIONS, np.int8),
            np.zeros((most_rounds, num_players, SCRATCH_SIZE), np.float32),
            np.zeros((most_rounds, num_players)),
        )

    def play(self, number: int, weights: Numbers | None, drawn: float = 0.0) -> int:
        """Play a numbered game with these weights (None: the greedy agent); returns its rounds."""
        own, numbers = (0, np.zeros(NUM_WEIGHTS, np.float32)) if weights is None else (1, weights)
        rounds = play_game(self.buffers, self.seed, number, own, drawn, numbers)
        if rounds < 0:
            raise RiverbedError(f"game {number} of seed {self.seed}: an illegal action")
        return rounds

    def gather(self, first: int, games: int, weights: Numbers | None, drawn: float) -> Sheets:
        """The sheets of `games` games from number `first` on."""
        return joined(self.sheets(number, weights, drawn) for number in range(first, first + games))

    def sheets(self, number: int, weights: Numbers | None, drawn: float) -> Sheets:
        """The sheets of one game."""
        rounds = self.play(number, weights, drawn)
        features = self.buffers.features[:rounds, :, :NUM_FEATURES].reshape((-1, NUM_FEATURES)).copy()
        to_come = (self.buffers.to_come[:rounds].ravel() / HUNDRED).astype(np.float32)
        return Sheets(features, to_come, np.full(len(to_come), number))

    def scores(self, games: int, weights: Numbers) -> npt.NDArray[np.float64]:
        """The look-ahead agent's final scores in games 0, 1, …, (games, players)."""
        players = len(self.buffers.memories)
        scores = np.zeros((games, players))
        for number in range(games):
            self.play(number, weights)
            scores[number] = self.buffers.games["table"]["final"][0, :players]
        return scores


def gather_mixture(seed: int, first: int, games: int, weights: Numbers | None, drawn: float) -> Sheets:
    """Sheets of about `games` games, shared out among the player counts of MIXTURE, numbered from `first` on."""
    parts = []
    for num_players, extension, share in MIXTURE:
        wanted = games * share // DOZEN
        parts.append(Table(seed, num_players, extension).gather(first, wanted, weights, drawn))
        first += wanted
    return joined(parts)


def layers(weights: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The network's weights by layer, as `value.py` lays them out.

    Views: features to units (NUM_FEATURES, HIDDEN), the units' biases (HIDDEN,), units to output (HIDDEN,), features to
    output (NUM_FEATURES,).
    """
    biases, added, direct = np.split(weights[UNIT_SIZE:], (HIDDEN, 2 * HIDDEN))
    return weights[:UNIT_SIZE].reshape((NUM_FEATURES, HIDDEN)), biases, added, direct


def random_weights(generator: np.random.Generator) -> Numbers:
    """Weights to begin with, (NUM_WEIGHTS,): units at random, all else 0."""
    weights = np.zeros(NUM_WEIGHTS, np.float32)
    into, _, added, _ = layers(weights)
    into[:] = generator.normal(0.0, NUM_FEATURES**-0.5, into.shape)
    added[:] = generator.normal(0.0, 0.3, added.shape)
    return weights


def promised(weights: Numbers, features: Numbers) -> Numbers:
    """The network's predictions, (n,), in hundreds of points: `value.promise` for many sheets at once."""
    into, biases, added, direct = layers(weights)
    units: Numbers = np.maximum(features @ into + biases, 0)
    return units @ added + features @ direct


def error(weights: Numbers, sheets: Sheets) -> float:
    """Root of the mean squared error, in points."""
    return HUNDRED * float(np.sqrt(np.mean((promised(weights, sheets.features) - sheets.to_come) ** 2)))


def gradient(weights: Numbers, features: Numbers, to_come: Numbers) -> Numbers:
    """Half the gradient of the mean squared error, (NUM_WEIGHTS,)."""
    into, biases, added, direct = layers(weights)
    units: Numbers = np.maximum(features @ into + biases, 0)
    missed = (units @ added + features @ direct - to_come) / len(to_come)
    into_units = np.outer(missed, added) * (units > 0)
    by_layer = ((features.T @ into_units).ravel(), into_units.sum(axis=0), units.T @ missed, features.T @ missed)
    return np.concatenate(by_layer)


def batches(sheets: Sheets, generator: np.random.Generator) -> Iterator[tuple[Numbers, Numbers]]:
    """Minibatches of features and points to come: EPOCHS passes in random order."""
    for _ in range(EPOCHS):
        order = generator.permutation(len(sheets))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            yield sheets.features[batch], sheets.to_come[batch]


def fit(weights: Numbers, sheets: Sheets, rate: float, generator: np.random.Generator) -> Numbers:
    """Weights fitted to the sheets by Adam (Kingma and Ba 2015), rounded to ten-thousandths as in the file.

    The learning rate falls from `rate` along half a cosine.
    """
    weights = weights.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    steps = EPOCHS * -(-len(sheets) // BATCH)
    for step, (features, to_come) in enumerate(batches(sheets, generator), 1):
        slope = gradient(weights, features, to_come) + DECAY * weights
        mean += (1 - MOMENTUM) * (slope - mean)
        square += (1 - SQUARES) * (slope * slope - square)
        now = LAST_RATE + rate * 0.5 * (1 + float(np.cos(np.pi * step / steps)))
        weights -= now * (mean / (1 - MOMENTUM**step)) / (np.sqrt(square / (1 - SQUARES**step)) + TINY)
    return (ten_thousandths(weights) / SCALE).astype(np.float32)


def ten_thousandths(weights: Numbers) -> npt.NDArray[np.int64]:
    """The weights in ten-thousandths."""
    return np.rint(weights.astype(np.float64) * SCALE).astype(np.int64)


@dataclass(frozen=True)
class Fit:
    """Fitted weights, the number of sheets, and the error on held-out games before and after, in points."""

    weights: Numbers
    sheets: int
    before: float
    after: float


def fit_to(start: Numbers, sheets: Sheets, rate: float, generator: np.random.Generator) -> Fit:
    """Fit to the games that aren't held out."""
    fitted, held_out = sheets.split()
    weights = fit(start, fitted, rate, generator)
    return Fit(weights, len(sheets), error(start, held_out), error(weights, held_out))


def fits(rounds: int, games: int, seed: int) -> Iterator[Fit]:
    """The fit to greedy games, then a fit for each round of the agent's own games."""
    generator = np.random.default_rng(seed)
    number = FIRST_FITTED
    greedy_games = GREEDY_GAMES * games
    sheets = gather_mixture(seed, number, greedy_games, None, GREEDY_DRAWN)
    number += greedy_games
    first = fit_to(random_weights(generator), sheets, FIRST_RATE, generator)
    yield first
    weights = first.weights
    own: list[Sheets] = []
    for _ in range(rounds):
        own.append(gather_mixture(seed, number, games, weights, OWN_DRAWN))
        number += games
        fitted = fit_to(first.weights, joined(own), RATE, generator)
        yield fitted
        weights = fitted.weights


def main(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of the agent's own games.")] = 4,
    games: Annotated[int, typer.Option(min=FEWEST_GAMES, help="Games in each round.")] = 4_200,
    seed: Annotated[int, typer.Option(help="Seed of games and fits.")] = 0,
    measured: Annotated[
        int, typer.Option(min=1, max=FIRST_FITTED, help="Solo games that measure the weights after each round.")
    ] = 500,
    out: Annotated[Path, typer.Option(help="File for the weights; the agent's own is riverside/weights.npz.")] = Path(
        "results/fitting/weights.npz"
    ),
) -> None:
    """Fit the weights of Riverside's look-ahead agent; takes about ten minutes on one core."""
    check_seed(seed)
    writable_folder(out.parent)
    alone = Table(seed)
    for number, fitted in enumerate(fits(rounds, games, seed)):
        told = spread("mean", alone.scores(measured, fitted.weights))
        typer.echo(
            f"{f'round {number}' if number else 'greedy games'}: {fitted.sheets:,} sheets, error on held-out games "
            f"{fitted.before:.1f} -> {fitted.after:.1f} points; mean score alone {told['mean']:.1f}, "
            f"{told['mean_low']:.1f} to {told['mean_high']:.1f}"
        )
    write_arrays(out, {"ten_thousandths": ten_thousandths(fitted.weights).astype(np.int16)}, compressed=True)
    typer.echo(f"wrote {out}")
