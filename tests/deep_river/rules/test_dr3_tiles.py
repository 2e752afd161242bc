"""DR-3: the effects of the river tiles."""

from __future__ import annotations

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
    scene = Scene(QUIET, pawns={start: pawn}, turn=side).play("token A", start)
    assert scene.bear == bear
    assert scene.side != side


@pytest.mark.parametrize(("pile", "bear"), [("se", 4), ("sE", 4), ("Se", 5), ("SE", 5)])
def test_dr_3_1_of_a_pile_only_the_top_pawn_counts_on_a_bear_tile(pile: str, bear: int) -> None:
    assert Scene(QUIET, pawns={"1": pile}).play("token A", "1").bear == bear


@pytest.mark.parametrize(("top", "rival", "bear"), [("s", "E", 4), ("S", "e", 5)])
def test_dr_3_1_a_pawn_that_covers_a_rival_counts_alone(top: str, rival: str, bear: int) -> None:
    scene = Scene(QUIET, pawns={"1": top, "2": rival}).play("token A", "1")
    assert scene.pawns() == {"2": top + rival}
    assert scene.bear == bear


def test_dr_3_1_a_bear_tile_asks_nothing() -> None:
    scene = arriving("b", "S")
    assert turn_is_over(scene)


def test_dr_3_1_tiles_that_are_passed_do_nothing() -> None:
    scene = Scene("btdDsbb", pawns={"1": "S", "6": "es"}, faces="100").play("token A", "1")
    assert scene.question == Question.PILE
    assert scene.bear == 4


# --- DR-3.1: drift ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chosen", "pawns"), [("1", {"2": "s", "6": "s"}), ("6", {"1": "s", "7": "s"})])
def test_dr_3_1_drift_advances_any_fish_one_tile(chosen: str, pawns: dict[str, str]) -> None:
    scene = arriving("d", pawns={"6": "s"})
    assert scene.question == Question.FISH
    assert scene.legal() == {"nest", "1", "6"}
    scene.play(chosen)
    assert scene.pawns() == pawns
    assert turn_is_over(scene)


def test_dr_3_1_drift_takes_a_pawn_out_of_the_nest() -> None:
    scene = arriving("d").play("nest")
    assert scene.pawns() == {"1": "s", "2": "s"}
    assert scene.nest("salmon") == (3, 0)


def test_dr_3_1_drift_is_compulsory() -> None:
    scene = arriving("d")
    for other in ("leave", "use", "wait"):
        assert scene.refusal(other) != Refusal.OK


@BOTH
def test_dr_3_1_drift_advances_towards_the_rival_nest(side: str) -> None:
    own = side[0]
    first, second = {"salmon": ("1", "2"), "eel": ("7", "6")}[side]
    scene = Scene("dbbDbbd", turn=side).play("token A", "nest", first)
    assert scene.pawns() == {second: own}


def test_dr_3_1_drift_moves_no_covered_pawn() -> None:
    scene = arriving("d", pawns={"3": "es", "5": "se"})
    assert scene.legal() == {"nest", "1", "5"}
    assert scene.refusal("3") == Refusal.NO_FREE_FISH


def test_dr_3_1_drift_moves_a_pile() -> None:
    scene = arriving("d", pawns={"5": "se"}).play("5")
    assert scene.pawns() == {"1": "s", "6": "se"}


@pytest.mark.parametrize("tile", "bdst")
@pytest.mark.parametrize("pawn", ["s", "S"])
def test_dr_3_1_drift_has_no_effect_of_the_tile_it_comes_to(tile: str, pawn: str) -> None:
    scene = Scene(f"d{tile}bDbbb", pawns={"6": "es"}, nest_double=(int(pawn == "S"), 0))
    scene.play("token A", "nest double" if pawn == "S" else "nest", "1")
    assert scene.pawns() == {"2": pawn, "6": "es"}
    assert scene.bear == 4
    assert turn_is_over(scene)


@pytest.mark.parametrize("pawn", ["s", "S"])
def test_dr_3_1_drift_onto_the_double_tile_has_no_effect(pawn: str) -> None:
    scene = arriving("d", pawns={"3": pawn}).play("3")
    assert scene.pawns() == {"1": "s", "4": pawn}
    assert turn_is_over(scene)


def test_dr_3_1_drift_stands_on_a_lone_rival_and_skips_a_full_tile() -> None:
    assert arriving("d", pawns={"2": "e"}).play("1").pawns() == {"2": "se"}
    assert arriving("d", pawns={"2": "se"}).play("1").pawns() == {"2": "se", "3": "s"}


def test_dr_3_1_drift_asks_where_to_stand() -> None:
    scene = arriving("d", pawns={"3": "s", "4": "e", "4'": "e"}).play("3")
    assert scene.question == Question.STAND
    scene.play("4'")
    assert scene.pawns() == {"1": "s", "4": "e", "4'": "se"}
    assert turn_is_over(scene)


# --- DR-3.1: swap -------------------------------------------------------------------------------------------------


def test_dr_3_1_swap_chooses_any_pile_of_either_side() -> None:
    scene = arriving("s", pawns={"3": "Se", "4": "e", "5": "eS", "6": "s"})
    assert scene.question == Question.PILE
    assert scene.legal() == {"3", "5"}
    assert scene.refusal("1") == Refusal.NO_PILE
    assert scene.refusal("4") == Refusal.NO_PILE


@pytest.mark.parametrize(
    ("pile", "swapped"), [("se", "es"), ("es", "se"), ("Se", "eS"), ("sE", "Es"), ("eS", "Se"), ("ES", "SE")]
)
def test_dr_3_1_swap_exchanges_the_pawns_on_their_faces(pile: str, swapped: str) -> None:
    scene = arriving("s", pawns={"3": pile}).play("3")
    assert scene.pawns() == {"1": "s", "3": swapped}
    assert turn_is_over(scene)


def test_dr_3_1_a_swapped_pile_has_changed_sides() -> None:
    scene = arriving("s", pawns={"3": "es"}).play("3")
    scene.play("token B")
    assert scene.legal() == {"nest"}  # the eel's pawn is covered now
    scene.play("nest", "token C")
    assert scene.legal() == {"nest", "1", "3"}


def test_dr_3_1_swap_without_a_pile_is_skipped() -> None:
    scene = arriving("s", pawns={"3": "s", "6": "e", "7": "E"})
    assert turn_is_over(scene)


def test_dr_3_1_swap_is_compulsory_even_on_the_pile_that_has_just_been_formed() -> None:
    scene = arriving("s", pawns={"1": "e"})
    assert scene.legal() == {"1"}
    assert scene.refusal("leave") == Refusal.WRONG_QUESTION
    scene.play("1")
    assert scene.pawns() == {"1": "es"}
    assert turn_is_over(scene)


def test_dr_3_1_swap_works_for_a_pile_that_arrives() -> None:
    scene = Scene("bsbDbbb", pawns={"1": "sE"}).play("token A", "1")
    assert scene.legal() == {"2"}
    assert scene.play("2").pawns() == {"2": "Es"}


def test_dr_3_1_swap_reaches_both_slots_of_the_double_tile() -> None:
    scene = arriving("s", pawns={"4": "es", "4'": "se"})
    assert scene.legal() == {"4", "4'"}
    assert scene.play("4'").pawns() == {"1": "s", "4": "es", "4'": "es"}


@pytest.mark.parametrize("where", ["3", "4", "5"])
def test_dr_3_1_a_swap_sets_off_no_tile(where: str) -> None:
    scene = Scene("sbtDbbb", pawns={where: "eS"}).play("token A", "nest", where)
    assert scene.bear == 4
    assert turn_is_over(scene)


def test_dr_3_1_an_eel_swaps_the_same_piles() -> None:
    scene = Scene("bbbDbbs", pawns={"2": "se", "3": "eS"}, turn="eel").play("token A", "nest")
    assert scene.legal() == {"2", "3"}
    assert scene.play("2").pawns() == {"2": "es", "3": "eS", "7": "e"}


# --- DR-3.1: tilt -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("token", "left"), [("A", {"B", "C"}), ("B", {"A", "C"}), ("C", {"A", "B"})])
def test_dr_3_1_tilt_bars_a_token_from_the_rivals_next_turn(token: str, left: set[str]) -> None:
    scene = arriving("t")
    assert scene.question == Question.TILT
    assert scene.legal() == {"tilt A", "tilt B", "tilt C"}
    scene.play(f"tilt {token}")
    assert scene.side == "eel"
    assert scene.legal() == {f"token {name}" for name in left}
    assert scene.refusal(f"token {token}") == Refusal.TOKEN_BARRED


def test_dr_3_1_tilt_is_compulsory() -> None:
    scene = arriving("t")
    assert scene.refusal("leave") == Refusal.WRONG_QUESTION
    assert scene.refusal("wait") == Refusal.MUST_ANSWER


def test_dr_3_1_the_token_just_used_may_be_tilted_and_still_moves_and_turns() -> None:
    scene = arriving("t").play("tilt A")
    assert (scene.progress(), scene.faces()) == ((1, 0, 0), "100")
    assert scene.legal() == {"token B", "token C"}


def test_dr_3_1_a_tilted_token_lies_where_it_lay() -> None:
    scene = arriving("t").play("tilt B")
    assert (scene.progress(), scene.faces()) == ((1, 0, 0), "100")


def test_dr_3_1_after_the_rivals_turn_the_token_is_free_again() -> None:
    scene = Scene("tbbDbbb").play("token A", "nest", "tilt C")
    scene.play("token B", "nest")
    assert scene.legal() == {"token A", "token B", "token C"}  # the salmon, who tilted it
    scene.play("token C", "1")
    assert scene.legal() == {"token A", "token B", "token C"}  # the eel, who couldn't choose it


def test_dr_3_1_a_token_is_tilted_once_a_turn() -> None:
    scene = Scene("ttbDbbb", faces=TWICE).play("token C", "nest", "tilt B", "1")
    assert scene.question == Question.TILT
    assert scene.legal() == {"tilt A", "tilt C"}
    assert scene.refusal("tilt B") == Refusal.TOKEN_TILTED
    scene.play("tilt C")
    assert scene.legal() == {"token A"}
    scene.play("token A", "nest")
    assert scene.legal() == {"token A", "token B", "token C"}


def test_dr_3_1_a_token_tilted_last_turn_may_be_tilted_against_the_other_side() -> None:
    scene = arriving("t", barred=(1, 2))
    assert scene.legal() == {"tilt A", "tilt B", "tilt C"}
    scene.play("tilt B")
    assert scene.legal() == {"token A", "token C"}


def test_dr_3_1_a_side_tilted_against_can_tilt_back() -> None:
    scene = Scene("tbbDbbt").play("token A", "nest", "tilt B").play("token C", "nest", "tilt B")
    assert scene.side == "salmon"
    assert scene.legal() == {"token A", "token C"}


# --- DR-3.2: a single pawn on the double tile -----------------------------------------------------------------------


def test_dr_3_2_a_single_pawn_must_turn_a_single_pawn_of_its_side() -> None:
    pawns = {"3": "s", "1": "S", "5": "es", "6": "se", "7": "e"}
    scene = Scene(QUIET, pawns=pawns, nest_double=(0, 1)).play("token A", "3")
    assert scene.question == Question.PAWN
    assert scene.legal() == {"nest", "4", "6"}
    for other in ("nest double", "1", "5", "7"):
        assert scene.refusal(other) == Refusal.NOT_SINGLE
    assert scene.refusal("advance") == Refusal.WRONG_QUESTION


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
    assert scene.pawns() == pawns
    assert scene.nest("salmon") == nest
    assert turn_is_over(scene)


@BOTH
def test_dr_3_2_the_arriving_pawn_itself_is_always_there_to_be_turned(side: str) -> None:
    own = side[0]
    start = {"salmon": "3", "eel": "5"}[side]
    scene = Scene(QUIET, pawns={start: own}, nest_double=(4, 4), turn=side)
    scene.play("token A", start)
    assert scene.legal() == {"4"}
    assert scene.play("4").pawns() == {"4": own.upper()}


def test_dr_3_2_a_pile_with_a_single_pawn_on_top_must_turn_too() -> None:
    scene = Scene(QUIET, pawns={"3": "sE"}, nest_double=(4, 0)).play("token A", "3")
    assert scene.question == Question.PAWN
    assert scene.legal() == {"4"}
    assert scene.play("4").pawns() == {"4": "SE"}


def test_dr_3_2_a_pawn_turned_is_double_for_the_rest_of_the_turn() -> None:
    scene = Scene(QUIET, pawns={"3": "s"}, faces=TWICE).play("token C", "3", "4", "4")
    assert scene.pawns() == {"5": "S"}
    assert scene.bear == 5


def test_dr_3_2_turning_a_pawn_sets_off_no_tile() -> None:
    scene = Scene(QUIET, pawns={"3": "s", "5": "s"}).play("token A", "3", "5")
    assert scene.pawns() == {"4": "s", "5": "S"}
    assert scene.bear == 4
    assert turn_is_over(scene)


# --- DR-3.2: a double pawn on the double tile -----------------------------------------------------------------------


@pytest.mark.parametrize("pile", ["S", "Se", "SE"])
def test_dr_3_2_a_double_pawn_chooses(pile: str) -> None:
    scene = Scene(QUIET, pawns={"3": pile}).play("token A", "3")
    assert scene.question == Question.DOUBLE
    assert scene.legal() == {"turn", "advance"}
    assert scene.refusal("4") == Refusal.WRONG_QUESTION


def test_dr_3_2_a_double_pawn_may_turn_another() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "6": "s"}).play("token A", "3", "turn")
    assert scene.question == Question.PAWN
    assert scene.legal() == {"nest", "6"}
    scene.play("6")
    assert scene.pawns() == {"4": "S", "6": "S"}
    assert turn_is_over(scene)


def test_dr_3_2_a_double_pawn_may_advance_any_fish() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "5": "es", "6": "s"}, nest_double=(1, 0)).play("token A", "3", "advance")
    assert scene.question == Question.FISH
    assert scene.legal() == {"nest", "nest double", "4", "6"}
    scene.play("6")
    assert scene.pawns() == {"4": "S", "5": "es", "7": "s"}
    assert turn_is_over(scene)


@pytest.mark.parametrize("covered", [{}, {"6": "es"}, {"6": "es", "7": "Es"}])
def test_dr_3_2_with_nothing_to_turn_the_advance_is_done_unasked(covered: dict[str, str]) -> None:
    doubled = 4 - len(covered)
    scene = Scene(QUIET, pawns={"3": "S", **covered}, nest_double=(doubled, 0)).play("token A", "3")
    assert scene.question == Question.FISH
    assert scene.legal() == {"nest double", "4"}


def test_dr_3_2_a_pawn_in_the_nest_is_something_to_turn() -> None:
    scene = Scene(QUIET, pawns={"3": "S"}, nest_double=(3, 0)).play("token A", "3")
    assert scene.question == Question.DOUBLE


def test_dr_3_2_rivals_are_nothing_to_turn() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "6": "e", "7": "Se"}, nest_double=(3, 0)).play("token A", "3")
    assert scene.question == Question.FISH


def test_dr_3_2_an_eel_advances_the_other_way() -> None:
    scene = Scene("ttbDbbb", pawns={"5": "E", "3": "e"}, turn="eel").play("token A", "5", "advance", "3")
    assert scene.pawns() == {"2": "e", "4": "E"}
    assert scene.question == Question.USE


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
    scene = advanced(tile, pawn, elsewhere)
    assert scene.question == Question.USE
    assert scene.legal() == {"use", "leave"}


@pytest.mark.parametrize(("tile", "pawn"), [("b", "s"), ("b", "se"), ("b", "sE"), ("s", "s"), ("s", "S")])
def test_dr_3_2_it_is_not_asked_without_a_target(tile: str, pawn: str) -> None:
    scene = advanced(tile, pawn)
    assert scene.pawns() == {"4": "S", "7": pawn}
    assert scene.bear == 4
    assert turn_is_over(scene)


@pytest.mark.parametrize(("tile", "pawn"), [("b", "S"), ("d", "s"), ("t", "s"), ("s", "se")])
def test_dr_3_2_the_tile_may_be_left(tile: str, pawn: str) -> None:
    scene = advanced(tile, pawn).play("leave")
    assert scene.pawns() == {"4": "S", "7": pawn}
    assert scene.bear == 4
    assert turn_is_over(scene)
    assert scene.legal() == {"token A", "token B", "token C"}


def test_dr_3_2_bear_used() -> None:
    scene = advanced("b", "S").play("use")
    assert scene.bear == 5
    assert turn_is_over(scene)


def test_dr_3_2_drift_used() -> None:
    scene = advanced("d", "s").play("use")
    assert scene.question == Question.FISH
    assert scene.legal() == {"nest", "4", "7"}
    scene.play("4")
    assert scene.pawns() == {"5": "S", "7": "s"}
    assert scene.bear == 4  # by drift: without the bear tile
    assert turn_is_over(scene)


def test_dr_3_2_tilt_used() -> None:
    scene = advanced("t", "s").play("use", "tilt A")
    assert scene.legal() == {"token B", "token C"}
    assert scene.side == "eel"


def test_dr_3_2_swap_used() -> None:
    scene = advanced("s", "s", {"2": "es"}).play("use", "2")
    assert scene.pawns() == {"2": "se", "4": "S", "7": "s"}
    assert turn_is_over(scene)


def test_dr_3_2_the_pawn_on_the_double_tile_may_advance_itself() -> None:
    scene = Scene("bbbDtbb", pawns={"3": "S"}).play("token A", "3", "advance", "4")
    assert scene.pawns() == {"5": "S"}
    assert scene.question == Question.USE


def test_dr_3_2_an_advance_into_the_nest_asks_nothing() -> None:
    scene = Scene("bbbDbbt", pawns={"3": "S", "7": "S"}).play("token A", "3", "advance", "7")
    assert scene.bear == 6
    assert turn_is_over(scene)


def test_dr_3_2_an_advance_asks_where_to_stand_before_it_asks_about_the_tile() -> None:
    scene = Scene(QUIET, pawns={"2": "S", "3": "s", "4": "e", "4'": "e"}).play("token A", "2")
    assert scene.question == Question.STAND  # tile 3 is skipped
    scene.play("4'", "advance", "3")
    assert scene.pawns() == {"4": "se", "4'": "Se"}
    assert scene.question == Question.USE


# --- DR-3.2: chains -------------------------------------------------------------------------------------------------


def test_dr_3_2_an_advance_onto_the_double_tile_can_be_used_for_another_advance() -> None:
    scene = Scene(QUIET, pawns={"2": "S", "3": "S"}, nest_double=(3, 0)).play("token A", "2")
    assert scene.pawns() == {"3": "S", "4": "S"}
    scene.play("3")  # advanced unasked: nothing is single
    assert scene.pawns() == {"4": "S", "4'": "S"}
    assert scene.legal() == {"use", "leave"}
    scene.play("use", "4'")
    assert scene.pawns() == {"4": "S", "5": "S"}
    assert scene.legal() == {"use", "leave"}
    assert scene.bear == 4
    scene.play("use")
    assert scene.bear == 5
    assert turn_is_over(scene)


def test_dr_3_2_a_chain_that_is_over_goes_on_with_the_token() -> None:
    scene = Scene(QUIET, pawns={"2": "S", "3": "S"}, faces=TWICE)
    scene.play("token C", "2", "advance", "3", "use", "advance", "4", "leave")
    assert scene.pawns() == {"4'": "S", "5": "S"}
    assert (scene.question, scene.legal()) == (Question.FISH, {"nest", "4'", "5"})
    scene.play("5")
    assert scene.side == "eel"


def test_dr_3_2_a_single_pawn_advanced_onto_the_double_tile_may_turn_one() -> None:
    pawns = {"3": "s", "2": "S"}
    scene = Scene(QUIET, pawns=pawns).play("token A", "2", "advance", "3")
    assert scene.pawns() == {"4": "S", "4'": "s"}
    assert scene.legal() == {"use", "leave"}
    scene.play("use")
    assert scene.question == Question.PAWN
    assert scene.legal() == {"nest", "4'"}
    scene.play("4'")
    assert scene.pawns() == {"4": "S", "4'": "S"}
    assert turn_is_over(scene)


def test_dr_3_2_a_double_pawn_advanced_onto_the_double_tile_chooses_again() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "2": "S"}).play("token A", "2", "advance", "3", "use")
    assert scene.question == Question.DOUBLE
    scene.play("turn", "nest")
    assert scene.nest("salmon") == (2, 1)
    assert turn_is_over(scene)


def test_dr_3_2_leaving_the_double_tile_ends_the_chain() -> None:
    scene = Scene(QUIET, pawns={"3": "S", "2": "S"}).play("token A", "2", "advance", "3", "leave")
    assert Event.LEAVE in scene.events()
    assert turn_is_over(scene)
