"""RR-5: the modes and what a joker does in them; RR-7: who decides for all."""

from typing import Any

import pytest

from river_rats.scene import Scene
from riverbed_env.games.river_rats.rules.vocab import Question, Refusal, Winner

EXPERT: dict[str, Any] = {"mode": "expert", "jokers": (1, 1, 0), "rat_up": "TS TC", "pile": "KC"}


def at_resolution(deck: str, collective: str = "3H 4S 5C 9D", **drawn: Any) -> Scene:
    """Expert mode: seat 0 has played the fifth card; a joker may be used."""
    drawn = {**EXPERT, **drawn}
    return Scene(hands={0: "7S 8H 6C"}, collective=collective, deck=deck, **drawn).play("7S", "NO")


def test_rr_5_1_first_game_has_no_powers_and_no_abilities() -> None:
    scene = Scene(mode="first_game", rat="S", hands={0: "2H 3S 4C"}, rat_down="5C").play("2H")
    scene.expect(question=Question.ACTION, collective={"2H"}, refusal={"POWER": Refusal.NO_POWERS})
    assert len(Scene.dealt(1, rats="C H", mode="first_game").play("AH").rat_down) == 2


def test_rr_5_1_bonuses_apply_in_the_first_game() -> None:
    scene = Scene(mode="first_game", rat="H", defeated="S", hands={0: "2C"}, market="3S 4S 5S 6S").play("3S")
    assert len(scene.market) == 4


@pytest.mark.parametrize(("mode", "down"), [("first_game", 2), ("standard", 2), ("advanced", 3), ("expert", 4)])
def test_rr_5_1_face_down_cards_by_mode(mode: str, down: int) -> None:
    assert len(Scene.dealt(1, rats="H D", mode=mode).play("AH").rat_down) == down


def advanced(**drawn: Any) -> Scene:
    """Advanced mode, a joker face-up, seat 0 to play."""
    cards = {"hands": {0: "2S 3S 4S"}, "rat_up": "5C 6C", "rat_down": "9C TC JC", "jokers": (1, 1, 0)}
    return Scene(mode="advanced", **{**cards, **drawn})


def test_rr_5_1_an_advanced_joker_takes_a_turn_and_fills_no_slot() -> None:
    scene = advanced(collective="7H 8H 9H TD").play("JOKER", "5C")
    scene.expect(round=1, asked=1, question=Question.DRAW, hand={0: {"2S", "3S", "4S"}}, jokers=(1, 0, 1))


def test_rr_5_1_it_removes_one_of_the_rats_cards_for_two_face_down() -> None:
    scene = advanced(deck="2C 3C").play("JOKER").expect(legal={"5C", "6C", "HIDDEN"})  # not the River Rat
    scene.play("5C").expect(rat_up={"6C"}, rat_down=["9C", "TC", "JC", "2C", "3C"], discard={"5C"})


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_rr_5_1_the_next_player_removes_the_card(seat: int) -> None:
    scene = advanced(active=seat, hands={seat: "2S 3S 4S"}).play("JOKER")
    assert (scene.question, scene.asked) == (Question.REMOVE, (seat + 1) % 3)


def test_rr_5_1_one_advanced_joker_per_hand_and_none_as_the_spades_rats_first_card() -> None:
    advanced(jokers=(0, 1, 1)).expect(refusal={"JOKER": Refusal.JOKER_USED})
    advanced(rat="S").expect(refusal={"JOKER": Refusal.JOKER_TOO_EARLY})


def test_rr_5_1_an_advanced_joker_leaves_the_game_at_clean_up() -> None:
    advanced(jokers=(1, 0, 1), collective="7H 8H 9D TD", pile="2D").play("2S", "NO").expect(round=2, jokers=(1, 0, 0))


def test_rr_5_1_expert_jokers_only_at_resolution() -> None:
    Scene(hands={0: "7S 8H 6C"}, **EXPERT).expect(refusal={"JOKER": Refusal.JOKER_AT_RESOLUTION})
    at_resolution("2C").expect(legal={"JOKER", "NO"})
    at_resolution("2C", jokers=(2, 0, 0)).expect(question=Question.DRAW)


def test_rr_5_2_cards_are_revealed_one_at_a_time_at_least_one() -> None:
    scene = at_resolution("2C 8C 9C").play("JOKER")
    scene.expect(revealed={"2C"}, question=Question.REVEAL_MORE, legal={"DRAW", "NO"})
    scene.play("DRAW").expect(revealed={"2C", "8C"}).play("NO").expect(round=2)


def test_rr_5_2_the_prediction_counts_the_revealed_cards_and_the_joker_serves_later() -> None:
    at_resolution("6D", pile="2S").play("JOKER", "NO").expect(round=2, jokers=(0, 1, 0))


def test_rr_5_2_the_comparison_counts_the_revealed_cards() -> None:
    assert at_resolution("6D").play("NO").debt[0] == "KC"
    at_resolution("6D").play("JOKER", "NO").expect(rat_debt={"KC"})


def test_rr_5_2_a_bust() -> None:
    scene = at_resolution("2C 2H 8C").play("JOKER", "DRAW")
    assert {"2C", "2H"} <= scene.discard
    assert scene.debt[:2] == ["8C", "KC"]  # then the hand is lost


def test_rr_5_2_only_the_active_rats_suit_busts() -> None:
    scene = at_resolution("2H 2S 9H 8C", rat="S", defeated="H", collective="3H 4S 5C 9D").play("JOKER")
    scene.expect(revealed={"2H"}, question=Question.REVEAL_MORE)
    assert "8C" not in scene.play("DRAW").discard


def test_rr_5_2_a_bust_may_shuffle_what_it_discarded() -> None:
    scene = at_resolution("2C 2H", rest="out").play("JOKER", "DRAW")
    assert scene.debt[0] in {"2C", "2H"}


def test_rr_5_2_revealing_ends_when_no_card_is_left() -> None:
    at_resolution("2C", rest="out").play("JOKER").expect(round=2)


def test_rr_5_2_no_joker_without_a_card_to_reveal() -> None:
    at_resolution("", rest="out").expect(round=2, jokers=(1, 1, 0))


def test_rr_5_2_a_fifth_debt_by_a_bust_loses_before_comparison() -> None:
    scene = at_resolution("2H 8C", debt="3D 4D 5D 6D").play("JOKER")
    scene.expect(winner=Winner.RATS, debt=["3D", "4D", "5D", "6D", "8C"], pile=["KC"])


def test_rr_7_1_the_next_player_decides() -> None:
    advanced().play("JOKER").expect(asked=1)
    scene = at_resolution("2C 8C").expect(asked=1, question=Question.USE_JOKER)
    assert (scene.play("JOKER").asked, scene.question) == (1, Question.REVEAL_MORE)
