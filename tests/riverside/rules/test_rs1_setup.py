"""RS-1: the river tiles, the route and its passages."""

import pytest
from records import fill

from riverbed_env.games.riverside.content.pack import load_pack
from riverbed_env.games.riverside.rules import engine
from riverside.scene import Scene

NO_PASSAGE = 12  # a tile of the extension
NORTH = (2, 5, 8, 11, 14)  # middle spaces by column, west to east
SOUTH = (31, 28, 25, 22, 19)


def deals(extension: bool) -> list[list[int]]:
    """The tiles by place of many deals."""
    scene = Scene(extension=extension)
    tiles = []
    for number in range(200):
        engine.reset(scene.game, scene.params, 1, number)
        tiles.append(scene.table["tile"].tolist())
    return tiles


def distances(ship: int, **drawn: object) -> dict[int, int]:
    """Steps from the ship to each village, by place."""
    scene = Scene(ship=ship, **drawn)  # type: ignore[arg-type]  # what a Scene takes
    return {place: scene.distance(place) for place in range(1, int(scene.params["num_places"]) + 1)}


@pytest.mark.parametrize(("extension", "number"), [(False, 10), (True, 12)])
def test_rs_1_1_each_tile_lies_in_one_place(extension: bool, number: int) -> None:
    for tiles in deals(extension):
        assert sorted(tiles[:number]) == list(range(number))
        assert set(tiles[number:]) <= {-1}


@pytest.mark.parametrize(("extension", "number"), [(False, 10), (True, 12)])
def test_rs_1_1_each_tile_comes_to_lie_everywhere(extension: bool, number: int) -> None:
    dealt = deals(extension)
    for place in range(number):
        assert {tiles[place] for tiles in dealt} == set(range(number))


@pytest.mark.parametrize("column", range(5))
def test_rs_1_1_a_column_has_its_middle_spaces_on_the_way_out_and_on_the_way_back(column: int) -> None:
    for ship in (NORTH[column], SOUTH[column]):
        near = {place for place, steps in distances(ship).items() if steps == 2}
        assert near == {column + 1, column + 6}


@pytest.mark.parametrize("column", range(6))
def test_rs_1_1_the_route_is_longer_with_the_extension(column: int) -> None:
    for ship in (2 + 3 * column, 37 - 3 * column):
        near = {place for place, steps in distances(ship, extension=True).items() if steps == 2}
        closed = column == 5  # in a Scene the last tile lies in the last place
        assert near == ({6 if ship < 20 else 12} if closed else {column + 1, column + 7})


def test_rs_1_1_the_route_turns_at_the_east_tile() -> None:
    assert distances(15)[5] == distances(18)[10] == 3
    assert distances(16)[5] == distances(17)[10] == 4


@pytest.mark.parametrize("ship", [5, 8, 11, 22, 25, 28])
def test_rs_1_1_the_range_example(ship: int) -> None:
    steps = sorted(distances(ship).values())
    assert steps[:6] == [2, 2, 5, 5, 5, 5]
    assert steps[6] > 5


@pytest.mark.parametrize("place", [1, 7])
def test_rs_1_1_a_tile_without_passage_closes_its_column(place: int) -> None:
    north, south = (distances(ship, extension=True, tiles={place: NO_PASSAGE}) for ship in (2, 37))
    assert (north[1], south[7]) == (2, 2)
    assert (north[7], south[1]) == (10, 10)  # to the next column, 2 across, and back


def test_rs_1_1_round_the_east_tile_where_the_last_column_is_closed() -> None:
    assert distances(17, extension=True, tiles={6: NO_PASSAGE})[12] == 7


def test_rs_1_1_start_and_anchor_are_not_linked() -> None:
    closed = {"extension": True, "tiles": {1: NO_PASSAGE}}
    assert distances(38, **closed)[1] == 11  # over the anchor and the start it would be 5
    assert distances(0, **closed)[7] == 12


def test_rs_1_1_crossing_costs_two() -> None:
    # Column 1 is closed: from its southern middle space the northern one is 3 + 2 + 3 away, its village 2 more.
    assert distances(37, extension=True, tiles={1: NO_PASSAGE})[1] == 3 + 2 + 3 + 2


@pytest.mark.parametrize("num_players", [1, 4, 6])
def test_rs_1_2_everybody_begins_with_an_empty_sheet_and_all_symbols(num_players: int) -> None:
    scene = Scene(num_players)
    engine.reset(scene.game, scene.params, 3, 0)
    for seat in range(num_players):
        sheet = scene.sheet(seat)
        assert (int(sheet["fire"]), int(sheet["plus"])) == (14, 3)
        for name in ("crossed", "tickets", "power", "ticket_points", "total", "last"):
            assert not sheet[name].any(), name


def test_rs_1_2_the_rows_of_the_guide_boats() -> None:
    rows = {
        boat.colour: [(row.seats, row.points, row.bonus, row.bonus_colour, row.royal) for row in boat.rows]
        for boat in load_pack().boats
    }
    assert rows == {
        "white": [(6, 9, 2, "white", None), (5, 6, 2, "pink", 4), (4, 4, 1, "brown", 3), (3, 2, 1, "yellow", None)],
        "yellow": [(3, 2, 1, "blue", None), (4, 4, 1, "pink", 3), (5, 6, 2, "brown", 4), (6, 9, 2, "white", None)],
        "brown": [(6, 9, 2, "yellow", None), (5, 6, 2, "blue", 4), (4, 4, 1, "pink", 3), (3, 2, 1, "white", None)],
        "blue": [(3, 2, 1, "brown", None), (4, 4, 1, "white", 3), (5, 6, 2, "yellow", 4), (6, 9, 2, "pink", None)],
        "pink": [(3, 2, 1, "blue", None), (4, 4, 1, "yellow", 3), (5, 6, 2, "brown", 4), (6, 9, 2, "blue", None)],
    }


def test_rs_1_2_nothing_is_left_of_what_the_record_held_before() -> None:
    fresh, used = (Scene(2) for _ in range(2))
    fill(used.games, 1)  # as no game leaves it
    for scene in (fresh, used):
        engine.reset(scene.game, scene.params, 5, 9)
    for name in fresh.games.dtype.names or ():
        assert fresh.games[name].tobytes() == used.games[name].tobytes(), name
