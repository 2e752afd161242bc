"""Kernels: views and words of memory, comprehensions, calls of each other, and what batches show."""

import importlib
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from riverbed_env.errors import ForkError
from riverbed_env.kernels import threads
from riverbed_env.kernels.compile import KernelFamily
from riverbed_env.kernels.memory import put_word, viewed, word_at

PAIR = np.dtype([("small", np.int16), ("large", np.int64)], align=True)
njit: Any = numba.njit


def as_words(array: Any) -> Any:
    words = viewed(array, np.int64)
    words[0] = len(words)
    return words[1], words.strides[0], words.nbytes


def as_pairs(array: Any) -> Any:
    pairs = viewed(array, PAIR)
    pairs[0]["large"] = 7
    return pairs[1]["small"], pairs[1]["large"], len(pairs)


@pytest.mark.parametrize("compiling", [False, pytest.param(True, marks=pytest.mark.compiled)])
def test_a_view_is_the_same_memory_as_values_of_another_type(compiling: bool) -> None:
    read_words, read_pairs = (njit(as_words), njit(as_pairs)) if compiling else (as_words, as_pairs)
    memory = np.arange(24, dtype=np.int8)
    assert read_words(memory) == (int.from_bytes(range(8, 16), "little"), 8, 24)
    assert memory[:8].tobytes() == (3).to_bytes(8, "little")
    pairs = np.array([(1, 2), (-3, 4)], PAIR)
    assert read_pairs(pairs.view(np.uint8)) == (-3, 4, 2)
    assert pairs["large"].tolist() == [7, 4]


def add_words(array: Any, place: int) -> Any:
    word = word_at(array, place)
    put_word(array, place + 9, word + 1)
    return word


@pytest.mark.parametrize("compiling", [False, pytest.param(True, marks=pytest.mark.compiled)])
def test_words_lie_anywhere(compiling: bool) -> None:
    table = np.arange(24, dtype=np.int8).reshape(4, 6)
    word = (njit(add_words) if compiling else add_words)(table, 3)
    assert word == int.from_bytes(range(3, 11), "little")
    assert table.ravel().tolist() == [*range(12), 4, *range(4, 11), *range(20, 24)]


def largest_of_squares(numbers: Any) -> Any:
    return max([number * number for number in numbers])


@pytest.mark.compiled
def test_kernels_may_have_comprehensions(tmp_path: Path) -> None:
    kernel = KernelFamily("comprehending", tmp_path)(largest_of_squares)
    assert kernel(np.array([1, -3, 2])) == 9


def test_threads_after_a_fork_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_lost_by_fork", ["omp"])
    with pytest.raises(ForkError, match="forkserver"):
        threads.with_threads(2, lambda: None)
    threads.with_threads(1, lambda: None)
    monkeypatch.setattr(threads, "_lost_by_fork", ["tbb"])  # its threads survive
    threads.with_threads(2, lambda: None)


@pytest.mark.compiled
def test_compiling_is_announced_once_and_cached_kernels_arent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    private = importlib.import_module("riverbed_env.kernels.private")
    monkeypatch.setenv("RIVERBED_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "announced.py").write_text("def doubled(number):\n    return number + number\n")
    monkeypatch.syspath_prepend(tmp_path)
    said = []
    for _ in range(2):
        private.announce_compilation.cache_clear()
        doubled = KernelFamily("announced", tmp_path)(importlib.import_module("announced").doubled)
        assert (doubled(1), doubled(0.5)) == (2, 1.0)  # two compilations
        said.append(capsys.readouterr().err)
    assert said == [f"{private.COMPILING}\n", ""]
