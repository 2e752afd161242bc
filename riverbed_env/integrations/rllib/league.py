"""A league in RLlib: a main policy a role, past selves of each, and matchmaking that knows roles.

config = configure(PPOConfig(), "riverbed_hunt_v1", num_players=(4, 5, 6, 7, 8, 9), mapping=Matchmaker())
config.callbacks(partial(RoleLeague, every=10))
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_LEARNER_GROUP, COMPONENT_RL_MODULE
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from .names import role_of

PAST = "past"
MOST = 10**6  # iterations between past selves, and past selves of a role


@dataclass(frozen=True)
class Matchmaker:
    """RLlib's `policy_mapping_fn`: who plays a role in a game.

    A game has one role that learns, drawn evenly: its seats are played by the main policy. Each other role is played by
    its own main policy too or, with the probability `past_share`, by one of its past selves: the same one in all its
    seats, drawn by `weights`. A game's id decides, so that every process draws alike. past: names by role.
    """

    past: Mapping[str, Sequence[str]] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    past_share: float = 0.5

    def __call__(self, agent: str, episode: Any, **more: Any) -> str:
        """The policy that plays an agent in an episode."""
        role = role_of(agent)
        former = self.past.get(role, ())
        if not former or self._uniform(episode, "learner", role) < 1 / len(self.past):
            return role
        if self._uniform(episode, "past", role) >= self.past_share:
            return role
        weights = np.array([self.weights.get(name, 1.0) for name in former]).cumsum()
        drawn = self._uniform(episode, "who", role) * weights[-1]
        return former[int(np.searchsorted(weights, drawn, side="right"))]

    @staticmethod
    def _uniform(episode: Any, *purpose: str) -> float:
        """A number from 0 to 1 that the episode, the role and the purpose decide."""
        return zlib.crc32(" ".join((episode.id_, *purpose)).encode()) / 2**32


class RoleLeague(RLlibCallback):
    """Keeps a past self of every role's main policy after every `every` iterations, the newest `most` of each role.

    A past self that earned more in its role is met more often: its weight is exp(its mean return). Past selves are
    never trained. Raises OptionError if either isn't an integer from 1 on.
    """

    def __init__(self, every: int = 10, most: int = 5) -> None:
        super().__init__()
        self.every, self.most = check_whole("every", every, 1, MOST), check_whole("most", most, 1, MOST)

    def on_algorithm_init(self, *, algorithm: Any, **more: Any) -> None:
        """Raise OptionError unless the config's mapping is a Matchmaker."""
        _matchmaker_of(algorithm)

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **more: Any) -> None:
        """Add past selves when it is time."""
        iteration = int(result["training_iteration"])
        if iteration % self.every:
            return
        before = _matchmaker_of(algorithm)
        roles = sorted(find_game(algorithm.config.env_config["game"]).roles)
        earned = result["env_runners"].get("module_episode_returns_mean", {})
        past = {role: (*before.past.get(role, ()), f"{role}_{PAST}_{iteration}") for role in roles}
        gone = [name for names in past.values() for name in names[: -self.most]]
        kept = {role: names[-self.most :] for role, names in past.items()}
        weights = {name: float(np.exp(earned.get(name, 0.0))) for names in kept.values() for name in names}
        maker = replace(before, past=kept, weights=weights)
        for role in roles:  # runners that sample meanwhile hear of the past selves when all of them are there
            _add_past_self(algorithm, role, past[role][-1], roles, maker if role == roles[-1] else before)
        for name in gone:
            algorithm.remove_module(name, new_agent_to_module_mapping_fn=maker)

    def on_env_runners_recreated(
        self, *, algorithm: Any, env_runner_group: Any, env_runner_indices: Sequence[int], **more: Any
    ) -> None:
        """Tell runners that were killed and restarted, with the config of the beginning, whom they match today."""
        maker = _matchmaker_of(algorithm)

        env_runner_group.foreach_env_runner(
            lambda runner: runner.config.multi_agent(policy_mapping_fn=maker) and None,
            remote_worker_ids=[*env_runner_indices],
            local_env_runner=False,
        )


def _matchmaker_of(algorithm: Any) -> Matchmaker:
    maker = algorithm.config.policy_mapping_fn
    if not isinstance(maker, Matchmaker):
        raise OptionError(f"a league needs configure(…, mapping=Matchmaker()), not {maker!r}")
    return maker


def _add_past_self(algorithm: Any, role: str, name: str, roles: Sequence[str], maker: Matchmaker) -> None:
    """Add a copy of a role's main policy under a name."""
    main = algorithm.get_module(role)
    spec = RLModuleSpec(
        module_class=type(main),
        observation_space=main.observation_space,
        action_space=main.action_space,
        model_config=main.model_config,
    )
    algorithm.add_module(name, spec, new_agent_to_module_mapping_fn=maker, new_should_module_be_updated=list(roles))
    learnt = algorithm.learner_group.get_state(components=f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}/{role}")
    state = learnt[COMPONENT_LEARNER][COMPONENT_RL_MODULE][role]
    algorithm.set_state({COMPONENT_LEARNER_GROUP: {COMPONENT_LEARNER: {COMPONENT_RL_MODULE: {name: state}}}})
    algorithm.env_runner_group.sync_weights(
        from_worker_or_learner_group=algorithm.learner_group, policies=[name], inference_only=True
    )
