"""Which action the rules refuse whom, and for what reason: every question, every action."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from legality_kit import check_reasons, check_the_end, check_turns

from river_rats.scene import SUITS, Scene
from riverbed_env.games.river_rats.rules import engine
from riverbed_env.games.river_rats.rules.vocab import Question, Refusal

PLAYING: dict[str, Any] = {"hands": {0: "2S 3S 4C"}, "jokers": (1, 1, 0)}
# A scene for each question, some in several circumstances.
ASKED: dict[str, tuple[Callable[[], Scene], Question]] = {
    "an ace": (lambda: Scene.dealt(3).play("AS"), Question.ACE),
    "a draw": (lambda: Scene(hands={0: "2S"}, market="3S 4S 5S"), Question.DRAW),
    "a draw from the market alone": (lambda: Scene(hands={0: "2S"}, market="3S 4S", rest="out"), Question.DRAW),
    "a second draw": (lambda: Scene(jokers=(1, 1, 0), hands={0: "2S"}).play("DRAW"), Question.DRAW),
    "a play": (lambda: Scene(**PLAYING), Question.PLAY),
    "a play once a joker is used": (lambda: Scene(hands={0: "2S 3C 4C"}, jokers=(0, 1, 1)), Question.PLAY),
    "an action with an object": (lambda: Scene(hands={0: "2H 3C 4C"}, rat_down="9C").play("2H"), Question.ACTION),
    "an action without one": (lambda: Scene(hands={1: "2D 3C 4C"}, active=1).play("2D"), Question.ACTION),
    "an action without powers": (
        lambda: Scene(mode="first_game", hands={0: "2H 3C 4C"}, rat_down="9C").play("2H"),
        Question.ACTION,
    ),
    "a discard": (lambda: Scene(hands={0: "2S 3C 4C"}, market="5C").play("2S", "ACT"), Question.DISCARD),
    "more discards of the hand": (
        lambda: Scene("S H", hands={0: "2S 3C 4C"}, market="5C").play("2S", "POWER", "3C"),
        Question.DISCARD_MORE,
    ),
    "more discards of the market": (
        lambda: Scene("S H", hands={0: "2S 3C 4C"}, market="5C 6C").play("2S", "POWER", "5C"),
        Question.DISCARD_MORE,
    ),
    "a card for the market": (lambda: Scene(hands={0: "2C 3S 4C"}).play("2C", "ACT"), Question.TO_MARKET),
    "a second one": (lambda: Scene("C H", hands={0: "2C 3S 4C"}).play("2C", "POWER", "3S"), Question.MORE_TO_MARKET),
    "a second one alone": (lambda: Scene("C", hands={0: "2C 3S 4C"}).play("2C", "POWER"), Question.MORE_TO_MARKET),
    "a swap": (lambda: Scene(hands={0: "2D 3S 4C"}, collective="9H TH").play("2D", "ACT"), Question.SWAP_OUT),
    "what comes in": (
        lambda: Scene(hands={0: "2D 3S 4C"}, collective="9H TH").play("2D", "ACT", "9H"),
        Question.SWAP_IN,
    ),
    "what comes in from the market": (
        lambda: Scene("D S", waiting="S", rat="H", hands={0: "2D 3S 4C"}, collective="9H", market="5C 6C 7C").play(
            "2D", "POWER", "9H"
        ),
        Question.SWAP_IN,
    ),
    "a debt": (lambda: Scene(hands={0: "2H 3S 4C"}, rat_down="9C").play("2H", "POWER"), Question.ADD_DEBT),
    "a debt with no card left": (
        lambda: Scene(hands={0: "2H 3S 4C"}, rat_down="9C", rest="out").play("2H", "POWER"),
        Question.ADD_DEBT,
    ),
    "a card of the rat's": (
        lambda: Scene(mode="advanced", rat_up="5C", rat_down="9C", **PLAYING).play("JOKER"),
        Question.REMOVE,
    ),
    "a face-up card of the rat's": (
        lambda: Scene(mode="advanced", rat_up="5C", **PLAYING).play("JOKER"),
        Question.REMOVE,
    ),
    "an expert joker": (
        lambda: Scene(mode="expert", collective="3H 4S 5C 9D", **PLAYING).play("2S", "NO"),
        Question.USE_JOKER,
    ),
    "another card": (
        lambda: Scene(mode="expert", collective="3H 4S 5C 9D", deck="2C 8C", **PLAYING).play("2S", "NO", "JOKER"),
        Question.REVEAL_MORE,
    ),
}
# Why a card that can't be chosen can't; elsewhere a card doesn't answer what is asked.
CARDS = {
    "a draw": Refusal.NOT_IN_MARKET,
    "a draw from the market alone": Refusal.NOT_IN_MARKET,
    "a second draw": Refusal.NOT_IN_MARKET,
    "a play": Refusal.NOT_IN_HAND,
    "a play once a joker is used": Refusal.NOT_IN_HAND,
    "a discard": Refusal.NOT_IN_HAND_OR_MARKET,
    "more discards of the hand": Refusal.NOT_IN_ZONE,
    "more discards of the market": Refusal.NOT_IN_ZONE,
    "a card for the market": Refusal.NOT_IN_HAND,
    "a second one": Refusal.NOT_IN_HAND,
    "a second one alone": Refusal.NOT_ALONE,
    "a swap": Refusal.NOT_EXCHANGEABLE,
    "what comes in": Refusal.NOT_IN_HAND,
    "what comes in from the market": Refusal.NOT_IN_MARKET,
    "a card of the rat's": Refusal.NOT_THE_RATS,
    "a face-up card of the rat's": Refusal.NOT_THE_RATS,
}
# The same of the other actions.
OTHERS = {
    "a draw": {"JOKER": Refusal.NO_JOKER},
    "a draw from the market alone": {"JOKER": Refusal.NO_JOKER, "DRAW": Refusal.NO_CARDS_LEFT},
    "a second draw": {"JOKER": Refusal.JOKER_AFTER_DRAW},
    "a play once a joker is used": {"JOKER": Refusal.JOKER_USED},
    "an action without one": {"ACT": Refusal.NOTHING_FOR_THE_ACTION, "POWER": Refusal.NOT_THE_OWN_SUIT},
    "an action without powers": {"POWER": Refusal.NO_POWERS},
    "a second one": {"DRAW": Refusal.HAND_FIRST},
    "a debt with no card left": {"DEBT": Refusal.NO_CARDS_LEFT},
    "a face-up card of the rat's": {"HIDDEN": Refusal.NO_FACE_DOWN_CARD},
}


def reason(asked: str, words: str) -> Refusal:
    """Why the action isn't legal where this is asked."""
    if words[1:] not in SUITS:
        return OTHERS.get(asked, {}).get(words, Refusal.WRONG_QUESTION)
    if asked == "an ace":
        return Refusal.ACE_TAKEN if words[0] == "A" else Refusal.NOT_AN_ACE
    return CARDS.get(asked, Refusal.WRONG_QUESTION)


def test_every_question_is_asked() -> None:
    assert {question for _, question in ASKED.values()} == set(Question) - {Question.NONE}


@pytest.mark.parametrize("asked", ASKED)
def test_the_reason_of_every_refusal(asked: str) -> None:
    draw, question = ASKED[asked]
    check_reasons(draw().expect(question=question), partial(reason, asked))


def test_who_is_not_asked_waits() -> None:
    check_turns(Scene(hands={0: "2S", 1: "3S"}, market="4S"))


def test_when_it_is_over_everybody_waits() -> None:
    check_the_end(Scene(hands={0: "2S"}, market="4S", max_decisions=1).play("DRAW"))


def test_a_refused_action_changes_nothing() -> None:
    scene = Scene(hands={0: "2S"}, market="3S 4S 5S")
    before = scene.game.tobytes()
    assert engine.step(scene.game, scene.params, scene.action("2S")) == Refusal.NOT_IN_MARKET
    assert scene.game.tobytes() == before
