"""RH-5, Hunt, Con and the refresh marker; and the book's example of a Hunt (E1).

Seven players use the full board: unless drawn otherwise tile n lies on space n and all meeples stand on space 6,
within reach of spaces 5, 6 and 7. Tiles 4 (log), 5 (log, coin), 6 (2 logs), 7 (text O), 9 (2 logs, kelp), 11 (coin,
log), 14 (log, coin) and 16 (3 logs) bear the hunt icon. Seven players' endpoints are 7 kelps, 7 logs and 5 coins.
"""

from pathlib import Path
from typing import Any

from riverbed_env.games.riverbed_hunt.rules.vocab import Camp, Event, Question, Role
from riverbed_hunt.dealt import edited_pack
from riverbed_hunt.scene import Scene
from riverbed_hunt.seven import ALL_SPACES, all_up_but, exhaust, seven, spaces

SILT, SPYGLASS = "Silt", "Spyglass"
LEADER, PROFITEER = 3, 6


def hunt(*spaces: int, **drawing: Any) -> Scene:
    """The leader, asked by seat 1, has declared the Hunt and chosen these spaces."""
    scene = seven(**{"hands": {LEADER: [SILT]}, **drawing}).play("CO_OP", "seat 3", "HUNT", SILT)
    return scene.play(*(f"space {space}" for space in spaces))


def con(*spaces: int, **drawing: Any) -> Scene:
    """The profiteer, asked by seat 1, has declared the Con and chosen these spaces."""
    scene = seven(**{"hands": {PROFITEER: [SILT]}, **drawing}).play("CO_OP", "seat 6", "CON", SILT)
    return scene.play(*(f"space {space}" for space in spaces))


def back_to_the_turn(scene: Scene, seat: int = 1) -> bool:
    """Whether the active player goes on with the turn and nothing is under way."""
    return (scene.asked, scene.question) == (seat, Question.TURN) and scene.table["depth"] == 0


def marked(scene: Scene) -> set[int]:
    """The spaces everybody is shown as turned up in the Hunt under way."""
    bits = int(scene.table["hunted"])
    return {space for space in ALL_SPACES if bits >> (space - 1) & 1}


# --- RH-5.1 Hunt --------------------------------------------------------------------------------------------------


def test_rh_5_1_a_leader_who_is_asked_may_hunt_or_reveal_as_anybody() -> None:
    seven(hands={LEADER: [SILT]}).play("CO_OP", "seat 3").expect(legal={"REVEAL", "HUNT"})


def test_rh_5_1_a_leader_without_a_card_cannot_hunt() -> None:
    seven().play("CO_OP", "seat 3").expect(legal={"REVEAL"})


def test_rh_5_1_a_leader_whose_role_is_revealed_cannot_hunt() -> None:
    scene = seven(hands={LEADER: [SILT]})
    scene.table["role"][LEADER] = Role.LEADER
    scene.play("CO_OP", "seat 3").expect(legal={"REVEAL"})


def test_rh_5_1_nobody_else_can_hunt() -> None:
    for seat in (0, 2, 4, 5, 6):
        seven(hands={seat: [SILT]}).play("CO_OP", f"seat {seat}").allows("REVEAL").refuses("HUNT")


def test_rh_5_1_a_leader_cannot_hunt_unasked() -> None:
    seven(active=LEADER, hands={LEADER: [SILT]}).refuses("HUNT")
    seven(hands={LEADER: [SILT]}).play("CO_OP", "seat 2").expect(legal={LEADER: {"WAIT"}})


def test_rh_5_1_a_leader_who_reveals_as_anybody_stays_hidden() -> None:
    # The hunt icon of tile 6 means nothing without a Hunt.
    scene = seven(hands={LEADER: [SILT]}).play("CO_OP", "seat 3", "REVEAL", "space 6")
    scene.expect(back_to_the_turn, shown_role={LEADER: Role.UNKNOWN}, hand={LEADER: [SILT]})


def test_rh_5_1_the_hunt_costs_a_card_of_the_leaders_choice() -> None:
    scene = seven(hands={LEADER: [SILT, SPYGLASS]}).play("CO_OP", "seat 3", "HUNT")
    scene.expect(asked=LEADER, legal={SILT, SPYGLASS})
    scene.play(SPYGLASS).expect(hand={LEADER: [SILT]}, pile={"used": [SPYGLASS]})


def test_rh_5_1_the_role_is_revealed_before_any_tile() -> None:
    hunt().expect(shown_role={LEADER: Role.LEADER}, face_up=set())


def test_rh_5_1_the_first_tile_is_within_reach_and_cannot_be_declined() -> None:
    hunt(at=[6, 6, 6, 13, 6, 6, 6]).expect(legal=spaces(12, 13, 14))


def test_rh_5_1_after_an_icon_the_leader_may_stop_or_reveal_anywhere() -> None:
    scene = hunt(6).expect(asked=LEADER, question=Question.HUNT_ON, tracks=(0, 2, 0))  # counted before the next
    scene.expect(legal=spaces(*ALL_SPACES) - {"space 6"} | {"STOP"})


def test_rh_5_1_only_face_down_tiles_are_hunted() -> None:
    hunt(6, up=[1, 7, 12]).expect(legal=spaces(2, 3, 4, 5, 8, 9, 10, 11, 13, 14, 15, 16) | {"STOP"})


def test_rh_5_1_the_hunt_goes_on_from_icon_to_icon() -> None:
    hunt(6, 4, 11, 14).expect(asked=LEADER, question=Question.HUNT_ON, face_up={4, 6, 11, 14}, tracks=(0, 5, 2))


def test_rh_5_1_a_tile_turned_up_by_a_text_does_not_end_the_hunt() -> None:
    scene = hunt(7).expect(asked=LEADER, legal=spaces(2, 6, 8, 10) | {"STOP"}).play("space 8")  # no icon
    scene.expect(asked=LEADER, question=Question.HUNT_ON).allows("STOP")


def test_rh_5_1_a_tile_turned_up_by_a_text_does_not_prolong_the_hunt() -> None:
    scene = hunt(10, at=10).play("space 6")  # tile 10 has no icon, tile 6 by its text D has
    scene.expect(asked=0, question=Question.PENALTY)


def test_rh_5_1_a_text_turned_up_by_a_text_does_not_count_either() -> None:
    scene = hunt(7, tiles={6: 10, 10: 6}).play("space 6")  # O turns up tile 10, whose D goes on
    scene.expect(asked=LEADER, legal=spaces(2, 4, 10, 12) | {"STOP"}).play("space 2")
    scene.expect(question=Question.HUNT_ON)  # of tile 7, the one hunted
    scene.expect(tracks=(1, 0, 1 + 2))


def test_rh_5_1_to_decline_a_text_is_not_to_stop_the_hunt() -> None:
    scene = hunt(7).play("STOP")
    scene.expect(asked=LEADER, question=Question.HUNT_ON, legal=spaces(*ALL_SPACES) - {"space 7"} | {"STOP"})


def test_rh_5_1_without_a_tile_within_reach_there_is_no_hunt() -> None:
    # With no other player able to reveal, the leader may be asked, and only stands by.
    scene = seven(at=[1, 6, 1, 1, 1, 1, 1], up=[1, 2], hands={LEADER: [SILT]}).play("CO_OP", "seat 3")
    scene.expect(back_to_the_turn, shown_role={LEADER: Role.UNKNOWN}, hand={LEADER: [SILT]})


def test_rh_5_1_a_hunt_that_runs_out_of_tiles_after_an_icon_ends_without_a_penalty() -> None:
    scene = hunt(4, at=4, **all_up_but(4)).expect(face_up=set(ALL_SPACES))
    assert Event.PENALTY not in scene.events()
    scene.expect(back_to_the_turn)


def test_rh_5_1_the_last_tile_may_be_turned_up_by_a_text() -> None:
    hunt(7, **all_up_but(6, 7)).play("space 6").expect(back_to_the_turn, face_up=set(ALL_SPACES))


def test_rh_5_1_the_last_tile_without_an_icon_brings_the_penalty() -> None:
    hunt(8, at=8, **all_up_but(8)).expect(asked=0, question=Question.PENALTY, legal={"space 8"})


def test_rh_5_1_there_is_one_hunt_a_game() -> None:
    scene = seven(hands={LEADER: [SILT, SPYGLASS]}).play("CO_OP", "seat 3", "HUNT", SILT, "space 6", "STOP", "END_TURN")
    scene.expect(asked=2).play("CO_OP", "seat 3").expect(legal={"REVEAL"})


# --- RH-5.2 the end of the Hunt, the penalty ------------------------------------------------------------------------


def test_rh_5_2_the_chief_is_asked_in_the_last_seat_too() -> None:
    scene = Scene("M L S M P S C", at=1, tiles={1: 8, 2: 4}, hands={1: [SILT]}, active=0)
    scene.play("CO_OP", "seat 1", "HUNT", SILT, "space 1").expect(asked=6, question=Question.PENALTY, legal={"space 1"})


def test_rh_5_2_the_hunt_ends_when_the_leader_stops() -> None:
    scene = hunt(6, 4).play("STOP").expect(back_to_the_turn)
    assert Event.PENALTY not in scene.events()
    scene.expect(face_up={4, 6}, tracks=(0, 3, 0))


def test_rh_5_2_the_hunt_ends_when_the_separatists_win() -> None:
    scene = hunt(6, tracks=(0, 5, 0)).expect(over=True, winner=Camp.SEPARATISTS)
    assert Event.PENALTY not in scene.events()


def test_rh_5_2_the_hunt_ends_when_another_team_wins() -> None:
    hunt(6, 15, tracks=(4, 0, 0)).expect(winner=Camp.MERCHANTS)
    hunt(6, 14, tracks=(0, 0, 4)).expect(winner=Camp.PROFITEER)


def test_rh_5_2_a_hunt_that_wins_on_a_tile_without_an_icon_has_no_penalty() -> None:
    scene = hunt(6, 8, tracks=(0, 4, 0)).expect(over=True, winner=Camp.SEPARATISTS)
    assert Event.PENALTY not in scene.events()
    scene.expect(face_up={6, 8})


def test_rh_5_2_a_hunt_that_wins_by_a_text_in_it_ends() -> None:
    hunt(7, tracks=(0, 5, 0)).play("space 6").expect(over=True, winner=Camp.SEPARATISTS)


def test_rh_5_2_a_tile_without_an_icon_ends_the_hunt_and_stays() -> None:
    scene = hunt(6, 3).expect(asked=0, question=Question.PENALTY, face_up={3, 6})
    scene.play("space 6").expect(face_up={3}, tracks=(2, 0, 0))


def test_rh_5_2_without_a_log_the_penalty_is_skipped() -> None:
    hunt(3, at=3).expect(back_to_the_turn, face_up={3}, tracks=(2, 0, 0))


def test_rh_5_2_icons_without_a_log_are_no_candidates() -> None:
    scene = hunt(7).play("STOP", "space 3")  # tile 7: icon and text, tile 3: kelps
    scene.expect(back_to_the_turn, face_up={3, 7})


def test_rh_5_2_the_one_candidate_must_be_turned_down() -> None:
    hunt(6, 1).expect(asked=0, legal={"space 6"})


def test_rh_5_2_the_chief_chooses_among_all_candidates() -> None:
    scene = hunt(6, 4, 9, 1).expect(asked=0, legal=spaces(4, 6, 9)).play("space 9")
    scene.expect(face_up={1, 4, 6}, tracks=(1, 3, 0))  # the kelp of tile 9 went with its logs
    scene.expect(back_to_the_turn)


def test_rh_5_2_the_chief_may_sit_anywhere() -> None:
    # The chief in seat 4, far from the tiles, is asked.
    scene = Scene("M M S L C S P", at=[6, 6, 6, 6, 16, 6, 6], active=1, hands={3: [SILT]})
    scene.play("CO_OP", "seat 3", "HUNT", SILT, "space 6", "space 1").expect(asked=4, legal={"space 6"})


def test_rh_5_2_a_chief_who_asked_chooses_too() -> None:
    scene = hunt(6, 4, 1, active=0).expect(asked=0, question=Question.PENALTY).play("space 4")
    assert back_to_the_turn(scene, seat=0)


def test_rh_5_2_a_log_turned_up_by_a_text_is_a_candidate() -> None:
    hunt(7).play("space 8", "space 3").expect(asked=0, legal={"space 8"})


def test_rh_5_2_the_tile_that_ended_the_hunt_is_a_candidate() -> None:
    hunt(6, 8).expect(legal=spaces(6, 8)).play("space 8").expect(face_up={6}, tracks=(0, 2, 0))


def test_rh_5_2_the_first_tile_can_end_the_hunt_and_be_the_candidate() -> None:
    scene = hunt(8, at=8).expect(legal={"space 8"})
    scene.play("space 8").expect(face_up=set(), tracks=(0, 0, 0), shown_role={LEADER: Role.LEADER})


def test_rh_5_2_logs_from_before_the_hunt_are_no_candidates() -> None:
    hunt(6, 1, up=[4, 5]).expect(legal={"space 6"})
    hunt(3, at=3, up=[4, 5]).expect(back_to_the_turn)


def test_rh_5_2_a_tile_turned_down_again_during_the_hunt_is_no_candidate(tmp_path: Path) -> None:
    offer = '{ effect = "reveal", scope = "orthogonal", may = true }'
    scene = hunt(6, 7, pack=edited_pack(tmp_path, (offer, '{ effect = "flip down", scope = "orthogonal" }')))
    # Tile 7 now turns an orthogonal neighbour down; only tile 6 is up.
    scene.expect(legal={"space 6"}).play("space 6").expect(tracks=(0, 0, 0))
    scene.play("space 1").expect(back_to_the_turn, face_up={1, 7})


def test_rh_5_2_what_was_turned_up_in_the_hunt_and_is_up_is_marked_until_it_ends(tmp_path: Path) -> None:
    offer = '{ effect = "reveal", scope = "orthogonal", may = true }'
    pack = edited_pack(tmp_path, (offer, '{ effect = "flip down", scope = "orthogonal" }'))
    scene = hunt(6, pack=pack, up=[16])
    assert marked(scene) == {6}
    scene.play("space 7")
    assert marked(scene) == {6, 7}
    scene.play("space 6")
    assert marked(scene) == {7}
    scene.play("space 4", "STOP")
    assert marked(scene) == set()
    scene.play("END_TURN", "CO_OP", "seat 5", "REVEAL", "space 5")
    assert marked(scene) == set()


def test_rh_5_2_a_tile_turned_down_and_hunted_again_counts_again() -> None:
    hunt(6, 3).play("space 6", "END_TURN", "CO_OP", "seat 5", "REVEAL", "space 6").expect(tracks=(2, 2, 0))


# --- RH-5.3 Con ---------------------------------------------------------------------------------------------------


def test_rh_5_3_a_profiteer_who_is_asked_may_con_or_reveal_as_anybody() -> None:
    seven(hands={PROFITEER: [SILT]}).play("CO_OP", "seat 6").expect(legal={"REVEAL", "CON"})


def test_rh_5_3_a_profiteer_without_a_card_or_revealed_cannot_con() -> None:
    seven().play("CO_OP", "seat 6").expect(legal={"REVEAL"})
    scene = seven(hands={PROFITEER: [SILT]})
    scene.table["role"][PROFITEER] = Role.PROFITEER
    scene.play("CO_OP", "seat 6").expect(legal={"REVEAL"})


def test_rh_5_3_nobody_else_can_con() -> None:
    for seat in (0, 2, 3, 4, 5):
        seven(hands={seat: [SILT]}).play("CO_OP", f"seat {seat}").allows("REVEAL").refuses("CON")


def test_rh_5_3_a_profiteer_cannot_con_unasked() -> None:
    seven(active=PROFITEER, hands={PROFITEER: [SILT]}).refuses("CON")


def test_rh_5_3_the_con_costs_a_card_of_choice_and_reveals_the_role_before_any_tile() -> None:
    scene = seven(hands={PROFITEER: [SILT, SPYGLASS]}).play("CO_OP", "seat 6", "CON")
    scene.expect(asked=PROFITEER, legal={SILT, SPYGLASS})
    scene.play(SILT)
    scene.expect(hand={PROFITEER: [SPYGLASS]}, pile={"used": [SILT]}, shown_role={PROFITEER: Role.PROFITEER})
    scene.expect(face_up=set())


def test_rh_5_3_the_first_tile_is_within_reach_the_second_anywhere_and_both_are_owed() -> None:
    scene = con(at=[6, 6, 6, 6, 6, 6, 13]).expect(legal=spaces(12, 13, 14))
    scene.play("space 13").expect(tracks=(2, 0, 1), asked=PROFITEER, legal=spaces(*ALL_SPACES) - {"space 13"})
    scene.play("space 2").expect(back_to_the_turn, face_up={2, 13}, tracks=(3, 0, 2))


def test_rh_5_3_hunt_icons_mean_nothing_to_the_con() -> None:
    scene = con(6, 4).expect(back_to_the_turn)
    con(3, 8, at=3).expect(back_to_the_turn)
    assert Event.PENALTY not in scene.events()


def test_rh_5_3_the_first_tiles_text_is_done_before_the_second_tile() -> None:
    scene = con(7).expect(asked=PROFITEER, legal=spaces(2, 6, 8, 10) | {"STOP"})
    scene.play("space 8").expect(tracks=(2, 1, 0), legal=spaces(*ALL_SPACES) - {"space 7", "space 8"})
    scene.play("space 3").expect(back_to_the_turn, face_up={3, 7, 8})


def test_rh_5_3_the_second_tiles_text_works_too() -> None:
    con(6, 7).expect(asked=PROFITEER, legal=spaces(2, 8, 10) | {"STOP"}).play("STOP").expect(back_to_the_turn)


def test_rh_5_3_with_no_tile_left_the_second_is_skipped() -> None:
    con(4, at=4, **all_up_but(4)).expect(back_to_the_turn, face_up=set(ALL_SPACES))


def test_rh_5_3_the_first_tiles_text_may_take_the_last_tile() -> None:
    con(7, **all_up_but(6, 7)).play("space 6").expect(back_to_the_turn, tracks=(0, 2, 0))


def test_rh_5_3_a_first_tile_that_wins_ends_the_con() -> None:
    con(5, tracks=(0, 0, 4)).expect(over=True, winner=Camp.PROFITEER, face_up={5})


def test_rh_5_3_without_a_tile_within_reach_there_is_no_con() -> None:
    scene = seven(at=[1, 6, 1, 1, 1, 1, 1], up=[1, 2], hands={PROFITEER: [SILT]}).play("CO_OP", "seat 6")
    scene.expect(back_to_the_turn, shown_role={PROFITEER: Role.UNKNOWN})


def test_rh_5_3_there_is_one_con_a_game() -> None:
    con(6, 4, hands={PROFITEER: [SILT, SPYGLASS]}).play("END_TURN", "CO_OP", "seat 6").expect(legal={"REVEAL"})


# --- RH-5.4 inside a co-op ----------------------------------------------------------------------------------------


def test_rh_5_4_inside_a_hunt_only_its_own_answers_are_legal() -> None:
    hands = {0: [SPYGLASS], 1: [SPYGLASS], 2: [SPYGLASS], LEADER: [SILT, SPYGLASS, "Slip Away"]}
    scene = hunt(hands=hands)
    for chosen in ("space 6", "space 4"):
        for other in (0, 1, 2, 4, 5, 6):
            scene.expect(legal={other: {"WAIT"}})
        assert all(words.startswith("space") or words == "STOP" for words in scene.legal(LEADER))
        scene.play(chosen)
    scene.play("space 1").expect(legal={0: spaces(4, 6)})
    for other in range(1, 7):
        scene.expect(legal={other: {"WAIT"}})


def test_rh_5_4_inside_a_con_only_its_own_answers_are_legal() -> None:
    hands = {1: [SPYGLASS], PROFITEER: [SILT, SPYGLASS, "Slip Away"]}
    scene = con(hands=hands).expect(legal={PROFITEER: spaces(5, 6, 7), 1: {"WAIT"}})
    scene.play("space 6").expect(legal={PROFITEER: spaces(*ALL_SPACES) - {"space 6"}, 1: {"WAIT"}})


def test_rh_5_4_a_text_works_inside_a_hunt_and_the_leader_carries_it_out() -> None:
    # Tile 10 is text D above 2 coins.
    scene = hunt(6, 7).expect(asked=LEADER, legal=spaces(2, 8, 10) | {"STOP"})
    scene.play("space 10").expect(asked=LEADER, legal=spaces(8, 14, 16) | {"STOP"})
    scene.play("STOP").expect(tracks=(0, 2, 2))


def test_rh_5_4_a_text_with_nothing_to_offer_is_passed_over_inside_a_hunt() -> None:
    scene = hunt(7, up=[2, 6, 8, 10])
    scene.expect(asked=LEADER, question=Question.HUNT_ON)
    scene.expect(legal=spaces(1, 3, 4, 5, 9, 11, 12, 13, 14, 15, 16) | {"STOP"})


def test_rh_5_4_after_the_hunt_the_asker_draws_and_refreshes() -> None:
    scene = exhaust(seven(hands={LEADER: [SILT]}, deck=[SPYGLASS, SILT]), 1)
    scene.play("CO_OP", "seat 3", "HUNT", SILT, "space 6").expect(hand={1: []})
    scene.play("STOP").expect(hand={1: [SPYGLASS], LEADER: []}, ready={1: (True, True)})


def test_rh_5_4_the_penalty_comes_before_the_askers_draw() -> None:
    scene = exhaust(seven(hands={LEADER: [SILT]}, deck=[SPYGLASS]), 1)
    scene.play("CO_OP", "seat 3", "HUNT", SILT, "space 6", "space 1")
    scene.expect(question=Question.PENALTY, hand={1: []}, ready={1: (False, False)})
    scene.play("space 6").expect(hand={1: [SPYGLASS]}, ready={1: (True, True)})


def test_rh_5_4_after_the_con_the_asker_draws_and_refreshes() -> None:
    scene = exhaust(seven(hands={PROFITEER: [SILT]}, deck=[SPYGLASS]), 1)
    scene.play("CO_OP", "seat 6", "CON", SILT, "space 6").expect(hand={1: []})
    scene.play("space 4").expect(hand={1: [SPYGLASS]}, ready={1: (True, True)})


def test_rh_5_4_afterwards_the_askers_turn_goes_on_with_the_card_of_the_turn() -> None:
    hunt(6, hands={1: [SPYGLASS], LEADER: [SILT]}).play("STOP").expect(asked=1).allows(SPYGLASS, "END_TURN")


# --- RH-5.5 the refresh marker ------------------------------------------------------------------------------------


def test_rh_5_5_the_marker_readies_one_exhausted_action() -> None:
    exhaust(seven(), 1).allows("READY DIVE", "READY SWIM").play("READY DIVE").expect(ready={1: (True, False)})
    exhaust(seven(), 1).play("READY SWIM").expect(ready={1: (False, True)})


def test_rh_5_5_only_an_exhausted_action_is_readied() -> None:
    seven().refuses("READY DIVE", "READY SWIM")
    scene = seven()
    scene.table["swim_ready"][1] = 0
    assert scene.legal() & {"READY DIVE", "READY SWIM"} == {"READY SWIM"}


def test_rh_5_5_before_the_action_the_readied_one_can_be_taken() -> None:
    scene = exhaust(seven(), 1).refuses("DIVE")
    scene.play("READY DIVE", "DIVE", "space 6").expect(known={1: {6: 6}}, ready={1: (False, False)})


def test_rh_5_5_after_the_action_it_gives_no_second_one() -> None:
    seven().play("DIVE", "space 6", "READY DIVE").expect(ready={1: (True, True)}, legal={"END_TURN"})


def test_rh_5_5_once_a_game() -> None:
    scene = exhaust(seven(), 1).play("READY DIVE").expect(marker_left={1: 0}).refuses("READY SWIM")
    scene.play("DIVE", "space 6", "END_TURN")
    while scene.table["active"] != 1:
        scene.play("SWIM", "space 7" if scene.position(scene.asked) == 6 else "space 6", "END_TURN")
    scene.expect(ready={1: (False, False)}).refuses("READY DIVE", "READY SWIM")


def test_rh_5_5_everybody_has_a_marker_of_their_own() -> None:
    scene = exhaust(exhaust(seven(), 1), 2).play("READY DIVE", "DIVE", "space 6", "END_TURN")
    scene.expect(asked=2).allows("READY DIVE", "READY SWIM")


def test_rh_5_5_not_on_anothers_turn_nor_when_asked() -> None:
    exhaust(seven(), 2).expect(legal={2: {"WAIT"}}).play("CO_OP", "seat 2").expect(legal={"REVEAL"})


def test_rh_5_5_not_inside_an_action() -> None:
    exhaust(seven(hands={1: [SILT]}), 1).play("UNCOVER").expect(legal={SILT}).play(SILT).expect(legal=spaces(5, 6, 7))


def test_rh_5_5_the_marker_is_no_card_of_the_turn() -> None:
    exhaust(seven(hands={1: [SPYGLASS]}), 1).play("READY SWIM").allows(SPYGLASS)


def test_rh_5_6_a_hunt_that_wins_at_once_has_revealed_the_leader() -> None:
    scene = hunt(tracks=(0, 5, 0)).expect(shown_role={LEADER: Role.LEADER})
    scene.play("space 6").expect(over=True, shown_role={LEADER: Role.LEADER})
    assert Event.HUNT in scene.events()


def test_rh_5_6_a_con_that_wins_at_once_has_revealed_the_profiteer() -> None:
    scene = con(tracks=(0, 0, 4)).expect(shown_role={PROFITEER: Role.PROFITEER})
    scene.play("space 5").expect(over=True, shown_role={PROFITEER: Role.PROFITEER})
    assert Event.CON in scene.events()


# --- the book's example -------------------------------------------------------------------------------------------


def test_example_e1_a_hunt_of_five_tiles_and_its_penalty() -> None:
    # A: log and icon, B: 2 logs and icon, C: icon and text O, D: kelps, E: a kelp. Two of each element before.
    a, b, c, d, e = 10, 16, 6, 3, 13
    tiles = {a: 4, b: 6, c: 7, d: 3, e: 1}
    scene = seven(at=[1, 1, 1, 10, 1, 1, 1], tiles=tiles, tracks=(2, 2, 2), hands={LEADER: [SILT]}, deck=[SPYGLASS])
    scene.play("CO_OP", "seat 3", "HUNT", SILT).expect(shown_role={LEADER: Role.LEADER}, hand={LEADER: []})
    scene.play(f"space {a}").expect(tracks=(2, 3, 2)).play(f"space {b}").expect(tracks=(2, 5, 2))
    scene.play(f"space {c}").expect(legal=spaces(3, 5, 7, 11) | {"STOP"})
    scene.play(f"space {d}").expect(tracks=(4, 5, 2), asked=LEADER, question=Question.HUNT_ON)
    scene.play(f"space {e}").expect(tracks=(5, 5, 2), asked=0, legal=spaces(a, b))
    scene.play(f"space {b}")
    scene.expect(back_to_the_turn, face_up={a, c, d, e}, tracks=(5, 3, 2), hand={1: [SPYGLASS]}, over=False)
