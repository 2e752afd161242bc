"""A node of a Ray cluster that is killed costs the parts it had in flight, and nothing else."""

import time
from pathlib import Path
from typing import Any

import pytest
from experiments.evaluated import AGENTS, PLAN

from riverbed_lab.evaluation.run import Evaluation

pytest.importorskip("ray")
from cluster.ray_session import kill, nodes, rows_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]


def test_a_killed_node_costs_the_parts_it_had_in_flight_and_nothing_else(tmp_path):
    from riverbed_lab.cluster import on_cluster

    def log_and_wait_if_doomed(log: str, doomed: str, part: int) -> int:  # inside, as nodes can't import this file
        import ray

        here = ray.get_runtime_context().get_node_id()
        with Path(log).open("a") as file:
            file.write(f"{part} {here}\n")
        while here == doomed or doomed not in Path(log).read_text():  # the others wait until it has begun a part
            time.sleep(0.05)
        return part * part

    with nodes(1, 1) as (node, other):
        log, parts = tmp_path / "log", 12
        work = [(part, (str(log), node.node_id, part)) for part in range(parts)]
        results = {}
        killed = False
        for key, result in on_cluster(log_and_wait_if_doomed, work, 1):
            results[key] = result
            if not killed:
                kill(node)
                killed = True
        assert other.node_id in log.read_text()
    assert results == {part: part * part for part in range(parts)}
    begun = [line.split() for line in log.read_text().splitlines()]
    lost = [part for part, where in begun if where == node.node_id]
    assert len(begun) == parts + len(lost)
    assert len(lost) == 1


def test_an_evaluation_survives_the_kill_of_a_node(tmp_path):
    from riverbed_lab.cluster import blocks

    here = Evaluation.begin(PLAN, tmp_path / "here", 1, AGENTS)
    here.play()
    there = Evaluation.begin(PLAN, tmp_path / "there", 1, AGENTS)
    with nodes(1, 1) as (node, _):

        def killing(*given: Any) -> Any:
            for number, part in enumerate(blocks(*given)):
                yield part
                if number == 3:
                    kill(node)

        there.play(work=killing)
    assert not there.left
    assert rows_of(there.folder) == rows_of(here.folder)
