"""RH-4, the actions: Dive, Swim, Co-op and Uncover; and the book's examples of them (E2, E4, E5).

Seven players use the full board: unless drawn otherwise tile n lies on space n and all meeples stand on space 6,
within reach of spaces 5, 6 and 7.
"""

from riverbed_env.games.riverbed_hunt.rules.vocab import Event, Question, Role
from riverbed_hunt.scene import PUBLIC, Scene
from riverbed_hunt.seven import exhaust, seven

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
    scene = seven().play("DIVE", "space 7").expect(known={1: {7: 7}})
    for other in (0, 2, 3, 4, 5, 6, PUBLIC):
        scene.expect(known={other: {}})


def test_rh_4_1_the_tile_stays_face_down_and_counts_nothing() -> None:
    seven().play("DIVE", "space 6").expect(face_up=set(), tracks=(0, 0, 0))


def test_rh_4_1_a_dive_exhausts_dive_only() -> None:
    seven().play("DIVE", "space 6").expect(ready={1: (False, True), 2: (True, True)})


def test_rh_4_1_a_dive_views_face_down_tiles_only() -> None:
    seven(up=[6]).play("DIVE").expect(legal={"space 5", "space 7"})


def test_rh_4_1_who_dived_and_where_is_public_but_not_what() -> None:
    scene = seven().play("DIVE", "space 7")
    assert scene.events() == [Event.DIVE]
    kind, actor, other, space, second, thing = scene.observed(0)["events"][0, :6]
    assert (kind, actor, other, space, second, thing) == (Event.DIVE, 1 + 1, 0, 7, 0, 0)


def test_rh_4_1_two_who_dive_for_the_same_tile_both_see_it() -> None:
    seven().play("DIVE", "space 7", "END_TURN", "DIVE", "space 7").expect(known={1: {7: 7}, 2: {7: 7}, PUBLIC: {}})


def test_example_e2_a_dive_reaches_three_tiles_but_none_across_land() -> None:
    # 9, 10 and 11 are A, B and D; C on 7 or 15 lies across land.
    scene = seven(at=[1, 10, 1, 1, 1, 1, 1]).play("DIVE").expect(legal={"space 9", "space 10", "space 11"})
    scene.play("space 9").expect(known={1: {9: 9}})


# --- RH-4.2 Swim --------------------------------------------------------------------------------------------------


def test_rh_4_2_a_swim_exhausts_swim_only_and_moves_the_own_meeple() -> None:
    scene = seven().play("SWIM", "space 11").expect(ready={1: (True, False)})
    assert [scene.position(seat) for seat in range(7)] == [6, 11, 6, 6, 6, 6, 6]


def test_rh_4_2_the_swimmer_draws_one_card_after_the_move() -> None:
    scene = seven(deck=[SILT, SPYGLASS]).play("SWIM").expect(hand={1: []})
    scene.play("space 7").expect(hand={1: [SILT]}, draw_pile=1)
    assert scene.events().index(Event.MOVE) < scene.events().index(Event.DRAW)


# --- RH-4.3 Co-op -------------------------------------------------------------------------------------------------


def test_rh_4_3_the_active_player_chooses_another_player() -> None:
    seven().play("CO_OP").expect(legal={"seat 0", "seat 2", "seat 3", "seat 4", "seat 5", "seat 6"})


def test_rh_4_3_the_asked_player_chooses_within_their_own_reach() -> None:
    scene = seven(at=[6, 6, 12, 6, 6, 6, 6]).play("CO_OP", "seat 2").expect(asked=2)
    scene.play("REVEAL").expect(asked=2, legal={"space 11", "space 12", "space 13"})
    scene.play("space 13").expect(face_up={13}, tracks=(2, 0, 1))


def test_rh_4_3_the_asked_player_must_reveal() -> None:
    scene = seven().play("CO_OP", "seat 2").expect(legal={"REVEAL"})
    scene.play("REVEAL").expect(legal={"space 5", "space 6", "space 7"})


def test_rh_4_3_only_a_face_down_tile_is_revealed() -> None:
    seven(up=[6]).play("CO_OP", "seat 2", "REVEAL").expect(legal={"space 5", "space 7"})


def test_rh_4_3_the_asker_draws_one_card_after_the_reveal() -> None:
    scene = seven(deck=[SILT, SPYGLASS]).play("CO_OP", "seat 2", "REVEAL").expect(hand={1: []})
    scene.play("space 6").expect(hand={1: [SILT], 2: []})


def test_rh_4_3_the_asker_draws_only_when_the_text_is_resolved_too() -> None:
    # The asked player is the revealer of the text.
    scene = exhaust(seven(deck=[SILT]), 1).play("CO_OP", "seat 2", "REVEAL", "space 7")
    scene.expect(asked=2, legal={"space 2", "space 6", "space 8", "space 10", "STOP"}, hand={1: []})
    scene.expect(ready={1: (False, False)})
    scene.play("space 2").expect(tracks=(1, 0, 1), hand={1: [SILT]}, ready={1: (True, True)})


def test_rh_4_3_the_asker_refreshes_dive_and_swim_after_the_draw() -> None:
    scene = exhaust(exhaust(seven(deck=[SILT]), 1), 2).play("CO_OP", "seat 2", "REVEAL", "space 6")
    scene.expect(ready={1: (True, True), 2: (False, False)})  # the asked player's stay as they are
    assert scene.events().index(Event.DRAW) < scene.events().index(Event.REFRESH)


def test_rh_4_3_with_both_piles_empty_the_co_op_still_refreshes() -> None:
    exhaust(seven(), 1).play("CO_OP", "seat 2", "REVEAL", "space 6").expect(hand={1: []}, ready={1: (True, True)})


def test_rh_4_3_a_reveal_that_wins_ends_the_game_before_the_draw() -> None:
    scene = exhaust(seven(deck=[SILT], tracks=(0, 5, 0)), 1).play("CO_OP", "seat 2", "REVEAL", "space 6")
    scene.expect(over=True, hand={1: []}, ready={1: (False, False)})


def test_rh_4_3_co_op_can_be_taken_turn_after_turn_and_ask_the_same_player() -> None:
    scene = come_round(seven().play("CO_OP", "seat 2", "REVEAL", "space 6"), 1).allows("CO_OP", "DIVE", "SWIM")
    scene.play("CO_OP").allows("seat 2")


def test_rh_4_3_a_player_with_nothing_to_reveal_cannot_be_chosen() -> None:
    scene = seven(at=[6, 6, 1, 6, 6, 6, 6], up=[1, 2]).play("CO_OP")
    scene.expect(legal={"seat 0", "seat 3", "seat 4", "seat 5", "seat 6"})


def test_rh_4_3_the_only_player_with_something_to_reveal_must_be_chosen() -> None:
    seven(at=[1, 6, 1, 1, 1, 2, 1], up=[1, 2]).play("CO_OP").expect(legal={"seat 5"})


def test_rh_4_3_where_no_other_has_one_anybody_is_chosen_and_nothing_revealed() -> None:
    scene = exhaust(seven(at=[1, 6, 1, 1, 1, 1, 1], up=[1, 2], deck=[SILT]), 1).play("CO_OP")
    scene.expect(legal={"seat 0", "seat 2", "seat 3", "seat 4", "seat 5", "seat 6"})
    scene.play("seat 2")
    scene.expect(face_up={1, 2}, asked=1, question=Question.TURN, hand={1: [SILT]}, ready={1: (True, True)})


def test_rh_4_3_without_tiles_to_reveal_leader_and_profiteer_can_only_stand_by() -> None:
    for asked in (3, 6):
        scene = seven(at=[1, 6, 1, 1, 1, 1, 1], up=[1, 2], hands={asked: [SILT, "Slip Away"]})
        scene.play("CO_OP", f"seat {asked}")
        scene.expect(asked=1, question=Question.TURN, hand={asked: [SILT, "Slip Away"]})
        scene.expect(shown_role={asked: Role.UNKNOWN})


def test_example_e4_the_co_op_skips_an_empty_space_and_the_text_turns_up_another_tile() -> None:
    # Layout bends leaves 5 and 9 empty: from 4, green reaches 3, 4 and (B, space 5, being empty) C on 6.
    scene = Scene("C M L S P", layout="bends", at=[2, 2, 4, 2, 2], active=1, deck=[SILT], tiles={6: 7, 7: 13, 3: 3})
    exhaust(scene, 1).play("CO_OP", "seat 2", "REVEAL").expect(legal={"space 3", "space 4", "space 6"})
    scene.play("space 6").expect(asked=2, hand={1: []}, legal={"space 3", "space 7", "space 11", "STOP"})
    scene.play("space 7").expect(face_up={6, 7}, tracks=(2, 0, 1), hand={1: [SILT]}, ready={1: (True, True)})


# --- RH-4.4 Uncover -----------------------------------------------------------------------------------------------


def test_rh_4_4_the_active_player_first_discards_a_card_of_their_choice() -> None:
    scene = seven(hands={1: [SILT, SPYGLASS]}).play("UNCOVER").expect(asked=1, legal={SILT, SPYGLASS})
    scene.play(SPYGLASS).expect(hand={1: [SILT]}, pile={"used": [SPYGLASS]}, face_up=set())


def test_rh_4_4_a_card_played_before_cannot_pay_for_uncover() -> None:
    seven(hands={1: [SPYGLASS]}).allows("UNCOVER").play(SPYGLASS, "space 1").refuses("UNCOVER")


def test_rh_4_4_uncover_reveals_a_face_down_tile_within_own_reach() -> None:
    scene = seven(hands={1: [SILT]}, up=[6]).play("UNCOVER", SILT).expect(legal={"space 5", "space 7"})
    scene.play("space 5").expect(face_up={5, 6}, tracks=(0, 2 + 1, 1))


def test_rh_4_4_the_active_player_carries_out_the_text() -> None:
    scene = seven(hands={1: [SILT]}).play("UNCOVER", SILT, "space 7")
    scene.expect(asked=1, legal={"space 2", "space 6", "space 8", "space 10", "STOP"})


def test_rh_4_4_then_refreshes_without_drawing() -> None:
    scene = exhaust(seven(hands={1: [SILT]}, deck=[SPYGLASS]), 1).play("UNCOVER", SILT)
    scene.expect(ready={1: (False, False)}).play("space 6").expect(ready={1: (True, True)}, hand={1: []})


def test_rh_4_4_uncover_is_used_up_and_co_op_stays_open() -> None:
    scene = seven(hands={1: [SILT, SPYGLASS]}).play("UNCOVER", SILT, "space 6").expect(uncover_left={1: 0, 2: 1})
    legal = come_round(scene, 1).legal()
    assert "CO_OP" in legal
    assert "UNCOVER" not in legal


def test_rh_4_4_every_player_has_an_uncover_of_their_own() -> None:
    seven(hands={1: [SILT], 2: [SILT]}).play("UNCOVER", SILT, "space 6", "END_TURN").expect(asked=2).allows("UNCOVER")


def test_rh_4_4_a_co_op_leaves_uncover_open() -> None:
    come_round(seven(hands={1: [SPYGLASS]}).play("CO_OP", "seat 2", "REVEAL", "space 6"), 1).allows("UNCOVER")


def test_rh_4_4_the_discard_is_not_the_turns_card() -> None:
    seven(hands={1: [SILT, SPYGLASS]}).play("UNCOVER", SILT, "space 6").allows(SPYGLASS)


def test_rh_4_4_leader_and_profiteer_neither_hunt_nor_con_on_their_own_uncover() -> None:
    for seat in (3, 6):
        scene = seven(active=seat, hands={seat: [SILT, SPYGLASS]}).refuses("HUNT", "CON")
        scene.play("UNCOVER", SILT).expect(legal={"space 5", "space 6", "space 7"})


def test_example_e5_uncover_with_a_text_above_two_coins() -> None:
    # Red on 10 reaches B on 9 and 11 and C, tile 10, on its own space; A on 7 is out of reach.
    scene = exhaust(seven(at=10, hands={1: [SILT]}, deck=[SPYGLASS]), 1).play("UNCOVER", SILT)
    scene.expect(legal={"space 9", "space 10", "space 11"}).play("space 10")
    scene.expect(legal={"space 6", "space 8", "space 14", "space 16", "STOP"})  # diagonal to C
    scene.expect(tracks=(0, 0, 0))  # the text stands above the coins
    scene.play("space 14").expect(tracks=(0, 1, 1 + 2), ready={1: (True, True)}, uncover_left={1: 0}, hand={1: []})


def test_example_e5_a_text_that_cannot_be_carried_out_is_passed_over() -> None:
    scene = seven(at=10, hands={1: [SILT]}, up=[6, 8, 14, 16], tracks=(-2, -7, -1)).play("UNCOVER", SILT, "space 10")
    scene.expect(asked=1, question=Question.TURN, tracks=(0, 0, 2))


def test_rh_4_5_the_refreshed_actions_wait_for_the_next_turn() -> None:
    scene = exhaust(seven(deck=[SILT]), 1).play("CO_OP", "seat 2", "REVEAL", "space 6")
    scene.refuses("DIVE", "SWIM", "CO_OP", "UNCOVER").allows("END_TURN")
    come_round(scene, 1).allows("DIVE", "SWIM")


def test_rh_4_5_the_refresh_of_uncover_waits_for_the_next_turn_too() -> None:
    scene = exhaust(seven(hands={1: [SILT]}), 1).play("UNCOVER", SILT, "space 6")
    scene.refuses("DIVE", "SWIM", "CO_OP", "UNCOVER")
    come_round(scene, 1).allows("DIVE", "SWIM")
