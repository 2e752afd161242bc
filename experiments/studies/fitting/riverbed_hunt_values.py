"""Fits the value network of Riverbed Hunt: which camp wins from a position, from games between agents.

    python experiments/studies fitting.riverbed_hunt_values --games 100000 --rounds 10 --seed 1

The command plays games of the rule-based agent at every player count, with the student in a seat of a role drawn by
lot, records the full position at the start of some turns, and fits a small network to the winners by cross-entropy
(AdamW; the learning rate rises, then falls by a cosine). Each game is then played once more from one of the student's
choices, drawn by lot: the seat takes a random action there, as labels and searches try actions that nobody would take.
Recorded are the end of that turn and one later position. In half of the games one seat acts at random now and then
until some turn, and only later positions are recorded.

Games and fitting take turns, round by round. The command writes `values.npz` of the search agents and prints the log
loss on held-out games beside that of an estimate from the tracks alone. It takes six kilobytes of memory for each game
of a round and player count.
"""

import math
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np
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
from riverbed_env.games.riverbed_hunt.rules.state import GAME as STATE
from riverbed_env.games.riverbed_hunt.rules.state import VIEW
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_CAMPS, NUM_ROLES, Question
from riverbed_env.kernels.compile import KernelFamily, Numbers, Record, Records, Vector, Whole, max_threads
from riverbed_env.kernels.random import STREAM, below, end_decision, open_stream, random_legal_action
from riverbed_env.players.arena import folders_of, link_choice
from riverbed_env.players.networks import Layers, halved
from riverbed_lab.training.process import prepare_process

COUNTS = range(GAME.min_players, GAME.max_players + 1)  # players
NOTES = 2  # positions recorded of a game, at most
NUM_ENVS = 10_000
HELD_OUT = 20_000  # held-out games at each player count
WILD_SHARE = 4  # one choice in 4 is random …
WILD_UNTIL = 16  # … until a turn up to this, in one seat of every other game
NOTING = 13  # purpose of the random stream that picks positions
HIDDEN = (128, 64)  # units of the hidden layers
ACTIVATION = "relu"
RATE, DECAY, WARM = 0.003, 0.01, 0.1
ROWS = 4096  # batch size
SEEN_SELDOM = 0.05  # inputs with a smaller deviation aren't rescaled

AGENTS = (RULE_BASED, student_agent())
kernel = KernelFamily("riverbed_hunt_values", *folders_of(GAME, AGENTS), Path(__file__).parent)
choose_as, _ = link_choice(kernel, AGENTS)
write_row = GAME.loops.write_row


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
def slot_for(met: int, held: int, stream: Record) -> int:
    """The slot for the turn that is number `met`, NOTES for none.

    The first `held` turns are kept, the others with equal chances, by reservoir sampling (Vitter, "Random sampling with
    a reservoir", 1985).
    """
    if met <= NOTES:
        return met - 1
    return min(NOTES, held + below(stream, met - held))


@kernel
def seat_of_some_role(game: Record, stream: Record) -> int:
    """A seat of a role drawn by lot, so that roles with one seat are as frequent as those with several."""
    num_players = int(game["table"]["num_players"])
    role = below(stream, NUM_ROLES)
    seat = below(stream, num_players)
    for _ in range(num_players):
        if int(game["private"][seat]["role"]) == role:
            return seat
        seat = (seat + 1) % num_players
    return seat


@kernel
def play_on(
    games: Records,
    index: int,
    params: Record,
    view: Record,
    row: Vector,
    improved: int,
    calm_from: int,
    wild: int,
    held: int,
    stream: Record,
    kept: Records,
    chunk: int,
    standings: Vector,
) -> int:
    """Play a game to its end and record positions at the start of turns, (NOTES, SIZE); returns their number.

    kept: one of the choices of the seat `improved` from turn `calm_from` on is kept there, drawn by lot.
    held: the number of positions kept in any case, the first ones; see `slot_for`.
    """
    game = games[index]
    table = game["table"]
    turn = int(table["turn"]) if held else 0
    met = 0
    choices = 0
    while table["asked"] >= 0:
        if int(table["turn"]) > turn and table["question"] == Question.TURN:
            turn = int(table["turn"])
            if turn >= calm_from:
                met += 1
                slot = slot_for(met, held, stream)
                if slot < NOTES:
                    write_value_features(game, params, improved, standings[slot])
        seat = int(table["asked"])
        write_row(game, params, seat, view, row, OBSERVATION_SIZE)
        mask = row[OBSERVATION_SIZE:]
        action = -1
        if seat == wild and turn < calm_from:
            action = choose_wildly(mask, stream)
        if held == 0 and seat == improved and turn >= calm_from and mask.sum() > 1:
            choices += 1
            if below(stream, choices) == 0:
                kept[chunk] = games[index]
        if action < 0:
            action = choose_by_agent(int(seat == improved), view, params, row, game["agents"])
        engine.step(game, params, action)
    return min(met, NOTES)


@kernel
def play_twice(
    games: Records,
    index: int,
    params: Record,
    view: Record,
    row: Vector,
    stream: Record,
    kept: Records,
    chunk: int,
    standings: Vector,
    winners: Vector,
) -> None:
    """Play a game, then once more from one of its choices on, where another action is tried.

    standings: (2, NOTES, SIZE), written; winners: (2, NOTES), the winning camp, -1 where no position was recorded.
    """
    winners[:] = -1
    improved = seat_of_some_role(games[index], stream)
    wild = -1
    calm_from = 0
    if below(stream, 2) == 0:
        wild = below(stream, int(params["num_players"]))
        calm_from = 1 + below(stream, WILD_UNTIL)
    kept[chunk]["table"]["asked"] = -1
    noted = play_on(games, index, params, view, row, improved, calm_from, wild, 0, stream, kept, chunk, standings[0])
    winners[0, :noted] = games[index]["table"]["winner"]
    if kept[chunk]["table"]["asked"] >= 0:
        games[index] = kept[chunk]
        game = games[index]
        write_row(game, params, improved, view, row, OBSERVATION_SIZE)
        engine.step(game, params, random_legal_action(row[OBSERVATION_SIZE:], stream))
        noted = play_on(games, index, params, view, row, improved, 0, -1, 1, stream, kept, chunk, standings[1])
        winners[1, :noted] = game["table"]["winner"]


def play_all(
    games: Records,
    params: Records,
    seed: int,
    numbers: Whole,
    views: Records,
    rows: Vector,
    streams: Records,
    kept: Records,
    standings: Vector,
    winners: Vector,
) -> None:
    """Play n games and record positions; see `play_twice`. views, rows, streams, kept: (threads, …), scratch."""
    chunks = len(views)
    for chunk in prange(chunks):
        for index in range(chunk * len(games) // chunks, (chunk + 1) * len(games) // chunks):
            open_stream(streams[chunk], seed, numbers[index], NOTING)
            play_twice(
                games, index, params[0], views[chunk], rows[chunk], streams[chunk], kept, chunk, standings[index],
                winners[index],
            )  # fmt: skip


def look_at_games(num_players: int, games: int, seed: int, first: int) -> tuple[Vector, Whole]:
    """Play the games from number `first` on; the positions recorded, (rows, SIZE), and the winning camps, (rows,)."""
    play = kernel.link(play_all, "play_all_in_parallel", {}, parallel=True)
    batch = Batch(GAME, min(games, NUM_ENVS), seed=seed, num_players=num_players, auto_reset=False)
    views, streams = np.zeros(max_threads(), VIEW), np.zeros(max_threads(), STREAM)
    kept = np.zeros(max_threads(), STATE)
    rows = np.zeros((max_threads(), OBSERVATION_SIZE + NUM_ACTIONS), np.int8)
    noted = np.zeros((batch.num_envs, 2, NOTES, SIZE), np.int8)
    found = []
    for begin in range(first, first + games, batch.num_envs):
        numbers = begin + np.arange(batch.num_envs)
        batch.deal(numbers)
        won = np.full((batch.num_envs, 2, NOTES), -1, np.int8)
        play(batch.games, batch.params, seed, numbers, views, rows, streams, kept, noted, won)
        won[numbers >= first + games] = -1  # the next round's
        found.append((noted[won >= 0], won[won >= 0].astype(np.int64)))
    standings, winners = zip(*found)
    return np.concatenate(standings), np.concatenate(winners)


def gather(games: int, seed: int, first: int = 0) -> tuple[Vector, Whole]:
    """Positions and winners of `games` games at each player count, from number `first` on."""
    found = [look_at_games(count, games, seed, first) for count in COUNTS]
    standings, winners = zip(*found)
    return np.concatenate(standings), np.concatenate(winners)


def spread_of(standings: Vector) -> tuple[Numbers, Numbers]:
    """Mean and standard deviation of each input, from some of the rows; a deviation near 0 counts as 1."""
    some = standings[:: max(1, len(standings) // 200_000)].astype(np.float32)
    deviation = some.std(axis=0)
    deviation[deviation < SEEN_SELDOM] = 1.0
    return some.mean(axis=0), deviation


class Fitting:
    """A network fitted by maximum likelihood to positions that come round by round."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        sizes = (SIZE, *HIDDEN, NUM_CAMPS)
        self._layers = [nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes)]
        first, second, third = self._layers
        self._network = nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), third)
        self._optimizer = torch.optim.AdamW(self._network.parameters(), lr=RATE, weight_decay=DECAY)
        self._scale: tuple[torch.Tensor, ...] = ()  # mean and deviation of the inputs, from the first round

    def learn(self, standings: Vector, winners: Whole, epochs: int, begin: float, end: float) -> None:
        """Pass over these positions. begin, end: the share of the whole fitting that is done before and after."""
        if not self._scale:
            self._scale = tuple(map(torch.from_numpy, spread_of(standings)))
        mean, deviation = self._scale
        positions, won = torch.from_numpy(standings), torch.from_numpy(winners)
        rows = min(ROWS, len(standings))
        each = len(positions) // rows
        for epoch in range(epochs):
            order = torch.randperm(len(positions))
            for step in range(each):
                done = begin + (end - begin) * (epoch * each + step) / (epochs * each)
                self._optimizer.param_groups[0]["lr"] = RATE * rate_at(done)
                chosen = order[step * rows : (step + 1) * rows]
                inputs = (positions[chosen].float() - mean) / deviation
                loss = nn.functional.cross_entropy(self._network(inputs), won[chosen])
                self._optimizer.zero_grad()
                torch.autograd.backward(loss)
                self._optimizer.step()

    def layers(self) -> Layers:
        """The network as it takes unscaled positions."""
        arrays = [(each.weight.detach().numpy().T.copy(), each.bias.detach().numpy().copy()) for each in self._layers]
        weight, bias = arrays[0]
        mean, deviation = (each.numpy() for each in self._scale)
        weight /= deviation[:, None]
        bias -= mean @ weight
        return Layers(tuple(arrays), ACTIVATION)


def rate_at(done: float) -> float:
    """The share of the learning rate when this share of the fitting is done: it rises at first, then falls to 0."""
    if done < WARM:
        return (done + 0.1 * WARM) / (1.1 * WARM)
    return 0.5 * (1.0 + math.cos(math.pi * (done - WARM) / (1.0 - WARM)))


def log_loss(odds: Numbers, winners: Whole) -> float:
    """The mean log loss of the winner under log odds, (rows, camps)."""
    return float(nn.functional.cross_entropy(torch.from_numpy(odds), torch.from_numpy(winners)))


def main(
    games: Annotated[int, typer.Option(min=1, help="Games at each player count in a round.")] = 100_000,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of games and fitting.")] = 10,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the positions of a round.")] = 2,
    seed: Annotated[int, typer.Option(help="Seed of the games; held-out games have the next one.")] = 1,
    held_out: Annotated[int, typer.Option(min=1, help="Held-out games at each player count.")] = HELD_OUT,
    out: Annotated[Path, typer.Option(help="The file to write.")] = FILE,
) -> None:
    """Fit the value network to games, test it on others, write it."""
    prepare_process(max_threads())
    fitting = Fitting(seed)
    positions = 0
    for round_ in range(rounds):
        standings, winners = gather(games, seed, round_ * games)
        fitting.learn(standings, winners, epochs, round_ / rounds, (round_ + 1) / rounds)
        positions += len(standings)
        typer.echo(f"round {round_ + 1} of {rounds}: {positions:,} positions")
    network = fitting.layers()
    test_positions, won = gather(held_out, seed + 1)
    counts = GAME.min_players + test_positions[:, PIECES.slices["players"]].argmax(axis=1)
    for count in COUNTS:
        rows = counts == count
        by_tracks = np.log(np.maximum(test_positions[rows][:, PIECES.slices["chances"]], 1) / np.float32(PERCENT))
        ours = log_loss(network.logits(test_positions[rows].astype(np.float32)), won[rows])
        typer.echo(
            f"{count} players: log loss {ours:.4f} ({log_loss(by_tracks, won[rows]):.4f} from the tracks "
            f"alone, {entropy(np.bincount(won[rows])):.4f} from the win rates)"
        )
    write_arrays(out, halved(Layers.arrays(network.layers)), compressed=True)
