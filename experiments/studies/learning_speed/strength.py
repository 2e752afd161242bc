"""Whether fast settings cost strength: train with default and with fast settings for equal steps, and compare."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO

from riverbed_env.core.card import table
from riverbed_env.players.lineups import lineups
from riverbed_env.players.networks import Layers
from riverbed_env.players.policies import PolicyConfig, SavedPolicy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.statistics import seeds_difference
from riverbed_lab.training.evaluation import Evaluation, SeatGain, compare

from .learners import Seat, Setting, torch_threads

OPPONENTS, VIEW = "random", "now"
PURPOSE_OF_INTERVALS = 7


@dataclass(frozen=True)
class Measures:
    """The sizes: decisions of training, training seeds, common deals; and PyTorch's threads."""

    steps: int
    seeds: int
    games: int
    threads: int = 1


def any_seat(game_id: str) -> Seat:
    """Any seat of a game with its default number of players, among random opponents."""
    game = find_game(game_id)
    return Seat(game.id, game.default_players, None, OPPONENTS, VIEW if VIEW in game.views else "history")


def common_steps(steps: int, settings: list[Setting]) -> int:
    """The smallest multiple of every setting's rollout that is at least `steps`."""
    whole = math.lcm(*(setting.rollout for setting in settings))
    return -(-steps // whole) * whole


def compare_settings(
    seat: Seat, usual: Setting, fast: Setting, measures: Measures, watch: Callable[[str], None] = lambda done: None
) -> list[tuple[SeatGain, SeatGain]]:
    """Train with both settings for each seed, and compare the learners on common deals.

    Returns for each seed the fast learner compared with the usual one, and with the opponents' agent in its seat. The
    learners sample from their policies. watch: called with the name of each finished learner.
    """
    steps, game = common_steps(measures.steps, [usual, fast]), find_game(seat.game)
    deals = Evaluation(
        *(game, lineups(game, seat.opponents), find_agent(seat.opponents, game.name)), role=seat.role,
        games=measures.games, num_players=seat.num_players, threads=1,
    )  # fmt: skip
    by_seed = []
    with torch_threads(measures.threads):
        for seed in range(measures.seeds):
            won = []
            for setting in (usual, fast):
                won.append(deals.won(policy_of(seat.model(setting, seed).learn(steps), seat)))
                watch(f"{seat.game}, seed {seed}, {setting}")
            by_seed.append((compare([(won[1], won[0])]), compare([(won[1], deals.won_by_reference)])))
    return by_seed


def in_words(
    seat: Seat, usual: Setting, fast: Setting, measures: Measures, by_seed: list[tuple[SeatGain, SeatGain]]
) -> str:
    """A heading, a row for each seed, and the difference over the seeds."""
    rows = [
        (str(seed), f"{100 * beside.reference.value:.1f}", f"{100 * beside.learner.value:.1f}", str(beside.gain),
         str(over.gain))
        for seed, (beside, over) in enumerate(by_seed)
    ]  # fmt: skip
    over_seeds = seeds_difference({seed: beside.gain for seed, (beside, _) in enumerate(by_seed)}, PURPOSE_OF_INTERVALS)
    headings = ["seed", f"usual: {usual}", f"fast: {fast}", "fast less usual", f"fast less {seat.opponents}"]
    steps = common_steps(measures.steps, [usual, fast])
    return (
        f"{seat.game}, {seat}, after {steps:,} decisions: % won of {measures.games:,} common deals ({seat.opponents} "
        f"agent: {100 * by_seed[0][1].reference.value:.1f}):\n\n{table(headings, rows)}\n"
        f"Fast less usual, points over the seeds: {over_seeds}."
    )


def policy_of(model: MaskablePPO, seat: Seat) -> SavedPolicy:
    """The actor of an "MlpPolicy" as an agent without PyTorch."""
    policy: Any = model.policy
    layers = (*policy.mlp_extractor.policy_net, policy.action_net)
    network = Layers(tuple(_arrays(layer) for layer in layers if isinstance(layer, torch.nn.Linear)))
    return SavedPolicy(
        "learner", PolicyConfig(seat.game, seat.view), network, size=find_game(seat.game).views[seat.view]
    )


def _arrays(layer: torch.nn.Linear) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    return layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()
