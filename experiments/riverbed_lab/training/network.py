"""The learner's network: an actor that sees what its seat may know, and a critic that may see more.

Both score every object (a seat, space or card that an action can name) with shared weights, given the rest of the
vector (see `riverbed_env.players.action_entities`). Advice, if it is among the features, is added to
the logits, so that training begins with an actor that mostly follows it (residual policy learning: Silver et al.,
"Residual policy learning", 2018). The critic isn't saved with the policy, so it may see the secrets of the full state
(asymmetric actor-critic: Pinto et al., "Asymmetric actor critic for image-based robot learning", 2018).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from riverbed_env.core.files import Arrays
from riverbed_env.core.game import Game
from riverbed_env.envs.listening import Ears
from riverbed_env.envs.sb3_policies import DirectPolicy
from riverbed_env.players.action_entities import Objects, Relation, objects_of
from riverbed_env.players.features import FeatureSet

from .config import SEAT

LARGEST_SCALE = 16.0  # upper bound of a divisor, so that the usual small counts stay visible
FIRST_GAIN, LAST_GAIN = 2**0.5, 0.01  # of orthogonal weights, as in Stable-Baselines3


@dataclass(frozen=True)
class Part:
    """The inputs of an actor or critic: its objects, and where its numbers begin among the network's inputs.

    The order is: numbers that describe no object, then those of each kind object after object, then advice.
    """

    objects: Objects
    begin: int

    @property
    def columns(self) -> npt.NDArray[np.int64]:
        """The columns of the learner's vector, in the network's order."""
        kinds = (kind.columns.ravel() for kind in self.objects.kinds)
        return np.concatenate([self.objects.others, *kinds, self.objects.advice])


@dataclass(frozen=True)
class NetworkInputs:
    """The network's inputs: `columns` of a learner's vector, for the actor, then for a critic that sees more.

    A critic without secrets gets only the numbers that describe no object: objects didn't help it and took half of the
    training time. scale: the divisor of each number of the whole vector. Numbers come in the order in which the network
    uses them, so that each is copied once, as a byte.
    """

    actor: Part
    critic: Part
    scale: npt.NDArray[np.float32]

    @property
    def columns(self) -> npt.NDArray[np.int64]:
        """The columns of the learner's vector that the network gets, in order; a column may occur twice."""
        more = [self.critic.columns] if self.critic.begin else []
        return np.concatenate([self.actor.columns, *more])


def inputs_of(
    game: Game,
    view: str,
    features: Sequence[FeatureSet],
    *,
    secrets: bool,
    pieces: Sequence[str],
    related: bool = False,
) -> NetworkInputs:
    """The network inputs of a learner of this game; see `objects_of`."""
    scale = [np.clip(game.observation.high()[: game.views[view]].astype(np.float32), 1, LARGEST_SCALE)]
    for feature_set in features:
        scale += [
            np.full(piece.size, feature_set.scales.get(piece.name, 1.0), np.float32)
            for piece in feature_set.pieces.pieces
        ]
    hidden = len(game.state.secret_places(0, game.min_players)) if secrets else 0
    scale.append(np.ones(hidden, np.float32))
    actor = Part(objects_of(game, view, features, secrets=False, pieces=pieces, related=related), 0)
    if secrets:
        critic = Part(objects_of(game, view, features, secrets=True, pieces=pieces), len(actor.columns))
    else:
        critic = Part(Objects((), actor.objects.others, np.zeros(0, np.int64)), 0)
    return NetworkInputs(actor, critic, np.concatenate(scale))


class Tower(nn.Module):
    """Two layers over the rest of the numbers and over each object; objects see the rest, the rest sees their mean.

    If the objects have relations, a layer over the rest, the means and the maxima gives what the later layers see,
    since an action is often worth what the best object is worth; and objects also see the sum of those they are related
    to (message passing: Battaglia et al., "Relational inductive biases, deep learning, and graph networks", 2018).
    Returns the embedding of the rest, (n, widths[1]), and for each kind those of its objects, (n, objects, width). The
    first layers' weights include the scale, so that the numbers themselves needn't be divided.
    """

    def __init__(self, part: Part, scale: npt.NDArray[np.float32], widths: tuple[int, int], object_width: int) -> None:
        super().__init__()
        first, second = widths
        objects = part.objects
        self.begin, self.others = part.begin, len(objects.others)
        self.shapes = [kind.columns.shape for kind in objects.kinds]
        self.rest = nn.Linear(self.others, first)
        pooled = first + len(self.shapes) * object_width
        self.around = nn.Linear(pooled + len(self.shapes) * object_width, first) if objects.relations else None
        self.rest_again = nn.Linear(first if objects.relations else pooled, second)
        self.each, self.each_again, self.context = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        self.related = nn.ModuleList()
        self.relations = [relation.kinds for relation in objects.relations]
        for number, relation in enumerate(objects.relations):
            self.register_buffer(f"places_{number}", _places(part, relation), persistent=False)
        self.register_buffer("scale", torch.as_tensor(1 / scale[objects.others]))
        for number, kind in enumerate(objects.kinds):
            self.register_buffer(f"scale_{number}", torch.as_tensor(1 / scale[kind.columns[0]]))
            self.each.append(nn.Linear(kind.columns.shape[1], object_width))
            self.each_again.append(nn.Linear(object_width, object_width, bias=False))
            self.context.append(nn.Linear(first, object_width))
        for _ in range(2 * len(self.relations)):
            self.related.append(nn.Linear(object_width, object_width, bias=False))
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, FIRST_GAIN)
                if layer.bias is not None:
                    nn.init.zeros_(layer.bias)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """See the class. inputs: (n, numbers) int8."""
        end = self.begin + self.others
        rest = self._first(inputs[:, self.begin : end], self.rest, self.scale)
        given, first = [], []
        for number, (count, features) in enumerate(self.shapes):
            given.append(inputs[:, end : end + count * features].view(len(inputs), count, features))
            end += count * features
            first.append(self._first(given[number], self.each[number], getattr(self, f"scale_{number}")))
        pooled = torch.cat([rest, *(each.mean(dim=1) for each in first)], dim=1)
        around = rest
        if self.around is not None:
            most = [each.amax(dim=1) for each in first]
            pooled = around = torch.relu(self.around(torch.cat([pooled, *most], dim=1)))
        second = [self.each_again[kind](each) + self.context[kind](around)[:, None] for kind, each in enumerate(first)]
        for number, (one, other) in enumerate(self.relations):
            holds = given[one][:, :, getattr(self, f"places_{number}")].float()
            second[one] = second[one] + self.related[2 * number](holds @ first[other])
            second[other] = second[other] + self.related[2 * number + 1](holds.transpose(1, 2) @ first[one])
        return torch.relu(self.rest_again(pooled)), [torch.relu(each) for each in second]

    def _first(self, seen: torch.Tensor, layer: Any, scale: Any) -> torch.Tensor:
        return torch.relu(nn.functional.linear(seen.float(), layer.weight * scale, layer.bias))


def _places(part: Part, relation: Relation) -> torch.Tensor:
    """Where the columns of a relation stand among the numbers of each object of its first kind."""
    columns = part.objects.kinds[relation.kinds[0]].columns[0]
    return torch.from_numpy(np.flatnonzero(np.isin(columns, relation.columns[0])))


class Scores(nn.Module):
    """The logits of all actions, from a tower; the advised action gets `trust` more.

    Trust isn't learnt: advice is better than the average deviation, so trust would grow first and end the exploration
    that finds better deviations (measured: the learner then ends as a copy of its adviser). heads: columns of a one-hot
    piece of the vector, each of which has scores of objects of its own.
    """

    def __init__(
        self,
        part: Part,
        num_actions: int,
        width: int,
        object_width: int,
        trust: float,
        heads: npt.NDArray[np.int64] | None = None,
    ) -> None:
        super().__init__()
        objects = part.objects
        end = part.begin + len(part.columns)
        self.advice = slice(end - len(objects.advice), end)
        self.firsts = [(kind.first, len(kind.columns)) for kind in objects.kinds]
        self.plain = nn.Linear(width, num_actions)
        places = [] if heads is None else [int(np.flatnonzero(part.columns == column)[0]) for column in heads]
        self.heads: torch.Tensor
        self.register_buffer("heads", part.begin + torch.tensor(places, dtype=torch.int64), persistent=False)
        self.named = nn.ModuleList(nn.Linear(object_width, max(1, len(places)), bias=False) for _ in objects.kinds)
        given = torch.full((num_actions,), trust)
        self.trust = nn.Parameter(given, requires_grad=False) if len(objects.advice) else None
        for layer in (self.plain, *self.named):
            nn.init.orthogonal_(layer.weight, LAST_GAIN)
        nn.init.zeros_(self.plain.bias)

    def forward(self, inputs: torch.Tensor, rest: torch.Tensor, objects: list[torch.Tensor]) -> torch.Tensor:
        """The logits, (n, actions). inputs: as of the tower, for the advice."""
        logits: torch.Tensor = self.plain(rest)
        which = inputs[:, None, self.heads] if len(self.heads) else None
        for (first, size), each, named in zip(self.firsts, objects, self.named):
            scores = named(each)[:, :, 0] if which is None else (named(each) * which).sum(dim=2)
            logits = logits + nn.functional.pad(scores, (first, logits.shape[1] - first - size))
        return logits if self.trust is None else logits + self.trust * inputs[:, self.advice]


class LearnerPolicy(DirectPolicy):
    """MaskablePPO's policy over `NetworkInputs`.

    trust: the logit that advice adds. listening: weight of the target of a `ListeningVecEnv`, which a layer shared by
    all seats predicts from what the actor makes of each; 0: none.
    """

    def __init__(
        self,
        observation_space: gymnasium.spaces.Space[Any],
        action_space: gymnasium.spaces.Space[Any],
        lr_schedule: Callable[[float], float],
        *,
        inputs: NetworkInputs,
        widths: tuple[int, int],
        object_width: int,
        trust: float,
        listening: float = 0.0,
        **more: Any,
    ) -> None:
        self._inputs, self._widths, self._object_width, self._trust = inputs, widths, object_width, trust
        self._listening = listening
        super().__init__(observation_space, action_space, lr_schedule, net_arch=[], **more)

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        inputs, widths, width = self._inputs, self._widths, self._object_width
        kinds = len(inputs.critic.objects.kinds)
        self.actor, self.critic = (Tower(part, inputs.scale, widths, width) for part in (inputs.actor, inputs.critic))
        actions = int(self.action_space.n)  # type: ignore[attr-defined]  # Discrete
        self.scores = Scores(inputs.actor, actions, widths[1], width, self._trust)
        self.worth = nn.Linear(widths[1] + kinds * width, 1)
        nn.init.orthogonal_(self.worth.weight, 1.0)
        nn.init.zeros_(self.worth.bias)
        self.ears = Ears(width, self._listening, by_seat=True) if self._listening else None
        self.optimizer = self.optimizer_class(
            [each for each in self.parameters() if each.requires_grad],
            lr=lr_schedule(1),  # type: ignore[call-arg]
            **self.optimizer_kwargs,
        )

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Both, (n, A) and (n, 1); while it learns to listen, the values carry the gradient of the target."""
        rest, objects = self.actor(observations)
        values = self.values_of(observations)
        if self.ears is not None and self.training:
            seats = [kind.block for kind in self._inputs.actor.objects.kinds].index(SEAT)
            values = self.ears.beside(values, objects[seats], observations)
        return self.scores(observations, rest, objects), values

    def logits_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The logits of all actions, (n, A)."""
        logits: torch.Tensor = self.scores(observations, *self.actor(observations))
        return logits

    def values_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The critic's values, (n, 1)."""
        rest, objects = self.critic(observations)
        values: torch.Tensor = self.worth(torch.cat([rest, *(each.mean(dim=1) for each in objects)], dim=1))
        return values

    def actor_arrays(self) -> Arrays:
        """The actor as arrays by name, as `players.policies` reads them."""
        return actor_arrays(self.actor, self.scores, self._inputs)


def actor_arrays(actor: Tower, scores: Scores, inputs: NetworkInputs) -> Arrays:
    """An actor as arrays by name, as `players.policies` reads them; the weights include the scales."""
    kept = {**_named(actor, "actor"), **_named(scores, "scores")}
    scale, objects = inputs.scale, inputs.actor.objects
    kept["actor.rest.weight"] = kept["actor.rest.weight"] / scale[objects.others]
    for number, kind in enumerate(objects.kinds):
        name = f"actor.each.{number}.weight"
        kept[name] = kept[name] / scale[kind.columns[0]]
    return kept


def _named(module: nn.Module, prefix: str) -> Arrays:
    return {f"{prefix}.{name}": value.detach().cpu().numpy().copy() for name, value in module.named_parameters()}
