"""Fits the value network of Riverbed Hunt: which camp wins from a position, from games between agents.

    python experiments/studies fitting.riverbed_hunt_values --games 500000 --seed 1

The command plays games of the rule-based agent at every player count, with the student in a seat drawn by lot, records
the full position at the start of some turns, and fits a small network to the winners by cross-entropy (AdamW with a
one-cycle learning rate). In half of the games one seat sometimes acts at random until some turn, and only later
positions are recorded, so that the network also sees positions that the agents avoid. The command writes `values.npz`
of the search agents and prints the log loss on held-out games beside that of an estimate from the tracks alone. It
takes three kilobytes of memory for each game and player count.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import torch
import typer
from numba import prange
from scipy.stats import entropy
from torch import nn

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_agents.riverbed_hunt.search.value_features import PERCENT, PIECES, SIZE, write_value_features
from riverbed_agents.riverbed_hunt.search.values import FILE
from riverbed_agents.riverbed_hunt.student.agent import student_agent
from riverbed_env.core.batch import Batch
from riverbed_env.core.files import write_arrays
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules import engine
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION_SIZE
from riverbed_env.games.riverbed_hunt.rules.state import VIEW
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_CAMPS, Question
from riverbed_env.kernels.compile import KernelFamily, Record, max_threads
from riverbed_env.kernels.random import STREAM, below, end_decision, open_stream, random_legal_action
from riverbed_env.players.arena import folders_of, link_choice
from riverbed_env.players.networks import Layers
from riverbed_lab.training.process import prepare_process

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]
Whole = npt.NDArray[np.int64]

NOTES = 3  # positions recorded of a game, at most
NUM_ENVS = 10_000
HELD_OUT = 20_000  # held-out games at each player count
WILD_SHARE = 4  # one choice in 4 is random …
WILD_UNTIL = 16  # … until a turn up to this, in one seat of every other game
NOTING = 13  # purpose of the random stream that picks positions
HIDDEN = (128, 64)  # units of the hidden layers
ACTIVATION = "relu"
RATE, DECAY, WARM = 0.003, 1e-4, 0.1
ROWS = 4096  # batch size
SEEN_SELDOM = 0.05  # inputs with a smaller deviation aren't rescaled

AGENTS = (RULE_BASED, student_agent())
kernel = KernelFamily("riverbed_hunt_values", *folders_of(GAME, AGENTS), Path(__file__).parent)
choose_as, _ = link_choice(kernel, AGENTS)
write_row = GAME.loop("write_row")


@kernel
def choose_wildly(mask: Vector, stream: Record) -> int:
    """A random legal action one time in WILD_SHARE, else -1."""
    if below(stream, WILD_SHARE) == 0:
        return random_legal_action(mask, stream)
    return -1


@kernel
def choose_by_agent(agent: int, view: Record, params: Record, row: Vector, stream: Record) -> int:
    """The action of the agent with this number. row: observation and mask."""
    begun = int(stream["drawn"])
    observation, mask = row[:OBSERVATION_SIZE], row[OBSERVATION_SIZE:]
    action: int = choose_as(agent, view, params, observation, mask, np.zeros(1, np.int32), stream)
    end_decision(stream, begun)
    return action


@kernel
def slot_for(met: int, stream: Record) -> int:
    """The slot for the turn that is number `met`, NOTES for none. Every turn is kept with the same probability.

    Reservoir sampling (Vitter, "Random sampling with a reservoir", 1985).
    """
    if met <= NOTES:
        return met - 1
    return min(NOTES, below(stream, met))


@kernel
def play_and_note(
    game: Record, params: Record, view: Record, row: Vector, stream: Record, standings: npt.NDArray[np.int8]
) -> int:
    """Play a game to its end and record positions at the start of turns, (NOTES, SIZE); returns their number."""
    table = game["table"]
    improved = below(stream, int(params["num_players"]))
    wild = -1
    calm_from = 0
    if below(stream, 2) == 0:
        wild = below(stream, int(params["num_players"]))
        calm_from = 1 + below(stream, WILD_UNTIL)
    turn = 0
    met = 0
    while table["asked"] >= 0:
        if int(table["turn"]) > turn and table["question"] == Question.TURN:
            turn = int(table["turn"])
            if turn >= calm_from:
                met += 1
                slot = slot_for(met, stream)
                if slot < NOTES:
                    write_value_features(game, params, improved, standings[slot])
        seat = int(table["asked"])
        write_row(game, params, seat, view, row, OBSERVATION_SIZE)
        action = -1
        if seat == wild and turn < calm_from:
            action = choose_wildly(row[OBSERVATION_SIZE:], stream)
        if action < 0:
            action = choose_by_agent(int(seat == improved), view, params, row, game["agents"])
        engine.step(game, params, action)
    return min(met, NOTES)


def play_all(
    games: Records,
    params: Records,
    seed: int,
    numbers: Whole,
    views: Records,
    rows: Vector,
    streams: Records,
    standings: npt.NDArray[np.int8],
    notes: Whole,
) -> None:
    """Play n games and record positions.

    views, rows, streams: (threads, …), scratch; notes: (n,), written: the number of positions.
    """
    chunks = len(views)
    for chunk in prange(chunks):
        for index in range(chunk * len(games) // chunks, (chunk + 1) * len(games) // chunks):
            open_stream(streams[chunk], seed, numbers[index], NOTING)
            notes[index] = play_and_note(
                games[index], params[0], views[chunk], rows[chunk], streams[chunk], standings[index]
            )


def look_at_games(num_players: int, games: int, seed: int, standings: Vector, winners: Whole) -> int:
    """Play games and record positions, (rows, SIZE), and the winning camp, (rows,); returns the number of rows.

    Games without a winner are left out. standings, winners: room for NOTES rows a game.
    """
    play = kernel.link(play_all, "play_all_in_parallel", {}, parallel=True)
    batch = Batch(GAME, min(games, NUM_ENVS), seed=seed, num_players=num_players, auto_reset=False)
    views, streams = np.zeros(max_threads(), VIEW), np.zeros(max_threads(), STREAM)
    rows = np.zeros((max_threads(), OBSERVATION_SIZE + NUM_ACTIONS), np.int8)
    noted = np.zeros((batch.num_envs, NOTES, SIZE), np.int8)
    size = 0
    for first in range(0, games, batch.num_envs):
        numbers = first + np.arange(batch.num_envs)
        batch.deal(numbers)
        notes = np.zeros(batch.num_envs, np.int64)
        play(batch.games, batch.params, seed, numbers, views, rows, streams, noted, notes)
        won: Whole = GAME.columns(batch.games)["winner"].astype(np.int64)
        indices, slots = np.nonzero((np.arange(NOTES) < notes[:, None]) & (won >= 0)[:, None])
        standings[size : size + len(indices)] = noted[indices, slots]
        winners[size : size + len(indices)] = won[indices]
        size += len(indices)
    return size


def gather(games: int, seed: int) -> tuple[Vector, Whole]:
    """Positions and winners of `games` games at each player count."""
    counts = range(GAME.min_players, GAME.max_players + 1)
    standings = np.empty((len(counts) * games * NOTES, SIZE), np.int8)
    winners = np.empty(len(standings), np.int64)
    size = 0
    for count in counts:
        size += look_at_games(count, games, seed, standings[size:], winners[size:])
    return standings[:size], winners[:size]


def spread_of(standings: Vector) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Mean and standard deviation of each input, from some of the rows; a deviation near 0 counts as 1."""
    some = standings[:: max(1, len(standings) // 200_000)].astype(np.float32)
    deviation = some.std(axis=0)
    deviation[deviation < SEEN_SELDOM] = 1.0
    return some.mean(axis=0), deviation


def fit(standings: Vector, winners: Whole, epochs: int, seed: int) -> Layers:
    """Fit the network by maximum likelihood; it takes unscaled positions."""
    torch.manual_seed(seed)
    mean, deviation = (torch.from_numpy(part) for part in spread_of(standings))
    sizes = (SIZE, *HIDDEN, NUM_CAMPS)
    layers = [nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes)]
    network = nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), layers[2])
    rows = min(ROWS, len(standings))
    steps = epochs * (len(standings) // rows)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, steps, pct_start=WARM)
    positions, won = torch.from_numpy(standings), torch.from_numpy(winners)
    for _ in range(epochs):
        order = torch.randperm(len(positions))
        for step in range(len(positions) // rows):
            chosen = order[step * rows : (step + 1) * rows]
            loss = nn.functional.cross_entropy(network((positions[chosen].float() - mean) / deviation), won[chosen])
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            rate.step()
    arrays = [(layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()) for layer in layers]
    weight, bias = arrays[0]
    weight /= deviation.numpy()[:, None]
    bias -= mean.numpy() @ weight
    return Layers(tuple(arrays), ACTIVATION)


def log_loss(odds: npt.NDArray[np.float32], winners: Whole) -> float:
    """The mean log loss of the winner under log odds, (rows, camps)."""
    return float(nn.functional.cross_entropy(torch.from_numpy(odds), torch.from_numpy(winners)))


def main(
    games: Annotated[int, typer.Option(min=1, help="Games at each player count.")] = 500_000,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the data.")] = 4,
    seed: Annotated[int, typer.Option(help="Seed of the games; held-out games have the next one.")] = 1,
    held_out: Annotated[int, typer.Option(min=1, help="Held-out games at each player count.")] = HELD_OUT,
    out: Annotated[Path, typer.Option(help="The file to write.")] = FILE,
) -> None:
    """Fit the value network to games, test it on others, write it."""
    prepare_process(max_threads())
    standings, winners = gather(games, seed)
    typer.echo(f"{len(standings):,} positions of {games:,} games at each player count")
    network = fit(standings, winners, epochs, seed)
    test_positions, won = gather(held_out, seed + 1)
    counts = GAME.min_players + test_positions[:, PIECES.slices["players"]].argmax(axis=1)
    for count in range(GAME.min_players, GAME.max_players + 1):
        rows = counts == count
        by_tracks = np.log(np.maximum(test_positions[rows][:, PIECES.slices["chances"]], 1) / np.float32(PERCENT))
        ours = log_loss(network.logits(test_positions[rows].astype(np.float32)), won[rows])
        typer.echo(
            f"{count} players: log loss {ours:.4f} ({log_loss(by_tracks, won[rows]):.4f} from the tracks "
            f"alone, {entropy(np.bincount(won[rows])):.4f} from the win rates)"
        )
    arrays = Layers.arrays(network.layers)
    write_arrays(out, {name: array.astype(np.float16) for name, array in arrays.items()}, compressed=True)
