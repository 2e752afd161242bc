"""The doors to other libraries in one table: whether each one's own checker passes, and how fast it plays and learns.

    python experiments/studies doors --seconds 10

measures Riverbed's door and the library's own way, one after the other on one thread, in decisions per second of
processor time. A door is a row of DOORS: what its checker is, what a user writes, and up to four ways to measure.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from itertools import cycle
from typing import Annotated, Any

import typer

from riverbed_env.entries import ENTRIES
from riverbed_env.errors import RiverbedError
from riverbed_lab.ray_address import LOCAL
from riverbed_lab.ray_calls import connected

from .kit import Play, rate, say

GAME = "riverbed_hunt_v1"
COUNTS = (4, 5, 6, 7, 8, 9)
LAYERS = [64, 64]
ENVS, TURNS = 256, 64
MINARI, DATASET = "MINARI_DATASETS_PATH", "riverbed/doors-v0"

Way = Callable[[], AbstractContextManager[Play]]

OWN, OURS = "own way", "Riverbed"
COLLECTION, LEARNING = "collection", "learning"


@dataclass(frozen=True)
class Door:
    """A library: how it is called on an index, its checker's name and call, what a user writes, and ways to measure.

    use: the lines that a user writes for this library, without what the library's users write anyhow. ways: by
    COLLECTION or LEARNING, and OWN or OURS; a way that is missing isn't measured. within: what all ways need around
    them. note: why a way is missing here.
    """

    library: str
    checker: str
    check: Callable[[], None]
    use: str
    ways: Mapping[tuple[str, str], Way] = field(default_factory=dict)
    within: Callable[[], AbstractContextManager[None]] = nullcontext
    note: str = ""

    @property
    def lines(self) -> int:
        """How many lines a user writes."""
        return len([line for line in self.use.splitlines() if line.strip()])


# --- TorchRL ----------------------------------------------------------------------------------------------------------


def check_torchrl() -> None:
    """TorchRL's check, plain and by groups."""
    from torchrl.envs.utils import check_env_specs

    from riverbed_env.integrations.torchrl import RiverbedEnv

    for grouping in (None, "role", "seat"):
        check_env_specs(RiverbedEnv(GAME, 6, num_players=COUNTS, group_by=grouping), seed=0)


@contextmanager
def torchrl_plays(own: bool) -> Iterator[Play]:
    """Random legal play in TorchRL's wrapper over the PettingZoo environment, or in the native environment."""
    from riverbed_env.integrations.torchrl import RiverbedEnv

    from .torchrl.speed import stepping, wrapped

    yield stepping(wrapped(GAME) if own else RiverbedEnv(GAME, 1024, num_players=COUNTS, seed=0))


@contextmanager
def torchrl_learns() -> Iterator[Play]:
    """PPO's collection and learning in the native environment."""
    from torchrl.collectors import Collector

    from riverbed_env.integrations.torchrl import RiverbedEnv, own_turns

    from .torchrl.ppo import Learner

    env = RiverbedEnv(GAME, ENVS, num_players=COUNTS, seed=0)
    learner = Learner(env)
    collector = Collector(
        env,
        learner.policy,
        frames_per_batch=ENVS * TURNS,
        total_frames=-1,
        auto_register_policy_transforms=False,
    )
    rollouts = iter(collector)

    def play() -> int:
        rollout = next(rollouts)
        learner.learn(own_turns(rollout))
        return int(rollout.numel())

    yield play
    collector.shutdown()


@contextmanager
def torchrl_wrapper_learns() -> Iterator[Play]:
    """The same learner on rollouts of TorchRL's wrapper; a turn's next one is the step after it, whoever acts."""
    import torch
    from tensordict import TensorDict, TensorDictBase

    from riverbed_env.integrations.torchrl import RiverbedEnv

    from .torchrl.ppo import Learner
    from .torchrl.speed import wrapped

    env, learner, group = wrapped(GAME, one_group=True), Learner(RiverbedEnv(GAME)), "agents"

    def seen(agents: TensorDictBase) -> TensorDictBase:
        shown = {"observation": agents["observation", "observation"], "action_mask": agents["action_mask"]}
        return TensorDict(shown, agents.batch_size)

    def act(tensordict: TensorDictBase) -> TensorDictBase:
        chosen = learner.policy(seen(tensordict[group]))
        tensordict[group].update(chosen.select("action", "action_log_prob"))
        return tensordict

    def play() -> int:
        with torch.no_grad():
            rollout = env.rollout(512, act, break_when_any_done=False)
        acted, after = rollout[group, "mask"], rollout["next", group]
        turns = seen(rollout[group]).update(rollout[group].select("action", "action_log_prob"))
        turns["next"] = seen(after).update(after.select("reward", "done", "terminated", "truncated"))
        learner.learn(turns[acted])
        return int(rollout.numel())

    yield play


# --- RLlib ------------------------------------------------------------------------------------------------------------


def check_rllib() -> None:
    """RLlib's check of environments, with every player count."""
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    from riverbed_env.integrations.rllib import RiverbedMultiAgentEnv

    env = RiverbedMultiAgentEnv({"game": GAME, "num_players": COUNTS, "seed": 0})
    for _ in COUNTS:
        check_multiagent_environments(env)


@contextmanager
def rllib_plays(own: bool) -> Iterator[Play]:
    """PPO's policies, one a role, in RLlib's own runner with 16 games, or in the batched one."""
    from .rllib.speed import make_runner, sampling

    runner = make_runner(GAME, COUNTS, not own, 16 if own else 2 * ENVS, LAYERS, seed=0)
    yield sampling(runner, 20)
    runner.stop()


@contextmanager
def rllib_learns(own: bool) -> Iterator[Play]:
    """PPO's collection and learning, a policy for each role, with either runner."""
    from .rllib.speed import ppo

    config = ppo(GAME, COUNTS, not own, 16 if own else 2 * ENVS, LAYERS, seed=0)
    config.training(train_batch_size_per_learner=2_000 if own else 20_000, minibatch_size=1_000, num_epochs=4)
    config.reporting(min_time_s_per_iteration=0).env_runners(num_env_runners=0)
    algorithm, known = config.build_algo(), 0

    def play() -> int:
        nonlocal known
        before, known = known, int(algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"])
        return known - before

    yield play
    algorithm.stop()


# --- OpenSpiel --------------------------------------------------------------------------------------------------------


def check_openspiel() -> None:
    """OpenSpiel's random simulation, with every state written and read."""
    import pyspiel

    from riverbed_env.integrations import openspiel  # noqa: F401  # registers the games

    for count in COUNTS:
        pyspiel.random_sim_test(pyspiel.load_game(f"riverbed_hunt(players={count})"), 1, True, False)


@contextmanager
def openspiel_plays() -> Iterator[Play]:
    """Random legal play of whole games, with each player count in turn."""
    import numpy as np
    import pyspiel

    from riverbed_env.integrations import openspiel  # noqa: F401  # registers the games

    games = cycle([pyspiel.load_game(f"riverbed_hunt(players={count})") for count in COUNTS])
    rng = np.random.default_rng(0)

    def play() -> int:
        state = next(games).new_initial_state()
        state.apply_action(int(rng.integers(state.get_game().max_chance_outcomes())))
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[rng.integers(len(legal))])
        return len(state.history()) - 1

    yield play


# --- Minari -----------------------------------------------------------------------------------------------------------


@contextmanager
def minari_folder() -> Iterator[None]:
    """A folder of its own for Minari's datasets."""
    before = os.environ.get(MINARI)
    with tempfile.TemporaryDirectory() as name:
        os.environ[MINARI] = name
        yield
    os.environ.pop(MINARI)
    if before is not None:
        os.environ[MINARI] = before


def _record_for_minari(games: int) -> Any:
    """Games between random agents, recorded and written as a dataset."""
    from riverbed_env.corpus import Manifest
    from riverbed_env.integrations.offline.minari import to_minari
    from riverbed_lab.recording.record import record_corpus

    with tempfile.TemporaryDirectory() as name:
        corpus = record_corpus(Manifest(GAME, games, COUNTS, ("random",), part=games), name)
        return to_minari(corpus, DATASET)


def check_minari() -> None:
    """Minari loads what was written, and everything in it lies in the spaces it names."""
    import minari

    with minari_folder():
        _record_for_minari(12)
        dataset = minari.load_dataset(DATASET)
        for episode in dataset.iterate_episodes():
            if not all(each in dataset.observation_space for each in episode.observations):
                raise RiverbedError("an observation of the dataset isn't in its space")
            if not all(each in dataset.action_space for each in episode.actions):
                raise RiverbedError("an action of the dataset isn't in its space")


@contextmanager
def minari_collects(own: bool) -> Iterator[Play]:
    """A dataset of random play: by Minari's collector in one seat of 7, or by recording, with all seats."""
    from minari.storage import get_dataset_path

    def play() -> int:
        steps = int((_collected(8) if own else _record_for_minari(120)).total_steps)
        shutil.rmtree(get_dataset_path(DATASET))
        return steps

    yield play


def _collected(games: int) -> Any:
    """Games of one seat in Minari's own collector, written as a dataset."""
    import gymnasium
    import minari
    import numpy as np

    rng = np.random.default_rng(0)
    made = gymnasium.make(ENTRIES[GAME].registry_id, num_players=7, opponents="random")
    env: Any = minari.DataCollector(made, record_infos=True)
    for _ in range(games):
        _, info = env.reset()
        done = False
        while not done:
            _, _, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            done = terminated or truncated
    return env.create_dataset(dataset_id=DATASET)


TORCHRL = Door(
    "torchrl",
    "check_env_specs",
    check_torchrl,
    """
from riverbed_env.integrations.torchrl import RiverbedEnv, own_turns
env = RiverbedEnv("riverbed_hunt_v1", 256, num_players=(4, 5, 6, 7, 8, 9))
turns = own_turns(env.rollout(200, break_when_any_done=False))
""",
    {
        (COLLECTION, OWN): lambda: torchrl_plays(True),
        (COLLECTION, OURS): lambda: torchrl_plays(False),
        (LEARNING, OWN): torchrl_wrapper_learns,
        (LEARNING, OURS): torchrl_learns,
    },
)
RLLIB = Door(
    "ray",
    "check_multiagent_environments",
    check_rllib,
    """
from riverbed_env.integrations.rllib import configure
config = configure(PPOConfig(), "riverbed_hunt_v1", num_players=(4, 5, 6, 7, 8, 9))
""",
    {
        (COLLECTION, OWN): lambda: rllib_plays(True),
        (COLLECTION, OURS): lambda: rllib_plays(False),
        (LEARNING, OWN): lambda: rllib_learns(True),
        (LEARNING, OURS): lambda: rllib_learns(False),
    },
    within=lambda: connected(LOCAL),
)
OPENSPIEL = Door(
    "open_spiel",
    "random_sim_test",
    check_openspiel,
    """
from riverbed_env.integrations import openspiel
game = pyspiel.load_game("riverbed_hunt(players=5)")
""",
    {(COLLECTION, OURS): openspiel_plays},
)
HAS_JAX = find_spec("jax") is not None  # which Minari's collector needs
MINARI_DOOR = Door(
    "minari",
    "load_dataset",
    check_minari,
    """
from riverbed_env.integrations.offline.minari import to_minari
to_minari(Corpus("results/corpus"), "riverbed/hunt-v0")
""",
    {
        (COLLECTION, OURS): lambda: minari_collects(False),
        **({(COLLECTION, OWN): lambda: minari_collects(True)} if HAS_JAX else {}),
    },
    within=minari_folder,
    note="" if HAS_JAX else "Minari's own way isn't measured: its collector needs JAX, pip install 'minari[create]'",
)
DOORS = (TORCHRL, RLLIB, OPENSPIEL, MINARI_DOOR)
MEASURED = tuple((what, whose) for what in (COLLECTION, LEARNING) for whose in (OWN, OURS))


def measured(way: Way, seconds: float) -> str:
    """Decisions per second of processor time."""
    with way() as play:
        return f"{rate(play, seconds)[1]:,.0f}"


def row(door: Door, seconds: float) -> list[str]:
    """A door's row: the check is made, and each way is measured for so many seconds."""
    door.check()
    with door.within():
        rates = [measured(door.ways[which], seconds) if which in door.ways else "–" for which in MEASURED]
    return [door.library, version(door.library), f"{door.checker}: passed", *rates, str(door.lines)]


def main(
    only: Annotated[str | None, typer.Option(help="Libraries, like torchrl,ray.", show_default="all")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="Seconds of each measurement.")] = 10.0,
) -> None:
    """Check and measure, and print the table in Markdown."""
    import torch

    torch.set_num_threads(1)
    wanted = only.split(",") if only else [door.library for door in DOORS]
    unknown = sorted({*wanted} - {door.library for door in DOORS})
    if unknown:
        raise typer.BadParameter(f"no door to {', '.join(unknown)}; there are {', '.join(d.library for d in DOORS)}")
    headings = ["library", "version", "its checker", *(f"{what}/s, {whose}" for what, whose in MEASURED), "lines"]
    for cells in (headings, ["---"] * len(headings)):
        say(f"| {' | '.join(cells)} |")
    measured_doors = [door for door in DOORS if door.library in wanted]
    for door in measured_doors:
        say(f"| {' | '.join(row(door, seconds))} |")
    for door in measured_doors:
        if door.note:
            say(door.note)
