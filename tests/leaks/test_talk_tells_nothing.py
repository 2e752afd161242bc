"""RH-9: who is asked on the floor, what may be said and what it shows don't depend on what a seat may not know."""

from typing import Any

import pytest
from hidden import HIDDEN

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.testing.hidden import everything, searched
from riverbed_env.testing.hidden.worlds import SOME

WORLDS = HIDDEN[RIVERBED_HUNT.id]
ALL_MAY = {"talk": "claims", "talk_budget": 2}
ACTIVE_MAY = {"talk": "claims", "talk_speakers": "active", "talk_budget": 3}


def search_on(num_players: int, games: int, steps: int, **options: Any) -> None:
    """Twins in parts, followed for some steps: nothing tells them apart."""
    report = searched(WORLDS, num_players, games, parts=SOME, steps=steps, **options)
    assert report.decisions > report.compared > 0


@pytest.mark.parametrize("options", [ALL_MAY | {"talk_budget": 1}, ACTIVE_MAY], ids=["table", "active"])
def test_worlds_that_differ_in_secrets_look_the_same_on_the_floor(options: dict[str, Any]) -> None:
    assert searched(WORLDS, 4, 1, **options).alike == 0
    search_on(4, 1, 20, **options)


@pytest.mark.slow
@pytest.mark.parametrize("options", [ALL_MAY, ACTIVE_MAY], ids=["table", "active"])
@pytest.mark.parametrize("num_players", range(4, 10))
def test_they_look_the_same_in_all_that_reaches_a_seat(num_players: int, options: dict[str, Any]) -> None:
    report = searched(WORLDS, num_players, 1, channels=everything(WORLDS), **options)
    assert report.alike == 0
    assert report.compared > 20


@pytest.mark.slow
@pytest.mark.parametrize("auto_forced", ["public", "none"])
@pytest.mark.parametrize("options", [ALL_MAY, ACTIVE_MAY], ids=["table", "active"])
@pytest.mark.parametrize("num_players", range(4, 10))
def test_they_keep_looking_the_same_at_a_table_that_speaks(
    num_players: int, options: dict[str, Any], auto_forced: str
) -> None:
    search_on(num_players, 1, 40, auto_forced=auto_forced, **options)
