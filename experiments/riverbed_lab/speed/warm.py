"""Compiles everything ahead, step by step, with a word for each."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence

from rich.progress import Progress

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.players.installed import agent_names
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game, make_batch

from ..playing.play import lineup, play


def warm_all(threads: int, bar: Progress, games: Sequence[str], *, agents: bool = True) -> float:
    """Compile the environments, batches and, unless told not to, agents of the games; returns the seconds it took."""
    begun = time.perf_counter()
    steps = [step for game_id in games for step in _steps(game_id, threads, agents)]
    task = bar.add_task("compiling", total=len(steps))
    for words, work in steps:
        bar.update(task, description=f"compiling {words}")
        work()
        bar.advance(task)
    return time.perf_counter() - begun


def loadable(game: Game) -> list[Agent]:
    """The installed agents of a game but the random one; one that can't be loaded doesn't hinder the others."""
    found = []
    for name in sorted(set(agent_names(game.name)) - {UNIFORM.name}):
        with contextlib.suppress(OptionError):
            found.append(find_agent(name, game.name))
    return found


def _steps(game_id: str, threads: int, with_agents: bool) -> list[tuple[str, Callable[[], object]]]:
    def turns() -> None:
        from riverbed_env.envs.aec import TurnEnv

        env = TurnEnv(find_game(game_id))
        env.reset(seed=0)
        env.set_state(env.get_state())
        env.observe(env.possible_agents[-1])
        env.state()

    def together() -> None:
        from riverbed_env.envs.parallel import SimultaneousEnv

        env = SimultaneousEnv(find_game(game_id))
        env.reset(seed=0)
        env.step({agent: int(env.legal_actions(agent)[0]) for agent in env.agents})

    def batch(count: int) -> None:
        games = make_batch(game_id, num_envs=max(2, count), seed=0, threads=count)
        games.step(games.random_actions())
        games.observe(0)

    def agents(count: int) -> None:
        game = find_game(game_id)
        for agent in loadable(game):
            play(game, lineup(game, agent.name, UNIFORM), [0], 0, threads=count, pool=(UNIFORM, agent))

    counts = sorted({1, threads})
    return [
        (f"{game_id}: environment", turns),
        *([(f"{game_id}: parallel environment", together)] if find_game(game_id).simultaneous else []),
        *((f"{game_id}: batch, {count} threads", lambda count=count: batch(count)) for count in counts),
        *(
            (f"{game_id}: agents, {count} threads", lambda count=count: agents(count))
            for count in counts
            if with_agents
        ),
    ]
