"""RS-5.1: what every seat is shown, piece by piece, retold from sheets, dice and river.

The same of the full state: all that everybody sees, as seat 0 does, and behind it every secret.
"""

from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import seen_kit
from drawn import one_hot
from seen_kit import SeenTests, told_events

from riverbed_env.games.riverside.rules import vocab as v
from riverbed_env.games.riverside.rules.pieces import OWN_TABLE, SHEET_TABLE
from riverside.scene import Scene, Sheet

OTHERWISE = Path(__file__).parents[1] / "referee" / "packs" / "riverside" / "otherwise.toml"
FULL = Sheet(  # every power at hand, most rows nearly completed
    crossed={
        "white": (5, 4, 3, 2),
        "yellow": (3, 3, 4, 5),
        "brown": (6, 4, 3, 2),
        "blue": (3, 3, 4, 5),
        "pink": (3, 4, 4, 5),
    },
    last={"yellow": 8, "church": 2},
    total={"yellow": 130, "church": 208},
    fire=20,
)
USED = Sheet(crossed={**FULL.crossed, "white": (6, 5, 4, 3)}, used=("Fan base", "Speed boat"), plus=1)
STARTS: dict[str, dict[str, Any]] = {
    "alone": {"sheets": {0: FULL}, "ship": 5},
    "two": {"num_players": 2, "sheets": {0: USED, 1: FULL}, "dice": (6, 5, 4, 3, 2, 1), "ship": 9, "seed": 3},
    "two on excursions": {"num_players": 2, "sheets": {0: FULL, 1: FULL}, "phase": "excursions", "ship": 6},
    "six": {"num_players": 6, "sheets": {5: FULL, 2: USED}},
    "the extension": {"num_players": 3, "sheets": {0: FULL, 1: FULL}, "extension": True, "ship": 22},
    "another pack": {"num_players": 3, "pack": OTHERWISE, "ship": 3},
    "near the end": {"num_players": 2, "sheets": {1: FULL}, "ship": 29},
    "one who reaches far": {"sheets": {0: FULL}, "phase": "excursions", "ship": 6, "seed": 5},
}
EAGER = ("early", "speed", "prize")  # what is seldom chosen at random


def parts(number: int) -> list[int]:
    """A number as hundreds and rest."""
    return [min(127, int(number) // 100), int(number) % 100]


def points_of(sheet: np.void) -> list[int]:
    """The points so far of each boat: excursions, of a guide boat its tickets too."""
    return [int(sheet["total"][boat] + (sheet["ticket_points"][boat] if boat < v.CHURCH else 0)) for boat in range(6)]


def of_sheet(sheet: np.void, params: np.void) -> list[int]:
    """The numbers of a sheet, in the order of SHEET_TABLE."""
    crossed = sheet["crossed"].ravel().tolist()
    points = points_of(sheet)
    return [
        *crossed,
        *(seats - done for seats, done in zip(params["seats"].ravel().tolist(), crossed, strict=True)),
        *sheet["tickets"].tolist(),
        *(int(charge == flag) for charge in sheet["power"] for flag in (v.Charge.READY, v.Charge.USED)),
        int(sheet["fire"]),
        int(sheet["plus"]),
        *(part for last in sheet["last"] for part in parts(last)),
        *(part for each in (*points, points[v.CHURCH] + min(points[: v.CHURCH])) for part in parts(each)),
    ]


def of_own(own: np.void, params: np.void) -> dict[str, list[Any]]:
    """What a seat alone knows: its sheet as it is, and what it has chosen in this round."""
    chose = own["die"] >= 0
    waiting = [0] * v.NUM_COLOURS
    for row in own["queue"][int(own["paid"]) : int(own["queued"])].tolist():
        waiting[params["bonus_boat"].ravel()[row]] += int(params["bonus"].ravel()[row])
    return {
        "own_sheet": of_sheet(own["sheet"], params),
        "question": one_hot(int(own["question"]), 8),
        "own_dice": [
            *one_hot(int(own["die"]), v.NUM_COLOURS),
            *one_hot(int(own["green"]) if chose else -1, len(v.Green)),
            int(own["fan"]),
        ],
        "filling": one_hot(int(own["boat"]), v.NUM_COLOURS),
        "to_cross": [int(own["left"])],
        "waiting_bonus": waiting,
        "visited": [one_hot(int(place), v.MAX_PLACES) for place in own["place"]],
        "scored": [[int(points > 0) for points in visit] for visit in own["points"]],
        "range": [(6 if own["speed"] else 3) + sum(own["extended"].tolist())],
        "speed": [int(own["speed"] > 0)],
        "prize": one_hot(int(own["prize"]), v.NUM_BOATS),
    }


def village(scene: Scene, place: int) -> list[int]:
    """What is told of a place: values, whether its column has a passage, whether there is a village."""
    columns = int(scene.params["columns"])
    tile = int(scene.table["tile"][place])
    if tile < 0:
        return [0] * (v.NUM_BOATS + 2)
    opposite = int(scene.table["tile"][(place + columns) % (2 * columns)])
    passage = bool(scene.params["passage"][tile] and scene.params["passage"][opposite])
    return [*scene.params["value"][tile].tolist(), int(passage), 1]


def retold(scene: Scene, seat: int) -> dict[str, list[Any]]:
    """What the pieces are to say to a seat."""
    table, params = scene.table, scene.params
    seats = [(seat + steps) % scene.num_players for steps in range(scene.num_players)]
    empty = v.MAX_SEATS - scene.num_players
    dice = table["dice"].tolist()
    median = sorted(dice[: v.NUM_COLOURS])[2]
    size = len(of_sheet(scene.seen(0), params))
    return {
        "sheets": [*(of_sheet(scene.seen(one), params) for one in seats), *[[0] * size] * empty],
        "villages": [village(scene, place) for place in range(v.MAX_PLACES)],
        "distances": [min(127, int(steps)) for steps in table["distance"]],
        "num_players": one_hot(scene.num_players - 1, v.MAX_SEATS),
        "extension": [int(len([tile for tile in table["tile"] if tile >= 0]) == v.MAX_PLACES)],
        "phase": one_hot(int(table["phase"]), 3),
        "round": [min(127, int(table["round"]))],
        "dice": [one_hot(pips - 1, 6) for pips in dice],
        "heated": [int(pips > median) for pips in dice[: v.NUM_COLOURS]],
        "temperature": one_hot(median - 1, 6),
        "ship": [int(table["ship"]), int(params["anchor"]) - int(table["ship"])],
        **of_own(scene.game["private"][seat], params),
        "events": told_events(scene, seat),
        "deeds": [*([min(127, int(done)) for done in table["deeds"][one]] for one in seats), *[[0] * 8] * empty],
    }


def named(scene: Scene, seat: int) -> dict[str, list[Any]]:
    """A seat's observation by piece."""
    return {name: numbers.tolist() for name, numbers in scene.observed(seat).items()}


def differing(scene: Scene, seat: int) -> set[str]:
    """The pieces that say something else."""
    return seen_kit.differing(scene.observed(seat), retold(scene, seat))


class TestSeen(SeenTests):
    starts: ClassVar = {name: partial(Scene, **drawn) for name, drawn in STARTS.items()}
    decisions = 45

    def is_eager(self, words: str) -> bool:
        return words.startswith(EAGER) or words.endswith("warm fan")

    def viewers(self, scene: Scene, decision: int) -> set[int]:
        return {decision % scene.num_players, max(0, scene.asked)}

    def retold(self, scene: Scene, seat: int) -> dict[str, list[Any]]:
        return retold(scene, seat)

    def secrets(self, scene: Scene) -> dict[str, Any]:
        own = [of_own(scene.game["private"][seat], scene.params) for seat in range(scene.num_players)]
        flat = [[number for piece in one for number in np.ravel(one[piece]).tolist()] for one in own]
        waiting = int(scene.game["timing"]["waiting"])
        return {
            "private": [*flat, *[[0] * OWN_TABLE.size] * (v.MAX_SEATS - scene.num_players)],
            "waiting": [waiting >> seat & 1 for seat in range(v.MAX_SEATS)],
            "asked": one_hot(scene.asked, v.MAX_SEATS),
        }


def test_numbers_are_written_up_to_127() -> None:
    scene = Scene(2)
    scene.table["round"] = 200
    scene.table["deeds"][0] = [126, 127, 128, 3000, 0, 1, 2, 3]
    scene.table["distance"][:4] = [126, 127, 128, 300]
    scene.game["private"][0]["sheet"]["total"][:2] = [99, 20_000]
    assert [differing(scene, seat) for seat in range(2)] == [set(), set()]
    seen = named(scene, 1)
    up_to = [126, 127, 127, 127]
    assert (seen["round"], seen["deeds"][1][:4], seen["distances"][:4]) == ([127], up_to, up_to)


# --- what becomes public is told -------------------------------------------------------------------------------------


def told(scene: Scene, kind: v.Event) -> list[tuple[int, ...]]:
    """The events of a kind as seat 0 sees them, oldest first: actor, boat, place, number, detail."""
    seen = [event for event in reversed(named(scene, 0)["events"]) if event[0] == kind]
    return [(actor, boat, place, 100 * high + low, detail) for _, actor, boat, place, high, low, detail, _ in seen]


def test_dice_tickets_and_powers_are_told_when_the_phase_is_over() -> None:
    drawn = Sheet(crossed={"white": (0, 3, 3, 0), "yellow": (2, 3, 4, 0), "blue": (0, 3, 4, 0)}, fire=14)
    scene = Scene(2, sheets={0: drawn, 1: drawn}, dice=(1, 2, 3, 4, 5, 6))
    scene.play("die white", "die yellow warm fan", "seat white 2", "seat yellow 1")
    scene.play(*["seat yellow 4"] * 6, *["seat yellow 3"], *["seat yellow 2"])
    while scene.question(1) != 0 and int(scene.table["phase"]) == 0:
        scene.play(sorted(scene.legal())[0])
    assert told(scene, v.Event.CHOOSE) == [(1, 1, 0, 1, 0), (2, 2, 0, 2 + 6 + 3, 2 + 3)]
    assert told(scene, v.Event.UNLOCK) == [(1, 1, 0, 0, 1)]
    assert told(scene, v.Event.TICKET)[:2] == [(2, 2, 0, 2, 1), (2, 2, 0, 9, 4)]
    assert [deeds[:6] for deeds in named(scene, 0)["deeds"][:2]] == [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 1]]


def test_a_power_is_told_when_the_seat_itself_makes_it_available() -> None:
    before = {0: {"white": (0, 3, 3, 0)}, 1: {"white": (0, 4, 3, 0)}, 2: {"white": (0, 4, 2, 0)}}
    scene = Scene(3, sheets={seat: Sheet(crossed=crossed) for seat, crossed in before.items()}, dice=(1, 2, 3, 4, 5, 6))
    scene.play(*["die white"] * 3, "seat white 2", "seat white 1", "seat white 1")
    assert told(scene, v.Event.UNLOCK) == [(1, 1, 0, 0, 1)]
    assert [scene.charge("Early birds", seat) for seat in range(3)] == [v.Charge.READY, v.Charge.READY, v.Charge.LOCKED]


def test_excursions_are_told_when_the_phase_is_over() -> None:
    both = {"yellow": (3, 0, 0, 0), "white": (6, 4, 3, 0), "pink": (0, 3, 4, 0), "brown": (0, 4, 3, 0)}
    drawn = Sheet(crossed=both, plus=3)
    scene = Scene(3, sheets=dict.fromkeys(range(3), drawn), phase="excursions", ship=5)
    scene.play("speed", "stay", "village 1")  # the third crosses two +1 symbols
    scene.play("village 1", "prize yellow", "prize yellow", "done", "early").play("village 6", "score white")
    assert told(scene, v.Event.EXCURSION) == [(1, 0, 1, 0, 1), (1, 0, 6, 0, 2), (3, 0, 1, 2, 0)]
    assert told(scene, v.Event.STAY) == [(2, 0, 0, 0, 0)]
    assert told(scene, v.Event.SCORE) == [(1, 2, 1, 22, 1), (1, 1, 6, 9, 0), (3, 2, 1, 22, 1)]
    assert [deeds[6:] for deeds in named(scene, 0)["deeds"][:3]] == [[2, 2], [0, 0], [1, 1]]


def test_the_prize_ticket_is_told_where_it_counts() -> None:
    crossed = {"yellow": (3, 0, 0, 0), "blue": (3, 0, 0, 0), "white": (0, 4, 3, 0), "brown": (0, 4, 3, 0)}
    drawn = Sheet(crossed=crossed, plus=3)
    scene = Scene(sheets={0: drawn}, phase="excursions", ship=4, tiles={1: 1, 2: 8, 8: 2})
    scene.play("village 1", "score yellow", "early", "village 2", "prize blue")
    assert told(scene, v.Event.SCORE) == [(1, 2, 1, 11, 0), (1, 4, 2, 14, 1)]
    assert told(scene, v.Event.EXCURSION)[1][-1] == 2


def test_a_score_of_hundreds_is_told() -> None:
    scene = Scene(sheets={0: Sheet(crossed={"yellow": (3, 4, 5, 6)})}, phase="excursions")
    scene.dismiss_referee()
    scene.params["value"][0, 1] = 99  # the most that a pack may say
    scene.play("village 1", "score yellow", "die white")
    assert told(scene, v.Event.SCORE) == [(1, 2, 1, 396, 0)]
    scene.expect(last={"yellow": 396})


def test_the_roll_and_the_end_are_told() -> None:
    scene = Scene(2, phase="excursions", ship=29).load_dice(4, 4, 4, 4, 4, 1).play("stay", "stay").expect(over=True)
    assert told(scene, v.Event.ROLL)[-1] == (0, 0, 0, 4, 33)
    assert told(scene, v.Event.FINISH) == [(0, 0, 0, 2, 0)]
    assert named(scene, 0)["phase"] == [0, 0, 1]


def test_a_game_that_is_cut_off_says_so() -> None:
    scene = Scene(2, max_steps=2).play("die white", "die pink", "seat white 1", "seat pink 1")
    assert (scene.over, told(scene, v.Event.TRUNCATE), told(scene, v.Event.CHOOSE)) == (True, [(0, 0, 0, 0, 0)], [])
    assert {int(own["question"]) for own in scene.game["private"]} == {0}


@pytest.mark.parametrize("score", [99, 345, 799, 800, 1_234, 12_799, 30_000])
def test_a_last_score_of_hundreds_is_shown_in_full(score: int) -> None:
    scene = Scene(sheets={0: FULL}, phase="excursions")
    scene.game["private"][0]["sheet"]["last"][1] = score
    assert np.array(named(scene, 0)["own_sheet"])[SHEET_TABLE.slices["last"]][2:4].tolist() == parts(score)
