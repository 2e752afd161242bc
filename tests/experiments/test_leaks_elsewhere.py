"""The leak kit on other libraries' games: clean ones pass, a planted leak is found, and all can be driven."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import BaseWrapper

from riverbed_env.testing.leaks import copy_env
from studies.leaks import __main__ as leaks
from studies.leaks import pettingzoo_games
from studies.leaks.cases import Case

pytestmark = pytest.mark.slow  # `make check`


@pytest.fixture(autouse=True)
def without_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "_attacked", lambda case, games, seed: {})


def case_of(name: str) -> Case:
    case = next(case for case in leaks.all_cases() if case.name.startswith(name))
    for module in case.packages.values():
        pytest.importorskip(module)
    return case


class Peeking(BaseWrapper):
    """Marks the other's card in the fourth entry of the observation."""

    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        other = pettingzoo_games.poker_game(self).players[1 - self.possible_agents.index(agent)]
        seen["observation"][3] += other.hand.rank == "K"
        return seen


def test_nothing_is_found_in_leduc_holdem_but_its_picture_is_for_spectators() -> None:
    row = leaks.measure(case_of("PettingZoo leduc"), 6)
    assert (row["verdict"], row["said"]) == (leaks.NOTHING, "")
    assert row["twins"] >= row["differed"] > 5
    assert set(row["varied"]) == {"hands", "deck"}
    assert "draws facts that are hidden" in row["drawn"]
    assert json.loads(json.dumps(row)) == row


def test_a_planted_leak_is_found_and_not_called_a_leak_before_it_is_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clean = case_of("PettingZoo leduc")
    planted = replace(clean, make=lambda: Peeking(clean.make()), make_drawn=None)
    row = leaks.measure(planted, 6)
    assert row["verdict"] == leaks.UNEXPLAINED
    assert "observation[3]" in row["said"]
    explained = replace(planted, explained={(when, "observation"): "planted" for when in ("in turn", "out of turn")})
    assert leaks.measure(explained, 6)["verdict"] == leaks.LEAK
    leaks.print_report([row])
    assert "observation[3]" in capsys.readouterr().out


def test_a_twin_that_shows_another_of_the_own_cards_cannot_be_driven() -> None:
    def wrong(env: Any, agent: str, rng: np.random.Generator) -> Any:
        other = copy_env(env)
        own, theirs = (pettingzoo_games.poker_game(other).players[seat] for seat in (0, 1))
        own.hand, theirs.hand = theirs.hand, own.hand
        return other

    row = leaks.measure(replace(case_of("PettingZoo leduc"), twin=wrong), 6)
    assert row["verdict"] == leaks.NOT_DRIVEN
    assert row["said"].startswith("TwinError")


@pytest.mark.parametrize("case", leaks.all_cases(), ids=lambda case: case.name)
def test_every_environment_is_driven_and_all_that_differs_is_explained(case: Case) -> None:
    for module in case.packages.values():
        pytest.importorskip(module)
    row = leaks.measure(case, 2)
    assert row["verdict"] in (leaks.NOTHING, leaks.LEAK), row["said"]
    assert row["differed"] > 0
