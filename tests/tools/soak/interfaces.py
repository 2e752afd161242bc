"""Visits to all interfaces of a game: environments are made, dealt, played, copied, saved, drawn, and refuse calls."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np

from riverbed_env import make_batch
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.envs.learner_vector import LearnerVectorEnv
from riverbed_env.errors import RiverbedError
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.conformance.kit import is_over, new_env, random_action

STEPS = 8  # decisions in each


class Interfaces:
    """The environments of a game that are kept from visit to visit; each visit makes others besides."""

    def __init__(self, game_id: str, **options: Any) -> None:
        self.game_id, self.options = game_id, options
        self.env = new_env(game_id, render_mode="ansi", **options)
        self.learner = LearnerEnv(game_id, seed=1, **options)
        self.learners = LearnerVectorEnv(game_id, 4, seed=1, **options)
        self.batch = make_batch(game_id, 4, seed=1, **options)

    def visit(self, number: int) -> None:
        """Use each interface once. number: the visit's, which is the seed of all that is played."""
        rng = np.random.default_rng(number)
        self.env.reset(seed=number)
        self.visit_env(self.env, rng)
        self.visit_env(new_env(self.game_id, render_mode="ansi", **self.options), rng)
        self.visit_batch(number)
        self.visit_learners(number, rng)
        if find_game(self.game_id).simultaneous:
            self.visit_parallel(number, rng)

    def visit_env(self, env: TurnEnv, rng: np.random.Generator) -> None:
        if not env.agents:
            env.reset(seed=int(rng.integers(1000)))
        kept = env.get_state()
        for way in (env.clone, lambda: copy.deepcopy(env), lambda: pickle.loads(pickle.dumps(env))):
            other = way()
            if other.get_state() != kept or other.render() != env.render():
                raise RiverbedError(f"{self.game_id}: a copy differs from its original")
            step(other, rng)
        step(env, rng)
        env.render()
        env.describe_events()
        env.describe_observation(env.observe(env.agent_selection))
        refused(lambda: env.step("nothing"))
        refused(lambda: env.set_state(kept[:-1]))
        refused(lambda: new_env(self.game_id, view=1))
        env.set_state(kept)
        env.state()

    def visit_batch(self, number: int) -> None:
        self.batch.reset(seed=number)
        kept = self.batch.get_state()
        made = make_batch(self.game_id, 4, seed=number, auto_reset=False, **self.options)
        for batch in (self.batch, made, made.clone(), pickle.loads(pickle.dumps(made))):
            for _ in range(STEPS):
                batch.step(batch.random_actions())
            batch.observe(0)
            batch.states()
            refused(lambda batch=batch: batch.step(np.full(3, -1)))
        self.batch.set_state(kept)

    def visit_learners(self, number: int, rng: np.random.Generator) -> None:
        made = LearnerEnv(self.game_id, seed=number, **self.options)
        for env in (self.learner, made):
            env.reset(seed=number)
            for _ in range(STEPS):
                if env.learner.over[0]:
                    env.reset()
                env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
            refused(lambda env=env: env.step(-1))
        self.learners.reset(seed=number)
        for _ in range(STEPS):
            self.learners.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in self.learners.action_masks()]))
        self.learners.learner.set_state(self.learners.learner.get_state())

    def visit_parallel(self, number: int, rng: np.random.Generator) -> None:
        env = entry_points(find_game(self.game_id)).parallel_env(**self.options)
        env.reset(seed=number)
        for _ in range(STEPS):
            if not env.agents:
                break
            env.step({agent: int(rng.choice(env.legal_actions(agent))) for agent in env.agents})


def step(env: TurnEnv, rng: np.random.Generator) -> None:
    """Some random decisions."""
    for _ in range(STEPS):
        if is_over(env):
            break
        env.step(random_action(env, rng))


def refused(call: Any) -> None:
    """Make a call that must be refused, and drop the error."""
    try:
        call()
    except RiverbedError:
        return
    raise AssertionError("the call should have been refused")
