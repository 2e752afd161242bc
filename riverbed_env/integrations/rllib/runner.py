"""An EnvRunner that plays a batch of games: one call of the rules and one of each module a step, for all games."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt
import torch
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.connectors.module_to_env.get_actions import GetActions
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.utils import force_list
from ray.rllib.utils import metrics as names

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import NO_ROLE, rows_of
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import MAX_SEED

from .env import ACTION_MASK, LARGEST_WORKER, OBSERVATION, RiverbedMultiAgentEnv

Whole = npt.NDArray[np.int64]
Rows = dict[str, npt.NDArray[Any]]

CALLBACKS = ("on_episode_created", "on_episode_start", "on_episode_step", "on_episode_end")
CONNECTORS = ("env_to_module_connector", "module_to_env_connector")
SEEN = (OBSERVATION, ACTION_MASK)
# All other columns of a rollout are a module's outputs.
OWN = (*SEEN, Columns.ACTIONS, "module", "game", "seat", "role", "taken", "reward", "truncated", "is_over")


class Rollout:
    """Plays `batch`, notes the decisions and cuts them into chunks, one for each seat of each game.

    A decision is complete when its seat's own next turn has come, or the end of its game; until then it waits for a
    later cut. So what follows a chunk's last decision is what the seat sees at its own next turn: the value of that
    observation is the right one to bootstrap from. `roles` (n, seats) are those of the games under way; `told` says
    what each game that ended was, by its number, for the caller to clear.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch, self.roles = batch, batch.roles()
        self._rows: list[Rows] = []
        self._taken = np.zeros(self.roles.shape, np.int64)  # decisions of each seat in the game under way
        self.told: dict[int, dict[str, Any]] = {}

    def step(self, noted: Mapping[str, npt.NDArray[Any]]) -> Whole:
        """Take a decision in every game, and deal the next game where it ended one.

        noted: "actions" (n,), and other arrays (n, …) to keep with the decisions. Returns where games ended.
        """
        batch, every, asked = self._batch, np.arange(self._batch.num_envs), self._batch.seat.copy()
        self._note(every, asked, batch.observation.copy(), batch.action_mask.copy(), noted)
        self._taken[every, asked] += 1
        batch.step(noted["actions"])
        over = np.flatnonzero(batch.done)
        if len(over):
            env, seat = np.nonzero(batch.done[:, None] & (self.roles != NO_ROLE))
            ends = {"reward": batch.returns[env, seat], "truncated": batch.truncated[env], "is_over": batch.done[env]}
            self._note(env, seat, *batch.observe(seat, env), ends)
            self._taken[over] = 0
            numbers = batch.game_number[over]
            self.told |= dict(zip(numbers.tolist(), rows_of(batch.ended_columns())))
            batch.deal(numbers + batch.num_envs, over)
            self.roles[over] = batch.roles(over)
        return over

    def _note(self, env: Whole, seat: Whole, seen: Any, mask: Any, more: Mapping[str, npt.NDArray[Any]]) -> None:
        none, game = np.zeros(len(env), np.bool_), self._batch.game_number[env]
        rows = {OBSERVATION: seen, ACTION_MASK: mask, "game": game, "seat": seat, "role": self.roles[env, seat]}
        ends = {"reward": none.astype(np.float32), "truncated": none, "is_over": none}
        self._rows.append({**rows, "taken": self._taken[env, seat], **ends, **more})

    def cut(self, *, whole_games: bool = False) -> tuple[Rows, Whole, Whole]:
        """All complete decisions since the last cut, by game and seat. whole_games: of finished games alone.

        Returns columns (rows, …) and the first row and the end of each chunk, which has a row more than decisions: the
        last row is what its seat sees next, with the "reward" of the game, if it "is_over", and whether it was
        "truncated" by the cap on its length. The other columns are the "observation", the "action_mask" and what was
        noted of each decision, its "game", "seat" and "role", and how many decisions of the seat came before: "taken".
        """
        like = {name: column for part in self._rows for name, column in part.items()}
        columns = {name: np.concatenate([_filled(part, name, like[name]) for part in self._rows]) for name in like}
        order = np.lexsort((columns["taken"], columns["seat"], columns["game"]))
        columns = {name: column[order] for name, column in columns.items()}
        changes = (np.diff(columns["game"]) != 0) | (np.diff(columns["seat"]) != 0)
        starts = np.flatnonzero(np.r_[True, changes])
        stops = np.r_[starts[1:], len(order)]
        finished = columns["is_over"][stops - 1]
        kept = np.repeat(~finished, stops - starts)
        if not whole_games:
            kept[:] = False
            kept[stops[~finished] - 1] = True
        self._rows = [{name: column[kept] for name, column in columns.items()}]
        chosen = (stops - starts > 1) & (finished | (not whole_games))
        return columns, starts[chosen], stops[chosen]


def _filled(part: Rows, name: str, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A part's column; 0 where it has none."""
    return part[name] if name in part else np.zeros((len(part["game"]), *like.shape[1:]), like.dtype)


class BatchEnvRunner(MultiAgentEnvRunner):
    """RLlib's MultiAgentEnvRunner over a batch of `num_envs_per_env_runner` games of a RiverbedMultiAgentEnv.

    Modules get observations and masks as they are, and return actions, or logits to draw from. An episode is one seat's
    part in one game, of that seat's agent and module. `batch_mode` "truncate_episodes" returns every decision whose
    consequences are known, up to the seat's own next turn; "complete_episodes" whole games. A step's games go on in the
    next call; nothing is dropped.

    Connectors between environment and module, and callbacks of single episodes, would cost more than the games: it
    raises OptionError if a config has any.
    """

    def __init__(self, config: Any, **more: Any) -> None:
        _refuse_connectors(config)
        super().__init__(config, **more)

    def make_env(self) -> None:
        """Make the batch of games, from `env_config` as RiverbedMultiAgentEnv takes it."""
        given = dict(self.config.env_config)
        one: Any = RiverbedMultiAgentEnv(given)
        for name in ("game", "num_players", "seed", "on_illegal", "render_mode"):
            given.pop(name, None)
        self.num_envs, self._names = self.config.num_envs_per_env_runner, one.names
        seed = (one.seed if self._seed is None else self._seed) + (self.worker_index or 0) * LARGEST_WORKER
        given |= {"num_players": one.counts, "seed": seed % MAX_SEED, "auto_reset": False}
        self._batch = Batch(one.game, self.num_envs, **given)
        one.num_envs, one.envs = self.num_envs, [one]  # what RLlib asks of environments side by side
        one.observation_space = one.single_observation_space = gymnasium.spaces.Dict(one.observation_spaces)
        one.action_space = one.single_action_space = gymnasium.spaces.Dict(one.action_spaces)
        self.env, self._needs_initial_reset = one, True

    def _begin(self) -> None:
        """Deal all games anew, and forget those before."""
        self._batch.reset()
        self._rollout, self._begun = Rollout(self._batch), time.time_ns()
        self._modules: list[str] = []
        self._seated = np.zeros((self.num_envs, self._batch.num_players), np.int64)  # the place of each seat's module
        self._seat_modules(np.arange(self.num_envs))
        self._needs_initial_reset = False

    def _seat_modules(self, envs: Whole) -> None:
        """Ask RLlib's mapping for the module of each seat of new games."""
        mapping = self.config.policy_mapping_fn
        for env, game, players in zip(envs, self._batch.game_number[envs], self._batch.players[envs]):
            episode = MultiAgentEpisode(id_=f"{self._begun}_{game}", agent_to_module_mapping_fn=mapping)
            for seat, role in enumerate(self._rollout.roles[env, :players]):
                module = episode.module_for(self._names[role][seat])
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
    ) -> list[SingleAgentEpisode]:
        """Play that many decisions, or games; see `sample`."""
        if force_reset or self._needs_initial_reset:
            self._begin()
        begun, steps, games, batch = time.perf_counter(), 0, 0, self._batch
        while steps < num_timesteps if num_timesteps is not None else games < (num_episodes or 1):
            playing = self._seated[np.arange(self.num_envs), batch.seat]
            drawn = {Columns.ACTIONS: batch.random_actions()} if random_actions else None
            over = self._rollout.step({**(drawn or self._decide(playing, explore, steps)), "module": playing})
            self._seat_modules(over)
            games += len(over)
            steps += self.num_envs
        columns, starts, stops = self._rollout.cut(whole_games=num_timesteps is None)
        episodes = [self._episode(columns, start, stop - 1) for start, stop in zip(starts.tolist(), stops.tolist())]
        self._rollout.told.clear()
        self._log(episodes, (time.perf_counter() - begun) / max(1, steps // self.num_envs))
        return episodes

    def _decide(self, playing: Whole, explore: bool, steps: int) -> Rows:
        """What each module decides for the seats it plays: actions and RLlib's columns beside them, (n, …)."""
        rows = zip(SEEN, (self._batch.observation, self._batch.action_mask))
        seen = {name: torch.from_numpy(each).to(self._device) for name, each in rows}
        places = {self._modules[number]: np.flatnonzero(playing == number) for number in np.unique(playing)}
        asked = {
            module: {Columns.OBS: {name: each[mine] for name, each in seen.items()}} for module, mine in places.items()
        }
        noted = {names.WEIGHTS_SEQ_NO: np.full(self.num_envs, self._weights_seq_no, np.int64)}
        with torch.no_grad():
            if explore:
                outputs = self.module.forward_exploration(asked, t=self.num_env_steps_sampled_lifetime + steps)
            else:
                outputs = self.module.forward_inference(asked)
            GetActions()(rl_module=self.module, batch=outputs, episodes=[MultiAgentEpisode()], explore=explore)
        for module, mine in places.items():
            for name, value in outputs[module].items():
                if isinstance(value, torch.Tensor):
                    column = value.cpu().numpy()
                    noted.setdefault(name, np.zeros((self.num_envs, *column.shape[1:]), column.dtype))[mine] = column
        return noted

    def _episode(self, columns: Rows, first: int, last: int) -> SingleAgentEpisode:
        """A chunk as RLlib's episode of one agent; at the end of a game its last info says what the game was."""
        decided, rows = slice(first, last), slice(first, last + 1)
        game, truncated = int(columns["game"][first]), bool(columns["truncated"][last])
        name = self._names[columns["role"][first]][columns["seat"][first]]
        told = self._rollout.told.get(game)
        outputs = {key: column[decided] for key, column in columns.items() if key not in OWN}
        return SingleAgentEpisode(
            id_=f"{self._begun}_{game}_{name}",
            observations=InfiniteLookbackBuffer({key: columns[key][rows] for key in SEEN}),
            infos=InfiniteLookbackBuffer([*[{}] * (last - first), {} if told is None else {"columns": told}]),
            actions=InfiniteLookbackBuffer(columns[Columns.ACTIONS][decided]),
            rewards=InfiniteLookbackBuffer(columns["reward"][rows][1:]),  # what a decision earned, its next row tells
            extra_model_outputs={key: InfiniteLookbackBuffer(column) for key, column in outputs.items()},
            terminated=bool(columns["is_over"][last]) and not truncated,
            truncated=truncated,
            t_started=int(columns["taken"][first]),
            len_lookback_buffer=0,
            agent_id=name,
            module_id=self._modules[columns["module"][first]],
            multi_agent_episode_id=f"{self._begun}_{game}",
        )

    def _log(self, episodes: Sequence[SingleAgentEpisode], seconds: float) -> None:
        """Log how many decisions are returned, and means over the games that ended in this call.

        seconds: a step of all games, for the games' durations.
        """
        counts, log = Counter[tuple[str, str]](), self.metrics.log_value
        for episode in episodes:
            counts[names.NUM_AGENT_STEPS_SAMPLED, episode.agent_id] += len(episode)
            counts[names.NUM_MODULE_STEPS_SAMPLED, episode.module_id] += len(episode)
        decisions = counts.total() // 2
        self.num_env_steps_sampled_lifetime += decisions
        log(names.NUM_ENV_STEPS_SAMPLED, decisions, reduce="sum")
        log(names.NUM_ENV_STEPS_SAMPLED_LIFETIME, decisions, reduce="lifetime_sum", with_throughput=True)
        if decisions:
            self._log_env_steps(metric=self._metrics_num_env_steps_sampled, num_steps=decisions)
        for (kind, name), count in counts.items():
            log((kind, name), count, reduce="sum")
            log((f"{kind}_lifetime", name), count, reduce="lifetime_sum")
        ended = [episode for episode in episodes if episode.is_done]
        if ended:
            games = np.array([episode.multi_agent_episode_id for episode in ended])
            agents, modules = zip(*((episode.agent_id, episode.module_id) for episode in ended))
            returns, taken = np.array([(episode.get_return(), episode.t) for episode in ended]).T
            count = len(np.unique(games))
            log(names.NUM_EPISODES, count, reduce="sum")
            log(names.NUM_EPISODES_LIFETIME, count, reduce="lifetime_sum")
            length, paid = float(taken.sum()) / count, float(returns.sum()) / count
            means = _means(agents, returns, games), _means(modules, returns, games), _means(agents, taken, games)
            self._log_episode_metrics(length, paid, length * seconds, *means)


def _means(of: Sequence[str], values: npt.NDArray[Any], games: npt.NDArray[Any]) -> dict[str, float]:
    """The mean of each name's total over the games in which it occurs."""
    each = np.array(of)
    return {name: float(values[each == name].sum()) / len(np.unique(games[each == name])) for name in {*of}}


def _refuse_connectors(config: Any) -> None:
    """Raise OptionError for parts of a config that this runner would leave out."""
    unseen = [name for name in CONNECTORS if getattr(config, f"_{name}") is not None]
    classes = [getattr(each, "func", each) for each in force_list(config.callbacks_class)]  # some are partial
    for name in CALLBACKS:
        if getattr(config, f"callbacks_{name}") or any(
            getattr(each, name) != getattr(RLlibCallback, name) for each in classes
        ):
            unseen.append(name)
    if unseen:
        raise OptionError(f"the batched runner calls no {unseen[0]}: use configure(…, batched=False), or on_sample_end")
