"""The games of an evaluation that are worth a look: the longest, the biggest swing of a belief, a won Hunt, a won Con.

They are looked for among mirrors, random play left out, or in all cells where nothing else was mirrored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.players.agents import UNIFORM
from riverbed_web.record import GameRecord

from ..playing.plan import MIRROR, Cell, Setup
from ..playing.rows import read_table
from .folder import Folder
from .replay import Replay
from .role_inference import WITH_DEDUCTION, look

SWING_GAMES = 40  # games of a cell that are observed for the biggest swing
CANDIDATES = 200  # rows that are played again, at most, to find one that ended as wanted
ENDINGS = {"riverbed_hunt": ("Hunt", "Con")}  # declarations that can win a game, by game


@dataclass(frozen=True)
class TellingGame:
    """A game, the row it is of, and where its replay begins: at a step, with the eyes of a seat or of nobody."""

    name: str  # of its file, "longest"
    what: str  # "The longest game"
    words: str  # what happens in it
    row: dict[str, Any]
    record: GameRecord
    step: int = 0
    view: int | str = "truth"


def telling_games(folder: Folder) -> Iterator[TellingGame]:
    """The games, in the order of a report."""
    replay = Replay(folder.path)
    mirrors = [each for each in replay.cells if each.table == MIRROR and each.camps[0] != UNIFORM.name]
    cells = mirrors or replay.cells
    yield from _longest(replay, cells)
    if replay.game.name in WITH_DEDUCTION and mirrors:
        yield _biggest_swing(replay, mirrors)
    for declared in ENDINGS.get(replay.game.name, ()):
        yield from _won_by(replay, cells, declared)


def _rows(replay: Replay, cell: Cell, *names: str) -> list[dict[str, Any]]:
    """Some columns of a cell's rows."""
    number = replay.cells.index(cell)
    parts = sorted((replay.path / "parts").glob(f"{number:04}-*.parquet"))
    return [row for part in parts for row in read_table(replay.game, part, ["game", "focus", *names]).to_pylist()]


def _found(replay: Replay, cell: Cell, game: int, focus: int | None, name: str, what: str) -> TellingGame:
    row = replay.row(cell, game, focus)
    return TellingGame(name, what, replay.in_words(row), row, replay.record(row))


def _longest(replay: Replay, cells: list[Cell]) -> Iterator[TellingGame]:
    """The game with the most decisions that wasn't cut off."""
    rows = [(cell, row) for cell in cells for row in _rows(replay, cell, "decisions", "truncated")]
    ended = [(cell, row) for cell, row in rows if not row["truncated"]]
    if ended:
        cell, row = max(ended, key=lambda each: each[1]["decisions"])
        yield _found(replay, cell, row["game"], row["focus"], "longest", "The longest game")


# --- beliefs ----------------------------------------------------------------------------------------------------------


def _biggest_swing(replay: Replay, mirrors: list[Cell]) -> TellingGame:
    """Where, in the first games of the mirrors of one agent, a seat's belief in a true role rose most in a turn."""
    plan = replay.plan
    agent = plan.reference if plan.reference != UNIFORM.name else mirrors[0].camps[0]
    setup = next(each.setup for each in mirrors if each.camps[0] == agent)
    cell = next(each for each in mirrors if each.camps[0] == agent and each.setup == setup)
    swing = _swing(replay, agent, setup)
    found = _found(replay, cell, swing.game, None, "swing", "The biggest swing of a belief")
    role = replay.game.roles[swing.role]
    words = (
        f"in turn {swing.turn} player {swing.seer} comes to believe, at {swing.after:.0%} after {swing.before:.0%}, "
        f"that player {swing.other} is the {role}"
    )
    return replace(found, words=words, step=_step_of(found.record, swing.turn), view=swing.seer)


@dataclass(frozen=True)
class _Swing:
    game: int
    turn: int
    seer: int
    other: int
    role: int
    before: float
    after: float


def _swing(replay: Replay, agent: str, setup: Setup) -> _Swing:
    plan = replace(
        replay.plan, inference_games=min(SWING_GAMES, replay.plan.deals), options=dict(_options(replay, setup))
    )
    by_name = {each.name: each for each in replay.known_agents}
    looks = look(replay.game, plan, by_name[agent], setup.num_players, lambda games: None)
    order = np.lexsort((looks.turn, looks.seer, looks.game))
    game, seer, turn = looks.game[order], looks.seer[order], looks.turn[order]
    held = np.take_along_axis(looks.posteriors, looks.truth[:, :, None], axis=2)[order, :, 0]
    rise = np.where(looks.counted[order][1:], held[1:] - held[:-1], -1.0)
    rise[(game[1:] != game[:-1]) | (seer[1:] != seer[:-1])] = -1.0
    place, other = np.unravel_index(int(rise.argmax()), rise.shape)
    truth = int(looks.truth[order][place + 1, other])
    return _Swing(
        *(int(game[place + 1]), int(turn[place]), int(seer[place]), int(other), truth),
        *(float(held[place, other]), float(held[place + 1, other])),
    )


def _options(replay: Replay, setup: Setup) -> dict[str, Any]:
    """The options of a setup but for the player count."""
    return {name: value for name, value in replay.plan.options_of(setup).items() if name != "num_players"}


def _step_of(record: GameRecord, turn: int) -> int:
    """The step with which a turn begins."""
    return next((step for step, batch in enumerate(record.positions()) if _turn(batch) >= turn), 0)


def _turn(batch: Batch) -> int:
    return int(batch.games["table"]["turn"][0])


# --- declarations -----------------------------------------------------------------------------------------------------


def _won_by(replay: Replay, cells: list[Cell], declared: str) -> Iterator[TellingGame]:
    """The first game that ended with a declaration which won it for who declared."""
    column, left = replay.game.summary.happened[declared], CANDIDATES
    for cell in cells:
        for row in _rows(replay, cell, column):
            if left and row[column]:
                left -= 1
                found = _found(replay, cell, row["game"], row["focus"], declared.lower(), f"A won {declared}")
                step = _won_at(replay, found.record, declared)
                if step is not None:
                    yield replace(found, step=step)
                    return


def _won_at(replay: Replay, record: GameRecord, declared: str) -> int | None:
    """The step of the declaration with which a game was won, or None."""
    names = [replay.game.actions.split(action)[0] for action in record.actions]
    if declared.upper() not in names:
        return None
    step = len(names) - 1 - names[::-1].index(declared.upper())
    *positions, end = _seats_and_turns(record)
    seat, turn = positions[step]
    return step if end[1] == turn and record.returns[seat] > 0 else None


def _seats_and_turns(record: GameRecord) -> Iterator[tuple[int, int]]:
    """Who is asked, in which turn, at the start and after each action."""
    for batch in record.positions():
        yield int(batch.seat[0]), _turn(batch)
