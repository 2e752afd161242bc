"""The referee of Riverside alone, against the spec and the rulebook's examples."""

import dataclasses
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from referee.riverside import (
    CHURCH,
    COLOURS,
    POWERS,
    Action,
    Board,
    Deal,
    Options,
    Pack,
    Referee,
    Roll,
    Sheet,
    band,
    captain_rewards,
    check_pack,
    empty_sheet,
    lay_board,
    read_pack,
    result_of,
    winners,
)

PACK_FOLDER = Path(__file__).resolve().parent / "packs" / "riverside"
PACKS = {name: read_pack(PACK_FOLDER / f"{name}.toml") for name in ("default", "otherwise")}
DEFAULT = PACKS["default"]
OTHERWISE = PACKS["otherwise"]

YELLOW, BROWN, WHITE, BLUE, PINK, WHITE_BLUE, PINK_YELLOW, YELLOW_BLUE, CHURCH_2, CHURCH_3 = range(1, 11)
THREE_COLOURS, NO_PASSAGE = 11, 12

ALL_ONES: Roll = (1, 1, 1, 1, 1, 1)
ALL_SIXES: Roll = (6, 6, 6, 6, 6, 6)


class Rolls:
    """Chance that rolls what a test wants; ones afterwards."""

    def __init__(self, rolls: Iterable[Roll]) -> None:
        self.rolls = list(rolls)

    def roll(self) -> Roll:
        return self.rolls.pop(0) if self.rolls else ALL_ONES


class RandomChance:
    """Chance in play from a generator of its own."""

    def __init__(self, generator: random.Random) -> None:
        self.generator = generator

    def roll(self) -> Roll:
        white, yellow, brown, blue, pink, green = self.generator.choices(range(1, 7), k=6)
        return white, yellow, brown, blue, pink, green


def make_deal(villages: dict[int, int] | None = None, *, pack: Pack = DEFAULT, extension: bool = False) -> Deal:
    """A deal with some tiles at the places where a test wants them; the others follow in order."""
    wanted = villages or {}
    tiles = pack.tiles(extension=extension)
    others = [tile for tile in tiles if tile not in wanted.values()]
    return Deal(tuple(wanted[place] if place in wanted else others.pop(0) for place in range(1, len(tiles) + 1)))


def begin(
    rolls: Iterable[Roll],
    *,
    players: int = 1,
    villages: dict[int, int] | None = None,
    pack: Pack = DEFAULT,
    extension: bool = False,
    cap: int = 1000,
) -> Referee:
    deal = make_deal(villages, pack=pack, extension=extension)
    return Referee(pack, Options(players, extension), deal, Rolls(rolls), cap=cap)


def play(referee: Referee, *actions: Action, seat: int = 0) -> None:
    for action in actions:
        assert action in referee.legal(seat), f"{action} not among {sorted(referee.legal(seat), key=str)}"
        referee.play(seat, action)


def die(colour: str, green: str = "plain", *, fan: bool = False) -> Action:
    return ("die", colour, green, fan)


Arrange = Callable[[Sheet], None]


def arranged(crossed: dict[str, list[int]] | None = None, **changes) -> Arrange:
    """Crosses by boat; powers, scores; fire and plus_ones."""

    def arrange(sheet: Sheet) -> None:
        sheet.crossed.update({colour: list(rows) for colour, rows in (crossed or {}).items()})
        for power in changes.get("powers", ()):
            sheet.powers[power] = "available"
        sheet.scores.update(changes.get("scores", {}))
        sheet.fire = changes.get("fire", sheet.fire)
        sheet.plus_ones = changes.get("plus_ones", sheet.plus_ones)

    return arrange


def round_begun(arrange: Arrange, *rolls: Roll, ship: int = 0, **wanted) -> Referee:
    """A solo game at the start of its second round, with the sheet arranged; the ship moves on from `ship`."""
    referee = begin([ALL_ONES, *rolls], **wanted)
    play(referee, die("pink"), ("seat", "pink", 4))
    fresh = empty_sheet(wanted.get("pack", DEFAULT))
    arrange(fresh)
    referee.sheets[0] = fresh
    referee.ship = ship
    play(referee, ("stay",))
    return referee


def excursion_begun(arrange: Arrange, *, ship: int, **wanted) -> Referee:
    """A solo game in phase 3 of its first round: the sheet as arranged, with one more cross in pink row 4."""
    referee = begin([ALL_ONES, *wanted.pop("rolls", [])], **wanted)
    play(referee, die("pink"))
    arrange(referee.sheets[0])
    referee.ship = ship
    play(referee, ("seat", "pink", 4))
    assert referee.phase == 3
    return referee


def rows_filled(colour: str, tickets: int, pack: Pack = DEFAULT) -> list[int]:
    """The crosses of a boat with its first rows completed."""
    return [row.seats if number < tickets else 0 for number, row in enumerate(pack.boats[colour].rows)]


def with_tickets(tickets: dict[str, int], **changes) -> Arrange:
    """So many tickets on each boat."""
    return arranged({colour: rows_filled(colour, number) for colour, number in tickets.items()}, **changes)


def of_kind(referee: Referee, kind: str, seat: int = 0) -> set:
    return {action[1] for action in referee.legal(seat) if action[0] == kind}


# RS-1: the board


def test_rs_1_1_the_route_and_its_hubs() -> None:
    board = lay_board(DEFAULT, make_deal())
    assert board.anchor == 33
    assert [board.middle_space(place) for place in board.places] == [2, 5, 8, 11, 14, 31, 28, 25, 22, 19]
    longer = lay_board(DEFAULT, make_deal(extension=True, villages={12: NO_PASSAGE}))
    assert longer.anchor == 39
    assert [longer.middle_space(place) for place in (1, 6, 7, 12)] == [2, 17, 37, 22]
    assert lay_board(OTHERWISE, make_deal(pack=OTHERWISE)).anchor == 34


def test_rs_1_1_a_village_is_two_from_either_middle_space_of_its_column() -> None:
    board = lay_board(DEFAULT, make_deal())
    for north in range(1, 6):
        south = north + 5
        for place in (north, south):
            assert board.distance[place][board.middle_space(north)] == 2
            assert board.distance[place][board.middle_space(south)] == 2


def test_rs_1_1_a_crossing_costs_two() -> None:
    board = lay_board(DEFAULT, make_deal())
    # From 7 the south village of the second column: 7, 6, 5, hub, village; that of the third: 7, 8, hub, village.
    assert board.distance[7][7] == 4
    assert board.distance[8][7] == 3
    # From 16 (east) the west column, north: along the north row to 2; south the same, through the hub.
    assert board.distance[1][16] == 16
    assert board.distance[6][16] == 16
    # From 18 the first column: 19, hub, 14, along the row to 2, hub, village; or the south row to 31: as far.
    assert board.distance[1][18] == 1 + 12 + 2


def test_rs_1_1_a_tile_without_passage_closes_its_column() -> None:
    for place in (2, 8):  # north or south tile of the second column
        board = lay_board(DEFAULT, make_deal(extension=True, villages={place: NO_PASSAGE}))
        assert board.closed == {1}
        assert (board.middle_space(2), board.middle_space(8)) == (5, 34)
        assert board.distance[2][5] == 2
        assert board.distance[8][34] == 2
        assert board.distance[8][5] == 3 + 2 + 3 + 2  # through the first or third column
        assert board.distance[2][34] == 3 + 2 + 3 + 2


def test_rs_2_4_start_and_anchor_are_not_linked() -> None:
    board = lay_board(DEFAULT, make_deal(extension=True, villages={1: NO_PASSAGE}))
    assert board.middle_space(7) == 37
    assert board.distance[7][1] == 4 + 2 + 3 + 2  # not 1, 0, anchor, 38, 37
    assert board.distance[7][0] == 5 + 2 + 3 + 2


def range_example_holds(board: Board, ship: int) -> bool:
    """Two villages within 3, three at 5."""
    near = [place for place in board.places if board.distance[place][ship] <= 3]
    at_five = [place for place in board.places if board.distance[place][ship] == 5]
    return len(near) == 2 and len(at_five) >= 3


def test_rs_2_4_the_range_example_has_the_solutions_of_the_spec() -> None:
    board = lay_board(DEFAULT, make_deal())
    assert {ship for ship in range(1, 33) if range_example_holds(board, ship)} == {5, 8, 11, 22, 25, 28}


def test_rs_2_4_the_range_example_of_the_book() -> None:
    villages = {3: BROWN, 8: PINK_YELLOW, 2: WHITE, 4: YELLOW_BLUE, 7: CHURCH_2, 9: WHITE_BLUE}
    tickets = with_tickets(dict.fromkeys(COLOURS, 1))
    referee = excursion_begun(tickets, ship=8, villages=villages)
    referee.sheets[0].plus_ones = 0
    assert {place for place in villages if referee.board.distance[place][8] <= 3} == {3, 8}
    assert all(referee.board.distance[place][8] == 5 for place in (2, 4, 7, 9))
    play(referee, ("village", 2))
    assert referee.turns[0].plus_ones == 2


@pytest.mark.parametrize(
    ("tiles", "extension"),
    [
        (tuple(range(1, 10)), False),
        ((*range(1, 10), 9), False),
        ((*range(1, 10), THREE_COLOURS), False),
        (tuple(range(1, 11)), True),
        (tuple(range(1, 13)), False),
    ],
)
def test_rs_1_1_impossible_deals_are_refused(tiles: tuple[int, ...], extension: bool) -> None:
    with pytest.raises(ValueError, match=r"RS-1\.1"):
        Referee(DEFAULT, Options(2, extension), Deal(tiles), Rolls([]))


@pytest.mark.parametrize("players", [0, 7])
def test_rs_1_1_one_to_six_play(players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        begin([], players=players)


# The packs


def shift(pack: Pack, **changes) -> Pack:
    return dataclasses.replace(pack, **changes)


def with_row(pack: Pack, colour: str, **changes) -> Pack:
    boat = pack.boats[colour]
    rows = (dataclasses.replace(boat.rows[0], **changes), *boat.rows[1:])
    return shift(pack, boats={**pack.boats, colour: dataclasses.replace(boat, rows=rows)})


def with_values(pack: Pack, values: dict[str, int]) -> Pack:
    village = dataclasses.replace(pack.villages[1], values=values)
    return shift(pack, villages={**pack.villages, 1: village})


@pytest.mark.parametrize(
    ("pack", "rule"),
    [
        (shift(DEFAULT, route=dataclasses.replace(DEFAULT.route, spaces_a_tile=4)), "RS-1.1"),
        (shift(DEFAULT, villages={tile: DEFAULT.villages[tile] for tile in range(1, 12)}), "RS-1.1"),
        (shift(DEFAULT, boats={colour: DEFAULT.boats[colour] for colour in COLOURS[1:]}), "RS-2.2"),
        (shift(DEFAULT, boats={**DEFAULT.boats, "white": DEFAULT.boats["pink"]}), "RS-3.1"),
        (with_row(DEFAULT, "white", bonus=3), "RS-2.3"),
        (with_row(DEFAULT, "white", bonus_colour="green"), "RS-2.3"),
        (with_row(DEFAULT, "white", royal=1), "RS-2.3"),
        (with_values(DEFAULT, {"white": 0}), "RS-2.4"),
        (with_values(DEFAULT, {"white": 3, CHURCH: 2}), "RS-2.4"),
        (with_values(DEFAULT, {"green": 3}), "RS-2.4"),
    ],
)
def test_impossible_packs_are_refused(pack: Pack, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        check_pack(pack)


def test_the_pack_has_what_the_examples_of_the_book_force() -> None:
    assert DEFAULT.fire_symbols >= 7  # E2: Cathrine pays pink and green
    assert DEFAULT.plus_one_symbols == 3
    top, _, _, bottom = DEFAULT.boats["yellow"].rows  # E3
    assert (top.bonus, top.bonus_colour, bottom.bonus, bottom.bonus_colour) == (1, "blue", 2, "white")
    assert top.seats + bottom.seats <= 10
    white_top = DEFAULT.boats["white"].rows[0]  # E4
    assert (white_top.bonus, white_top.bonus_colour) == (2, "white")
    assert DEFAULT.boats["pink"].power == "Speed boat"  # E5, E6
    assert [DEFAULT.boats[colour].power for colour in COLOURS] == list(POWERS)
    kinds = [village.values for village in DEFAULT.villages.values()]
    assert {"yellow": 11} in kinds  # E9
    assert any(values.get("yellow") in {8, 16} for values in kinds)
    assert {"white": 9, "blue": 4} in kinds  # E10
    assert any(values.get("blue") in {7, 14} for values in kinds)
    assert {CHURCH: 2} in kinds  # E11
    colours = {frozenset(values) for values in kinds}  # E8 and the extension
    for wanted in (["brown"], ["white"], ["pink", "yellow"], ["yellow", "blue"], ["pink", "blue", "brown"]):
        assert frozenset(wanted) in colours
    extension = [village for village in DEFAULT.villages.values() if village.extension]
    assert sorted((len(village.values), village.passage) for village in extension) == [(1, False), (3, True)]


def test_the_boats_of_the_pack_are_the_table_of_the_spec() -> None:
    table = {
        "white": ["6/9/2 white", "5/6/2 pink R4", "4/4/1 brown R3", "3/2/1 yellow"],
        "yellow": ["3/2/1 blue", "4/4/1 pink R3", "5/6/2 brown R4", "6/9/2 white"],
        "brown": ["6/9/2 yellow", "5/6/2 blue R4", "4/4/1 pink R3", "3/2/1 white"],
        "blue": ["3/2/1 brown", "4/4/1 white R3", "5/6/2 yellow R4", "6/9/2 pink"],
        "pink": ["3/2/1 blue", "4/4/1 yellow R3", "5/6/2 brown R4", "6/9/2 blue"],
    }
    for colour, wanted in table.items():
        rows = []
        for row in DEFAULT.boats[colour].rows:
            royal = f" R{row.royal}" if row.royal else ""
            rows.append(f"{row.seats}/{row.points}/{row.bonus} {row.bonus_colour}{royal}")
        assert rows == wanted


def test_the_other_pack_has_chains_that_come_back_to_the_same_boat() -> None:
    own = [boat.colour for boat in OTHERWISE.boats.values() for row in boat.rows if row.bonus_colour == boat.colour]
    assert len(set(own)) >= 3
    assert sum(not village.passage for village in OTHERWISE.villages.values()) >= 3
    assert sum(CHURCH in village.values for village in OTHERWISE.villages.values()) >= 3
    assert {len(village.values) for village in OTHERWISE.villages.values()} == {1, 2, 3}


# RS-2.1: dice and ship


def test_rs_2_1_the_temperature_example_of_the_book() -> None:
    referee = begin([(2, 4, 4, 1, 6, 3)])
    assert referee.temperature == 4
    assert referee.heated == {"pink", "green"}
    assert referee.ship == 4
    assert referee.rounds == 1


def test_rs_2_1_with_the_three_highest_alike_no_base_die_is_heated() -> None:
    referee = begin([(5, 1, 5, 2, 5, 1)])
    assert referee.temperature == 5
    assert referee.heated == {"green"}


def test_rs_2_1_the_median_has_the_middle_place_not_the_middle_value() -> None:
    assert begin([(1, 1, 2, 6, 6, 1)]).temperature == 2
    assert begin([(6, 1, 1, 1, 6, 1)]).temperature == 1
    assert begin([(6, 1, 1, 1, 6, 1)]).heated == {"white", "pink", "green"}


@pytest.mark.parametrize("roll", [(1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 7), (0, 1, 1, 1, 1, 1)])
def test_rs_2_1_impossible_rolls_are_refused(roll: Roll) -> None:
    with pytest.raises(ValueError, match=r"RS-2\.1"):
        begin([roll])


@pytest.mark.parametrize(("ship", "roll"), [(27, ALL_SIXES), (31, (2, 2, 2, 2, 2, 1)), (32, ALL_SIXES)])
def test_rs_2_1_at_the_anchor_or_beyond_the_game_ends_before_phase_2(ship: int, roll: Roll) -> None:
    referee = round_begun(arranged(), roll, ship=ship)
    assert referee.ended
    assert not referee.truncated
    assert referee.pending == []
    assert referee.ship == 33
    assert referee.rounds == 2
    assert referee.scores == [-15]


def test_rs_2_1_one_space_short_of_the_anchor_the_game_goes_on() -> None:
    referee = round_begun(arranged(), ALL_ONES, ship=31)
    assert not referee.ended
    assert referee.question(0) == "die"


def test_rs_2_1_the_longest_and_the_shortest_game() -> None:
    for extension, slow, fast in ((False, 33, 6), (True, 39, 7)):
        for rolls, wanted in ((ALL_ONES, slow), (ALL_SIXES, fast)):
            referee = begin([rolls] * 40, extension=extension)
            while referee.pending:
                referee.play(0, min(referee.legal(0), key=str))
            assert referee.rounds == wanted


# RS-2.2: choosing dice


def test_rs_2_2_the_fire_example_of_the_book() -> None:
    # Monica takes one die free, Adam yellow and green for 6, Cathrine pink and green, both heated.
    referee = begin([(2, 4, 4, 1, 6, 2)], players=3)
    play(referee, die("white"), seat=0)
    play(referee, die("yellow", "green"), seat=1)
    play(referee, die("pink", "green"), seat=2)
    assert [sheet.fire for sheet in referee.sheets] == [14, 12, 6]
    assert [turn.seats_left for turn in referee.turns] == [2, 6, 8]


def dice_offered(referee: Referee) -> set[tuple[str, str]]:
    return {(action[1], action[2]) for action in referee.legal(0)}


def test_rs_2_2_fire_is_paid_in_full_or_the_die_cannot_be_chosen() -> None:
    roll = (2, 4, 4, 1, 6, 3)
    free = {("white", "plain"), ("yellow", "plain"), ("brown", "plain"), ("blue", "plain")}
    with_green = {(colour, "green") for colour, _ in free}
    assert dice_offered(round_begun(arranged(fire=2), roll)) == free
    assert dice_offered(round_begun(arranged(fire=3), roll)) == free | with_green
    assert dice_offered(round_begun(arranged(fire=6), roll)) == free | with_green | {("pink", "plain")}
    assert dice_offered(round_begun(arranged(fire=8), roll)) == free | with_green | {("pink", "plain")}
    assert len(dice_offered(round_begun(arranged(fire=9), roll))) == 10


def test_rs_2_2_without_fire_an_unheated_die_is_always_left() -> None:
    referee = round_begun(arranged(fire=0), (1, 2, 3, 4, 5, 6))
    assert dice_offered(referee) == {("white", "plain"), ("yellow", "plain"), ("brown", "plain")}


def test_rs_2_2_a_full_boat_may_be_chosen_and_its_seats_are_lost() -> None:
    referee = round_begun(with_tickets({"pink": 4}), (2, 4, 4, 1, 6, 3))
    before = referee.sheets[0].crossed["pink"]
    play(referee, die("pink"))
    assert referee.phase == 3
    assert referee.sheets[0].fire == 8  # paid although nothing was used
    assert referee.sheets[0].crossed["pink"] == before


def test_rs_2_2_what_a_boat_cannot_take_is_lost() -> None:
    referee = round_begun(arranged({"brown": [6, 5, 4, 1]}), (2, 4, 4, 1, 6, 3))
    play(referee, die("brown"))
    play(referee, ("seat", "brown", 4), ("seat", "brown", 4))
    assert referee.legal(0) == {("seat", "white", row) for row in (1, 2, 3, 4)}  # the bonus of the row


def test_rs_2_2_several_rows_may_be_open() -> None:
    referee = begin([(4, 4, 4, 1, 6, 3)])
    play(referee, die("white"))
    for row in (1, 2, 3, 4):
        assert referee.legal(0) == {("seat", "white", each) for each in (1, 2, 3, 4)}
        play(referee, ("seat", "white", row))
    assert referee.sheets[0].crossed["white"] == [1, 1, 1, 1]
    assert referee.phase == 3


# RS-2.3: tickets, bonus seats, royal seats


def test_rs_2_3_the_filling_and_bonus_example_of_the_book() -> None:
    # Adam has 4 seats of the yellow boat and 4 of the white top row; 6 in yellow complete the top and bottom rows.
    referee = round_begun(arranged({"yellow": [1, 1, 0, 2], "white": [4, 0, 0, 0]}), (2, 4, 4, 1, 6, 2))
    play(referee, die("yellow", "green"))
    play(referee, *[("seat", "yellow", 1)] * 2, *[("seat", "yellow", 4)] * 4)
    assert referee.sheets[0].tickets("yellow") == 2
    assert referee.turns[0].bonuses == [("white", 2)]
    assert of_kind(referee, "seat") == {"blue"}
    play(referee, ("seat", "blue", 1))
    play(referee, ("seat", "white", 1), ("seat", "white", 1))  # completes the top row of the white boat
    assert referee.sheets[0].tickets("white") == 1
    assert referee.legal(0) == {("seat", "white", row) for row in (2, 3, 4)}
    play(referee, ("seat", "white", 3), ("seat", "white", 3))
    assert referee.phase == 3
    assert referee.sheets[0].crossed == {
        "white": [6, 0, 2, 0],
        "yellow": [3, 1, 0, 6],
        "brown": [0, 0, 0, 0],
        "blue": [1, 0, 0, 0],
        "pink": [0, 0, 0, 0],
    }


def test_rs_2_3_the_seats_of_the_die_come_before_any_bonus() -> None:
    referee = round_begun(arranged({"yellow": [2, 0, 0, 0]}), (2, 4, 4, 1, 6, 2))
    play(referee, die("yellow"), ("seat", "yellow", 1))
    assert referee.turns[0].bonuses == [("blue", 1)]
    assert of_kind(referee, "seat") == {"yellow"}
    play(referee, *[("seat", "yellow", 2)] * 3)
    assert of_kind(referee, "seat") == {"blue"}


def test_rs_2_3_the_row_completed_first_pays_first_and_chains_queue_behind() -> None:
    # Yellow's top row pays blue, which completes blue's top row: its brown bonus waits behind yellow's white one.
    crossed = {"yellow": [2, 0, 0, 5], "blue": [2, 0, 0, 0]}
    referee = round_begun(arranged(crossed), (2, 2, 4, 1, 6, 2))
    play(referee, die("yellow"), ("seat", "yellow", 1), ("seat", "yellow", 4))
    play(referee, ("seat", "blue", 1))
    assert referee.turns[0].bonuses == [("brown", 1)]
    assert of_kind(referee, "seat") == {"white"}
    play(referee, ("seat", "white", 1), ("seat", "white", 1))
    assert of_kind(referee, "seat") == {"brown"}


def test_rs_2_3_the_second_seat_of_a_bonus_comes_before_what_the_first_completes() -> None:
    crossed = {"yellow": [0, 0, 0, 5], "white": [0, 0, 0, 2]}
    referee = round_begun(arranged(crossed), (2, 1, 4, 1, 6, 2))
    play(referee, die("yellow"), ("seat", "yellow", 4), ("seat", "white", 4))
    assert referee.turns[0].bonuses == [("yellow", 1)]
    assert referee.legal(0) == {("seat", "white", row) for row in (1, 2, 3)}


def test_rs_2_3_a_bonus_for_a_full_boat_is_lost() -> None:
    crossed = {"yellow": [2, 0, 0, 0], "blue": [3, 4, 5, 6]}
    referee = round_begun(arranged(crossed), (2, 1, 4, 1, 6, 2))
    play(referee, die("yellow"), ("seat", "yellow", 1))
    assert referee.phase == 3


def test_rs_2_3_a_bonus_may_come_back_to_the_boat_that_pays_it() -> None:
    # Rows of one and two seats: white 1 pays white 2 ... until the boat is full, and the rest is lost.
    referee = round_begun(arranged({"white": [0, 0, 6, 0]}), (1, 4, 4, 1, 6, 2), pack=OTHERWISE)
    play(referee, die("white"), ("seat", "white", 1))  # one seat: pays 1 white
    play(referee, ("seat", "white", 2))
    assert referee.phase == 3
    referee = round_begun(arranged({"white": [0, 1, 6, 0]}), (1, 4, 4, 1, 6, 2), pack=OTHERWISE)
    play(referee, die("white"), ("seat", "white", 1), ("seat", "white", 2))  # pays 2 white
    play(referee, ("seat", "white", 3), ("seat", "white", 4))  # row 3 is completed: pays 1 yellow
    play(referee, ("seat", "yellow", 1))
    assert referee.phase == 3
    assert referee.sheets[0].crossed["white"] == [1, 2, 7, 1]


def test_rs_2_3_both_royal_seats_make_the_power_available() -> None:
    referee = round_begun(arranged({"pink": [0, 2, 3, 0]}), (2, 2, 2, 2, 2, 2))
    play(referee, die("pink"), ("seat", "pink", 2))
    assert referee.sheets[0].powers["Speed boat"] == "locked"
    play(referee, ("seat", "pink", 3))
    assert referee.sheets[0].powers == dict.fromkeys(POWERS, "locked") | {"Speed boat": "available"}


def test_rs_2_3_a_royal_seat_crossed_as_a_bonus_counts() -> None:
    referee = round_begun(arranged({"yellow": [2, 0, 0, 0], "blue": [0, 3, 3, 0]}), (2, 1, 2, 2, 2, 2))
    play(referee, die("yellow"), ("seat", "yellow", 1), ("seat", "blue", 3))
    assert referee.sheets[0].powers["Warm night"] == "available"


# RS-2.4: excursions


def test_rs_2_4_one_village_within_three_or_plus_ones() -> None:
    # Ship on 4: 2 villages of the second column at 3, of the first at 4, of the third at 6.
    referee = excursion_begun(
        with_tickets(dict.fromkeys(COLOURS, 1)), ship=4, villages={1: WHITE, 2: BROWN, 3: BLUE, 5: PINK}
    )
    assert of_kind(referee, "village") == {1, 2, 3, 6, 7, 8}
    play(referee, ("village", 3))
    assert referee.sheets[0].plus_ones == 0
    assert referee.turns[0].plus_ones == 3
    referee = excursion_begun(with_tickets({"white": 1}, plus_ones=1), ship=4, villages={1: WHITE, 3: WHITE_BLUE})
    assert of_kind(referee, "village") == {1}
    referee = excursion_begun(with_tickets({"white": 1}, plus_ones=0), ship=4, villages={1: WHITE, 3: WHITE_BLUE})
    assert referee.legal(0) == {("stay",)}


def test_rs_2_4_the_plus_one_example_of_the_book() -> None:
    referee = excursion_begun(with_tickets({"white": 1}), ship=5, villages={1: WHITE})
    play(referee, ("village", 1))
    assert (referee.turns[0].plus_ones, referee.sheets[0].plus_ones) == (2, 1)


def test_rs_2_4_plus_ones_hold_for_the_round_only() -> None:
    referee = excursion_begun(with_tickets({"white": 1}, plus_ones=2), ship=5, villages={1: WHITE, 3: WHITE_BLUE})
    play(referee, ("village", 1), ("score", "white"))
    assert referee.rounds == 2
    assert referee.turns[0].plus_ones == 0


def test_rs_2_4_where_nothing_can_be_scored_there_is_no_excursion() -> None:
    referee = excursion_begun(arranged(), ship=5)
    assert referee.legal(0) == {("stay",)}  # no ticket: 0 changes nothing
    referee = excursion_begun(
        with_tickets({"brown": 1}, scores={"brown": [12]}), ship=5, villages={2: BROWN, 7: CHURCH_2}
    )
    assert of_kind(referee, "village") == {7}  # a tie is not enough


def test_rs_2_4_the_example_of_one_colour() -> None:
    referee = excursion_begun(with_tickets({"yellow": 2}, scores={"yellow": [16]}), ship=5, villages={2: YELLOW})
    play(referee, ("village", 2))
    assert referee.legal(0) == {("score", "yellow")}
    play(referee, ("score", "yellow"))
    assert referee.sheets[0].scores["yellow"] == [16, 22]
    assert referee.phase == 2  # nothing is left to choose: the next round has begun


def test_rs_2_4_the_example_of_two_colours() -> None:
    referee = excursion_begun(
        with_tickets({"white": 2, "blue": 3}, scores={"blue": [14]}), ship=5, villages={2: WHITE_BLUE}
    )
    play(referee, ("village", 2))
    assert referee.legal(0) == {("score", "white")}
    play(referee, ("score", "white"))
    assert referee.sheets[0].scores["white"] == [18]
    assert referee.sheets[0].scores["blue"] == [14]
    assert referee.rounds == 2


def test_rs_2_4_of_several_colours_any_may_be_scored_in_any_order() -> None:
    tickets = with_tickets({"pink": 2, "blue": 1, "brown": 3})
    for order in (["pink", "blue", "brown"], ["brown", "pink", "blue"], ["blue"], ["brown", "pink"]):
        referee = excursion_begun(tickets, ship=5, villages={2: THREE_COLOURS}, extension=True)
        play(referee, ("village", 2))
        assert referee.legal(0) == {("score", "pink"), ("score", "blue"), ("score", "brown")}
        for boat in order:
            play(referee, ("score", boat))
        if len(order) < 3:
            assert ("done",) in referee.legal(0)
            assert not {("score", boat) for boat in order} & referee.legal(0)
            play(referee, ("done",))
        points = {"pink": [8], "blue": [4], "brown": [12]}
        assert referee.rounds == 2
        for boat in COLOURS:
            assert referee.sheets[0].scores[boat] == (points[boat] if boat in order else [])


def test_rs_2_4_the_stave_church_example() -> None:
    tickets = with_tickets({"white": 2, "yellow": 1, "brown": 3, "blue": 1})
    referee = excursion_begun(tickets, ship=5, villages={2: CHURCH_2})
    play(referee, ("village", 2))
    assert referee.legal(0) == {("score", CHURCH)}
    play(referee, ("score", CHURCH))
    assert referee.sheets[0].scores[CHURCH] == [14]


def test_rs_2_4_the_same_village_again_if_it_scores_higher() -> None:
    referee = excursion_begun(with_tickets({"white": 2}), ship=5, villages={2: WHITE})
    play(referee, ("village", 2), ("score", "white"), die("white"))
    referee.sheets[0].crossed["white"][2] = 3
    play(referee, ("seat", "white", 3))  # a third ticket; its bonus is 1 brown seat
    play(referee, ("seat", "brown", 1), ("village", 2), ("score", "white"))
    assert referee.sheets[0].scores["white"] == [20, 30]


def test_rs_2_4_a_visit_cannot_end_without_a_score() -> None:
    referee = excursion_begun(with_tickets({"white": 1, "blue": 1}), ship=5, villages={2: WHITE_BLUE})
    assert ("stay",) in referee.legal(0)
    play(referee, ("village", 2))
    assert referee.legal(0) == {("score", "white"), ("score", "blue")}


# RS-3.1: royal powers


def test_rs_3_1_fan_base_adds_three_and_costs_no_fire() -> None:
    referee = round_begun(arranged(powers=["Fan base"]), (2, 4, 4, 1, 6, 3))
    assert len(referee.legal(0)) == 20
    play(referee, die("pink", fan=True))
    assert referee.turns[0].seats_left == 9
    assert referee.sheets[0].fire == 8
    assert referee.sheets[0].powers["Fan base"] == "used"


def test_rs_3_1_warm_night_spares_the_fire_of_the_green_die_only() -> None:
    referee = round_begun(arranged(powers=["Warm night"], fire=6), (2, 4, 4, 1, 6, 6))
    assert {("pink", "plain"), ("pink", "green and warm"), ("white", "green")} <= dice_offered(referee)
    assert ("pink", "green") not in dice_offered(referee)
    play(referee, die("pink", "green and warm"))
    assert referee.turns[0].seats_left == 12
    assert referee.sheets[0].fire == 0
    assert referee.sheets[0].powers["Warm night"] == "used"


def test_rs_3_1_both_dice_powers_in_one_round() -> None:
    referee = round_begun(arranged(powers=["Fan base", "Warm night"], fire=0), (2, 4, 4, 1, 6, 6))
    assert len(referee.legal(0)) == 4 * 2 * 2  # four dice, with or without green, with or without fans
    play(referee, die("brown", "green and warm", fan=True))
    assert referee.turns[0].seats_left == 13


def test_rs_3_1_each_power_serves_once_and_from_the_next_phase_on() -> None:
    referee = round_begun(arranged({"yellow": [0, 2, 4, 0]}), (1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 1))
    play(referee, die("yellow"), ("seat", "yellow", 2))
    assert referee.sheets[0].powers["Fan base"] == "available"
    play(referee, ("stay",))
    assert {action[3] for action in referee.legal(0)} == {False, True}
    play(referee, die("white", fan=True), *[("seat", "white", 1)] * 4, ("stay",))
    assert {action[3] for action in referee.legal(0)} == {False}


def test_rs_3_1_a_power_of_phase_3_serves_in_the_round_that_unlocked_it() -> None:
    referee = round_begun(arranged({"brown": [0, 4, 2, 0]}), (1, 1, 1, 1, 1, 1), ship=4, villages={2: BROWN})
    play(referee, die("brown"), ("seat", "brown", 3))
    play(referee, ("village", 2), ("score with prize", "brown"))
    assert referee.sheets[0].scores["brown"] == [12]  # 1 ticket instead of 0
    assert referee.sheets[0].powers["Prize ticket"] == "used"
    assert referee.sheets[0].tickets("brown") == 0


def test_rs_3_1_prize_ticket_five_instead_of_four() -> None:
    referee = excursion_begun(with_tickets({"white": 4}, powers=["Prize ticket"]), ship=5, villages={2: WHITE})
    play(referee, ("village", 2))
    assert referee.legal(0) == {("score", "white"), ("score with prize", "white")}
    play(referee, ("score with prize", "white"))
    assert referee.sheets[0].scores["white"] == [50]


def test_rs_3_1_prize_ticket_adds_one_in_total_at_a_church() -> None:
    tickets = with_tickets({"white": 2, "brown": 1}, powers=["Prize ticket"], scores={CHURCH: [9]})
    referee = excursion_begun(tickets, ship=5, villages={2: CHURCH_3})
    play(referee, ("village", 2))
    assert referee.legal(0) == {("score with prize", CHURCH)}  # 9 is not above 9, 12 is
    play(referee, ("score with prize", CHURCH))
    assert referee.sheets[0].scores[CHURCH] == [9, 12]


def test_rs_3_1_the_prize_ticket_is_for_one_colour() -> None:
    referee = excursion_begun(
        with_tickets({"white": 1, "blue": 1}, powers=["Prize ticket"]), ship=5, villages={2: WHITE_BLUE}
    )
    play(referee, ("village", 2), ("score with prize", "blue"))
    assert referee.legal(0) == {("score", "white"), ("done",)}
    play(referee, ("score", "white"))
    assert (referee.sheets[0].scores["blue"], referee.sheets[0].scores["white"]) == ([8], [9])


def test_rs_3_1_the_prize_ticket_holds_for_every_later_score_of_its_colour() -> None:
    # White 9 with the prize, then white 10 at the other village; a church in between would not count it.
    powers = ["Prize ticket", "Early birds"]
    villages = {2: WHITE_BLUE, 7: WHITE, 3: CHURCH_2}
    referee = excursion_begun(with_tickets({"white": 1}, powers=powers), ship=5, villages=villages)
    play(referee, ("village", 2), ("score with prize", "white"))
    assert referee.legal(0) == {("early",), ("done",)}
    play(referee, ("early",), ("village", 7))
    assert referee.legal(0) == {("score", "white")}
    play(referee, ("score", "white"))
    assert referee.sheets[0].scores["white"] == [18, 20]
    referee = excursion_begun(with_tickets({"white": 1}, powers=powers), ship=5, villages=villages)
    play(referee, ("village", 2), ("score with prize", "white"), ("early",), ("village", 3), ("score", CHURCH))
    assert referee.sheets[0].scores[CHURCH] == [2]


def test_rs_3_1_the_prize_ticket_of_a_church_does_not_count_for_a_colour() -> None:
    powers = ["Prize ticket", "Early birds"]
    referee = excursion_begun(with_tickets({"white": 1}, powers=powers), ship=5, villages={2: CHURCH_2, 7: WHITE})
    play(referee, ("village", 2), ("score with prize", CHURCH), ("early",), ("village", 7), ("score", "white"))
    assert (referee.sheets[0].scores[CHURCH], referee.sheets[0].scores["white"]) == ([4], [10])


def test_rs_3_1_the_prize_ticket_is_gone_in_the_next_round() -> None:
    referee = excursion_begun(with_tickets({"white": 1}, powers=["Prize ticket"]), ship=5, villages={2: WHITE})
    play(referee, ("village", 2), ("score with prize", "white"), die("blue"), ("seat", "blue", 4))
    assert of_kind(referee, "village") == set()
    assert referee.turns[0].prize is None


def test_rs_3_1_early_birds_only_after_a_first_and_where_a_second_can_be_scored() -> None:
    tickets = with_tickets({"white": 1}, powers=["Early birds"], plus_ones=0)
    referee = excursion_begun(tickets, ship=5, villages={2: WHITE, 7: BROWN})
    assert referee.legal(0) == {("village", 2), ("stay",)}
    play(referee, ("village", 2), ("score", "white"))
    assert referee.rounds == 2  # brown can't be scored: nothing is asked
    assert referee.sheets[0].powers["Early birds"] == "available"
    referee = excursion_begun(tickets, ship=5, villages={2: WHITE, 7: CHURCH_2})
    play(referee, ("village", 2), ("score", "white"))
    assert referee.legal(0) == {("early",), ("done",)}
    play(referee, ("early",))
    assert referee.legal(0) == {("village", 7)}  # it must be followed by an excursion
    play(referee, ("village", 7), ("score", CHURCH))
    assert referee.rounds == 2
    assert referee.sheets[0].powers["Early birds"] == "used"


def test_rs_3_1_early_birds_leave_what_was_not_scored_at_the_first_village() -> None:
    tickets = with_tickets({"white": 1, "blue": 1}, powers=["Early birds"], plus_ones=0)
    referee = excursion_begun(tickets, ship=5, villages={2: WHITE_BLUE, 7: BLUE})
    play(referee, ("village", 2), ("score", "blue"))
    assert referee.legal(0) == {("score", "white"), ("early",), ("done",)}
    play(referee, ("early",), ("village", 7), ("score", "blue"))
    assert referee.rounds == 2
    assert referee.sheets[0].scores["blue"] == [4, 10]
    assert referee.sheets[0].scores["white"] == []


def test_rs_3_1_the_second_village_must_score_above_the_first() -> None:
    tickets = with_tickets({"white": 1}, powers=["Early birds"], plus_ones=0)
    referee = excursion_begun(tickets, ship=5, villages={2: WHITE, 7: WHITE_BLUE})
    play(referee, ("village", 2), ("score", "white"))  # 10; the other village has 9
    assert referee.rounds == 2


def test_rs_3_1_plus_ones_count_for_both_villages_of_early_birds() -> None:
    tickets = with_tickets({"white": 1, "pink": 1}, powers=["Early birds"], plus_ones=2)
    referee = excursion_begun(
        tickets, ship=5, villages={1: WHITE, 3: PINK, 2: BROWN, 7: BLUE, 6: YELLOW, 8: YELLOW_BLUE}
    )
    play(referee, ("village", 1), ("score", "white"))
    assert referee.sheets[0].plus_ones == 0
    play(referee, ("early",), ("village", 3), ("score", "pink"))
    assert referee.sheets[0].scores["pink"] == [10]


def test_rs_3_1_speed_boat_reaches_six_and_plus_ones_still_add() -> None:
    tickets = with_tickets({"brown": 1}, powers=["Speed boat"], plus_ones=2, scores={CHURCH: [9]})
    referee = excursion_begun(tickets, ship=5, villages={4: BROWN})  # at 8
    assert referee.legal(0) == {("speed",), ("stay",)}
    play(referee, ("speed",))
    assert referee.legal(0) == {("village", 4)}  # it must be followed by an excursion
    play(referee, ("village", 4), ("score", "brown"))
    assert referee.sheets[0].plus_ones == 0
    assert referee.sheets[0].powers["Speed boat"] == "used"


def test_rs_3_1_speed_boat_is_offered_where_it_saves_a_plus_one_and_not_otherwise() -> None:
    tickets = with_tickets({"white": 1}, powers=["Speed boat"])
    assert ("speed",) in excursion_begun(tickets, ship=4, villages={1: WHITE, 10: WHITE_BLUE}).legal(0)
    near = {2: WHITE, 7: WHITE_BLUE}
    assert ("speed",) not in excursion_begun(tickets, ship=5, villages={**near, 10: CHURCH_2, 5: CHURCH_3}).legal(0)
    far = {4: WHITE, 10: WHITE_BLUE, 5: CHURCH_2, 9: CHURCH_3}  # 8 at best: 6 with Speed boat is not enough
    nowhere = with_tickets({"white": 1}, powers=["Speed boat"], plus_ones=1)
    assert excursion_begun(nowhere, ship=5, villages=far).legal(0) == {("stay",)}


def test_rs_3_1_once_called_speed_boat_serves_both_villages() -> None:
    tickets = with_tickets({"white": 1, "pink": 1}, powers=["Speed boat", "Early birds"], plus_ones=0)
    referee = excursion_begun(tickets, ship=5, villages={1: WHITE, 3: PINK})
    play(referee, ("speed",), ("village", 1), ("score", "white"), ("early",))
    assert ("speed",) not in referee.legal(0)
    play(referee, ("village", 3), ("score", "pink"))
    assert referee.sheets[0].scores["pink"] == [10]


def test_rs_3_1_speed_boat_after_early_birds_serves_the_second_village() -> None:
    tickets = with_tickets({"white": 1, "pink": 1}, powers=["Speed boat", "Early birds"], plus_ones=0)
    villages = {2: WHITE, 4: BROWN, 3: PINK, 7: YELLOW, 8: BLUE, 1: YELLOW_BLUE, 6: CHURCH_2}
    referee = excursion_begun(tickets, ship=5, villages=villages)
    play(referee, ("village", 2), ("score", "white"))
    assert referee.legal(0) == {("early",), ("done",)}  # only Speed boat brings a second village into reach
    play(referee, ("early",))
    assert referee.legal(0) == {("speed",)}
    play(referee, ("speed",))
    assert referee.legal(0) == {("village", 3), ("village", 6)}
    play(referee, ("village", 3), ("score", "pink"))
    assert referee.rounds == 2


# RS-4.1: the end


def sheet_with(scores: dict[str, list[int]], crossed: dict[str, list[int]] | None = None) -> Sheet:
    sheet = empty_sheet(DEFAULT)
    sheet.scores.update(scores)
    sheet.crossed.update(crossed or {})
    return sheet


def test_rs_4_1_boats_captain_points_and_the_final_score() -> None:
    scores = {"white": [18, 20], "yellow": [11, 22], "brown": [12], "blue": [7], "pink": [10], CHURCH: [14, 18]}
    crossed = {"white": [6, 0, 0, 2], "yellow": [3, 4, 0, 0], "blue": [3, 0, 4, 0]}
    sheet = sheet_with(scores, crossed)
    result = result_of([sheet], DEFAULT.captain, DEFAULT.achievements, extension=False)
    assert result.boat_points == [{"white": 47, "yellow": 39, "brown": 12, "blue": 9, "pink": 10}]
    assert result.captain_points == [32 + 9]
    assert result.captain_rewards == [-15]
    assert result.scores == [47 + 39 + 12 + 9 + 10 + 41 - 15]
    assert result.winners == set()
    assert result.bands == [0]


def test_rs_4_1_most_and_fewest_captain_points_with_ties_in_full() -> None:
    captain = DEFAULT.captain
    assert captain_rewards([44, 60, 50], captain) == [-15, 15, 0]
    assert captain_rewards([44, 60, 60, 44, 50], captain) == [-15, 15, 15, -15, 0]
    assert captain_rewards([44, 44, 60], captain) == [-15, -15, 15]
    assert captain_rewards([30, 30], captain) == [0, 0]
    assert captain_rewards([49], captain) == [-15]
    assert captain_rewards([50], captain) == [15]


def test_rs_4_1_ties_go_to_the_captain_points_then_are_shared() -> None:
    achievements = DEFAULT.achievements
    assert winners([200, 210, 190], [90, 20, 95], achievements, extension=False) == {1}
    assert winners([210, 210, 190], [50, 51, 95], achievements, extension=False) == {1}
    assert winners([210, 190, 210], [51, 95, 51], achievements, extension=True) == {0, 2}


def test_rs_4_1_solo_is_won_at_300_with_the_extension_after_25_are_taken_off() -> None:
    achievements = DEFAULT.achievements
    won = [score for score in (299, 300, 324, 325) if winners([score], [50], achievements, extension=False)]
    assert won == [300, 324, 325]
    assert not winners([324], [50], achievements, extension=True)
    assert winners([325], [50], achievements, extension=True) == {0}


def test_rs_4_1_the_bands() -> None:
    scores = [-15, 199, 200, 224, 225, 250, 275, 300, 325, 350, 375, 399, 400, 500]
    bands = [0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9]
    assert [band(score, DEFAULT.achievements, extension=False) for score in scores] == bands
    assert [band(score + 25, DEFAULT.achievements, extension=True) for score in scores] == bands


def test_rs_4_1_the_extension_changes_no_score() -> None:
    sheet = sheet_with({"white": [340]})
    with_it, without = [
        result_of([sheet], DEFAULT.captain, DEFAULT.achievements, extension=extension) for extension in (True, False)
    ]
    assert with_it.scores == without.scores == [340 - 15]
    assert (with_it.bands, without.bands) == ([5], [6])


# RS-5.1: simultaneous choices


def test_rs_5_1_what_others_choose_is_unseen_until_the_phase_is_over() -> None:
    referee = begin([(1, 1, 1, 1, 1, 1)], players=3)
    assert referee.pending == [0, 1, 2]
    play(referee, die("white"), ("seat", "white", 2), seat=1)
    assert referee.pending == [0, 2]
    assert (referee.question(1), referee.legal(1)) == ("wait", set())
    with pytest.raises(ValueError, match="not legal"):
        referee.play(1, ("seat", "white", 2))
    assert referee.sheets[1].crossed["white"] == [0, 1, 0, 0]
    assert referee.sheets_seen[1] == empty_sheet(DEFAULT)
    play(referee, die("pink", "green"), seat=2)
    play(referee, die("blue"), ("seat", "blue", 1), seat=0)
    assert referee.phase == 2
    play(referee, ("seat", "pink", 1), ("seat", "pink", 2), seat=2)
    assert referee.phase == 3
    assert referee.pending == [0, 1, 2]
    assert referee.sheets_seen == referee.sheets
    assert all(seen is not sheet for seen, sheet in zip(referee.sheets_seen, referee.sheets))


def test_what_is_not_legal_is_refused() -> None:
    referee = begin([(2, 4, 4, 1, 6, 3)], players=2)
    for seat, action in (
        (0, die("white", "green and warm")),
        (0, ("stay",)),
        (2, die("white")),
        (0, ("seat", "white", 1)),
    ):
        with pytest.raises(ValueError, match="not legal"):
            referee.play(seat, action)


def test_the_cap_counts_steps_and_truncates_whoever_answers_first() -> None:
    for order in ([0, 1, 0, 1, 0], [0, 0, 1, 1, 0], [1, 0, 1, 0, 0]):
        referee = begin([(2, 1, 2, 2, 2, 2)], players=2, cap=2)
        for seat in order:
            if seat not in referee.pending:
                continue
            colour = ("white", "yellow")[seat]
            play(referee, die(colour) if referee.question(seat) == "die" else ("seat", colour, 1), seat=seat)
        assert referee.ended
        assert referee.truncated
        assert referee.steps == 2
        assert referee.decisions == 4
        assert (referee.pending, referee.scores, referee.winners) == ([], [], set())
        assert [referee.sheets[0].crossed["white"], referee.sheets[1].crossed["yellow"]] == [[1, 0, 0, 0]] * 2


def test_the_cap_lets_what_follows_from_the_last_answers_happen() -> None:
    referee = begin([ALL_ONES, ALL_SIXES], cap=3)
    play(referee, die("white"), ("seat", "white", 1))
    referee.ship = 30
    play(referee, ("stay",))
    assert referee.ended
    assert not referee.truncated
    assert referee.rounds == 2


# Players for whole games

Player = Callable[[random.Random, Referee, int], Action]


def in_order(actions: Iterable[Action]) -> list[Action]:
    return sorted(actions, key=str)


def random_player(generator: random.Random, referee: Referee, seat: int) -> Action:
    return generator.choice(in_order(referee.legal(seat)))


def greedy_player(generator: random.Random, referee: Referee, seat: int) -> Action:
    """The most seats for the least fire; the row nearest to its ticket; the most points; powers as soon as offered."""
    worth = {"die": worth_of_dice, "seat": worth_of_seat, "village": worth_of_village}
    judge = worth.get(referee.question(seat), worth_of_score)
    actions = in_order(referee.legal(seat))
    return max(actions, key=lambda action: (judge(referee, seat, action), generator.random()))


def worth_of_dice(referee: Referee, seat: int, action: Action) -> float:
    _, colour, green, fan = action
    sheet = referee.sheets[seat]
    pips, green_pips = referee.dice[colour], referee.dice["green"]
    value = pips + (green_pips if green != "plain" else 0) + (3 if fan else 0)
    fire = (pips if colour in referee.heated else 0) + (green_pips if green == "green" else 0)
    room = sum(row.seats for row in sheet.pack.boats[colour].rows) - sum(sheet.crossed[colour])
    return min(value, room) - 0.4 * fire - (2 if green == "green and warm" else 0) - (1 if fan else 0)


def worth_of_seat(referee: Referee, seat: int, action: Action) -> float:
    _, colour, number = action
    row = referee.sheets[seat].pack.boats[colour].rows[int(number) - 1]
    return -100 * (row.seats - referee.sheets[seat].crossed[colour][int(number) - 1]) + row.points


def worth_of_village(referee: Referee, seat: int, action: Action) -> float:
    if action == ("stay",):
        return 0
    if action == ("speed",):
        return -1
    sheet, turn, place = referee.sheets[seat], referee.turns[seat], int(action[1])
    points = [value * sheet.tickets(boat) for boat, value in referee.villages[place].values.items()]
    last = [sheet.last_score(boat) for boat in referee.villages[place].values]
    reach = (6 if turn.speed_boat else 3) + turn.plus_ones
    plus_ones = max(0, referee.board.distance[place][referee.ship] - reach)
    return sum(new for new, old in zip(points, last) if new > old) - 8 * plus_ones


def worth_of_score(referee: Referee, seat: int, action: Action) -> float:
    if action in {("early",), ("done",)}:
        return 0 if action == ("early",) else -1
    place = referee.turns[seat].villages[-1]
    boat = str(action[1])
    prize = 1 if action[0] == "score with prize" else 0
    return referee.villages[place].values[boat] * (referee.sheets[seat].tickets(boat) + prize)


def random_deal(pack: Pack, generator: random.Random, *, extension: bool) -> Deal:
    tiles = pack.tiles(extension=extension)
    return Deal(tuple(generator.sample(tiles, len(tiles))))


def whole_game(seed: object, options: Options, player: Player, pack: Pack = DEFAULT) -> Referee:
    generator = random.Random(str(seed))
    deal = random_deal(pack, generator, extension=options.extension)
    referee = Referee(pack, options, deal, RandomChance(generator))
    while referee.pending:
        seat = generator.choice(referee.pending)
        referee.play(seat, player(generator, referee, seat))
    return referee


# Random play


def assert_sheet_fits(sheet: Sheet, before: Sheet) -> None:
    """Nothing is ever uncrossed; nothing is beyond its bounds; scores rise."""
    assert 0 <= sheet.fire <= before.fire
    assert 0 <= sheet.plus_ones <= before.plus_ones
    order = ["locked", "available", "used"]
    for colour, boat in sheet.pack.boats.items():
        rows = list(zip(before.crossed[colour], sheet.crossed[colour], boat.rows))
        assert all(earlier <= now <= row.seats for earlier, now, row in rows)
        royal = sum(row.royal is not None and now >= row.royal for _, now, row in rows)
        assert (sheet.powers[boat.power] == "locked") == (royal < 2)
        assert order.index(sheet.powers[boat.power]) >= order.index(before.powers[boat.power])
    for boat_name, scores in sheet.scores.items():
        assert scores == sorted(set(scores))
        assert all(score > 0 for score in scores)
        assert scores[: len(before.scores[boat_name])] == before.scores[boat_name]


def assert_turn_fits(referee: Referee, seat: int) -> None:
    turn, sheet, seen = referee.turns[seat], referee.sheets[seat], referee.sheets_seen[seat]
    if referee.phase == 3:
        assert seen.plus_ones - sheet.plus_ones == turn.plus_ones
        assert seen.crossed == sheet.crossed
        assert seen.fire == sheet.fire
        assert len(turn.villages) == len(set(turn.villages)) <= (2 if turn.early_birds else 1)
    else:
        assert seen.scores == sheet.scores
        assert turn.villages == []


def assert_question_fits(referee: Referee, seat: int) -> None:
    actions = referee.legal(seat)
    kinds = {action[0] for action in actions}
    wanted = {
        "die": {"die"},
        "seat": {"seat"},
        "village": {"village", "speed", "stay"},
        "score": {"score", "score with prize"},
        "more": {"score", "score with prize", "early", "done"},
    }[referee.question(seat)]
    assert actions
    assert kinds <= wanted
    if referee.question(seat) == "more":
        assert "done" in kinds
        assert len(actions) > 1


@pytest.mark.parametrize("extension", [False, True])
@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("name", PACKS)
def test_random_games_keep_their_invariants(name: str, players: int, extension: bool) -> None:
    pack = PACKS[name]
    for game in range(3):
        generator = random.Random(f"{name} {players} {extension} {game}")
        deal = random_deal(pack, generator, extension=extension)
        referee = Referee(pack, Options(players, extension), deal, RandomChance(generator))
        player = greedy_player if game == 0 else random_player
        while referee.pending:
            assert referee.pending == sorted(referee.pending)
            assert 0 < referee.ship < referee.board.anchor
            seat = generator.choice(referee.pending)
            assert_question_fits(referee, seat)
            before, phase = referee.sheets[seat].copy(), (referee.rounds, referee.phase)
            referee.play(seat, player(generator, referee, seat))
            assert_sheet_fits(referee.sheets[seat], before)
            if (referee.rounds, referee.phase) == phase:
                assert_turn_fits(referee, seat)
        assert referee.ended
        assert not referee.truncated
        assert referee.ship == referee.board.anchor
        assert referee.sheets_seen == referee.sheets
        assert len(referee.scores) == players
        assert sum(referee.result.captain_rewards) == 0 or players != 2


def game_with_seats_of_their_own(order: Callable[[list[int]], int], seed: int, pack: Pack) -> Referee:
    """Four random players with a generator each, asked in some order."""
    chance = random.Random(f"chance {seed}")
    players = [random.Random(f"player {seat} {seed}") for seat in range(4)]
    deal = random_deal(pack, chance, extension=seed % 2 == 1)
    referee = Referee(pack, Options(4, seed % 2 == 1), deal, RandomChance(chance))
    while referee.pending:
        seat = order(referee.pending)
        referee.play(seat, random_player(players[seat], referee, seat))
    return referee


@pytest.mark.parametrize("name", PACKS)
def test_rs_5_1_the_outcome_does_not_depend_on_who_answers_first(name: str) -> None:
    shuffler = random.Random(5)
    orders: Sequence[Callable[[list[int]], int]] = (min, max, shuffler.choice)
    for seed in range(6):
        games = [game_with_seats_of_their_own(order, seed, PACKS[name]) for order in orders]
        assert games[0].sheets == games[1].sheets == games[2].sheets
        assert games[0].result == games[1].result == games[2].result
        assert len({game.steps for game in games}) == 1
        assert len({game.decisions for game in games}) == 1


@pytest.mark.parametrize("name", PACKS)
def test_games_meet_every_kind_of_answer(name: str) -> None:
    met: Counter[str] = Counter()

    def player(generator: random.Random, referee: Referee, seat: int) -> Action:
        for action in referee.legal(seat):
            met[action[0]] += 1
            if action[0] == "die":
                met[str(action[2])] += 1
                met["fan"] += bool(action[3])
        return greedy_player(generator, referee, seat)

    for game in range(12):
        whole_game(game, Options(2, game % 2 == 1), player, PACKS[name])
    wanted = ["green and warm", "fan", "early", "speed", "stay", "done", "score", "score with prize", "village"]
    assert [kind for kind in wanted if not met[kind]] == []


# Measured


def rolls_of_a_game(anchor: int) -> dict[int, float]:
    """The exact distribution of the number of rolls, from that of the median of five dice."""
    below = [pips / 6 for pips in range(7)]
    at_most = [sum(choose * p**k * (1 - p) ** (5 - k) for k, choose in ((3, 10), (4, 5), (5, 1))) for p in below]
    median = {pips: at_most[pips] - at_most[pips - 1] for pips in range(1, 7)}
    where, rolls, ended = {0: 1.0}, 0, {}
    while where:
        rolls += 1
        after: Counter[int] = Counter()
        for space, chance in where.items():
            for pips, likely in median.items():
                after[min(space + pips, anchor)] += chance * likely
        ended[rolls] = after.pop(anchor, 0.0)
        where = dict(after)
    return ended


def test_measured_rolls_a_game_by_calculation() -> None:
    rolls = rolls_of_a_game(33)
    assert sum(number * chance for number, chance in rolls.items()) == pytest.approx(9.8, abs=0.1)
    assert sum(rolls[number] for number in range(8, 12)) == pytest.approx(0.94, abs=0.01)


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def measured(games: int, options: Options, player: Player) -> list[Referee]:
    return [whole_game(f"measured {game}", options, player) for game in range(games)]


def test_measured_random_solo_games() -> None:
    games = measured(300, Options(1), random_player)
    assert mean([game.rounds for game in games]) == pytest.approx(9.8, abs=0.25)
    assert mean([8 <= game.rounds <= 11 for game in games]) == pytest.approx(0.94, abs=0.05)
    assert mean([game.scores[0] for game in games]) == pytest.approx(34, abs=6)


def test_measured_greedy_solo_games() -> None:
    games = measured(200, Options(1), greedy_player)
    scores = sorted(game.scores[0] for game in games)
    assert mean(scores) == pytest.approx(268, abs=15)
    assert scores[len(scores) // 20] == pytest.approx(193, abs=25)
    assert scores[-len(scores) // 20] == pytest.approx(338, abs=25)
    assert mean([game.decisions for game in games]) == pytest.approx(85, abs=10)


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 7))
def test_measured_greedy_games_of_several(players: int) -> None:
    games = measured(50, Options(players), greedy_player)
    assert mean([score for game in games for score in game.scores]) == pytest.approx(271, abs=15)


@pytest.mark.slow
def test_measured_the_extension_brings_more_than_the_book_says() -> None:
    plain, extended = [measured(150, Options(1, extension), greedy_player) for extension in (False, True)]
    gap = mean([game.scores[0] for game in extended]) - mean([game.scores[0] for game in plain])
    assert 40 <= gap <= 80
