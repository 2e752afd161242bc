"""RR-3: resolution, debts, clean-up, a defeated rat, starvation."""

from typing import Any

import pytest

from river_rats.scene import Scene
from riverbed_env.games.river_rats.rules.vocab import Category, Question, Suit, Winner

FILLERS = "8H 6C"  # the rest of the hand of the seat that plays the last card


def resolve(collective: str, last: str, **drawn: Any) -> Scene:
    """Seat 0 plays the last card and the hands resolve."""
    drawn = {"rat": "D", "waiting": "H", "pile": "KC", **drawn}
    return Scene(hands={0: f"{last} {FILLERS}"}, collective=collective, **drawn).play(last, "NO")


def players_win(collective: str, last: str, rat_up: str, **drawn: Any) -> bool:
    """Whether the first debt went onto the rat."""
    scene = resolve(collective, last, rat_up=rat_up, **drawn)
    assert (scene.rat_debt, scene.debt) in (({"KC"}, []), (set(), ["KC"]))
    return bool(scene.rat_debt)


PREDICTED = {
    "A": Category.STRAIGHT_FLUSH,
    "K": Category.FOUR,
    **dict.fromkeys("QJT", Category.FULL_HOUSE),
    **dict.fromkeys("9876", Category.FLUSH),
    **dict.fromkeys("5432", Category.STRAIGHT),
}


@pytest.mark.parametrize("rank", PREDICTED)
def test_rr_3_1_what_the_first_debt_predicts(rank: str) -> None:
    deck = f"2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC {rank}S"
    Scene.dealt(1, rats="H D", deck=deck).play("AH").expect(pile=[f"{rank}S"], predicted=PREDICTED[rank])


@pytest.mark.parametrize("rat_up", ["", "JH JS JD JC"])
def test_rr_3_1_a_hand_that_matches_turns_a_joker_up_win_or_lose(rat_up: str) -> None:
    resolve("3H 4S 5C 6D", "7S", pile="2S", rat_up=rat_up).expect(jokers=(1, 1, 0))
    resolve("3H 4S 5C 6D", "8S", pile="2S", rat_up=rat_up).expect(jokers=(2, 0, 0))


def test_rr_3_1_with_no_joker_left_nothing_happens() -> None:
    resolve("3H 4S 5C 6D", "7S", pile="2S", jokers=(0, 2, 0)).expect(jokers=(0, 2, 0))


@pytest.mark.parametrize(("prediction", "up"), [("exactly", 0), ("at_least_form", 1)])
def test_rr_3_1_exactly_the_best_category_or_at_least_formed(prediction: str, up: int) -> None:
    resolve("3S 4S 5S 6S", "7S", pile="9C", prediction=prediction).expect(jokers=(2 - up, up, 0))


def test_rr_3_1_the_face_down_card_counts() -> None:
    resolve("4S 5C 6D", "7S", pile="2S", rat="S", waiting="D", placed={1: "3H"}).expect(jokers=(1, 1, 0))


def test_rr_3_2_the_rats_face_down_cards_count() -> None:
    assert players_win("9S 9C 9D 4S", "4C", "2S 2C 5H 6H TH")
    assert not players_win("9S 9C 9D 4S", "4C", "2S 2C 5H 6H TH", rat_down="2D 2H")


def test_rr_3_2_the_active_rat_counts_and_the_waiting_one_does_not() -> None:
    assert not players_win("QS QC 9S 7S", "5C", "KS 2H 3H 4C 7D")
    assert players_win("QS QC QD 7S", "5C", "KS 2H 3H 4C 7D")  # three kings would beat them


def test_rr_3_2_a_joker_is_the_best_card() -> None:
    assert players_win("9S 9C 9D", "4C", "TS TC TD JH JS", jokers=(1, 0, 1))
    assert not players_win("9S 9C 2D", "4C", "TS TC TD JH JS", jokers=(1, 0, 1))


COMPARED = {
    "equal straights": ("3C 4S 5C 6D", "7S", "3S 4H 5S 6H 7D", False),
    "a higher straight": ("4C 5S 6S 7D", "8S", "3S 4H 5D 6H 7C", True),
    "flushes by the top card alone": ("2C 3C 4C 9C", "TC", "2S 5S 7S 8S TS", False),
    "full houses by the three": ("9S 9C 9D 3S", "3C", "8S 8C 8D QS QC", True),
    "kickers of a pair": ("QS QC AD 7S", "5C", "QH QD 9H 4S 3S", True),
    "the second pair": ("QS QC 9S 9C", "2C", "QH QD TH TS 3S", False),
    "the ace is low in A-5": ("AD 2C 3S 4C", "5S", "2D 3H 4S 5D 6H", False),
    "no straight round the ace": ("AD 2C 3S QC", "JS", "4S 4D 7H 9H TH", False),
}


@pytest.mark.parametrize("case", COMPARED)
def test_rr_3_3_comparison(case: str) -> None:
    collective, last, rat_up, won = COMPARED[case]
    assert players_win(collective, last, rat_up) == won


def test_rr_3_4_all_debt_goes_to_the_loser() -> None:
    resolve("9S 9C 9D 4S", "4C", pile="KC 2H").expect(rat_debt={"KC", "2H"})
    resolve("9S 7C 2D 4S", "5C", pile="KC 2H", rat_up="TS TC").expect(debt=["KC", "2H"])


def test_rr_3_4_five_debts_lose_the_game() -> None:
    four = {"debt": "3D 4D 5D 6D", "rat_up": "TS TC"}
    resolve("9S 7C 2D 4S", "5C", **four).expect(over=True, winner=Winner.RATS)
    resolve("9S 7C 2D 4S", "5C", debt="3D 4D 5D", rat_up="TS TC").expect(over=False)


def test_rr_3_4_more_than_five_debts_in_one_pile_defeat_a_rat() -> None:
    resolve("9S 9C 9D 4S", "4C", pile="KC 2H 3H 4H 5H 6H 7H").expect(defeated=Suit.DIAMONDS, rat_debt=set())


def test_rr_3_5_clean_up() -> None:
    drawn: dict[str, Any] = {"pile": "2S", "rat_up": "TS TH", "rat_down": "QS", "jokers": (1, 0, 1)}
    drawn["market"] = "2C 3C 5H"
    scene = resolve("9S 9C 9D", "4C", **drawn)
    scene.expect(
        discard={"9S", "9C", "9D", "4C", "TS", "TH", "QS"},
        hand={0: {*FILLERS.split()}},
        market={"2C", "3C", "5H"},
        jokers=(1, 0, 0),
    )
    assert (len(scene.rat_up), len(scene.rat_down), len(scene.pile)) == (5, 2, 1)


def test_rr_3_5_ordinary_kings_are_discarded_and_the_river_rat_stays() -> None:
    scene = resolve("9S 7C 2D 4S", "5C", rat_up="KS TC", pile="2C")
    assert "KS" in scene.discard
    assert (scene.rat, "KD" in scene.discard) == (Suit.DIAMONDS, False)


def test_rr_3_5_an_empty_deck_is_refilled_when_a_card_is_needed() -> None:
    scene = Scene(hands={0: "2S 3S"}, rest="discard")
    left = scene.discard
    scene.play("DRAW")
    assert (scene.discard, {*scene.deck} | scene.hand(0)) == (set(), left | {"2S", "3S"})
    last = Scene(hands={0: "2C 3S", 1: "4S 5S"}, deck="9C", discard="8C 7C", rest="out").play("DRAW")
    last.expect(deck=[], discard={"8C", "7C"})  # no card is needed yet
    last.play("9C", "NO", "DRAW").expect(discard=set())


def test_rr_3_5_with_both_empty_nothing_is_drawn() -> None:
    Scene(hands={0: "2S"}, rest="out").expect(question=Question.PLAY, legal={"2S"})


def test_rr_3_5_a_round_short_of_cards_has_no_debt_and_no_prediction() -> None:
    drawn: dict[str, Any] = {"rat": "D", "waiting": "S", "rat_up": "2S", "pile": "KC", "rest": "out"}
    scene = Scene(hands={0: "4C 8H 7C", 1: "9H TH JH"}, collective="9S 9C 9D 4S", **drawn).play("4C", "NO")
    assert (len(scene.rat_up), len(scene.rat_down), scene.pile) == (5, 1, [])  # all six cards of the last round
    scene.play("9H", "NO", "8H", "NO", "TH", "NO", "7C", "NO", "JH", "NO")  # a straight, which nothing predicted
    scene.expect(round=3, rat_debt={"KC"}, debt=[], jokers=(2, 0, 0))


def test_rr_3_6_a_defeated_rat() -> None:
    scene = resolve("9S 9C 9D 4S", "4C", rat_debt="3D 4D 5D 6D")
    scene.expect(defeated=Suit.DIAMONDS, rat=Suit.HEARTS, rat_debt=set())
    assert {"3D", "4D", "5D", "6D", "KC"} <= scene.discard
    scene.expect(over=False)


def test_rr_3_6_it_stays_in_the_second_rats_hand() -> None:
    assert players_win("QS QC 9S 7S", "5C", "2S 3H 6H 8D TD")
    assert not players_win("QS QC 9S 7S 3C", "5C", "2S 3H 6H 8D TD", rat="S", defeated="D")  # KS and KD


def test_rr_3_6_both_defeated_win() -> None:
    resolve("9S 9C 9D 4S", "4C", rat="D", defeated="S", rat_debt="3D 4D 5D 6D").expect(over=True, winner=Winner.PLAYERS)


def test_rr_3_7_a_seat_with_nothing_is_skipped() -> None:
    Scene(hands={1: "2S"}, rest="out").expect(asked=1, turn=2)


@pytest.mark.parametrize("mode", ["standard", "advanced"])
def test_rr_3_7_a_joker_is_compulsory_as_the_only_choice(mode: str) -> None:
    Scene(jokers=(1, 1, 0), rat_up="5C", rest="out", mode=mode).expect(asked=0, legal={"JOKER"})


def test_rr_3_7_an_expert_joker_does_not_feed_a_turn() -> None:
    Scene(hands={1: "2S"}, jokers=(1, 1, 0), mode="expert", rest="out").expect(asked=1, legal={"2S"})


def test_rr_3_7_a_hand_short_of_three_plays_what_it_has() -> None:
    Scene(hands={0: "2S"}, deck="9C", rest="out").play("DRAW").expect(question=Question.PLAY, legal={"2S", "9C"})


def test_rr_3_7_if_all_are_skipped_the_hands_resolve_as_they_lie() -> None:
    scene = Scene(collective="9S 9C", rat_up="2H 3C 4C 5D 7D 8D TH JS QC", pile="KC", rest="out")
    scene.expect(round=2, rat_debt={"KC"}, jokers=(2, 0, 0))


def test_rr_3_7_alone_one_skip_resolves() -> None:
    starved: dict[str, Any] = {"rat_up": "2H 3C 4C 5D 7D 8D TH JS QC", "pile": "KC", "rest": "out"}
    Scene("H", hands={0: "2D"}, **starved).play("2D", "NO").expect(round=2)


@pytest.mark.parametrize("prediction", ["exactly", "at_least_form"])
def test_rr_3_7_fewer_than_five_cards_meet_no_prediction(prediction: str) -> None:
    four = {"rat_up": "2H 3C 4C 5D 7D 8D TH JS QC", "pile": "KC", "rest": "out", "prediction": prediction}
    Scene(collective="9S 9C 9D 9H", **four).expect(round=2, rat_debt={"KC"}, jokers=(2, 0, 0))


def test_rr_3_7_a_new_round_and_a_turn_begin_a_new_count_of_skips() -> None:
    starved = {"collective": "9S 9C", "rat_up": "2H 3C 4C 5D 7D 8D TH JS QC", "pile": "KC", "rest": "out"}
    scene = Scene(**starved)  # all were skipped; what was discarded is the deck now
    scene.expect(round=2, skips=0, question=Question.DRAW)
    # A turn that is taken ends the row of skips.
    Scene("H S", hands={1: "2S 3S"}, rest="out").expect(asked=1, skips=0).play("2S", "NO").expect(asked=1, round=1)
