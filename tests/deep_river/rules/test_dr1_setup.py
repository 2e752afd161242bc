"""DR-1: the river and the setup."""

from collections import Counter
from functools import cache
from itertools import permutations
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from records import fill

from deep_river.scene import Scene
from riverbed_env.games.deep_river.content.pack import make_params
from riverbed_env.games.deep_river.rules import engine
from riverbed_env.games.deep_river.rules.state import GAME
from riverbed_env.games.deep_river.rules.vocab import Camp, Question, Refusal

DEALS = 5_400
SMALL = "bbdsst"  # the small tiles of the default pack
LETTERS = "nbdstD"  # by number of a Tile, n a nest


@cache
def dealt() -> npt.NDArray[np.void]:
    """The tables of many deals, to look at only."""
    params, _ = make_params()
    games = np.zeros(DEALS, GAME)
    for number in range(DEALS):
        engine.reset(games[number], params[0], 11, number)
    return games["table"]


def rivers() -> list[str]:
    """The tiles of each deal between the nests, from the salmon's side."""
    return ["".join(LETTERS[tile] for tile in row) for row in dealt()["tile"][:, 1:-1].tolist()]


def spread(found: Counter[str], kinds: int) -> float:
    """Pearson's measure of how far counts are from being alike; about `kinds` where they are."""
    expected = found.total() / kinds
    return sum((found[kind] - expected) ** 2 / expected for kind in found) + expected * (kinds - len(found))


def test_dr_1_1_seven_tiles_lie_between_the_nests() -> None:
    tiles = dealt()["tile"]
    assert tiles.shape == (DEALS, 9)
    assert not tiles[:, [0, 8]].any()
    assert tiles[:, 1:8].all()


def test_dr_1_1_the_double_tile_lies_in_the_middle_and_nowhere_else() -> None:
    assert {river.index("D") for river in rivers()} == {3}
    assert {river.count("D") for river in rivers()} == {1}


def test_dr_1_1_the_six_small_tiles_of_the_pack_are_dealt() -> None:
    assert {"".join(sorted(river.replace("D", ""))) for river in rivers()} == {SMALL}


def test_dr_1_1_every_order_is_dealt_as_often_as_any_other() -> None:
    orders = {"".join((*order[:3], "D", *order[3:])) for order in permutations(SMALL)}
    found = Counter(rivers())
    assert len(orders) == 180
    assert set(found) == orders
    assert spread(found, 180) < 260  # 179 on average, with a deviation of 19


def test_dr_1_1_the_tiles_stay_where_they_are() -> None:
    scene = Scene("tsbDdbs", faces="010")
    tiles = scene.table["tile"].tolist()
    random = Random(5)
    while not scene.over:
        scene.play(random.choice(sorted(scene.legal())))
        assert scene.table["tile"].tolist() == tiles


@pytest.mark.parametrize("tiles", ["bdsDtsb", "tttDttt", "ddbDsss"])
def test_dr_1_1_a_river_can_be_given(tiles: str) -> None:
    assert "".join(LETTERS[tile] for tile in Scene(tiles).table["tile"].tolist()) == f"n{tiles}n"


def test_dr_1_2_five_pawns_of_each_side_lie_in_its_nest_on_their_single_face() -> None:
    assert (dealt()["nest"] == [[5, 0], [5, 0]]).all()
    assert not dealt()["top"].any()
    assert not dealt()["under"].any()


def test_dr_1_2_the_tokens_start_at_the_tile_next_to_the_eel_nest() -> None:
    Scene().expect(progress=(0, 0, 0))
    assert not dealt()["progress"].any()


def test_dr_1_2_the_last_tile_is_six_moves_of_a_token_away() -> None:
    scene = Scene("bbbDbbb", progress=(5, 0, 0)).play("token A", "nest").expect(progress=(6, 0, 0))
    scene.play("token A", "nest").expect(progress=(6, 0, 0))


def test_dr_1_2_every_token_has_a_random_face_up() -> None:
    faces = Counter("".join(map(str, row)) for row in dealt()["face"].tolist())
    assert len(faces) == 8
    assert spread(faces, 8) < 24  # 7 on average


@pytest.mark.parametrize("faces", ["000", "010", "101", "111"])
def test_dr_1_2_faces_can_be_given(faces: str) -> None:
    Scene(faces=faces).expect(faces=faces)


def test_dr_1_2_the_bear_starts_in_the_middle() -> None:
    Scene().expect(bear=4)
    assert (dealt()["bear"] == 4).all()


@pytest.mark.parametrize(("side", "step"), [("salmon", 1), ("eel", -1)])
@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_dr_1_2_each_nest_is_four_bear_steps_away(side: str, step: int, taken: int) -> None:
    scene = Scene("bbbDbbb", faces="010", turn=side, bear=4 + step * taken).play("token B", "nest")
    scene.expect(bear=4 + step * (taken + 1), over=taken == 3)


def test_dr_1_2_either_side_begins_at_random() -> None:
    first = dealt()["first"]
    assert set(first.tolist()) == {Camp.SALMON, Camp.EEL}
    assert abs(int(first.sum()) - DEALS / 2) < 150  # four deviations
    assert (dealt()["asked"] == first).all()
    assert (dealt()["active"] == first).all()


def test_dr_1_2_who_begins_and_the_faces_and_the_tiles_are_drawn_apart() -> None:
    words = [
        f"{first} {faces} {river[0]}"
        for first, faces, river in zip(
            dealt()["first"].tolist(), map(str, dealt()["face"].tolist()), rivers(), strict=True
        )
        if river[0] in "bs"  # one third of the deals each
    ]
    found = Counter(words)
    assert len(found) == 32
    assert spread(found, 32) < 65  # 31 on average


@pytest.mark.parametrize("side", ["salmon", "eel"])
def test_dr_1_2_who_begins_can_be_given(side: str) -> None:
    Scene(turn=side).expect(side=side, first=Camp[side.upper()], asked=Camp[side.upper()])


def test_dr_1_2_the_first_turn_begins_with_nothing_tilted() -> None:
    scene = Scene()
    scene.expect(
        turn=1,
        decisions=0,
        question=Question.TOKEN,
        legal={"token A", "token B", "token C"},
        refusal={("wait", 1): Refusal.OK},
    )


def test_dr_1_2_nothing_is_left_of_what_the_record_held_before() -> None:
    fresh, used = (Scene() for _ in range(2))
    fill(used.games, 1)  # as no game leaves it
    for scene in (fresh, used):
        engine.reset(scene.game, scene.params, 5, 9)
    for name in fresh.games.dtype.names or ():
        assert fresh.games[name].tobytes() == used.games[name].tobytes(), name
