"""RR-6: what is hidden, and what everybody sees."""

from typing import Any

import numpy as np
import pytest

from river_rats.scene import Scene, number
from riverbed_env.games.river_rats.rules.vocab import Event
from riverbed_env.games.river_rats.words.text import EVENTS

DRAWN: dict[str, Any] = {"hands": {0: "2S 3S 4S", 1: "2C 3C"}, "rat_down": "9C TC", "pile": "9S JC", "deck": "5C 6C"}
HIDDEN: dict[str, dict[str, Any]] = {
    "the hand of another": {"hands": {0: "2S 3S 5C", 1: "2C 3C"}, "deck": "4S 6C"},
    "the rat's face-down cards": {"rat_down": "9C 5C", "deck": "TC 6C"},
    "the waiting king": {"waiting": "S"},
    "face-down debt": {"pile": "9S 5C", "deck": "JC 6C"},
    "the deck's order": {"deck": "6C 5C"},
    "the players' debt": {"debt": "8S", "deck": "5C 6C 7S"},
}


def same_view(first: Scene, second: Scene, seat: int) -> bool:
    """Whether a seat sees the same in both, with all it may remember."""
    here, there = first.observed(seat), second.observed(seat)
    return all(np.array_equal(here[piece], there[piece]) for piece in here)


@pytest.mark.parametrize("secret", HIDDEN)
def test_rr_6_1_what_is_hidden(secret: str) -> None:
    drawn = {**DRAWN, **({"debt": "7S", "deck": "5C 6C 8S"} if "debt" in HIDDEN[secret] else {})}
    assert same_view(Scene(**drawn), Scene(**{**drawn, **HIDDEN[secret]}), 1)


def test_rr_6_1_the_own_hand_is_seen() -> None:
    assert not same_view(Scene(**DRAWN), Scene(**{**DRAWN, **HIDDEN["the hand of another"]}), 0)


@pytest.mark.parametrize(
    "public", [{"market": "7C"}, {"discard": "7C"}, {"rat_up": "7C"}, {"collective": "7C"}, {"jokers": (1, 1, 0)}]
)
def test_rr_6_1_everything_else_is_public(public: dict[str, Any]) -> None:
    assert not same_view(Scene(**DRAWN), Scene(**DRAWN, **public), 1)


def test_rr_6_1_who_placed_a_card_face_down_knows_it_and_nobody_else() -> None:
    first, second = (Scene(rat="S", hands={0: "2H 3S 4C"}).play("2H"), Scene(rat="S", hands={0: "2D 3S 4C"}).play("2D"))
    assert same_view(first, second, 1)
    assert not same_view(first, second, 0)
    first.expect(taken={0: set()})


def test_rr_6_1_a_card_taken_from_the_market_is_remembered() -> None:
    Scene(hands={0: "2S"}, market="3S 4S 5S").play("3S", "DRAW").expect(taken={0: {"3S"}})


def test_rr_6_1_a_card_taken_and_placed_face_down_is_forgotten_once_it_is_turned_up() -> None:
    scene = Scene("H", rat="S", hands={0: "2H 4C"}, market="3S 5S 6S", deck="7H 8H 9C TC").play("3S", "3S")
    scene.expect(taken={0: {"3S"}})  # nobody saw it leave the hand
    scene.play("DRAW", "2H", "NO", "DRAW", "4C", "NO", "DRAW", "9C", "NO", "DRAW", "TC", "NO")
    scene.expect(round=2, taken={0: set()})


def test_rr_6_1_nobody_learns_whether_a_card_taken_from_the_market_was_the_one_placed() -> None:
    scenes = [Scene(rat="S", hands={0: "2H 4C"}, market="3S 5S 6S").play("3S", card) for card in ("3S", "2H")]
    assert same_view(*scenes, 1)


def test_rr_6_1_cards_turned_up_at_the_comparison_are_seen_whatever_happens_to_them_then() -> None:
    """They may be shuffled into a new deck at once, so what everybody saw is told by events."""
    scene = Scene(**{**DRAWN, "collective": "2H 4H 6H 8H", "hands": {0: "TH 3S 4S", 1: "2C 3C"}}).play("TH", "NO")
    turned = {card for kind, actor, card, *_ in EVENTS.happened(scene.table) if (kind, actor) == (Event.TURN_UP, -1)}
    assert {int(card) for card in turned} == {number("9C"), number("TC")}
