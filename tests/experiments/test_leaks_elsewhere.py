"""The leak kit's runner on other libraries' games: what it says where nothing leaks, where a leak is planted."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import BaseWrapper
from rich.console import Console
from rich.progress import Progress

from riverbed_env.testing.leaks import copy_env
from studies.leaks import report, rlcard_games
from studies.leaks.cases import Case
from studies.leaks.report import LEAK, NO_SECRET, NOT_DRIVEN, NOTHING, UNEXPLAINED, measure

pytestmark = pytest.mark.slow  # `make check`


@pytest.fixture(autouse=True)
def without_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "_attacked", lambda case, games, seed: {})


def case_of(name: str) -> Case:
    found = next(case for case in report.all_cases() if case.name.startswith(name))
    for module in found.packages.values():
        pytest.importorskip(module)
    return found


class Peeking(BaseWrapper):
    """Marks the other's card in the fourth entry of the observation, as long as none lies on the table."""

    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        other = rlcard_games.poker_game(self).players[1 - self.possible_agents.index(agent)]
        seen["observation"][3] += other.hand.rank == "K"
        return seen


def test_nothing_is_found_in_leduc_holdem_but_its_picture_is_for_spectators() -> None:
    row = measure(case_of("PettingZoo leduc"), 6)
    assert (row["verdict"], row["said"]) == (NOTHING, "")
    assert row["twins"] >= row["differed"] > 5
    assert set(row["varied"]) == {"hands", "deck"}
    assert row["decisions"] > 0
    assert "draws what is hidden" in row["drawn"]
    assert json.loads(json.dumps(row)) == row


def test_a_planted_leak_in_leduc_holdem_is_found_and_not_called_one_before_it_is_looked_into() -> None:
    clean = case_of("PettingZoo leduc")
    assert clean.make is not None
    make = clean.make
    planted = replace(clean, make=lambda: Peeking(make()), make_drawn=None)
    row = measure(planted, 6)
    assert row["verdict"] == UNEXPLAINED
    assert row["told in turn"].keys() == {"observation"}
    assert "observation[3]" in row["said"]
    explained = replace(planted, explained={(when, "observation"): "planted" for when in ("in turn", "out of turn")})
    assert measure(explained, 6)["verdict"] == LEAK


@pytest.mark.slow
@pytest.mark.parametrize("case", report.all_cases(), ids=lambda case: case.name)
def test_every_environment_is_driven_and_all_that_differs_is_explained(case: Case) -> None:
    for module in case.packages.values():
        pytest.importorskip(module)
    row = measure(case, 2)
    assert row["verdict"] in (NOTHING, LEAK, NO_SECRET), row["said"]
    assert row["verdict"] == NO_SECRET or row["differed"] > 0


def test_gin_rummy_shows_the_acting_hand_to_those_who_look_out_of_turn() -> None:
    case = case_of("RLCard gin")
    assert case.make is not None
    env = case.make()
    env.reset(seed=1)
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert np.array_equal(env.observe(other)["observation"], env.observe(env.agent_selection)["observation"])


def test_a_twin_that_shows_another_of_the_own_cards_cannot_be_driven() -> None:
    def wrong(env: Any, agent: str, rng: np.random.Generator) -> Any:
        other = copy_env(env)
        own, theirs = (rlcard_games.poker_game(other).players[seat] for seat in (0, 1))
        own.hand, theirs.hand = theirs.hand, own.hand
        return other

    row = measure(replace(case_of("PettingZoo leduc"), twin=wrong), 6)
    assert row["verdict"] == NOT_DRIVEN
    assert row["said"].startswith("TwinError")


def test_all_is_measured_printed_and_written(tmp_path: Any) -> None:
    console = Console(width=120, record=True, quiet=False, file=None)
    with console.capture() as captured, Progress(console=console, disable=True) as bar:
        rows = report.measure_all(1, 0, bar, only="tictactoe")
        rows.append(
            {
                "name": "planted",
                "remark": "",
                "verdict": UNEXPLAINED,
                "said": "by its [mask]",
                "told in turn": {"mask": 1},
            }
        )
        report.print_report(rows, console)
    words = captured.get()
    assert "PettingZoo tictactoe_v3" in words
    assert "differs, not looked into (in turn)" in words
    assert "by its [mask]" in words
    assert report.worth_an_error(rows)
    assert not report.worth_an_error(rows[:1])
    assert json.loads(report.write_report(rows, tmp_path).read_text())["rows"] == rows
