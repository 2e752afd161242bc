"""Tests of drawn frequencies against exact chances."""

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from scipy.stats import chi2

LEAST = 1e-4  # a sound draw falls below it once in ten thousand tests; all seeds are fixed
FEWEST = 5.0  # expected in a cell; smaller cells are put together


def chance_of_fit(drawn: Mapping[Any, int], chances: Mapping[Any, float]) -> float:
    """The p-value of Pearson's chi-square test. Fails if an impossible cell was drawn."""
    strange = set(drawn) - set(chances)
    assert not strange, f"drawn, but impossible: {sorted(strange)[:3]}"
    total = sum(drawn.values())
    expected, observed, small_expected, small_observed = [], [], 0.0, 0
    for cell, chance in chances.items():
        if chance * total >= FEWEST:
            expected.append(chance * total)
            observed.append(drawn.get(cell, 0))
        else:
            small_expected += chance * total
            small_observed += drawn.get(cell, 0)
    if small_expected >= FEWEST:
        expected.append(small_expected)
        observed.append(small_observed)
    else:
        assert small_observed < 30, f"{small_observed} draws of cells that should hold {small_expected:.2f}"
    assert len(expected) > 1, "a single cell can't be off"
    wanted, found = np.array(expected), np.array(observed)
    return float(chi2.sf(((found - wanted) ** 2 / wanted).sum(), len(wanted) - 1))


def count_rows(rows: np.ndarray) -> Counter[Hashable]:
    """How often each row of a table of small numbers occurs."""
    small = np.ascontiguousarray(rows, np.int8)
    assert (small == rows).all()
    counted = Counter(row.tobytes() for row in small)
    return Counter({tuple(np.frombuffer(row, np.int8).tolist()): count for row, count in counted.items()})
