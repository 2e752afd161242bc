"""Calls of the public interfaces in any order, of every game; `make fuzz` runs far more of them."""

from __future__ import annotations

import pytest
from conformance.options import game_name
from fuzz.machines import MACHINES, fuzz, machine_of

from riverbed_env.kernels.compile import compiled

STEPS = 30


@pytest.mark.parametrize(
    ("name", "game_id"),
    [
        pytest.param(name, game_id, id=f"{name}-{game_name(game_id)}")
        for name, entry in MACHINES.items()
        for game_id in entry.games
    ],
)
def test_calls_in_any_order(name: str, game_id: str) -> None:
    fuzz(machine_of(name, game_id), None, examples=MACHINES[name].share if compiled() else 2, steps=STEPS)
