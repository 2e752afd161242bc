"""RH-3: a turn, the cards in it, and the piles."""

from pathlib import Path

import pytest

from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, Event, Question, Refusal
from riverbed_env.games.riverbed_hunt.words.text import EVENTS
from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_hunt.dealt import SEATS, edited_pack
from riverbed_hunt.scene import Scene

COUNTS = pytest.mark.parametrize("players", [4, 5, 6, 7, 8, 9])
ACTIONS = {"DIVE", "SWIM", "CO_OP", "UNCOVER"}
# Each action whole, for a seat on space 7 of the full board with one card to discard (a Spyglass).
WHOLE_ACTIONS = {
    "DIVE": ("DIVE", "space 7"),
    "SWIM": ("SWIM", "space 8"),
    "CO_OP": ("CO_OP", "seat 1", "REVEAL", "space 7"),
    "UNCOVER": ("UNCOVER", "Spyglass", "space 7"),
}
EVERY_ACTION = pytest.mark.parametrize("action", WHOLE_ACTIONS)
# A card that draws two, in the place of Clear Water.
DRAW_TWO = ('active = [{ effect = "view", scope = "within reach" }]', 'active = [{ effect = "draw", amount = 2 }]')


def turn(*hand: str, active: int = 0, deck: tuple[str, ...] = (), pack: str | Path = "default") -> Scene:
    """A turn of seven, all on space 7, the tile there a plain kelp."""
    return Scene(SEATS[7], at=7, tiles={7: 1}, hands={active: hand}, active=active, deck=deck, pack=pack)


def discarded_before(scene: Scene, *names: str) -> None:
    """Cards of earlier turns on the discard pile."""
    for name in names:
        scene.table["discard_pile"][scene.card(name)] += 1


@COUNTS
def test_rh_3_1_turns_pass_clockwise(players: int) -> None:
    scene = Scene(SEATS[players], at=7)
    order = []
    for action in (*["DIVE"] * players, *["SWIM"] * players):
        order.append(scene.asked)
        scene.play(*WHOLE_ACTIONS[action], "END_TURN")
    assert order == [*range(players), *range(players)]


def test_rh_3_1_the_three_actions() -> None:
    assert turn("Spyglass").legal() & ACTIONS == ACTIONS
    turn().expect(legal={"DIVE", "SWIM", "CO_OP"})


@pytest.mark.parametrize("cards", [(), ("Spyglass",)])
def test_rh_3_1_no_turn_ends_without_an_action(cards: tuple[str, ...]) -> None:
    scene = turn(*cards).expect(refusal={"END_TURN": Refusal.ACTION_OWED})
    for card in cards:
        scene.play(card, "space 1").expect(refusal={"END_TURN": Refusal.ACTION_OWED})


def test_rh_3_1_the_refresh_marker_is_no_action() -> None:
    scene = turn()
    scene.table["dive_ready"][0] = 0
    scene.play("READY DIVE").expect(refusal={"END_TURN": Refusal.ACTION_OWED})


@EVERY_ACTION
def test_rh_3_1_one_action_a_turn(action: str) -> None:
    scene = turn("Spyglass", "Spyglass").play(*WHOLE_ACTIONS[action])
    for other in ACTIONS:
        scene.refuses(other)
    scene.allows("END_TURN").expect(asked=0)


@EVERY_ACTION
def test_rh_3_1_an_action_begun_is_carried_out(action: str) -> None:
    turn("Spyglass").play(action).refuses("STOP", "END_TURN", *ACTIONS)


def test_rh_3_1_the_next_turn_has_an_action_again() -> None:
    scene = turn().play("DIVE", "space 7", "END_TURN").expect(asked=1, refusal={"END_TURN": Refusal.ACTION_OWED})
    assert scene.legal() & ACTIONS == {"DIVE", "SWIM", "CO_OP"}


def test_rh_3_2_a_card_before_the_action() -> None:
    scene = turn("Spyglass").play("Spyglass", "space 1")
    assert scene.legal() & ACTIONS == {"DIVE", "SWIM", "CO_OP"}
    scene.play("DIVE", "space 7", "END_TURN")


@EVERY_ACTION
def test_rh_3_2_a_card_after_the_action(action: str) -> None:
    turn("Spyglass", "Clear Water").play(*WHOLE_ACTIONS[action], "Clear Water", "space 8", "END_TURN").expect(asked=1)


@pytest.mark.parametrize("first", ["before", "after"])
def test_rh_3_2_at_most_one_card_a_turn(first: str) -> None:
    scene = turn("Spyglass", "Spyglass", "Clear Water")
    dive = ("DIVE", "space 7")
    scene.play(*(("Spyglass", "space 1", *dive) if first == "before" else (*dive, "Spyglass", "space 1")))
    scene.expect(refusal={"Spyglass": Refusal.CARD_PLAYED, "Clear Water": Refusal.CARD_PLAYED})
    scene.expect(legal={"END_TURN", "READY DIVE"})


def test_rh_3_2_each_turn_has_a_card_of_its_own() -> None:
    hands = {0: ["Spyglass", "Spyglass"], 1: ["Spyglass"], 2: (), 3: ()}
    scene = Scene(SEATS[4], at=7, hands=hands)
    scene.play("Spyglass", "space 2", "DIVE", "space 7", "END_TURN")
    scene.play("Spyglass", "space 2", "DIVE", "space 7", "END_TURN")
    scene.play("DIVE", "space 7", "END_TURN", "DIVE", "space 7", "END_TURN")
    scene.expect(asked=0).play("Spyglass", "space 2").expect(hand={0: []})


@EVERY_ACTION
def test_rh_3_2_no_card_and_no_marker_inside_an_action(action: str) -> None:
    scene = turn("Spyglass", "Clear Water")
    scene.table["dive_ready"][0] = scene.table["swim_ready"][0] = 1
    asked_inside = 0
    for number, words in enumerate(WHOLE_ACTIONS[action]):
        scene.play(words)
        if number + 1 < len(WHOLE_ACTIONS[action]):
            if scene.question != Question.DISCARD:  # there a card's name means its discard
                scene.refuses("Spyglass", "Clear Water")
            scene.refuses("READY DIVE", "READY SWIM")
            asked_inside += 1
    assert asked_inside


def test_rh_3_2_a_card_named_inside_an_uncover_is_discarded_not_played() -> None:
    turn("Clear Water").play("UNCOVER", "Clear Water").expect(question=Question.REVEAL, card_played=0)


def test_rh_3_2_an_asked_player_plays_no_card() -> None:
    scene = Scene(SEATS[7], at=7, hands={0: ["Spyglass"], 1: ["Spyglass", "Clear Water"]}).play("CO_OP", "seat 1")
    scene.table["dive_ready"][1] = 0
    scene.expect(legal={"REVEAL"}).play("REVEAL").expect(legal={"space 6", "space 7", "space 8"})


def test_rh_3_2_no_card_while_a_text_is_carried_out() -> None:
    scene = Scene(SEATS[7], at=7, tiles={7: 7}, hands={0: ["Spyglass"], 1: ["Spyglass"]})
    scene.play("CO_OP", "seat 1", "REVEAL", "space 7")
    scene.expect(legal={"STOP", "space 2", "space 6", "space 8", "space 10"})
    scene.expect(refusal={("Spyglass", 0): Refusal.NOT_ASKED})


def test_rh_3_2_no_marker_inside_a_card() -> None:
    scene = turn("Spyglass")
    scene.table["dive_ready"][0] = 0
    scene.allows("READY DIVE").play("Spyglass").refuses("READY DIVE")


def end_with(*hand: str) -> Scene:
    return turn(*hand).play("DIVE", "space 7", "END_TURN")


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_rh_3_3_three_cards_may_be_kept(size: int) -> None:
    scene = end_with(*["Spyglass", "Silt", "Delusion"][:size]).expect(asked=1, question=Question.TURN)
    assert len(scene.hand(0)) == size
    scene.expect(pile=[])


def test_rh_3_3_a_fourth_card_is_discarded_by_its_owners_choice() -> None:
    scene = end_with("Spyglass", "Spyglass", "Silt", "Delusion")
    scene.expect(asked=0, question=Question.DISCARD, legal={"Spyglass", "Silt", "Delusion"})
    scene.play("Silt").expect(hand={0: ["Delusion", "Spyglass", "Spyglass"]}, hand_size={0: 3}, pile=["Silt"], asked=1)


def test_rh_3_3_discards_go_on_until_three_are_left() -> None:
    scene = end_with("Spyglass", "Spyglass", "Silt", "Delusion", "Clear Water", "Silt").play("Spyglass", "Spyglass")
    scene.expect(asked=0, legal={"Silt", "Delusion", "Clear Water"})
    scene.play("Clear Water")
    scene.expect(hand={0: ["Delusion", "Silt", "Silt"]}, pile=["Clear Water", "Spyglass", "Spyglass"], asked=1)


def test_rh_3_3_the_discard_cannot_be_declined() -> None:
    scene = end_with("Spyglass", "Spyglass", "Silt", "Delusion")
    scene.refuses("STOP", "END_TURN").expect(refusal={"Undercurrent": Refusal.CARD_NOT_HELD})


def test_rh_3_3_a_card_to_be_discarded_is_not_played() -> None:
    end_with("Silt", "Spyglass", "Clear Water", "Second Wind").play("Second Wind").expect(dive_ready={0: 0}, asked=1)


def test_rh_3_3_more_than_three_cards_during_the_turn_are_no_matter() -> None:
    scene = turn("Silt", "Spyglass", "Clear Water", deck=("Delusion", "Silt")).play("SWIM", "space 8")
    assert len(scene.hand(0)) == 4
    scene.expect(question=Question.TURN)
    scene.play("Spyglass", "space 1", "END_TURN").expect(asked=1, hand={0: ["Clear Water", "Delusion", "Silt"]})


def test_rh_3_3_used_cards_reach_the_pile_at_the_turns_end() -> None:
    scene = turn("Spyglass").play("Spyglass", "space 1").expect(pile=[]).expect(pile={"used": ["Spyglass"]})
    scene.play("DIVE", "space 7").expect(pile=[]).play("END_TURN").expect(pile=["Spyglass"]).expect(pile={"used": []})


def test_rh_3_3_discarded_cards_reach_the_pile_at_the_turns_end() -> None:
    scene = turn("Silt", "Spyglass").play("UNCOVER", "Silt", "space 7").expect(pile=[]).expect(pile={"used": ["Silt"]})
    scene.play("END_TURN").expect(pile=["Silt"])


def test_rh_3_3_cards_of_others_reach_the_pile_at_the_turns_end() -> None:
    scene = Scene(SEATS[7], at=7, tiles={7: 1}, hands={0: ["Sticky Fins"], 3: ["Silt"]}).play("Sticky Fins", "seat 3")
    scene.expect(hand={3: []}, pile=[]).expect(pile={"used": ["Silt", "Sticky Fins"]})
    scene.play("DIVE", "space 7", "END_TURN").expect(pile=["Silt", "Sticky Fins"])


def test_rh_3_3_a_card_that_answers_a_co_op_reaches_the_pile_at_the_turns_end() -> None:
    scene = Scene(SEATS[7], at=7, tiles={7: 1}, hands={3: ["Slip Away"]}).play("CO_OP", "seat 3", "SLIP_AWAY")
    scene.expect(pile={"used": ["Slip Away"]}).play("seat 1", "REVEAL", "space 7").expect(pile=[])
    scene.play("END_TURN").expect(pile=["Slip Away"])


def test_rh_3_3_everybody_sees_the_pile_and_what_was_discarded() -> None:
    scene = end_with("Spyglass", "Silt", "Delusion", "Clear Water").play("Delusion")
    assert scene.table["discard_pile"][scene.card("Delusion")] == 1  # the table lies open to all
    shown = EVENTS.happened(scene.table)
    assert {(event.actor, event.thing) for event in shown if event[0] == Event.DISCARD} == {(0, scene.card("Delusion"))}


def test_rh_3_4_the_top_card_of_the_draw_pile_is_drawn() -> None:
    scene = turn(deck=("Silt", "Delusion", "Spyglass")).play("SWIM", "space 8").expect(hand={0: ["Silt"]}, draw_pile=2)
    assert Event.RESHUFFLE not in scene.events()


def test_rh_3_4_empty_draw_pile_is_refilled_by_the_discard_pile() -> None:
    scene = turn()
    discarded_before(scene, "Silt", "Delusion", "Spyglass")
    scene.play("SWIM", "space 8")
    (drawn,) = scene.hand(0)
    assert drawn in {"Silt", "Delusion", "Spyglass"}
    scene.expect(pile=[], draw_pile=2)
    left = [scene.card_names[int(kind)] for kind in scene.game["deck"][:2]]
    assert sorted([drawn, *left]) == ["Delusion", "Silt", "Spyglass"]
    assert Event.RESHUFFLE in scene.events()


def test_rh_3_4_everybody_sees_in_whose_turn_the_pile_is_refilled() -> None:
    scene = turn(active=3)
    discarded_before(scene, "Silt")
    scene.play("SWIM", "space 8")
    assert scene.events()[-2:] == [Event.RESHUFFLE, Event.DRAW]
    newest = newest_event(int(scene.table["event_count"]))
    word = int(scene.table["events"][(newest + 1) % MAX_EVENTS])
    assert tuple(word.to_bytes(8, "little")[:6]) == (Event.RESHUFFLE, 1 + 3, 0, 0, 0, 0)


def test_rh_3_4_the_last_kind_of_card_a_pack_can_have_goes_round_like_any_other() -> None:
    scene = turn("Silt")
    scene.dismiss_referee()  # the pack has fewer kinds
    kind = MAX_CARD_KINDS - 1
    scene.table["used"][kind] = 1
    scene.play("DIVE", "space 7", "END_TURN")
    assert (int(scene.table["used"][kind]), int(scene.table["discard_pile"][kind])) == (0, 1)
    scene.play("SWIM", "space 8")
    assert int(scene.table["discard_pile"][kind]) == 0
    assert int(scene.game["private"][1]["hand"][kind]) == 1


def test_rh_3_4_the_refill_is_shuffled() -> None:
    drawn = set()
    for seed in range(40):
        scene = Scene(SEATS[7], at=7, seed=seed)
        discarded_before(scene, "Silt", "Delusion", "Spyglass", "Undercurrent")
        drawn |= set(scene.play("SWIM", "space 8").hand(0))
    assert drawn == {"Silt", "Delusion", "Spyglass", "Undercurrent"}


def test_rh_3_4_the_refill_waits_until_a_card_must_be_drawn() -> None:
    scene = turn(deck=("Silt",))
    discarded_before(scene, "Delusion", "Spyglass")
    scene.play("SWIM", "space 8", "END_TURN").expect(hand={0: ["Silt"]}, draw_pile=0, pile=["Delusion", "Spyglass"])
    scene.play("DIVE", "space 7", "END_TURN").expect(pile=["Delusion", "Spyglass"])
    scene.play("SWIM", "space 8").expect(draw_pile=1, pile=[])


def test_rh_3_4_the_refill_comes_in_the_middle_of_a_draw(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, DRAW_TWO)
    scene = turn("Clear Water", deck=("Silt",), pack=pack)
    discarded_before(scene, "Delusion", "Delusion", "Delusion")
    scene.play("Clear Water").expect(hand={0: ["Delusion", "Silt"]}, draw_pile=2)


def test_rh_3_4_a_draw_ends_where_both_piles_are_empty(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, DRAW_TWO)
    scene = turn("Clear Water", deck=("Silt",), pack=pack).play("Clear Water")
    scene.expect(hand={0: ["Silt"]}, hand_size={0: 1}, draw_pile=0)


def test_rh_3_4_a_card_used_before_the_action_stays_out_of_the_refill() -> None:
    scene = turn("Spyglass")
    discarded_before(scene, "Silt")
    scene.play("Spyglass", "space 1", "SWIM", "space 8")
    scene.expect(hand={0: ["Silt"]}, draw_pile=0, pile={"used": ["Spyglass"]})
    scene.play("END_TURN").expect(pile=["Spyglass"])


@pytest.mark.parametrize("action", ["SWIM", "CO_OP"])
def test_rh_3_4_with_both_piles_empty_nothing_is_drawn(action: str) -> None:
    scene = turn().play(*WHOLE_ACTIONS[action]).expect(hand={0: []}, hand_size={0: 0})
    assert Event.DRAW not in scene.events()
    assert Event.RESHUFFLE not in scene.events()
    scene.expect(question=Question.TURN).play("END_TURN")


def test_rh_3_4_a_card_that_draws_may_be_played_with_both_piles_empty() -> None:
    turn("Stepping Stone").play("Stepping Stone", "space 6").expect(position={0: 6})
    winded = turn("Second Wind")
    winded.table["dive_ready"][0] = 0
    winded.play("Second Wind").expect(dive_ready={0: 1}, hand={0: []})


@pytest.mark.parametrize(("action", "other"), [("DIVE", "SWIM"), ("SWIM", "DIVE")])
def test_rh_3_5_an_exhausted_action_cannot_be_chosen(action: str, other: str) -> None:
    scene = turn()
    scene.table[f"{action.lower()}_ready"][0] = 0
    scene.expect(refusal={action: Refusal.EXHAUSTED})
    assert scene.legal() & ACTIONS == {other, "CO_OP"}


@pytest.mark.parametrize("action", ["DIVE", "SWIM"])
def test_rh_3_5_an_action_stays_exhausted_on_later_turns(action: str) -> None:
    scene = Scene(SEATS[4], at=7).play(*WHOLE_ACTIONS[action], "END_TURN")
    for _ in range(3):
        scene.allows(action).play("DIVE", "space 7", "END_TURN")
    scene.expect(asked=0, refusal={action: Refusal.EXHAUSTED})


def test_rh_3_5_with_both_exhausted_a_co_op_is_left() -> None:
    scene = turn()
    scene.table["dive_ready"][0] = scene.table["swim_ready"][0] = 0
    scene.table["marker_left"][0] = 0
    scene.expect(legal={"CO_OP"})


def test_rh_3_5_no_dive_without_a_face_down_tile_within_reach() -> None:
    scene = Scene(SEATS[7], at=1, tiles={1: 1, 2: 12}, up=[1, 2])
    scene.expect(refusal={"DIVE": Refusal.NOTHING_FACE_DOWN_IN_REACH}, legal={"SWIM", "CO_OP"})


@pytest.mark.parametrize("left", [6, 7, 8])
def test_rh_3_5_one_face_down_tile_within_reach_is_enough_for_a_dive(left: int) -> None:
    up = [space for space in (6, 7, 8) if space != left]
    Scene(SEATS[7], at=7, tiles={6: 1, 7: 4, 8: 12}, up=up).play("DIVE").expect(legal={f"space {left}"})


def test_rh_3_5_a_tile_past_an_empty_space_is_enough_for_a_dive() -> None:
    Scene(SEATS[5], layout="bends", at=4, tiles={3: 1, 4: 12, 6: 4}, up=[3, 4]).play("DIVE").expect(legal={"space 6"})


def test_rh_3_5_a_tile_already_seen_may_be_dived_for_again() -> None:
    scene = Scene(SEATS[4], at=7, tiles={6: 1, 7: 4, 8: 12}, up=[6, 8])
    scene.play("DIVE", "space 7", "READY DIVE", "END_TURN")
    for _ in range(3):
        scene.play("SWIM", "space 8", "END_TURN")
    scene.play("DIVE", "space 7")
    assert scene.known(0)[7] == 4


def test_rh_3_5_no_swim_without_a_destination() -> None:
    scene = turn()
    scene.dismiss_referee()  # no layout has a space without a way out
    scene.params["swims"][:] = 0
    scene.expect(refusal={"SWIM": Refusal.NO_DESTINATION}, legal={"DIVE", "CO_OP"})


def test_rh_3_5_no_uncover_without_a_face_down_tile_within_reach() -> None:
    scene = Scene(SEATS[7], at=1, tiles={1: 1, 2: 12}, up=[1, 2], hands={0: ["Spyglass"]})
    scene.expect(refusal={"UNCOVER": Refusal.NOTHING_FACE_DOWN_IN_REACH})


def test_rh_3_5_no_uncover_without_a_card() -> None:
    turn().expect(refusal={"UNCOVER": Refusal.NO_CARD_TO_DISCARD})


@COUNTS
def test_rh_3_5_a_co_op_can_always_be_chosen(players: int) -> None:
    scene = Scene(SEATS[players], at=3, tiles={2: 7, 3: 1, 4: 4}, up=[2, 3, 4])
    scene.table["swim_ready"][0] = scene.table["marker_left"][0] = 0
    scene.expect(legal={"CO_OP"})
