"""Every installed agent chooses as it did when its choices were written down."""

from __future__ import annotations

import pytest
from choices import FILE, TABLES, choices
from conformance.options import OURS

from riverbed_env.registry import find_game


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", TABLES)
def test_every_agent_chooses_as_before(name: str) -> None:
    kept = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line.startswith(f"{name} ")]
    assert list(choices(name)) == kept


def test_the_agents_of_every_game_are_watched() -> None:
    assert sorted(TABLES) == sorted(find_game(game).name for game in OURS)
