"""A listening target: beside what it is paid for, a MaskablePPO predicts the posterior of the other seats' roles.

    env = ListeningVecEnv("riverbed_hunt_v1", 256, talk="claims")
    MaskablePPO(ListeningPolicy, env, policy_kwargs={"listening": 0.5})

After Sarkar et al., "Training language models for social deduction with multi-agent reinforcement learning" (2025),
whose listeners predict who the impostor is. Here the target is what the deduction concludes from the seat's own view.
It follows the observation while the policy learns; to play, the policy needs neither the target nor its ears.
"""

from __future__ import annotations

from typing import Any

import gymnasium.spaces
import numpy as np
import torch
from torch import nn

from riverbed_env.core.batch import Vectors
from riverbed_env.core.game import Game
from riverbed_env.deduction import Deduction
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_ROLES

from .sb3 import LearnerVecEnv
from .sb3_policies import MlpPolicy

PERCENT = 100
TARGETS = MAX_SEATS * NUM_ROLES  # numbers that follow the observation


def check_deduces(game: Game) -> None:
    """Raise OptionError unless there is a deduction of this game's roles."""
    if game is not RIVERBED_HUNT:
        raise OptionError(f"a listening target needs {RIVERBED_HUNT.id}, whose roles can be deduced, not {game.id}")


class ListeningVecEnv(LearnerVecEnv):
    """A `LearnerVecEnv` whose observations end with the posterior of each seat's role, in percent.

    The TARGETS numbers are those of (MAX_SEATS, NUM_ROLES) int8: the learner first, then clockwise; rows past the
    players are 0, and so are all of a `terminal_observation`. Raises OptionError for other games.
    """

    def __init__(self, game: str, num_envs: int, **options: Any) -> None:
        super().__init__(game, num_envs, **options)
        check_deduces(self.learner.game)
        params = self.learner.tables.batch.params
        self._models = [Deduction.of(params[number : number + 1]) for number in range(len(params))]
        low, high = self.observation_space.low, self.observation_space.high  # type: ignore[attr-defined]  # a Box
        more = np.full(TARGETS, PERCENT, np.int8)
        self.observation_space = gymnasium.spaces.Box(
            np.concatenate([low, 0 * more]), np.concatenate([high, more]), dtype=np.int8
        )

    def posteriors(self) -> Vectors:
        """The targets in each environment, (n, TARGETS)."""
        targets = np.zeros((self.num_envs, MAX_SEATS, NUM_ROLES), np.int8)
        batch, seats = self.learner.tables.batch, self.learner.seat
        for number, model in enumerate(self._models):
            rows = np.flatnonzero(batch.which == number)
            roles = model.roles(batch.look(seats[rows], rows))
            clockwise = (seats[rows, None] + np.arange(model.num_players)) % model.num_players
            turned = np.take_along_axis(roles, clockwise[:, :, None], axis=1)
            targets[rows, : model.num_players] = np.rint(PERCENT * turned)
        return targets.reshape(self.num_envs, TARGETS)

    def _observations(self) -> Vectors:
        return np.concatenate([super()._observations(), self.posteriors()], axis=1)

    def _note_ends(self, ended: np.ndarray[Any, np.dtype[np.int64]], infos: list[dict[str, Any]]) -> None:
        super()._note_ends(ended, infos)
        for index in ended.tolist():
            infos[index]["terminal_observation"] = np.pad(infos[index]["terminal_observation"], (0, TARGETS))


class _Beside(torch.autograd.Function):
    """Values unchanged; whoever differentiates a loss of them differentiates `loss` besides."""

    @staticmethod
    def forward(ctx: Any, values: torch.Tensor, loss: torch.Tensor) -> torch.Tensor:
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return gradients[0], torch.ones_like(gradients[0][0, 0])


class Ears(nn.Module):
    """Predicts the posterior of the other seats' roles from what a policy's actor has made of an observation.

    width: of what the actor has made, of the whole or, `by_seat`, of each seat. weight: of the loss, which is added to
    the policy's. `heard` is the last loss, (): the mean over the other seats of the Kullback-Leibler divergence from
    the posterior, in nats.
    """

    def __init__(self, width: int, weight: float, *, by_seat: bool = False) -> None:
        super().__init__()
        self.layer, self.weight = nn.Linear(width, NUM_ROLES if by_seat else TARGETS), weight
        self.heard = torch.tensor(float("nan"))

    def loss(self, made: torch.Tensor, observations: torch.Tensor) -> torch.Tensor:
        """The divergence. made: (n, width) or (n, MAX_SEATS, width); observations: (n, numbers), targets last."""
        targets = observations[:, -TARGETS:].float().view(-1, MAX_SEATS, NUM_ROLES)[:, 1:]
        seated = targets.sum(dim=2, keepdim=True)
        aims = targets / seated.clamp(min=1)
        logs = torch.log_softmax(self.layer(made).view(-1, MAX_SEATS, NUM_ROLES)[:, 1:], dim=2)
        return (torch.xlogy(aims, aims) - aims * logs).sum() / (seated > 0).sum()

    def beside(self, values: torch.Tensor, made: torch.Tensor, observations: torch.Tensor) -> torch.Tensor:
        """The values (n, 1), through which the weighted loss gets its gradient beside the policy's own."""
        loss = self.loss(made, observations)
        self.heard = loss.detach()
        beside: torch.Tensor = _Beside.apply(values, self.weight * loss)  # type: ignore[no-untyped-call]
        return beside


class ListeningPolicy(MlpPolicy):
    """`sb3_policies.MlpPolicy` for a `ListeningVecEnv`; its network doesn't see the targets.

    listening: the weight of the target in the loss; 0: no ears, and training as without. `predict` takes observations
    with and without targets.
    """

    def __init__(
        self, observation_space: gymnasium.spaces.Box, *arguments: Any, listening: float = 0.5, **more: Any
    ) -> None:
        self._whole, self._listening = observation_space, listening
        low, high = observation_space.low[:-TARGETS], observation_space.high[:-TARGETS]
        self._size = len(low)
        super().__init__(gymnasium.spaces.Box(low, high, dtype=np.int8), *arguments, **more)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.ears: Ears | None = None
        if self._listening:
            self.ears = Ears(self.mlp_extractor.latent_dim_pi, self._listening)
            self.optimizer.add_param_group({"params": list(self.ears.parameters())})

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {
            **super()._get_constructor_parameters(), "observation_space": self._whole, "listening": self._listening
        }  # fmt: skip

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Both, (n, A) and (n, 1); while it learns, the values carry the gradient of the target."""
        if self.ears is None or not self.training:
            return super().logits_and_values(observations)
        actors, critics = self.begin(observations)
        made, values = self.hidden_of_actor(actors), self.value_net(self.hidden_of_critic(critics))
        return self.action_net(made), self.ears.beside(values, made, observations)

    def begin(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """As `MlpPolicy.begin`; the targets are left out."""
        return super().begin(observations[:, : self._size])

    def obs_to_tensor(self, observation: Any) -> tuple[Any, bool]:
        """As Stable-Baselines3's, without targets."""
        return super().obs_to_tensor(np.asarray(observation)[..., : self._size])
