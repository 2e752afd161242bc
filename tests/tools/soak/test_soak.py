"""The soak runs, and reports memory, files and threads that grow and what fails."""

from __future__ import annotations

import gc
import json
import mmap
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from soak import loads
from soak.loads import KINDS, Done
from soak.run import BOUNDS, MEBIBYTE, Row, report, work

RUN = Path(__file__).with_name("run.py")
TESTS = Path(__file__).parents[2]
ROUNDS = 26


@pytest.fixture
def little_to_collect() -> Iterator[None]:
    """Leave objects of other tests out of garbage collection, which would take long in every round."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def complaints(hurt: Callable[[int], Any]) -> list[str]:
    """What is wrong with a load that calls `hurt` in every round."""

    def begin() -> Iterator[Done]:
        for number in range(ROUNDS):
            hurt(number)
            yield Done("planted", 1, 10)

    rows: list[Row] = []
    work({"planted": begin}, rows.append, lambda cycle: cycle == ROUNDS)
    return report(rows, BOUNDS)[1]


class Kept:
    """What a load keeps: each method keeps something of one kind in every round."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self.end = threading.Event()

    def nothing(self, number: int) -> None:
        np.ones(MEBIBYTE, np.int8)

    def memory(self, number: int) -> None:  # pages of its own: what other tests freed may still be the process's
        self.things.append(mmap.mmap(-1, 12 * MEBIBYTE))
        self.things[-1].write(b"1" * len(self.things[-1]))

    def files(self, number: int) -> None:
        self.things.append(Path("/dev/null").open("rb"))  # noqa: SIM115

    def threads(self, number: int) -> None:
        threading.Thread(target=self.end.wait, daemon=True).start()


@pytest.mark.usefixtures("little_to_collect")
@pytest.mark.parametrize("what", ["nothing", "memory", "files", "threads"])
def test_what_a_load_keeps_is_reported(what: str) -> None:
    kept = Kept()
    reported = [words.split(maxsplit=1)[0] for words in complaints(getattr(kept, what))]
    kept.end.set()
    for thing in kept.things:
        thing.close()
    assert what in reported or (what == "nothing" and not reported)


@pytest.mark.usefixtures("little_to_collect")
def test_a_failure_is_reported_once_and_the_rest_continues() -> None:
    def hurt(number: int) -> None:
        if number == 2:
            raise KeyError("a planted fault")

    (said,) = complaints(hurt)
    assert said == f"planted: KeyError: 'a planted fault' ({ROUNDS // 3} times)"


@pytest.mark.parametrize(("rise", "grew"), [(0.7, False), (3.0, True)])
def test_the_trend_decides_not_the_noise(rise: float, grew: bool) -> None:
    line = np.linspace(0, rise * BOUNDS["memory"], 400)
    noise = np.random.default_rng(0).normal(0, 20, 400)
    filling = 500 * np.exp(-np.arange(400) / 20)  # caches fill in the warm-up
    other = {"kind": "usage", "blocks": 1, "files": 1, "threads": 1}
    rows = [{**other, "memory": float(value)} for value in line + noise - filling]
    assert bool(report(rows, BOUNDS)[1]) == grew


@pytest.mark.compiled
@pytest.mark.parametrize("kind", KINDS)
def test_each_load_plays_round_after_round(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loads, "EVALUATED", ("deep_river_v0",))  # others would be compiled
    load = loads.loads(np.random.default_rng(0), tmp_path, ["deep_river_v0"])[kind]()
    done = [next(load) for _ in range(4 if kind == "training" else 2)]
    assert all(each.games + each.decisions > 0 for each in done)
    load.close()  # type: ignore[attr-defined]
    assert not list(tmp_path.iterdir())


def soak(folder: Path, *words: str, plant: str = "") -> subprocess.CompletedProcess[str]:
    """A short soak of one worker in a process of its own, where no other test has been; with a leak planted in it."""
    (folder / "soak_with_a_leak.py").write_text(
        WITH_A_LEAK.format(paths=[str(TESTS), str(TESTS / "tools")], plant=plant)
    )
    options = ("--minutes", "0", "--workers", "1", "--out", str(folder / "out"), *words)
    command = [sys.executable, str(folder / "soak_with_a_leak.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


WITH_A_LEAK = """
import sys
sys.path[:0] = {paths}
from riverbed_env import errors
from riverbed_env.core.batch import Batch
from riverbed_env.envs.aec import TurnEnv
{plant}
from soak.run import main
if __name__ == "__main__":
    main()
"""

# What a batch, a reset and an error could hold on to. The first is of no Python object: only its bytes show.
LEAKS = {
    "memory": """
kept, step = bytearray(), Batch.step
def leaking(self, actions):
    step(self, actions)
    kept.extend(bytes(2000) * int(self.done.sum()))
Batch.step = leaking
""",
    "blocks": """
kept, clone = [], TurnEnv.clone
def leaking(self):
    kept.append(clone(self))
    return kept[-1]
TurnEnv.clone = leaking
""",
    "blocks of errors": """
kept, init = [], errors.IllegalActionError.__init__
def leaking(self, *words):
    kept.append(self)
    init(self, *words)
errors.IllegalActionError.__init__ = leaking
""",
}


@pytest.mark.compiled
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found_in_a_soak_of_what_keeps_nothing(leak: str, tmp_path: Path) -> None:
    done = soak(tmp_path, "--only", "random", "interfaces", "--game", "ford_v0", plant=LEAKS[leak])
    assert done.returncode == 1, done.stderr
    assert f"process 0: {leak.split(maxsplit=1)[0]} grew from" in done.stderr


@pytest.mark.compiled
def test_the_command_soaks_logs_and_reports(tmp_path: Path) -> None:
    done = soak(tmp_path, "--only", "random", "interfaces")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "out" / "soak-0.jsonl").read_text().splitlines()]
    assert {row["kind"] for row in rows} == {"random", "interfaces", "usage"}
    assert {"riverbed_hunt_v1, 4 players", "riverside_v0, 1 players"} <= {row.get("what") for row in rows}
