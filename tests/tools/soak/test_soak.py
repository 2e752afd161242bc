"""The soak runs, and reports memory, files and threads that grow and what fails."""

from __future__ import annotations

import gc
import json
import mmap
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from soak import loads
from soak.loads import KINDS, Done
from soak.run import Report, work
from soak.usage import MEBIBYTE, MEMORY_BOUND, Usage, growth

RUN = Path(__file__).with_name("run.py")
ROUNDS = 52  # twice as many as are played


@pytest.fixture
def little_to_collect() -> Iterator[None]:
    """Leave objects of other tests out of garbage collection, which would take long in every round."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def report_of(begin: Callable[[], Iterator[Done]]) -> Report:
    """The report of a worker that plays some rounds of this one load."""
    report, rounds = Report(), iter(range(ROUNDS))
    work(0, {"planted": begin}, time.time(), report.add, lambda: next(rounds, None) is None)
    return report


def planted(hurt: Callable[[int], Any]) -> Callable[[], Iterator[Done]]:
    """A load that calls `hurt` in every round."""

    def begin() -> Iterator[Done]:
        for number in range(ROUNDS):
            hurt(number)
            yield Done("planted", 1, 10)

    return begin


@pytest.mark.usefixtures("little_to_collect")
def test_a_load_that_keeps_nothing_is_flat() -> None:
    report = report_of(planted(lambda number: np.ones(MEBIBYTE, np.int8)))
    assert not report.complaints()
    assert report.played["planted"]["rounds"] >= ROUNDS // 2 - 1


@pytest.mark.usefixtures("little_to_collect")
def test_memory_that_is_kept_is_reported() -> None:
    kept = []

    def keep(number: int) -> None:  # pages of its own: what other tests freed may still be the process's
        kept.append(mmap.mmap(-1, 12 * MEBIBYTE))
        kept[-1].write(b"1" * len(kept[-1]))

    report = report_of(planted(keep))
    assert len(report.complaints()) == 1
    assert "process 0: memory grew by" in report.complaints()[0]


@pytest.mark.usefixtures("little_to_collect")
def test_files_that_are_left_open_are_reported() -> None:
    kept = []
    report = report_of(planted(lambda number: kept.append(Path("/dev/null").open("rb"))))  # noqa: SIM115
    for file in kept:
        file.close()
    assert len(report.complaints()) == 1
    assert "process 0: open files grew from" in report.complaints()[0]


@pytest.mark.usefixtures("little_to_collect")
def test_threads_that_do_not_end_are_reported() -> None:
    end = threading.Event()
    report = report_of(planted(lambda number: threading.Thread(target=end.wait, daemon=True).start()))
    end.set()
    assert any("process 0: threads grew from" in words for words in report.complaints())


@pytest.mark.usefixtures("little_to_collect")
def test_a_failure_is_reported_once_and_the_rest_continues() -> None:
    def hurt(number: int) -> None:
        if number == 2:
            raise KeyError("a planted fault")

    report = report_of(planted(hurt))
    assert report.played["planted"]["rounds"] > 5
    assert len(report.complaints()) == 1
    assert report.complaints()[0].startswith("planted of process 0: KeyError: 'a planted fault' (")


@pytest.mark.parametrize(("rise", "grew"), [(0.5 * MEMORY_BOUND, False), (1.5 * MEMORY_BOUND, True)])
def test_the_fitted_line_decides_not_the_noise(rise: float, grew: bool) -> None:
    times = np.linspace(0, 3600, 400)
    noise = np.random.default_rng(0).normal(0, 20, len(times))
    filling = 500 * np.exp(-times / 200)  # caches fill in the warm-up
    late = rise * (times - 900) / 2700
    samples = [Usage(at, 700 - each, 10, 5) for at, each in zip(times, filling - noise - late, strict=True)]
    assert bool(growth(samples).complaints) == grew


def test_too_few_samples_give_no_verdict() -> None:
    assert "soak longer" in growth([Usage(0.0, 1.0, 1, 1)] * 5).complaints[0]


@pytest.mark.compiled
@pytest.mark.parametrize("kind", KINDS)
def test_each_load_plays_round_after_round(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loads, "game_ids", lambda: ["deep_river_v0"])  # others would be compiled
    monkeypatch.setattr(loads, "EVALUATED", ("deep_river_v0",))
    load = loads.loads(np.random.default_rng(0), tmp_path)[kind]()
    done = [next(load) for _ in range(4 if kind == "training" else 2)]
    assert all(each.games + each.decisions > 0 for each in done)
    load.close()  # type: ignore[attr-defined]
    assert not list(tmp_path.iterdir())


@pytest.mark.compiled
def test_the_command_soaks_logs_and_reports(tmp_path: Path) -> None:
    words = ("--minutes", "0.01", "--workers", "1", "--only", "doors", "--out", str(tmp_path))
    done = subprocess.run([sys.executable, str(RUN), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "process 0: flat" in done.stdout
    rows = [json.loads(line) for line in (tmp_path / "soak.jsonl").read_text().splitlines()]
    assert {row["kind"] for row in rows} == {"doors", "usage"}
    assert {"riverbed_hunt_v0, 4 players", "riverside_v0, 1 players"} <= {row.get("what") for row in rows}
