"""Files, kernel caches, signals and commands when disks fail, processes are killed and others are in the way."""

import errno
import importlib
import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from faults.commands import COMMANDS, TESTS, Command, Process, assert_ended, assert_refused, half_written, outcome
from filelock import FileLock
from in_process import riverbed

from riverbed_env.core.files import write_whole
from riverbed_env.errors import WriteError
from riverbed_env.kernels.compile import KernelFamily
from riverbed_lab.cli import signals
from riverbed_lab.cli.console import errors, plainly
from riverbed_lab.locks import LOCK
from riverbed_lab.tensorboard import EventWriter

KEPT = ("checkpoint.npz", "*.parquet")  # what a command keeps on the way
SMALL_FILES = 2048  # bytes that a file may have, where the disk is to take no more

# --- files ----------------------------------------------------------------------------------------------------------


def test_only_half_written_files_of_dead_processes_are_deleted(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = [f".kept.json.{gone.pid}.part", f".kept.json.{os.getppid()}.part", f".other.json.{gone.pid}.part"]
    for name in names:
        (tmp_path / name).write_text("half")
    write_whole(tmp_path / "kept.json", lambda partial: partial.write_text("whole"))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names[1:], "kept.json"])


def test_a_file_is_on_the_disk_before_it_takes_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    replace, to_disk = Path.replace, os.fsync

    def note_replace(path: Path, target: Path) -> Path:
        happened.append("replaced")
        return replace(path, target)

    def note_disk(number: int) -> None:
        happened.append("on disk")
        to_disk(number)

    monkeypatch.setattr(Path, "replace", note_replace)
    monkeypatch.setattr(os, "fsync", note_disk)
    write_whole(tmp_path / "kept", lambda partial: partial.write_text("whole"))
    assert happened == ["on disk", "replaced"]


def test_a_disk_that_fails_leaves_the_old_file_and_gives_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept"
    path.write_text("old")

    def fail(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(WriteError, match="kept couldn't be written: No space left on device; make room there"):
        write_whole(path, lambda partial: partial.write_text("new"))
    assert path.read_text() == "old"
    assert not half_written(tmp_path)


def test_a_board_that_cannot_be_written_says_so_and_leaves_no_thread(tmp_path: Path) -> None:
    board = EventWriter(tmp_path)
    board._file.flush()
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, board._file.fileno())
    os.close(full)
    with pytest.raises(WriteError, match="No space left on device"):
        board.scalars([("won", 0.5)], 1)
    board.close()
    assert board._file.closed


# --- kernels on the disk --------------------------------------------------------------------------------------------


def run_little(program: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program, in a folder with a module of one little kernel."""
    (folder / "little.py").write_text("def outer(number):\n    return number + 1\n")
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", ""), str(TESTS.parent)])
    words, env = [sys.executable, "-c", program], {**os.environ, **variables, "PYTHONPATH": paths}
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, env=env)


KERNEL = """
import resource
from importlib import import_module
from pathlib import Path
from riverbed_env.kernels.compile import KernelFamily
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))  # bytes that a file may have
outer = KernelFamily("little", Path.cwd())(import_module("little").outer)
print(outer(3), sum(outer.stats.cache_hits.values()))
"""


@pytest.mark.compiled
def test_a_cache_that_is_full_costs_a_compilation(tmp_path: Path) -> None:
    variables = {"RIVERBED_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = run_little(KERNEL, tmp_path, **variables)
    assert (done.returncode, done.stdout) == (0, "4 0\n"), done.stderr
    assert "compiled kernels can't be saved in" in done.stderr


TWO_FAMILIES = """
from pathlib import Path
from little import outer
from riverbed_env.kernels.compile import KernelFamily
print(*(KernelFamily(name, Path.cwd())(outer)(3) for name in ("little", "small")))
"""


@pytest.mark.compiled
@pytest.mark.parametrize("home", [True, False], ids=["a home", "no home either"])
def test_folders_that_cannot_be_written_are_reported_once_with_advice(home: bool, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a file where a folder is needed")
    folder = tmp_path / "own" if home else file
    variables = {
        "RIVERBED_CACHE_DIR": str(file),
        **dict.fromkeys(("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"), str(folder)),
    }
    done = run_little(TWO_FAMILIES, tmp_path, **variables)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("UserWarning") == 1, done.stderr
    assert f"RIVERBED_CACHE_DIR ({file})" in done.stderr
    assert ("are saved in" if home else "set RIVERBED_CACHE_DIR to a folder that you can write") in done.stderr


@pytest.mark.compiled
def test_damaged_files_in_the_cache_cost_a_compilation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tiny.py").write_text("def outer(number):\n    return number + 1\n")
    monkeypatch.setenv("RIVERBED_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    outer = importlib.import_module("tiny").outer

    def hits() -> int:
        """How often a kernel is found in the cache by a new family of kernels."""
        kernel: Any = KernelFamily("tiny", tmp_path)(outer)
        assert kernel(3) == 4
        return sum(kernel.stats.cache_hits.values())

    assert [hits(), hits()] == [0, 1]
    for suffix, content in product(("nbi", "nbc"), (b"", bytes(200))):  # as a power cut leaves them
        (path,) = (tmp_path / "cache").rglob(f"*.{suffix}")
        path.write_bytes(content)
        assert [hits(), hits()] == [0, 1]


# --- signals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_command_in_one_line_that_says_how_to_resume(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    number = getattr(signal, name)
    before = signal.getsignal(number)

    def command() -> None:
        signals.set_resume_words(lambda: "all is kept")
        signal.raise_signal(number)

    with pytest.raises(SystemExit) as ended:
        plainly(command)
    assert ended.value.code == 128 + number
    said = "interrupted" if name == "SIGINT" else f"ended by {name}"
    assert capsys.readouterr().err == f"riverbed: {said}; all is kept\n"
    assert signal.getsignal(number) is before


def test_a_signal_that_a_library_turns_into_another_error_is_still_reported(capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        except BaseException as error:  # as extension modules do while they are imported
            raise ImportError("it failed to import") from error

    with pytest.raises(SystemExit) as ended:
        plainly(command)
    assert ended.value.code == 128 + signal.SIGTERM
    assert capsys.readouterr().err == "riverbed: ended by SIGTERM\n"


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # nohup
    try:
        with signals.stoppable():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


DEAF = """
import ctypes, signal
from riverbed_lab.cli.signals import set_resume_words, stoppable

def stop():
    signal.raise_signal(signal.SIGTERM)

def stop_in_vain():
    try:
        stop()
    except BaseException:
        pass

with stoppable():
    set_resume_words(lambda: "all is kept")
    {deaf}
    print("went on")
"""


@pytest.mark.parametrize(
    "deaf",
    ["ctypes.PYFUNCTYPE(None)(stop)()", "stop_in_vain(), stop_in_vain()"],
    ids=["called back by a library", "swallowing it once"],
)
def test_a_command_that_does_not_react_is_ended(deaf: str) -> None:
    words = [sys.executable, "-c", DEAF.format(deaf=deaf)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (128 + signal.SIGTERM, "")
    assert ended.stderr == "riverbed: ended by SIGTERM; all is kept\n"


# --- commands -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.compiled
def test_a_training_that_is_stopped_leaves_nothing_half_done(tmp_path: Path) -> None:
    train = COMMANDS["train"]
    process = train.begin(tmp_path / "run", tmp_path / "log")
    while not (tmp_path / "run" / "checkpoint.npz").exists():
        assert process.running(), (tmp_path / "log" / "err").read_text()
        time.sleep(0.01)
    process.process.send_signal(signal.SIGTERM)
    ended = process.wait(60.0)
    assert_refused(ended, 128 + signal.SIGTERM, "the last checkpoint is kept", "resume with")
    assert not half_written(tmp_path / "run")
    assert not process.left_behind()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_killed_command_is_resumed_to_what_an_undisturbed_one_leaves(command: Command, tmp_path: Path) -> None:
    whole, folder, log = (tmp_path / name for name in ("whole", "run", "log"))
    assert_ended(command.begin(whole, log).wait())
    process = command.begin(folder, log)
    while not any(path for kept in KEPT for path in folder.rglob(kept)):
        assert process.running(), (log / "err").read_text()
        time.sleep(0.01)
    process.process.kill()
    assert process.wait(60.0).code == -signal.SIGKILL
    assert not process.left_behind()
    assert_ended(command.begin(folder, log).wait())
    assert outcome(folder) == outcome(whole)
    assert not half_written(folder)


@pytest.mark.slow
@pytest.mark.compiled
def test_a_full_disk_and_unread_output_end_a_command_with_one_line(tmp_path: Path) -> None:
    train = COMMANDS["train"]
    quoted = ["bash", "-c", f'ulimit -f {SMALL_FILES // 1024}; exec "$@"', "bash", *train.line(tmp_path / "run")]
    ended = Process(quoted, tmp_path / "log", {"NUMBA_CACHE_DIR": None}).wait()
    assert_refused(ended, 2, "couldn't be written: File too large", "riverbed train")
    assert not half_written(tmp_path / "run")
    lost = Process(["bash", "-c", '"$@" > /dev/full', "bash", *train.line(tmp_path / "lost")], tmp_path / "log")
    assert_refused(lost.wait(), 2, "the output couldn't be written: No space left on device")


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "simple", "--players", "4"),
        ("train", "--set", "game=ford_v0"),
        ("exploit", "random", "--set", "game=ford_v0"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_folder_in_which_another_process_works_is_refused_at_once(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "status", lambda words: pytest.fail("it compiled first"))
    with FileLock(tmp_path / LOCK):  # another holder, as another process would be
        done = riverbed(*words, "--out", str(tmp_path))
    assert done.returncode == 2
    assert "another process is working in" in " ".join(done.stderr.split())
    assert {path.name for path in tmp_path.iterdir()} <= {LOCK}
