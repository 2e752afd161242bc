"""RR-4: the River Rats' abilities and bonuses."""

from typing import Any

import pytest

from river_rats.scene import Scene, as_set, names, numbers
from riverbed_env.games.river_rats.rules.piles import lose_top_debt
from riverbed_env.games.river_rats.rules.vocab import Question, Refusal

WINNING, LOSING = "9S 9C 9D 4S", "9S 7C 2D 5S"
OWED = "3D 4D 5D 6D"


def resolve(collective: str, **drawn: Any) -> Scene:
    """Seat 0 plays the four of clubs as fifth card against a pair of tens."""
    drawn = {"rat_up": "TS TC", "pile": "KC", **drawn}
    return Scene(hands={0: "4C 8H 6C"}, collective=collective, **drawn).play("4C", "NO")


def defeat(rat: str, waiting: str, **drawn: Any) -> Scene:
    """The first rat is defeated."""
    return resolve(WINNING, rat=rat, waiting=waiting, rat_debt=OWED, **drawn)


def test_rr_4_1_hearts_one_more_debt_when_the_rat_wins_laid_last() -> None:
    resolve(LOSING, deck="8C").expect(debt=["KC", "8C"])
    resolve(LOSING, debt="3D 4D 5D", deck="8C").expect(over=True)
    resolve(WINNING, deck="8C").expect(rat_debt={"KC"})
    resolve(LOSING, deck="8C", mode="first_game").expect(debt=["KC"])
    resolve(LOSING, deck="8C", rat="S", defeated="H").expect(debt=["KC"])  # only the active rat's


def test_rr_4_1_hearts_bonus_takes_the_top_debt_back() -> None:
    scene = defeat("H", "D", debt="3S QH").expect(debt=["3S"])
    assert "QH" in scene.discard
    defeat("H", "D").expect(debt=[])


def test_rr_4_1_a_debt_taken_back_is_no_longer_one_that_lay_open() -> None:
    scene = Scene(debt="3S QH")
    scene.table["debt_seen"] = as_set(numbers("3S QH"))
    lose_top_debt(scene.game)
    assert names(scene.table["debt_seen"]) == {"3S"}


def test_rr_4_1_spades_the_first_card_lies_face_down_and_triggers_nothing() -> None:
    scene = Scene(rat="S", hands={0: "2H 3S 4C"}, jokers=(1, 1, 0)).expect(refusal={"JOKER": Refusal.JOKER_TOO_EARLY})
    scene.play("2H").expect(asked=1, question=Question.DRAW, collective=set())
    assert int(scene.table["placer"]) == 0
    scene.expect(refusal={"JOKER": Refusal.OK})  # the second seat may use one


def test_rr_4_1_spades_the_face_down_card_cannot_be_swapped() -> None:
    scene = Scene(rat="S", waiting="H", hands={0: "2D 3S 4C"}, placed={1: "3H"}).play("2D")
    scene.expect(refusal={"ACT": Refusal.NOTHING_FOR_THE_ACTION})
    both = Scene(rat="S", waiting="H", hands={0: "2D 3S 4C"}, placed={1: "3H"}, collective="9C").play("2D", "ACT")
    both.expect(legal={"9C"})


def test_rr_4_1_spades_bonus_is_a_market_of_four_at_once() -> None:
    assert len(defeat("S", "D", market="2C 3C 5H").market) == 4
    assert len(defeat("H", "D", market="2C 3C 5H").market) == 3


@pytest.mark.parametrize(
    ("rat", "mode", "down"),
    [
        ("H", "standard", 2),
        ("S", "standard", 2),
        ("D", "standard", 2),
        ("C", "standard", 4),
        ("C", "first_game", 2),
        ("C", "advanced", 5),
        ("C", "expert", 6),
    ],
)
def test_rr_4_1_clubs_two_more_face_down_cards(rat: str, mode: str, down: int) -> None:
    scene = Scene.dealt(1, rats=f"{rat} {'H' if rat != 'H' else 'S'}", mode=mode).play("AH")
    assert len(scene.rat_down) == down


def test_rr_4_1_clubs_as_the_second_rat() -> None:
    assert len(defeat("S", "C", pile="KD").rat_down) == 4


@pytest.mark.parametrize(("mode", "down"), [("first_game", 1), ("standard", 1), ("advanced", 2), ("expert", 3)])
def test_rr_4_1_clubs_bonus_is_one_fewer_in_every_later_hand(mode: str, down: int) -> None:
    hand: dict[str, Any] = {"hands": {0: "4C 8H 6C"}, "rat_up": "TS TC", "pile": "9H", "mode": mode}
    first = Scene("H S D", rat="C", waiting="S", collective=WINNING, rat_debt=OWED, **hand).play("4C", "NO")
    assert len(first.rat_down) == down
    later = Scene("H S D", rat="S", defeated="C", collective=WINNING, **hand).play("4C", "NO")
    assert len(later.rat_down) == down


def test_rr_4_1_diamonds_deals_the_first_collective_card_which_may_be_swapped() -> None:
    deck = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH 2S 3S 4S 2D"
    scene = Scene.dealt(1, rats="D H", deck=deck).play("AH").expect(collective={"4S"}, question=Question.DRAW)
    scene.play("DRAW", "2D", "ACT").expect(legal={"4S"})
    Scene.dealt(1, rats="D H", mode="first_game").play("AH").expect(collective=set())


def test_rr_4_1_diamonds_bonus_is_the_best_five_of_six() -> None:
    six: dict[str, Any] = {"rat": "H", "defeated": "D", "collective": "3H 5S 6D 7S KS", "pile": "KC"}
    # A straight from three to seven beats kings and tens.
    Scene(hands={0: "4C 8H 6C"}, rat_up="TS TC 2H 5D", **six).play("4C", "NO").expect(rat_debt={"KC"})


def test_rr_4_1_a_joker_among_six() -> None:
    six: dict[str, Any] = {"rat": "H", "defeated": "D", "jokers": (0, 1, 1), "pile": "KC"}
    scene = Scene(hands={0: "4C 8H 6C"}, collective="3H 3S 3D KS", rat_up="TS TC TH 2D", **six).play("4C", "NO")
    scene.expect(rat_debt={"KC"})  # four threes with the joker beat the rat's full house
    Scene(hands={0: "4C 8H 6C"}, collective="3H 3S 3D", **six).play("4C", "NO").expect(rat_debt=set())
