"""The door to Inspect: a task whose samples are deals, with a solver that plays and a scorer."""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import TypeAdapter

from .env import SeatEnv

GAME = "riverbed_game"  # the key of what came of the game, in a sample's store
CHAT: TypeAdapter[list[Any]] = TypeAdapter(list[ChatMessage])


@task
def riverbed(games: int = 100, split: str = "test", **settings: Any) -> Task:
    """Games on the first deals of a split: `inspect eval riverbed_lab/riverbed -T games=20`.

    Args:
        games: how many.
        split: "test" or "train".
        settings: those of `SeatEnv`.

    Returns:
        The task. Its scores are wins, what the reference wins on the same deals, the gain over it, and forfeits.
    """
    samples = [Sample(input=f"{split}-{index}", id=index, metadata={"index": index}) for index in range(games)]
    return Task(dataset=MemoryDataset(samples), solver=play_seat(split=split, **settings), scorer=outcome())


@solver
def play_seat(**settings: Any) -> Solver:
    """Play the sample's deal to its end.

    Args:
        settings: those of `SeatEnv`.

    Returns:
        The solver.
    """
    SeatEnv(**settings)  # compiles once, before games are played side by side

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        env, total = SeatEnv(**settings), 0.0
        messages = await env.areset(state.metadata["index"])
        while not env.done:
            state.messages = CHAT.validate_python(messages)
            state.output = await get_model().generate(state.messages)
            messages, reward, _, info = await env.astep(state.output.completion)
            total += reward
        state.store.set(GAME, {**info, "reward": total, "record": env.record().to_json()})
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def outcome() -> Scorer:
    """Whether the seat won, beside the reference on the same deal."""

    async def score(state: TaskState, target: Target) -> Score:
        game = state.store.get(GAME)
        won, usual = float(game["won"]), float((game["reference"] or {}).get("won", False))
        value = {"won": won, "reference": usual, "gain": won - usual, "forfeited": float(game["forfeited"])}
        return Score(value={**value, "reward": game["reward"]}, metadata=game)

    return score
