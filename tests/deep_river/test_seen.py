"""What both sides are shown, piece by piece, retold from the position as it is drawn."""

from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
import seen_kit
from drawn import one_hot
from seen_kit import SeenTests, newest_words

from deep_river.scene import SLOTS, Scene
from riverbed_env.games.deep_river.rules import engine
from riverbed_env.games.deep_river.rules.vocab import Deed, Event, Purpose, Question
from riverbed_env.kernels.vocab import MAX_EVENTS

CHECK_PACK = Path(__file__).parents[1] / "referee" / "packs" / "deep_river" / "check.toml"
# Of each token in the pack's order, of each face: tiles a fish moves, bear, twice.
NUMBER, BEAR, TWICE = (lambda steps: [steps, 0, 0]), [1, 1, 0], [1, 0, 1]
FACES = {
    "default": [[NUMBER(1), NUMBER(4)], [NUMBER(1), BEAR], [NUMBER(1), TWICE]],
    "check": [[NUMBER(1), NUMBER(3)], [NUMBER(2), BEAR], [NUMBER(3), TWICE]],
}
SALMON, EEL = 0, 1
# The slots and places as each side counts them: from its own nest; those of the double tile keep their order.
COUNTED = (SLOTS, ("7", "6", "5", "4", "4'", "3", "2", "1"))
IN_THE_RECORD = ("nest", "nest double", *SLOTS)  # in which places are numbered
MIXED: dict[str, Any] = {
    "pawns": {"1": "Se", "4": "sE", "4'": "E", "6": "eS", "7": "S"},
    "nest_double": (0, 1),
    "bear": 6,
    "progress": (2, 6, 1),
}
STARTS: dict[str, dict[str, Any]] = {
    "the deal": {},
    "the deal with tilts": {"tiles": "ttdDdtt", "faces": "011"},
    "with eels on turn": {"turn": "eel", "faces": "101", "tiles": "stbDdsb", **MIXED},
    "with salmon on turn": {"faces": "011", "barred": (1,), **MIXED},
    "with the check pack": {"pack": CHECK_PACK, "tiles": "dddDttt", "faces": "011", "max_turns": 9},
    "with two to stand on": {"pawns": {"3": "s", "4": "e", "4'": "e", "5": "s"}, "faces": "001"},
    "many turns before the cap": {"max_turns": 1000},
}


def pawn(letter: str, side: int) -> list[int]:
    """A pawn as the side sees it: own single, own double, rival single, rival double; nothing for no letter."""
    return one_hot(("sSeE", "eEsS")[side].find(letter) if letter else -1, 4)


def from_the_nest(station: int, side: int) -> int:
    """Steps of a station from the side's own nest."""
    return station if side == SALMON else 8 - station


def place_of(number: int, side: int) -> int:
    """A place of the record as the side counts it."""
    words = IN_THE_RECORD[number]
    return number if number < 2 else 2 + COUNTED[side].index(words)


def told_events(scene: Scene, side: int) -> list[list[int]]:
    """The last events, newest first."""
    told = []
    for word in newest_words(scene):
        bits = f"{word:032b}"  # from the highest: turn (10 bits), thing (4), places (4, 4), actor (2), kind (5)
        turn, thing, second, first, actor, kind = (
            int(bits[start:stop], 2) for start, stop in ((3, 13), (13, 17), (17, 21), (21, 25), (25, 27), (27, 32))
        )
        who = 0 if actor == 0 else 1 + int(actor - 1 != side)
        where = [0 if place == 0 else 1 + place_of(place - 1, side) for place in (first, second)]
        told.append([kind, who, *where, from_the_nest(thing, side) if kind == Event.BEAR else thing, min(127, turn)])
    return told + [[0] * 6] * (MAX_EVENTS - len(told))


def retold(scene: Scene, side: int) -> dict[str, list[Any]]:
    """What the pieces are to say to a side."""
    table, drawn, rival = scene.table, scene.pawns(), 1 - side
    stacks = [f"{drawn.get(slot, ''):2}" for slot in COUNTED[side]]
    faces = FACES["default" if scene.pack.name == "default" else "check"]
    up = [int(face) for face in scene.faces()]
    own, other = (table["barred"], table["tilted"]) if table["active"] == side else (table["tilted"], table["barred"])
    arrived = int(table["arrived"])
    choices = {place_of(place, side) for place in range(10) if int(table["places"]) >> place & 1}
    return {
        "pawns": [[*pawn(top.strip(), side), *pawn(under.strip(), side)] for top, under in stacks],
        "nests": [list(scene.nest(("salmon", "eel")[one])) for one in (side, rival)],
        "tiles": [one_hot(int(table["tile"][from_the_nest(number, side)]) - 1, 5) for number in range(1, 8)],
        "bear": one_hot(from_the_nest(scene.bear, side), 9),
        "tokens": [one_hot(moved, 7) for moved in scene.progress()],
        "token_faces": [[*faces[token][up[token]], *faces[token][1 - up[token]]] for token in range(3)],
        "tilted": [[int(tilted) >> token & 1 for token in range(3)] for tilted in (own, other)],
        "asked": [int(scene.asked == one) for one in (side, rival)],
        "question": one_hot(scene.question, 9),
        "choices": [int(place in choices) for place in range(10)],
        "token": one_hot(int(table["token"]), 3),
        "to_come": [int(table["moves_left"]), int(table["bear_due"])],
        "purpose": one_hot(int(table["purpose"]), 4),
        "steps": [int(table["steps"])],
        "moving": one_hot(abs(int(table["moving"])) - 1, 2),
        "arrived": one_hot(place_of(arrived, side) - 2 if arrived >= 0 else -1, 8),
        "clock": [min(127, int(table["turn"])), min(127, int(scene.params["max_turns"]) - int(table["turn"]))],
        "rules": [1, int(scene.pack.name != "default")],
        "deeds": [[min(127, int(done)) for done in table["deeds"][one]] for one in (side, rival)],
        "events": told_events(scene, side),
    }


def differing(scene: Scene, side: int) -> set[str]:
    """The pieces that say something else."""
    return seen_kit.differing(scene.observed(side), retold(scene, side))


class TestSeen(SeenTests):
    starts: ClassVar = {name: partial(Scene, **drawn) for name, drawn in STARTS.items()}
    decisions = 40

    def retold(self, scene: Scene, side: int) -> dict[str, list[Any]]:
        return retold(scene, side)


def test_a_slot_that_a_pack_leaves_out_is_told(tmp_path: Path) -> None:
    path = tmp_path / "narrow.toml"
    text = CHECK_PACK.read_text(encoding="utf-8")
    path.write_text(text.replace("double_slots = 2", "double_slots = 1"), encoding="utf-8")
    assert Scene(pack=path).observed(SALMON)["rules"].tolist() == [0, 1]


def test_counts_are_written_up_to_127() -> None:
    scene = Scene(max_turns=1000)
    scene.table["deeds"][:] = [[126, 127, 128, 500, 0, 1], [2, 127, 3, 4, 130, 5]]
    scene.table["turn"] = 300
    assert [differing(scene, side) for side in (SALMON, EEL)] == [set(), set()]
    seen = scene.observed(EEL)
    assert seen["deeds"].tolist() == [[2, 127, 3, 4, 127, 5], [126, 127, 127, 127, 0, 1]]
    assert seen["clock"].tolist() == [127, 127]


@pytest.mark.parametrize("turn", [126, 127, 128, 500, 1000])
def test_turns_of_events_are_written_up_to_127(turn: int) -> None:
    scene = Scene(max_turns=1000)
    scene.table["turn"] = turn
    engine.step(scene.game, scene.params, scene.action("token A", SALMON))
    seen = scene.observed(EEL)
    assert seen["events"][0].tolist() == [Event.TOKEN, 2, 0, 0, 0, min(127, turn)]
    assert differing(scene, EEL) == set()


def test_what_is_under_way_is_shown() -> None:
    scene = Scene(pawns={"3": "S", "4": "e", "4'": "e"}, faces="001").play("token C", "3")
    seen = scene.observed(SALMON)
    assert (scene.question, seen["moving"].tolist()) == (Question.STAND, [0, 1])
    assert (seen["token"].tolist(), seen["to_come"].tolist(), seen["steps"].tolist()) == ([0, 0, 1], [1, 0], [1])
    assert seen["purpose"].tolist() == one_hot(Purpose.FACE, 4)
    assert seen["choices"].tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0]
    scene.play("4'")
    assert scene.observed(EEL)["arrived"].tolist() == [0, 0, 0, 0, 1, 0, 0, 0]


# --- what happens is told -------------------------------------------------------------------------------------------


def told(scene: Scene) -> list[str]:
    """The events as the salmon see them, oldest first: kind, actor, places, and X above 0."""
    events = []
    for kind, actor, place, second, thing, _ in reversed(scene.observed(SALMON)["events"].tolist()):
        words = (("", "own", "rival")[actor], *(("", *IN_THE_RECORD)[each] for each in (place, second)))
        if kind:
            events.append(" ".join([Event(kind).name, *filter(None, words), *([f"x={thing}"] if thing else [])]))
    return events


HAPPENED: dict[str, tuple[dict[str, Any], tuple[str, ...], str]] = {
    "a token's faces are told apart": (
        {"tiles": "bbbDbbb", "faces": "010"},
        ("token B", "nest"),
        "TOKEN own x=3, MOVE own nest 1, BEAR own x=5",
    ),
    "what moves is told": (
        {"tiles": "bbbDbbb", "pawns": {"1": "Se", "7": "S"}, "turn": "eel", "nest_double": (0, 1)},
        ("token C", "nest double"),
        "TOKEN rival x=4, MOVE rival nest double 7 x=5, BEAR rival x=3",
    ),
    "a pile that moves": ({"tiles": "bbbDbbb", "pawns": {"1": "se"}}, ("token A", "1"), "TOKEN own, MOVE own 1 2 x=2"),
    "a pawn that comes home": (
        {"tiles": "bbbDbbb", "pawns": {"7": "Se"}},
        ("token A", "7"),
        "TOKEN own, HOME own 7 x=3, BEAR own x=6",
    ),
    "a pawn that is turned": (
        {"tiles": "bbbDbbb", "pawns": {"3": "s"}},
        ("token A", "3", "nest"),
        "TOKEN own, MOVE own 3 4, DOUBLE own nest",
    ),
    "a swap": (
        {"tiles": "sbbDbbb", "pawns": {"5": "eS"}},
        ("token A", "nest", "5"),
        "TOKEN own, MOVE own nest 1, SWAP own 5",
    ),
    "a tilt": ({"tiles": "tbbDbbb"}, ("token A", "nest", "tilt C"), "TOKEN own, MOVE own nest 1, TILT own x=2"),
    "a tile that is left": (
        {"tiles": "bbbDbbd", "pawns": {"3": "S", "6": "s"}},
        ("token A", "3", "advance", "6", "leave"),
        "TOKEN own, MOVE own 3 4 x=1, MOVE own 6 7, LEAVE own 7",
    ),
    "a side that is stuck": (
        {"tiles": "bbbDbbb", "pawns": {"1": "es", "2": "es", "3": "es", "5": "es", "6": "es"}},
        ("token A",),
        "TOKEN own, STUCK own",
    ),
    "a win by the bear": (
        {"tiles": "bbbDbbb", "faces": "010", "bear": 7},
        ("token B", "nest"),
        "TOKEN own x=3, MOVE own nest 1, BEAR own x=8, WIN own",
    ),
    "a win by the tokens": (
        {"tiles": "bbbDbbb", "progress": (5, 6, 0), "bear": 3},
        ("token A", "nest"),
        "TOKEN own, MOVE own nest 1, WIN rival x=1",
    ),
    "a draw": ({"tiles": "bbbDbbb", "progress": (5, 6, 0)}, ("token A", "nest"), "TOKEN own, MOVE own nest 1, DRAW"),
    "a game that is cut off": (
        {"tiles": "bbbDbbb", "max_turns": 1},
        ("token A", "nest"),
        "TOKEN own, MOVE own nest 1, TRUNCATE",
    ),
}


@pytest.mark.parametrize("what", HAPPENED)
def test_events_say_what_happened(what: str) -> None:
    drawn, actions, expected = HAPPENED[what]
    assert ", ".join(told(Scene(**drawn).play(*actions))) == expected


def test_every_kind_of_event_is_told() -> None:
    kinds = {event.split()[0] for _, _, expected in HAPPENED.values() for event in expected.split(", ")}
    assert kinds == {event.name for event in Event} - {"NONE"}


# What is counted of it: the side that acts, and its deeds.
COUNTED_DEEDS: dict[str, tuple[int, dict[Deed, int]]] = {
    "a token's faces are told apart": (SALMON, {Deed.MOVES: 1, Deed.BEAR_STEPS: 1}),
    "what moves is told": (EEL, {Deed.MOVES: 1, Deed.BEAR_STEPS: 1}),
    "a pawn that comes home": (SALMON, {Deed.MOVES: 1, Deed.HOMES: 1, Deed.BEAR_STEPS: 2}),
    "a pawn that is turned": (SALMON, {Deed.MOVES: 1, Deed.DOUBLED: 1}),
    "a swap": (SALMON, {Deed.MOVES: 1, Deed.SWAPS: 1}),
    "a tilt": (SALMON, {Deed.MOVES: 1, Deed.TILTS: 1}),
    "a tile that is left": (SALMON, {Deed.MOVES: 2}),
    "a side that is stuck": (SALMON, {}),
    "a win by the tokens": (SALMON, {Deed.MOVES: 1}),  # the eels began this game
}


@pytest.mark.parametrize("what", COUNTED_DEEDS)
def test_deeds_count_what_each_side_does(what: str) -> None:
    drawn, actions, _ = HAPPENED[what]
    acting, done = COUNTED_DEEDS[what]
    scene = Scene(**drawn).play(*actions)
    expected = [[done.get(deed, 0) for deed in Deed], [0] * len(Deed)]
    assert scene.observed(acting)["deeds"].tolist() == expected
    assert scene.observed(1 - acting)["deeds"].tolist() == expected[::-1]
