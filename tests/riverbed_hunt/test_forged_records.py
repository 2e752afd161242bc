"""Records of Riverbed Hunt that break one invariant are refused, and the message names it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.riverbed_hunt_v0 import raw_env
from riverbed_env.errors import StateError
from riverbed_env.games.riverbed_hunt.rules.invariants import VIOLATION_WORDS, Violation
from riverbed_env.games.riverbed_hunt.rules.vocab import Question, Source
from riverbed_env.testing.conformance.kit import assert_still_usable, begun, forged, observable, play, record_of

# What is done to the record, which is of the 7-player game.
Edit = Callable[[Any], None]


def wrong_range(game: Any) -> None:
    game["table"]["question"] = 90


def wrong_seat(game: Any) -> None:
    game["table"]["asked"] = 7


def wrong_layout(game: Any) -> None:
    game["table"]["layout"] = 1


def wrong_flag(game: Any) -> None:
    game["table"]["dive_ready"][2] = 2


def wrong_frames(game: Any) -> None:
    game["table"]["depth"] = 1
    game["table"]["frames"][0] = np.zeros((), game["table"]["frames"].dtype)


def frame_without_source(game: Any) -> None:
    game["table"]["depth"] = 1
    game["table"]["frames"][0]["source"] = Source.NONE


def tile_twice(game: Any) -> None:
    game["tile_at"][3] = game["tile_at"][4]


def tile_missing(game: Any) -> None:
    game["tile_at"][0] = 0


def face_up_tile_shown_wrong(game: Any) -> None:
    down = next(space for space in range(16) if game["table"]["tile"][space] == 0)
    game["table"]["tile"][down] = 1


def face_up_tile_unshown(game: Any) -> None:
    down = next(space for space in range(16) if game["table"]["tile"][space] == 0)
    game["table"]["face_down"] &= ~(1 << down)


def track_too_far(game: Any) -> None:
    game["table"]["tracks"][0] += 1


def hand_too_big(game: Any) -> None:
    game["table"]["hand_size"][1] += 1


def card_exchanged(game: Any) -> None:
    game["deck"][0] = (game["deck"][0] + 1) % 10


def card_lost(game: Any) -> None:
    game["table"]["draw_pile"] -= 1


def card_used_twice(game: Any) -> None:
    game["table"]["discard_pile"][2] += 1


def two_chiefs(game: Any) -> None:
    other = next(seat for seat in range(7) if game["private"][seat]["role"] != 0)
    game["private"][other]["role"] = 0


def role_shown_wrong(game: Any) -> None:
    other = next(seat for seat in range(7) if game["private"][seat]["role"] == 1)
    game["table"]["role"][other] = 2


def chief_hidden(game: Any) -> None:
    game["table"]["role"][:] = -1


def meeple_lost(game: Any) -> None:
    game["table"]["position"][0] = -1


def nobody_asked(game: Any) -> None:
    game["table"]["asked"] = -1


def nothing_asked(game: Any) -> None:
    game["table"]["question"] = 0


def won_for_nothing(game: Any) -> None:
    game["table"]["ending"] = 1
    game["table"]["winner"] = 0
    game["table"]["asked"] = -1
    game["table"]["question"] = 0


def winner_while_playing(game: Any) -> None:
    game["table"]["winner"] = 1


def no_answer(game: Any) -> None:
    game["table"]["question"] = 6
    game["table"]["spaces"] = 0
    game["table"]["seats"] = 0
    game["table"]["optional"] = 0


def no_legal_answer(game: Any) -> None:
    table = game["table"]
    table["frames"][0]["source"] = table["frames"][0]["program"] = Source.CO_OP
    table["frames"][0]["carrier"] = table["asked"]
    table["depth"], table["question"], table["seats"] = 1, Question.SEAT, 0


def truth_excluded(game: Any) -> None:
    game["private"][2]["possible"][game["tile_at"][5] - 1] = 0


def known_wrong(game: Any) -> None:
    game["private"][3]["known"][5] = game["tile_at"][6]


def too_many_decisions(game: Any) -> None:
    game["table"]["decisions"] = 1001


BROKEN: dict[Edit, Violation] = {
    wrong_range: Violation.RANGE,
    wrong_seat: Violation.RANGE,
    wrong_layout: Violation.RANGE,
    wrong_flag: Violation.RANGE,
    wrong_frames: Violation.FRAMES,
    frame_without_source: Violation.FRAMES,
    tile_twice: Violation.TILES,
    tile_missing: Violation.TILES,
    face_up_tile_shown_wrong: Violation.FACE_UP,
    face_up_tile_unshown: Violation.FACE_UP,
    track_too_far: Violation.TRACKS,
    hand_too_big: Violation.HANDS,
    card_exchanged: Violation.CARDS,
    card_lost: Violation.CARDS,
    card_used_twice: Violation.CARDS,
    two_chiefs: Violation.ROLES,
    role_shown_wrong: Violation.ROLES,
    chief_hidden: Violation.ROLES,
    meeple_lost: Violation.POSITIONS,
    nobody_asked: Violation.ASKED,
    nothing_asked: Violation.ASKED,
    no_answer: Violation.ASKED,
    no_legal_answer: Violation.MASK,
    won_for_nothing: Violation.ENDING,
    winner_while_playing: Violation.ENDING,
    truth_excluded: Violation.KNOWLEDGE,
    known_wrong: Violation.KNOWLEDGE,
    too_many_decisions: Violation.RANGE,
}


def at_a_turn() -> TurnEnv:
    """A game at a plain turn: all meeples placed, no effect under way."""
    env = raw_env()
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    while True:
        play(env, rng, 1)
        table = record_of(env)["table"][0]
        if table["turn"] >= 4 and table["stage"] == 1 and table["depth"] == 0:
            return env


def test_every_invariant_is_broken_once() -> None:
    assert set(BROKEN.values()) == set(Violation) - {Violation.NONE}


@pytest.mark.parametrize("edit", BROKEN, ids=lambda edit: edit.__name__)
def test_a_record_that_breaks_an_invariant_is_refused(edit: Edit) -> None:
    source, env = at_a_turn(), begun("riverbed_hunt_v0")
    records = record_of(source)
    env.set_state(forged(source.get_state(), body=records.tobytes()))  # as it is, it is sound
    env = begun("riverbed_hunt_v0")
    before = observable(env)
    edit(records[0])
    words = f"isn't sound: {VIOLATION_WORDS[BROKEN[edit]]}"
    with pytest.raises(StateError, match=words):
        env.set_state(forged(source.get_state(), body=records.tobytes()))
    assert_still_usable(env, before)
    batch = make_batch("riverbed_hunt_v0", 1, seed=1)
    kept = batch.get_state().tobytes()
    with pytest.raises(StateError, match=words):
        batch.set_state(records)
    assert batch.get_state().tobytes() == kept


def test_a_meeple_on_an_empty_space_is_refused() -> None:
    batch = make_batch("riverbed_hunt_v0", 1, seed=1, num_players=5, layout="springs")
    records = batch.get_state()
    records["table"]["position"][0, 0] = 0
    with pytest.raises(StateError, match=VIOLATION_WORDS[Violation.POSITIONS]):
        batch.set_state(records)
