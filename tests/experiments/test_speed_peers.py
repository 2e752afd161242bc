"""The peers play whole games and are counted rightly; how fast they are is measured elsewhere, not tested."""

from __future__ import annotations

import pytest

from riverbed_lab.speed.peers import Measurement, Peer, measure, peers

BRIEFLY = 0.05  # seconds


def label(peer: Peer) -> str:
    return f"{peer.name}, {peer.call}"


def measured(name: str) -> Measurement:
    """A brief measurement of the first peer called `name`; skips the test when it is not installed."""
    peer = next(peer for peer in peers() if peer.name == name)
    measurement = measure(peer, BRIEFLY)
    if measurement is None:
        pytest.skip(f"{peer.requirement} is not installed")
    return measurement


@pytest.mark.parametrize("peer", peers(), ids=label)
def test_peer_plays_at_least_one_game(peer: Peer) -> None:
    measurement = measure(peer, BRIEFLY)
    if measurement is None:
        pytest.skip(f"{peer.requirement} is not installed")
    assert (measurement.name, measurement.call) == (peer.name, peer.call)
    assert measurement.decisions >= measurement.games >= 1
    assert measurement.seconds >= BRIEFLY
    assert measurement.decisions_per_second == pytest.approx(measurement.decisions / measurement.seconds)
    assert measurement.games_per_second == pytest.approx(measurement.games / measurement.seconds)


def test_calls_of_finished_agents_are_not_decisions() -> None:
    """Noughts and crosses takes 5 to 9 moves, 7.6 at random; with two closing calls a game it would be 9.6."""
    measurement = measured("PettingZoo tictactoe_v3")
    assert 5 <= measurement.decisions / measurement.games <= 9


def test_chance_is_not_a_decision() -> None:
    """Leduc poker takes 4.1 decisions at random; with its two or three cards it would be near 7."""
    measurement = measured("OpenSpiel leduc_poker")
    assert 3 < measurement.decisions / measurement.games < 5.5


def test_peer_that_is_not_installed_measures_as_none() -> None:
    def prepare(seed: int) -> None:
        raise AssertionError("a peer that is not installed must not be built")

    absent = Peer("Absent", "no call", "absent", ("no_such_module_anywhere",), prepare)  # type: ignore[arg-type]
    assert not absent.installed
    assert measure(absent, BRIEFLY) is None
