"""Parts played on a Ray cluster: the same rows as on one machine."""

import os
from pathlib import Path

import pytest
from experiments.evaluated import AGENTS, PLAN

from riverbed_env.errors import OptionError, RiverbedError
from riverbed_lab.evaluation.folder import Folder
from riverbed_lab.evaluation.run import Evaluation

pytest.importorskip("ray")
from cluster.ray_session import nodes, rows_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def cluster():
    with nodes(1, 1) as started:
        yield started


def test_an_evaluation_on_a_cluster_writes_the_rows_of_one_machine_once_each(cluster, tmp_path, monkeypatch):
    from riverbed_lab.cluster import blocks

    here = Evaluation.begin(PLAN, tmp_path / "here", 1, AGENTS)
    here.play()
    written: list[tuple[int, int]] = []
    write = Folder.write
    monkeypatch.setattr(Folder, "write", lambda self, *part: (written.append(part[:2]), write(self, *part))[1])
    there = Evaluation.begin(PLAN, tmp_path / "there", 1, AGENTS)
    deals: list[float] = []
    there.play(lambda cell, done, games: deals.append(done), blocks)
    assert sorted(written) == sorted((task.number, task.chunk) for task in here.tasks)
    assert sum(deals) == sum(task.deals for task in here.tasks)
    assert rows_of(there.folder) == rows_of(here.folder)


def test_an_error_of_a_part_reaches_the_caller_as_it_was_raised(cluster):
    from riverbed_lab.cluster import on_cluster

    def refuse(part: int) -> int:
        raise OptionError(f"part {part} can't be played")

    with pytest.raises(OptionError, match="part 3 can't be played"):
        list(on_cluster(refuse, [(3, (3,))], 1))
    with pytest.raises(RiverbedError, match="ZeroDivisionError"):
        list(on_cluster(lambda part: part / 0, [(3, (3,))], 1))


def test_more_cores_than_a_node_has_are_refused(cluster):
    from riverbed_lab.cluster import on_cluster

    with pytest.raises(OptionError, match="no node of the cluster has 5 cores; the largest has 1"):
        list(on_cluster(abs, [(3, (3,))], 5))


def test_a_node_with_other_rules_is_named(cluster, tmp_path, monkeypatch):
    from dataclasses import replace

    from riverbed_lab.cluster import blocks

    evaluation = Evaluation.begin(PLAN, tmp_path, 1, AGENTS)
    monkeypatch.setattr(evaluation.folder, "identity", replace(evaluation.folder.identity, sources="0"))
    with pytest.raises(OptionError, match="has other rules, agents or content"):
        evaluation.play(work=blocks)


def test_policies_by_relative_paths_travel_along(cluster, tmp_path, monkeypatch):
    from riverbed_lab.cluster import files_of, on_cluster, working_with

    monkeypatch.chdir(tmp_path)
    Path("agents").mkdir()
    Path("agents/mine.npz").write_bytes(b"weights")
    files = files_of(["agents/mine.npz:greedy=true", "simple", "gone.npz"])
    os.chdir("/")

    def read(given: dict[str, bytes]) -> bytes:
        with working_with(given):
            return Path("agents/mine.npz").read_bytes()

    assert list(on_cluster(read, [(0, (files,))], 1)) == [(0, b"weights")]
