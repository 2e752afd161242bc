"""RR-2: a turn, the market, suit actions and player powers."""

from typing import Any

from river_rats.scene import Scene
from riverbed_env.games.river_rats.rules.vocab import Question, Refusal

FULL_MARKET = "3S 5S 6S 7S 8S 9S"


def test_rr_2_1_a_hand_is_drawn_up_to_three_then_a_card_is_played() -> None:
    scene = Scene(hands={0: "2S"}, market="3S 4S 5S", deck="9C").expect(legal={"3S", "4S", "5S", "DRAW"})
    scene.play("DRAW", "3S").expect(question=Question.PLAY)
    assert scene.legal() == {"2S", "3S", "9C"} == scene.hand(0)
    scene.play("9C").expect(question=Question.ACTION, collective={"9C"}, legal={"NO", "ACT"})


def test_rr_2_1_a_joker_instead_of_all_that() -> None:
    scene = Scene(hands={0: "2S"}, market="3S 4S 5S", jokers=(1, 1, 0)).allows("JOKER")
    scene.play("JOKER").expect(asked=1, hand={0: {"2S"}}, jokers=(1, 0, 1))


def test_rr_2_1_no_joker_after_a_draw_and_one_in_a_collective_hand() -> None:
    scene = Scene(hands={0: "2S"}, market="3S 4S 5S", deck="9C TC", jokers=(1, 1, 0)).play("DRAW")
    scene.expect(refusal={"JOKER": Refusal.JOKER_AFTER_DRAW}).play("DRAW").expect(legal={"2S", "9C", "TC"})
    Scene(hands={0: "2S 3C 4C"}, jokers=(0, 1, 1)).expect(refusal={"JOKER": Refusal.JOKER_USED})
    Scene(hands={0: "2S 3C 4C"}, jokers=(1, 1, 0)).expect(legal={"2S", "3C", "4C", "JOKER"})


def test_rr_2_1_a_joker_where_nothing_can_be_drawn() -> None:
    Scene(hands={0: "2S"}, jokers=(1, 1, 0), rest="out").expect(legal={"2S", "JOKER"})


def test_rr_2_1_a_joker_counts_as_a_card_of_the_collective_hand() -> None:
    Scene(hands={0: "2S 3C 4C"}, collective="5C 6D 9S TS", pile="KC", jokers=(1, 1, 0)).play("JOKER").expect(round=2)


def test_rr_2_2_the_market_is_refilled_after_each_take() -> None:
    scene = Scene(hands={0: "2C"}, market="3S 4S 5S", deck="6S 7S").play("3S").expect(market={"4S", "5S", "6S"})
    scene.play("4S").expect(market={"5S", "6S", "7S"})


def test_rr_2_2_a_market_of_three_or_more_is_not_refilled() -> None:
    Scene(hands={0: "2C"}, market="3S 4S 5S 6S").play("3S").expect(market={"4S", "5S", "6S"})


def test_rr_2_2_a_market_left_short_stays_short_until_the_next_take() -> None:
    scene = Scene(hands={0: "2C 3C 4C"}, market="3S", deck="5S 6S 7S 8S").play("2C", "NO", "DRAW").expect(market={"3S"})
    scene.play("3S").expect(market={"6S", "7S", "8S"})


def test_rr_2_2_a_discard_from_the_hand_refills_a_short_market_too() -> None:
    scene = Scene(hands={0: "2S 3H 4C"}, market="5C", rest="out").play("2S", "ACT", "3H")
    scene.expect(market={"5C", "3H"}, discard=set())  # the only card that is left, just discarded


def test_rr_2_2_the_spades_bonus_refills_to_four() -> None:
    scene = Scene(rat="H", defeated="S", hands={0: "2C"}, market="3S 4S 5S 6S", deck="7S").play("3S")
    scene.expect(market={"4S", "5S", "6S", "7S"})


def test_rr_2_2_the_market_holds_six_cards_at_most() -> None:
    Scene(hands={0: "2C 3D 4D"}, market=FULL_MARKET).play("2C").expect(refusal={"ACT": Refusal.NOTHING_FOR_THE_ACTION})
    power = Scene(hands={2: "2C 3D 4D"}, market="3S 5S 6S 7S 8S", active=2).play("2C", "POWER", "3D")
    assert (len(power.market), power.asked) == (6, 0)


def test_rr_2_3_hearts_lays_a_card_onto_the_debt() -> None:
    Scene(hands={0: "2H 3S 4S"}, pile="9S", deck="5C").play("2H", "ACT").expect(pile=["9S", "5C"], asked=1)


def test_rr_2_3_spades_discards_from_hand_or_market() -> None:
    scene = Scene(hands={0: "2S 3H 4C"}, market="5C 6C 7C", deck="8C").play("2S", "ACT")
    scene.expect(legal={"3H", "4C", "5C", "6C", "7C"})
    scene.play("5C").expect(market={"6C", "7C", "8C"}, discard={"5C"}, asked=1)
    hand = Scene(hands={0: "2S 3H 4C"}, market="5C 6C 7C").play("2S", "ACT", "3H")
    hand.expect(market={"5C", "6C", "7C"}, hand={0: {"4C"}}, discard={"3H"})


def test_rr_2_3_clubs_puts_a_card_into_the_market() -> None:
    scene = Scene(hands={0: "2C 3S 4S"}, market="5C 6C 7C").play("2C", "ACT").expect(legal={"3S", "4S"})
    scene.play("3S").expect(market={"3S", "5C", "6C", "7C"}, hand={0: {"4S"}}, asked=1)


def test_rr_2_3_clubs_alone_takes_the_card_from_the_deck() -> None:
    scene = Scene("H", hands={0: "2C 3S 4S"}, market="5C 6C 7C", deck="8C").play("2C", "ACT")
    scene.expect(market={"5C", "6C", "7C", "8C"}, hand={0: {"3S", "4S"}})


def test_rr_2_3_diamonds_swaps_another_card_with_one_of_the_hand() -> None:
    scene = Scene(hands={0: "2D 3S 4S"}, collective="9H TH").play("2D", "ACT").expect(legal={"9H", "TH"})
    scene.play("9H").expect(legal={"3S", "4S"})
    # The spade that comes in triggers nothing.
    scene.play("3S").expect(collective={"2D", "3S", "TH"}, hand={0: {"4S", "9H"}}, asked=1, question=Question.DRAW)


def test_rr_2_3_a_joker_is_not_swapped() -> None:
    Scene(hands={0: "2D 3S 4S"}, jokers=(0, 1, 1)).play("2D").expect(legal={"NO"})


def test_rr_2_4_hearts_turns_a_card_up_and_then_may_add_debt() -> None:
    scene = Scene(hands={0: "2H 3S 4S"}, rat_up="5C", rat_down="9C TC", pile="9S", deck="8C").play("2H", "POWER")
    scene.expect(rat_up={"5C", "9C"}, rat_down=["TC"], legal={"NO", "DEBT"}).play("DEBT").expect(pile=["9S", "8C"])


def test_rr_2_4_the_hearts_power_needs_a_face_down_card() -> None:
    scene = Scene(hands={0: "2H 3S 4S"}, rat_up="5C", pile="9S").play("2H")
    scene.expect(refusal={"POWER": Refusal.NOTHING_FOR_THE_ACTION, "ACT": Refusal.OK})


def test_rr_2_4_the_hearts_power_without_a_card_for_the_debt() -> None:
    scene = Scene(hands={0: "2H 3S 4S"}, rat_down="9C", rest="out").play("2H").expect(legal={"NO", "POWER"})
    scene.play("POWER").expect(legal={"NO"})


def test_rr_2_4_spades_discards_any_number_from_one_zone() -> None:
    scene = Scene(hands={1: "2S 3H 4C"}, market="5C 6C 7C", deck="8C 9C TC", active=1).play("2S", "POWER", "5C")
    scene.expect(legal={"6C", "7C", "NO"})  # one zone; what is refilled can't go
    scene.play("6C", "NO").expect(market={"7C", "8C", "9C"}, discard={"5C", "6C"}, asked=2)


def test_rr_2_4_spades_discards_at_least_one_of_the_hand() -> None:
    scene = Scene(hands={1: "2S 3H 4C"}, market="5C 6C 7C", active=1).play("2S", "POWER").refuses("NO").play("3H")
    scene.expect(legal={"4C", "NO"}).play("4C").expect(asked=2)  # the hand is gone, so nothing more is asked


def test_rr_2_4_spades_may_discard_the_whole_market() -> None:
    scene = Scene(hands={1: "2S 3H 4C"}, market="5C 6C", deck="8C 9C TC", active=1).play("2S", "POWER", "5C", "6C")
    scene.expect(market={"8C", "9C", "TC"}, asked=2)


def test_rr_2_4_clubs_puts_up_to_two_cards_into_the_market() -> None:
    scene = Scene(hands={2: "2C 3H 4S"}, market="5C 6C 7C", active=2).play("2C", "POWER", "3H")
    scene.expect(legal={"4S", "NO"}).play("4S").expect(market={"3H", "4S", "5C", "6C", "7C"})
    one = Scene(hands={2: "2C 3H 4S"}, market="5C 6C 7C", active=2).play("2C", "POWER", "3H", "NO")
    one.expect(market={"3H", "5C", "6C", "7C"}, hand={2: {"4S"}})


def test_rr_2_4_clubs_alone_takes_them_from_the_deck() -> None:
    scene = Scene("C", hands={0: "2C 3H 4S"}, market="5C 6C 7C", deck="8C 9C").play("2C", "POWER")
    scene.expect(market={"5C", "6C", "7C", "8C"}, legal={"DRAW", "NO"})
    scene.play("DRAW").expect(market={"5C", "6C", "7C", "8C", "9C"})


def test_rr_2_4_diamonds_swaps_with_the_market() -> None:
    scene = Scene("D S C", rat="H", waiting="S", hands={0: "2D 3S 4S"}, collective="9H", market="5C 6C 7C")
    scene.play("2D", "POWER", "9H").expect(legal={"5C", "6C", "7C"})
    scene.play("5C").expect(market={"6C", "7C", "9H"}, collective={"2D", "5C"}, hand={0: {"3S", "4S"}})


def test_rr_2_4_a_power_needs_the_own_suit() -> None:
    Scene(hands={0: "2S 3S 4S"}).play("2S").expect(refusal={"POWER": Refusal.NOT_THE_OWN_SUIT})


def test_rr_2_5_five_cards_resolve_and_turn_order_goes_on() -> None:
    Scene(hands={1: "9C 3H 4H"}, collective="2S 3C 4D", pile="9S", active=1).play("9C", "NO").expect(round=1, asked=2)
    five = Scene(hands={1: "9C 3H 4H"}, collective="2S 3C 4D 5S", pile="9S", active=1).play("9C", "NO")
    five.expect(round=2, asked=2)


def test_rr_2_5_the_last_cards_action_comes_before_the_resolution() -> None:
    hand = {0: "9H 3C 4C"}
    scene = Scene(rat="D", waiting="C", hands=hand, collective="2S 3D 4D 5S", rat_up="TS TC", pile="9S", deck="8C")
    scene.play("9H", "ACT").expect(debt=["9S", "8C"])


def test_rr_2_5_six_cards_with_the_diamonds_bonus() -> None:
    hand = {0: "9C 3H 4H"}
    Scene(rat="H", defeated="D", hands=hand, collective="2S 3C 4D 5S", pile="9S").play("9C", "NO").expect(round=1)
    Scene(rat="H", defeated="D", hands=hand, collective="2S 3C 4D 5S 7S", pile="9S").play("9C", "NO").expect(round=2)


def test_rr_2_6_an_action_without_an_object_is_not_offered() -> None:
    Scene(hands={0: "2D 3S 4S"}).play("2D").expect(legal={"NO"})
    Scene(hands={0: "2S"}, rest="out").play("2S").expect(legal={"NO"})


def test_rr_2_6_hearts_needs_a_card_for_the_debt() -> None:
    Scene(hands={0: "2H 3S 4S"}, rest="out").play("2H").expect(legal={"NO"})
    Scene(hands={0: "2H 3S 4S"}, rest="discard").play("2H").expect(legal={"NO", "ACT"})


def test_rr_2_6_the_diamonds_action_needs_a_hand_and_the_power_a_market() -> None:
    drawn: dict[str, Any] = {"rat": "H", "waiting": "S", "collective": "9H", "rest": "out"}
    Scene("D C", hands={0: "2D 3S 4S"}, **drawn).play("2D").expect(legal={"NO", "ACT"})
    empty = Scene("D C", hands={0: "2D"}, market="5C 6C 7C 8C", **drawn)  # the hand is filled, then discarded
    empty.play("5C", "6C", "2D").expect(legal={"NO", "ACT", "POWER"})


def test_rr_2_6_the_lowest_slot_is_one_action() -> None:
    cards = {"rat_up": "5C", "rat_down": "9C TC JC", "deck": "2C 3C"}
    scene = Scene(mode="advanced", hands={0: "2S 3S 4S"}, jokers=(1, 1, 0), **cards).play("JOKER")
    scene.expect(legal={"5C", "HIDDEN"}).play("HIDDEN").expect(discard={"9C"}, rat_down=["TC", "JC", "2C", "3C"])


def test_rr_2_6_alone_the_clubs_action_needs_a_card_to_draw() -> None:
    cards = {0: "2C 3S 4S"}
    Scene("H", hands=cards, rest="out").play("2C").expect(legal={"NO"})
    Scene("H", hands=cards, rest="discard").play("2C").expect(legal={"NO", "ACT"})
    Scene("H S", hands=cards, rest="out").play("2C").expect(legal={"NO", "ACT"})
