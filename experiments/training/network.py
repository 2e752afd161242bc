"""The learner's network: an actor that sees what its seat may know, and a critic that may see more.

The actor is an MLP over observation and senses. Where advice is among the senses, it passes by the hidden layers to the
last one, so that training can begin with an actor that mostly follows it (residual policy learning: Silver et al.,
"Residual policy learning", 2018). The critic, which is left behind after training, may see the secrets of the full
state (asymmetric actor-critic: Pinto et al., "Asymmetric actor critic for image-based robot learning", 2018).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from riverbed_env.core.game import Game
from riverbed_env.core.policies import Layer
from riverbed_env.core.senses import ADVICE, Sense

LARGEST_SCALE = 16.0  # what counts further is divided by no more, so that the usual small counts stay visible


@dataclass(frozen=True)
class Sight:
    """What the network is given: `actor` numbers that an agent will have too, then secrets for the critic alone.

    scale: (inputs,), what each number is divided by; advice: where the one-hot advice stands, None without.
    """

    actor: int
    scale: npt.NDArray[np.float32]
    advice: slice | None


def sight_of(game: Game, view: str, senses: Sequence[Sense], num_secrets: int) -> Sight:
    """The sight of a learner of this game."""
    size = game.views[view]
    scale = [np.clip(game.observation.high()[:size].astype(np.float32), 1, LARGEST_SCALE)]
    advice = None
    begin = size
    for sense in senses:
        if sense.name.startswith(f"{ADVICE}:") and advice is None:
            advice = slice(begin, begin + sense.size)
        scale.append(np.full(sense.size, sense.scale, np.float32))
        begin += sense.size
    scale.append(np.ones(num_secrets, np.float32))
    return Sight(begin, np.concatenate(scale), advice)


def _layers(sizes: Sequence[int]) -> nn.Sequential:
    parts: list[nn.Module] = []
    for inputs, outputs in itertools.pairwise(sizes):
        parts += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*parts)


class Towers(nn.Module):
    """Actor and critic up to their last layers; advice comes out behind what the actor's hidden layers give."""

    def __init__(self, sight: Sight, hidden: Sequence[int], critic_hidden: Sequence[int]) -> None:
        super().__init__()
        self.sight = sight
        self.actor = _layers([sight.actor, *hidden])
        self.critic = _layers([len(sight.scale), *critic_hidden])
        self.latent_dim_pi = hidden[-1] + _width(sight.advice)
        self.latent_dim_vf = critic_hidden[-1]

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What the last layers of both are given. inputs: (n, inputs), scaled."""
        return self.forward_actor(inputs), self.forward_critic(inputs)

    def forward_actor(self, inputs: torch.Tensor) -> torch.Tensor:
        """The same of the actor alone, which is given nothing secret."""
        seen = inputs[:, : self.sight.actor]
        found: torch.Tensor = self.actor(seen)
        return found if self.sight.advice is None else torch.cat([found, seen[:, self.sight.advice]], dim=1)

    def forward_critic(self, inputs: torch.Tensor) -> torch.Tensor:
        """The same of the critic alone."""
        found: torch.Tensor = self.critic(inputs)
        return found


def _width(advice: slice | None) -> int:
    return 0 if advice is None else int(advice.stop - advice.start)


class LearnerPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy over a `Sight`. trust: the logit that advice adds at the beginning of training."""

    def __init__(
        self,
        observation_space: gymnasium.spaces.Space[Any],
        action_space: gymnasium.spaces.Space[Any],
        lr_schedule: Callable[[float], float],
        *,
        sight: Sight,
        hidden: Sequence[int],
        critic_hidden: Sequence[int],
        trust: float,
        **more: Any,
    ) -> None:
        self._sight, self._hidden, self._critic_hidden = sight, tuple(hidden), tuple(critic_hidden)
        super().__init__(observation_space, action_space, lr_schedule, net_arch=[], **more)
        self.inverse_scale: torch.Tensor
        self.register_buffer("inverse_scale", torch.as_tensor(1.0 / sight.scale))
        if sight.advice is not None:
            with torch.no_grad():
                weight: torch.Tensor = self.action_net.weight  # type: ignore[assignment]
                weight[:, self._hidden[-1] :] = trust * torch.eye(_width(sight.advice))

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Towers(self._sight, self._hidden, self._critic_hidden)  # type: ignore[assignment]

    def extract_features(self, obs: Any, features_extractor: Any = None) -> torch.Tensor:
        """The observation scaled; SB3's own extractor would only flatten it."""
        scaled: torch.Tensor = obs.float() * self.inverse_scale
        return scaled

    def actor_layers(self) -> list[Layer]:
        """The actor as a plain MLP over what an agent sees, unscaled: weight (inputs, outputs) and bias of each layer.

        Advice passes the hidden layers by units of its own: it is never below 0, so a rectifier leaves it as it is.
        """
        sight = self._sight
        towers, last = self.mlp_extractor, self.action_net
        assert isinstance(towers, Towers)
        assert isinstance(last, nn.Linear)
        hidden = [part for part in towers.actor if isinstance(part, nn.Linear)]
        layers = [_numbers(each) for each in [*hidden, last]]
        layers[0] = (layers[0][0] / sight.scale[: sight.actor, None], layers[0][1])
        if sight.advice is None:
            return layers
        width = _width(sight.advice)
        beside = np.zeros((sight.actor, width), np.float32)
        beside[sight.advice] = np.eye(width, dtype=np.float32)
        passed = []
        for weight, bias in layers[:-1]:
            wide = np.zeros((len(beside), weight.shape[1] + width), np.float32)
            wide[: len(weight), : weight.shape[1]] = weight
            wide[:, weight.shape[1] :] = beside
            passed.append((wide, np.concatenate([bias, np.zeros(width, np.float32)])))
            beside = np.zeros((weight.shape[1] + width, width), np.float32)
            beside[weight.shape[1] :] = np.eye(width, dtype=np.float32)
        return [*passed, layers[-1]]


def _numbers(linear: nn.Linear) -> Layer:
    return (
        np.ascontiguousarray(linear.weight.detach().cpu().numpy().T.astype(np.float32)),
        linear.bias.detach().cpu().numpy().astype(np.float32),
    )
