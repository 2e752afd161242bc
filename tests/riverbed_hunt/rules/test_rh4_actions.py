"""RH-4, the actions: Dive, Swim, Co-op and Uncover; and the book's examples of them (E2, E4, E5).

Seven players use the full board: unless drawn otherwise tile n lies on space n and all meeples stand on space 6,
within reach of spaces 5, 6 and 7.
"""

from riverbed_env.games.riverbed_hunt.rules.vocab import Event, Question, Role
from riverbed_hunt.scene import PUBLIC, Scene
from riverbed_hunt.seven import exhaust, ready, seven

SILT, SPYGLASS = "Silt", "Spyglass"


def come_round(scene: Scene, seat: int) -> Scene:
    """End the turn; the others dive until it is the seat's turn again."""
    scene.play("END_TURN")
    while scene.table["active"] != seat:
        scene.play("DIVE")
        scene.play(min(scene.legal()), "END_TURN")
    return scene


# --- RH-4.1 Dive --------------------------------------------------------------------------------------------------


def test_rh_4_1_a_dive_shows_one_tile_to_the_diver_alone() -> None:
    scene = seven().play("DIVE", "space 7")
    assert scene.known(1) == {7: 7}
    for other in (0, 2, 3, 4, 5, 6, PUBLIC):
        assert scene.known(other) == {}


def test_rh_4_1_the_tile_stays_face_down_and_counts_nothing() -> None:
    scene = seven().play("DIVE", "space 6")
    assert scene.face_up() == set()
    assert scene.tracks == (0, 0, 0)


def test_rh_4_1_a_dive_exhausts_dive_only() -> None:
    scene = seven().play("DIVE", "space 6")
    assert ready(scene, 1) == (False, True)
    assert ready(scene, 2) == (True, True)


def test_rh_4_1_a_dive_reaches_the_own_space_and_its_water_neighbours() -> None:
    assert seven(at=6).play("DIVE").legal() == {"space 5", "space 6", "space 7"}
    assert seven(at=16).play("DIVE").legal() == {"space 15", "space 16"}


def test_rh_4_1_a_dive_views_face_down_tiles_only() -> None:
    assert seven(up=[6]).play("DIVE").legal() == {"space 5", "space 7"}


def test_rh_4_1_who_dived_and_where_is_public_but_not_what() -> None:
    scene = seven().play("DIVE", "space 7")
    assert scene.events() == [Event.DIVE]
    kind, actor, other, space, second, thing = scene.observed(0)["events"][0, :6]
    assert (kind, actor, other, space, second, thing) == (Event.DIVE, 1 + 1, 0, 7, 0, 0)


def test_rh_4_1_two_who_dive_for_the_same_tile_both_see_it() -> None:
    scene = seven().play("DIVE", "space 7", "END_TURN", "DIVE", "space 7")
    assert scene.known(1) == scene.known(2) == {7: 7}
    assert scene.known(PUBLIC) == {}


def test_example_e2_a_dive_reaches_three_tiles_but_none_across_land() -> None:
    scene = seven(at=[1, 10, 1, 1, 1, 1, 1]).play("DIVE")
    assert scene.legal() == {"space 9", "space 10", "space 11"}  # A, B, D; C on 7 or 15 lies across land
    scene.play("space 9")
    assert scene.known(1) == {9: 9}


# --- RH-4.2 Swim --------------------------------------------------------------------------------------------------


def test_rh_4_2_a_swim_goes_two_by_water_or_one_across_land() -> None:
    assert seven(at=6).play("SWIM").legal() == {"space 4", "space 5", "space 7", "space 8", "space 3", "space 11"}


def test_rh_4_2_a_swim_exhausts_swim_only_and_moves_the_own_meeple() -> None:
    scene = seven().play("SWIM", "space 11")
    assert ready(scene, 1) == (True, False)
    assert [scene.position(seat) for seat in range(7)] == [6, 11, 6, 6, 6, 6, 6]


def test_rh_4_2_the_swimmer_draws_one_card_after_the_move() -> None:
    scene = seven(deck=[SILT, SPYGLASS]).play("SWIM")
    assert scene.hand(1) == []
    scene.play("space 7")
    assert scene.hand(1) == [SILT]
    assert scene.table["draw_pile"] == 1
    assert scene.events().index(Event.MOVE) < scene.events().index(Event.DRAW)


def test_rh_4_2_the_drawn_card_may_be_played_this_turn() -> None:
    scene = seven(deck=[SPYGLASS]).play("SWIM", "space 7")
    assert SPYGLASS in scene.legal()
    scene.play(SPYGLASS, "space 16")
    assert scene.known(1) == {16: 16}


def test_rh_4_2_with_both_piles_empty_the_swimmer_draws_nothing() -> None:
    scene = seven().play("SWIM", "space 7")
    assert scene.position(1) == 7
    assert scene.hand(1) == []
    assert scene.question == Question.TURN


# --- RH-4.3 Co-op -------------------------------------------------------------------------------------------------


def test_rh_4_3_the_active_player_chooses_another_player() -> None:
    assert seven().play("CO_OP").legal() == {"seat 0", "seat 2", "seat 3", "seat 4", "seat 5", "seat 6"}


def test_rh_4_3_the_asked_player_chooses_within_their_own_reach() -> None:
    scene = seven(at=[6, 6, 12, 6, 6, 6, 6]).play("CO_OP", "seat 2")
    assert scene.asked == 2
    scene.play("REVEAL")
    assert scene.asked == 2
    assert scene.legal() == {"space 11", "space 12", "space 13"}
    scene.play("space 13")
    assert scene.face_up() == {13}
    assert scene.tracks == (2, 0, 1)


def test_rh_4_3_the_asked_player_must_reveal() -> None:
    scene = seven().play("CO_OP", "seat 2")
    assert scene.legal() == {"REVEAL"}
    assert scene.play("REVEAL").legal() == {"space 5", "space 6", "space 7"}


def test_rh_4_3_only_a_face_down_tile_is_revealed() -> None:
    assert seven(up=[6]).play("CO_OP", "seat 2", "REVEAL").legal() == {"space 5", "space 7"}


def test_rh_4_3_the_asker_draws_one_card_after_the_reveal() -> None:
    scene = seven(deck=[SILT, SPYGLASS]).play("CO_OP", "seat 2", "REVEAL")
    assert scene.hand(1) == []
    scene.play("space 6")
    assert scene.hand(1) == [SILT]
    assert scene.hand(2) == []


def test_rh_4_3_the_asker_draws_only_when_the_text_is_resolved_too() -> None:
    scene = exhaust(seven(deck=[SILT]), 1).play("CO_OP", "seat 2", "REVEAL", "space 7")
    assert scene.asked == 2  # the asked player is the revealer of the text
    assert scene.legal() == {"space 2", "space 6", "space 8", "space 10", "STOP"}
    assert scene.hand(1) == []
    assert ready(scene, 1) == (False, False)
    scene.play("space 2")
    assert scene.tracks == (1, 0, 1)
    assert scene.hand(1) == [SILT]
    assert ready(scene, 1) == (True, True)


def test_rh_4_3_the_asker_refreshes_dive_and_swim_after_the_draw() -> None:
    scene = exhaust(exhaust(seven(deck=[SILT]), 1), 2).play("CO_OP", "seat 2", "REVEAL", "space 6")
    assert ready(scene, 1) == (True, True)
    assert ready(scene, 2) == (False, False)  # the asked player's stay as they are
    assert scene.events().index(Event.DRAW) < scene.events().index(Event.REFRESH)


def test_rh_4_3_with_both_piles_empty_the_co_op_still_refreshes() -> None:
    scene = exhaust(seven(), 1).play("CO_OP", "seat 2", "REVEAL", "space 6")
    assert scene.hand(1) == []
    assert ready(scene, 1) == (True, True)


def test_rh_4_3_a_reveal_that_wins_ends_the_game_before_the_draw() -> None:
    scene = exhaust(seven(deck=[SILT], tracks=(0, 5, 0)), 1).play("CO_OP", "seat 2", "REVEAL", "space 6")
    assert scene.over
    assert scene.hand(1) == []
    assert ready(scene, 1) == (False, False)


def test_rh_4_3_co_op_can_be_taken_turn_after_turn_and_ask_the_same_player() -> None:
    scene = seven().play("CO_OP", "seat 2", "REVEAL", "space 6")
    assert come_round(scene, 1).legal() >= {"CO_OP", "DIVE", "SWIM"}
    assert "seat 2" in scene.play("CO_OP").legal()


def test_rh_4_3_a_player_with_nothing_to_reveal_cannot_be_chosen() -> None:
    scene = seven(at=[6, 6, 1, 6, 6, 6, 6], up=[1, 2]).play("CO_OP")
    assert scene.legal() == {"seat 0", "seat 3", "seat 4", "seat 5", "seat 6"}


def test_rh_4_3_the_only_player_with_something_to_reveal_must_be_chosen() -> None:
    scene = seven(at=[1, 6, 1, 1, 1, 2, 1], up=[1, 2]).play("CO_OP")
    assert scene.legal() == {"seat 5"}


def test_rh_4_3_where_no_other_has_one_anybody_is_chosen_and_nothing_revealed() -> None:
    scene = exhaust(seven(at=[1, 6, 1, 1, 1, 1, 1], up=[1, 2], deck=[SILT]), 1).play("CO_OP")
    assert scene.legal() == {"seat 0", "seat 2", "seat 3", "seat 4", "seat 5", "seat 6"}
    scene.play("seat 2")
    assert scene.face_up() == {1, 2}
    assert (scene.asked, scene.question) == (1, Question.TURN)
    assert scene.hand(1) == [SILT]
    assert ready(scene, 1) == (True, True)


def test_rh_4_3_without_tiles_to_reveal_leader_and_profiteer_can_only_stand_by() -> None:
    for asked in (3, 6):
        scene = seven(at=[1, 6, 1, 1, 1, 1, 1], up=[1, 2], hands={asked: [SILT, "Slip Away"]})
        scene.play("CO_OP", f"seat {asked}")
        assert (scene.asked, scene.question) == (1, Question.TURN)
        assert scene.hand(asked) == [SILT, "Slip Away"]
        assert scene.shown_role(asked) == Role.UNKNOWN


def test_example_e4_the_co_op_skips_an_empty_space_and_the_text_turns_up_another_tile() -> None:
    # Layout bends leaves 5 and 9 empty: from 4, green reaches 3, 4 and (B, space 5, being empty) C on 6.
    scene = Scene("C M L S P", layout="bends", at=[2, 2, 4, 2, 2], active=1, deck=[SILT], tiles={6: 7, 7: 13, 3: 3})
    exhaust(scene, 1).play("CO_OP", "seat 2", "REVEAL")
    assert scene.legal() == {"space 3", "space 4", "space 6"}
    scene.play("space 6")
    assert (scene.asked, scene.hand(1)) == (2, [])
    assert scene.legal() == {"space 3", "space 7", "space 11", "STOP"}
    scene.play("space 7")
    assert scene.face_up() == {6, 7}
    assert scene.tracks == (2, 0, 1)
    assert scene.hand(1) == [SILT]
    assert ready(scene, 1) == (True, True)


# --- RH-4.4 Uncover -----------------------------------------------------------------------------------------------


def test_rh_4_4_the_active_player_first_discards_a_card_of_their_choice() -> None:
    scene = seven(hands={1: [SILT, SPYGLASS]}).play("UNCOVER")
    assert scene.asked == 1
    assert scene.legal() == {SILT, SPYGLASS}
    scene.play(SPYGLASS)
    assert scene.hand(1) == [SILT]
    assert scene.pile("used") == [SPYGLASS]
    assert scene.face_up() == set()


def test_rh_4_4_uncover_needs_a_card() -> None:
    scene = seven(hands={2: [SILT]})
    assert "UNCOVER" not in scene.legal()
    assert "CO_OP" in scene.legal()


def test_rh_4_4_a_card_played_before_cannot_pay_for_uncover() -> None:
    scene = seven(hands={1: [SPYGLASS]})
    assert "UNCOVER" in scene.legal()
    assert "UNCOVER" not in scene.play(SPYGLASS, "space 1").legal()


def test_rh_4_4_uncover_reveals_a_face_down_tile_within_own_reach() -> None:
    scene = seven(hands={1: [SILT]}, up=[6]).play("UNCOVER", SILT)
    assert scene.legal() == {"space 5", "space 7"}
    scene.play("space 5")
    assert scene.face_up() == {5, 6}
    assert scene.tracks == (0, 2 + 1, 1)


def test_rh_4_4_uncover_needs_a_face_down_tile_within_reach() -> None:
    assert "UNCOVER" not in seven(at=1, hands={1: [SILT]}, up=[1, 2]).legal()


def test_rh_4_4_the_active_player_carries_out_the_text() -> None:
    scene = seven(hands={1: [SILT]}).play("UNCOVER", SILT, "space 7")
    assert scene.asked == 1
    assert scene.legal() == {"space 2", "space 6", "space 8", "space 10", "STOP"}


def test_rh_4_4_then_refreshes_without_drawing() -> None:
    scene = exhaust(seven(hands={1: [SILT]}, deck=[SPYGLASS]), 1).play("UNCOVER", SILT)
    assert ready(scene, 1) == (False, False)
    scene.play("space 6")
    assert ready(scene, 1) == (True, True)
    assert scene.hand(1) == []


def test_rh_4_4_uncover_is_used_up_and_co_op_stays_open() -> None:
    scene = seven(hands={1: [SILT, SPYGLASS]}).play("UNCOVER", SILT, "space 6")
    assert scene.table["uncover_left"][1] == 0
    assert scene.table["uncover_left"][2] == 1
    legal = come_round(scene, 1).legal()
    assert "CO_OP" in legal
    assert "UNCOVER" not in legal


def test_rh_4_4_every_player_has_an_uncover_of_their_own() -> None:
    scene = seven(hands={1: [SILT], 2: [SILT]}).play("UNCOVER", SILT, "space 6", "END_TURN")
    assert scene.asked == 2
    assert "UNCOVER" in scene.legal()


def test_rh_4_4_a_co_op_leaves_uncover_open() -> None:
    scene = seven(hands={1: [SPYGLASS]}).play("CO_OP", "seat 2", "REVEAL", "space 6")
    assert "UNCOVER" in come_round(scene, 1).legal()


def test_rh_4_4_the_discard_is_not_the_turns_card() -> None:
    scene = seven(hands={1: [SILT, SPYGLASS]}).play("UNCOVER", SILT, "space 6")
    assert SPYGLASS in scene.legal()


def test_rh_4_4_leader_and_profiteer_neither_hunt_nor_con_on_their_own_uncover() -> None:
    for seat in (3, 6):
        scene = seven(active=seat, hands={seat: [SILT, SPYGLASS]})
        assert not {"HUNT", "CON"} & scene.legal()
        assert scene.play("UNCOVER", SILT).legal() == {"space 5", "space 6", "space 7"}


def test_example_e5_uncover_with_a_text_above_two_coins() -> None:
    # Red on 10 reaches B on 9 and 11 and C, tile 10, on its own space; A on 7 is out of reach.
    scene = exhaust(seven(at=10, hands={1: [SILT]}, deck=[SPYGLASS]), 1).play("UNCOVER", SILT)
    assert scene.legal() == {"space 9", "space 10", "space 11"}
    scene.play("space 10")
    assert scene.legal() == {"space 6", "space 8", "space 14", "space 16", "STOP"}  # diagonal to C
    assert scene.tracks == (0, 0, 0)  # the text stands above the coins
    scene.play("space 14")
    assert scene.tracks == (0, 1, 1 + 2)
    assert ready(scene, 1) == (True, True)
    assert scene.table["uncover_left"][1] == 0
    assert scene.hand(1) == []


def test_example_e5_a_text_that_cannot_be_carried_out_is_passed_over() -> None:
    scene = seven(at=10, hands={1: [SILT]}, up=[6, 8, 14, 16], tracks=(-2, -7, -1)).play("UNCOVER", SILT, "space 10")
    assert (scene.asked, scene.question) == (1, Question.TURN)
    assert scene.tracks == (0, 0, 2)


# --- RH-4.5 -------------------------------------------------------------------------------------------------------


def test_rh_4_5_the_refreshed_actions_wait_for_the_next_turn() -> None:
    scene = exhaust(seven(deck=[SILT]), 1).play("CO_OP", "seat 2", "REVEAL", "space 6")
    assert not {"DIVE", "SWIM", "CO_OP", "UNCOVER"} & scene.legal()
    assert "END_TURN" in scene.legal()
    assert come_round(scene, 1).legal() >= {"DIVE", "SWIM"}


def test_rh_4_5_the_refresh_of_uncover_waits_for_the_next_turn_too() -> None:
    scene = exhaust(seven(hands={1: [SILT]}), 1).play("UNCOVER", SILT, "space 6")
    assert not {"DIVE", "SWIM", "CO_OP", "UNCOVER"} & scene.legal()
    assert come_round(scene, 1).legal() >= {"DIVE", "SWIM"}


def test_rh_4_5_without_co_op_or_uncover_an_exhausted_action_stays_exhausted() -> None:
    scene = seven().play("DIVE", "space 6")
    legal = come_round(scene, 1).legal()
    assert "DIVE" not in legal
    assert "SWIM" in legal
