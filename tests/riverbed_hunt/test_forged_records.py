"""Records of Riverbed Hunt that break one invariant are refused, and the message names it."""

from __future__ import annotations

import numpy as np
import pytest
from random_games import Edits, Games, check_damage, edit, play_out

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.invariants import Violation
from riverbed_env.games.riverbed_hunt.rules.vocab import Ending, Question, Role, Source, Stage, Verb


def at_a_turn() -> tuple[Batch, Games]:
    """A game of seven at a plain turn: all meeples placed, no effect under way."""
    batch = Batch(RIVERBED_HUNT, 1, seed=2, num_players=7, auto_reset=False)
    for _ in play_out(batch, 2):
        table = batch.games["table"][0]
        if table["turn"] >= 4 and table["stage"] == Stage.TURN and table["depth"] == 0:
            return batch, copy_records(batch.games)
    raise AssertionError("no such game")


def on_the_floor() -> tuple[Batch, Games]:
    """A game of seven in which a seat is asked for a claim and some claims were made."""
    batch = Batch(RIVERBED_HUNT, 1, seed=2, num_players=7, auto_reset=False, talk="claims")
    for _ in play_out(batch, 2):
        table = batch.games["table"][0]
        if table["said_count"] >= 4 and table["question"] == Question.FLOOR:
            return batch, copy_records(batch.games)
    raise AssertionError("no such game")


def down(game: np.void) -> int:
    """A space with a face-down tile."""
    return int(np.flatnonzero(game["table"]["tile"] == 0)[0])


def merchant(game: np.void) -> int:
    """The seat of a merchant."""
    return int(np.flatnonzero(game["private"]["role"] == Role.MERCHANT)[0])


def no_legal_answer(game: np.void) -> None:
    table = game["table"]
    edit(table["frames"][0], {"source": Source.CO_OP, "program": Source.CO_OP, "carrier": table["asked"]})
    edit(table, {"depth": 1, "question": Question.SEAT, "seats": 0})


# What is wrong; then the edits, or what makes them.
DAMAGES: dict[str, tuple[Violation, Edits]] = {
    "an unknown question": (Violation.RANGE, {"table.question": 90}),
    "a seat that isn't there": (Violation.RANGE, {"table.asked": 7}),
    "another layout": (Violation.RANGE, {"table.layout": 1}),
    "a flag of 2": (Violation.RANGE, {"table.dive_ready.2": 2}),
    "too many decisions": (Violation.RANGE, {"table.decisions": 1001}),
    "an empty frame": (Violation.FRAMES, {"table.depth": 1, "table.frames.0": np.zeros_like}),
    "a frame without source": (Violation.FRAMES, {"table.depth": 1, "table.frames.0.source": Source.NONE}),
    "a tile twice": (Violation.TILES, lambda game: {"tile_at.3": game["tile_at"][4]}),
    "a tile missing": (Violation.TILES, {"tile_at.0": 0}),
    "a face-down tile shown": (Violation.FACE_UP, lambda game: {f"table.tile.{down(game)}": 1}),
    "a face-up tile unshown": (
        Violation.FACE_UP,
        lambda game: {"table.face_down": game["table"]["face_down"] & ~(1 << down(game))},
    ),
    "a track too far": (Violation.TRACKS, {"table.tracks.0": lambda steps: steps + 1}),
    "a hand too big": (Violation.HANDS, {"table.hand_size.1": lambda size: size + 1}),
    "a card exchanged": (Violation.CARDS, {"deck.0": lambda card: (card + 1) % 10}),
    "a card lost": (Violation.CARDS, {"table.draw_pile": lambda size: size - 1}),
    "a card too many": (Violation.CARDS, {"table.discard_pile.2": lambda cards: cards + 1}),
    "two chiefs": (Violation.ROLES, lambda game: {f"private.{merchant(game)}.role": Role.CHIEF}),
    "a role shown wrong": (Violation.ROLES, lambda game: {f"table.role.{merchant(game)}": Role.LEADER}),
    "a hidden chief": (Violation.ROLES, {"table.role": Role.UNKNOWN}),
    "a meeple lost": (Violation.POSITIONS, {"table.position.0": -1}),
    "nobody asked": (Violation.ASKED, {"table.asked": -1}),
    "nothing asked": (Violation.ASKED, {"table.question": Question.NONE}),
    "no answer": (
        Violation.ASKED,
        {"table.question": Question.REVEAL, "table.spaces": 0, "table.seats": 0, "table.optional": 0},
    ),
    "no legal answer": (Violation.MASK, no_legal_answer),
    "won for nothing": (
        Violation.ENDING,
        {"table.ending": Ending.WON, "table.winner": 0, "table.asked": -1, "table.question": Question.NONE},
    ),
    "a winner while playing": (Violation.ENDING, {"table.winner": 1}),
    "the truth excluded": (Violation.KNOWLEDGE, lambda game: {f"private.2.possible.{game['tile_at'][5] - 1}": 0}),
    "an error known": (Violation.KNOWLEDGE, lambda game: {"private.3.known.5": game["tile_at"][6]}),
    "an open floor at a silent table": (Violation.TALK, {"table.floor": 3}),
    "decisions on a floor that there isn't": (Violation.TALK, {"table.spoken": 4}),
    "words that nobody said": (Violation.TALK, lambda game: {f"table.tile_words.2.{down(game)}": 1}),
}

# Of a game at an open floor on which somebody has made a claim.
DAMAGED_TALK: dict[str, Edits] = {
    "another speaker": {"table.asked": lambda seat: (seat + 1) % 7},
    "no claims left": {"table.claims_left": 0},
    "a verb without its question": {"table.verb": Verb.BEARS_LOG},
    "a question without its verb": lambda game: {
        "table.question": Question.ABOUT,
        "table.spaces": game["table"]["face_down"],
    },
    "a code that means nothing": lambda game: {f"table.tile_words.2.{down(game)}": 12},
    "two urges at once": {"table.seat_words.1.2": 12},
    "a judge of oneself": {"table.seat_words.1.1": 16},
    "a claim to be the chief": {"table.own_words.2": 1 + Role.CHIEF},
    "a role without its camp": {"table.own_words.2": 1 + Role.LEADER, "table.seat_words.2.2": 1},
    "an empty seat's promise": {"table.own_words.8": 8},
    "a claim too many": {"table.said_count": lambda count: count + 1},
    "more claims than decisions": {"table.spoken": 0},
}


def test_every_violation_has_a_damage() -> None:
    assert {violation for violation, _ in DAMAGES.values()} == set(Violation) - {Violation.NONE}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_is_found(what: str) -> None:
    violation, damage = DAMAGES[what]
    check_damage(*at_a_turn(), damage, violation)


@pytest.mark.parametrize("what", DAMAGED_TALK)
def test_damaged_talk_is_found(what: str) -> None:
    check_damage(*on_the_floor(), DAMAGED_TALK[what], Violation.TALK)


def test_a_meeple_on_an_empty_space_is_found() -> None:
    batch = Batch(RIVERBED_HUNT, 1, seed=1, num_players=5, layout="springs")
    check_damage(batch, batch.get_state(), {"table.position.0": 0}, Violation.POSITIONS)
