"""What the learner tests share: policies, agents in Python, whole episodes, and the same games played turn by turn."""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.kernels.compile import Vector, Whole
from riverbed_env.kernels.random import WORDS_A_DECISION
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game, make_batch
from riverbed_env.testing.conformance.kit import is_over, new_env, record_of

Policy = Callable[[Vector, Vector], int]
Sitting = Callable[[int, int], Agent]  # who sits in a seat with a role

TOY, HUNT, RIVERSIDE = (find_game(name).id for name in ("ford", "riverbed_hunt", "riverside"))
PLAIN = {HUNT: "simple", RIVERSIDE: "random", TOY: "random"}  # a compiled agent; one more takes long to compile


def hashed(observation: Vector, mask: Vector, salt: int = 0) -> int:
    """A legal action that depends on the observation alone, as good as random."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(observation.tobytes(), salt) % len(legal)])


class Hashing:
    """An agent in Python that draws nothing and remembers nothing."""

    memory_size = 0

    def __init__(self, salt: int = 0) -> None:
        self.name = f"hashing {salt}"
        self.salt = salt

    def act(self, observations: Vector, masks: Vector, memory: Any, rng: Any) -> Whole:
        return np.array([hashed(row, mask, self.salt) for row, mask in zip(observations, masks)], np.int64)


class Remembering:
    """An agent in Python whose actions depend on all that it saw in the game so far."""

    name = "remembering"
    memory_size = 2

    def act(self, observations: Vector, masks: Vector, memory: Any, rng: Any) -> Whole:
        actions = np.zeros(len(observations), np.int64)
        for row in range(len(observations)):
            memory[row, 0] += 1
            memory[row, 1] = zlib.crc32(observations[row].tobytes(), int(memory[row, 1])) & 0x7FFFFFFF
            legal = np.flatnonzero(masks[row])
            actions[row] = legal[(int(memory[row, 1]) + int(memory[row, 0])) % len(legal)]
        return actions


class InPython:
    """Another agent, called from Python."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name = f"{agent.name} in Python"
        self.memory_size = agent.memory_size
        self.by_view = getattr(agent, "by_view", False)

    def act(self, *arguments: Any, **sight: Any) -> Whole:
        return self.agent.act(*arguments, **sight)


def learner(game_id: str, n: int = 1, **options: Any) -> LearnerBatch:
    """A batch of a game's learners."""
    return LearnerBatch(find_game(game_id), n, **{"seed": 1, **options})


def installed(name: str, game_id: str) -> Agent:
    """An installed agent of a game."""
    return find_agent(name, find_game(game_id).name)


@dataclass
class Episode:
    """All that a learner met in one game."""

    number: int
    seat: int
    observations: list[Vector] = field(default_factory=list)
    masks: list[Vector] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    terminated: bool = False
    truncated: bool = False
    last_observation: Vector | None = None
    last_mask: Vector | None = None


def chosen(batch: LearnerBatch, policy: Policy = hashed) -> Whole:
    """The policy's action in every environment, 0 where the game is over."""
    rows = zip(batch.observation, batch.action_mask, batch.over)
    return np.array([0 if over else policy(row, mask) for row, mask, over in rows], np.int64)


def episodes(batch: LearnerBatch, policy: Policy = hashed) -> Iterator[list[Episode]]:
    """The games that end in each step of a batch that deals again in the same step, without end."""
    open_ones = [Episode(int(number), int(seat)) for number, seat in zip(batch.game_number, batch.seat)]
    while True:
        actions = chosen(batch, policy)
        for index, episode in enumerate(open_ones):
            assert episode.number == batch.game_number[index]
            assert episode.seat == batch.seat[index]
            episode.observations.append(batch.observation[index].copy())
            episode.masks.append(batch.action_mask[index].copy())
            episode.actions.append(int(actions[index]))
        batch.step(actions)
        ended: list[Episode] = []
        for index, episode in enumerate(open_ones):
            episode.rewards.append(float(batch.reward[index]))
            episode.terminated, episode.truncated = bool(batch.terminated[index]), bool(batch.truncated[index])
            if episode.terminated or episode.truncated:
                assert episode.number == batch.ended_game[index]
                episode.last_observation = batch.final_observation[index].copy()
                episode.last_mask = batch.final_mask[index].copy()
                open_ones[index] = Episode(int(batch.game_number[index]), int(batch.seat[index]))
                ended.append(episode)
        yield ended


def first_episodes(batch: LearnerBatch, games: int, policy: Policy = hashed) -> dict[int, Episode]:
    """The episodes of games 0, 1, … up to `games`, by number; of those that hold a decision of the learner."""
    found: dict[int, Episode] = {}
    for ended in episodes(batch, policy):
        for episode in ended:
            assert episode.number not in found
            found[episode.number] = episode
        if min(batch.game_number) >= games:
            break
    return {number: found[number] for number in sorted(found) if number < games}


def roles_of(env: TurnEnv) -> list[int]:
    """The role of each seat, by number."""
    return [int(role) for role in env.game.roles_of(record_of(env))[0][: env.num_players]]


class Replay:
    """A game of a learner in the turn-based environment, the learner's actions given, the others' asked of agents."""

    def __init__(self, game_id: str, seed: int, number: int, sitting: Sitting, **options: Any) -> None:
        self.env = new_env(game_id, **options)
        self.env.reset(seed=seed, options={"game_number": number})
        roles = roles_of(self.env)
        self.agents = [sitting(seat, role) for seat, role in enumerate(roles)]
        self.memories = [np.zeros((1, agent.memory_size), np.int32) for agent in self.agents]
        self.streams = make_batch(game_id, 1, seed=seed, first_game=number, **options).agent_streams()

    @property
    def seat(self) -> int:
        """The seat asked."""
        return self.env.possible_agents.index(self.env.agent_selection)

    def sight(self, seat: int) -> tuple[Vector, Vector]:
        """What a seat sees now, and its mask."""
        seen = self.env.observe(self.env.possible_agents[seat])
        return seen["observation"].copy(), seen["action_mask"].copy()

    def answer(self) -> None:
        """Let the agent answer that sits in the seat asked."""
        seat, agent = self.seat, self.agents[self.seat]
        observation, mask = self.sight(seat)
        more: dict[str, Any] = {}
        if getattr(agent, "by_view", False):
            more = {"views": self.env.look(self.env.possible_agents[seat]), "params": self.env.params}
        action = agent.act(observation[None], mask[None], self.memories[seat], self.streams.copy(), **more)
        self.step(int(action[0]))

    def step(self, action: int) -> None:
        """Take the action; players draw from words of its own at the next decision."""
        self.env.step(action)
        self.streams["drawn"] += WORDS_A_DECISION

    def decisions(self, learner_seat: int, actions: list[int]) -> Iterator[int]:
        """Play to each decision of the learner, yield its number, and then take the given action."""
        taken = 0
        while not is_over(self.env):
            if self.seat != learner_seat:
                self.answer()
            else:
                yield taken
                self.step(actions[taken])
                taken += 1


def replayed(replay: Replay, episode: Episode) -> Episode:
    """The same episode in the turn-based environment."""
    again = Episode(episode.number, episode.seat, actions=episode.actions)
    for _ in replay.decisions(episode.seat, episode.actions):
        observation, mask = replay.sight(episode.seat)
        again.observations.append(observation)
        again.masks.append(mask)
    env, name = replay.env, replay.env.possible_agents[episode.seat]
    again.rewards = [0.0] * (len(again.masks) - 1) + [float(env.rewards[name])]
    again.terminated, again.truncated = bool(env.terminations[name]), bool(env.truncations[name])
    again.last_observation, again.last_mask = replay.sight(episode.seat)
    return again


def assert_same_episode(one: Episode, other: Episode) -> None:
    """Equal in every part."""
    np.testing.assert_equal(vars(one), vars(other))


def sights(batch: LearnerBatch) -> dict[str, Any]:
    """Copies of all that a batch shows; the numbers of ended games only where some ended."""
    names = ("observation", "action_mask", "seat", "reward", "terminated", "truncated", "final_observation",
             "final_mask", "ended_game", "game_number", "over")  # fmt: skip
    shown = {name: getattr(batch, name).copy() for name in names}
    shown["ended_game"][~(batch.terminated | batch.truncated)] = -1
    return shown | {"illegal": batch.illegal, "passed_over": batch.passed_over, "seed": batch.seed}
