"""Kernels: views and words of memory, comprehensions, late kernels, compiling undisturbed, and what batches show."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from riverbed_env.entries import ENTRIES
from riverbed_env.kernels.compile import KernelFamily, compile_late
from riverbed_env.kernels.late import load
from riverbed_env.kernels.memory import put_word, viewed, word_at
from riverbed_env.kernels.passes import llvm_lock, undisturbed
from riverbed_env.registry import find_game, make_batch

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


def test_garbage_is_collected_and_calls_are_timed_again_after_the_outermost_compilation() -> None:
    timers = list(llvm_lock._cblist)
    assert gc.isenabled()
    assert timers
    with undisturbed():
        with undisturbed():
            assert not gc.isenabled()
        assert not gc.isenabled()
        assert not llvm_lock._cblist
    assert gc.isenabled()
    assert llvm_lock._cblist == timers


def test_garbage_is_collected_again_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), undisturbed():
        raise ZeroDivisionError
    assert gc.isenabled()


def test_garbage_stays_uncollected_for_those_who_switched_it_off() -> None:
    gc.disable()
    try:
        with undisturbed():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("game_id", ENTRIES)
def test_batches_show_what_the_game_lets_observe(game_id: str) -> None:
    """Where a game shows a seat without a view between, its rows are those written from one."""
    for view in find_game(game_id).views:
        batch = make_batch(game_id, num_envs=6, seed=3, view=view)
        for _ in range(40):
            asked = np.flatnonzero(batch.seat >= 0)
            observed = np.zeros_like(batch.rows)
            batch.game.loop("observe_games")(
                *(batch.games, batch.params, batch.views, np.maximum(batch.seat, 0), observed, batch.size)
            )
            assert np.array_equal(batch.rows[asked], observed[asked])
            batch.step(batch.random_actions())


def add_square(pair: Any, number: int) -> int:
    pair["large"] += number * number
    return int(pair["large"]) + int(pair["small"])


def add_late(pair: Any, number: int) -> int:
    raise NotImplementedError  # `late_kernels` binds another one


def add_squares(pair: Any, numbers: Any) -> int:
    total = 0
    for number in numbers:
        total = add_late(pair, number)
    return total


def late_kernels(folder: Path) -> tuple[Any, Any]:
    """A late kernel and one that calls it."""
    family = KernelFamily("late", folder)
    late: Any = family(add_square)
    compile_late(late, PAIR, int)
    return late, family.link(add_squares, "add_late_squares", {"add_late": late})


@pytest.mark.compiled
def test_a_late_kernel_is_compiled_when_it_is_loaded_not_with_its_callers(tmp_path: Path) -> None:
    pairs, numbers = np.array([(5, 1)], PAIR), np.array([2, 3], np.int8)
    late, caller = late_kernels(tmp_path)
    with pytest.raises(RuntimeError, match="add_square isn't loaded"):
        caller(pairs[0], numbers)
    assert not late.overloads
    load(late)
    assert caller(pairs[0], numbers) == 5 + 1 + 4 + 9


@pytest.mark.compiled
def test_a_late_kernel_and_its_callers_come_from_the_cache(tmp_path: Path) -> None:
    """As in another process: its callers find the late kernel, whose code lies elsewhere there."""
    for _ in range(2):
        late, caller = late_kernels(tmp_path)
        load(late)
        assert caller(np.array([(5, 1)], PAIR)[0], np.array([2], np.int8)) == 5 + 1 + 4
    assert [sum(kernel.stats.cache_hits.values()) for kernel in (late, caller)] == [1, 1]


def test_plain_functions_need_no_loading() -> None:
    load(add_square, len)
