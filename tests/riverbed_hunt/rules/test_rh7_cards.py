"""RH-7, the ability cards; and the book's glossary examples (E7).

Seven players use the full board: unless drawn otherwise tile n lies on space n and all meeples stand on space 6,
within reach of spaces 5, 6 and 7.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from riverbed_env.games.riverbed_hunt.rules.acts import may_hold
from riverbed_env.games.riverbed_hunt.rules.state import CARD_PROGRAM
from riverbed_env.games.riverbed_hunt.rules.vocab import NO_CARD, Camp, Effect, Event, Question, Refusal, Role
from riverbed_hunt.dealt import Dealt, edited_pack
from riverbed_hunt.scene import PUBLIC, Scene
from riverbed_hunt.seven import ALL_SPACES, all_up_but, exhaust, seven, spaces

CLEAR_WATER, DELUSION, RALLYING_CALL = "Clear Water", "Delusion", "Rallying Call"
SECOND_WIND, SHARED_SECRET, SILT = "Second Wind", "Shared Secret", "Silt"
SLIP_AWAY, SPYGLASS, STEPPING_STONE = "Slip Away", "Spyglass", "Stepping Stone"
STICKY_FINS, SWIMMING_HOLE, UNDERCURRENT = "Sticky Fins", "Swimming Hole", "Undercurrent"
WHIRLPOOL, WHISPERING_SHELL = "Whirlpool", "Whispering Shell"


def eight(*cards: str, **drawing: Any) -> Scene:
    """As seven, with one more: 0 chief, 1 to 3 merchants, 4 leader, 5 and 6 separatists, 7 profiteer."""
    return Scene("C M M M L S S P", **{"at": 6, "active": 1, "hands": {1: cards}, **drawing})


def seats(*numbers: int) -> set[str]:
    """The words for these seats."""
    return {f"seat {number}" for number in numbers}


def tiles(scene: Scene) -> list[int]:
    """The tiles from space 1 to 16, face-up or not."""
    return [int(tile) for tile in scene.game["tile_at"]]


def newest_event(scene: Scene, observer: int = 0) -> tuple[int, ...]:
    """Kind, actor and other (1 + seats clockwise from the observer), space, second space, thing."""
    return tuple(int(field) for field in scene.observed(observer)["events"][0, :6])


def owes_the_action(scene: Scene, seat: int = 1) -> bool:
    """Whether the seat is back at its turn with the action still to take and nothing under way."""
    assert (scene.asked, scene.question) == (seat, Question.TURN)
    return scene.table["depth"] == 0 and "CO_OP" in scene.legal()


# --- RH-7, what is asked ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "questions"),
    [
        (CLEAR_WATER, [Question.VIEW]),
        (DELUSION, [Question.FLIP_DOWN, Question.REVEAL]),
        (SHARED_SECRET, [Question.SEAT, Question.VIEW]),
        (SILT, [Question.FLIP_DOWN]),
        (SLIP_AWAY, [Question.MOVE]),
        (STEPPING_STONE, [Question.MOVE]),
        (STICKY_FINS, [Question.SEAT]),
        (SWIMMING_HOLE, [Question.SEAT, Question.MOVE]),
        (UNDERCURRENT, [Question.SWAP, Question.SWAP, Question.VIEW]),
        (RALLYING_CALL, [Question.SEAT, Question.REVEAL]),
    ],
)
def test_rh_7_1_what_a_card_asks_for_is_said(card: str, questions: list[Question]) -> None:
    scene = seven(card, hands={2: [SPYGLASS]}, up=[5]).play(card)
    for question in questions:
        scene.expect(question=question)
        shown = scene.observed(4)
        assert shown["question"].tolist() == [int(question == one) for one in Question]
        assert shown["source_card"].tolist() == [int(kind == scene.card(card)) for kind in range(28)]
        scene.play(min(scene.legal()))
    scene.expect(question=Question.TURN)
    assert not scene.observed(4)["source_card"].any()


@pytest.mark.parametrize(
    ("pile", "used", "hand", "possible"),
    [
        *((0, 0, 1, True), (1, 0, 1, True), (0, 1, 1, True), (1, 1, 1, False), (2, 0, 1, False), (0, 2, 1, False)),
        *((0, 0, 0, False), (1, 1, 0, False), (1, 0, 0, False)),
    ],
)
def test_rh_7_1_everybody_knows_that_a_hand_lacks_the_cards_all_copies_of_which_lie_open(
    pile: int, used: int, hand: int, possible: bool
) -> None:
    scene = seven(*[SILT] * hand, hands={0: [SPYGLASS], 2: [SPYGLASS]})
    spyglass = scene.card(SPYGLASS)  # of which there are two
    scene.table["discard_pile"][spyglass] = pile
    scene.table["used"][spyglass] = used
    public, own = scene.game["private"][PUBLIC], scene.game["private"][1]
    assert may_hold(scene.table, public, scene.params, 1, spyglass) == possible
    assert not may_hold(scene.table, own, scene.params, 1, spyglass)


def test_rh_7_1_only_a_held_card_can_be_played() -> None:
    scene = seven(hands={2: [SPYGLASS]})
    scene.refuses(*scene.card_names)


# Where a card can be played (True) and where it can't.
NEEDS: list[tuple[str, bool, dict[str, Any]]] = [
    (CLEAR_WATER, True, {"at": 1, "up": [1]}),  # a face-down tile within reach
    (CLEAR_WATER, False, {"at": 1, "up": [1, 2]}),
    (SPYGLASS, True, {"but": [16]}),  # one anywhere
    (SPYGLASS, False, {"but": []}),
    (DELUSION, True, {"up": [5, 7]}),  # a tile to turn down and another to turn up, within reach; E7
    (DELUSION, False, {"up": [1, 12]}),
    (DELUSION, False, {"up": [5, 6, 7]}),
    (DELUSION, True, {"at": 16, "up": [16]}),
    (DELUSION, False, {"at": 16}),
    (DELUSION, False, {"at": 16, "up": [15, 16], "tracks": (-3, -3, -1)}),
    (UNDERCURRENT, True, {"but": [1, 16]}),  # two face-down tiles
    (UNDERCURRENT, False, {"but": [1]}),
    (WHIRLPOOL, True, {"up": [5]}),  # two within reach
    (WHIRLPOOL, False, {"up": [5, 6]}),
    (SILT, True, {"up": [7]}),  # a face-up tile within reach
    (SILT, False, {"up": [1, 12]}),
    (SHARED_SECRET, False, {"up": [5, 6, 7]}),  # a face-down tile within reach
    (RALLYING_CALL, False, {"at": [1, 6, 1, 1, 1, 1, 1], "up": [1, 2]}),  # another with such a tile
    (STICKY_FINS, True, {"hands": {4: [SILT]}}),  # RH-7.3: another with a card
    (STICKY_FINS, False, {}),
]


@pytest.mark.parametrize(("card", "playable", "drawing"), NEEDS)
def test_rh_7_2_what_a_card_needs_to_be_played(card: str, playable: bool, drawing: dict[str, Any]) -> None:
    drawn = {**drawing, **all_up_but(*drawing["but"])} if "but" in drawing else drawing
    scene = seven(card, SPYGLASS, **{name: value for name, value in drawn.items() if name != "but"})
    if playable:
        scene.allows(card)
    else:
        scene.refuses(card)


# --- RH-7.2, card by card: Clear Water and Spyglass -----------------------------------------------------------------


def test_rh_7_2_clear_water_views_a_face_down_tile_within_reach() -> None:
    scene = seven(CLEAR_WATER, up=[6]).play(CLEAR_WATER).expect(legal=spaces(5, 7)).play("space 5")
    assert scene.known(1)[5] == 5
    assert 5 not in scene.known(2)
    scene.expect(owes_the_action, face_up={6}, ready={1: (True, True)})


def test_rh_7_2_spyglass_views_any_face_down_tile() -> None:
    scene = seven(SPYGLASS, up=[1, 6]).play(SPYGLASS).expect(legal=spaces(*ALL_SPACES) - spaces(1, 6)).play("space 16")
    assert scene.known(1)[16] == 16
    assert 16 not in scene.known(PUBLIC)
    scene.expect(owes_the_action)


VIEW_IN_REACH = 'active = [{ effect = "view", scope = "within reach" }]'
VIEW_ANY = 'active = [{ effect = "view", scope = "any" }]'


def test_rh_7_2_what_a_card_may_do_can_be_declined_and_does_not_keep_it_from_being_played(tmp_path: Path) -> None:
    offer = 'active = [{ effect = "view", scope = "within reach", may = true }, { effect = "draw", amount = 1 }]'
    pack = edited_pack(tmp_path, (VIEW_IN_REACH, offer))
    scene = seven(CLEAR_WATER, deck=[SILT], pack=pack).play(CLEAR_WATER).expect(legal=spaces(5, 6, 7) | {"STOP"})
    scene.play("STOP").expect(known={1: {}}, hand={1: [SILT]})
    seven(CLEAR_WATER, up=[5, 6, 7], deck=[SILT], pack=pack).play(CLEAR_WATER).expect(owes_the_action, hand={1: [SILT]})


def test_rh_7_2_every_part_of_a_card_must_be_possible(tmp_path: Path) -> None:
    both = 'active = [{ effect = "view", scope = "any" }, { effect = "flip down", scope = "within reach" }]'
    pack = edited_pack(tmp_path, (VIEW_ANY, both))
    seven(SPYGLASS, up=[1], pack=pack).refuses(SPYGLASS)
    seven(SPYGLASS, up=[6], pack=pack).play(SPYGLASS, "space 16").expect(legal={"space 6"})


def test_rh_7_2_the_sixth_part_of_a_card_must_be_possible_too(tmp_path: Path) -> None:
    parts = '{ effect = "draw", amount = 1 }, ' * 5 + '{ effect = "flip down", scope = "any" }'
    pack = edited_pack(tmp_path, (VIEW_ANY, f"active = [{parts}]"))
    seven(SPYGLASS, pack=pack).refuses(SPYGLASS)
    seven(SPYGLASS, up=[1], pack=pack).allows(SPYGLASS)


def test_rh_7_2_what_comes_after_a_move_cannot_be_told_and_does_not_keep_a_card_from_being_played(
    tmp_path: Path,
) -> None:
    move, draw = '{ effect = "move", scope = "step" }', '{ effect = "draw", amount = 1 }'
    flip = '{ effect = "flip down", scope = "within reach" }'
    moving = edited_pack(tmp_path, (VIEW_ANY, f"active = [{move}, {draw}, {draw}, {flip}]"))
    seven(SPYGLASS, up=[9], pack=moving).allows(SPYGLASS)
    staying = edited_pack(tmp_path, (VIEW_ANY, f"active = [{draw}, {draw}, {flip}, {move}]"))
    seven(SPYGLASS, up=[9], pack=staying).refuses(SPYGLASS)


def test_rh_7_2_what_turns_out_impossible_after_a_move_is_skipped(tmp_path: Path) -> None:
    move, view = '{ effect = "move", scope = "step" }', '{ effect = "view", scope = "within reach" }'
    pack = edited_pack(tmp_path, (VIEW_ANY, f"active = [{move}, {view}]"))
    seven(SPYGLASS, pack=pack, **all_up_but(16)).play(SPYGLASS, "space 7").expect(owes_the_action)


def test_rh_7_2_an_offer_with_nothing_to_choose_is_not_made(tmp_path: Path) -> None:
    whisper = '{ effect = "look at role", scope = "any", who = "another", may = true }'
    pack = edited_pack(tmp_path, (VIEW_ANY, f'active = [{whisper}, {{ effect = "draw", amount = 1 }}]'))
    scene = seven(SPYGLASS, pack=pack, deck=[SILT])
    scene.table["role"][:7] = scene.game["private"]["role"][:7]
    scene.play(SPYGLASS).expect(owes_the_action, hand={1: [SILT]})


def test_rh_7_2_a_card_to_discard_is_another_than_the_one_played(tmp_path: Path) -> None:
    barter = 'active = [{ effect = "discard" }, { effect = "draw", amount = 3 }]'
    pack = edited_pack(tmp_path, (VIEW_ANY, barter))
    seven(SPYGLASS, pack=pack).refuses(SPYGLASS)
    seven(SPYGLASS, SILT, pack=pack).play(SPYGLASS).expect(legal={SILT})


def test_rh_7_2_another_tile_is_none_just_chosen(tmp_path: Path) -> None:
    view = '{ effect = "view", scope = "within reach" }'
    lantern = f"active = [{view}, {view[:-2]}, another = true, may = true }}]"
    pack = edited_pack(tmp_path, (VIEW_ANY, lantern))
    seven(SPYGLASS, pack=pack).play(SPYGLASS, "space 6").expect(legal={"STOP", *spaces(5, 7)})


def test_rh_7_2_a_card_that_does_nothing_cannot_be_played() -> None:
    scene = seven(SPYGLASS, CLEAR_WATER)
    scene.dismiss_referee()  # no pack has such a card
    scene.params["programs"][CARD_PROGRAM + scene.card(SPYGLASS)]["effect"] = Effect.NOTHING
    scene.expect(refusal={SPYGLASS: Refusal.CARD_IMPOSSIBLE, CLEAR_WATER: Refusal.OK})


def test_rh_7_2_delusion_turns_one_tile_down_and_another_up() -> None:
    scene = seven(DELUSION, up=[3, 6, 16]).play(DELUSION).expect(legal={"space 6"})  # 3 and 16 are up too, out of reach
    # The tile to turn up is another than 6.
    scene.expect(tracks=(2, 2 + 3, 0)).play("space 6").expect(tracks=(2, 3, 0), legal=spaces(5, 7))
    scene.play("space 5").expect(owes_the_action, face_up={3, 5, 16}, tracks=(2, 3 + 1, 1))


def test_rh_7_2_delusion_lets_its_player_choose_both() -> None:
    seven(DELUSION, up=[5, 6]).play(DELUSION).expect(legal=spaces(5, 6)).play("space 6").expect(legal={"space 7"})


def test_rh_7_2_a_text_of_delusions_second_tile_may_turn_the_first_up_again() -> None:
    scene = seven(DELUSION, up=[6]).play(DELUSION, "space 6").expect(tracks=(0, 0, 0)).play("space 7")  # text O
    scene.expect(asked=1)  # who chose the tile is the revealer
    scene.expect(legal=spaces(2, 6, 8, 10) | {"STOP"})
    scene.play("space 6").expect(owes_the_action, face_up={6, 7}, tracks=(0, 2, 0))


def test_rh_7_2_a_text_turned_up_again_by_delusion_works_again() -> None:
    # Tile 10 with text D lies on 7 and is up already; tile 7 with text O is turned up beside it.
    scene = seven(DELUSION, tiles={7: 10, 6: 7, 10: 6}, up=[7]).play(DELUSION, "space 7").expect(tracks=(0, 0, 0))
    scene.play("space 6", "space 7").expect(legal=spaces(1, 3, 9, 11) | {"STOP"}).play("STOP").expect(tracks=(0, 0, 2))


def test_rh_7_2_delusion_can_end_the_game() -> None:
    scene = seven(DELUSION, up=[5], tracks=(0, 4, 0)).play(DELUSION, "space 5").expect(tracks=(0, 4, 0), over=False)
    scene = seven(DELUSION, up=[5], tracks=(0, 5, 0)).play(DELUSION, "space 5", "space 6")
    scene.expect(over=True, winner=Camp.SEPARATISTS)


def test_rh_7_2_undercurrent_swaps_any_two_face_down_tiles_and_views_one() -> None:
    scene = seven(UNDERCURRENT, up=[3]).play(UNDERCURRENT).expect(legal=spaces(*ALL_SPACES) - {"space 3"})
    scene.play("space 2").expect(legal=spaces(*ALL_SPACES) - spaces(2, 3)).play("space 16")
    assert tiles(scene) == [1, 16, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 2]
    scene.expect(legal=spaces(2, 16)).play("space 16").expect(owes_the_action, known={1: {16: 2}})
    for other in (0, 2, 3, 4, 5, 6, PUBLIC):
        scene.expect(known={other: {}})


def test_rh_7_2_everybody_sees_which_two_undercurrent_swaps_and_which_one_is_viewed() -> None:
    scene = seven(UNDERCURRENT).play(UNDERCURRENT, "space 2", "space 16")
    kind, actor, _, first, second, thing = newest_event(scene)
    assert (kind, actor, {first, second}, thing) == (Event.SWAP, 1 + 1, {2, 16}, 0)
    scene.play("space 16")
    assert newest_event(scene) == (Event.VIEW, 1 + 1, 0, 16, 0, 0)


def test_rh_7_2_second_wind_refreshes_all_exhausted_actions_and_draws() -> None:
    scene = exhaust(seven(SECOND_WIND, deck=[SILT, SPYGLASS]), 1).play(SECOND_WIND)
    scene.expect(ready={1: (True, True)}, hand={1: [SILT]}).allows("DIVE", "SWIM")


def test_rh_7_2_second_wind_needs_one_exhausted_action() -> None:
    seven(SECOND_WIND).refuses(SECOND_WIND)
    scene = exhaust(seven(SECOND_WIND), 1)
    scene.table["dive_ready"][1] = 1
    scene.play(SECOND_WIND).expect(ready={1: (True, True)})


def test_rh_7_2_second_wind_after_the_action_gives_no_second_one() -> None:
    seven(SECOND_WIND).play("DIVE", "space 6", SECOND_WIND).expect(ready={1: (True, True)}, legal={"END_TURN"})


def test_rh_7_2_second_wind_leaves_the_marker_and_the_others_alone() -> None:
    exhaust(exhaust(seven(SECOND_WIND), 1), 2).play(SECOND_WIND).expect(marker_left={1: 1}, ready={2: (False, False)})


REFRESH_ALL = 'active = [{ effect = "refresh" }, { effect = "draw", amount = 1 }]'
REFRESH_ONE = 'active = [{ effect = "refresh", amount = 1 }, { effect = "draw", amount = 1 }]'


@pytest.mark.parametrize(("word", "thing"), [("DIVE", 1), ("SWIM", 2)])
def test_rh_7_2_a_card_that_refreshes_one_action_lets_its_player_choose_which(
    tmp_path: Path, word: str, thing: int
) -> None:
    pack = edited_pack(tmp_path, (REFRESH_ALL, REFRESH_ONE))
    scene = exhaust(seven(SECOND_WIND, deck=[SILT], pack=pack), 1).play(SECOND_WIND)
    scene.expect(asked=1, question=Question.REFRESH, legal={"READY DIVE", "READY SWIM"})
    scene.play(f"READY {word}")
    scene.expect(ready={1: (word == "DIVE", word == "SWIM")}, marker_left={1: 1}, hand={1: [SILT]})
    assert scene.events() == [Event.PLAY, Event.REFRESH, Event.DRAW]
    assert tuple(scene.observed(1)["events"][1, :6]) == (Event.REFRESH, 1, 0, 0, 0, thing)
    scene.expect(owes_the_action)


@pytest.mark.parametrize(("word", "other"), [("DIVE", "SWIM"), ("SWIM", "DIVE")])
def test_rh_7_2_a_card_that_refreshes_one_action_takes_an_exhausted_one(tmp_path: Path, word: str, other: str) -> None:
    pack = edited_pack(tmp_path, (REFRESH_ALL, REFRESH_ONE))
    scene = exhaust(seven(SECOND_WIND, pack=pack), 1)
    scene.table[f"{other.lower()}_ready"][1] = 1
    scene.play(SECOND_WIND).expect(legal={f"READY {word}"}, refusal={f"READY {other}": Refusal.NOT_EXHAUSTED})
    scene.play(f"READY {word}").expect(ready={1: (True, True)})


def test_rh_7_2_whirlpool_shuffles_all_face_down_tiles_within_reach() -> None:
    orders = set()
    for seed in range(40):
        scene = seven(WHIRLPOOL, seed=seed).play(WHIRLPOOL)
        shuffled = tiles(scene)
        orders.add(tuple(shuffled[4:7]))
        assert shuffled[:4] + shuffled[7:] == [1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16]
        scene.expect(owes_the_action)
    assert orders == {(5, 6, 7), (5, 7, 6), (6, 5, 7), (6, 7, 5), (7, 5, 6), (7, 6, 5)}


def test_rh_7_2_whirlpool_leaves_face_up_tiles_alone() -> None:
    orders = set()
    for seed in range(20):
        scene = seven(WHIRLPOOL, seed=seed, up=[6]).play(WHIRLPOOL)
        orders.add(tuple(tiles(scene)[4:7]))
        scene.expect(face_up={6}, tracks=(0, 2, 0))
    assert orders == {(5, 6, 7), (7, 6, 5)}


def test_rh_7_2_silt_turns_a_face_up_tile_within_reach_down() -> None:
    scene = seven(SILT, up=[3, 5, 6]).play(SILT).expect(legal=spaces(5, 6), tracks=(2, 3, 1))
    scene.play("space 5").expect(owes_the_action, face_up={3, 6}, tracks=(2, 2, 0))


def test_rh_7_2_shared_secret_shows_a_tile_within_reach_to_two() -> None:
    scene = seven(SHARED_SECRET, up=[6], at=[1, 6, 1, 1, 1, 1, 1]).play(SHARED_SECRET)
    # Spaces 5 and 7 are within the reach of the player of the card.
    scene.expect(legal=seats(0, 2, 3, 4, 5, 6)).play("seat 4").expect(asked=1, legal=spaces(5, 7))
    scene.play("space 7")
    assert scene.known(1)[7] == scene.known(4)[7] == 7
    for other in (0, 2, 3, 5, 6, PUBLIC):
        assert 7 not in scene.known(other)
    assert 7 not in scene.face_up()
    scene.expect(owes_the_action)


def test_rh_7_2_who_shares_a_secret_and_where_is_public() -> None:
    scene = seven(SHARED_SECRET).play(SHARED_SECRET, "seat 4", "space 7")
    assert newest_event(scene) == (Event.SHOW, 1 + 1, 1 + 4, 7, 0, 0)


def test_rh_7_2_rallying_call_makes_another_reveal_within_their_own_reach() -> None:
    scene = seven(RALLYING_CALL, at=[6, 6, 12, 6, 6, 6, 6]).play(RALLYING_CALL).expect(legal=seats(0, 2, 3, 4, 5, 6))
    scene.play("seat 2").expect(asked=2, legal=spaces(11, 12, 13))
    scene.play("space 13").expect(owes_the_action, face_up={13}, tracks=(2, 0, 1))


def test_rh_7_2_rallying_call_brings_no_draw_and_no_refresh() -> None:
    scene = exhaust(seven(RALLYING_CALL, deck=[SILT]), 1).play(RALLYING_CALL, "seat 2", "space 6")
    scene.expect(hand={1: [], 2: []}, ready={1: (False, False)})


def test_rh_7_2_rallying_call_allows_neither_hunt_nor_con() -> None:
    for seat in (3, 6):
        scene = seven(RALLYING_CALL, hands={seat: [SILT]}).play(RALLYING_CALL, f"seat {seat}")
        scene.expect(asked=seat, legal=spaces(5, 6, 7))
        scene.play("space 6").expect(owes_the_action, shown_role={seat: Role.UNKNOWN})


def test_rh_7_2_rallying_call_chooses_among_those_with_a_tile_within_reach() -> None:
    seven(RALLYING_CALL, at=[1, 1, 6, 1, 1, 2, 1], up=[1, 2]).play(RALLYING_CALL).expect(legal=seats(2, 5))


def test_rh_7_2_rallying_call_can_be_followed_by_a_co_op_with_the_same_player() -> None:
    seven(RALLYING_CALL).play(RALLYING_CALL, "seat 2", "space 6", "CO_OP").allows("seat 2")


def test_rh_7_2_whispering_shell_shows_the_role_of_a_player_on_the_same_space() -> None:
    # The chief in seat 0 is revealed already.
    scene = eight(WHISPERING_SHELL, at=[6, 6, 7, 6, 6, 5, 6, 11]).play(WHISPERING_SHELL).expect(legal=seats(3, 4, 6))
    scene.play("seat 4")
    assert scene.game["private"][1]["looked"][4] == Role.LEADER
    scene.expect(owes_the_action)


def test_rh_7_2_the_role_is_whispered_to_one_player_only() -> None:
    scene = eight(WHISPERING_SHELL).play(WHISPERING_SHELL, "seat 4").expect(shown_role={4: Role.UNKNOWN})
    for other in (0, 2, 3, 4, 5, 6, 7):
        assert not scene.observed(other)["roles_looked_at"].any()
    assert scene.observed(1)["roles_looked_at"].sum() == 1
    assert newest_event(scene) == (Event.LOOK_AT_ROLE, 1 + 1, 1 + 4, 0, 0, 0)


def test_rh_7_2_whispering_shell_needs_an_unrevealed_role_on_the_same_space() -> None:
    eight(WHISPERING_SHELL, at=[5, 6, 7, 5, 5, 5, 5, 5]).refuses(WHISPERING_SHELL)
    eight(WHISPERING_SHELL, at=[6, 6, 7, 5, 5, 5, 5, 5]).refuses(WHISPERING_SHELL)  # the chief
    scene = eight(WHISPERING_SHELL, at=[5, 6, 7, 5, 6, 5, 5, 5]).allows(WHISPERING_SHELL)
    scene.table["role"][4] = Role.LEADER
    scene.refuses(WHISPERING_SHELL)


# --- RH-7.3 discards, Sticky Fins -----------------------------------------------------------------------------------


def test_rh_7_3_sticky_fins_chooses_another_player_who_has_a_card() -> None:
    seven(STICKY_FINS, SILT, hands={0: [SILT], 4: [SPYGLASS]}).play(STICKY_FINS).expect(legal=seats(0, 4))


def test_rh_7_3_sticky_fins_takes_one_card_and_then_its_player_draws() -> None:
    scene = seven(STICKY_FINS, hands={4: [SPYGLASS, SPYGLASS]}, deck=[SILT]).play(STICKY_FINS, "seat 4")
    scene.expect(owes_the_action)  # seat 4 was not asked
    scene.expect(hand={4: [SPYGLASS], 1: [SILT]}, pile={"used": sorted([SPYGLASS, STICKY_FINS])})


def test_rh_7_3_the_drawn_card_is_never_the_one_just_discarded() -> None:
    seven(STICKY_FINS, hands={4: [SPYGLASS]}).play(STICKY_FINS, "seat 4").expect(hand={1: [], 4: []}, draw_pile=0)


def test_rh_7_3_the_random_discard_is_drawn_blind_from_the_cards_of_the_hand() -> None:
    games = 300
    lost = Counter()
    for seed in range(games):
        scene = seven(STICKY_FINS, seed=seed, hands={4: [SILT, SILT, SPYGLASS]}).play(STICKY_FINS, "seat 4")
        lost.update(scene.pile("used"))
    assert lost[STICKY_FINS] == games
    assert lost[SILT] + lost[SPYGLASS] == games
    assert 160 <= lost[SILT] <= 240  # 200 expected, 5 standard deviations each way: cards, not kinds, are drawn


# --- RH-7.4 moves, Stepping Stone and Swimming Hole -----------------------------------------------------------------


def test_rh_7_4_stepping_stone_moves_one_step_by_water_then_draws() -> None:
    scene = seven(STEPPING_STONE, deck=[SPYGLASS]).play(STEPPING_STONE).expect(legal=spaces(5, 7), hand={1: []})
    scene.play("space 7").expect(owes_the_action, position={1: 7}, hand={1: [SPYGLASS]}, ready={1: (True, True)})
    scene.refuses(SPYGLASS)  # one card a turn


def test_rh_7_4_swimming_hole_moves_another_meeple_as_a_swim_would() -> None:
    scene = seven(SWIMMING_HOLE, at=[6, 6, 13, 6, 6, 6, 6], deck=[SILT]).play(SWIMMING_HOLE)
    # The meeple can't stay on 13.
    scene.expect(legal=seats(0, 1, 2, 3, 4, 5, 6)).play("seat 2").expect(asked=1, legal=spaces(11, 12, 14, 15))
    scene.play("space 15")
    assert [scene.position(seat) for seat in range(7)] == [6, 6, 15, 6, 6, 6, 6]
    scene.expect(owes_the_action, ready={1: (True, True), 2: (True, True)}, hand={1: [], 2: []})


def test_example_e7_swimming_hole_may_move_the_own_meeple() -> None:
    scene = seven(SWIMMING_HOLE, deck=[SILT]).play(SWIMMING_HOLE, "seat 1").expect(legal=spaces(3, 4, 5, 7, 8, 11))
    scene.play("space 11").expect(position={1: 11}, hand={1: []}).allows("SWIM")


# --- RH-7.5 two occasions, Slip Away --------------------------------------------------------------------------------


def test_rh_7_5_on_the_own_turn_slip_away_crosses_one_land_link() -> None:
    scene = seven(SLIP_AWAY, deck=[SILT]).play(SLIP_AWAY).expect(legal=spaces(3, 11))
    scene.play("space 11").expect(owes_the_action, position={1: 11}, hand={1: []})


@pytest.mark.parametrize("space", [4, 13])
def test_rh_7_5_the_own_meeple_needs_the_land_link(space: int) -> None:
    seven(SLIP_AWAY, at=[6, space, 6, 6, 6, 6, 6]).refuses(SLIP_AWAY)
    seven(SLIP_AWAY, at=[space, 6, space, space, space, space, space]).allows(SLIP_AWAY)


def test_rh_7_5_on_the_own_turn_it_is_the_card_of_the_turn() -> None:
    seven(SLIP_AWAY, SPYGLASS).play(SLIP_AWAY, "space 11").refuses(SPYGLASS)
    seven(SLIP_AWAY, SPYGLASS).play(SPYGLASS, "space 1").refuses(SLIP_AWAY)


def test_rh_7_5_the_own_turn_offers_only_the_move() -> None:
    seven(SLIP_AWAY).refuses("SLIP_AWAY")


def test_rh_7_5_who_is_asked_may_slip_away_before_anything_is_revealed() -> None:
    # The move of the card's other occasion isn't offered.
    scene = seven(hands={2: [SLIP_AWAY, SILT]}).play("CO_OP", "seat 2").expect(legal={"REVEAL", "SLIP_AWAY"})
    scene.play("SLIP_AWAY").expect(face_up=set(), hand={2: [SILT]}, pile={"used": [SLIP_AWAY]}, position={2: 6})


def test_rh_7_5_the_active_player_must_then_choose_someone_else() -> None:
    scene = seven(hands={2: [SLIP_AWAY]}).play("CO_OP", "seat 2", "SLIP_AWAY")
    scene.expect(asked=1, question=Question.SEAT, legal=seats(0, 3, 4, 5, 6)).play("seat 4").expect(asked=4)
    scene.play("REVEAL").expect(legal=spaces(5, 6, 7))


def test_rh_7_5_after_slipping_the_co_op_goes_on_as_any() -> None:
    scene = exhaust(seven(hands={2: [SLIP_AWAY]}, deck=[SILT, SPYGLASS]), 1)
    scene.play("CO_OP", "seat 2", "SLIP_AWAY", "seat 4", "REVEAL", "space 6")
    scene.expect(hand={1: [SILT], 2: []}, ready={1: (True, True)}, asked=1, question=Question.TURN)


def test_rh_7_5_without_the_card_nobody_slips_away() -> None:
    seven(SLIP_AWAY, hands={3: [SLIP_AWAY]}).play("CO_OP", "seat 2").expect(legal={"REVEAL"})


def test_rh_7_5_nobody_slips_away_once_the_reveal_has_begun() -> None:
    seven(hands={2: [SLIP_AWAY]}).play("CO_OP", "seat 2", "REVEAL").expect(legal=spaces(5, 6, 7))


def test_rh_7_5_where_no_card_of_the_pack_redirects_nobody_slips_away(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, ('non_active = [{ effect = "redirect" }]\n', ""))
    seven(hands={2: seven().card_names}, pack=pack).play("CO_OP", "seat 2").expect(legal={"REVEAL"})


def test_rh_7_5_any_card_of_the_pack_may_redirect_or_none() -> None:
    scene = seven(hands={2: [seven().card_names[0]]}).play("CO_OP", "seat 2")
    scene.dismiss_referee()
    scene.params["redirect_card"] = 0
    scene.allows("SLIP_AWAY")
    scene.params["redirect_card"] = NO_CARD
    scene.game["private"][2]["hand"][-1] = 1  # what the index of no card would read
    scene.refuses("SLIP_AWAY")


def test_rh_7_5_several_slip_away_from_one_co_op() -> None:
    scene = seven(hands={seat: [SLIP_AWAY] for seat in (2, 4, 6)}).play("CO_OP", "seat 2", "SLIP_AWAY", "seat 4")
    scene.expect(legal={"REVEAL", "SLIP_AWAY"}).play("SLIP_AWAY").expect(legal=seats(0, 3, 5, 6))
    scene.play("seat 6", "SLIP_AWAY").expect(legal=seats(0, 3, 5), pile={"used": [SLIP_AWAY] * 3})
    scene.play("seat 0", "REVEAL", "space 6").expect(face_up={6})


def test_rh_7_5_slipping_needs_another_with_a_face_down_tile_within_reach() -> None:
    # Only seat 2, and the active seat 1, who doesn't count, have one.
    seven(at=[1, 6, 6, 1, 1, 1, 1], up=[1, 2], hands={2: [SLIP_AWAY]}).play("CO_OP", "seat 2").expect(legal={"REVEAL"})


@pytest.mark.parametrize("other", [0, 3, 4, 5, 6])
def test_rh_7_5_any_other_player_with_a_face_down_tile_within_reach_will_do(other: int) -> None:
    at = [2 if seat == other else 1 for seat in range(7)]
    at[2] = 6
    scene = seven(at=at, up=[1, 2], hands={2: [SLIP_AWAY]}).play("CO_OP", "seat 2")
    scene.expect(legal={"REVEAL", "SLIP_AWAY"}).play("SLIP_AWAY").expect(legal={f"seat {other}"})


def test_rh_7_5_the_last_who_could_reveal_cannot_slip_away_from_those_who_slipped() -> None:
    hands = {2: [SLIP_AWAY], 5: [SLIP_AWAY]}
    scene = seven(at=[1, 1, 6, 1, 1, 6, 1], up=[1, 2], hands=hands).play("CO_OP", "seat 2", "SLIP_AWAY", "seat 5")
    scene.expect(legal={"REVEAL"})


def test_rh_7_5_after_a_later_seat_slipped_an_earlier_one_may_slip_too() -> None:
    hands = {2: [SLIP_AWAY], 4: [SLIP_AWAY]}
    scene = seven(at=[1, 1, 6, 6, 6, 1, 1], up=[1, 2], hands=hands).play("CO_OP", "seat 4", "SLIP_AWAY", "seat 2")
    scene.expect(legal={"REVEAL", "SLIP_AWAY"}).play("SLIP_AWAY").expect(legal={"seat 3"})


def test_rh_7_5_slipping_counts_for_one_co_op_only() -> None:
    scene = seven(hands={2: [SLIP_AWAY], 4: [SLIP_AWAY]}, at=[6, 6, 6, 6, 6, 6, 12])
    scene.play("CO_OP", "seat 4", "SLIP_AWAY", "seat 6", "REVEAL", "space 12", "END_TURN").expect(asked=2)
    scene.play("CO_OP").allows("seat 4").play("seat 4").expect(legal={"REVEAL"})


def test_rh_7_5_slipping_is_not_the_active_players_card_of_the_turn() -> None:
    scene = seven(SPYGLASS, hands={2: [SLIP_AWAY]}).play("CO_OP", "seat 2", "SLIP_AWAY", "seat 4", "REVEAL", "space 6")
    scene.allows(SPYGLASS)
    scene = seven(SPYGLASS, hands={2: [SLIP_AWAY]}).play(SPYGLASS, "space 1", "CO_OP", "seat 2")
    scene.expect(legal={"REVEAL", "SLIP_AWAY"})


def test_rh_7_5_slip_away_cannot_answer_rallying_call() -> None:
    seven(RALLYING_CALL, hands={2: [SLIP_AWAY]}).play(RALLYING_CALL, "seat 2").expect(legal=spaces(5, 6, 7))


def test_rh_7_5_leader_and_profiteer_may_slip_away_or_spend_the_card_on_their_power() -> None:
    for seat, power in ((3, "HUNT"), (6, "CON")):
        scene = seven(hands={seat: [SLIP_AWAY]}).play("CO_OP", f"seat {seat}")
        scene.expect(legal={"REVEAL", "SLIP_AWAY", power}).play(power).expect(legal={SLIP_AWAY})
        scene.play(SLIP_AWAY).expect(legal=spaces(5, 6, 7))


def test_rh_7_5_a_leader_can_hunt_where_another_slipped_away() -> None:
    scene = seven(hands={2: [SLIP_AWAY], 3: [SILT]}).play("CO_OP", "seat 2", "SLIP_AWAY", "seat 3")
    scene.expect(legal={"REVEAL", "HUNT"})


def test_rh_7_5_who_slipped_away_from_whom_is_public() -> None:
    scene = seven(hands={2: [SLIP_AWAY]}).play("CO_OP", "seat 2", "SLIP_AWAY")
    assert newest_event(scene) == (Event.SLIP_AWAY, 1 + 2, 1 + 1, 0, 0, scene.card(SLIP_AWAY))
    assert scene.observed(0)["slipped"].tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0]


# --- RH-7.6 the deck ------------------------------------------------------------------------------------------------


def test_rh_7_6_the_whole_deck_counts_28_cards_of_14_kinds() -> None:
    cards = Dealt(9).pack.cards
    assert (len({card.name for card in cards}), sum(card.copies for card in cards)) == (14, 28)
