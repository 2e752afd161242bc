"""DR-3: the effects of the river tiles."""

import pytest

from deep_river.scene import Scene
from riverbed_env.games.deep_river.rules.vocab import Event, Question, Refusal

QUIET = "bbbDbbb"  # where single pawns have nothing to do on small tiles
TWICE = "001"  # token C moves two fish
BOTH = pytest.mark.parametrize("side", ["salmon", "eel"])


def arriving(effect: str, pawn: str = "s", **options: object) -> Scene:
    """A pawn that has just come to tile 1 from the nest, with the effect of that tile; options of Scene."""
    doubled = int(pawn == "S")
    scene = Scene(f"{effect}bbDbbb", nest_double=(doubled, 0), **options)  # type: ignore[arg-type]
    return scene.play("token A", "nest double" if doubled else "nest")


def turn_is_over(scene: Scene) -> bool:
    """The salmon's turn is over and nothing else is asked of it."""
    return (scene.side, scene.question, scene.progress()) == ("eel", Question.TOKEN, (1, 0, 0))


# --- DR-3.1: bear -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "pawn", "bear"), [("salmon", "S", 5), ("salmon", "s", 4), ("eel", "E", 3), ("eel", "e", 4)]
)
def test_dr_3_1_a_bear_tile_moves_the_bear_for_double_pawns_only(side: str, pawn: str, bear: int) -> None:
    start = {"salmon": "1", "eel": "7"}[side]
    scene = Scene(QUIET, pawns={start: pawn}, turn=side).play("token A", start).expect(bear=bear)
    assert scene.side != side


@pytest.mark.parametrize(("pile", "bear"), [("se", 4), ("sE", 4), ("Se", 5), ("SE", 5)])
def test_dr_3_1_of_a_pile_only_the_top_pawn_counts_on_a_bear_tile(pile: str, bear: int) -> None:
    Scene(QUIET, pawns={"1": pile}).play("token A", "1").expect(bear=bear)


@pytest.mark.parametrize(("top", "rival", "bear"), [("s", "E", 4), ("S", "e", 5)])
def test_dr_3_1_a_pawn_that_covers_a_rival_counts_alone(top: str, rival: str, bear: int) -> None:
    Scene(QUIET, pawns={"1": top, "2": rival}).play("token A", "1").expect(pawns={"2": top + rival}, bear=bear)


def test_dr_3_1_a_bear_tile_asks_nothing() -> None:
    arriving("b", "S").expect(turn_is_over)


def test_dr_3_1_tiles_that_are_passed_do_nothing() -> None:
    scene = Scene("btdDsbb", pawns={"1": "S", "6": "es"}, faces="100").play("token A", "1")
    scene.expect(question=Question.PILE, bear=4)


# --- DR-3.1: drift ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chosen", "pawns"), [("1", {"2": "s", "6": "s"}), ("6", {"1": "s", "7": "s"})])
def test_dr_3_1_drift_advances_any_fish_one_tile(chosen: str, pawns: dict[str, str]) -> None:
    scene = arriving("d", pawns={"6": "s"}).expect(question=Question.FISH, legal={"nest", "1", "6"})
    scene.play(chosen).expect(turn_is_over, pawns=pawns)


def test_dr_3_1_drift_takes_a_pawn_out_of_the_nest() -> None:
    arriving("d").play("nest").expect(pawns={"1": "s", "2": "s"}, nest={"salmon": (3, 0)})


def test_dr_3_1_drift_is_compulsory() -> None:
    scene = arriving("d")
    for other in ("leave", "use", "wait"):
        scene.refuses(other)


@BOTH
def test_dr_3_1_drift_advances_towards_the_rival_nest(side: str) -> None:
    own = side[0]
    first, second = {"salmon": ("1", "2"), "eel": ("7", "6")}[side]
    Scene("dbbDbbd", turn=side).play("token A", "nest", first).expect(pawns={second: own})


def test_dr_3_1_drift_moves_no_covered_pawn() -> None:
    arriving("d", pawns={"3": "es", "5": "se"}).expect(legal={"nest", "1", "5"}, refusal={"3": Refusal.NO_FREE_FISH})


def test_dr_3_1_drift_moves_a_pile() -> None:
    arriving("d", pawns={"5": "se"}).play("5").expect(pawns={"1": "s", "6": "se"})


@pytest.mark.parametrize("tile", "bdst")
@pytest.mark.parametrize("pawn", ["s", "S"])
def test_dr_3_1_drift_has_no_effect_of_the_tile_it_comes_to(tile: str, pawn: str) -> None:
    scene = Scene(f"d{tile}bDbbb", pawns={"6": "es"}, nest_double=(int(pawn == "S"), 0))
    scene.play("token A", "nest double" if pawn == "S" else "nest", "1")
    scene.expect(turn_is_over, pawns={"2": pawn, "6": "es"}, bear=4)


@pytest.mark.parametrize("pawn", ["s", "S"])
def test_dr_3_1_drift_onto_the_double_tile_has_no_effect(pawn: str) -> None:
    arriving("d", pawns={"3": pawn}).play("3").expect(turn_is_over, pawns={"1": "s", "4": pawn})


def test_dr_3_1_drift_stands_on_a_lone_rival_and_skips_a_full_tile() -> None:
    arriving("d", pawns={"2": "e"}).play("1").expect(pawns={"2": "se"})
    arriving("d", pawns={"2": "se"}).play("1").expect(pawns={"2": "se", "3": "s"})


def test_dr_3_1_drift_asks_where_to_stand() -> None:
    scene = arriving("d", pawns={"3": "s", "4": "e", "4'": "e"}).play("3").expect(question=Question.STAND)
    scene.play("4'").expect(turn_is_over, pawns={"1": "s", "4": "e", "4'": "se"})


# --- DR-3.1: swap -------------------------------------------------------------------------------------------------


def test_dr_3_1_swap_chooses_any_pile_of_either_side() -> None:
    scene = arriving("s", pawns={"3": "Se", "4": "e", "5": "eS", "6": "s"})
    scene.expect(question=Question.PILE, legal={"3", "5"}, refusal={"1": Refusal.NO_PILE, "4": Refusal.NO_PILE})


@pytest.mark.parametrize(
    ("pile", "swapped"), [("se", "es"), ("es", "se"), ("Se", "eS"), ("sE", "Es"), ("eS", "Se"), ("ES", "SE")]
)
def test_dr_3_1_swap_exchanges_the_pawns_on_their_faces(pile: str, swapped: str) -> None:
    arriving("s", pawns={"3": pile}).play("3").expect(turn_is_over, pawns={"1": "s", "3": swapped})


def test_dr_3_1_a_swapped_pile_has_changed_sides() -> None:
    # Once they are swapped, the eel's pawn is covered.
    scene = arriving("s", pawns={"3": "es"}).play("3", "token B").expect(legal={"nest"})
    scene.play("nest", "token C").expect(legal={"nest", "1", "3"})


def test_dr_3_1_swap_without_a_pile_is_skipped() -> None:
    arriving("s", pawns={"3": "s", "6": "e", "7": "E"}).expect(turn_is_over)


def test_dr_3_1_swap_is_compulsory_even_on_the_pile_that_has_just_been_formed() -> None:
    scene = arriving("s", pawns={"1": "e"}).expect(legal={"1"}, refusal={"leave": Refusal.WRONG_QUESTION})
    scene.play("1").expect(turn_is_over, pawns={"1": "es"})


def test_dr_3_1_swap_works_for_a_pile_that_arrives() -> None:
    Scene("bsbDbbb", pawns={"1": "sE"}).play("token A", "1").expect(legal={"2"}).play("2").expect(pawns={"2": "Es"})


def test_dr_3_1_swap_reaches_both_slots_of_the_double_tile() -> None:
    scene = arriving("s", pawns={"4": "es", "4'": "se"}).expect(legal={"4", "4'"})
    scene.play("4'").expect(pawns={"1": "s", "4": "es", "4'": "es"})


@pytest.mark.parametrize("where", ["3", "4", "5"])
def test_dr_3_1_a_swap_sets_off_no_tile(where: str) -> None:
    Scene("sbtDbbb", pawns={where: "eS"}).play("token A", "nest", where).expect(turn_is_over, bear=4)


def test_dr_3_1_an_eel_swaps_the_same_piles() -> None:
    scene = Scene("bbbDbbs", pawns={"2": "se", "3": "eS"}, turn="eel").play("token A", "nest").expect(legal={"2", "3"})
    scene.play("2").expect(pawns={"2": "es", "3": "eS", "7": "e"})


# --- DR-3.1: tilt -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("token", "left"), [("A", {"B", "C"}), ("B", {"A", "C"}), ("C", {"A", "B"})])
def test_dr_3_1_tilt_bars_a_token_from_the_rivals_next_turn(token: str, left: set[str]) -> None:
    scene = arriving("t").expect(question=Question.TILT, legal={"tilt A", "tilt B", "tilt C"})
    scene.play(f"tilt {token}")
    scene.expect(side="eel", legal={f"token {name}" for name in left}, refusal={f"token {token}": Refusal.TOKEN_BARRED})


def test_dr_3_1_tilt_is_compulsory() -> None:
    arriving("t").expect(refusal={"leave": Refusal.WRONG_QUESTION, "wait": Refusal.MUST_ANSWER})


def test_dr_3_1_the_token_just_used_may_be_tilted_and_still_moves_and_turns() -> None:
    arriving("t").play("tilt A").expect(progress=(1, 0, 0), faces="100", legal={"token B", "token C"})


def test_dr_3_1_a_tilted_token_lies_where_it_lay() -> None:
    arriving("t").play("tilt B").expect(progress=(1, 0, 0), faces="100")


def test_dr_3_1_after_the_rivals_turn_the_token_is_free_again() -> None:
    scene = Scene("tbbDbbb").play("token A", "nest", "tilt C", "token B", "nest")
    scene.expect(legal={"token A", "token B", "token C"})  # the salmon, who tilted it
    scene.play("token C", "1").expect(legal={"token A", "token B", "token C"})  # the eel, who couldn't choose it


def test_dr_3_1_a_token_is_tilted_once_a_turn() -> None:
    scene = Scene("ttbDbbb", faces=TWICE).play("token C", "nest", "tilt B", "1")
    scene.expect(question=Question.TILT, legal={"tilt A", "tilt C"}, refusal={"tilt B": Refusal.TOKEN_TILTED})
    scene.play("tilt C").expect(legal={"token A"})
    scene.play("token A", "nest").expect(legal={"token A", "token B", "token C"})


def test_dr_3_1_a_token_tilted_last_turn_may_be_tilted_against_the_other_side() -> None:
    scene = arriving("t", barred=(1, 2)).expect(legal={"tilt A", "tilt B", "tilt C"})
    scene.play("tilt B").expect(legal={"token A", "token C"})


def test_dr_3_1_a_side_tilted_against_can_tilt_back() -> None:
    scene = Scene("tbbDbbt").play("token A", "nest", "tilt B", "token C", "nest", "tilt B")
    scene.expect(side="salmon", legal={"token A", "token C"})


# --- DR-3.2: a single pawn on the double tile -----------------------------------------------------------------------


def test_dr_3_2_a_single_pawn_must_turn_a_single_pawn_of_its_side() -> None:
    pawns = {"3": "s", "1": "S", "5": "es", "6": "se", "7": "e"}
    scene = Scene(QUIET, pawns=pawns, nest_double=(0, 1)).play("token A", "3")
    scene.expect(question=Question.PAWN, legal={"nest", "4", "6"})
    for other in ("nest double", "1", "5", "7"):
        scene.expect(refusal={other: Refusal.NOT_SINGLE})
    scene.expect(refusal={"advance": Refusal.WRONG_QUESTION})


@pytest.mark.parametrize(
    ("chosen", "pawns", "nest"),
    [
        ("nest", {"4": "s", "6": "se"}, (2, 1)),
        ("4", {"4": "S", "6": "se"}, (3, 0)),
        ("6", {"4": "s", "6": "Se"}, (3, 0)),
    ],
)
def test_dr_3_2_the_chosen_pawn_shows_its_double_face(
    chosen: str, pawns: dict[str, str], nest: tuple[int, int]
) -> None:
    scene = Scene(QUIET, pawns={"3": "s", "6": "se"}).play("token A", "3", chosen)
    scene.expect(turn_is_over, pawns=pawns, nest={"salmon": nest})


@BOTH
def test_dr_3_2_the_arriving_pawn_itself_is_always_there_to_be_turned(side: str) -> None:
    own = side[0]
    start = {"salmon": "3", "eel": "5"}[side]
    scene = Scene(QUIET, pawns={start: own}, nest_double=(4, 4), turn=side).play("token A", start).expect(legal={"4"})
    scene.play("4").expect(pawns={"4": own.upper()})


def test_dr_3_2_a_pile_with_a_single_pawn_on_top_must_turn_too() -> None:
    scene = Scene(QUIET, pawns={"3": "sE"}, nest_double=(4, 0)).play("token A", "3")
    scene.expect(question=Question.PAWN, legal={"4"}).play("4").expect(pawns={"4": "SE"})


def test_dr_3_2_a_pawn_turned_is_double_for_the_rest_of_the_turn() -> None:
    Scene(QUIET, pawns={"3": "s"}, faces=TWICE).play("token C", "3", "4", "4").expect(pawns={"5": "S"}, bear=5)


def test_dr_3_2_turning_a_pawn_sets_off_no_tile() -> None:
    scene = Scene(QUIET, pawns={"3": "s", "5": "s"}).play("token A", "3", "5")
    scene.expect(turn_is_over, pawns={"4": "s", "5": "S"}, bear=4)


# --- DR-3.2: a double pawn on the double tile -----------------------------------------------------------------------


@pytest.mark.parametrize("pile", ["S", "Se", "SE"])
def test_dr_3_2_a_double_pawn_chooses(pile: str) -> None:
    scene = Scene(QUIET, pawns={"3": pile}).play("token A", "3")
    scene.expect(question=Question.DOUBLE, legal={"turn", "advance"}, refusal={"4": Refusal.WRONG_QUESTION})


def test_dr_3_2_a_double_pawn_may_turn_another() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "6": "s"}).play("token A", "3", "turn")
    scene.expect(question=Question.PAWN, legal={"nest", "6"}).play("6").expect(turn_is_over, pawns={"4": "S", "6": "S"})


def test_dr_3_2_a_double_pawn_may_advance_any_fish() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "5": "es", "6": "s"}, nest_double=(1, 0)).play("token A", "3", "advance")
    scene.expect(question=Question.FISH, legal={"nest", "nest double", "4", "6"})
    scene.play("6").expect(turn_is_over, pawns={"4": "S", "5": "es", "7": "s"})


@pytest.mark.parametrize("covered", [{}, {"6": "es"}, {"6": "es", "7": "Es"}])
def test_dr_3_2_with_nothing_to_turn_the_advance_is_done_unasked(covered: dict[str, str]) -> None:
    doubled = 4 - len(covered)
    scene = Scene(QUIET, pawns={"3": "S", **covered}, nest_double=(doubled, 0)).play("token A", "3")
    scene.expect(question=Question.FISH, legal={"nest double", "4"})


def test_dr_3_2_a_pawn_in_the_nest_is_something_to_turn() -> None:
    Scene(QUIET, pawns={"3": "S"}, nest_double=(3, 0)).play("token A", "3").expect(question=Question.DOUBLE)


def test_dr_3_2_rivals_are_nothing_to_turn() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "6": "e", "7": "Se"}, nest_double=(3, 0)).play("token A", "3")
    scene.expect(question=Question.FISH)


def test_dr_3_2_an_eel_advances_the_other_way() -> None:
    scene = Scene("ttbDbbb", pawns={"5": "E", "3": "e"}, turn="eel").play("token A", "5", "advance", "3")
    scene.expect(pawns={"2": "e", "4": "E"}, question=Question.USE)


# --- DR-3.2: using the tile -----------------------------------------------------------------------------------------


def advanced(tile: str, pawn: str, elsewhere: dict[str, str] | None = None) -> Scene:
    """A double salmon has come to the double tile and a pawn advances from tile 6 to tile 7, the tile given."""
    scene = Scene(f"bbbDbb{tile}", pawns={"3": "S", "6": pawn, **(elsewhere or {})})
    return scene.play("token A", "3", "advance", "6")


@pytest.mark.parametrize(
    ("tile", "pawn", "elsewhere"),
    [
        ("b", "S", {}),
        ("b", "Se", {}),
        ("d", "s", {}),
        ("t", "s", {}),
        ("s", "s", {"2": "es"}),
        ("s", "se", {}),
        ("s", "s", {"7": "e"}),
    ],
)
def test_dr_3_2_whether_to_use_the_tile_is_asked_where_it_has_a_target(
    tile: str, pawn: str, elsewhere: dict[str, str]
) -> None:
    advanced(tile, pawn, elsewhere).expect(question=Question.USE, legal={"use", "leave"})


@pytest.mark.parametrize(("tile", "pawn"), [("b", "s"), ("b", "se"), ("b", "sE"), ("s", "s"), ("s", "S")])
def test_dr_3_2_it_is_not_asked_without_a_target(tile: str, pawn: str) -> None:
    advanced(tile, pawn).expect(turn_is_over, pawns={"4": "S", "7": pawn}, bear=4)


@pytest.mark.parametrize(("tile", "pawn"), [("b", "S"), ("d", "s"), ("t", "s"), ("s", "se")])
def test_dr_3_2_the_tile_may_be_left(tile: str, pawn: str) -> None:
    scene = advanced(tile, pawn).play("leave")
    scene.expect(turn_is_over, pawns={"4": "S", "7": pawn}, bear=4, legal={"token A", "token B", "token C"})


def test_dr_3_2_bear_used() -> None:
    advanced("b", "S").play("use").expect(turn_is_over, bear=5)


def test_dr_3_2_drift_used() -> None:
    scene = advanced("d", "s").play("use").expect(question=Question.FISH, legal={"nest", "4", "7"}).play("4")
    scene.expect(pawns={"5": "S", "7": "s"}, bear=4)  # by drift: without the bear tile
    scene.expect(turn_is_over)


def test_dr_3_2_tilt_used() -> None:
    advanced("t", "s").play("use", "tilt A").expect(legal={"token B", "token C"}, side="eel")


def test_dr_3_2_swap_used() -> None:
    advanced("s", "s", {"2": "es"}).play("use", "2").expect(turn_is_over, pawns={"2": "se", "4": "S", "7": "s"})


def test_dr_3_2_the_pawn_on_the_double_tile_may_advance_itself() -> None:
    scene = Scene("bbbDtbb", pawns={"3": "S"}).play("token A", "3", "advance", "4")
    scene.expect(pawns={"5": "S"}, question=Question.USE)


def test_dr_3_2_an_advance_into_the_nest_asks_nothing() -> None:
    Scene("bbbDbbt", pawns={"3": "S", "7": "S"}).play("token A", "3", "advance", "7").expect(turn_is_over, bear=6)


def test_dr_3_2_an_advance_asks_where_to_stand_before_it_asks_about_the_tile() -> None:
    scene = Scene(QUIET, pawns={"2": "S", "3": "s", "4": "e", "4'": "e"}).play("token A", "2")
    scene.expect(question=Question.STAND)  # tile 3 is skipped
    scene.play("4'", "advance", "3").expect(pawns={"4": "se", "4'": "Se"}, question=Question.USE)


# --- DR-3.2: chains -------------------------------------------------------------------------------------------------


def test_dr_3_2_an_advance_onto_the_double_tile_can_be_used_for_another_advance() -> None:
    scene = Scene(QUIET, pawns={"2": "S", "3": "S"}, nest_double=(3, 0)).play("token A", "2")
    scene.expect(pawns={"3": "S", "4": "S"}).play("3")  # advanced unasked: nothing is single
    scene.expect(pawns={"4": "S", "4'": "S"}, legal={"use", "leave"})
    scene.play("use", "4'").expect(pawns={"4": "S", "5": "S"}, legal={"use", "leave"}, bear=4)
    scene.play("use").expect(turn_is_over, bear=5)


def test_dr_3_2_a_chain_that_is_over_goes_on_with_the_token() -> None:
    scene = Scene(QUIET, pawns={"2": "S", "3": "S"}, faces=TWICE)
    scene.play("token C", "2", "advance", "3", "use", "advance", "4", "leave")
    scene.expect(pawns={"4'": "S", "5": "S"}, question=Question.FISH, legal={"nest", "4'", "5"})
    scene.play("5").expect(side="eel")


def test_dr_3_2_a_single_pawn_advanced_onto_the_double_tile_may_turn_one() -> None:
    pawns = {"3": "s", "2": "S"}
    scene = Scene(QUIET, pawns=pawns).play("token A", "2", "advance", "3")
    scene.expect(pawns={"4": "S", "4'": "s"}, legal={"use", "leave"})
    scene.play("use").expect(question=Question.PAWN, legal={"nest", "4'"})
    scene.play("4'").expect(turn_is_over, pawns={"4": "S", "4'": "S"})


def test_dr_3_2_a_double_pawn_advanced_onto_the_double_tile_chooses_again() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "2": "S"}).play("token A", "2", "advance", "3", "use")
    scene.expect(question=Question.DOUBLE).play("turn", "nest").expect(turn_is_over, nest={"salmon": (2, 1)})


def test_dr_3_2_leaving_the_double_tile_ends_the_chain() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "2": "S"}).play("token A", "2", "advance", "3", "leave")
    assert Event.LEAVE in scene.events()
    scene.expect(turn_is_over)
