"""RR-1: the setup of the game and of a round."""

import pytest
from records import fill

from river_rats.scene import Scene
from riverbed_env.games.river_rats.rules import engine
from riverbed_env.games.river_rats.rules.vocab import Question, Suit

ACES = ("AH", "AS", "AC", "AD")
TOP = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH 2S 3S 4S 5S 6S"


def begun(num_players: int = 1, **options: str) -> Scene:
    """A game in which the aces are chosen."""
    return Scene.dealt(num_players, **options).play(*ACES[:num_players])


def test_rr_1_1_aces_are_chosen_in_seat_order() -> None:
    scene = Scene.dealt(4)
    for seat, ace in enumerate(ACES):
        scene.expect(asked=seat, question=Question.ACE, legal={*ACES[seat:]}).play(ace)
    scene.expect(asked=0)  # seat 0 begins


@pytest.mark.parametrize(("num_players", "deck"), [(1, 49), (2, 48), (3, 47), (4, 46)])
def test_rr_1_1_the_size_of_the_deck(num_players: int, deck: int) -> None:
    scene = begun(num_players)
    assert len(scene.deck) == deck - 2 * num_players - 3 - 8  # hands, market, the rat's seven and the first debt
    assert [len(scene.hand(seat)) for seat in range(num_players)] == [2] * num_players
    assert len(scene.market) == 3
    scene.expect(jokers=(2, 0, 0))


def test_rr_1_1_the_first_rat_is_active_and_left_over_kings_and_aces_are_ordinary() -> None:
    scene = begun(rats="H D").expect(rat=Suit.HEARTS, defeated=Suit.NONE)
    held = {*scene.deck, *scene.hand(0), *scene.market, *scene.rat_up, *scene.rat_down, *scene.pile}
    assert {"AS", "AC", "AD", "KS", "KC"} <= held
    assert not {"AH", "KH", "KD"} & held


def test_rr_1_2_the_order_of_the_round_setup() -> None:
    scene = begun(rats="S H", deck=TOP)
    scene.expect(
        hand={0: {"2H", "3H"}},
        market={"4H", "5H", "6H"},
        rat_up={"7H", "8H", "9H", "TH", "JH"},
        rat_down=["QH", "2S"],
        pile=["3S"],
        collective=set(),
    )


def test_rr_1_2_the_diamonds_card_comes_last_and_the_clubs_cards_before_the_debt() -> None:
    begun(rats="D H", deck=TOP).expect(pile=["3S"], collective={"4S"})
    begun(rats="C H", deck=TOP).expect(rat_down=["QH", "2S", "3S", "4S"], pile=["5S"])


def test_rr_1_1_nothing_is_left_of_what_the_record_held_before() -> None:
    fresh, used = (Scene.dealt(2) for _ in range(2))
    fill(used.games, 1)  # as no game leaves it
    for scene in (fresh, used):
        engine.reset(scene.game, scene.params, 5, 9)
    for name in fresh.games.dtype.names or ():
        assert fresh.games[name].tobytes() == used.games[name].tobytes(), name
