"""RS-2: the roll, the dice chosen, the seats filled, and excursions."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from riverbed_env.games.riverside.rules.vocab import Charge, Phase, Refusal
from riverside.scene import COLOURS, Scene, Sheet

# The spec's table: seats, points, bonus seats and their colour.
BOATS: Mapping[str, Sequence[tuple[int, int, int, str]]] = {
    "white": ((6, 9, 2, "white"), (5, 6, 2, "pink"), (4, 4, 1, "brown"), (3, 2, 1, "yellow")),
    "yellow": ((3, 2, 1, "blue"), (4, 4, 1, "pink"), (5, 6, 2, "brown"), (6, 9, 2, "white")),
    "brown": ((6, 9, 2, "yellow"), (5, 6, 2, "blue"), (4, 4, 1, "pink"), (3, 2, 1, "white")),
    "blue": ((3, 2, 1, "brown"), (4, 4, 1, "white"), (5, 6, 2, "yellow"), (6, 9, 2, "pink")),
    "pink": ((3, 2, 1, "blue"), (4, 4, 1, "yellow"), (5, 6, 2, "brown"), (6, 9, 2, "blue")),
}
ROYAL = {  # power; row and seat of the royal seats
    "white": ("Early birds", (2, 4), (3, 3)),
    "yellow": ("Fan base", (2, 3), (3, 4)),
    "brown": ("Prize ticket", (2, 4), (3, 3)),
    "blue": ("Warm night", (2, 3), (3, 4)),
    "pink": ("Speed boat", (2, 3), (3, 4)),
}
OTHERWISE = Path(__file__).parents[2] / "referee" / "packs" / "riverside" / "otherwise.toml"
EVERY_ROW = [(colour, row) for colour in COLOURS for row in range(1, 5)]


def tickets(**numbers: int) -> dict[str, tuple[int, ...]]:
    """Seats crossed so that each boat has that many tickets."""
    rows = {colour: [row[0] for row in BOATS[colour]] for colour in numbers}
    return {colour: tuple([*rows[colour][:number], 0, 0, 0, 0][:4]) for colour, number in numbers.items()}


def excursions(sheet: Sheet, **drawn: object) -> Scene:
    """A player alone before an excursion; place 1 holds tile 1 and so on, and no power is at hand."""
    return Scene(sheets={0: sheet}, phase="excursions", **drawn)  # type: ignore[arg-type]  # what a Scene takes


@pytest.mark.parametrize(
    ("dice", "temperature", "heated"),
    [
        ((1, 6, 3, 6, 5, 2), 5, {"yellow", "blue"}),
        ((6, 1, 6, 1, 6, 1), 6, set()),
        ((2, 2, 2, 2, 3, 5), 2, {"pink"}),
        ((5, 4, 3, 2, 1, 6), 3, {"white", "yellow"}),
        ((4, 4, 1, 1, 1, 1), 1, {"white", "yellow"}),
        ((3, 3, 4, 4, 4, 4), 4, set()),
    ],
)
def test_rs_2_1_the_median_is_the_temperature(dice: tuple[int, ...], temperature: int, heated: set[str]) -> None:
    scene = excursions(Sheet(), ship=7).load_dice(*dice).play("stay")
    assert tuple(scene.table["dice"]) == dice
    scene.expect(temperature=temperature)
    assert {colour for place, colour in enumerate(COLOURS) if int(scene.table["heated"]) >> place & 1} == heated
    scene.expect(ship=7 + temperature)


def test_rs_2_1_the_green_die_is_heated_however_low() -> None:
    Scene(sheets={0: Sheet(fire=0)}, dice=(6, 6, 6, 6, 6, 1)).expect(legal={f"die {colour}" for colour in COLOURS})


@pytest.mark.parametrize(("ship", "over"), [(29, False), (30, True), (32, True)])
def test_rs_2_1_the_game_ends_at_the_anchor_before_phase_2(ship: int, over: bool) -> None:
    scene = excursions(Sheet(), ship=ship).load_dice(3, 3, 3, 3, 3, 6).play("stay")
    scene.expect(over=over, asked=-1 if over else 0, ship=min(33, ship + 3))


@pytest.mark.parametrize(("ship", "over"), [(35, False), (36, True), (38, True)])
def test_rs_2_1_the_anchor_is_farther_with_the_extension(ship: int, over: bool) -> None:
    excursions(Sheet(), ship=ship, extension=True).load_dice(3, 3, 3, 3, 3, 6).play("stay").expect(over=over)


def test_rs_2_2_one_base_die_with_or_without_the_green_one() -> None:
    Scene().expect(fire=14, legal={f"die {colour}{green}" for colour in COLOURS for green in ("", " green")})


@pytest.mark.parametrize(
    ("fire", "refused"),
    [
        (11, set()),
        (10, {"pink green"}),
        (9, {"pink green", "blue green"}),
        (5, {"pink green", "blue green", "white green", "yellow green", "brown green"}),
        (4, {"pink green", "blue green", "white green", "yellow green", "brown green", "pink"}),
        (0, {"pink green", "blue green", "white green", "yellow green", "brown green", "pink", "blue"}),
    ],
)
def test_rs_2_2_heated_dice_need_their_fire(fire: int, refused: set[str]) -> None:
    # The dice are 1 to 5 and the green one 6: blue and pink are heated.
    scene = Scene(sheets={0: Sheet(fire=fire)})
    every = {f"{colour}{green}" for colour in COLOURS for green in ("", " green")}
    scene.expect(legal={f"die {choice}" for choice in every - refused})
    assert all(scene.refusal(f"die {choice}") == Refusal.FIRE_MISSING for choice in refused)


@pytest.mark.parametrize(("choice", "left"), [("white", 14), ("white green", 8), ("blue", 10), ("pink green", 3)])
def test_rs_2_2_fire_is_paid_for_what_is_heated(choice: str, left: int) -> None:
    Scene().play(f"die {choice}").expect(fire=left)


def test_rs_2_2_the_sum_is_filled_into_the_boat() -> None:
    scene = Scene().play("die white green", "seat white 1 x4", "seat white 2 x2")
    scene.expect(legal={f"seat white {row}" for row in range(1, 5)})  # 7 seats, the last is to come
    scene.play("seat white 2").expect(crossed={"white": (4, 3, 0, 0)}, phase=Phase.EXCURSIONS)


def test_rs_2_2_several_rows_may_be_open() -> None:
    scene = Scene().play("die pink", "seat pink 4", "seat pink 1", "seat pink 3", "seat pink 2", "seat pink 4")
    scene.expect(crossed={"pink": (1, 1, 1, 2)})


def test_rs_2_2_a_full_row_takes_no_more() -> None:
    scene = Scene(sheets={0: Sheet(crossed={"brown": (6, 0, 3, 0)})}).play("die brown")
    scene.expect(refusal={"seat brown 1": Refusal.ROW_FULL}, legal={"seat brown 2", "seat brown 3", "seat brown 4"})


def test_rs_2_2_what_a_full_boat_cannot_take_is_lost() -> None:
    scene = Scene(sheets={0: Sheet(crossed={"pink": (3, 4, 5, 4)})}).play("die pink", "seat pink 4 x2")
    scene.expect(crossed={"pink": (3, 4, 5, 6)})
    assert {words.split()[1] for words in scene.legal()} == {"blue"}  # the bonus; three seats are lost


def test_rs_2_2_a_full_boat_may_be_chosen_and_costs_its_fire() -> None:
    scene = Scene(sheets={0: Sheet(crossed={"pink": (3, 4, 5, 6)})}).play("die pink green")
    scene.expect(fire=3, phase=Phase.EXCURSIONS)


def test_rs_2_2_choosing_is_compulsory() -> None:
    Scene().expect(refusal={"stay": Refusal.WRONG_QUESTION, "done": Refusal.WRONG_QUESTION})


@pytest.mark.parametrize(("colour", "row"), EVERY_ROW)
def test_rs_2_3_a_completed_row_pays_its_ticket_and_its_bonus(colour: str, row: int) -> None:
    seats, points, bonus, bonus_colour = BOATS[colour][row - 1]
    crossed = [0, 0, 0, 0]
    crossed[row - 1] = seats - 1
    scene = Scene(sheets={0: Sheet(crossed={colour: crossed})}, dice=(1, 1, 1, 1, 1, 1))
    scene.play(f"die {colour}", f"seat {colour} {row}").expect(tickets={colour: 1}, boat_points={colour: points})
    filled = []
    while scene.phase == Phase.DICE:
        first = min(scene.legal())
        filled.append(first.split()[1])
        scene.play(first)
    assert filled == [bonus_colour] * bonus


def test_rs_2_3_no_ticket_before_the_last_seat() -> None:
    scene = Scene(dice=(5, 1, 1, 1, 1, 1)).play("die white", "seat white 1 x5")
    scene.expect(tickets={"white": 0}, phase=Phase.EXCURSIONS)


def test_rs_2_3_first_completed_first_paid_and_chained_rows_behind() -> None:
    drawn = Sheet(crossed={"yellow": (2, 0, 0, 5), "white": (4, 0, 0, 0)})
    scene = Scene(sheets={0: drawn}).play("die yellow", "seat yellow 4")
    scene.expect(legal={"seat yellow 1", "seat yellow 2", "seat yellow 3"})  # the die's seats come first
    scene.play("seat yellow 1", "seat white 1 x2")  # of row 4; this completes a row, whose two white seats wait
    assert {words.split()[1] for words in scene.legal()} == {"blue"}  # of row 1
    scene.play("seat blue 1", "seat white 2", "seat white 3")
    scene.expect(crossed={"white": (6, 1, 1, 0)}, phase=Phase.EXCURSIONS)


def test_rs_2_3_the_second_seat_of_a_bonus_comes_before_what_the_first_completes() -> None:
    drawn = Sheet(crossed={"yellow": (0, 0, 0, 5), "white": (0, 0, 0, 2)})
    scene = Scene(sheets={0: drawn}, dice=(1, 1, 1, 1, 1, 1)).play("die yellow", "seat yellow 4", "seat white 4")
    scene.expect(legal={"seat white 1", "seat white 2", "seat white 3"}).play("seat white 1")
    assert {words.split()[1] for words in scene.legal()} == {"yellow"}  # the bonus of white's row 4


def test_rs_2_3_a_bonus_may_come_back_to_the_boat_that_pays_it() -> None:
    drawn = Sheet(crossed={"white": (0, 1, 6, 0)})
    # Seat 1 completes the row, which pays a white seat.
    scene = Scene(sheets={0: drawn}, dice=(1, 1, 1, 1, 1, 1), pack=OTHERWISE)
    scene.play("die white", "seat white 1", "seat white 2")  # and again, two
    scene.play("seat white 3", "seat white 4")
    assert {words.split()[1] for words in scene.legal()} == {"yellow"}
    scene.expect(crossed={"white": (1, 2, 7, 1)})


def test_rs_2_3_a_bonus_into_a_full_boat_is_lost() -> None:
    scene = Scene(sheets={0: Sheet(crossed={"yellow": (2, 0, 0, 0), "blue": (3, 4, 5, 6)})}, dice=(1, 1, 1, 1, 1, 1))
    scene.play("die yellow", "seat yellow 1").expect(phase=Phase.EXCURSIONS)


@pytest.mark.parametrize("colour", COLOURS)
def test_rs_2_3_both_royal_seats_make_the_power_available(colour: str) -> None:
    power, *royal = ROYAL[colour]
    crossed = [0, 0, 0, 0]
    for row, seat in royal:
        crossed[row - 1] = seat - 1
    for (one, _), (other, _) in (royal, royal[::-1]):
        scene = Scene(sheets={0: Sheet(crossed={colour: crossed})}, dice=(2, 2, 2, 2, 2, 2))
        scene.play(f"die {colour}", f"seat {colour} {one}").expect(charge={power: Charge.LOCKED})
        scene.play(f"seat {colour} {other}").expect(charge={power: Charge.READY})


def test_rs_2_3_a_bonus_seat_may_be_the_royal_one() -> None:
    drawn = Sheet(crossed={"blue": (2, 0, 0, 0), "brown": (0, 3, 3, 0)})
    scene = Scene(sheets={0: drawn}, dice=(1, 1, 1, 1, 1, 1)).play("die blue", "seat blue 1", "seat brown 2")
    scene.expect(charge={"Prize ticket": Charge.READY})


def test_rs_2_3_a_power_used_stays_used() -> None:
    drawn = Sheet(crossed={"yellow": (0, 3, 4, 0)}, used=["Fan base"])
    scene = Scene(sheets={0: drawn}).play("die yellow", "seat yellow 2", "seat yellow 3")
    scene.expect(charge={"Fan base": Charge.USED})


def test_rs_2_4_an_excursion_is_optional() -> None:
    scene = excursions(Sheet(crossed=tickets(yellow=1), plus=0)).expect(legal={"village 1", "stay"})
    scene.play("stay").expect(phase=Phase.DICE)


@pytest.mark.parametrize(
    ("ship", "near"),
    [
        (1, {"village 1", "village 6"}),
        (2, {"village 1", "village 6"}),
        (3, {"village 1", "village 6"}),
        (4, {"village 2", "village 7"}),  # place 1 is 4 away, backwards
        (30, {"village 1", "village 6"}),  # on the way back, through the passage
        (32, {"village 1", "village 6"}),
        (16, set()),
    ],
)
def test_rs_2_4_villages_within_three_by_the_shortest_way(ship: int, near: set[str]) -> None:
    everywhere = tickets(white=1, yellow=1, brown=1, blue=1, pink=1)
    excursions(Sheet(crossed=everywhere, plus=0), ship=ship).expect(legal=near | {"stay"})


def test_rs_2_4_three_plus_ones_a_game() -> None:
    Scene().expect(plus=3)


@pytest.mark.parametrize(("ship", "steps"), [(3, 3), (4, 4), (5, 5), (6, 6)])
def test_rs_2_4_the_fewest_plus_ones_are_charged(ship: int, steps: int) -> None:
    scene = excursions(Sheet(crossed=tickets(yellow=1)), ship=ship).expect(distance={1: steps})
    scene.play("village 1").expect(plus=3 - (steps - 3))


@pytest.mark.parametrize(("plus", "refused"), [(2, Refusal.OK), (1, Refusal.OUT_OF_REACH)])
def test_rs_2_4_no_more_plus_ones_than_are_left(plus: int, refused: Refusal) -> None:
    excursions(Sheet(crossed=tickets(yellow=1), plus=plus), ship=5).expect(refusal={"village 1": refused})


def test_rs_2_4_plus_ones_last_for_the_round_only() -> None:
    scene = excursions(Sheet(crossed=tickets(yellow=1), plus=2), ship=5)
    scene.load_dice(1, 1, 1, 1, 1, 1).play("village 1", "score yellow", "die white", "seat white 1")
    scene.expect(distance={1: 6}, plus=0, refusal={"village 1": Refusal.OUT_OF_REACH})


def test_rs_2_4_the_one_colour_example() -> None:
    scene = excursions(Sheet(crossed=tickets(yellow=2), last={"yellow": 16})).play("village 1", "score yellow")
    scene.expect(last={"yellow": 22}, total={"yellow": 38}, tickets={"yellow": 2})  # tickets aren't used up


@pytest.mark.parametrize(("last", "refused"), [(21, Refusal.OK), (22, Refusal.NOTHING_TO_SCORE)])
def test_rs_2_4_a_tie_is_not_enough(last: int, refused: Refusal) -> None:
    excursions(Sheet(crossed=tickets(yellow=2), last={"yellow": last})).expect(refusal={"village 1": refused})


def test_rs_2_4_no_score_of_zero() -> None:
    excursions(Sheet()).expect(legal={"stay"}, refusal={"village 1": Refusal.NOTHING_TO_SCORE})


def test_rs_2_4_the_same_village_again_if_it_scores_higher() -> None:
    scene = excursions(Sheet(crossed=tickets(yellow=2)))
    scene.load_dice(1, 4, 1, 1, 1, 1).play("village 1", "score yellow", "die yellow", "seat yellow 3 x4")
    scene.expect(refusal={"village 1": Refusal.NOTHING_TO_SCORE})
    again = excursions(Sheet(crossed={"yellow": (3, 4, 2, 0)}))
    again.load_dice(1, 3, 1, 1, 1, 1)
    again.play("village 1", "score yellow", "die yellow", "seat yellow 3 x3", "seat brown 1 x2")
    again.play("village 1", "score yellow")
    again.expect(last={"yellow": 33})


def test_rs_2_4_all_scores_are_summed() -> None:
    scene = excursions(Sheet(crossed=tickets(yellow=2), last={"yellow": 16}, total={"yellow": 45}))
    scene.play("village 1", "score yellow").expect(total={"yellow": 67})


def test_rs_2_4_one_village_a_round() -> None:
    scene = excursions(Sheet(crossed=tickets(yellow=1, white=1))).play("village 1", "score yellow")
    scene.expect(phase=Phase.DICE, last={"white": 0})


def test_rs_2_4_the_two_colour_example() -> None:
    scene = excursions(Sheet(crossed=tickets(white=2, blue=3), last={"blue": 14})).play("village 6")
    scene.expect(legal={"score white"})  # 12 for blue is lower than 14
    scene.expect(refusal={"score blue": Refusal.NOT_HIGHER})
    scene.play("score white").expect(last={"white": 18, "blue": 14}, phase=Phase.DICE)


@pytest.mark.parametrize("first", ["white", "blue"])
def test_rs_2_4_two_colours_in_any_order_or_one_of_them(first: str) -> None:
    other = "blue" if first == "white" else "white"
    points = {"white": 9, "blue": 4}
    scene = excursions(Sheet(crossed=tickets(white=1, blue=1))).play("village 6")
    scene.expect(legal={"score white", "score blue"})  # at least one is scored
    scene.play(f"score {first}").expect(legal={f"score {other}", "done"})
    scene.play("done").expect(last={first: points[first], other: 0})
    again = excursions(Sheet(crossed=tickets(white=1, blue=1))).play("village 6", f"score {first}", f"score {other}")
    again.expect(last={first: points[first], other: points[other]}, phase=Phase.DICE)


def test_rs_2_4_up_to_three_colours_with_the_extension() -> None:
    drawn = Sheet(crossed=tickets(pink=1, blue=2, brown=3), used=["Prize ticket"])
    scene = excursions(drawn, extension=True, tiles={1: 11}).play("village 1")
    scene.expect(legal={"score pink", "score blue", "score brown"}).play("score brown", "score pink", "score blue")
    assert [scene.last(colour) for colour in ("pink", "blue", "brown")] == [4, 8, 12]


def test_rs_2_4_the_stave_church_example() -> None:
    drawn = Sheet(crossed=tickets(white=1, yellow=1, brown=0, blue=2, pink=3), last={"church": 13})
    scene = excursions(drawn, tiles={1: 9}).play("village 1").expect(legal={"score church"})
    scene.play("score church").expect(last={"church": 14}, total={"church": 27})
    assert all(scene.last(colour) == 0 for colour in COLOURS)


def test_rs_2_4_the_stave_church_has_to_be_beaten_too() -> None:
    drawn = Sheet(crossed=tickets(white=3, yellow=4), last={"church": 14})
    excursions(drawn, tiles={1: 9}).expect(refusal={"village 1": Refusal.NOTHING_TO_SCORE})
    excursions(drawn, tiles={1: 10}).play("village 1", "score church").expect(last={"church": 21})


@pytest.mark.parametrize(
    ("tile", "values"),
    [
        (1, {"yellow": 11}),
        (2, {"brown": 12}),
        (3, {"white": 10}),
        (4, {"blue": 10}),
        (5, {"pink": 10}),
        (6, {"white": 9, "blue": 4}),
        (7, {"pink": 7, "yellow": 8}),
        (8, {"yellow": 5, "blue": 7}),
        (9, {"church": 2 * 5}),
        (10, {"church": 3 * 5}),
        (11, {"pink": 4, "blue": 4, "brown": 4}),
        (12, {"white": 8}),
    ],
)
def test_rs_2_4_the_villages_of_the_pack(tile: int, values: dict[str, int]) -> None:
    drawn = Sheet(crossed=tickets(white=1, yellow=1, brown=1, blue=1, pink=1))
    scene = excursions(drawn, extension=True, tiles={1: tile}).play("village 1", *(f"score {boat}" for boat in values))
    assert {boat: scene.last(boat) for boat in (*COLOURS, "church") if scene.last(boat)} == values
