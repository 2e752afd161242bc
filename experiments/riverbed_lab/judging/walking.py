"""Going through recorded games decision by decision, many side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import RecordedGame, Texts

from .choices import groups_of, take_recorded

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Moment:
    """One decision of several games at once. The batch changes with the next one.

    places: of the batch's games among all; asked: the indices of those that have a decision here, and `seats` who
    chooses in them.
    """

    batch: Batch
    places: Whole
    asked: Whole
    seats: Whole


def moments(games: Sequence[RecordedGame]) -> Iterator[Moment]:
    """Every decision of these games, and once more after the last of each group, when nobody is asked.

    What was said in words before a decision stands in the batch's transcripts.
    """
    for group in groups_of(games):
        batch, texts = group.batch, [Texts(games[place].transcript) for place in group.places.tolist()]
        for decision in range(group.actions.shape[1] + 1):
            going = (group.lengths > decision) & batch.acting
            asked = np.flatnonzero(going)
            yield Moment(batch, group.places, asked, batch.seat[asked].copy())
            for index in asked.tolist():
                texts[index].say(batch, index)
            if decision < group.actions.shape[1]:
                take_recorded(group, decision, group.lengths > decision)
