"""Random games with all options never break an invariant, come to an end, and give the figures expected.

Whatever others choose in a phase, a seat's observation and mask stay the same (RS-5.1).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from random_games import Games, check_all, check_damage, check_forced_decisions, faults, play_out
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules import engine
from riverbed_env.games.riverside.rules.invariants import Violation
from riverbed_env.games.riverside.rules.vocab import Charge, Ending, Phase, Power, Question
from riverbed_env.kernels.compile import compiled

OTHERWISE = Path(__file__).parents[1] / "referee" / "packs" / "riverside" / "otherwise.toml"
PACKS = {"default": "default", "otherwise": OTHERWISE}
COUNTS = range(1, 7) if compiled() else (1, 3)
NUM_ENVS = repetitions(8, uncompiled=1)


@cache
def batch_of(
    n: int, num_players: int, auto_forced: str = "public", extension: bool = False, pack: str = "default"
) -> Batch:
    """A batch, kept from test to test: deal it again for each use."""
    return Batch(
        RIVERSIDE,
        n,
        seed=0,
        num_players=num_players,
        auto_forced=auto_forced,
        extension=extension,
        pack=PACKS[pack],
        auto_reset=False,
    )


AUTO_FORCED = ("public", "all", "none")


def cell(num_players: int, extension: bool, pack: str, auto_forced: str) -> Any:
    """A whole game of each number of players is played quickly, each option in some of them; other cells are slow."""
    quick = (extension, pack == "otherwise", auto_forced) == (
        num_players % 2 == 0,
        num_players in (2, 3, 5),
        AUTO_FORCED[num_players % 3],
    )
    return pytest.param(num_players, extension, pack, auto_forced, marks=() if quick else pytest.mark.slow)


@pytest.mark.parametrize(
    ("num_players", "extension", "pack", "auto_forced"),
    [cell(*options) for options in product(COUNTS, (False, True), PACKS, AUTO_FORCED)],
)
def test_random_games_are_sound_as_they_go(num_players: int, extension: bool, pack: str, auto_forced: str) -> None:
    batch = batch_of(NUM_ENVS, num_players, auto_forced, extension, pack)
    for step in play_out(batch, 1000 + num_players):
        if step % repetitions(3, uncompiled=10) == 0:
            check_all(batch)
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.FINISHED}


@pytest.mark.parametrize(
    ("num_players", "pack", "auto_forced"),
    [(1, "default", "all"), (2, "otherwise", "public"), (2, "default", "all"), (5, "otherwise", "all")],
)
def test_decisions_taken_for_the_players_change_nothing(num_players: int, pack: str, auto_forced: str) -> None:
    quick = batch_of(1, num_players, auto_forced, pack=pack)
    slow = batch_of(1, num_players, "none", pack=pack)
    for seed in range(repetitions(10, uncompiled=1)):
        check_forced_decisions(quick, slow, seed)


@pytest.mark.parametrize("max_steps", [1, 7, 30])
def test_the_cap_truncates_after_so_many_steps(max_steps: int) -> None:
    batch = Batch(RIVERSIDE, 3, seed=5, num_players=3, max_steps=max_steps, auto_reset=False)
    while batch.acting.any():
        batch.step(batch.random_actions())
        assert not faults(batch, batch.games).any()
    assert batch.games["timing"]["steps"].tolist() == [max_steps] * 3
    assert batch.games["table"]["ending"].tolist() == [Ending.TRUNCATED] * 3
    assert not batch.returns.any()


# --- figures ------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_solo_games_are_as_long_as_measured_and_random_play_as_bad() -> None:
    batch = Batch(RIVERSIDE, 4000, seed=9, num_players=1, auto_reset=False)
    while batch.acting.any():
        batch.step(batch.random_actions())
    columns = RIVERSIDE.columns(batch.games)
    rolls = columns["turns"]
    assert abs(float(rolls.mean()) - 9.8) < 0.1
    assert 0.92 < float(((rolls >= 8) & (rolls <= 11)).mean()) < 0.96
    assert 30 < float(columns["final_0"].mean()) < 42
    assert (batch.returns == -1).all()


# --- what others choose is unseen -----------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 4])
def test_nothing_others_choose_in_a_phase_shows_before_it_is_over(num_players: int) -> None:
    batch = batch_of(1, num_players, "none")
    twin = batch_of(1, num_players, "all")  # a batch of its own; its params are made equal
    twin.params = batch.params
    draw = Random(num_players)
    for seed in range(repetitions(12, uncompiled=3)):
        batch.reset(seed=seed)
        twin.reset(seed=seed)
        for _ in range(draw.randrange(200)):
            if batch.acting.all() and not batch.done.any():
                batch.step(batch.random_actions())
        if not batch.acting.all():
            continue
        twin.set_state(batch.get_state())
        play_differently(batch, twin, draw, keep=draw.randrange(num_players))


def play_differently(one: Batch, other: Batch, draw: Random, keep: int) -> None:
    """Play on to the end of the phase: seat `keep` the same in both, everybody else at random in each by itself."""
    now = phase_of(one)
    while phase_of(one) == now and phase_of(other) == now:
        # The seat that is kept plays alike in both, as soon as each of them asks it.
        for batch in (one, other):
            while phase_of(batch) == now and batch.seat[0] != keep:
                batch.step(np.array([draw.choice(np.flatnonzero(batch.action_mask[0]).tolist())]))
        if phase_of(one) != now or phase_of(other) != now:
            return
        assert np.array_equal(one.observation, other.observation)
        assert np.array_equal(one.action_mask, other.action_mask)
        action = np.array([draw.choice(np.flatnonzero(one.action_mask[0]).tolist())])
        one.step(action)
        other.step(action)
        if phase_of(one) == now and phase_of(other) == now:
            assert np.array_equal(one.observe(keep)[0], other.observe(keep)[0])


def phase_of(batch: Batch) -> tuple[int, int]:
    return int(batch.games["table"]["round"][0]), int(batch.games["table"]["phase"][0])


def test_pending_seats_are_asked_in_turn() -> None:
    batch = batch_of(1, 5)
    batch.reset(seed=3)
    while batch.acting.all():
        bits = engine.pending(batch.games[0], batch.params[0])
        steps = int(batch.games["timing"]["steps"][0])
        for seat in [seat for seat in range(5) if bits >> seat & 1]:
            assert batch.seat.tolist() == [seat]
            assert int(batch.games["timing"]["steps"][0]) == steps
            batch.step(batch.random_actions())
        assert int(batch.games["timing"]["steps"][0]) > steps
    assert engine.pending(batch.games[0], batch.params[0]) == 0


# --- the invariants find damage -------------------------------------------------------------------------------------


def middle(phase: Phase, question: Question) -> Games:
    """A game of three in its middle whose first seat is asked this question, with something on its sheet."""
    batch = batch_of(1, 3, "none")
    for seed in range(50):
        for _ in play_out(batch, seed):
            game = batch.games[0]
            sheet = game["private"][0]["sheet"]
            mine = game["private"][0]["question"] == question and game["table"]["phase"] == phase
            if mine and sheet["total"].any() and sheet["tickets"].any() and sheet["plus"] > 0:
                return copy_records(batch.games)
    raise AssertionError("no such game")


def over() -> Games:
    batch = batch_of(1, 3, "none")
    for _ in play_out(batch, 4):
        pass
    return copy_records(batch.games)


def out_of_range(game: np.void) -> None:
    game["private"][0]["question"] = 100


def tile_twice(game: np.void) -> None:
    game["table"]["tile"][0] = game["table"]["tile"][1]


def other_temperature(game: np.void) -> None:
    game["table"]["temperature"] = game["table"]["temperature"] % 6 + 1


def ship_ahead(game: np.void) -> None:
    game["table"]["round"] = 1


def event_lost(game: np.void) -> None:
    game["table"]["event_count"] -= 1


def ticket_lost(game: np.void) -> None:
    boat = np.flatnonzero(game["sheets"][0]["tickets"])[0]
    game["sheets"][0]["tickets"][boat] -= 1


def power_without_seats(game: np.void) -> None:
    sheet = game["private"][0]["sheet"]
    sheet["power"][np.flatnonzero(sheet["power"] == Charge.LOCKED)[0]] = Charge.READY


def score_without_sum(game: np.void) -> None:
    sheet = game["private"][0]["sheet"]
    boat = np.flatnonzero(sheet["last"])[0]
    sheet["total"][boat] = sheet["last"][boat] - 1


def symbol_back(game: np.void) -> None:
    game["private"][0]["sheet"]["plus"] -= 1


def speed_uncalled(game: np.void) -> None:
    game["private"][0]["sheet"]["power"][Power.SPEED_BOAT] %= Charge.USED
    game["private"][0]["speed"] = 1


def other_question(game: np.void) -> None:
    game["private"][0]["question"] = Question.VILLAGE


def other_seat_asked(game: np.void) -> None:
    game["timing"]["asked"] = 2


def other_winner(game: np.void) -> None:
    game["table"]["winners"] ^= 7


DAMAGES: dict[Violation, tuple[Phase, Question, Callable[[np.void], None]]] = {
    Violation.RANGE: (Phase.DICE, Question.SEAT, out_of_range),
    Violation.TILES: (Phase.DICE, Question.SEAT, tile_twice),
    Violation.DICE: (Phase.DICE, Question.SEAT, other_temperature),
    Violation.SHIP: (Phase.DICE, Question.SEAT, ship_ahead),
    Violation.EVENTS: (Phase.DICE, Question.SEAT, event_lost),
    Violation.ROWS: (Phase.DICE, Question.SEAT, ticket_lost),
    Violation.POWERS: (Phase.DICE, Question.SEAT, power_without_seats),
    Violation.SCORES: (Phase.DICE, Question.SEAT, score_without_sum),
    Violation.SEEN: (Phase.DICE, Question.SEAT, symbol_back),
    Violation.ROUND: (Phase.EXCURSIONS, Question.VILLAGE, speed_uncalled),
    Violation.QUESTIONS: (Phase.DICE, Question.SEAT, other_question),
    Violation.ASKED: (Phase.DICE, Question.DIE, other_seat_asked),
    Violation.ENDING: (Phase.OVER, Question.NONE, other_winner),
}
# A state that breaks this one breaks another before: it is asked so that no mask is ever empty.
WITHOUT_DAMAGE = {Violation.MASK}


def test_every_violation_has_a_damage() -> None:
    assert set(DAMAGES) == set(Violation) - {Violation.NONE} - WITHOUT_DAMAGE


@pytest.mark.parametrize("violation", DAMAGES, ids=lambda violation: violation.name)
def test_damage_is_found(violation: Violation) -> None:
    phase, question, damage = DAMAGES[violation]
    games = over() if phase == Phase.OVER else middle(phase, question)
    check_damage(batch_of(1, 3, "none"), games, damage, violation)


@pytest.mark.parametrize("num_players", [1, 6])
def test_forged_bytes_never_stop_the_check(num_players: int) -> None:
    batch = batch_of(1, num_players, "none")
    draw = np.random.default_rng(num_players)
    batch.reset(seed=1)
    for _ in range(60):
        batch.step(batch.random_actions())
    sound = batch.get_state()
    for _ in range(repetitions(400, uncompiled=100)):
        forged = np.frombuffer(sound.tobytes(), np.uint8).copy()
        places = draw.integers(len(forged), size=draw.integers(1, 20))
        forged[places] = draw.integers(256, size=len(places))
        violation = Violation(int(faults(batch, forged.view(RIVERSIDE.dtype))[0]))
        if violation == Violation.NONE:  # it can be played on
            batch.set_state(forged.view(RIVERSIDE.dtype))
            while batch.acting.any():
                batch.step(batch.random_actions())
