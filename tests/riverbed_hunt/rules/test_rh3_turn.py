"""RH-3: a turn, the cards in it, and the piles."""

from collections import Counter
from pathlib import Path

import pytest

from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, MAX_SEATS, Event, Question, Refusal
from riverbed_env.games.riverbed_hunt.words.text import recent_events
from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_hunt.dealt import SEATS, Dealt, edited_pack, play_randomly
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
DRAW_TWO = (
    'active = [{ effect = "view", scope = "within reach" }]',
    'active = [{ effect = "draw", amount = 2 }]',
)


def turn(*hand: str, active: int = 0, deck: tuple[str, ...] = (), pack: str | Path = "default") -> Scene:
    """A turn of seven, all on space 7, the tile there a plain kelp."""
    return Scene(SEATS[7], at=7, tiles={7: 1}, hands={active: hand}, active=active, deck=deck, pack=pack)


def discarded_before(scene: Scene, *names: str) -> None:
    """Cards of earlier turns on the discard pile."""
    for name in names:
        scene.table["discard_pile"][scene.card(name)] += 1


# --- RH-3.1 -----------------------------------------------------------------------------------------------------


@COUNTS
def test_rh_3_1_turns_pass_clockwise(players: int) -> None:
    scene = Scene(SEATS[players], at=7)
    order = []
    for action in (*["DIVE"] * players, *["SWIM"] * players):
        order.append(scene.asked)
        scene.play(*WHOLE_ACTIONS[action], "END_TURN")
    assert order == [*range(players), *range(players)]


@COUNTS
def test_rh_3_1_after_the_last_seat_comes_the_first(players: int) -> None:
    scene = Scene(SEATS[players], at=7, active=players - 1)
    scene.play("DIVE", "space 7", "END_TURN")
    assert scene.asked == int(scene.table["active"]) == 0
    scene.play("DIVE", "space 7", "END_TURN")
    assert scene.asked == 1


def test_rh_3_1_the_three_actions() -> None:
    assert turn("Spyglass").legal() & ACTIONS == ACTIONS
    assert turn().legal() == {"DIVE", "SWIM", "CO_OP"}


@pytest.mark.parametrize("cards", [(), ("Spyglass",)])
def test_rh_3_1_no_turn_ends_without_an_action(cards: tuple[str, ...]) -> None:
    scene = turn(*cards)
    assert scene.refusal("END_TURN") == Refusal.ACTION_OWED
    for card in cards:
        scene.play(card, "space 1")
        assert scene.refusal("END_TURN") == Refusal.ACTION_OWED


def test_rh_3_1_the_refresh_marker_is_no_action() -> None:
    scene = turn()
    scene.table["dive_ready"][0] = 0
    scene.play("READY DIVE")
    assert scene.refusal("END_TURN") == Refusal.ACTION_OWED


@EVERY_ACTION
def test_rh_3_1_one_action_a_turn(action: str) -> None:
    scene = turn("Spyglass", "Spyglass").play(*WHOLE_ACTIONS[action])
    for other in ACTIONS:
        assert scene.refusal(other) != Refusal.OK
    assert "END_TURN" in scene.legal()
    assert scene.asked == 0


def test_rh_3_1_no_second_action_with_the_action_made_ready_again() -> None:
    scene = turn().play("DIVE", "space 7", "READY DIVE")
    assert scene.refusal("DIVE") == Refusal.ACTION_TAKEN
    assert scene.refusal("SWIM") == Refusal.ACTION_TAKEN
    assert scene.refusal("CO_OP") == Refusal.ACTION_TAKEN


@EVERY_ACTION
def test_rh_3_1_an_action_begun_is_carried_out(action: str) -> None:
    scene = turn("Spyglass").play(action)
    assert scene.refusal("STOP") != Refusal.OK
    assert scene.refusal("END_TURN") != Refusal.OK
    assert not scene.legal() & ACTIONS


def test_rh_3_1_only_the_active_player_acts() -> None:
    scene = turn()
    for seat in range(1, 7):
        assert scene.legal(seat) == {"WAIT"}
        assert scene.refusal("DIVE", seat) == Refusal.NOT_ASKED


def test_rh_3_1_the_next_turn_has_an_action_again() -> None:
    scene = turn().play("DIVE", "space 7", "END_TURN")
    assert scene.asked == 1
    assert scene.refusal("END_TURN") == Refusal.ACTION_OWED
    assert scene.legal() & ACTIONS == {"DIVE", "SWIM", "CO_OP"}


# --- RH-3.2 -----------------------------------------------------------------------------------------------------


def test_rh_3_2_a_card_before_the_action() -> None:
    scene = turn("Spyglass").play("Spyglass", "space 1")
    assert scene.legal() & ACTIONS == {"DIVE", "SWIM", "CO_OP"}
    scene.play("DIVE", "space 7", "END_TURN")


@EVERY_ACTION
def test_rh_3_2_a_card_after_the_action(action: str) -> None:
    scene = turn("Spyglass", "Clear Water").play(*WHOLE_ACTIONS[action]).play("Clear Water", "space 8", "END_TURN")
    assert scene.asked == 1


@pytest.mark.parametrize("first", ["before", "after"])
def test_rh_3_2_at_most_one_card_a_turn(first: str) -> None:
    scene = turn("Spyglass", "Spyglass", "Clear Water")
    dive = ("DIVE", "space 7")
    scene.play(*(("Spyglass", "space 1", *dive) if first == "before" else (*dive, "Spyglass", "space 1")))
    assert scene.refusal("Spyglass") == scene.refusal("Clear Water") == Refusal.CARD_PLAYED
    assert scene.legal() == {"END_TURN", "READY DIVE"}


def test_rh_3_2_no_second_card_between_the_first_and_the_action() -> None:
    scene = turn("Spyglass", "Clear Water").play("Spyglass", "space 1")
    assert scene.refusal("Clear Water") == Refusal.CARD_PLAYED


def test_rh_3_2_no_card_need_be_played() -> None:
    scene = turn("Spyglass").play("DIVE", "space 7", "END_TURN")
    assert scene.hand(0) == ["Spyglass"]


def test_rh_3_2_each_turn_has_a_card_of_its_own() -> None:
    hands = {0: ["Spyglass", "Spyglass"], 1: ["Spyglass"], 2: (), 3: ()}
    scene = Scene(SEATS[4], at=7, hands=hands)
    scene.play("Spyglass", "space 2", "DIVE", "space 7", "END_TURN")
    scene.play("Spyglass", "space 2", "DIVE", "space 7", "END_TURN")
    scene.play("DIVE", "space 7", "END_TURN", "DIVE", "space 7", "END_TURN")
    assert scene.asked == 0
    scene.play("Spyglass", "space 2")
    assert scene.hand(0) == []


@EVERY_ACTION
def test_rh_3_2_no_card_and_no_marker_inside_an_action(action: str) -> None:
    scene = turn("Spyglass", "Clear Water")
    scene.table["dive_ready"][0] = scene.table["swim_ready"][0] = 1
    asked_inside = 0
    for number, words in enumerate(WHOLE_ACTIONS[action]):
        scene.play(words)
        if number + 1 < len(WHOLE_ACTIONS[action]):
            if scene.question != Question.DISCARD:  # there a card's name means its discard
                assert not scene.legal() & {"Spyglass", "Clear Water"}
            assert not scene.legal() & {"READY DIVE", "READY SWIM"}
            asked_inside += 1
    assert asked_inside


def test_rh_3_2_a_card_named_inside_an_uncover_is_discarded_not_played() -> None:
    scene = turn("Clear Water").play("UNCOVER", "Clear Water")
    assert scene.question == Question.REVEAL
    assert int(scene.table["card_played"]) == 0


def test_rh_3_2_an_asked_player_plays_no_card() -> None:
    scene = Scene(SEATS[7], at=7, hands={0: ["Spyglass"], 1: ["Spyglass", "Clear Water"]}).play("CO_OP", "seat 1")
    scene.table["dive_ready"][1] = 0
    assert scene.legal() == {"REVEAL"}
    assert scene.play("REVEAL").legal() == {"space 6", "space 7", "space 8"}


def test_rh_3_2_no_card_while_a_text_is_carried_out() -> None:
    scene = Scene(SEATS[7], at=7, tiles={7: 7}, hands={0: ["Spyglass"], 1: ["Spyglass"]})
    scene.play("CO_OP", "seat 1", "REVEAL", "space 7")
    assert scene.legal() == {"STOP", "space 2", "space 6", "space 8", "space 10"}
    assert scene.refusal("Spyglass", 0) == Refusal.NOT_ASKED


def test_rh_3_2_no_marker_inside_a_card() -> None:
    scene = turn("Spyglass")
    scene.table["dive_ready"][0] = 0
    assert "READY DIVE" in scene.legal()
    scene.play("Spyglass")
    assert "READY DIVE" not in scene.legal()


@pytest.mark.parametrize("track", ["DIVE", "SWIM"])
def test_rh_3_2_the_marker_before_the_action(track: str) -> None:
    scene = turn()
    scene.table["dive_ready"][0] = scene.table["swim_ready"][0] = 0
    scene.play(f"READY {track}", *WHOLE_ACTIONS[track], "END_TURN")
    assert scene.asked == 1


@pytest.mark.parametrize("track", ["DIVE", "SWIM"])
def test_rh_3_2_the_marker_after_the_action(track: str) -> None:
    scene = turn().play(*WHOLE_ACTIONS[track], f"READY {track}", "END_TURN")
    assert int(scene.table[f"{track.lower()}_ready"][0]) == 1


def test_rh_3_2_the_marker_once_a_game() -> None:
    scene = Scene(SEATS[4], at=7).play("DIVE", "space 7", "READY DIVE", "END_TURN")
    assert int(scene.table["marker_left"][0]) == 0
    for _ in range(3):
        scene.play("DIVE", "space 7", "END_TURN")
    scene.play("DIVE", "space 7")
    assert scene.refusal("READY DIVE") == Refusal.MARKER_USED
    scene.table["swim_ready"][0] = 0
    assert scene.refusal("READY SWIM") == Refusal.MARKER_USED


def test_rh_3_2_a_card_and_the_marker_in_one_turn() -> None:
    scene = turn("Spyglass").play("Spyglass", "space 1", "DIVE", "space 7", "READY DIVE", "END_TURN")
    assert scene.asked == 1


def test_rh_3_2_nobody_plays_in_anothers_turn() -> None:
    scene = Scene(SEATS[4], at=7, hands={1: ["Spyglass"]})
    scene.table["dive_ready"][1] = 0
    assert scene.refusal("Spyglass", 1) == Refusal.NOT_ASKED
    assert scene.refusal("READY DIVE", 1) == Refusal.NOT_ASKED


# --- RH-3.3 -----------------------------------------------------------------------------------------------------


def end_with(*hand: str) -> Scene:
    return turn(*hand).play("DIVE", "space 7", "END_TURN")


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_rh_3_3_three_cards_may_be_kept(size: int) -> None:
    scene = end_with(*["Spyglass", "Silt", "Delusion"][:size])
    assert scene.asked == 1
    assert scene.question == Question.TURN
    assert len(scene.hand(0)) == size
    assert scene.pile() == []


def test_rh_3_3_a_fourth_card_is_discarded_by_its_owners_choice() -> None:
    scene = end_with("Spyglass", "Spyglass", "Silt", "Delusion")
    assert scene.asked == 0
    assert scene.question == Question.DISCARD
    assert scene.legal() == {"Spyglass", "Silt", "Delusion"}
    scene.play("Silt")
    assert scene.hand(0) == ["Delusion", "Spyglass", "Spyglass"]
    assert int(scene.table["hand_size"][0]) == 3
    assert scene.pile() == ["Silt"]
    assert scene.asked == 1


def test_rh_3_3_discards_go_on_until_three_are_left() -> None:
    scene = end_with("Spyglass", "Spyglass", "Silt", "Delusion", "Clear Water", "Silt")
    scene.play("Spyglass", "Spyglass")
    assert scene.asked == 0
    assert scene.legal() == {"Silt", "Delusion", "Clear Water"}
    scene.play("Clear Water")
    assert scene.hand(0) == ["Delusion", "Silt", "Silt"]
    assert scene.pile() == ["Clear Water", "Spyglass", "Spyglass"]
    assert scene.asked == 1


def test_rh_3_3_the_discard_cannot_be_declined() -> None:
    scene = end_with("Spyglass", "Spyglass", "Silt", "Delusion")
    assert scene.refusal("STOP") != Refusal.OK
    assert scene.refusal("END_TURN") != Refusal.OK
    assert scene.refusal("Undercurrent") == Refusal.CARD_NOT_HELD


def test_rh_3_3_a_card_to_be_discarded_is_not_played() -> None:
    scene = end_with("Silt", "Spyglass", "Clear Water", "Second Wind").play("Second Wind")
    assert int(scene.table["dive_ready"][0]) == 0
    assert scene.asked == 1


def test_rh_3_3_more_than_three_cards_during_the_turn_are_no_matter() -> None:
    scene = turn("Silt", "Spyglass", "Clear Water", deck=("Delusion", "Silt")).play("SWIM", "space 8")
    assert len(scene.hand(0)) == 4
    assert scene.question == Question.TURN
    scene.play("Spyglass", "space 1", "END_TURN")
    assert scene.asked == 1
    assert scene.hand(0) == ["Clear Water", "Delusion", "Silt"]


def test_rh_3_3_used_cards_reach_the_pile_at_the_turns_end() -> None:
    scene = turn("Spyglass").play("Spyglass", "space 1")
    assert scene.pile() == []
    assert scene.pile("used") == ["Spyglass"]
    scene.play("DIVE", "space 7")
    assert scene.pile() == []
    scene.play("END_TURN")
    assert scene.pile() == ["Spyglass"]
    assert scene.pile("used") == []


def test_rh_3_3_discarded_cards_reach_the_pile_at_the_turns_end() -> None:
    scene = turn("Silt", "Spyglass").play("UNCOVER", "Silt", "space 7")
    assert scene.pile() == []
    assert scene.pile("used") == ["Silt"]
    scene.play("END_TURN")
    assert scene.pile() == ["Silt"]


def test_rh_3_3_cards_of_others_reach_the_pile_at_the_turns_end() -> None:
    scene = Scene(SEATS[7], at=7, tiles={7: 1}, hands={0: ["Sticky Fins"], 3: ["Silt"]})
    scene.play("Sticky Fins", "seat 3")
    assert scene.hand(3) == []
    assert scene.pile() == []
    assert scene.pile("used") == ["Silt", "Sticky Fins"]
    scene.play("DIVE", "space 7", "END_TURN")
    assert scene.pile() == ["Silt", "Sticky Fins"]


def test_rh_3_3_a_card_that_answers_a_co_op_reaches_the_pile_at_the_turns_end() -> None:
    scene = Scene(SEATS[7], at=7, tiles={7: 1}, hands={3: ["Slip Away"]})
    scene.play("CO_OP", "seat 3", "SLIP_AWAY")
    assert scene.pile("used") == ["Slip Away"]
    scene.play("seat 1", "REVEAL", "space 7")
    assert scene.pile() == []
    scene.play("END_TURN")
    assert scene.pile() == ["Slip Away"]


def test_rh_3_3_the_pile_grows_from_turn_to_turn() -> None:
    scene = Scene(SEATS[4], at=7, hands={0: ["Spyglass"], 1: ["Clear Water"]})
    scene.play("Spyglass", "space 2", "DIVE", "space 7", "END_TURN")
    scene.play("Clear Water", "space 7", "DIVE", "space 7", "END_TURN")
    assert scene.pile() == ["Clear Water", "Spyglass"]


def test_rh_3_3_everybody_sees_the_pile_and_what_was_discarded() -> None:
    scene = end_with("Spyglass", "Silt", "Delusion", "Clear Water").play("Delusion")
    assert scene.table["discard_pile"][scene.card("Delusion")] == 1  # the table lies open to all
    shown = recent_events(scene.table)
    assert {(event[1], event[-1]) for event in shown if event[0] == Event.DISCARD} == {(0, scene.card("Delusion"))}


# --- RH-3.4 -----------------------------------------------------------------------------------------------------


def test_rh_3_4_the_top_card_of_the_draw_pile_is_drawn() -> None:
    scene = turn(deck=("Silt", "Delusion", "Spyglass")).play("SWIM", "space 8")
    assert scene.hand(0) == ["Silt"]
    assert int(scene.table["draw_pile"]) == 2
    assert Event.RESHUFFLE not in scene.events()


def test_rh_3_4_empty_draw_pile_is_refilled_by_the_discard_pile() -> None:
    scene = turn()
    discarded_before(scene, "Silt", "Delusion", "Spyglass")
    scene.play("SWIM", "space 8")
    (drawn,) = scene.hand(0)
    assert drawn in {"Silt", "Delusion", "Spyglass"}
    assert scene.pile() == []
    assert int(scene.table["draw_pile"]) == 2
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
    scene.play("SWIM", "space 8", "END_TURN")
    assert scene.hand(0) == ["Silt"]
    assert int(scene.table["draw_pile"]) == 0
    assert scene.pile() == ["Delusion", "Spyglass"]
    scene.play("DIVE", "space 7", "END_TURN")
    assert scene.pile() == ["Delusion", "Spyglass"]
    scene.play("SWIM", "space 8")
    assert int(scene.table["draw_pile"]) == 1
    assert scene.pile() == []


def test_rh_3_4_the_refill_comes_in_the_middle_of_a_draw(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, DRAW_TWO)
    scene = turn("Clear Water", deck=("Silt",), pack=pack)
    discarded_before(scene, "Delusion", "Delusion", "Delusion")
    scene.play("Clear Water")
    assert scene.hand(0) == ["Delusion", "Silt"]
    assert int(scene.table["draw_pile"]) == 2


def test_rh_3_4_a_draw_ends_where_both_piles_are_empty(tmp_path: Path) -> None:
    pack = edited_pack(tmp_path, DRAW_TWO)
    scene = turn("Clear Water", deck=("Silt",), pack=pack).play("Clear Water")
    assert scene.hand(0) == ["Silt"]
    assert int(scene.table["hand_size"][0]) == 1
    assert int(scene.table["draw_pile"]) == 0


def test_rh_3_4_a_card_used_this_turn_is_not_drawn_again() -> None:
    scene = turn("Stepping Stone").play("Stepping Stone", "space 8")
    assert scene.hand(0) == []
    assert scene.pile("used") == ["Stepping Stone"]
    scene.play("DIVE", "space 7", "END_TURN")
    assert scene.pile() == ["Stepping Stone"]


def test_rh_3_4_a_card_used_before_the_action_stays_out_of_the_refill() -> None:
    scene = turn("Spyglass")
    discarded_before(scene, "Silt")
    scene.play("Spyglass", "space 1", "SWIM", "space 8")
    assert scene.hand(0) == ["Silt"]
    assert int(scene.table["draw_pile"]) == 0
    assert scene.pile("used") == ["Spyglass"]
    scene.play("END_TURN")
    assert scene.pile() == ["Spyglass"]


def test_rh_3_4_a_card_discarded_this_turn_is_not_drawn() -> None:
    scene = Scene(SEATS[7], at=7, hands={0: ["Sticky Fins"], 3: ["Silt"]}).play("Sticky Fins", "seat 3")
    assert scene.hand(0) == scene.hand(3) == []
    assert scene.pile("used") == ["Silt", "Sticky Fins"]


def test_rh_3_4_a_card_used_this_turn_is_public_at_once() -> None:
    scene = turn("Spyglass").play("Spyglass")
    assert scene.table["used"][scene.card("Spyglass")] == 1
    assert Event.PLAY in scene.events()
    assert int(scene.table["hand_size"][0]) == 0


@pytest.mark.parametrize("action", ["SWIM", "CO_OP"])
def test_rh_3_4_with_both_piles_empty_nothing_is_drawn(action: str) -> None:
    scene = turn().play(*WHOLE_ACTIONS[action])
    assert scene.hand(0) == []
    assert int(scene.table["hand_size"][0]) == 0
    assert Event.DRAW not in scene.events()
    assert Event.RESHUFFLE not in scene.events()
    assert scene.question == Question.TURN
    scene.play("END_TURN")


def test_rh_3_4_a_card_that_draws_may_be_played_with_both_piles_empty() -> None:
    scene = turn("Stepping Stone").play("Stepping Stone", "space 6")
    assert scene.position(0) == 6
    winded = turn("Second Wind")
    winded.table["dive_ready"][0] = 0
    winded.play("Second Wind")
    assert int(winded.table["dive_ready"][0]) == 1
    assert winded.hand(0) == []


def test_rh_3_4_no_card_is_lost_or_made() -> None:
    for players in (4, 9):
        for seed in range(3):
            game = Dealt(players, seed=seed)
            whole = cards_of(game)
            while not game.over:
                play_randomly(game, seed)
                assert cards_of(game) == whole


def cards_of(game: Scene) -> Counter[str]:
    left = game.game["deck"][: int(game.table["draw_pile"])]
    cards = Counter(game.card_names[int(kind)] for kind in left)
    cards += Counter(game.pile()) + Counter(game.pile("used"))
    for seat in range(game.num_players):
        assert int(game.table["hand_size"][seat]) == len(game.hand(seat))
        cards += Counter(game.hand(seat))
    assert game.hand(MAX_SEATS) == []
    return cards


# --- RH-3.5 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "other"), [("DIVE", "SWIM"), ("SWIM", "DIVE")])
def test_rh_3_5_an_exhausted_action_cannot_be_chosen(action: str, other: str) -> None:
    scene = turn()
    scene.table[f"{action.lower()}_ready"][0] = 0
    assert scene.refusal(action) == Refusal.EXHAUSTED
    assert scene.legal() & ACTIONS == {other, "CO_OP"}


@pytest.mark.parametrize("action", ["DIVE", "SWIM"])
def test_rh_3_5_an_action_stays_exhausted_on_later_turns(action: str) -> None:
    scene = Scene(SEATS[4], at=7).play(*WHOLE_ACTIONS[action], "END_TURN")
    for _ in range(3):
        assert action in scene.legal()
        scene.play("DIVE", "space 7", "END_TURN")
    assert scene.asked == 0
    assert scene.refusal(action) == Refusal.EXHAUSTED


def test_rh_3_5_with_both_exhausted_a_co_op_is_left() -> None:
    scene = turn()
    scene.table["dive_ready"][0] = scene.table["swim_ready"][0] = 0
    scene.table["marker_left"][0] = 0
    assert scene.legal() == {"CO_OP"}


def test_rh_3_5_a_co_op_makes_them_ready_again() -> None:
    scene = turn()
    scene.table["dive_ready"][0] = scene.table["swim_ready"][0] = 0
    scene.play(*WHOLE_ACTIONS["CO_OP"])
    assert int(scene.table["dive_ready"][0]) == int(scene.table["swim_ready"][0]) == 1


def test_rh_3_5_no_dive_without_a_face_down_tile_within_reach() -> None:
    scene = Scene(SEATS[7], at=1, tiles={1: 1, 2: 12}, up=[1, 2])
    assert scene.refusal("DIVE") == Refusal.NOTHING_FACE_DOWN_IN_REACH
    assert scene.legal() == {"SWIM", "CO_OP"}


@pytest.mark.parametrize("left", [6, 7, 8])
def test_rh_3_5_one_face_down_tile_within_reach_is_enough_for_a_dive(left: int) -> None:
    up = [space for space in (6, 7, 8) if space != left]
    scene = Scene(SEATS[7], at=7, tiles={6: 1, 7: 4, 8: 12}, up=up).play("DIVE")
    assert scene.legal() == {f"space {left}"}


def test_rh_3_5_a_tile_past_an_empty_space_is_enough_for_a_dive() -> None:
    scene = Scene(SEATS[5], layout="bends", at=4, tiles={3: 1, 4: 12, 6: 4}, up=[3, 4]).play("DIVE")
    assert scene.legal() == {"space 6"}


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
    assert scene.refusal("SWIM") == Refusal.NO_DESTINATION
    assert scene.legal() == {"DIVE", "CO_OP"}


def test_rh_3_5_no_uncover_without_a_face_down_tile_within_reach() -> None:
    scene = Scene(SEATS[7], at=1, tiles={1: 1, 2: 12}, up=[1, 2], hands={0: ["Spyglass"]})
    assert scene.refusal("UNCOVER") == Refusal.NOTHING_FACE_DOWN_IN_REACH


def test_rh_3_5_no_uncover_without_a_card() -> None:
    assert turn().refusal("UNCOVER") == Refusal.NO_CARD_TO_DISCARD


@COUNTS
def test_rh_3_5_a_co_op_can_always_be_chosen(players: int) -> None:
    scene = Scene(SEATS[players], at=3, tiles={2: 7, 3: 1, 4: 4}, up=[2, 3, 4])
    scene.table["swim_ready"][0] = scene.table["marker_left"][0] = 0
    assert scene.legal() == {"CO_OP"}
