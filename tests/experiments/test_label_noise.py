"""The study of what labels tell."""

from __future__ import annotations

import numpy as np
import pytest

from studies.label_noise import HORIZONS, WAYS, measure

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def test_more_worlds_are_nearer_to_what_choices_are_worth() -> None:
    found = measure(5, 60, 1)
    truth = found.many.mean(axis=0)[:, HORIZONS.index(1)]
    noise = {way: float(((labels - truth) ** 2).mean()) for way, labels in zip(WAYS, found.by_way, strict=True)}
    assert noise[8, (1,)] < noise[1, (1,)] / 3
    assert np.corrcoef(*found.many[:, :, 0])[0, 1] > 0.5
