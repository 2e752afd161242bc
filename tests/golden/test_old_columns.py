"""Version 1 of Riverbed Hunt without talk is version 0: same games, same numbers in the pieces that both have."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hashes import GAMES, Cell, cells, hashes, read

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.kernels.compile import compiled

NEW = ("tile_words", "seat_words", "own_words", "claim_verb", "talk", "said")
CELLS = [cell for cell in cells(RIVERBED_HUNT.id) if "talk" not in dict(cell.variant)]
Vector = npt.NDArray[np.int8]


def old_places() -> npt.NDArray[np.int64]:
    """The places of version 0's numbers in an observation, in its order."""
    places = np.arange(OBSERVATION.size)
    old = [places[where] for name, where in OBSERVATION.slices.items() if name not in (*NEW, "question")]
    question = places[OBSERVATION.slices["question"]][: Question.FLOOR]
    return np.sort(np.concatenate([*old, question]))


OLD = old_places()


def as_version_0(observation: Vector, mask: Vector) -> tuple[Vector, Vector]:
    """What version 0 showed."""
    return observation[OLD], mask[: A.SILENT]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_games_without_talk_are_those_of_version_0(cell: Cell) -> None:
    numbers = range(GAMES if compiled() else 1)
    frozen = read(f"{RIVERBED_HUNT.name}_v0")[cell.name][: len(numbers)]
    assert hashes(cell, numbers, shown=as_version_0) == frozen


def test_new_numbers_are_the_same_all_game_long_without_talk() -> None:
    batch = Batch(RIVERBED_HUNT, 4, seed=3, auto_reset=False)
    new = np.setdiff1d(np.arange(OBSERVATION.size), OLD)
    first = batch.observation[0, new].copy()
    while batch.acting.any():
        assert (batch.observation[:, new][batch.acting] == first).all()
        assert not batch.action_mask[:, A.SILENT :].any()
        batch.step(batch.random_actions())
