"""RR-6.1: what everybody sees happen is told as it happened, in its order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from river_rats.scene import Scene
from riverbed_env.games.river_rats.rules.vocab import Category, Event, Whose, Zone

Told = tuple[Event, int, str, str, int, int]
RESOLVING = {"rat_up": "TS TC", "pile": "KC", "collective": "9S 9C 9D 4S"}
LOSING = {"rat_up": "TS TC", "pile": "KC", "collective": "9S 7C 2D 5S"}


def event(
    kind: Event, actor: int | None = None, card: str = "", other: str = "", first: int = 0, second: int = 0
) -> Told:
    """An event by a seat or by nobody, as seat 0 sees it."""
    return kind, 0 if actor is None else 1 + actor, card, other, first, second


def compared(players: Category, rat: Category) -> Told:
    """The hands as they are compared."""
    return event(Event.COMPARE, first=1 + players, second=1 + rat)


def told(scene: Scene) -> list[Told]:
    """The events as seat 0 sees them, oldest first."""
    seen = reversed(scene.observed(0)["events"].tolist())
    return [
        (Event(kind), actor, card_name(card), card_name(other), first, second)
        for kind, actor, card, other, first, second, *_ in seen
        if kind
    ]


def card_name(place: int) -> str:
    """A card as events count it, from 1; nothing for 0."""
    return Scene.words(place) if place else ""


def last_card(scene: Scene, *actions: str) -> Scene:
    """Seat 0 plays the four of clubs as fifth card, and whatever follows."""
    return scene.play("4C", "NO", *actions)


HAND = {0: "4C 8H 6C"}
LAST = (event(Event.PLAY, 0, "4C"), event(Event.PASS, 0))
HAPPENED: dict[str, tuple[Callable[[], Scene], Sequence[Told]]] = {
    "the beginning": (
        lambda: Scene.dealt(2, rats="D H", deck="2H 3H 4H 5H 6H 7H 8H 9H TH JH QH 2S 3S 4S 5S 6S").play("AC", "AS"),
        [
            event(Event.ACE, 0, "AC"),
            event(Event.ACE, 1, "AS"),
            event(Event.RAT, None, "KD"),
            *(event(Event.REFILL, None, card) for card in ("6H", "7H", "8H")),
            event(Event.ROUND, None, "5S", first=1 + Category.STRAIGHT),
            event(Event.DEALT, None, "6S"),
        ],
    ),
    "cards drawn": (
        lambda: Scene(hands={0: "2S"}, market="3S 4S 5S", deck="9C").play("3S", "DRAW"),
        [event(Event.TAKE, 0, "3S"), event(Event.REFILL, None, "9C"), event(Event.DRAW, 0)],
    ),
    "another seat's card": (
        lambda: Scene(hands={2: "2S 3C 4C"}, active=2).play("2S", "NO"),
        [event(Event.PLAY, 2, "2S"), event(Event.PASS, 2)],
    ),
    "a card face-down": (lambda: Scene(rat="S", hands={0: "2S 3C 4C"}).play("2S"), [event(Event.PLAY_FACE_DOWN, 0)]),
    "debt": (
        lambda: Scene(hands={0: "2H 3S 4S"}).play("2H", "ACT"),
        [event(Event.PLAY, 0, "2H"), event(Event.DEBT, 0)],
    ),
    "a card turned up, then debt": (
        lambda: Scene(hands={0: "2H 3S 4S"}, rat_down="9C TC").play("2H", "POWER", "DEBT"),
        [event(Event.PLAY, 0, "2H"), event(Event.TURN_UP, 0, "9C"), event(Event.DEBT, 0)],
    ),
    "a discard of the market": (
        lambda: Scene(hands={0: "2S 3H 4C"}, market="5C 6C 7C", deck="8C").play("2S", "ACT", "5C"),
        [event(Event.PLAY, 0, "2S"), event(Event.DISCARD, 0, "5C", first=Zone.MARKET), event(Event.REFILL, None, "8C")],
    ),
    "discards of the hand": (
        lambda: Scene("S H", hands={0: "2S 3H 4C"}, market="5C 6C 7C").play("2S", "POWER", "3H", "NO"),
        [event(Event.PLAY, 0, "2S"), event(Event.DISCARD, 0, "3H", first=Zone.HAND), event(Event.PASS, 0)],
    ),
    "a card for the market": (
        lambda: Scene(hands={0: "2C 3S 4S"}).play("2C", "ACT", "3S"),
        [event(Event.PLAY, 0, "2C"), event(Event.TO_MARKET, 0, "3S")],
    ),
    "a card of the deck for the market": (
        lambda: Scene("H", hands={0: "2C 3S 4S"}, deck="8C").play("2C", "ACT"),
        [event(Event.PLAY, 0, "2C"), event(Event.TO_MARKET, 0, "8C")],
    ),
    "a swap": (
        lambda: Scene(hands={0: "2D 3S 4S"}, collective="9H TH").play("2D", "ACT", "9H", "3S"),
        [event(Event.PLAY, 0, "2D"), event(Event.SWAP, 0, "9H", "3S", Zone.HAND)],
    ),
    "a swap with the market": (
        lambda: Scene("D S", waiting="S", hands={0: "2D 3S 4S"}, collective="9H", market="5C").play(
            "2D", "POWER", "9H", "5C"
        ),
        [event(Event.PLAY, 0, "2D"), event(Event.SWAP, 0, "9H", "5C", Zone.MARKET)],
    ),
    "a joker": (lambda: Scene(hands={0: "2S 3S 4S"}, jokers=(1, 1, 0)).play("JOKER"), [event(Event.JOKER, 0)]),
    "an advanced joker": (
        lambda: Scene(mode="advanced", hands={0: "2S 3S 4S"}, rat_up="5C", jokers=(1, 1, 0)).play("JOKER", "5C"),
        [event(Event.JOKER, 0), event(Event.REMOVE, 1, "5C")],
    ),
    "an advanced joker for a hidden card": (
        lambda: Scene(mode="advanced", hands={0: "2S 3S 4S"}, rat_down="9C 5C", jokers=(1, 1, 0)).play(
            "JOKER", "HIDDEN"
        ),
        [event(Event.JOKER, 0), event(Event.REMOVE, 1, "9C")],
    ),
    "an expert joker and a bust": (
        lambda: last_card(
            Scene(mode="expert", hands=HAND, jokers=(1, 1, 0), deck="2C 2H 8D", **LOSING), "JOKER", "DRAW"
        ),
        [
            *LAST,
            event(Event.JOKER, 1),
            event(Event.REVEAL, 1, "2C"),
            event(Event.BUST, 1, "2H"),
            compared(Category.HIGH_CARD, Category.PAIR),
        ],
    ),
    "a bust that loses the game": (
        lambda: last_card(
            Scene(mode="expert", hands=HAND, jokers=(1, 1, 0), deck="2H", debt="3D 4D 5D 6D", **LOSING), "JOKER"
        ),
        [*LAST, event(Event.JOKER, 1), event(Event.BUST, 1, "2H"), event(Event.LOSE)],
    ),
    "a hand won and a prediction met": (
        lambda: last_card(Scene(hands=HAND, **{**RESOLVING, "pile": "JC 2H"})),
        [
            *LAST,
            event(Event.PREDICTION, first=1 + Category.FULL_HOUSE, second=1),
            compared(Category.FULL_HOUSE, Category.PAIR),
            event(Event.HAND_WON, first=2),
        ],
    ),
    "a prediction met before the rat's card is turned up": (
        lambda: last_card(Scene(hands=HAND, **{**RESOLVING, "pile": "JC", "rat_down": "2D"})),
        [
            *LAST,
            event(Event.PREDICTION, first=1 + Category.FULL_HOUSE, second=1),
            event(Event.TURN_UP, None, "2D", first=Whose.RATS),
        ],
    ),
    "a prediction met with no joker left": (
        lambda: last_card(Scene(hands=HAND, jokers=(0, 1, 0), **{**RESOLVING, "pile": "JC"})),
        [*LAST, event(Event.PREDICTION, first=1 + Category.FULL_HOUSE, second=0)],
    ),
    "a hand lost to the hearts rat, and the game": (
        lambda: last_card(Scene(hands=HAND, debt="3D 4D 5D", **LOSING)),
        [
            *LAST,
            compared(Category.HIGH_CARD, Category.PAIR),
            event(Event.DEBT),
            event(Event.HAND_LOST, first=2),
            event(Event.LOSE),
        ],
    ),
    "a defeat and a relief": (
        lambda: last_card(Scene(hands=HAND, debt="3S QH", rat_debt="3D 4D 5D 6D", **RESOLVING)),
        [
            *LAST,
            compared(Category.FULL_HOUSE, Category.PAIR),
            event(Event.HAND_WON, first=1),
            event(Event.DEFEAT, None, "KH"),
            event(Event.RELIEF, None, "QH"),
            event(Event.RAT, None, "KD"),
        ],
    ),
    "a win": (
        lambda: last_card(Scene(hands=HAND, rat="D", defeated="S", rat_debt="3D 4D 5D 6D", **RESOLVING)),
        [
            *LAST,
            compared(Category.FULL_HOUSE, Category.TWO_PAIR),
            event(Event.HAND_WON, first=1),
            event(Event.DEFEAT, None, "KD"),
            event(Event.WIN),
        ],
    ),
    "a reshuffle": (
        lambda: Scene(hands={0: "2S 3S"}, rest="discard").play("DRAW"),
        [event(Event.RESHUFFLE), event(Event.DRAW, 0)],
    ),
    "a seat that is skipped": (lambda: Scene(hands={1: "2S"}, rest="out"), [event(Event.SKIP, 0)]),
    "a game that is cut off": (
        lambda: Scene(hands={0: "2S"}, max_decisions=1).play("DRAW"),
        [event(Event.DRAW, 0), event(Event.TRUNCATE)],
    ),
}


@pytest.mark.parametrize("what", HAPPENED)
def test_events_say_what_happened(what: str) -> None:
    play, expected = HAPPENED[what]
    assert told(play())[: len(expected)] == list(expected)


def test_every_kind_of_event_is_told() -> None:
    assert {told[0] for _, expected in HAPPENED.values() for told in expected} == set(Event) - {Event.NONE}


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
