"""DR-2: a turn, the current tokens, and how fish move."""

from pathlib import Path

import pytest

from deep_river.scene import Scene
from riverbed_env.games.deep_river.rules.vocab import Camp, Event, Question, Refusal

CHECK_PACK = Path(__file__).parents[2] / "referee" / "packs" / "deep_river" / "check.toml"
QUIET = "bbbDbbb"  # where single pawns have nothing to do on small tiles
FOUR = "100"  # token A moves a fish four tiles
BEAR = "010"  # token B moves the bear
TWICE = "001"  # token C moves two fish
BOTH = pytest.mark.parametrize("side", ["salmon", "eel"])
# Every salmon lies under an eel.
ALL_COVERED = {"1": "es", "2": "es", "3": "es", "5": "es", "6": "es"}


def pawn_of(side: str) -> str:
    return side[0]


# --- DR-2.1: choosing a token -----------------------------------------------------------------------------------


@BOTH
def test_dr_2_1_any_token_may_be_chosen(side: str) -> None:
    Scene(turn=side).expect(legal={"token A", "token B", "token C"})


@pytest.mark.parametrize("barred", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2)])
def test_dr_2_1_a_token_tilted_against_the_side_may_not(barred: tuple[int, ...]) -> None:
    scene = Scene(barred=barred)
    for number, name in enumerate("ABC"):
        expected = Refusal.TOKEN_BARRED if number in barred else Refusal.OK
        scene.expect(refusal={f"token {name}": expected})


def test_dr_2_1_only_the_side_on_turn_chooses() -> None:
    scene = Scene(turn="eel")
    scene.expect(legal={0: {"wait"}}, refusal={("token A", 0): Refusal.NOT_ASKED, ("wait", 1): Refusal.MUST_ANSWER})


def test_dr_2_1_one_token_a_turn() -> None:
    scene = Scene(QUIET).play("token A").expect(legal={"nest"}, refusal={"token B": Refusal.WRONG_QUESTION})
    scene.play("nest").expect(side="eel", question=Question.TOKEN)


def test_dr_2_1_sides_take_turns() -> None:
    scene = Scene(QUIET)
    sides = []
    for token in "ABC":
        sides.append(scene.side)
        scene.play(f"token {token}", "nest")
    assert [*sides, scene.side] == ["salmon", "eel", "salmon", "eel"]


@pytest.mark.parametrize(("faces", "slot"), [("000", "1"), ("011", "1"), ("100", "4"), ("111", "4")])
def test_dr_2_1_the_visible_face_is_carried_out(faces: str, slot: str) -> None:
    scene = Scene(QUIET, faces=faces).play("token A", "nest")
    assert set(scene.pawns()) == {slot}


# --- DR-2.1: where the tokens go ----------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(("token", "progress"), [("A", (1, 0, 0)), ("B", (0, 1, 0)), ("C", (0, 0, 1))])
def test_dr_2_1_the_token_moves_one_tile_towards_the_salmon_nest_for_both_sides(
    side: str, token: str, progress: tuple[int, ...]
) -> None:
    Scene(QUIET, turn=side).play(f"token {token}", "nest").expect(progress=progress)


@pytest.mark.parametrize(("token", "faces"), [("A", "100"), ("B", "010"), ("C", "001")])
def test_dr_2_1_the_token_turns_over_and_no_other(token: str, faces: str) -> None:
    Scene(QUIET).play(f"token {token}", "nest").expect(faces=faces)


def test_dr_2_1_a_special_face_turns_back() -> None:
    scene = Scene(QUIET, faces="111").play("token B", "nest").expect(faces="101")
    scene.play("token C", "nest", "nest").expect(faces="100")


def test_dr_2_1_the_token_moves_when_its_face_has_been_carried_out() -> None:
    scene = Scene(QUIET, faces=TWICE)
    for action in ("token C", "nest"):
        scene.play(action).expect(progress=(0, 0, 0), faces=TWICE)
    scene.play("nest").expect(progress=(0, 0, 1), faces="000")


def test_dr_2_1_it_comes_to_the_last_tile_and_turns() -> None:
    Scene(QUIET, progress=(5, 0, 0)).play("token A", "nest").expect(progress=(6, 0, 0), faces="100", over=False)


@pytest.mark.parametrize(("side", "one", "four"), [("salmon", "1", "4"), ("eel", "7", "4")])
def test_dr_2_1_at_the_last_tile_it_is_used_and_turns_but_stays(side: str, one: str, four: str) -> None:
    scene = Scene(QUIET, progress=(6, 0, 0), turn=side).play("token A", "nest")
    assert set(scene.pawns()) == {one}
    # The rival moves four tiles and then turns a pawn.
    scene.expect(progress=(6, 0, 0), faces="100").play("token A", "nest", "nest")
    assert set(scene.pawns()) == {one, four}
    scene.expect(progress=(6, 0, 0), faces="000")


# --- DR-2.2: a number ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "slot"), [("salmon", "1"), ("eel", "7")])
def test_dr_2_2_one_tile_from_the_nest(side: str, slot: str) -> None:
    Scene(QUIET, turn=side).play("token A", "nest").expect(pawns={slot: pawn_of(side)}, nest={side: (4, 0)})


@pytest.mark.parametrize(
    ("side", "start", "end"), [("salmon", "1", "5"), ("salmon", "3", "7"), ("eel", "7", "3"), ("eel", "5", "1")]
)
def test_dr_2_2_four_tiles_towards_the_rival_nest(side: str, start: str, end: str) -> None:
    scene = Scene(QUIET, pawns={start: pawn_of(side)}, faces=FOUR, turn=side).play("token A", start)
    scene.expect(pawns={end: pawn_of(side)})


@pytest.mark.parametrize(("token", "face", "end"), [("A", "100", "4"), ("B", "000", "3"), ("C", "000", "4")])
def test_dr_2_2_two_and_three_tiles(token: str, face: str, end: str) -> None:
    Scene("bbbDbbb", pawns={"1": "s"}, faces=face, pack=CHECK_PACK).play(f"token {token}", "1").expect(pawns={end: "s"})


def test_dr_2_2_any_uncovered_pawn_of_ones_own() -> None:
    pawns = {"1": "se", "2": "S", "4": "s", "4'": "es", "6": "e", "7": "ES"}
    scene = Scene(QUIET, pawns=pawns, faces=FOUR).play("token A").expect(legal={"1", "2", "4"})
    for other in ("nest", "nest double", "4'", "6", "7", "3"):
        scene.expect(refusal={other: Refusal.NO_FREE_FISH})


@BOTH
@pytest.mark.parametrize(("doubled", "expected"), [(0, {"nest"}), (2, {"nest", "nest double"}), (5, {"nest double"})])
def test_dr_2_2_the_nest_offers_each_face_once(side: str, doubled: int, expected: set[str]) -> None:
    Scene(QUIET, nest_double=(doubled, doubled), turn=side).play("token A").expect(legal=expected)


def test_dr_2_2_a_double_pawn_leaves_the_nest_on_its_face() -> None:
    scene = Scene("dsdDsds", nest_double=(2, 0)).play("token A", "nest double", "nest")
    scene.expect(pawns={"1": "S", "2": "s"}, nest={"salmon": (2, 1)})


def test_dr_2_2_the_fish_of_a_turn_must_move() -> None:
    Scene(QUIET).play("token A").expect(refusal={"leave": Refusal.WRONG_QUESTION, "wait": Refusal.MUST_ANSWER})


@pytest.mark.parametrize("occupied", [{"1": "s"}, {"1": "s", "2": "es"}, {"1": "se", "2": "S", "3": "s"}])
def test_dr_2_2_skipped_tiles_count_as_steps(occupied: dict[str, str]) -> None:
    scene = Scene("bbbDbbb", pawns=occupied, faces=FOUR).play("token A", "nest")
    scene.expect(question=Question.PAWN, pawns={**occupied, "4": "s"})


def test_dr_2_2_only_the_last_tile_is_overrun() -> None:
    pawns = {"1": "s", "2": "s", "5": "es"}
    Scene(QUIET, pawns=pawns, faces=FOUR).play("token A", "1").expect(pawns={"2": "s", "5": "es", "6": "s"})


# --- DR-2.2: the face bear ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "slot", "bear"), [("salmon", "1", 5), ("eel", "7", 3)])
def test_dr_2_2_bear_moves_a_fish_one_tile_and_the_bear_towards_the_rival_nest(side: str, slot: str, bear: int) -> None:
    Scene(QUIET, faces=BEAR, turn=side).play("token B", "nest").expect(pawns={slot: pawn_of(side)}, bear=bear)


def test_dr_2_2_bear_moves_the_bear_after_the_effect_of_the_tile() -> None:
    scene = Scene("tbbDbbb", faces=BEAR).play("token B", "nest").expect(question=Question.TILT, bear=4)
    scene.play("tilt A").expect(bear=5)


def test_dr_2_2_bear_on_a_bear_tile_moves_it_twice() -> None:
    Scene(QUIET, nest_double=(1, 0), faces=BEAR).play("token B", "nest double").expect(bear=6)


def test_dr_2_2_bear_and_a_fish_in_the_nest_move_it_further() -> None:
    Scene(QUIET, pawns={"7": "S"}, faces=BEAR, bear=3).play("token B", "7").expect(bear=6)


def test_dr_2_2_a_number_leaves_the_bear() -> None:
    Scene(QUIET).play("token B", "nest").expect(bear=4)


# --- DR-2.2: the face twice ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "places", "pawns"),
    [
        ("salmon", ("nest", "1"), {"2": "s"}),
        ("salmon", ("nest", "nest"), {"1": "s", "2": "s"}),
        ("salmon", ("5", "6"), {"7": "s"}),
        ("salmon", ("5", "nest"), {"1": "s", "6": "s"}),
        ("eel", ("nest", "7"), {"5": "s", "6": "e"}),
    ],
)
def test_dr_2_2_twice_moves_the_same_fish_or_another(side: str, places: tuple[str, ...], pawns: dict[str, str]) -> None:
    scene = Scene(QUIET, pawns={"5": "s"}, faces=TWICE, turn=side).play("token C", *places)
    if side == "salmon" and "5" not in places:
        pawns = {**pawns, "5": "s"}
    scene.expect(pawns=pawns)
    assert scene.side != side


def test_dr_2_2_twice_chooses_the_second_fish_after_the_first_has_moved() -> None:
    scene = Scene(QUIET, faces=TWICE).play("token C").expect(legal={"nest"})
    scene.play("nest").expect(question=Question.FISH, legal={"nest", "1"})


def test_dr_2_2_twice_has_the_effect_of_the_tile_after_each_move() -> None:
    scene = Scene("tsbDbdb", pawns={"5": "s", "7": "es"}, faces=TWICE).play("token C", "nest")
    scene.expect(question=Question.TILT).play("tilt A").expect(question=Question.FISH)
    scene.play("1").expect(question=Question.PILE).play("7").expect(pawns={"2": "s", "5": "s", "7": "se"}, side="eel")


def test_dr_2_2_twice_moves_the_bear_for_each_arrival_on_a_bear_tile() -> None:
    Scene(QUIET, nest_double=(1, 0), faces=TWICE).play("token C", "nest double", "1").expect(bear=6)


def test_dr_2_2_twice_goes_on_with_the_pawn_that_has_come_home() -> None:
    scene = Scene(QUIET, pawns={"7": "S"}, faces=TWICE, bear=3).play("token C", "7")
    scene.expect(legal={"nest", "nest double"}).play("nest double").expect(pawns={"1": "S"}, bear=6)


# --- DR-2.2: no movable pawn --------------------------------------------------------------------------------------


@pytest.mark.parametrize("faces", ["000", FOUR, BEAR, TWICE])
@pytest.mark.parametrize("token", ["A", "B", "C"])
def test_dr_2_2_with_all_pawns_covered_the_move_is_skipped_and_the_rest_happens(token: str, faces: str) -> None:
    number = "ABC".index(token)
    scene = Scene(QUIET, pawns=ALL_COVERED, faces=faces).play(f"token {token}")
    scene.expect(
        pawns=ALL_COVERED,
        bear=5 if token == "B" and faces == BEAR else 4,
        progress=tuple(int(other == number) for other in range(3)),
    )
    assert scene.faces()[number] != faces[number]
    assert Event.STUCK in scene.events()
    scene.expect(side="eel", question=Question.TOKEN)


def test_dr_2_2_the_second_move_of_twice_is_skipped_alone() -> None:
    pawns = {"1": "e", "2": "es", "3": "es", "5": "es", "6": "es"}
    scene = Scene("sbbDbbb", pawns=pawns, faces=TWICE).play("token C", "nest").expect(question=Question.PILE)
    scene.play("1").expect(pawns=ALL_COVERED, side="eel", question=Question.TOKEN, progress=(0, 0, 1))


def test_dr_2_2_one_uncovered_pawn_is_movable() -> None:
    pawns = {"1": "es", "2": "es", "3": "es", "5": "es", "7": "s"}
    Scene(QUIET, pawns=pawns).play("token A").expect(legal={"7"})


# --- DR-2.3: where a pawn stops -----------------------------------------------------------------------------------


@pytest.mark.parametrize("face", ["s", "S"])
@pytest.mark.parametrize("rival", ["e", "E"])
def test_dr_2_3_a_pawn_stands_on_a_lone_rival(face: str, rival: str) -> None:
    Scene("bddDbbb", pawns={"1": face, "2": rival}).play("token B", "1").expect(pawns={"2": face + rival})


def test_dr_2_3_an_eel_stands_on_a_lone_salmon() -> None:
    Scene(QUIET, pawns={"7": "s"}, turn="eel").play("token A", "nest").expect(pawns={"7": "es"})


@pytest.mark.parametrize("standing", ["s", "S", "se", "Es", "es", "SE"])
def test_dr_2_3_a_tile_without_room_is_skipped_for_the_next(standing: str) -> None:
    Scene(QUIET, pawns={"1": standing}).play("token A", "nest").expect(pawns={"1": standing, "2": "s"})


@pytest.mark.parametrize("standing", ["e", "se", "es"])
def test_dr_2_3_eels_skip_downwards(standing: str) -> None:
    Scene(QUIET, pawns={"7": standing}, turn="eel").play("token A", "nest").expect(pawns={"7": standing, "6": "e"})


def test_dr_2_3_several_tiles_are_skipped() -> None:
    pawns = {"1": "s", "2": "es", "3": "S", "4": "s", "4'": "se"}
    Scene(QUIET, pawns=pawns).play("token A", "1").expect(pawns={"2": "es", "3": "S", "4": "s", "4'": "se", "5": "s"})


def test_dr_2_3_the_tile_behind_skipped_ones_may_hold_a_lone_rival() -> None:
    Scene(QUIET, pawns={"1": "s", "2": "se", "3": "e"}).play("token A", "1").expect(pawns={"2": "se", "3": "se"})


def test_dr_2_3_skipping_can_lead_into_the_nest() -> None:
    scene = Scene(QUIET, pawns={"6": "s", "7": "es"}).play("token A", "6")
    scene.expect(pawns={"7": "es"}, bear=5, nest={"salmon": (4, 0)})


def test_dr_2_3_the_effect_is_that_of_the_tile_it_stops_on() -> None:
    Scene("stbDbbb", pawns={"1": "se"}).play("token A", "nest").expect(question=Question.TILT)


# --- DR-2.3: the double tile --------------------------------------------------------------------------------------


@BOTH
def test_dr_2_3_of_two_empty_slots_the_lowest_is_taken_unasked(side: str) -> None:
    start = {"salmon": "3", "eel": "5"}[side]
    scene = Scene(QUIET, pawns={start: pawn_of(side)}, turn=side).play("token A", start)
    scene.expect(question=Question.PAWN, pawns={"4": pawn_of(side)})


@pytest.mark.parametrize(
    ("beside", "slot"),
    [({"4": "s"}, "4'"), ({"4'": "S"}, "4"), ({"4": "es"}, "4'"), ({"4": "se"}, "4'"), ({"4'": "Se"}, "4")],
)
def test_dr_2_3_a_pawn_takes_the_empty_slot_that_is_left(beside: dict[str, str], slot: str) -> None:
    scene = Scene(QUIET, pawns={"3": "s", **beside}).play("token A", "3")
    scene.expect(question=Question.PAWN, pawns={**beside, slot: "s"})


@pytest.mark.parametrize("face", ["s", "S"])
@pytest.mark.parametrize("slot", ["4", "4'"])
@pytest.mark.parametrize("beside", [None, "s", "es", "Se"])
def test_dr_2_3_a_pawn_that_is_no_pile_must_stand_on_a_lone_rival(face: str, slot: str, beside: str | None) -> None:
    other = {} if beside is None else {"4'" if slot == "4" else "4": beside}
    scene = Scene(QUIET, pawns={"3": face, slot: "e", **other}).play("token A", "3")
    assert scene.question in (Question.PAWN, Question.DOUBLE)
    scene.expect(pawns={slot: face + "e", **other})


@pytest.mark.parametrize("pack", ["default", CHECK_PACK], ids=["default", "check"])
@pytest.mark.parametrize(("slot", "other"), [("4", "4'"), ("4'", "4")])
@BOTH
def test_dr_2_3_with_two_lone_rivals_the_mover_chooses(side: str, slot: str, other: str, pack: str | Path) -> None:
    own, rival = ("s", "E") if side == "salmon" else ("e", "S")
    start = {"salmon": "3", "eel": "5"}[side]
    scene = Scene(QUIET, pawns={start: own, "4": rival, "4'": rival}, turn=side, pack=pack).play("token A", start)
    scene.expect(question=Question.STAND, legal={"4", "4'"}, refusal={"3": Refusal.CANNOT_STAND})
    scene.play(slot).expect(pawns={slot: own + rival, other: rival}, question=Question.PAWN)


@pytest.mark.parametrize(
    ("first", "second"), [("s", "s"), ("s", "es"), ("se", "se"), ("es", "Se"), ("ES", "s"), ("S", "S")]
)
def test_dr_2_3_the_double_tile_is_skipped_when_it_has_no_room(first: str, second: str) -> None:
    scene = Scene(QUIET, pawns={"3": "s", "4": first, "4'": second}).play("token A", "3")
    scene.expect(pawns={"4": first, "4'": second, "5": "s"}, question=Question.TOKEN)


def test_dr_2_3_the_pawn_from_a_nest_may_be_asked_too() -> None:
    scene = Scene(QUIET, pawns={"4": "e", "4'": "E"}, nest_double=(1, 0), faces=FOUR).play("token A", "nest double")
    scene.expect(legal={"4", "4'"}).play("4'").expect(pawns={"4": "e", "4'": "SE"})


# --- DR-2.3: the check pack, in which a lone pawn may choose an empty slot ------------------------------------------


@pytest.mark.parametrize(("lone", "empty"), [("4", "4'"), ("4'", "4")])
@BOTH
def test_dr_2_3_a_pack_lets_a_pawn_choose_the_empty_slot(side: str, lone: str, empty: str) -> None:
    own, rival = ("s", "e") if side == "salmon" else ("e", "s")
    start = {"salmon": "3", "eel": "5"}[side]
    for chosen, pawns in ((lone, {lone: own + rival}), (empty, {lone: rival, empty: own})):
        scene = Scene(QUIET, pawns={start: own, lone: rival}, turn=side, pack=CHECK_PACK).play("token A", start)
        scene.expect(question=Question.STAND, legal={"4", "4'"}).play(chosen).expect(pawns=pawns)


@pytest.mark.parametrize(
    ("pawns", "expected"),
    [
        ({"4": "e", "4'": "s"}, {"4": "se", "4'": "s"}),
        ({"4": "es", "4'": "e"}, {"4": "es", "4'": "se"}),
        ({}, {"4": "s"}),
        ({"4": "s"}, {"4": "s", "4'": "s"}),
    ],
)
def test_dr_2_3_such_a_pack_asks_only_where_there_is_a_choice(pawns: dict[str, str], expected: dict[str, str]) -> None:
    scene = Scene(QUIET, pawns={"3": "s", **pawns}, pack=CHECK_PACK).play("token A", "3")
    scene.expect(question=Question.PAWN, pawns=expected)


def test_dr_2_3_such_a_pack_has_one_slot_on_a_small_tile() -> None:
    Scene(QUIET, pawns={"2": "e"}, pack=CHECK_PACK).play("token B", "nest").expect(pawns={"2": "se"})


def test_dr_2_3_such_a_pack_leaves_a_pile_to_the_empty_slot() -> None:
    scene = Scene(QUIET, pawns={"3": "se", "4": "e"}, pack=CHECK_PACK).play("token A", "3")
    scene.expect(question=Question.PAWN, pawns={"4": "e", "4'": "se"})


# --- DR-2.3: piles ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pile", ["se", "Se", "sE", "SE"])
def test_dr_2_3_a_pile_moves_as_one(pile: str) -> None:
    # The tile it comes to is a drift tile.
    scene = Scene("ddbDdbd", pawns={"1": pile}, faces="000").play("token A", "1")
    scene.expect(question=Question.FISH, pawns={"2": pile})


def test_dr_2_3_a_pile_belongs_to_the_one_on_top() -> None:
    pawns = {"2": "se", "6": "es"}
    Scene(QUIET, pawns=pawns).play("token A").expect(legal={"nest", "2"})
    Scene(QUIET, pawns=pawns, turn="eel").play("token A").expect(legal={"nest", "6"})


@BOTH
@pytest.mark.parametrize(("lone", "empty"), [("4", "4'"), ("4'", "4")])
def test_dr_2_3_a_moving_pile_takes_an_empty_slot_beside_a_lone_rival(side: str, lone: str, empty: str) -> None:
    pile, rival = ("se", "e") if side == "salmon" else ("es", "s")
    start = {"salmon": "3", "eel": "5"}[side]
    scene = Scene(QUIET, pawns={start: pile, lone: rival}, turn=side).play("token A", start)
    scene.expect(question=Question.PAWN, pawns={lone: rival, empty: pile})


def test_dr_2_3_a_moving_pile_takes_the_lowest_empty_slot() -> None:
    Scene(QUIET, pawns={"3": "se"}).play("token A", "3").expect(pawns={"4": "se"})
    Scene(QUIET, pawns={"5": "es"}, turn="eel").play("token A", "5").expect(pawns={"4": "es"})


def test_dr_2_3_a_moving_pile_stands_on_no_rival() -> None:
    Scene(QUIET, pawns={"1": "se", "2": "e"}).play("token A", "1").expect(pawns={"2": "e", "3": "se"})


@pytest.mark.parametrize("other", ["e", "s", "es"])
def test_dr_2_3_a_moving_pile_skips_the_double_tile_without_an_empty_slot(other: str) -> None:
    scene = Scene(QUIET, pawns={"3": "se", "4": "e", "4'": other}).play("token A", "3")
    scene.expect(pawns={"4": "e", "4'": other, "5": "se"})


def test_dr_2_3_a_pile_that_skips_comes_into_the_nest() -> None:
    scene = Scene(QUIET, pawns={"6": "se", "7": "e"}).play("token A", "6")
    scene.expect(pawns={"7": "e"}, nest={"salmon": (5, 0), "eel": (4, 0)}, bear=5)


@pytest.mark.parametrize(
    ("side", "start", "pawn", "bear", "nest"),
    [
        ("salmon", "7", "s", 5, (5, 0)),
        ("salmon", "7", "S", 6, (4, 1)),
        ("eel", "1", "e", 3, (5, 0)),
        ("eel", "1", "E", 2, (4, 1)),
    ],
)
def test_dr_2_4_the_bear_moves_by_the_fish_and_the_pawn_goes_home_on_its_face(
    side: str, start: str, pawn: str, bear: int, nest: tuple[int, int]
) -> None:
    Scene(QUIET, pawns={start: pawn}, turn=side).play("token A", start).expect(bear=bear, pawns={}, nest={side: nest})


@pytest.mark.parametrize(
    ("pile", "bear", "salmon", "eel"),
    [("se", 5, (5, 0), (5, 0)), ("sE", 5, (5, 0), (4, 1)), ("Se", 6, (4, 1), (5, 0)), ("SE", 6, (4, 1), (4, 1))],
)
def test_dr_2_4_the_rival_below_stays_in_its_nest_and_only_the_top_one_counts(
    pile: str, bear: int, salmon: tuple[int, int], eel: tuple[int, int]
) -> None:
    scene = Scene(QUIET, pawns={"7": pile}).play("token A", "7")
    scene.expect(bear=bear, pawns={}, nest={"salmon": salmon, "eel": eel})


def test_dr_2_4_a_pile_of_eels_comes_home_too() -> None:
    scene = Scene(QUIET, pawns={"1": "ES"}, turn="eel").play("token A", "1")
    scene.expect(bear=2, nest={"salmon": (4, 1), "eel": (4, 1)})


@pytest.mark.parametrize("start", ["4", "5", "6", "7"])
@pytest.mark.parametrize(("pawn", "bear"), [("s", 5), ("S", 6)])
def test_dr_2_4_surplus_movement_is_lost(start: str, pawn: str, bear: int) -> None:
    Scene(QUIET, pawns={start: pawn}, faces=FOUR).play("token A", start).expect(bear=bear, pawns={}, side="eel")


def test_dr_2_4_by_drift() -> None:
    scene = Scene("dbbDbbb", pawns={"7": "S"}).play("token A", "nest", "7")
    scene.expect(bear=6, pawns={"1": "s"}, nest={"salmon": (3, 1)})


def test_dr_2_4_by_the_double_tile() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "7": "s"}).play("token A", "3", "advance", "7")
    scene.expect(bear=5, pawns={"4": "S"}, side="eel")


@pytest.mark.parametrize("tile", "bdst")
def test_dr_2_4_no_tile_works_on_the_way_into_the_nest(tile: str) -> None:
    Scene(f"bbbDbb{tile}", pawns={"3": "se", "7": "s"}).play("token A", "7").expect(side="eel", bear=5)


@pytest.mark.parametrize(("side", "start", "pawn", "bear"), [("salmon", "7", "S", 7), ("eel", "1", "E", 1)])
def test_dr_2_4_the_bear_stops_at_the_nest(side: str, start: str, pawn: str, bear: int) -> None:
    scene = Scene(QUIET, pawns={start: pawn}, turn=side, bear=bear).play("token A", start)
    scene.expect(bear={"salmon": 8, "eel": 0}[side], winner=Camp[side.upper()], nest={side: (4, 1)})
