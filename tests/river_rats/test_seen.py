"""RR-6.1: what every seat is shown, piece by piece, retold from the record and from where the cards truly lie.

The same of the full state: all that everybody sees, as seat 0 does, and behind it every secret.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import seen_kit
from drawn import one_hot
from seen_kit import SeenTests, told_events

from river_rats.scene import Scene
from riverbed_env.games.river_rats.rules import vocab as v

STARTS: dict[str, Callable[[], Scene]] = {
    **{f"{count} players": lambda count=count: Scene.dealt(count) for count in (1, 2, 4)},
    "a card placed face-down": lambda: Scene.dealt(3, rats="S C"),
    "the diamonds rat's card": lambda: Scene.dealt(2, rats="D H", mode="first_game"),
    "a market of four": lambda: Scene(defeated="S", jokers=(0, 1, 0), market="2H 3C 4C", prediction="at_least_form"),
    "six cards to fill": lambda: Scene("C S", rat="S", defeated="D", jokers=(0, 2, 0), debt="9H TH", pile="9S"),
    "advanced jokers": lambda: Scene(
        mode="advanced", jokers=(0, 2, 0), rat_up="5C 6C", rat_down="9C", rat_debt="2D 3D"
    ),
    "expert jokers": lambda: Scene("D H S C", mode="expert", rat="C", waiting="H", jokers=(0, 2, 0), pile="9S JC"),
}
HANDS = (v.Event.HAND_WON, v.Event.HAND_LOST)


def bits(cards: int) -> list[int]:
    """A set of cards, one number a card."""
    return [int(cards) >> card & 1 for card in range(v.NUM_CARDS)]


def members(cards: int) -> set[int]:
    """The cards of a set."""
    return {card for card in range(v.NUM_CARDS) if int(cards) >> card & 1}


def hidden(scene: Scene, seat: int) -> set[int]:
    """The cards that lie where the seat can't see them, and of which nobody has seen how they came there."""
    game, table = scene.game, scene.table
    if table["step"] == v.Step.ACES:
        return set(range(v.NUM_CARDS)) - {
            int(suit) * v.NUM_RANKS + v.ACE for suit in table["character"] if suit != v.Suit.NONE
        }
    found = {int(card) for name in ("deck", "face_down") for card in game[name]}
    found |= {int(card) for card in game["pile"]} - {int(table["first_debt"])}
    found |= {int(card) for card in game["debt"]} - members(table["debt_seen"])
    found |= members(game["rat_debt"]) - members(table["rat_debt_seen"])
    for other in range(scene.num_players):
        own = game["private"][other]
        if other != seat:
            found |= (members(own["hand"]) | {int(own["placed"])}) - members(table["taken"][other])
    if table["defeated"] == v.Suit.NONE:
        found.add(int(game["second_rat"]) * v.NUM_RANKS + v.KING)
    return found - {v.NO_CARD}


def retold(scene: Scene, seat: int) -> dict[str, list[Any]]:
    """What the pieces are to say to a seat, or to PUBLIC, which looks from seat 0."""
    table, params, own = scene.table, scene.params, scene.game["private"][seat]
    observer = seat % v.MAX_SEATS
    seats = [(observer + steps) % scene.num_players for steps in range(scene.num_players)]
    empty = v.MAX_SEATS - scene.num_players

    def who(number: int) -> list[int]:
        return one_hot(v.NOBODY if number == v.NOBODY else seats.index(number), v.MAX_SEATS)

    down, up, used = scene.jokers
    as_card = used if params["mode"] in (v.Mode.FIRST_GAME, v.Mode.STANDARD) else 0
    return {
        "own_hand": bits(own["hand"]),
        "own_face_down": one_hot(int(own["placed"]), v.NUM_CARDS),
        "market": bits(table["market"]),
        "discard_pile": bits(table["discard"]),
        "rat_cards": bits(table["rat_up"]),
        "collective": bits(table["collective"]),
        "revealed": bits(table["revealed"]),
        "first_debt": one_hot(int(table["first_debt"]), v.NUM_CARDS),
        "just_played": one_hot(int(table["played"]), v.NUM_CARDS),
        "swapped_out": one_hot(int(table["swapped"]), v.NUM_CARDS),
        "num_players": one_hot(scene.num_players - 1, v.MAX_SEATS),
        "mode": one_hot(int(params["mode"]), 4),
        "prediction_rule": one_hot(int(params["prediction"]), 2),
        "question": one_hot(int(table["question"]), 15),
        "asked": who(int(table["asked"])),
        "active": who(int(table["active"])),
        "rat": one_hot(int(table["rat"]), 4),
        "defeated": one_hot(int(table["defeated"]), 4),
        "characters": [*(one_hot(int(table["character"][one]), 4) for one in seats), *[[0] * 4] * empty],
        "hand_sizes": [*(len(scene.hand(one)) for one in seats), *[0] * empty],
        "placer": who(int(table["placer"])),
        "zone": one_hot(int(table["zone"]), 3),
        "flags": [int(table["power"]), int(table["drawn"]), used],
        "predicted": one_hot(int(table["prediction"]), 9),
        "jokers": [down, up, 2 - down - up - used],
        "deck": [0 if table["step"] == v.Step.ACES else len(scene.deck)],
        "market_size": [4 if scene.defeated == v.Suit.SPADES else 3],
        "rat_face_down": [len(scene.rat_down)],
        "collective_size": [len(scene.collective) + int(table["placer"] != v.NOBODY) + as_card],
        "hand_to_fill": [6 if scene.defeated == v.Suit.DIAMONDS else 5],
        "pile": [len(scene.pile)],
        "rat_debt": [len(scene.rat_debt)],
        "debt": [len(scene.debt)],
        "skips": [int(table["skips"])],
        "taken": [*(bits(table["taken"][one]) for one in seats), *[[0] * v.NUM_CARDS] * empty],
        "rat_debt_seen": bits(table["rat_debt_seen"]),
        "debt_seen": bits(table["debt_seen"]),
        "unseen": [int(card in hidden(scene, seat)) for card in range(v.NUM_CARDS)],
        "events": told_events(scene, observer),
        "counts": [int(table["round"]), int(table["turn"]), *(int(table["tally"][kind]) for kind in HANDS)],
    }


def differing(scene: Scene, seat: int) -> set[str]:
    """The pieces that say something else."""
    return seen_kit.differing(scene.observed(seat), retold(scene, seat))


def in_order(cards: list[int], size: int) -> list[int]:
    """1 + card, one number a place, 0 for none."""
    return [1 + card for card in cards] + [0] * (size - len(cards))


def laid(scene: Scene, field: str) -> list[int]:
    """The cards of an array of places."""
    return [int(card) for card in scene.game[field] if card != v.NO_CARD]


class TestSeen(SeenTests):
    starts = STARTS
    decisions = 36
    rarely: ClassVar = {"own_face_down", "skips"}  # shown in tests of their own

    def is_eager(self, words: str) -> bool:
        return words in ("JOKER", "ACT", "POWER")

    def viewers(self, scene: Scene, decision: int) -> list[int]:
        return [(*range(scene.num_players), v.PUBLIC)[decision % (scene.num_players + 1)]]

    def retold(self, scene: Scene, seat: int) -> dict[str, list[Any]]:
        return retold(scene, seat)

    def secrets(self, scene: Scene) -> dict[str, Any]:
        game = scene.game
        return {
            "hands": [bits(game["private"][seat]["hand"]) for seat in range(v.MAX_SEATS)],
            "placed": one_hot(max(int(own["placed"]) for own in game["private"]), v.NUM_CARDS),
            "rat_debt_cards": bits(game["rat_debt"]),
            "rats": [one_hot(int(game[name]), 4) for name in ("first_rat", "second_rat")],
            "deck_cards": in_order(laid(scene, "deck")[::-1], v.NUM_CARDS),
            "face_down_cards": in_order(laid(scene, "face_down"), v.MAX_FACE_DOWN),
            "pile_cards": in_order(laid(scene, "pile"), v.MAX_PILE),
            "debt_cards": in_order(laid(scene, "debt"), v.MAX_DEBT),
        }


def test_who_placed_a_card_face_down_is_shown_it() -> None:
    scene = Scene(rat="S", hands={0: "2H 3S 4C"}).play("2H")
    assert [differing(scene, seat) for seat in (*range(3), v.PUBLIC)] == [set()] * 4
    assert scene.observed(0)["own_face_down"].any()


def test_skipped_seats_are_counted() -> None:
    scene = Scene()
    scene.table["skips"] = 2
    assert differing(scene, 0) == set()


def test_counts_are_written_up_to_127() -> None:
    scene = Scene()
    scene.table["round"], scene.table["turn"] = 126, 127
    scene.table["tally"][v.Event.HAND_WON], scene.table["tally"][v.Event.HAND_LOST] = 128, 200
    assert scene.observed(0)["counts"].tolist() == [126, 127, 127, 127]
    assert scene.full_state()["counts"].tolist() == [126, 127, 127, 127]
    scene.table["round"], scene.table["turn"] = 300, 126
    assert scene.observed(0)["counts"].tolist() == [127, 126, 127, 127]


def test_the_full_state_holds_the_first_and_the_last_card_of_a_hand() -> None:
    state = Scene(hands={1: "2H AD"}).full_state()
    assert np.flatnonzero(state["hands"][1]).tolist() == [0, v.NUM_CARDS - 1]
