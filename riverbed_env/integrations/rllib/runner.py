"""An EnvRunner that plays a batch of games: one call of the rules and one of each module a step, for all games."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt
import torch
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.utils import metrics as names

from riverbed_env.core.batch import are_legal
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.integrations.lanes import Lanes, Whole
from riverbed_env.kernels.random import MAX_SEED

from .ended import Ended, replace_ended
from .env import LARGEST_WORKER, RiverbedMultiAgentEnv
from .episodes import Episodes
from .rollout import Rollout
from .spaces import ACTION_MASK, OBSERVATION

UNSEEN = ("on_episode_created", "on_episode_start", "on_episode_step", "on_episode_end")


class BatchEnvRunner(MultiAgentEnvRunner):
    """RLlib's MultiAgentEnvRunner over a batch of `num_envs_per_env_runner` games of a RiverbedMultiAgentEnv.

    Modules get observations and masks as they are, and return actions, or logits to draw from. `batch_mode`
    "truncate_episodes" returns every decision whose consequences are known, up to the seat's own next turn;
    "complete_episodes" whole games. A step's games go on in the next call; nothing is dropped.

    Connectors between environment and module, and callbacks of single episodes, would cost more than the games: it
    raises OptionError if a config has any.
    """

    def __init__(self, config: Any, **more: Any) -> None:
        _refuse_connectors(config)
        super().__init__(config, **more)

    def make_env(self) -> None:
        """Make the batch of games, from `env_config` as RiverbedMultiAgentEnv takes it."""
        given = dict(self.config.env_config)
        one = RiverbedMultiAgentEnv(given)
        for name in ("game", "num_players", "seed", "on_illegal", "render_mode"):
            given.pop(name, None)
        self.num_envs = self.config.num_envs_per_env_runner
        self.env = _Games(one, Lanes(one.game, self.num_envs, one.counts, seed=self._games_seed(one), **given))
        self._begin()

    def _games_seed(self, one: RiverbedMultiAgentEnv) -> int:
        """The seed of this runner's games: no two runners play the same."""
        return ((one.seed if self._seed is None else self._seed) + (self.worker_index or 0) * LARGEST_WORKER) % MAX_SEED

    def _begin(self) -> None:
        """Begin an episode for each game under way, and forget those before."""
        lanes = self.env.lanes
        self._rollout = Rollout(lanes)
        self._episodes = Episodes(self.env.names, self.config.policy_mapping_fn, f"{self.env.seed}_{time.time_ns()}")
        self._modules: list[str] = []
        self._seated, self._taken = (np.zeros((self.num_envs, lanes.num_seats), np.int64) for _ in range(2))
        self._seat_modules(np.arange(self.num_envs))
        self._needs_initial_reset = False
        self._over: list[_GameOver] = []

    def _seat_modules(self, envs: Whole) -> None:
        """Ask the mapping for the module of each seat of new games."""
        lanes = self.env.lanes
        for env, game, players in zip(envs, lanes.game_number[envs], lanes.num_players[envs]):
            for seat, module in enumerate(self._episodes.begin(int(game), lanes.roles[env, :players].tolist())):
                if module not in self._modules:
                    self._modules.append(module)
                self._seated[env, seat] = self._modules.index(module)

    def _sample(
        self,
        *,
        num_timesteps: int | None = None,
        num_episodes: int | None = None,
        explore: bool,
        random_actions: bool = False,
        force_reset: bool = False,
    ) -> list[MultiAgentEpisode]:
        """Play that many decisions, or games; see `sample`."""
        if force_reset or self._needs_initial_reset:
            self.env.lanes.reset()
            self._begin()
        self._episodes.mapping = self.config.policy_mapping_fn  # a league changes it
        begun, steps, games = time.perf_counter(), 0, 0
        while steps < num_timesteps if num_timesteps is not None else games < (num_episodes or 1):
            games += self._step(explore, random_actions, steps)
            steps += self.num_envs
        chunks = self._rollout.cut(whole_games=num_timesteps is None)
        episodes = self._episodes.of(chunks)
        self.num_env_steps_sampled_lifetime += chunks.decisions
        self._log_decisions(episodes, chunks.decisions)
        self._log_games((time.perf_counter() - begun) / max(1, steps // self.num_envs))
        return episodes

    def _step(self, explore: bool, random_actions: bool, steps: int) -> int:
        """One decision in every game; returns how many games it ended."""
        lanes = self.env.lanes
        noted = {Columns.ACTIONS: lanes.random_actions()} if random_actions else self._decide(explore, steps)
        actions = noted[Columns.ACTIONS]
        wrong = np.flatnonzero(~are_legal(lanes.action_mask, actions))
        if len(wrong):
            module = self._modules[self._seated[wrong[0], lanes.seat[wrong[0]]]]
            raise IllegalActionError(
                f"module {module} chose action {int(actions[wrong[0]])}, which its mask rules out ({len(wrong)} games)"
            )
        self._rollout.note(noted)
        self._taken[np.arange(self.num_envs), lanes.seat] += 1
        lanes.step(actions)
        ended = replace_ended(lanes)
        envs = np.unique(ended.env)
        self._over += [self._game_over(ended, env) for env in envs]
        self._rollout.end(ended)
        self._seat_modules(envs)
        return len(envs)

    def _game_over(self, ended: Ended, env: int) -> _GameOver:
        """What a game that has just ended paid."""
        mine = np.flatnonzero(ended.env == env)
        agents: dict[str, float] = {}
        modules: dict[str, float] = {}
        for row in mine:
            seat, reward = ended.seat[row], float(ended.reward[row])
            agents[self.env.names[ended.role[row]][seat]] = reward
            module = self._modules[self._seated[env, seat]]
            modules[module] = modules.get(module, 0.0) + reward
        steps = {name: int(count) for name, count in zip(agents, self._taken[env])}
        self._taken[env] = 0
        return _GameOver(steps, agents, modules)

    def _decide(self, explore: bool, steps: int) -> dict[str, npt.NDArray[Any]]:
        """What each module decides for the seats it plays: actions and RLlib's columns beside them, (n, …)."""
        lanes = self.env.lanes
        playing = self._seated[np.arange(self.num_envs), lanes.seat]
        observation, mask = (torch.from_numpy(each).to(self._device) for each in (lanes.observation, lanes.action_mask))
        noted: dict[str, npt.NDArray[Any]] = {}
        for number in np.unique(playing):
            mine = np.flatnonzero(playing == number)
            batch = {Columns.OBS: {OBSERVATION: observation[mine], ACTION_MASK: mask[mine]}}
            for name, column in self._ask(self._modules[number], batch, explore, steps).items():
                if name not in noted:
                    noted[name] = np.zeros((self.num_envs, *column.shape[1:]), column.dtype)
                noted[name][mine] = column
        noted[names.WEIGHTS_SEQ_NO] = np.full(self.num_envs, self._weights_seq_no, np.int64)
        return noted

    def _ask(self, name: str, batch: Any, explore: bool, steps: int) -> dict[str, npt.NDArray[Any]]:
        """A module's outputs for a batch of observations, with actions drawn (or the likeliest) where it has logits."""
        module = self.module[name]
        with torch.no_grad():
            if explore:
                outputs = dict(module.forward_exploration(batch, t=self.num_env_steps_sampled_lifetime + steps))
            else:
                outputs = dict(module.forward_inference(batch))
            if Columns.ACTIONS not in outputs:
                outputs |= _drawn(module, outputs[Columns.ACTION_DIST_INPUTS], explore)
        return {key: value.cpu().numpy() for key, value in outputs.items() if isinstance(value, torch.Tensor)}

    def _log_decisions(self, episodes: Sequence[MultiAgentEpisode], decisions: int) -> None:
        """Log how many decisions are returned, in all and by agent and module."""
        log = self.metrics.log_value
        log(names.NUM_ENV_STEPS_SAMPLED, decisions, reduce="sum")
        log(names.NUM_ENV_STEPS_SAMPLED_LIFETIME, decisions, reduce="lifetime_sum", with_throughput=True)
        if decisions:
            self._log_env_steps(metric=self._metrics_num_env_steps_sampled, num_steps=decisions)
        agents = [agent for episode in episodes for agent in episode.agent_episodes.values()]
        for each, each_lifetime, of in (
            (names.NUM_AGENT_STEPS_SAMPLED, names.NUM_AGENT_STEPS_SAMPLED_LIFETIME, "agent_id"),
            (names.NUM_MODULE_STEPS_SAMPLED, names.NUM_MODULE_STEPS_SAMPLED_LIFETIME, "module_id"),
        ):
            steps: Counter[str] = Counter()
            for agent in agents:
                steps[getattr(agent, of)] += len(agent)
            for name, count in steps.items():
                log((each, name), count, reduce="sum")
                log((each_lifetime, name), count, reduce="lifetime_sum")

    def _log_games(self, seconds: float) -> None:
        """Log means over the games that ended in this call. seconds: a step of all games, for the games' durations."""
        over, self._over = self._over, []
        if not over:
            return
        self.metrics.log_value(names.NUM_EPISODES, len(over), reduce="sum")
        self.metrics.log_value(names.NUM_EPISODES_LIFETIME, len(over), reduce="lifetime_sum")
        length = float(np.mean([sum(game.steps.values()) for game in over]))
        total = float(np.mean([sum(game.agents.values()) for game in over]))
        agents, modules, steps = (
            _means([getattr(game, name) for game in over]) for name in ("agents", "modules", "steps")
        )
        self._log_episode_metrics(length, total, length * seconds, agents, modules, steps)

    def get_metrics(self) -> Any:
        """RLlib's metrics since the last call."""
        return self.metrics.reduce()

    def assert_healthy(self) -> None:
        """Raise AssertionError unless games and modules are there."""
        assert self.env is not None
        assert self.module is not None


@dataclass(frozen=True)
class _GameOver:
    """A game that ended: each agent's decisions, and what it paid to each agent and, in sum, to each module."""

    steps: Mapping[str, float]
    agents: Mapping[str, float]
    modules: Mapping[str, float]


def _means(paid: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each name over the games in which it occurs."""
    every: dict[str, list[float]] = {}
    for one in paid:
        for name, value in one.items():
            every.setdefault(name, []).append(value)
    return {name: float(np.mean(values)) for name, values in every.items()}


class _Games:
    """What RLlib asks of an EnvRunner's `env`, and the games beside it."""

    def __init__(self, one: RiverbedMultiAgentEnv, lanes: Lanes) -> None:
        self.envs, self.lanes = [one], lanes
        self.names, self.seed = one.names, one.seed
        self.single_observation_space = self.observation_space = gymnasium.spaces.Dict(one.observation_spaces)
        self.single_action_space = self.action_space = gymnasium.spaces.Dict(one.action_spaces)
        self.unwrapped, self.num_envs = self, lanes.num_envs

    def close(self) -> None:
        """Does nothing: no resource is held."""


def _drawn(module: Any, logits: torch.Tensor, explore: bool) -> dict[str, torch.Tensor]:
    """Actions from a module's logits, and how likely they were."""
    make = module.get_exploration_action_dist_cls() if explore else module.get_inference_action_dist_cls()
    distribution = make.from_logits(logits)
    actions = (distribution if explore else distribution.to_deterministic()).sample()
    return {Columns.ACTIONS: actions, Columns.ACTION_LOGP: distribution.logp(actions)}


def _refuse_connectors(config: Any) -> None:
    """Raise OptionError for parts of a config that this runner would leave out."""
    for name in ("env_to_module_connector", "module_to_env_connector"):
        if getattr(config, f"_{name}") is not None:
            raise OptionError(f"the batched runner calls no {name}: use configure(…, batched=False)")
    given = config.callbacks_class if isinstance(config.callbacks_class, list | tuple) else [config.callbacks_class]
    classes = [each.func if isinstance(each, partial) else each for each in given]
    for name in UNSEEN:
        if any(getattr(each, name) is not getattr(RLlibCallback, name) for each in classes if each is not None):
            raise OptionError(f"the batched runner calls no {name}: use configure(…, batched=False), or on_sample_end")
        if getattr(config, f"callbacks_{name}"):
            raise OptionError(f"the batched runner calls no {name}: use configure(…, batched=False), or on_sample_end")
