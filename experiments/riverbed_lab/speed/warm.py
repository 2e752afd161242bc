"""Compiles everything ahead of use: environments, batches and agents."""

import contextlib
import time
from collections.abc import Callable, Sequence
from functools import partial

from rich.progress import Progress

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.players.installed import list_agents
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game, make_batch

from ..playing.play import lineup, play


def warm_all(threads: int, bar: Progress, games: Sequence[str], *, agents: bool = True) -> float:
    """Compile the environments, batches and (with `agents`) agents of the games; returns the seconds it took."""
    begun = time.perf_counter()
    steps = [step for game_id in games for step in _steps(game_id, sorted({1, threads}), agents)]
    for step in bar.track(steps, description="compiling"):
        step()
    return time.perf_counter() - begun


def loadable(game: Game) -> list[Agent]:
    """The installed agents of a game except the random one; agents that can't be loaded are left out."""
    agents = []
    for name in sorted(set(list_agents(game.name)) - {UNIFORM.name}):
        with contextlib.suppress(OptionError):
            agents.append(find_agent(name, game.name))
    return agents


def _steps(game_id: str, counts: Sequence[int], with_agents: bool) -> list[Callable[[], object]]:
    """The functions that compile a game, for each number of threads."""
    of_threads = (_use_batch, *([_use_agents] if with_agents else []))
    return [
        partial(_use_environments, game_id),
        *(partial(use, game_id, count) for count in counts for use in of_threads),
    ]


def _use_environments(game_id: str) -> None:
    from riverbed_env.envs.aec import TurnEnv
    from riverbed_env.envs.parallel import SimultaneousEnv

    game = find_game(game_id)
    env = TurnEnv(game)
    env.reset(seed=0)
    env.set_state(env.get_state())
    env.observe(env.possible_agents[-1])
    env.state()
    if game.simultaneous:
        parallel = SimultaneousEnv(game)
        parallel.reset(seed=0)
        parallel.step({agent: int(parallel.legal_actions(agent)[0]) for agent in parallel.agents})


def _use_batch(game_id: str, threads: int) -> None:
    games = make_batch(game_id, num_envs=max(2, threads), seed=0, threads=threads)
    games.step(games.random_actions())
    games.observe(0)


def _use_agents(game_id: str, threads: int) -> None:
    game = find_game(game_id)
    for agent in loadable(game):
        play(game, lineup(game, agent.name, UNIFORM), [0], 0, threads=threads, pool=(UNIFORM, agent))
