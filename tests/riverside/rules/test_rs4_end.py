"""RS-4: the end of the game, final scores and who wins."""

from collections.abc import Sequence

import pytest

from riverbed_env.games.riverside.rules.scoring import band
from riverside.scene import COLOURS, Scene, Sheet

BANDS = (200, 225, 250, 275, 300, 325, 350, 375, 400)


def ended(*sheets: Sheet, extension: bool = False) -> Scene:
    """A game that ends on the next roll, with these sheets."""
    drawn = dict(enumerate(sheets))
    ship = 38 if extension else 32
    scene = Scene(len(sheets), sheets=drawn, ship=ship, phase="excursions", extension=extension)
    scene.play(*["stay"] * len(sheets))
    assert scene.over
    return scene


def points(white: int = 0, church: int = 0) -> Sheet:
    """A sheet with excursion points of the white and the stave church boat."""
    return Sheet(last={"white": white, "church": church})


def test_rs_4_1_boat_points_are_tickets_and_excursions() -> None:
    drawn = Sheet(crossed={"white": (6, 5, 0, 2)}, last={"white": 18}, total={"white": 33})
    Scene(sheets={0: drawn}).expect(boat_points={"white": 9 + 6 + 33})


def test_rs_4_1_captain_points_are_the_church_and_the_lowest_boat() -> None:
    totals = {"white": 40, "yellow": 31, "brown": 22, "blue": 50, "pink": 23}
    scene = Scene(sheets={0: Sheet(last={**totals, "church": 20})})
    scene.expect(captain_points=20 + 22, subtotal=sum(totals.values()) + 42)


def test_rs_4_1_the_lowest_boat_counts_with_its_tickets() -> None:
    crossed = {"white": (6, 5, 4, 3), "yellow": (3, 4, 5, 6), "brown": (6, 5, 4, 3), "blue": (3, 4, 5, 6)}
    scene = Scene(sheets={0: Sheet(crossed={**crossed, "pink": (3, 4, 0, 0)})})
    scene.expect(captain_points=2 + 4, subtotal=4 * 21 + 6 + 6)


@pytest.mark.parametrize(
    ("captains", "rewards"),
    [
        ((30, 20), (15, -15)),
        ((20, 20), (0, 0)),
        ((30, 20, 10), (15, 0, -15)),
        ((30, 30, 10), (15, 15, -15)),
        ((30, 10, 10), (15, -15, -15)),
        ((20, 20, 20), (0, 0, 0)),
        ((10, 30, 20, 20, 10, 30), (-15, 15, 0, 0, -15, 15)),
    ],
)
def test_rs_4_1_most_and_fewest_captain_points(captains: Sequence[int], rewards: Sequence[int]) -> None:
    scene = ended(*(points(church=captain) for captain in captains))
    assert scene.table["captain"][: len(captains)].tolist() == list(captains)
    finals = [scene.final(seat) for seat in range(len(captains))]
    assert finals == [captain + reward for captain, reward in zip(captains, rewards, strict=True)]


@pytest.mark.parametrize(("captain", "reward"), [(51, 15), (50, 15), (49, -15), (0, -15)])
def test_rs_4_1_alone_fifty_captain_points_are_enough(captain: int, reward: int) -> None:
    ended(points(church=captain)).expect(final=captain + reward)


def test_rs_4_1_the_final_score() -> None:
    last = {"white": 18, "yellow": 11, "brown": 12, "blue": 7, "pink": 21}
    ended(Sheet(crossed={"white": (6, 0, 0, 0)}, last=last)).expect(final=(9 + 18 + 11 + 12 + 7 + 21) + 7 - 15)


def test_rs_4_1_stave_church_points_count_once() -> None:
    every = dict.fromkeys(COLOURS, 10)
    ended(Sheet(last={**every, "church": 40})).expect(final=50 + (40 + 10) + 15)


def test_rs_4_1_the_highest_final_score_wins() -> None:
    ended(points(white=50), points(white=100), points(white=99)).expect(winners={1})
    ended(points(white=100), points(church=20)).expect(winners={0})  # with fewer captain points


def test_rs_4_1_captain_points_break_a_tie() -> None:
    scene = ended(points(church=10, white=25), points(church=20), points())
    assert [scene.final(seat) for seat in range(3)] == [35, 35, -15]
    scene.expect(winners={1})


def test_rs_4_1_what_is_still_tied_is_shared() -> None:
    ended(points(church=20), points(), points(church=20)).expect(winners={0, 2})
    ended(points(), points()).expect(winners={0, 1})


@pytest.mark.parametrize(
    ("white", "extension", "won"), [(235, False, True), (234, False, False), (260, True, True), (259, True, False)]
)
def test_rs_4_1_alone_it_is_won_at_three_hundred(white: int, extension: bool, won: bool) -> None:
    # Nothing is taken off the score itself.
    scene = ended(points(white=white, church=50), extension=extension)
    scene.expect(final=white + 50 + 15, winners={0} if won else set())


def test_rs_4_1_nothing_is_taken_off_between_players() -> None:
    scene = ended(points(white=90, church=20), points(church=10), extension=True)
    assert [scene.final(seat) for seat in range(2)] == [90 + 20 + 15, 10 - 15]


@pytest.mark.parametrize("extension", [False, True])
def test_rs_4_1_bands(extension: bool) -> None:
    params = Scene(extension=extension).params
    off = 25 if extension else 0
    assert band(params, off) == 0
    for number, mark in enumerate(BANDS, start=1):
        assert (band(params, mark + off - 1), band(params, mark + off)) == (number - 1, number)
