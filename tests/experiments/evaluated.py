"""A small evaluation of Riverbed Hunt that several test files read."""

from pathlib import Path

from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.evaluation.folder import Folder
from riverbed_lab.evaluation.run import Evaluation
from riverbed_lab.playing.plan import Plan

GAME = find_game("riverbed_hunt")
SIMPLE = find_agent("simple", GAME.name)
AGENTS: list[Agent] = [UNIFORM, SIMPLE]
PLAN = Plan(
    GAME.id, ("simple",), "random", (4, 7), 60, GAME.roles,
    held_out=("random", "simple"), seed=3, chunk=25,
)  # fmt: skip


def played(plan: Plan, path: Path, agents: list[Agent] = AGENTS, threads: int = 1) -> Folder:
    """The folder of the plan, all of it played."""
    evaluation = Evaluation.begin(plan, path, threads, agents)
    evaluation.play()
    return evaluation.folder
