"""RR-6.1: what everybody sees happen is told as it happened, in its order."""

from collections.abc import Callable

import pytest

from river_rats.scene import Scene
from riverbed_env.games.river_rats.rules.vocab import Event

RESOLVING = {"rat_up": "TS TC", "pile": "KC", "collective": "9S 9C 9D 4S"}
LOSING = {"rat_up": "TS TC", "pile": "KC", "collective": "9S 7C 2D 5S"}


def told(scene: Scene) -> list[str]:
    """The events as seat 0 sees them, oldest first: kind, seats from it to the actor, cards, and numbers above 0."""
    events = []
    for kind, actor, card, other, first, second, *_ in reversed(scene.observed(0)["events"].tolist()):
        who = [str(actor - 1)] if actor else []
        numbers = [f"{name}={number}" for name, number in (("x", first), ("y", second)) if number]
        if kind:
            events.append(
                " ".join([Event(kind).name, *who, *(Scene.words(each) for each in (card, other) if each), *numbers])
            )
    return events


def last_card(scene: Scene, *actions: str) -> Scene:
    """Seat 0 plays the four of clubs as fifth card, and whatever follows."""
    return scene.play("4C", "NO", *actions)


HAND = {0: "4C 8H 6C"}
# Numbers as events tell them: categories from 1 (1 a high card, 2 a pair, 3 two pairs, 5 a straight, 7 a full house).
HAPPENED: dict[str, tuple[Callable[[], Scene], str]] = {
    "the beginning": (
        lambda: Scene.dealt(2, rats="D H", deck="2H 3H 4H 5H 6H 7H 8H 9H TH JH QH 2S 3S 4S 5S 6S").play("AC", "AS"),
        "ACE 0 AC, ACE 1 AS, RAT KD, REFILL 6H, REFILL 7H, REFILL 8H, ROUND 5S x=5, DEALT 6S",
    ),
    "cards drawn": (
        lambda: Scene(hands={0: "2S"}, market="3S 4S 5S", deck="9C").play("3S", "DRAW"),
        "TAKE 0 3S, REFILL 9C, DRAW 0",
    ),
    "another seat's card": (lambda: Scene(hands={2: "2S 3C 4C"}, active=2).play("2S", "NO"), "PLAY 2 2S, PASS 2"),
    "a card face-down": (lambda: Scene(rat="S", hands={0: "2S 3C 4C"}).play("2S"), "PLAY_FACE_DOWN 0"),
    "debt": (lambda: Scene(hands={0: "2H 3S 4S"}).play("2H", "ACT"), "PLAY 0 2H, DEBT 0"),
    "a card turned up, then debt": (
        lambda: Scene(hands={0: "2H 3S 4S"}, rat_down="9C TC").play("2H", "POWER", "DEBT"),
        "PLAY 0 2H, TURN_UP 0 9C, DEBT 0",
    ),
    "a discard of the market": (
        lambda: Scene(hands={0: "2S 3H 4C"}, market="5C 6C 7C", deck="8C").play("2S", "ACT", "5C"),
        "PLAY 0 2S, DISCARD 0 5C x=2, REFILL 8C",
    ),
    "discards of the hand": (
        lambda: Scene("S H", hands={0: "2S 3H 4C"}, market="5C 6C 7C").play("2S", "POWER", "3H", "NO"),
        "PLAY 0 2S, DISCARD 0 3H x=1, PASS 0",
    ),
    "a card for the market": (
        lambda: Scene(hands={0: "2C 3S 4S"}).play("2C", "ACT", "3S"),
        "PLAY 0 2C, TO_MARKET 0 3S",
    ),
    "a card of the deck for the market": (
        lambda: Scene("H", hands={0: "2C 3S 4S"}, deck="8C").play("2C", "ACT"),
        "PLAY 0 2C, TO_MARKET 0 8C",
    ),
    "a swap": (
        lambda: Scene(hands={0: "2D 3S 4S"}, collective="9H TH").play("2D", "ACT", "9H", "3S"),
        "PLAY 0 2D, SWAP 0 9H 3S x=1",
    ),
    "a swap with the market": (
        lambda: Scene("D S", waiting="S", hands={0: "2D 3S 4S"}, collective="9H", market="5C").play(
            "2D", "POWER", "9H", "5C"
        ),
        "PLAY 0 2D, SWAP 0 9H 5C x=2",
    ),
    "a joker": (lambda: Scene(hands={0: "2S 3S 4S"}, jokers=(1, 1, 0)).play("JOKER"), "JOKER 0"),
    "an advanced joker": (
        lambda: Scene(mode="advanced", hands={0: "2S 3S 4S"}, rat_up="5C", jokers=(1, 1, 0)).play("JOKER", "5C"),
        "JOKER 0, REMOVE 1 5C",
    ),
    "an advanced joker for a hidden card": (
        lambda: Scene(mode="advanced", hands={0: "2S 3S 4S"}, rat_down="9C 5C", jokers=(1, 1, 0)).play(
            "JOKER", "HIDDEN"
        ),
        "JOKER 0, REMOVE 1 9C",
    ),
    "an expert joker and a bust": (
        lambda: last_card(
            Scene(mode="expert", hands=HAND, jokers=(1, 1, 0), deck="2C 2H 8D", **LOSING), "JOKER", "DRAW"
        ),
        "PLAY 0 4C, PASS 0, JOKER 1, REVEAL 1 2C, BUST 1 2H, COMPARE x=1 y=2",
    ),
    "a bust that loses the game": (
        lambda: last_card(
            Scene(mode="expert", hands=HAND, jokers=(1, 1, 0), deck="2H", debt="3D 4D 5D 6D", **LOSING), "JOKER"
        ),
        "PLAY 0 4C, PASS 0, JOKER 1, BUST 1 2H, LOSE",
    ),
    "a hand won and a prediction met": (
        lambda: last_card(Scene(hands=HAND, **{**RESOLVING, "pile": "JC 2H"})),
        "PLAY 0 4C, PASS 0, PREDICTION x=7 y=1, COMPARE x=7 y=2, HAND_WON x=2",
    ),
    "a prediction met before the rat's card is turned up": (
        lambda: last_card(Scene(hands=HAND, **{**RESOLVING, "pile": "JC", "rat_down": "2D"})),
        "PLAY 0 4C, PASS 0, PREDICTION x=7 y=1, TURN_UP 2D",
    ),
    "a prediction met with no joker left": (
        lambda: last_card(Scene(hands=HAND, jokers=(0, 1, 0), **{**RESOLVING, "pile": "JC"})),
        "PLAY 0 4C, PASS 0, PREDICTION x=7",
    ),
    "a hand lost to the hearts rat, and the game": (
        lambda: last_card(Scene(hands=HAND, debt="3D 4D 5D", **LOSING)),
        "PLAY 0 4C, PASS 0, COMPARE x=1 y=2, DEBT, HAND_LOST x=2, LOSE",
    ),
    "a defeat and a relief": (
        lambda: last_card(Scene(hands=HAND, debt="3S QH", rat_debt="3D 4D 5D 6D", **RESOLVING)),
        "PLAY 0 4C, PASS 0, COMPARE x=7 y=2, HAND_WON x=1, DEFEAT KH, RELIEF QH, RAT KD",
    ),
    "a win": (
        lambda: last_card(Scene(hands=HAND, rat="D", defeated="S", rat_debt="3D 4D 5D 6D", **RESOLVING)),
        "PLAY 0 4C, PASS 0, COMPARE x=7 y=3, HAND_WON x=1, DEFEAT KD, WIN",
    ),
    "a reshuffle": (lambda: Scene(hands={0: "2S 3S"}, rest="discard").play("DRAW"), "RESHUFFLE, DRAW 0"),
    "a seat that is skipped": (lambda: Scene(hands={1: "2S"}, rest="out"), "SKIP 0"),
    "a game that is cut off": (lambda: Scene(hands={0: "2S"}, max_decisions=1).play("DRAW"), "DRAW 0, TRUNCATE"),
}


@pytest.mark.parametrize("what", HAPPENED)
def test_events_say_what_happened(what: str) -> None:
    play, expected = HAPPENED[what]
    assert ", ".join(told(play())).startswith(expected)


def test_every_kind_of_event_is_told() -> None:
    kinds = {event.split()[0] for _, expected in HAPPENED.values() for event in expected.split(", ")}
    assert kinds == {event.name for event in Event} - {"NONE"}


def test_an_event_is_told_with_its_round_and_its_turn() -> None:
    scene = Scene(hands={0: "2S 3S 4S", 1: "5S 6S 7S"}).play("2S", "NO", "5S")
    assert [event[6:] for event in scene.observed(0)["events"].tolist()[:3]] == [[1, 2], [1, 1], [1, 1]]


@pytest.mark.parametrize(("played", "turns"), [(126, 127), (128, 127), (127, 128), (300, 1000)])
def test_rounds_and_turns_are_written_up_to_127(played: int, turns: int) -> None:
    scene = Scene(hands={0: "2S 3S 4S"})
    scene.dismiss_referee()
    scene.table["round"], scene.table["turn"] = played, turns
    assert scene.play("2S").observed(0)["events"][0].tolist()[6:] == [min(127, played), min(127, turns)]


def test_each_kind_is_counted() -> None:
    scene = Scene(hands={0: "2S"}, market="3S 4S 5S").play("3S", "4S")
    assert [int(scene.table["tally"][kind]) for kind in (Event.TAKE, Event.REFILL, Event.DRAW)] == [2, 2, 0]
