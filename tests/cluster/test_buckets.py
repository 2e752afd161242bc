"""A folder in a bucket: fetched, kept up to date part by part, held by one process."""

from __future__ import annotations

import os

import pytest
from experiments.evaluated import AGENTS, PLAN
from in_process import riverbed, settings

from riverbed_env.errors import OptionError
from riverbed_lab.cluster import folder_of, in_bucket
from riverbed_lab.evaluation.run import Evaluation, one_after_another

fsspec = pytest.importorskip("fsspec")
URL = "memory://tests/bucket"


@pytest.fixture(autouse=True)
def memory():
    system = fsspec.filesystem("memory")
    system.store.clear()
    return system


def names(system) -> list[str]:
    return sorted(system.find("/tests/bucket")) if system.exists("/tests/bucket") else []


def test_a_folder_stays_a_folder(tmp_path):
    with folder_of(str(tmp_path)) as (folder, keep):
        keep()
        assert folder == tmp_path


def test_a_mounted_disk_serves_as_a_bucket(tmp_path):
    with folder_of(f"file://{tmp_path}/new/bucket") as (folder, _):
        (folder / "parts").mkdir()
        (folder / "parts" / "one").write_text("1")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["one"]


def test_files_of_a_bucket_are_fetched_changed_and_deleted(memory):
    with folder_of(URL) as (folder, _):
        (folder / "parts").mkdir()
        (folder / "parts" / "one").write_text("1")
        (folder / "two").write_text("2")
    with folder_of(URL) as (folder, keep):
        assert (folder / "parts" / "one").read_text() == "1"
        (folder / "parts" / "one").unlink()
        (folder / "three").write_text("3")
        keep()
        assert [name for name in names(memory) if ".running-" not in name] == [
            "/tests/bucket/three",
            "/tests/bucket/two",
        ]
    assert names(memory) == ["/tests/bucket/three", "/tests/bucket/two"]


def test_changes_are_uploaded_in_the_order_in_which_they_were_written_and_deletions_last(memory, monkeypatch):
    memory.pipe_file("/tests/bucket/old", b"1")
    done: list[tuple[str, str]] = []
    for what in ("pipe_file", "rm_file"):
        monkeypatch.setattr(type(memory), what, lambda self, path, *_, what=what: done.append((what, path)))
    with folder_of(URL) as (folder, keep):
        done.clear()
        (folder / "old").unlink()
        for time, name in enumerate(("policy", "checkpoint", "state")):
            (folder / name).write_text(name)
            os.utime(folder / name, ns=(time, time))
        keep()
        keep()
        changed = [("pipe_file", f"/tests/bucket/{name}") for name in ("policy", "checkpoint", "state")]
        assert done == [*changed, ("rm_file", "/tests/bucket/old")]


def test_a_bucket_is_held_by_one_process(memory):
    memory.pipe_file("/tests/bucket/.running-elsewhere-7.lock", b"{}")
    with (
        pytest.raises(OptionError, match=r"another process is working in .*delete \.running-elsewhere-7"),
        folder_of(URL),
    ):
        pass
    assert names(memory) == ["/tests/bucket/.running-elsewhere-7.lock"]


def test_an_unknown_kind_of_bucket_is_refused_in_one_line():
    with (
        pytest.raises(OptionError, match="nowhere://b can't be read: Protocol not known: nowhere"),
        folder_of("nowhere://b"),
    ):
        pass


@pytest.mark.slow
def test_an_evaluation_in_a_bucket_keeps_each_part_and_resumes_there(memory, tmp_path):
    class Killed(Exception):
        pass

    def three(evaluation, tasks, watch):
        for number, part in enumerate(one_after_another(evaluation, tasks, watch)):
            if number == 3:
                raise Killed
            yield part
            keep()

    with pytest.raises(Killed), folder_of(URL) as (folder, keep):
        Evaluation.begin(PLAN, folder, 1, AGENTS).play(work=three)
    parts = [name for name in names(memory) if name.endswith(".parquet")]
    assert len(parts) == 3
    with folder_of(URL) as (folder, keep):
        evaluation = Evaluation.begin(PLAN, folder, 1, AGENTS)
        assert len(evaluation.left) == len(evaluation.tasks) - 3
        evaluation.play()
    assert len([name for name in names(memory) if name.endswith(".parquet")]) == len(evaluation.tasks)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["evaluate", "league"])
def test_a_command_names_the_bucket_and_not_its_copy(command, memory):
    words = {
        "evaluate": (
            *("random", "--reference", "random", "--game", "deep_river_v0"),
            *("--games", "4", "--tables", "mirror", "--no-report"),
        ),
        "league": (
            *settings(game="deep_river_v0", rounds=1, steps_per_round=64, num_envs=4, rollout_steps=16, batch_size=64),
            *settings(evaluation_games=8, lineups=4),
        ),
    }
    done = riverbed(command, *words[command], "--out", URL)
    assert done.returncode == 0, done.stderr
    assert URL in done.stdout
    assert "riverbed-bucket" not in done.stdout + done.stderr


def test_a_url_is_a_bucket_and_a_path_is_a_folder():
    assert in_bucket("s3://bucket/league")
    assert not in_bucket("results/league")
    assert not in_bucket("C:/results")
