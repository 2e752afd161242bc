"""The loads of a soak: each cycles through games and player counts, one short round at a time."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from soak.interfaces import Interfaces

from riverbed_env import make_batch
from riverbed_env.core.game import Game
from riverbed_env.errors import RiverbedError
from riverbed_env.players.installed import agent_names
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

if TYPE_CHECKING:
    from riverbed_lab.training.config import TrainingConfig

KINDS = ("random", "interfaces", "games", "training", "evaluation")
STEADY = {"random", "interfaces"}  # loads that keep nothing from round to round
PLAIN = ("simple", "greedy")  # fast agents; the first that the game has plays beside random
NUM_ENVS, GAMES = 256, 256  # of a batch; of a round of random games, and of one between agents
TRAINED, EVALUATED = "deep_river_v0", ("deep_river_v0", "riverbed_hunt_v1")
DEALS = 200


class Done(NamedTuple):
    """A finished round of a load: what it played, and how much."""

    what: str
    games: int
    decisions: int


Load = Iterator[Done]  # endless: one round per item


def loads(chance: np.random.Generator, folder: Path, games: Sequence[str]) -> dict[str, Callable[[], Load]]:
    """Every kind of load by its name, as a function that starts it. folder: for files it writes."""
    return {
        "random": lambda: random_games(chance, games),
        "interfaces": lambda: interfaces(chance, games),
        "games": lambda: games_between_agents(chance, games),
        "training": lambda: training(chance, folder),
        "evaluation": lambda: evaluation(chance, folder),
    }


def seatings(games: Sequence[str]) -> list[tuple[Game, int]]:
    """Each game with each of its player counts: all games at their fewest players first."""
    every = [(game, count) for game in map(find_game, games) for count in range(game.min_players, game.max_players + 1)]
    return sorted(every, key=lambda each: each[1] - each[0].min_players)


def plain_agent(game: Game) -> str:
    """The agent that plays beside random ones."""
    return next((name for name in PLAIN if name in agent_names(game.name)), "random")


def _seed(chance: np.random.Generator) -> int:
    return int(chance.integers(2**31))


def random_games(chance: np.random.Generator, games: Sequence[str]) -> Load:
    """Random games in batches that are kept."""
    batches = {name: make_batch(name, NUM_ENVS, seed=_seed(chance)) for name in games}
    for name, batch in itertools.cycle(batches.items()):
        ended = decisions = 0
        while ended < GAMES:
            decisions += int(batch.acting.sum())
            batch.step(batch.random_actions())
            ended += int(batch.done.sum())
        yield Done(name, ended, decisions)


def interfaces(chance: np.random.Generator, games: Sequence[str]) -> Load:
    """A visit to all interfaces of a game; its environments are kept."""
    places = [Interfaces(game.id, num_players=count) for game, count in seatings(games)]
    for place in itertools.cycle(places):
        place.visit(_seed(chance))
        yield Done(f"{place.game_id}, {place.options['num_players']} players", 1, 0)


def games_between_agents(chance: np.random.Generator, games: Sequence[str]) -> Load:
    """Games in the batch, between the plain agent and random play, seats drawn."""
    from riverbed_lab.playing.play import play_seated

    for game, count in itertools.cycle(seatings(games)):
        agents = [find_agent(name, game.name) for name in dict.fromkeys((plain_agent(game), "random"))]
        seats = chance.integers(len(agents), size=(GAMES, count))
        played = play_seated(game, agents, seats, np.arange(GAMES), _seed(chance), num_players=count)
        yield Done(f"{game.id}, {count} players", GAMES, int(game.columns(played.games)["decisions"].sum()))


def training(chance: np.random.Generator, folder: Path) -> Load:
    """A short training run in a folder, interrupted after every rollout, saved and resumed; a new one when it ends."""
    from riverbed_lab.ppo import Progress, Training

    class HaltError(Exception):
        pass

    def halt(progress: Progress) -> None:
        if progress.steps > before:
            raise HaltError

    while True:
        config = short_training(_seed(chance))
        with tempfile.TemporaryDirectory(dir=folder) as place:
            before = 0
            while before < config.steps:
                run = Training(Path(place), None if before else config)
                if run.steps != before:
                    raise RiverbedError(f"a training was saved at {before} decisions and resumed at {run.steps}")
                with suppress(HaltError):
                    run.run(halt)
                yield Done(f"{TRAINED}, training", 0, run.steps - before)
                before = run.steps


def short_training(seed: int) -> TrainingConfig:
    """Six rollouts, with a checkpoint after each and two evaluations."""
    from riverbed_env.players.lineups import EVERYBODY
    from riverbed_lab.training.config import TrainingConfig

    rollout = 16 * 16
    return TrainingConfig(
        game=TRAINED, players=(2,), opponents=({EVERYBODY: ["random"]},), seed=seed, steps=6 * rollout,
        num_envs=16, rollout_steps=16, batch_size=64, n_epochs=1, widths=(16, 8), object_width=8,
        evaluate_every=3 * rollout, evaluation_games=50, checkpoint_every=rollout,
    )  # fmt: skip


def evaluation(chance: np.random.Generator, folder: Path) -> Load:
    """Evaluations in folders of their own: two tables, whose rows are written in parts."""
    from riverbed_lab.evaluation.run import Evaluation
    from riverbed_lab.playing.plan import DEVIATION, MIRROR, Cell, Plan

    for name in itertools.cycle(EVALUATED):
        game = find_game(name)
        plan = Plan(
            game.id, ("random",), plain_agent(game), (game.min_players,), DEALS, game.roles[:2],
            tables=(MIRROR, DEVIATION), seed=_seed(chance), chunk=DEALS // 2, inference_games=0,
        )  # fmt: skip
        played = 0

        def watch(cell: Cell, deals: float, games: int) -> None:
            nonlocal played
            played += games

        with tempfile.TemporaryDirectory(dir=folder) as place:
            there = Evaluation.begin(plan, Path(place))
            there.play(watch)
            if there.left:
                raise RiverbedError(f"{game.id}: an evaluation that is done has parts left")
        yield Done(f"{game.id}, evaluation", played, 0)
