"""Calibration of packs: other endpoints are played, and what is right is told from what is off."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from riverbed_env.core.packs import find_pack
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.specs import find_agent
from riverbed_lab.statistics import rate
from studies import calibration
from studies.calibration import Measured, with_endpoints

pytestmark = pytest.mark.slow  # `make check`


PACK = find_pack("riverbed_hunt", "default")


def test_other_endpoints_of_one_player_count_leave_the_rest_of_the_pack_alone() -> None:
    before, after = tomllib.loads(PACK.read_text()), tomllib.loads(with_endpoints(PACK.read_text(), 6, (5, 4, 3)))
    changed = [section["count"] for section, old in zip(after["players"], before["players"]) if section != old]
    assert changed == [6]
    assert after["players"][2]["endpoints"] == {"kelp": 5, "log": 4, "coin": 3}
    assert {**after, "players": 0} == {**before, "players": 0}


def measured(merchants: int, separatists: int, profiteer: int, hunts: int, cons: int) -> Measured:
    """Rates in percent of 100 games."""
    wins = (rate(merchants, 100), rate(separatists, 100), rate(profiteer, 100))
    return Measured((7, 7, 5), wins, rate(hunts, 100), rate(cons, 100), 70.0)


@pytest.mark.parametrize(
    ("found", "off"),
    [
        (measured(42, 38, 20, 12, 18), 0.0),
        (measured(48, 38, 14, 12, 18), 0.04),
        (measured(35, 35, 30, 12, 18), 0.02),
        (measured(45, 45, 10, 12, 18), 0.02),
        (measured(42, 38, 20, 7, 18), 0.03),
        (measured(42, 38, 20, 12, 10), 0.05),
    ],
)
def test_how_far_off_a_pack_is(found: Measured, off: float) -> None:
    assert found.off == pytest.approx(off)


@pytest.mark.compiled
def test_nearer_ends_are_reached_more_often() -> None:
    usual = calibration.measure(UNIFORM, 7, (7, 7, 5), 400, PACK, 1, 1)
    short = calibration.measure(UNIFORM, 7, (3, 7, 5), 400, PACK, 1, 1)
    assert short.wins[0].is_above(usual.wins[0])
    assert short.decisions < usual.decisions
    assert usual.wins[2].games == usual.cons.games == 400


@pytest.mark.compiled
def test_powers_are_compared_on_common_deals() -> None:
    agent = find_agent("simple", "riverbed_hunt")
    worth = calibration.worth_of_powers(
        agent, UNIFORM, 5, 300, PACK, 1, 1
    )  # who plays at random uses none of them well
    assert set(worth) == {"leader", "profiteer"}
    assert all(found.blocks == 300 and found.low <= found.value <= found.high for found in worth.values())
    assert worth["leader"].low > 0
    same = calibration.worth_of_powers(agent, agent, 5, 50, PACK, 1, 1)
    assert np.array([found.value for found in same.values()]).max() == 0
