"""MaskablePPO in less time: the losses' gradients by formula, so that PyTorch differentiates the network alone.

Rollouts are collected without a look at each environment: only ends are. So many environments cost little Python.

    DirectPPO(MlpPolicy, LearnerVecEnv("riverbed_hunt_v1", 256, role="separatist"))

is MaskablePPO of the same arguments: same losses, same steps, same logs, up to rounding. But it learns from a
minibatch of one decision too, after which MaskablePPO's weights are NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance, obs_as_tensor
from stable_baselines3.common.vec_env import VecEnv

from riverbed_env.errors import OptionError

from .sb3_policies import DirectPolicy, log_probabilities_of

Pair = tuple[torch.Tensor, torch.Tensor]  # of logits (n, A) and values (n, 1)

TINY = 1e-8  # beside a deviation that may be 0
STOP_AT = 1.5  # times `target_kl`, beyond which a rollout isn't learnt from any further; both as in MaskablePPO


class Measured(NamedTuple):
    """What a minibatch measures, each a number: the losses, and how far the policy has moved."""

    entropy_loss: torch.Tensor
    policy_loss: torch.Tensor
    value_loss: torch.Tensor
    divergence: torch.Tensor
    clipped: torch.Tensor


@dataclass(frozen=True)
class Losses:
    """MaskablePPO's losses of a minibatch: clipped surrogate, entropy and squared error of the values.

    clip, clip_values: the clip ranges now; None: values aren't clipped. entropy, values: the weights of these losses.
    normalize: the advantages of a minibatch, unless it is of one decision.
    """

    clip: float
    clip_values: float | None
    entropy: float
    values: float
    normalize: bool

    def gradients(
        self, logits: torch.Tensor, values: torch.Tensor, batch: Any
    ) -> tuple[torch.Tensor, torch.Tensor, Measured]:
        """The loss's gradients by logits (n, A) and values (n, 1), and what it measures. batch: a rollout buffer's."""
        logs = log_probabilities_of(logits, batch.action_masks)
        chances, actions = torch.softmax(logs, dim=1), batch.actions.long().view(-1, 1)
        moved = logs.gather(1, actions)[:, 0] - batch.old_log_prob
        ratio = moved.exp()
        by_taken, policy_loss = self._surrogate(ratio, batch.advantages)
        by_logits = chances * -by_taken[:, None]
        by_logits.scatter_add_(1, actions, by_taken[:, None])
        entropies = -(chances * logs).sum(dim=1)
        if self.entropy:
            by_logits += self.entropy / len(logits) * chances * (logs + entropies[:, None])
        errors, pull = self._errors(values[:, 0], batch)
        by_values = (2 * self.values / len(values)) * pull
        divergence = (ratio - 1 - moved).mean()
        clipped = ((ratio - 1).abs() > self.clip).float().mean()
        measured = Measured(-entropies.mean(), policy_loss, errors.square().mean(), divergence, clipped)
        return by_logits, by_values[:, None], measured

    def total(self, measured: Measured) -> torch.Tensor:
        """The loss."""
        return measured.policy_loss + self.entropy * measured.entropy_loss + self.values * measured.value_loss

    def _surrogate(self, ratio: torch.Tensor, advantages: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The clipped surrogate's gradient by the log probabilities of the actions taken, and its loss."""
        if self.normalize and len(advantages) > 1:  # of one there is no deviation
            advantages = (advantages - advantages.mean()) / (advantages.std() + TINY)
        plain, clipped = advantages * ratio, advantages * ratio.clamp(1 - self.clip, 1 + self.clip)
        return torch.where(plain <= clipped, plain, 0.0) / -len(ratio), -torch.minimum(plain, clipped).mean()

    def _errors(self, values: torch.Tensor, batch: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """The values' errors, and those that pull at them: none where a value is clipped."""
        if self.clip_values is None:
            errors = values - batch.returns
            return errors, errors
        moved = values - batch.old_values
        errors = batch.old_values + moved.clamp(-self.clip_values, self.clip_values) - batch.returns
        return errors, torch.where(moved.abs() <= self.clip_values, errors, 0.0)


class DirectPPO(MaskablePPO):
    """MaskablePPO for a `DirectPolicy`, see `sb3_policies`. Raises OptionError for another policy."""

    def _setup_model(self) -> None:
        super()._setup_model()
        if not isinstance(self.policy, DirectPolicy):
            raise OptionError(
                "DirectPPO learns with a DirectPolicy, such as riverbed_env.envs.sb3_policies.MlpPolicy, not with "
                f"{type(self.policy).__name__}"
            )

    def collect_rollouts(  # type: ignore[override]  # as MaskablePPO does
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: MaskableRolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Fill the buffer; returns whether the callback let it go on to the end.

        Raises OptionError if masks are used that the environments don't have.
        """
        if use_masking and not is_masking_supported(env):
            raise OptionError("the environments have no action_masks: add them, or learn with use_masking=False")
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        for _ in range(n_rollout_steps):
            obs, episode_starts = self._last_obs, self._last_episode_starts
            action_masks = self._masks(env) if use_masking else None
            actions, values, log_probs = self._act(obs, action_masks)
            new_obs, rewards, dones, infos = env.step(actions)
            self.num_timesteps += env.num_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
            self._note_ends(np.flatnonzero(dones), rewards, infos)
            rollout_buffer.add(
                obs, actions[:, None], rewards, episode_starts, values, log_probs, action_masks=action_masks
            )
            self._last_obs, self._last_episode_starts = new_obs, dones  # type: ignore[assignment]  # no tuples
        rollout_buffer.compute_returns_and_advantage(last_values=self._values(self._last_obs), dones=dones)
        callback.on_rollout_end()
        return True

    def _masks(self, env: VecEnv) -> npt.NDArray[Any]:
        """The masks of all environments, at once if they can give them so."""
        at_once = getattr(env, "action_masks", None)
        masks: npt.NDArray[Any] = at_once() if callable(at_once) else get_action_masks(env)
        return masks

    def _act(self, obs: Any, action_masks: Any) -> tuple[npt.NDArray[np.int64], torch.Tensor, torch.Tensor]:
        """Actions (n,), values (n, 1) and log probabilities (n,)."""
        with torch.no_grad():
            actions, values, log_probs = self.policy(obs_as_tensor(obs, self.device), action_masks=action_masks)
        return actions.cpu().numpy(), values, log_probs

    def _values(self, obs: Any) -> torch.Tensor:
        with torch.no_grad():
            return self.policy.predict_values(obs_as_tensor(obs, self.device))

    def _note_ends(self, ended: npt.NDArray[np.int64], rewards: npt.NDArray[Any], infos: list[dict[str, Any]]) -> None:
        """Log the games that ended; one that was truncated earns what its last observation is worth."""
        if not len(ended):
            return
        last = [infos[index] for index in ended.tolist()]
        self._update_info_buffer(last, np.ones(len(last), np.bool_))
        for index, info in zip(ended.tolist(), last):
            if info.get("terminal_observation") is not None and info.get("TimeLimit.truncated", False):
                seen, _ = self.policy.obs_to_tensor(info["terminal_observation"])
                with torch.no_grad():
                    rewards[index] += self.gamma * self.policy.predict_values(seen)[0].item()

    def train(self) -> None:
        """Learn from the rollout, minibatch after minibatch."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        losses, last_epoch = self._losses(), 0
        measured: list[Measured] = []
        for _ in range(self.n_epochs):
            last_epoch, is_near = len(measured), True
            for batch in self.rollout_buffer.get(self.batch_size):
                outputs, gradients, found = self._differentiate(losses, batch)
                measured.append(found)
                is_near = self.target_kl is None or float(found.divergence) <= STOP_AT * self.target_kl
                if not is_near:
                    break
                self._step(outputs, gradients)
            self._n_updates += 1
            if not is_near:
                break
        self._log(losses, measured, last_epoch)

    def _losses(self) -> Losses:
        """The losses at this stage of the training."""
        left = self._current_progress_remaining
        clip: Any = self.clip_range
        values: Any = self.clip_range_vf
        return Losses(
            clip(left), None if values is None else values(left), self.ent_coef, self.vf_coef, self.normalize_advantage
        )

    def _differentiate(self, losses: Losses, batch: Any) -> tuple[Pair, Pair, Measured]:
        """The network's logits and values for a minibatch, the loss's gradients by them, and what is measured."""
        policy: Any = self.policy
        logits, values = policy.logits_and_values(batch.observations)
        with torch.no_grad():
            by_logits, by_values, found = losses.gradients(logits, values, batch)
        return (logits, values), (by_logits, by_values), found

    def _step(self, outputs: Pair, gradients: Pair) -> None:
        """One step of the optimiser."""
        self.policy.optimizer.zero_grad()
        torch.autograd.backward(outputs, gradients)
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        self.policy.optimizer.step()

    def _log(self, losses: Losses, measured: list[Measured], last_epoch: int) -> None:
        """Record what MaskablePPO records."""
        buffer = self.rollout_buffer
        means = {name: torch.stack(each).mean().item() for name, each in zip(Measured._fields, zip(*measured))}
        divergence = torch.stack([each.divergence for each in measured[last_epoch:]]).mean().item()
        record = self.logger.record
        record("train/entropy_loss", means["entropy_loss"])
        record("train/policy_gradient_loss", means["policy_loss"])
        record("train/value_loss", means["value_loss"])
        record("train/approx_kl", divergence)
        record("train/clip_fraction", means["clipped"])
        record("train/loss", losses.total(measured[-1]).item())
        record("train/explained_variance", explained_variance(buffer.values.flatten(), buffer.returns.flatten()))
        record("train/n_updates", self._n_updates, exclude="tensorboard")
        record("train/clip_range", losses.clip)
        if losses.clip_values is not None:
            record("train/clip_range_vf", losses.clip_values)
