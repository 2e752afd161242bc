"""Whether fast settings cost strength: learners of one game with the usual settings and with fast ones, equal steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO

from riverbed_env.players.lineups import lineups
from riverbed_env.players.networks import Layers
from riverbed_env.players.policies import PolicyConfig, SavedPolicy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.speed.ours import HUNT
from riverbed_lab.statistics import Difference, SeedsDifference, seeds_difference
from riverbed_lab.training.evaluation import Evaluation, compare

from .learners import LearnersSeat, Setting, common_steps, torch_threads

GAMES = (HUNT, "deep_river_v0")  # the second because much is learnt of it in few decisions
OPPONENTS, VIEW = "random", "now"
PURPOSE_OF_INTERVALS = 7

Won = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class OneSeed:
    """Both learners of one training seed: how often each won the common deals, 0 to 1, and the fast one's lead.

    gain: of the fast one over the lineup's own agent in that seat; usual_seconds, fast_seconds: of learning.
    """

    usual: float
    fast: float
    difference: Difference
    gain: Difference
    usual_seconds: float
    fast_seconds: float


@dataclass(frozen=True)
class Strength:
    """The effect of fast settings on strength at equal steps, by seed and over the seeds."""

    seat: LearnersSeat
    usual: Setting
    fast: Setting
    steps: int
    games: int
    reference: float
    by_seed: dict[int, OneSeed]

    @property
    def over_seeds(self) -> SeedsDifference:
        """The fast learners' lead, each seed counting alike; with fewer than five seeds its interval is everything."""
        return seeds_difference({seed: found.difference for seed, found in self.by_seed.items()}, PURPOSE_OF_INTERVALS)


def any_seat(game_id: str) -> LearnersSeat:
    """Any seat of a game with its default number of players, among random opponents."""
    game = find_game(game_id)
    view = VIEW if VIEW in game.views else "history"
    return LearnersSeat(game.id, game.default_players, None, OPPONENTS, view)


@dataclass(frozen=True)
class Measures:
    """Sizes: decisions to learn from, training seeds, common deals; and PyTorch's threads."""

    steps: int
    seeds: int
    games: int
    threads: int = 1


def compare_settings(
    seat: LearnersSeat,
    usual: Setting,
    fast: Setting,
    measures: Measures,
    watch: Callable[[str], None] = lambda done: None,
) -> Strength:
    """Train in a seat both ways with each seed, and play both on common deals.

    Steps are rounded up to whole rollouts of both. The learners sample from their policies, in training and on the
    deals. watch: called with the name of each learner that is done. Raises OptionError for fewer than one step.
    """
    steps = common_steps(measures.steps, [usual, fast])
    game = find_game(seat.game)
    deals = Evaluation(
        game,
        lineups(game, seat.opponents),
        find_agent(seat.opponents, game.name),
        role=seat.role,
        games=measures.games,
        num_players=seat.num_players,
        threads=1,
    )
    by_seed = {}
    with torch_threads(measures.threads):
        for seed in range(measures.seeds):
            found = []
            for setting in (usual, fast):
                begun = time.perf_counter()
                model = seat.model(setting, seed).learn(steps)
                seconds = time.perf_counter() - begun
                found.append((deals.won(policy_of(model, seat)), seconds))
                watch(f"{seat.game}, seed {seed}, {setting}")
            by_seed[seed] = _one_seed(found[0], found[1], deals.won_by_reference)
    return Strength(seat, usual, fast, steps, measures.games, float(np.mean(deals.won_by_reference)), by_seed)


def _one_seed(usual: tuple[Won, float], fast: tuple[Won, float], reference: Won) -> OneSeed:
    """usual, fast: the games won and the seconds of learning; reference: those that the agent won."""
    beside = compare([(fast[0], usual[0])])
    gain = compare([(fast[0], reference)]).gain
    return OneSeed(beside.reference.value, beside.learner.value, beside.gain, gain, usual[1], fast[1])


def policy_of(model: MaskablePPO, seat: LearnersSeat) -> SavedPolicy:
    """The actor of an "MlpPolicy" as an agent that needs no PyTorch."""
    policy: Any = model.policy
    layers = (*policy.mlp_extractor.policy_net, policy.action_net)
    network = Layers(tuple(_arrays(layer) for layer in layers if isinstance(layer, torch.nn.Linear)))
    size = find_game(seat.game).views[seat.view]
    return SavedPolicy("learner", PolicyConfig(seat.game, seat.view), network, size=size)


def _arrays(layer: torch.nn.Linear) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    return layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()
