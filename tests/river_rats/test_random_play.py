"""Random games of River Rats with all options never break an invariant, stall, or reach the cap.

Half of the games are played by players who build hands on purpose, since games of random play see few jokers, no second
rat and no last round. The invariants are checked after every step. Where the cards are is compared with the referee in
lock-step.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
import random_games
from random_games import (
    Choose,
    check_all,
    check_forced_decisions,
    play_out,
)
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.games.river_rats.content.pack import MODE_NAMES, PREDICTION_NAMES, make_params
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules.actions import A
from riverbed_env.games.river_rats.rules.hands import hand_value
from riverbed_env.games.river_rats.rules.vocab import (
    MAX_SEATS,
    Ending,
    Event,
    Question,
)

COUNTS = range(1, MAX_SEATS + 1)


# --- playing ------------------------------------------------------------------------------------------------------


batch_of = partial(random_games.batch_of, RIVER_RATS)


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


# Of each number of players and of each mode.
CELLS = [
    (count, mode, count % 2 == 1)
    for count in COUNTS
    for place, mode in enumerate(MODE_NAMES)
    if (count + place) % 4 == 0
]


@pytest.mark.parametrize(("num_players", "mode", "build"), CELLS)
def test_games_are_sound_at_every_step(num_players: int, mode: str, build: bool) -> None:
    batch = batch_of(
        repetitions(3, uncompiled=1), num_players=num_players, mode=mode, prediction=PREDICTION_NAMES[num_players % 2]
    )
    seed = 1000 + num_players
    for _ in play_out(batch, seed, builders(seed) if build else Batch.random_actions):
        check_all(batch)
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.OVER}


def test_builders_meet_all_that_can_happen() -> None:
    tally = np.zeros(len(Event), np.int64)
    for mode in MODE_NAMES:
        batch = batch_of(repetitions(8, uncompiled=6), num_players=2, mode=mode, prediction="at_least_form")
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
    quick, slow = (batch_of(1, num_players=3, mode=mode, auto_forced=forced) for forced in (auto_forced, "none"))
    for seed in range(3):
        check_forced_decisions(quick, slow, seed, builders(seed))


@pytest.mark.parametrize("cap", [1, 10, 30])
def test_a_game_is_cut_off_at_the_cap(cap: int) -> None:
    batch = batch_of(2, num_players=2, max_decisions=cap)
    for _ in play_out(batch, 4):
        check_all(batch)
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.TRUNCATED}
    assert batch.games["table"]["decisions"].tolist() == [cap, cap]
    assert not batch.returns.any()


def test_rules_that_differ_have_different_hashes() -> None:
    tables = [*product(MODE_NAMES, PREDICTION_NAMES)]
    assert len({make_params(mode=mode, prediction=prediction)[1].hash for mode, prediction in tables}) == len(tables)
    assert make_params(num_players=1)[1] == make_params(num_players=4, auto_forced="none")[1]
