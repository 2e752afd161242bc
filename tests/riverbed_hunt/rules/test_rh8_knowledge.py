"""RH-8, what each player knows: what is public, what is private, and what never tells.

Seven players use the full board: unless drawn otherwise tile n lies on space n and all meeples stand on space 6,
within reach of spaces 5, 6 and 7.
"""

from typing import Any

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.errors import StateError
from riverbed_env.games.riverbed_hunt.rules.knowledge import deduce
from riverbed_env.games.riverbed_hunt.rules.state import PRIVATE, VIEW, look
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, Ending, Event, Question, Role, Source
from riverbed_hunt.scene import PUBLIC, Scene
from riverbed_hunt.seven import seven

SILT, SPYGLASS, UNDERCURRENT, WHIRLPOOL = "Silt", "Spyglass", "Undercurrent", "Whirlpool"
CHIEF, LEADER, PROFITEER = 0, 3, 6
SEATS = range(7)
ALL_SPACES = set(range(1, 17))
NOBODY_WINS = (-60, -60, -60)
TILE_6 = [0, 2, 0, 1]  # no kelp, 2 logs, no coin, the hunt icon


def looked(scene: Scene, seat: int) -> np.void:
    """A seat's view."""
    view = np.zeros(1, VIEW)[0]
    look(scene.game, seat, view)
    return view


def told(scene: Scene) -> list[tuple[int, ...]]:
    """The public events, oldest first, as the chief in seat 0 is told of them: kind; actor, other, space and second
    space, each counted from 1, 0 for none; thing."""
    fields = scene.observed(0)["events"]
    return [tuple(int(field) for field in event[:6]) for event in fields if event[0]][::-1]


def everything(scene: Scene, seat: int) -> tuple[object, ...]:
    """All a seat can see at this moment: its view, its observation and what it may do."""
    return (
        looked(scene, seat).tobytes(),
        *(piece.tobytes() for piece in scene.observed(seat).values()),
        scene.legal(seat),
    )


def take_turn_with(scene: Scene, card: str, at: int, *choices: str) -> None:
    """The active player is put on a space, handed the card, plays it, and swims."""
    seat = int(scene.table["active"])
    scene.game["private"][seat]["hand"][scene.card(card)] += 1
    scene.table["hand_size"][seat] += 1
    scene.table["position"][seat] = at - 1
    scene.table["swim_ready"][seat] = 1
    scene.play(card, *choices, "SWIM")
    scene.play(min(scene.legal()), "END_TURN")


def turn_up(scene: Scene, *spaces: int) -> None:
    """Each space in a turn of its own: the active player asks the next one, who is put there and reveals it."""
    for space in spaces:
        asker = scene.asked
        other = (asker + 1) % scene.num_players
        scene.table["position"][other] = space - 1
        scene.play("CO_OP", f"seat {other}", "REVEAL", f"space {space}")
        while scene.asked != asker:
            scene.play("STOP")
        scene.play("END_TURN")


def turn_down(scene: Scene, *spaces: int) -> None:
    """Each space in a turn of its own: the active player is put there and plays Silt."""
    for space in spaces:
        take_turn_with(scene, SILT, space, f"space {space}")


# --- RH-8.1 public ------------------------------------------------------------------------------------------------


def test_rh_8_1_who_did_what_to_whom_and_where_is_public() -> None:
    scene = seven(hands={1: [UNDERCURRENT]})
    scene.play(UNDERCURRENT, "space 2", "space 9", "space 9").play("CO_OP", "seat 4", "REVEAL", "space 6", "END_TURN")
    events = told(scene)
    assert (events[0][:2], events[0][5]) == ((Event.PLAY, 2), scene.card(UNDERCURRENT))
    assert (Event.SWAP, 2, 0, 2, 9, 0) in events
    assert (Event.VIEW, 2, 0, 9, 0, 0) in events
    assert (Event.CO_OP, 2, 5, 0, 0, 0) in events
    assert (Event.REVEAL, 5, 0, 6, 0, 6) in events
    assert events[-1][:2] == (Event.END_TURN, 2)


@pytest.mark.parametrize(("turn", "told_turn"), [(1, 1), (126, 126), (127, 127), (128, 127), (200, 127), (40_000, 127)])
def test_rh_8_1_when_and_during_what_it_happened_is_public(turn: int, told_turn: int) -> None:
    scene = seven()
    scene.table["turn"] = turn
    scene.play("SWIM", "space 7")
    moved = scene.observed(0)["events"][0]
    assert moved.tolist() == [Event.MOVE, 2, 2, 7, 0, 0, told_turn, Source.SWIM]
    assert scene.observed(0)["counts"][0] == told_turn
    scene.play("END_TURN")
    assert scene.observed(0)["events"][0].tolist() == [Event.END_TURN, 2, 0, 0, 0, 0, told_turn, Source.NONE]


def test_rh_8_1_whose_meeple_moved_where_is_public() -> None:
    scene = seven(hands={1: ["Swimming Hole"]}).play("Swimming Hole", "seat 5", "space 11")
    assert told(scene)[-1] == (Event.MOVE, 2, 6, 11, 0, 0)


def test_rh_8_1_every_kind_of_card_a_pack_can_have_is_shown() -> None:
    scene = seven()
    kinds = np.arange(MAX_CARD_KINDS)
    scene.table["discard_pile"], scene.table["used"] = kinds + 1, kinds + 2
    scene.game["private"][1]["hand"] = kinds + 3
    for seat in SEATS:
        shown = scene.observed(seat)
        assert shown["discard_pile"].tolist() == (kinds + 1).tolist()
        assert shown["used_cards"].tolist() == (kinds + 2).tolist()
        assert shown["own_hand"].tolist() == ((kinds + 3).tolist() if seat == 1 else [0] * MAX_CARD_KINDS)


def of_each(scene: Scene, piece: str) -> dict[int, list[int]]:
    """What a piece tells of each seat that isn't all zeros; every observer is shown the same."""
    shown = [
        {seat: scene.observed(observer)[piece][(seat - observer) % 7].astype(int).tolist() for seat in SEATS}
        for observer in SEATS
    ]
    assert all(one == shown[0] for one in shown)
    return {seat: numbers for seat, numbers in shown[0].items() if any(numbers)}


def where_looked(scene: Scene) -> dict[int, list[int]]:
    """The spaces whose tiles each seat is known to have looked at."""
    return {seat: [1 + int(space) for space in np.flatnonzero(seen)] for seat, seen in of_each(scene, "seen").items()}


def test_rh_8_1_who_looked_where_follows_the_tile_in_a_swap() -> None:
    scene = seven(hands={2: [UNDERCURRENT]}).play("DIVE", "space 6")
    assert where_looked(scene) == {1: [6]}
    scene.play("END_TURN", UNDERCURRENT, "space 6", "space 12", "space 6")
    assert where_looked(scene) == {1: [12], 2: [6]}


def test_rh_8_1_who_looked_at_both_tiles_of_a_swap_has_seen_both_after_it() -> None:
    scene = seven(hands={1: [SPYGLASS], 2: [UNDERCURRENT]}).play("DIVE", "space 6", SPYGLASS, "space 12", "END_TURN")
    scene.play(UNDERCURRENT, "space 6", "space 12", "space 6")
    assert np.flatnonzero(scene.observed(5)["seen"][(1 - 5) % 7]).tolist() == [6 - 1, 12 - 1]


def test_rh_8_1_who_looked_where_ends_for_tiles_that_are_shuffled() -> None:
    scene = seven(hands={1: [SPYGLASS], 2: [WHIRLPOOL]})
    scene.play("DIVE", "space 6", SPYGLASS, "space 16", "END_TURN", WHIRLPOOL)
    assert where_looked(scene) == {1: [16]}


# Kelp, log, coin, tiles turned up knowingly; kelp, log, coin turned down; tiles passed over.
@pytest.mark.parametrize(
    ("played", "choices"),
    [
        ("DIVE|space 6|Spyglass|space 5|END_TURN|CO_OP|seat 1|REVEAL|space 6", {1: [0, 2, 0, 1, 0, 0, 0, 0]}),
        ("DIVE|space 6|END_TURN|CO_OP|seat 1|REVEAL|space 5", {1: [0, 0, 0, 0, 0, 0, 0, 1]}),
        ("DIVE|space 6|END_TURN|CO_OP|seat 3|REVEAL|space 5", {}),
    ],
)
def test_rh_8_1_turning_up_or_passing_over_what_one_has_looked_at_is_counted_apart(
    played: str, choices: dict[int, list[int]]
) -> None:
    assert of_each(seven(hands={1: [SPYGLASS], 4: [SILT]}).play(*played.split("|")), "choices") == choices


def test_rh_8_1_what_a_seat_turns_down_is_counted_of_the_whole_tile() -> None:
    scene = seven(hands={LEADER: [SILT]}).play("CO_OP", "seat 3", "HUNT", SILT, "space 6", "space 13")
    assert of_each(scene, "choices") == {}
    assert of_each(scene, "deeds")[LEADER][:3] == [2, 2, 1]
    scene.play("space 6")
    assert of_each(scene, "choices") == {CHIEF: [0, 0, 0, 0, 0, 2, 0, 0]}
    deeds = of_each(scene, "deeds")
    assert (deeds[LEADER][:3], deeds[CHIEF][:3]) == ([2, 2, 1], [0, -2, 0])


def test_rh_8_1_who_asked_whom_how_often_is_public() -> None:
    scene = seven().play("CO_OP", "seat 2", "REVEAL", "space 6", "END_TURN", "CO_OP", "seat 5", "REVEAL", "space 5")
    # The asked players sit 1 and 3 seats clockwise.
    assert of_each(scene, "asks") == {1: [1, *[0] * 7], 2: [0, 0, 1, *[0] * 5]}


# --- RH-8.2 private -----------------------------------------------------------------------------------------------


def test_rh_8_2_a_role_is_known_to_its_owner_alone() -> None:
    scene = seven()
    roles = [Role.CHIEF, Role.MERCHANT, Role.MERCHANT, Role.LEADER, Role.SEPARATIST, Role.SEPARATIST, Role.PROFITEER]
    for seat in SEATS:
        view = looked(scene, seat)
        assert view["private"]["role"] == roles[seat]
        assert view["table"]["role"].tolist() == [Role.CHIEF] + [Role.UNKNOWN] * 8
        shown = scene.observed(seat)
        assert shown["own_role"].tolist() == [int(role == roles[seat]) for role in range(5)]
        assert shown["roles_shown"].sum() == 1
        assert shown["roles_looked_at"].sum() == 0


def test_rh_8_2_a_hand_is_known_to_its_owner_alone() -> None:
    scene = seven(hands={1: [SILT, SILT, SPYGLASS], 2: [WHIRLPOOL]})
    own = scene.observed(1)["own_hand"]
    assert (own[scene.card(SILT)], own[scene.card(SPYGLASS)], own.sum()) == (2, 1, 3)
    assert scene.observed(2)["own_hand"].sum() == 1
    for other in (0, 3, 4, 5, 6):
        assert scene.observed(other)["own_hand"].sum() == 0
        assert looked(scene, other)["private"]["hand"].sum() == 0


def test_rh_8_2_a_drawn_card_is_seen_by_who_draws_it() -> None:
    silt, whirlpool = (seven(deck=[card, SPYGLASS]).play("SWIM", "space 7") for card in (SILT, WHIRLPOOL))
    silt.expect(hand={1: [SILT]})
    assert everything(silt, 1) != everything(whirlpool, 1)
    for other in (0, 2, 3, 4, 5, 6):
        assert everything(silt, other) == everything(whirlpool, other)


def test_rh_8_2_a_viewed_tile_is_known_to_the_viewer_alone() -> None:
    scene = seven().play("DIVE", "space 6")
    shown = scene.observed(1)
    assert np.flatnonzero(shown["known_tiles"].any(axis=1)).tolist() == [6 - 1]
    assert shown["known_tiles"][6 - 1][:4].tolist() == TILE_6
    assert np.flatnonzero(shown["possible"][6 - 1]).tolist() == [6 - 1]
    for other in (0, 2, 3, 4, 5, 6):
        assert not scene.observed(other)["known_tiles"].any()
        assert scene.observed(other)["possible"][:16].sum() == 16 * 16


def test_rh_8_2_a_view_shows_no_face_down_tile_on_the_table() -> None:
    scene = seven().play("DIVE", "space 5", "END_TURN", "CO_OP", "seat 4", "REVEAL", "space 6")
    for seat in SEATS:
        assert looked(scene, seat)["table"]["tile"].tolist() == [0] * 5 + [6] + [0] * 10


# --- RH-8.3 what is known of the tiles ------------------------------------------------------------------------------


def test_rh_8_3_at_first_any_tile_may_lie_anywhere() -> None:
    scene = seven()
    for seat in (*SEATS, PUBLIC):
        scene.expect(known={seat: {}})
        for tile in range(1, 17):
            scene.expect(possible={(seat, tile): ALL_SPACES})


def test_rh_8_3_a_view_fixes_the_tile_and_takes_its_space_from_the_others() -> None:
    scene = seven().play("DIVE", "space 6").expect(possible={(1, 6): {6}})
    for tile in ALL_SPACES - {6}:
        scene.expect(possible={(1, tile): ALL_SPACES - {6}})


def test_rh_8_3_a_reveal_fixes_the_tile_for_everybody() -> None:
    scene = seven().play("CO_OP", "seat 2", "REVEAL", "space 6")
    for seat in (*SEATS, PUBLIC):
        scene.expect(possible={(seat, 6): {6}, (seat, 5): ALL_SPACES - {6}})


def test_rh_8_3_a_tile_turned_down_again_is_known_to_all() -> None:
    scene = seven()
    turn_up(scene, 6)
    turn_down(scene, 6)
    scene.expect(face_up=set())
    for seat in (*SEATS, PUBLIC):
        scene.expect(known={seat: {6: 6}})
    for seat in SEATS:
        assert scene.observed(seat)["face_up"].sum() == 0
        assert scene.observed(seat)["known_tiles"][6 - 1][:4].tolist() == TILE_6


def test_rh_8_3_a_tile_turned_down_by_the_penalty_is_known_to_all() -> None:
    scene = seven(hands={LEADER: [SILT]}).play("CO_OP", "seat 3", "HUNT", SILT, "space 6", "space 1", "space 6")
    scene.expect(face_up={1})
    for seat in (*SEATS, PUBLIC):
        scene.expect(known={seat: {1: 1, 6: 6}})


def test_rh_8_3_knowledge_travels_with_a_swapped_tile() -> None:
    scene = seven(hands={2: [UNDERCURRENT]}).play("DIVE", "space 6", "END_TURN", UNDERCURRENT, "space 6", "space 12")
    scene.expect(known={1: {12: 6}, 2: {}}).play("space 6").expect(known={1: {12: 6}, 2: {6: 12}})
    for other in (0, 3, 4, 5, 6, PUBLIC):
        scene.expect(known={other: {}})


def test_rh_8_3_what_everybody_knows_travels_too() -> None:
    scene = seven()
    turn_up(scene, 6)
    turn_down(scene, 6)
    take_turn_with(scene, UNDERCURRENT, 1, "space 16", "space 6", "space 6")
    for seat in (*SEATS, PUBLIC):
        assert scene.known(seat)[16] == 6
    assert [seat for seat in SEATS if 6 in scene.known(seat)] == [3]  # who viewed the other of the two


def test_rh_8_3_a_swap_exchanges_two_columns() -> None:
    scene = seven(hands={2: [WHIRLPOOL], 3: [UNDERCURRENT]})
    scene.play("DIVE", "space 6", "END_TURN").play(WHIRLPOOL, "CO_OP", "seat 4", "REVEAL", "space 6", "END_TURN")
    # Seat 1 had seen tile 6, which went to 5, 6 or 7; space 6 has turned out to be another or that tile.
    before = {tile: scene.possible(1, tile) for tile in range(1, 17)}
    scene.play(UNDERCURRENT, "space 5", "space 14", "space 5")
    elsewhere = {5: 14, 14: 5}
    for tile in range(1, 17):
        scene.expect(possible={(1, tile): {elsewhere.get(space, space) for space in before[tile]}})


def test_rh_8_3_a_shuffle_leaves_the_set_of_spaces() -> None:
    scene = seven(hands={2: [WHIRLPOOL]}).play("DIVE", "space 6", "END_TURN", WHIRLPOOL)
    scene.expect(known={1: {}}, possible={(1, 6): {5, 6, 7}})
    for tile in ALL_SPACES - {6}:
        scene.expect(possible={(1, tile): ALL_SPACES})


def test_rh_8_3_a_shuffle_elsewhere_leaves_knowledge_alone() -> None:
    scene = seven(hands={2: [WHIRLPOOL]}, at=[6, 6, 12, 6, 6, 6, 6]).play("DIVE", "space 6", "END_TURN", WHIRLPOOL)
    scene.expect(known={1: {6: 6}})


def test_rh_8_3_a_face_up_tile_within_reach_is_outside_the_shuffle() -> None:
    scene = seven(hands={3: [WHIRLPOOL]})
    scene.play("DIVE", "space 5", "END_TURN", "CO_OP", "seat 4", "REVEAL", "space 6").play("END_TURN", WHIRLPOOL)
    scene.expect(possible={(1, 6): {6}, (1, 5): {5, 7}, (1, 1): ALL_SPACES - {6}})


def test_rh_8_3_the_shuffle_of_a_tile_text_leaves_a_set_too() -> None:
    # Tile 12 on 6 shuffles its orthogonal neighbours 3, 5, 7 and 11.
    scene = seven(tiles={6: 12, 12: 6}).play("DIVE", "space 5", "END_TURN", "CO_OP", "seat 4", "REVEAL", "space 6")
    scene.expect(possible={(1, 5): {3, 5, 7, 11}, (1, 12): {6}, (PUBLIC, 5): ALL_SPACES - {6}})


def shuffled_set(seed: int = 1) -> Scene:
    """Everybody knew tiles 4, 5 and 6 on spaces 4, 5 and 6; then those three were shuffled."""
    scene = seven(tracks=NOBODY_WINS, seed=seed)
    turn_up(scene, 4, 5, 6)
    turn_down(scene, 4, 5, 6)
    take_turn_with(scene, WHIRLPOOL, 5)
    return scene


def test_rh_8_3_tiles_known_before_a_shuffle_are_known_as_a_set() -> None:
    scene = shuffled_set()
    for seat in (*SEATS, PUBLIC):
        scene.expect(known={seat: {}})
        for tile in range(1, 17):
            scene.expect(possible={(seat, tile): {4, 5, 6} if tile in (4, 5, 6) else ALL_SPACES - {4, 5, 6}})


def test_rh_8_3_the_last_of_a_set_follows_from_the_others() -> None:
    scene = shuffled_set()
    viewer = scene.asked
    at = {space: int(scene.game["tile_at"][space - 1]) for space in (4, 5, 6)}
    take_turn_with(scene, SPYGLASS, 1, "space 4")
    scene.expect(known={viewer: {4: at[4]}}, possible={(viewer, at[5]): {5, 6}, (viewer, at[6]): {5, 6}})
    while scene.asked != viewer:
        scene.play("SWIM" if "SWIM" in scene.legal() else "DIVE").play(min(scene.legal()), "END_TURN")
    take_turn_with(scene, SPYGLASS, 1, "space 5")
    scene.expect(known={viewer: at, PUBLIC: {}})


def test_rh_8_3_a_space_that_only_one_tile_can_hold_gives_it_away() -> None:
    # Everybody knows tiles 2 to 6 on spaces 2 to 6. Spaces 2, 3, 4 are shuffled, then 4, 5, 6, so that one of tiles
    # 2, 3, 4 may end up on 5 or 6. Once it is turned up there, 2 and 3 hold the other two: tiles 5 and 6 never could.
    for seed in range(1, 50):
        scene = seven(tracks=NOBODY_WINS, seed=seed)
        turn_up(scene, 2, 3, 4, 5, 6)
        turn_down(scene, 2, 3, 4, 5, 6)
        take_turn_with(scene, WHIRLPOOL, 3)  # shuffles 2, 3, 4
        take_turn_with(scene, WHIRLPOOL, 5)  # shuffles 4, 5, 6
        moved_on = [space for space in (5, 6) if scene.game["tile_at"][space - 1] in (2, 3, 4)]
        if moved_on:
            break
    at = [0, *(int(tile) for tile in scene.game["tile_at"])]
    turn_up(scene, moved_on[0])
    left = {4, 5, 6} - {moved_on[0]}
    scene.expect(known={PUBLIC: {moved_on[0]: at[moved_on[0]]}})
    turn_up(scene, 2)
    scene.expect(
        known={PUBLIC: {moved_on[0]: at[moved_on[0]], 2: at[2], 3: at[3]}},
        possible={(PUBLIC, 5): left, (PUBLIC, 6): left},
    )


def test_rh_8_3_whoever_knows_all_but_one_knows_the_last() -> None:
    scene = seven(tracks=NOBODY_WINS)
    turn_up(scene, *(space for space in range(1, 17) if space not in (9, 12)))
    assert 9 not in scene.known(PUBLIC)
    scene.expect(possible={(PUBLIC, 9): {9, 12}, (PUBLIC, 12): {9, 12}})
    turn_up(scene, 12)
    scene.expect(known={PUBLIC: {space: space for space in range(1, 17)}}, face_up=ALL_SPACES - {9})


# --- RH-8.4 nothing else --------------------------------------------------------------------------------------------


def same_to(seats: tuple[int, ...], one: Scene, two: Scene, *actions: str) -> None:
    """Play the same in two games that differ in what these seats don't know: at no moment can they tell."""
    for words in (None, *actions):
        if words is not None:
            one.play(words)
            two.play(words)
        assert (one.asked, one.question) == (two.asked, two.question), words
        for seat in seats:
            assert everything(one, seat) == everything(two, seat), (words, seat)


def test_rh_8_4_nobody_but_the_viewer_can_tell_hidden_tiles_apart() -> None:
    hands = {2: [UNDERCURRENT], 3: [WHIRLPOOL], 4: ["Shared Secret"]}
    one = seven(hands=hands)
    two = seven(hands=hands, tiles={5: 15, 15: 5})
    same_to((0, 2, 3, 4, 5, 6), one, two, "DIVE", "space 5", "END_TURN")
    assert everything(one, 1) != everything(two, 1)
    same_to((0, 3, 4, 5, 6), one, two, UNDERCURRENT, "space 5", "space 15", "space 5")
    assert everything(one, 2) != everything(two, 2)
    same_to((0, 3, 4, 5, 6), one, two, "CO_OP", "seat 3", "REVEAL", "space 6", "END_TURN", WHIRLPOOL, "DIVE")
    same_to((0, 4, 5, 6), one, two, "space 7", "END_TURN", "Shared Secret", "seat 0")
    same_to((5, 6), one, two, "space 5", "SWIM", "space 7", "END_TURN")
    assert everything(one, 0) != everything(two, 0)
    assert everything(one, 4) != everything(two, 4)


def test_rh_8_4_nobody_can_tell_hidden_roles_apart() -> None:
    hands = {seat: [SILT, SPYGLASS] for seat in SEATS}
    one = Scene("C M M L S S P", at=6, active=1, hands=hands)
    two = Scene("C M M P L S S", at=6, active=1, hands=hands)
    same_to((0, 1, 2, 5), one, two, "CO_OP", "seat 3", "REVEAL", "space 6", "END_TURN", "CO_OP", "seat 4", "REVEAL")
    same_to((0, 1, 2, 5), one, two, "space 5", "END_TURN", "UNCOVER", SILT, "space 7", "STOP", "END_TURN", "SWIM")


def test_rh_8_4_nobody_can_tell_hands_of_one_size_apart() -> None:
    one = seven(hands={1: ["Sticky Fins"], 2: ["Slip Away", SILT], 4: [SILT]}, deck=[SILT, SPYGLASS])
    two = seven(hands={1: ["Sticky Fins"], 2: [SPYGLASS, WHIRLPOOL], 4: [WHIRLPOOL]}, deck=[SPYGLASS, SILT])
    same_to((0, 1, 3, 5, 6), one, two, "Sticky Fins")
    one, two = (seven(hands={LEADER: [SILT, card]}) for card in (SILT, SPYGLASS))
    same_to((0, 1, 2, 4, 5, 6), one, two, "CO_OP", "seat 3", "HUNT", SILT, "space 6", "STOP", "END_TURN")
    one, two = (seven(hands={2: hand}) for hand in (["Slip Away", SILT], [SPYGLASS, WHIRLPOOL]))
    same_to((0, 1, 3, 4, 5, 6), one, two, "CO_OP", "seat 2", "REVEAL", "space 6", "END_TURN", "DIVE", "space 5")


def test_rh_8_4_nobody_can_tell_the_draw_pile_apart() -> None:
    one, two = (seven(deck=deck) for deck in ([SILT, SPYGLASS, WHIRLPOOL], [WHIRLPOOL, SILT, SPYGLASS]))
    same_to(tuple(SEATS), one, two, "CO_OP", "seat 2", "REVEAL")
    same_to((0, 2, 3, 4, 5, 6), one, two, "space 6", "END_TURN")


@pytest.mark.parametrize(
    ("drawing", "played"),
    [
        ({"hands": {2: [WHIRLPOOL]}}, ("DIVE", "space 6", "END_TURN", WHIRLPOOL, "CO_OP", "seat 1", "REVEAL")),
        ({"tiles": {6: 12, 12: 6}}, ("DIVE", "space 5", "END_TURN", "CO_OP", "seat 1", "REVEAL", "space 6")),
    ],
    ids=["a card's", "a text's"],
)
def test_rh_8_4_nobody_can_tell_how_a_shuffle_came_out(drawing: dict[str, Any], played: tuple[str, ...]) -> None:
    outcomes = set()
    for seed in range(2, 12):
        one, two = (seven(seed=different, **drawing) for different in (1, seed))
        same_to(tuple(SEATS), one, two, *played)
        outcomes.add(tuple(two.game["tile_at"]))
    assert len(outcomes) > 2


def test_rh_8_4_nobody_but_the_drawer_can_tell_how_the_discard_pile_was_shuffled() -> None:
    drawn = set()
    for seed in range(2, 22):
        one, two = (seven(hands={1: [SILT, SPYGLASS]}, tracks=NOBODY_WINS, seed=different) for different in (1, seed))
        for scene in (one, two):
            scene.table["discard_pile"][scene.card(SILT)] = scene.table["discard_pile"][scene.card(WHIRLPOOL)] = 1
        same_to((0, 2, 3, 4, 5, 6), one, two, "SWIM", "space 7")
        drawn.add(tuple(two.hand(1)))
    assert len(drawn) == 2


def test_rh_8_4_the_movers_mask_tells_no_hidden_tile() -> None:
    hand = ["Clear Water", SPYGLASS, UNDERCURRENT, "Shared Secret", "Rallying Call", WHIRLPOOL, "Delusion", SILT]
    one, two = (seven(hands={1: hand}, up=[6], tiles=tiles) for tiles in ({}, {5: 15, 15: 5, 7: 12, 12: 7}))
    same_to((1,), one, two, UNDERCURRENT, "space 5", "space 12")
    one, two = (seven(hands={1: hand}, up=[6], tiles=tiles) for tiles in ({}, {5: 15, 15: 5, 7: 12, 12: 7}))
    same_to((1,), one, two, "Rallying Call")


def test_rh_8_4_the_movers_mask_tells_no_hidden_role() -> None:
    hands = {1: ["Whispering Shell", "Rallying Call"], 4: [SILT]}
    one = Scene("C M M M L S S P", at=6, active=1, hands=hands)
    two = Scene("C M P S M M S L", at=6, active=1, hands=hands)
    same_to((0, 1), one, two, "Whispering Shell")
    one = Scene("C M M M L S S P", at=6, active=1, hands=hands)
    two = Scene("C M P S M M S L", at=6, active=1, hands=hands)
    same_to((0, 1), one, two, "CO_OP", "seat 4", "REVEAL", "space 6", "END_TURN")


def moments(scene: Scene, *actions: str) -> list[tuple[int, Question]]:
    """Who is asked what, at first and after each action."""
    seen = [(scene.asked, scene.question)]
    for words in actions:
        scene.play(words)
        seen.append((scene.asked, scene.question))
    return seen


def test_rh_8_4_no_hand_is_told_by_a_discard_that_is_not_asked() -> None:
    for hand in ([SILT, SILT], [SILT, SPYGLASS]):
        scene = seven(hands={LEADER: hand}, auto_forced="public")
        assert moments(scene, "CO_OP", "seat 3", "HUNT")[-1] == (LEADER, Question.DISCARD)
        scene = seven(hands={1: hand}, auto_forced="public")
        assert moments(scene, "UNCOVER")[-1] == (1, Question.DISCARD)


def test_rh_8_4_no_hand_is_told_by_a_turn_that_ends_by_itself() -> None:
    for hand in ([SPYGLASS], ["Delusion"]):  # playable or not
        scene = seven(hands={1: hand}, auto_forced="public")
        scene.table["marker_left"][1] = 0
        assert moments(scene, "DIVE", "space 6")[-1] == (1, Question.TURN)


def test_rh_8_4_no_card_is_told_by_who_is_asked_with_a_revealed_role() -> None:
    for hand in ([SILT], ["Slip Away"]):
        for seat, role in ((LEADER, Role.LEADER), (PROFITEER, Role.PROFITEER)):
            scene = seven(hands={seat: hand}, auto_forced="public")
            scene.table["role"][seat] = role
            assert moments(scene, "CO_OP", f"seat {seat}")[-1] == (seat, Question.ANSWER)


def test_rh_8_4_no_full_hand_is_told_by_a_discard_at_the_end_of_the_turn() -> None:
    for hand in ([SPYGLASS] * 4, [SPYGLASS, SILT, WHIRLPOOL, "Delusion"]):
        scene = seven(hands={1: hand}, auto_forced="public")
        assert moments(scene, "DIVE", "space 6", "END_TURN")[-1] == (1, Question.DISCARD)


def test_rh_8_3_a_tile_that_is_known_may_lie_nowhere_else() -> None:
    batch = make_batch("riverbed_hunt", 1, num_players=5, seed=1, auto_reset=False)
    while not batch.games["table"]["tile"].any():
        batch.step(batch.random_actions())
    games = batch.get_state()
    tile, empty = games["table"]["tile"].max(), ~int(games["table"]["occupied"][0]) & 1
    assert empty == 1
    games["private"]["possible"][0, :5, tile - 1] |= empty
    with pytest.raises(StateError, match="allows a tile where none lies"):
        batch.set_state(games)


def test_rh_8_3_deduction_ends_even_if_what_is_known_contradicts_itself() -> None:
    own = np.zeros(1, PRIVATE)[0]
    own["possible"][0] = 0b11  # one tile on two spaces, where no other can lie
    deduce(own)
    assert own["possible"][0] == 0b11


# --- RH-8.5 the end -------------------------------------------------------------------------------------------------


def test_rh_8_5_at_the_end_all_roles_are_public() -> None:
    scene = seven(tracks=(0, 5, 0)).play("CO_OP", "seat 2", "REVEAL")
    assert scene.observed(1)["roles_shown"].sum() == 1
    scene.play("space 6").expect(ending=Ending.WON)
    roles = [Role.CHIEF, Role.MERCHANT, Role.MERCHANT, Role.LEADER, Role.SEPARATIST, Role.SEPARATIST, Role.PROFITEER]
    assert [scene.shown_role(seat) for seat in SEATS] == roles
    for seat in SEATS:
        shown = scene.observed(seat)["roles_shown"]
        assert [int(shown[(other - seat) % 7].argmax()) for other in SEATS] == roles
        assert shown.sum() == 7


def test_rh_8_5_with_four_players_too() -> None:
    for last in "PS":
        scene = Scene(f"C M L {last}", at=6, active=1, tiles={6: 8}, tracks=(4, 0, 0))
        scene.play("CO_OP", "seat 2", "REVEAL", "space 6")
        scene.expect(over=True, shown_role={3: Role.PROFITEER if last == "P" else Role.SEPARATIST})


def test_rh_8_5_not_before_the_end() -> None:
    scene = seven(tracks=(0, 4, 0)).play("CO_OP", "seat 2", "REVEAL", "space 6").expect(over=False)
    assert [scene.shown_role(seat) for seat in SEATS] == [Role.CHIEF] + [Role.UNKNOWN] * 6
