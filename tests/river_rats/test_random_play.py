"""Random games of River Rats with all options never break an invariant, stall, or reach the cap.

Half of the games are played by players who build hands on purpose, since games of random play see few jokers, no second
rat and no last round. The invariants are checked after every step; that they find damage is tested below. Where the
cards are is compared with the referee in lock-step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from random_games import Choose, Games, check_all, check_damage, check_forced_decisions, faults, play_out
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records
from riverbed_env.errors import OptionError
from riverbed_env.games.river_rats.content.pack import MODE_NAMES, PREDICTION_NAMES, make_params
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules.actions import A
from riverbed_env.games.river_rats.rules.hands import hand_value
from riverbed_env.games.river_rats.rules.invariants import VIOLATION_WORDS, Violation
from riverbed_env.games.river_rats.rules.vocab import (
    ACE,
    MAX_SEATS,
    NO_CARD,
    NOBODY,
    NUM_RANKS,
    Ending,
    Event,
    Question,
    Step,
    Winner,
)

COUNTS = range(1, MAX_SEATS + 1)


# --- playing ------------------------------------------------------------------------------------------------------


@cache
def batch_of(n: int, num_players: int, mode: str, prediction: str = "exactly", auto_forced: str = "public") -> Batch:
    """A batch, kept from test to test: deal it again for each use."""
    return Batch(
        RIVER_RATS,
        n,
        seed=0,
        num_players=num_players,
        mode=mode,
        prediction=prediction,
        auto_forced=auto_forced,
        auto_reset=False,
    )


def builders_choice(batch: Batch, index: int, draw: Random) -> int:
    """A card that makes the collective hand good, jokers as soon as they can be used, else any legal action."""
    table = batch.games["table"][index]
    held = int(table["collective"])
    legal: list[int] = np.flatnonzero(batch.action_mask[index]).tolist()
    if A.JOKER in legal:
        return A.JOKER
    if table["question"] in (Question.PLAY, Question.SWAP_IN, Question.DRAW):
        plays = [action for action in legal if A.CARD <= action < A.DRAW]
        if plays and draw.random() < 0.9:
            return max(plays, key=lambda action: hand_value(held | 1 << (action - A.CARD), 0))
    if A.NO in legal and A.POWER not in legal and draw.random() < 0.5:
        return A.NO
    return draw.choice(legal)


def builders(seed: int) -> Choose:
    """Players who build hands on purpose."""
    draw = Random(seed)

    def choose(batch: Batch) -> npt.NDArray[np.int64]:
        actions = np.zeros(batch.num_envs, np.int64)
        for index in np.flatnonzero(batch.acting):
            actions[index] = builders_choice(batch, int(index), draw)
        return actions

    return choose


def cell(num_players: int, mode: str, build: bool) -> Any:
    """A whole game of each number of players, and of each mode, is played quickly; the other cells are slow."""
    quick = (num_players + MODE_NAMES.index(mode)) % len(MODE_NAMES) == 0 and build == num_players % 2
    return pytest.param(num_players, mode, build, marks=() if quick else pytest.mark.slow)


@pytest.mark.parametrize(
    ("num_players", "mode", "build"), [cell(*options) for options in product(COUNTS, MODE_NAMES, (False, True))]
)
def test_games_are_sound_at_every_step(num_players: int, mode: str, build: bool) -> None:
    batch = batch_of(repetitions(3, uncompiled=1), num_players, mode, PREDICTION_NAMES[num_players % 2])
    seed = 1000 + num_players
    for _ in play_out(batch, seed, builders(seed) if build else Batch.random_actions):
        check_all(batch)
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.OVER}


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("num_players", "mode"), [*product(COUNTS, MODE_NAMES)])
def test_thousands_of_games_are_sound_and_come_to_an_end(num_players: int, mode: str) -> None:
    batch = Batch(RIVER_RATS, 1000, seed=20, num_players=num_players, mode=mode, auto_reset=False, auto_forced="none")
    while batch.acting.any():
        violated = faults(batch, batch.games)
        assert not violated.any(), batch.game_number[violated > 0]
        batch.step(batch.random_actions())
    assert not faults(batch, batch.games).any()
    table = batch.games["table"]
    assert set(table["ending"].tolist()) == {Ending.OVER}
    assert int(table["decisions"].max()) < 300
    assert int(table["round"].max()) <= 15
    assert float((table["winner"] == Winner.PLAYERS).mean()) < 0.01  # about none in a thousand


def test_builders_meet_all_that_can_happen() -> None:
    tally = np.zeros(len(Event), np.int64)
    for mode in MODE_NAMES:
        batch = batch_of(repetitions(8, uncompiled=6), 2, mode, "at_least_form")
        for step in play_out(batch, 5, builders(5)):
            if step == 0:  # both jokers are earned already, so that their rules come up
                batch.games["table"]["joker_up"] = 2
                batch.games["table"]["joker_down"] = 0
            check_all(batch)
        tally += batch.games["table"]["tally"].sum(axis=0)
    rare = {Event.NONE, Event.SKIP, Event.TRUNCATE, Event.WIN, Event.RELIEF, Event.PREDICTION}
    assert {Event(int(kind)) for kind in np.flatnonzero(tally == 0)} <= rare


@pytest.mark.parametrize("auto_forced", ["public", "all"])
@pytest.mark.parametrize("mode", MODE_NAMES)
def test_decisions_taken_for_the_players_change_nothing(mode: str, auto_forced: str) -> None:
    quick, slow = batch_of(1, 3, mode, "exactly", auto_forced), batch_of(1, 3, mode, "exactly", "none")
    for seed in range(3):
        check_forced_decisions(quick, slow, seed, builders(seed))


@pytest.mark.parametrize("cap", [1, 10, 30])
def test_a_game_is_cut_off_at_the_cap(cap: int) -> None:
    batch = Batch(RIVER_RATS, 2, seed=4, num_players=2, max_decisions=cap, auto_reset=False)
    while batch.acting.any():
        batch.step(batch.random_actions())
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.TRUNCATED}
    assert not batch.returns.any()
    assert batch.games["table"]["decisions"].tolist() == [cap, cap]
    assert not faults(batch, batch.games).any()


def test_there_is_nobody_to_win_from_so_nothing_is_zero_sum() -> None:
    with pytest.raises(OptionError, match="rewards must be 'win', not 'zero_sum'"):
        Batch(RIVER_RATS, 1, rewards="zero_sum")


# --- the invariants find damage -----------------------------------------------------------------------------------


def middle() -> Games:
    """A game in its middle: a card is asked for, a debt and cards of both sides are on the table."""
    batch = batch_of(1, 3, "standard")
    for seed in range(100):
        for _ in play_out(batch, seed):
            table = batch.games["table"][0]
            if table["question"] == Question.PLAY and table["debt"] and table["collective"] and table["taken"].any():
                return copy_records(batch.games)
    raise AssertionError("no such game")


def out_of_range(game: np.void) -> None:
    game["table"]["asked"] = 100


def pile_miscounted(game: np.void) -> None:
    game["table"]["deck_size"] -= 1


def card_twice(game: np.void) -> None:
    game["table"]["market"] |= game["table"]["collective"]


def hand_miscounted(game: np.void) -> None:
    game["table"]["hand_size"][int(game["table"]["asked"])] -= 1


def same_character(game: np.void) -> None:
    game["table"]["step"] = Step.ACES  # nobody has chosen too few any more
    characters = game["table"]["character"].copy()
    game["table"]["step"] = Step.DRAW_OR_PLAY
    game["table"]["character"][:2] = characters[[1, 0]]
    game["table"]["character"][3] = next(suit for suit in range(4) if suit not in characters)
    ace = int(game["table"]["character"][3]) * NUM_RANKS + ACE
    take_away(game, ace)


def take_away(game: np.void, card: int) -> None:
    """Take a card from wherever it lies."""
    for name in ("market", "discard", "rat_up", "collective", "revealed"):
        game["table"][name] = int(game["table"][name]) & ~(1 << card)
    for seat in range(MAX_SEATS):
        own = game["private"][seat]
        if int(own["hand"]) >> card & 1:
            own["hand"] = int(own["hand"]) & ~(1 << card)
            game["table"]["hand_size"][seat] -= 1
    for name, size in (("deck", "deck_size"), ("face_down", "rat_down"), ("pile", "pile_size"), ("debt", "debt")):
        kept = [int(held) for held in game[name] if held not in (NO_CARD, card)]
        game[name][:] = NO_CARD
        game[name][: len(kept)] = kept
        game["table"][size] = len(kept)


def other_rat(game: np.void) -> None:
    game["table"]["rat"] = game["second_rat"]


def other_prediction(game: np.void) -> None:
    game["table"]["prediction"] = (game["table"]["prediction"] + 1) % 9


def third_joker(game: np.void) -> None:
    game["table"]["joker_up"] = 2


def nobody_asked(game: np.void) -> None:
    game["table"]["asked"] = NOBODY


def other_question(game: np.void) -> None:
    game["table"]["question"] = Question.REMOVE


def nothing_to_play(game: np.void) -> None:
    seat = int(game["table"]["asked"])
    game["table"]["discard"] |= game["private"][seat]["hand"]
    game["private"][seat]["hand"] = 0
    game["table"]["hand_size"][seat] = 0
    game["table"]["taken"][seat] = 0


def won_by_nobody(game: np.void) -> None:
    game["table"]["asked"] = NOBODY
    game["table"]["question"] = Question.NONE
    game["table"]["ending"] = Ending.OVER
    game["table"]["winner"] = Winner.PLAYERS


def false_memory(game: np.void) -> None:
    game["table"]["taken"][0] |= game["table"]["market"]


DAMAGES: dict[Violation, Callable[[np.void], None]] = {
    Violation.RANGE: out_of_range,
    Violation.PILES: pile_miscounted,
    Violation.CARDS: card_twice,
    Violation.HANDS: hand_miscounted,
    Violation.CHARACTERS: same_character,
    Violation.RATS: other_rat,
    Violation.DEBTS: other_prediction,
    Violation.JOKERS: third_joker,
    Violation.ASKED: nobody_asked,
    Violation.QUESTION: other_question,
    Violation.MASK: nothing_to_play,
    Violation.ENDING: won_by_nobody,
    Violation.KNOWLEDGE: false_memory,
}


def test_every_violation_has_a_damage() -> None:
    assert set(DAMAGES) == set(Violation) - {Violation.NONE} == set(VIOLATION_WORDS) - {Violation.NONE}


@pytest.mark.parametrize("violation", DAMAGES, ids=lambda violation: violation.name)
def test_damage_is_found(violation: Violation) -> None:
    check_damage(batch_of(1, 3, "standard"), middle(), DAMAGES[violation], violation)


def test_forged_bytes_are_refused_without_a_crash() -> None:
    batch = batch_of(1, 3, "standard")
    sound = middle()
    draw = Random(9)
    for _ in range(repetitions(300, uncompiled=60)):
        forged = np.frombuffer(sound.tobytes(), np.uint8).copy()
        for _ in range(draw.randint(1, 6)):
            forged[draw.randrange(len(forged))] = draw.randrange(256)
        faults(batch, forged.view(RIVER_RATS.dtype))
    for _ in range(30):
        forged = np.frombuffer(draw.randbytes(RIVER_RATS.dtype.itemsize), np.uint8).copy()
        assert faults(batch, forged.view(RIVER_RATS.dtype)).tolist() == [Violation.RANGE]


# --- options --------------------------------------------------------------------------------------------------------


def test_rules_that_differ_have_different_hashes() -> None:
    hashes = {
        make_params(mode=mode, prediction=prediction)[1].hash
        for mode, prediction in product(MODE_NAMES, PREDICTION_NAMES)
    }
    assert len(hashes) == len(MODE_NAMES) * len(PREDICTION_NAMES)
    assert make_params(num_players=1)[1] == make_params(num_players=4, auto_forced="none")[1]
