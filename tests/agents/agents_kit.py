"""What the tests of agents share."""

import numpy as np
import numpy.typing as npt
from drawn import DrawnTurns
from riverbed_hunt.scene import Scene

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.knowledge import view_tile
from riverbed_env.kernels.random import STREAM, open_stream
from riverbed_env.players.agents import Agent, CompiledAgent, PythonAgent

PURPOSE = 77  # other than any that the library has


def stepwise(agent: CompiledAgent) -> PythonAgent:
    """The same agent, not known to be compiled."""
    return PythonAgent("stepwise", agent.act, agent.memory_size, by_view=agent.by_view)


def streams(n: int, seed: int = 1) -> npt.NDArray[np.void]:
    """Random streams that have nothing to do with any game's."""
    made = np.zeros(n, STREAM)
    for index in range(n):
        open_stream(made[index], seed, index, PURPOSE)
    return made


def answer_in(scene: DrawnTurns, agent: Agent, draw: int = 0) -> int:
    """What an agent without memory answers in the asked seat of a drawn game; `draw` numbers its random streams."""
    seat = scene.asked
    row, mask = scene.row(seat)[None], scene.mask(seat)[None]
    views = np.zeros(1, scene.kind.view_dtype)
    scene.kind.kernels.observe(scene.game, scene.params, seat, views[0], row[0].copy())
    sight = {"views": views, "params": np.array([scene.params])}
    action = int(agent.act(row, mask, np.zeros((1, 0), np.int32), streams(1, draw), **sight)[0])
    assert mask[0, action], f"{scene.words(action, seat)!r} isn't legal"
    return action


def chosen(agent: Agent, scene: DrawnTurns, draw: int = 0) -> str:
    """The same in the scene's words."""
    return scene.words(answer_in(scene, agent, draw), scene.asked)


def know(scene: Scene, seat: int, *spaces: int) -> Scene:
    """The seat looks at tiles of Riverbed Hunt."""
    for space in spaces:
        view_tile(scene.game, seat, space - 1)
    return scene


def answer(agent: Agent, batch: Batch, seed: int = 0) -> npt.NDArray[np.int64]:
    """The answers of an agent without memory to what is asked in each game of a batch."""
    rows = batch.observation, batch.action_mask
    by_view = getattr(agent, "by_view", False)
    sight = {"views": batch.look(np.maximum(batch.seat, 0)), "params": batch.params} if by_view else {}
    return agent.act(*rows, np.zeros((batch.num_envs, 0), np.int32), streams(batch.num_envs, seed), **sight)


def in_the_middle(n: int, num_players: int, decisions: int, seed: int) -> Batch:
    """Games of Riverbed Hunt somewhere in their middle."""
    batch = Batch(RIVERBED_HUNT, n, num_players=num_players, seed=seed)
    for _ in range(decisions):
        batch.step(batch.random_actions())
    return batch
