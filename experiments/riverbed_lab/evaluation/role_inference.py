"""How well roles can be inferred from play: games of one agent in every seat, observed from all seats turn by turn.

Only Riverbed Hunt has deduction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.deduction import Deduction
from riverbed_env.players.agents import UNIFORM, Agent

from ..playing.plan import Plan
from ..playing.play import watch
from .inference import Inference, score
from .results import InferenceRow

WITH_DEDUCTION = ("riverbed_hunt",)  # games, by name
MODELS = {"deduction": "playing", "uniform choice": "uniform"}  # by observer: what is scored, and the reference
OBSERVER, REFERENCE = MODELS
NOT_KNOWN = -1
BY_TURN, BY_TENTH = "turn", "tenth of the game"
NUM_ENVS = 500  # games played side by side
SHOWN = 95  # percentile of game lengths: later turns are scored, but get no row of their own


@dataclass(frozen=True)
class Looks:
    """What seats believed at the beginning of turns: a row for each turn and observer.

    posteriors and reference (n, seats, roles), truth (n, seats) role numbers, counted (n, seats) bool, game, turn,
    turns and seer (n,): the game's number, the turn that begins, how many turns the game has in the end, and the
    observer's seat.
    """

    posteriors: npt.NDArray[np.float64]
    reference: npt.NDArray[np.float64]
    truth: npt.NDArray[np.int64]
    counted: npt.NDArray[np.bool_]
    game: npt.NDArray[np.int64]
    turn: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    seer: npt.NDArray[np.int64]


def observed(plan: Plan) -> tuple[str, ...]:
    """The agents whose play is observed: the reference, and all mirrored agents except random play."""
    return tuple(dict.fromkeys([plan.reference, *(agent for agent in plan.mirrored if agent != UNIFORM.name)]))


def infer_roles(
    game: Game, plan: Plan, agents: Sequence[Agent], count: int, progress: Callable[[str, int], None]
) -> list[InferenceRow]:
    """The scores of deduction at a player count, by turn and by tenth of the game, for each observed agent.

    `progress` gets the agent and the number of its games finished since the last call.
    """
    by_name = {agent.name: agent for agent in agents}
    rows = []
    for name in observed(plan):
        looks = look(game, plan, by_name[name], count, lambda games, name=name: progress(name, games))  # type: ignore[misc]
        rows += [
            InferenceRow(count, f"all {name}", OBSERVER, REFERENCE, grouped_by, scores)
            for grouped_by, scores in scores_by_time(game, looks).items()
        ]
    return rows


def look(game: Game, plan: Plan, agent: Agent, count: int, progress: Callable[[int], None]) -> Looks:
    """Observe the first games of the plan's seed with one agent in every seat: the same deals for every agent."""
    parts: list[Looks] = []
    for first in range(0, plan.inference_games, NUM_ENVS):
        numbers = np.arange(first, min(first + NUM_ENVS, plan.inference_games))
        batch = Batch(game, len(numbers), seed=plan.seed, auto_reset=False, num_players=count, **plan.options)
        parts += _look_at(batch, agent, numbers)
        progress(len(numbers))
    return together(parts)


def _look_at(batch: Batch, agent: Agent, numbers: npt.NDArray[np.int64]) -> list[Looks]:
    """The beliefs in some games, a part for each moment and observer."""
    parts: list[Looks] = []
    last = np.zeros(batch.num_envs, np.int64)
    for _ in watch(batch, [agent], np.zeros((batch.num_envs, batch.num_players), np.int64), numbers):
        turn = turns_begun(batch)
        indices = np.flatnonzero(batch.acting & (turn > last))
        last = turn
        if len(indices):
            parts += [_from_seat(batch, seat, indices, turn[indices]) for seat in range(batch.num_players)]
    turns = dict(zip(numbers.tolist(), turns_begun(batch).tolist()))
    return [replace(part, turns=np.array([turns[number] for number in part.game.tolist()])) for part in parts]


def turns_begun(batch: Batch) -> npt.NDArray[np.int64]:
    """The turns begun in each game, (n,)."""
    begun: npt.NDArray[np.int64] = batch.games["table"]["turn"].astype(np.int64)
    return begun


def _from_seat(batch: Batch, seat: int, indices: npt.NDArray[np.int64], turn: npt.NDArray[np.int64]) -> Looks:
    """What a seat believes in some games; its own role and roles it was shown don't count."""
    views = batch.look(seat)[indices]
    counted = unknown_to(views, batch.num_players)
    own, reference = (Deduction.of(batch.params, model).roles(views) for model in MODELS.values())
    truth = batch.game.roles_of(batch.games)[indices].astype(np.int64)
    seer = np.full(len(indices), seat, np.int64)
    return Looks(own, reference, truth, counted, batch.game_number[indices].copy(), turn, turn, seer)


def unknown_to(views: npt.NDArray[np.void], num_players: int) -> npt.NDArray[np.bool_]:
    """Which seats' roles aren't known to each view's seat, (n, seats): not its own, not revealed, not shown to it."""
    shown = np.maximum(views["table"]["role"], views["private"]["looked"])[:, :num_players]
    unknown = np.asarray(shown == NOT_KNOWN)
    unknown[np.arange(len(views)), views["seat"]] = False
    return unknown


def together(parts: Sequence[Looks]) -> Looks:
    """Parts one after the other."""
    return Looks(*(np.concatenate([getattr(part, name) for part in parts]) for name in Looks.__dataclass_fields__))


def scores_by_time(game: Game, looks: Looks) -> dict[str, Inference]:
    """The beliefs scored by turn, as far as most games go, and by tenth of the game."""
    tenth = 1 + 10 * (looks.turn - 1) // looks.turns
    by_turn, by_tenth = (
        score(looks.posteriors, looks.truth, looks.counted, group, looks.game, game.roles, looks.reference)
        for group in (looks.turn, tenth)
    )
    _, first = np.unique(looks.game, return_index=True)
    longest = np.percentile(looks.turns[first], SHOWN)
    shown = {turn: scores for turn, scores in by_turn.by_group.items() if turn <= longest}
    return {BY_TURN: replace(by_turn, by_group=shown), BY_TENTH: by_tenth}
