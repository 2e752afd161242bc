"""An EnvRunner that plays a batch of games: one call of the rules and one of each module a step, for all games."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt
import torch
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.utils import metrics as names

from riverbed_env.core.batch import Batch, are_legal
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.kernels.random import MAX_SEED

from .env import ACTION_MASK, LARGEST_WORKER, OBSERVATION, RiverbedMultiAgentEnv
from .rollout import Rollout, Whole

UNSEEN = ("on_episode_created", "on_episode_start", "on_episode_step", "on_episode_end")
SEEN = (OBSERVATION, ACTION_MASK)
# All other columns of a rollout are a module's outputs.
OWN = (*SEEN, Columns.ACTIONS, "game", "seat", "role", "time", "reward", "truncated", "is_over")


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
        seed = (one.seed if self._seed is None else self._seed) + (self.worker_index or 0) * LARGEST_WORKER
        given |= {"num_players": one.counts, "seed": seed % MAX_SEED, "auto_reset": False}
        self.env = _Games(one, Batch(one.game, self.num_envs, **given))
        self._begin()

    def _begin(self) -> None:
        """Begin an episode for each game under way, and forget those before."""
        batch = self.env.batch
        self._rollout, self._begun = Rollout(batch), f"{self.env.seed}_{time.time_ns()}"
        self._module_of: dict[int, dict[str, str]] = {}  # of each agent, by game
        self._modules: list[str] = []
        self._seated = np.zeros((self.num_envs, batch.num_players), np.int64)
        self._over: list[dict[str, npt.NDArray[Any]]] = []  # the games that ended in this call, a row for each seat
        self._seat_modules(np.arange(self.num_envs))
        self._needs_initial_reset = False

    def _seat_modules(self, envs: Whole) -> None:
        """Ask RLlib's mapping for the module of each seat of new games."""
        batch, roles = self.env.batch, self._rollout.roles
        for env, game, players in zip(envs, batch.game_number[envs].tolist(), batch.players[envs]):
            episode = self._episode(game)
            for seat, role in enumerate(roles[env, :players]):
                module = episode.module_for(self.env.names[role][seat])
                if module not in self._modules:
                    self._modules.append(module)
                self._seated[env, seat] = self._modules.index(module)
            self._module_of[game] = episode._agent_to_module_mapping

    def _episode(self, game: int) -> MultiAgentEpisode:
        mapping = self.config.policy_mapping_fn  # which may change while games are under way
        episode = MultiAgentEpisode(id_=f"{self._begun}_{game}", agent_to_module_mapping_fn=mapping)
        episode._agent_to_module_mapping = self._module_of.get(game, {})
        return episode

    # --- playing ------------------------------------------------------------------------------------------------------

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
            self.env.batch.reset()
            self._begin()
        begun, steps, games = time.perf_counter(), 0, 0
        while steps < num_timesteps if num_timesteps is not None else games < (num_episodes or 1):
            games += self._step(explore, random_actions, steps)
            steps += self.num_envs
        episodes = self._episodes_of(*self._rollout.cut(whole_games=num_timesteps is None))
        self._log_decisions(episodes)
        self._log_games((time.perf_counter() - begun) / max(1, steps // self.num_envs))
        return episodes

    def _step(self, explore: bool, random_actions: bool, steps: int) -> int:
        """One decision in every game; returns how many games it ended."""
        batch, seat = self.env.batch, self.env.batch.seat.copy()
        noted = {Columns.ACTIONS: batch.random_actions()} if random_actions else self._decide(explore, steps)
        wrong = np.flatnonzero(~are_legal(batch.action_mask, noted[Columns.ACTIONS]))
        if len(wrong):
            module, action = self._modules[self._seated[wrong[0], seat[wrong[0]]]], noted[Columns.ACTIONS][wrong[0]]
            raise IllegalActionError(
                f"module {module} chose action {int(action)}, which its mask rules out ({len(wrong)} games)"
            )
        ended = self._rollout.step(noted)
        envs = np.unique(ended["env"])
        if len(envs):
            self._over.append({**ended, "module": self._seated[ended["env"], ended["seat"]]})
            self._seat_modules(envs)
        return len(envs)

    def _decide(self, explore: bool, steps: int) -> dict[str, npt.NDArray[Any]]:
        """What each module decides for the seats it plays: actions and RLlib's columns beside them, (n, …)."""
        batch = self.env.batch
        playing = self._seated[np.arange(self.num_envs), batch.seat]
        observation, mask = (torch.from_numpy(each).to(self._device) for each in (batch.observation, batch.action_mask))
        noted: dict[str, npt.NDArray[Any]] = {}
        for number in np.unique(playing):
            mine = np.flatnonzero(playing == number)
            asked = {Columns.OBS: {OBSERVATION: observation[mine], ACTION_MASK: mask[mine]}}
            for name, column in self._ask(self._modules[number], asked, explore, steps).items():
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
                make = module.get_exploration_action_dist_cls()
            else:
                outputs, make = dict(module.forward_inference(batch)), module.get_inference_action_dist_cls()
            if Columns.ACTIONS not in outputs:
                likely = make.from_logits(outputs[Columns.ACTION_DIST_INPUTS])
                outputs[Columns.ACTIONS] = (likely if explore else likely.to_deterministic()).sample()
                outputs[Columns.ACTION_LOGP] = likely.logp(outputs[Columns.ACTIONS])
        return {key: value.cpu().numpy() for key, value in outputs.items() if isinstance(value, torch.Tensor)}

    # --- RLlib's episodes ---------------------------------------------------------------------------------------------

    def _episodes_of(self, columns: Any, starts: Whole, stops: Whole) -> list[MultiAgentEpisode]:
        """An episode, or a part of one, for each game with a chunk; a finished game is forgotten."""
        chunks = [slice(start, stop) for start, stop in zip(starts.tolist(), stops.tolist())]
        games = groupby(chunks, key=lambda rows: int(columns["game"][rows.start]))
        return [self._filled(game, columns, list(mine)) for game, mine in games]

    def _filled(self, game: int, columns: Any, chunks: Sequence[slice]) -> MultiAgentEpisode:
        """The episode of a game with these chunks in it."""
        episode, last = self._episode(game), chunks[-1].stop - 1
        times = [columns["time"][rows].tolist() for rows in chunks]
        episode.env_t_started, episode.env_t = min(mine[0] for mine in times), max(mine[-1] for mine in times)
        for rows, mine in zip(chunks, times):
            agent = self._agent(episode, columns, rows, self._rollout.told.get(game))
            episode.agent_episodes[agent.agent_id] = agent
            own = [episode.SKIP_ENV_TS_TAG] * (episode.env_t - episode.env_t_started + 1)
            for place, step in enumerate(mine):  # which of the agent's own observations came at which step
                own[step - episode.env_t_started] = place
            episode.env_t_to_agent_t[agent.agent_id] = InfiniteLookbackBuffer(own)
        episode.is_truncated = bool(columns["truncated"][last])
        episode.is_terminated = bool(columns["is_over"][last]) and not episode.is_truncated
        if episode.is_done:
            del self._module_of[game], self._rollout.told[game]
        return episode

    def _agent(
        self, episode: MultiAgentEpisode, columns: Any, rows: slice, told: dict[str, Any] | None
    ) -> SingleAgentEpisode:
        """A chunk as the episode of one agent. told: what the game was, for the last info of one that ended."""
        name = self.env.names[columns["role"][rows.start]][columns["seat"][rows.start]]
        decided, last = slice(rows.start, rows.stop - 1), rows.stop - 1
        truncated = bool(columns["truncated"][last])
        outputs = {key: column[decided] for key, column in columns.items() if key not in OWN}
        return SingleAgentEpisode(
            id_=f"{episode.id_}_{name}",
            observations=InfiniteLookbackBuffer({key: columns[key][rows] for key in SEEN}),
            infos=InfiniteLookbackBuffer([*[{}] * (last - rows.start), {} if told is None else {"columns": told}]),
            actions=InfiniteLookbackBuffer(columns[Columns.ACTIONS][decided]),
            rewards=InfiniteLookbackBuffer(columns["reward"][rows][1:]),  # what a decision earned, its next row tells
            extra_model_outputs={key: InfiniteLookbackBuffer(column) for key, column in outputs.items()},
            terminated=bool(columns["is_over"][last]) and not truncated,
            truncated=truncated,
            len_lookback_buffer=0,
            agent_id=name,
            module_id=episode.module_for(name),
            multi_agent_episode_id=episode.id_,
        )

    # --- RLlib's metrics ----------------------------------------------------------------------------------------------

    def _log_decisions(self, episodes: Sequence[MultiAgentEpisode]) -> None:
        """Log how many decisions are returned, in all and by agent and module."""
        agents, modules = Counter[str](), Counter[str]()
        for episode in episodes:
            for agent in episode.agent_episodes.values():
                agents[agent.agent_id] += len(agent)
                modules[agent.module_id] += len(agent)
        decisions, log = agents.total(), self.metrics.log_value
        self.num_env_steps_sampled_lifetime += decisions
        log(names.NUM_ENV_STEPS_SAMPLED, decisions, reduce="sum")
        log(names.NUM_ENV_STEPS_SAMPLED_LIFETIME, decisions, reduce="lifetime_sum", with_throughput=True)
        if decisions:
            self._log_env_steps(metric=self._metrics_num_env_steps_sampled, num_steps=decisions)
        for now, lifetime, counts in (
            (names.NUM_AGENT_STEPS_SAMPLED, names.NUM_AGENT_STEPS_SAMPLED_LIFETIME, agents),
            (names.NUM_MODULE_STEPS_SAMPLED, names.NUM_MODULE_STEPS_SAMPLED_LIFETIME, modules),
        ):
            for name, count in counts.items():
                log((now, name), count, reduce="sum")
                log((lifetime, name), count, reduce="lifetime_sum")

    def _log_games(self, seconds: float) -> None:
        """Log means over the games that ended in this call. seconds: a step of all games, for the games' durations."""
        over, self._over = self._over, []
        if not over:
            return
        ended = {name: np.concatenate([part[name] for part in over]) for name in over[0]}
        games, rewards = ended["game"].tolist(), ended["reward"].tolist()
        agents = [self.env.names[role][seat] for role, seat in zip(ended["role"], ended["seat"])]
        modules = [self._modules[number] for number in ended["module"]]
        count = len(set(games))
        self.metrics.log_value(names.NUM_EPISODES, count, reduce="sum")
        self.metrics.log_value(names.NUM_EPISODES_LIFETIME, count, reduce="lifetime_sum")
        length, total = float(ended["taken"].sum()) / count, float(ended["reward"].sum()) / count
        paid = _means(agents, rewards, games), _means(modules, rewards, games)
        self._log_episode_metrics(
            length, total, length * seconds, *paid, _means(agents, ended["taken"].tolist(), games)
        )


class _Games:
    """What RLlib asks of an EnvRunner's `env`, and the games beside it."""

    def __init__(self, one: RiverbedMultiAgentEnv, batch: Batch) -> None:
        self.envs, self.batch = [one], batch
        self.names, self.seed = one.names, one.seed
        self.single_observation_space = self.observation_space = gymnasium.spaces.Dict(one.observation_spaces)
        self.single_action_space = self.action_space = gymnasium.spaces.Dict(one.action_spaces)
        self.unwrapped, self.num_envs = self, batch.num_envs

    def close(self) -> None:
        """Does nothing: no resource is held."""


def _means(of: Sequence[str], values: Sequence[float], games: Sequence[int]) -> dict[str, float]:
    """The mean of each name's total over the games in which it occurs."""
    totals, seen = dict.fromkeys(of, 0.0), dict.fromkeys(of, frozenset[int]())
    for name, value, game in zip(of, values, games):
        totals[name] += value
        seen[name] |= {game}
    return {name: totals[name] / len(seen[name]) for name in seen}


def _refuse_connectors(config: Any) -> None:
    """Raise OptionError for parts of a config that this runner would leave out."""
    for name in ("env_to_module_connector", "module_to_env_connector"):
        if getattr(config, f"_{name}") is not None:
            raise OptionError(f"the batched runner calls no {name}: use configure(…, batched=False)")
    given = config.callbacks_class if isinstance(config.callbacks_class, list | tuple) else [config.callbacks_class]
    classes = [each.func if isinstance(each, partial) else each for each in given if each is not None]
    for name in UNSEEN:
        changed = any(getattr(each, name) is not getattr(RLlibCallback, name) for each in classes)
        if changed or getattr(config, f"callbacks_{name}"):
            raise OptionError(f"the batched runner calls no {name}: use configure(…, batched=False), or on_sample_end")
