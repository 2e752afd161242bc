"""The learner's network: an actor that sees what its seat may know, and a critic that may see more.

Both score every seat, space or card that an action can name by the same weights (see `core.objects`), each in the
light of what the rest of the vector says. Advice, where it is among the senses, goes to the logits directly, so that
training can begin with an actor that mostly follows it (residual policy learning: Silver et al., "Residual policy
learning", 2018). The critic, which is left behind after training, may see the secrets of the full state (asymmetric
actor-critic: Pinto et al., "Asymmetric actor critic for image-based robot learning", 2018).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from riverbed_env.core.files import Arrays
from riverbed_env.core.game import Game
from riverbed_env.core.objects import Objects, objects_of
from riverbed_env.core.senses import Sense

LARGEST_SCALE = 16.0  # what counts further is divided by no more, so that the usual small counts stay visible
FIRST_GAIN, LAST_GAIN = 2**0.5, 0.01  # of orthogonal weights, as in Stable-Baselines3


@dataclass(frozen=True)
class Sight:
    """What the network is given: the actor's objects, the critic's, which may be more, and each number's scale."""

    actor: Objects
    critic: Objects
    scale: npt.NDArray[np.float32]


def sight_of(game: Game, view: str, senses: Sequence[Sense], *, secrets: bool, pieces: Sequence[str]) -> Sight:
    """The sight of a learner of this game; pieces: those of the observation that it looks at, all if none is named."""
    scale = [np.clip(game.observation.high()[: game.views[view]].astype(np.float32), 1, LARGEST_SCALE)]
    for sense in senses:
        scale += [np.full(piece.size, sense.scales.get(piece.name, 1.0), np.float32) for piece in sense.pieces.pieces]
    hidden = len(game.state.secret_places(0, game.min_players)) if secrets else 0
    scale.append(np.ones(hidden, np.float32))
    return Sight(
        objects_of(game, view, senses, secrets=False, pieces=pieces),
        objects_of(game, view, senses, secrets=secrets, pieces=pieces),
        np.concatenate(scale),
    )


class Tower(nn.Module):
    """Two layers over the rest of the vector and over each object; objects see the rest, the rest sees their mean.

    Gives what the rest says, (n, width[1]), and for each kind what is said of its objects, (n, objects, width).
    """

    def __init__(self, objects: Objects, widths: tuple[int, int], object_width: int) -> None:
        super().__init__()
        first, second = widths
        self.kinds = len(objects.kinds)
        self.register_buffer("others", torch.as_tensor(objects.others))
        self.rest = nn.Linear(len(objects.others), first)
        self.rest_again = nn.Linear(first + self.kinds * object_width, second)
        self.each, self.each_again, self.context = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        for number, kind in enumerate(objects.kinds):
            self.register_buffer(f"columns_{number}", torch.as_tensor(kind.columns))
            self.each.append(nn.Linear(kind.columns.shape[1], object_width))
            self.each_again.append(nn.Linear(object_width, object_width, bias=False))
            self.context.append(nn.Linear(first, object_width))
        for part in self.modules():
            if isinstance(part, nn.Linear):
                nn.init.orthogonal_(part.weight, FIRST_GAIN)
                if part.bias is not None:
                    nn.init.zeros_(part.bias)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """See the class. inputs: (n, inputs), scaled."""
        others: torch.Tensor = self.others  # type: ignore[assignment]
        rest = torch.relu(self.rest(inputs.index_select(1, others)))
        first = [self._first(inputs, number) for number in range(self.kinds)]
        again = torch.relu(self.rest_again(torch.cat([rest, *(each.mean(dim=1) for each in first)], dim=1)))
        second = [
            torch.relu(self.each_again[number](each) + self.context[number](rest)[:, None])
            for number, each in enumerate(first)
        ]
        return again, second

    def _first(self, inputs: torch.Tensor, number: int) -> torch.Tensor:
        columns: torch.Tensor = getattr(self, f"columns_{number}")
        gathered = inputs.index_select(1, columns.ravel()).reshape(len(inputs), *columns.shape)
        return torch.relu(self.each[number](gathered))


class Scores(nn.Module):
    """The logits of all actions from a tower, the advice, and how far the advice is trusted."""

    def __init__(self, objects: Objects, num_actions: int, width: int, object_width: int, trust: float) -> None:
        super().__init__()
        self.firsts = [(kind.first, len(kind.columns)) for kind in objects.kinds]
        self.plain = nn.Linear(width, num_actions)
        self.named = nn.ModuleList(nn.Linear(object_width, 1, bias=False) for _ in objects.kinds)
        self.trust = nn.Parameter(torch.full((num_actions,), trust)) if len(objects.advice) else None
        for part in (self.plain, *self.named):
            nn.init.orthogonal_(part.weight, LAST_GAIN)
        nn.init.zeros_(self.plain.bias)

    def forward(self, rest: torch.Tensor, objects: list[torch.Tensor], advice: torch.Tensor) -> torch.Tensor:
        """The logits, (n, actions). advice: (n, actions), one-hot, or (n, 0)."""
        logits: torch.Tensor = self.plain(rest)
        for (first, size), each, named in zip(self.firsts, objects, self.named):
            scores = named(each)[:, :, 0]
            logits = logits + nn.functional.pad(scores, (first, logits.shape[1] - first - size))
        return logits if self.trust is None else logits + self.trust * advice


class LearnerPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy over a `Sight`. trust: the logit that advice adds at the beginning of training."""

    def __init__(
        self,
        observation_space: gymnasium.spaces.Space[Any],
        action_space: gymnasium.spaces.Space[Any],
        lr_schedule: Callable[[float], float],
        *,
        sight: Sight,
        widths: tuple[int, int],
        object_width: int,
        trust: float,
        **more: Any,
    ) -> None:
        self._sight, self._widths, self._object_width, self._trust = sight, widths, object_width, trust
        super().__init__(observation_space, action_space, lr_schedule, net_arch=[], **more)

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        sight, widths, width = self._sight, self._widths, self._object_width
        kinds = len(sight.critic.kinds)
        self.register_buffer("inverse_scale", torch.as_tensor(1.0 / sight.scale))
        self.register_buffer("advice", torch.as_tensor(sight.actor.advice))
        self.actor, self.critic = Tower(sight.actor, widths, width), Tower(sight.critic, widths, width)
        actions = int(self.action_space.n)  # type: ignore[attr-defined]  # Discrete
        self.scores = Scores(sight.actor, actions, widths[1], width, self._trust)
        self.worth = nn.Linear(widths[1] + kinds * width, 1)
        nn.init.orthogonal_(self.worth.weight, 1.0)
        nn.init.zeros_(self.worth.bias)
        trained = (*self.actor.parameters(), *self.critic.parameters(), *self.scores.parameters())
        self.optimizer = self.optimizer_class(
            [*trained, *self.worth.parameters()],
            lr=lr_schedule(1),  # type: ignore[call-arg]
            **self.optimizer_kwargs,
        )

    def _scaled(self, obs: Any) -> torch.Tensor:
        inverse: torch.Tensor = self.inverse_scale  # type: ignore[assignment]
        scaled: torch.Tensor = obs.float() * inverse
        return scaled

    def _logits(self, inputs: torch.Tensor) -> torch.Tensor:
        rest, objects = self.actor(inputs)
        advice: torch.Tensor = self.advice  # type: ignore[assignment]
        found: torch.Tensor = self.scores(rest, objects, inputs.index_select(1, advice))
        return found

    def _values(self, inputs: torch.Tensor) -> torch.Tensor:
        rest, objects = self.critic(inputs)
        found: torch.Tensor = self.worth(torch.cat([rest, *(each.mean(dim=1) for each in objects)], dim=1))
        return found

    def _distribution(self, inputs: torch.Tensor, action_masks: Any) -> Any:
        distribution = self.action_dist.proba_distribution(action_logits=self._logits(inputs))
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (n,), values (n, 1) and log probabilities (n,)."""
        inputs = self._scaled(obs)
        distribution = self._distribution(inputs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, self._values(inputs), distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values (n, 1), log probabilities (n,) and entropies (n,) of actions taken."""
        inputs = self._scaled(obs)
        distribution = self._distribution(inputs, action_masks)
        return self._values(inputs), distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        """The distribution of actions."""
        return self._distribution(self._scaled(obs), action_masks)

    def predict_values(self, obs: Any) -> torch.Tensor:
        """The critic's values, (n, 1)."""
        return self._values(self._scaled(obs))

    def actor_arrays(self) -> Arrays:
        """The actor alone as arrays by name, as `core.policies` reads them; scales are in the weights already."""
        kept = {**_named(self.actor, "actor"), **_named(self.scores, "scores")}
        scale = self._sight.scale
        objects = self._sight.actor
        kept["actor.rest.weight"] = kept["actor.rest.weight"] / scale[objects.others]
        for number, kind in enumerate(objects.kinds):
            name = f"actor.each.{number}.weight"
            kept[name] = kept[name] / scale[kind.columns[0]]
        return kept


def _named(module: nn.Module, prefix: str) -> Arrays:
    return {f"{prefix}.{name}": value.detach().cpu().numpy().copy() for name, value in module.named_parameters()}
