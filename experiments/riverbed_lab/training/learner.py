"""A learner of a config: its environments, its model, and what a run or a league writes of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.envs.listening import ListeningVecEnv
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.envs.sb3_ppo import DirectPPO
from riverbed_env.envs.speaking import SpeakingVecEnv
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.lineups import Lineups
from riverbed_env.players.policies import PolicyConfig, save_policy

from ..files import code_version
from .buffer import LearnerRolloutBuffer
from .config import TrainingConfig
from .network import LearnerPolicy, NetworkInputs, inputs_of
from .process import check_device

LAST_RATE = 0.1  # share of the learning rate that is left at the end


class TalkingVecEnv(SpeakingVecEnv, ListeningVecEnv):
    """Both: a reward for speaking, a target for listening."""


def learner_env(config: TrainingConfig, opponents: Lineups) -> LearnerVecEnv:
    """The environments a learner of this config learns in, among these opponents.

    Raises OptionError if this machine hasn't the device that it learns on.
    """
    check_device(config.device)
    kinds = {
        (False, False): LearnerVecEnv, (True, False): SpeakingVecEnv,
        (False, True): ListeningVecEnv, (True, True): TalkingVecEnv,
    }  # fmt: skip
    more: dict[str, Any] = {"speaking": config.speaking} if config.speaking else {}
    return kinds[config.speaking > 0, config.listening > 0](
        config.game,
        config.num_envs,
        num_players=config.counts(),
        seed=config.seed,
        role=config.role,
        opponents=opponents,
        view=config.view,
        features=config.features,
        secrets=config.critic == "secrets",
        threads=config.threads,
        columns=inputs_of_run(config).columns,
        **config.options,
        **more,
    )


def inputs_of_run(config: TrainingConfig) -> NetworkInputs:
    """The inputs of the network of a learner of this config."""
    game, secrets = config.known_game(), config.critic == "secrets"
    return inputs_of(game, config.view, find_feature_sets(config.features, game), secrets=secrets, pieces=config.pieces)


def learner_model(config: TrainingConfig, env: LearnerVecEnv, shuffler: np.random.Generator) -> DirectPPO:
    """An untrained learner of this config; `shuffler` draws the order of its minibatches."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="We recommend using a `batch_size`")  # the last may be smaller
        return DirectPPO(
            LearnerPolicy,
            env,
            learning_rate=lambda left: config.learning_rate * max(left, LAST_RATE),
            n_steps=config.rollout_steps,
            batch_size=config.batch_size,
            n_epochs=config.n_epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip_range,
            ent_coef=config.ent_coef,
            vf_coef=config.vf_coef,
            max_grad_norm=config.max_grad_norm,
            rollout_buffer_class=LearnerRolloutBuffer,
            rollout_buffer_kwargs={"shuffler": shuffler},
            policy_kwargs={
                "inputs": inputs_of_run(config),
                "widths": config.widths,
                "object_width": config.object_width,
                "trust": config.trust,
                "listening": config.listening,
            },
            seed=config.seed,
            device=config.device,
        )


def packs_of(env: LearnerVecEnv) -> list[str]:
    """The hashes of the content packs in play."""
    return packs_at(env.parts)


def packs_at(parts: Sequence[LearnerBatch]) -> list[str]:
    """The hashes of the content packs at these tables."""
    packs = (part.tables.batch.pack for part in parts)
    return sorted({str(getattr(pack, "hash", "")) for pack in packs})


def header_of(config: TrainingConfig, model: DirectPPO, packs: list[str]) -> dict[str, Any]:
    """What the header of every checkpoint holds, as `checkpoint.Header` reads it."""
    return {
        "environment": config.known_game().id,
        "packs": packs,
        "code": code_version(),
        "steps": int(model.num_timesteps),
        "updates": int(model._n_updates),
    }


def write_policy(path: Path, config: TrainingConfig, model: DirectPPO, packs: list[str]) -> None:
    """Write the actor of a model of this config as a policy file."""
    steps = int(model.num_timesteps)
    role = config.role or "every role"
    players = ", ".join(map(str, config.counts()))
    about = f"trained for {role}, {players} players, {steps:,} decisions"
    more = {"packs": packs, "training": config.plain(), "steps": steps}
    policy = model.policy
    assert isinstance(policy, LearnerPolicy)
    described = PolicyConfig(
        config.known_game().id,
        config.view,
        about=about,
        features=config.features,
        network="objects",
        pieces=config.pieces,
        more=more,
    )
    save_policy(path, described, policy.actor_arrays())
