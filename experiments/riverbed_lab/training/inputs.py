"""What the network of a learner is given: which numbers of the learner's vector, in which order, and their scales."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.core.features import FeatureSet
from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import Whole
from riverbed_env.players.action_entities import Objects, objects_of

LARGEST_SCALE = 16.0  # upper bound of a divisor, so that the usual small counts stay visible


@dataclass(frozen=True)
class Inputs:
    """Which numbers of a learner's vector the network is given, and how many of them describe what.

    A network scores every object (a seat, space or card that an action can name) with shared weights, given the rest of
    the vector: see `riverbed_env.players.action_entities`. The critic isn't saved with the policy, so it may see the
    secrets of the full state (asymmetric actor-critic: Pinto et al., "Asymmetric actor critic for image-based robot
    learning", 2018). One without secrets gets only the numbers that describe no object: objects didn't help it and took
    half of the training time.

    actor, critic: the objects of each; scale: the divisor of each number of the vector. The order in which the network
    is given them is `columns`: the actor's, then those of a critic that sees secrets.
    """

    actor: Objects
    critic: Objects
    scale: npt.NDArray[np.float32]

    @property
    def begins(self) -> tuple[int, int]:
        """Where the numbers of actor and critic begin among the network's."""
        return 0, len(columns_of(self.actor)) if self.critic.kinds else 0

    @property
    def columns(self) -> Whole:
        """The columns of the learner's vector that the network is given, in order; a column may occur twice."""
        more = [columns_of(self.critic)] if self.critic.kinds else []
        return np.concatenate([columns_of(self.actor), *more])


def columns_of(objects: Objects) -> Whole:
    """The numbers that describe no object, then those of each kind object after object, then advice."""
    return np.concatenate([objects.others, *(kind.columns.ravel() for kind in objects.kinds), objects.advice])


def inputs_of(
    game: Game,
    view: str,
    features: Sequence[FeatureSet],
    *,
    secrets: bool,
    pieces: Sequence[str],
    related: bool = False,
) -> Inputs:
    """The network inputs of a learner of this game; see `objects_of`."""
    scales = [np.clip(game.observation.high()[: game.views[view]].astype(np.float32), 1, LARGEST_SCALE)]
    for each in features:
        scales += [np.full(piece.size, each.scales.get(piece.name, 1.0), np.float32) for piece in each.pieces.pieces]
    scales.append(np.ones(len(game.state.secret_places(0, game.min_players)) if secrets else 0, np.float32))
    actor = objects_of(game, view, features, secrets=False, pieces=pieces, related=related)
    critic = Objects((), actor.others, np.zeros(0, np.int64))
    if secrets:
        critic = objects_of(game, view, features, secrets=True, pieces=pieces)
    return Inputs(actor, critic, np.concatenate(scales))
