"""Simulated clusters are kept busy by the loop that keeps Ray busy, and what is measured can be played again."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat

import pytest

from riverbed_lab.ray_calls import AHEAD, keep_busy
from studies.cluster_size import Simulated, Timed, evaluated, measure, pretend, simulate

PARTS = Timed(cores=1, parts=10, games=1000, wall=10.0, play=[1.0], gap=0.0, writer=0.0)


@pytest.mark.parametrize("cores", [1, 2, 64])
def test_a_writer_that_costs_nothing_leaves_a_cluster_linear(cores):
    assert simulate(cores, PARTS) == pytest.approx(cores)


def test_time_between_parts_costs_every_core_the_same():
    assert simulate(8, replace(PARTS, gap=0.25)) == pytest.approx(8 / 1.25)


def test_a_cluster_is_no_faster_than_the_machine_that_writes():
    slow = replace(PARTS, writer=0.05)
    assert simulate(10, slow) == pytest.approx(10, rel=0.03)
    assert simulate(100, slow) == pytest.approx(20, rel=0.03)


def test_parts_wait_for_each_core_but_no_more_than_it_needs():
    cluster, most = Simulated(3, repeat(1.0), 0.0), 0
    for done, _ in enumerate(keep_busy(((part, ()) for part in range(50)), cluster.calls())):
        most = max(most, cluster.started - done)
    assert cluster.started == 50
    assert most == AHEAD * 3


def test_parts_in_flight_are_given_up_when_their_taker_stops():
    cluster, given_up = Simulated(3, repeat(1.0), 0.0), []
    results = keep_busy(((part, ()) for part in range(50)), replace(cluster.calls(), cancel=given_up.append))
    next(results)
    results.close()
    assert len(given_up) == AHEAD * 3 - 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")  # Ray's own
def test_parts_are_timed_on_a_ray_and_others_wait_as_long():
    pytest.importorskip("ray")
    with evaluated("deep_river_v0", "greedy", 2, 40, 8, 0) as (evaluation, tasks):
        measured = measure(evaluation, tasks, 1)
    assert (measured.parts, measured.games) == (6, 240)
    assert all(seconds > 0 for seconds in measured.play)
    assert measured.writer > 0
    with evaluated("deep_river_v0", "greedy", 2, 40, 8, 0) as (evaluation, tasks):
        waited = pretend(evaluation, tasks, 2, measured)
        assert not [task for task in tasks if task in evaluation.left]
    assert (waited.parts, waited.games) == (4, 160)
