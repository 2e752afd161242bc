"""RS-3: the royal powers, each once."""

from collections.abc import Sequence

import pytest

from riverbed_env.games.riverside.rules.vocab import Charge, Phase, Refusal
from riverside.scene import COLOURS, Scene, Sheet, excursion

READY = {  # both royal seats crossed, no row completed
    "Early birds": ("white", (0, 4, 3, 0)),
    "Fan base": ("yellow", (0, 3, 4, 0)),
    "Prize ticket": ("brown", (0, 4, 3, 0)),
    "Warm night": ("blue", (0, 3, 4, 0)),
    "Speed boat": ("pink", (0, 3, 4, 0)),
}
FIRST_ROW = {"white": 6, "yellow": 3, "brown": 6, "blue": 3, "pink": 3}  # seats of the row that gives a ticket


def sheet(*powers: str, tickets: Sequence[str] = (), **drawn: object) -> Sheet:
    """A sheet with these powers at hand and a ticket of each of these colours."""
    crossed = {colour: [0, 0, 0, 0] for colour in COLOURS}
    for power in powers:
        colour, rows = READY[power]
        crossed[colour] = list(rows)
    for colour in tickets:
        crossed[colour][0] = FIRST_ROW[colour]
    return Sheet(crossed=crossed, **drawn)  # type: ignore[arg-type]  # what a Sheet takes


@pytest.mark.parametrize(
    ("power", "action", "phase"),
    [
        ("Fan base", "die white fan", "dice"),
        ("Warm night", "die white warm", "dice"),
        ("Prize ticket", "village 2", "excursions"),
        ("Speed boat", "speed", "excursions"),
    ],
)
def test_rs_3_1_not_before_it_is_available_and_not_again(power: str, action: str, phase: str) -> None:
    tickets = ["yellow"] if power == "Speed boat" else []
    drawn = {
        "locked": sheet(tickets=tickets, plus=0),
        "ready": sheet(power, tickets=tickets, plus=0),
        "used": sheet(power, tickets=tickets, plus=0, used=[power]),
    }
    legal = {name: action in Scene(sheets={0: one}, phase=phase, ship=6).legal() for name, one in drawn.items()}
    assert legal == {"locked": False, "ready": True, "used": False}


def test_rs_3_1_several_in_one_round() -> None:
    scene = Scene(sheets={0: sheet("Fan base", "Warm night", fire=0)}, dice=(1, 1, 1, 1, 1, 6))
    scene.play("die white warm fan", "seat white 2 x4", "seat white 1 x5", "seat white 4")
    scene.expect(
        charge={"Fan base": Charge.USED, "Warm night": Charge.USED},
        crossed={"white": (5, 4, 0, 1)},
        phase=Phase.EXCURSIONS,
    )


# --- Fan base and Warm night ------------------------------------------------------------------------------------------


def test_rs_3_1_fan_base_adds_three_without_fire() -> None:
    scene = Scene(sheets={0: sheet("Fan base", fire=0)}).play("die white fan", "seat white 1 x4")
    scene.expect(crossed={"white": (4, 0, 0, 0)}, fire=0, phase=Phase.EXCURSIONS)


def test_rs_3_1_fan_base_leaves_the_fire_of_the_dice() -> None:
    Scene(sheets={0: sheet("Fan base")}).play("die blue green fan").expect(fire=4)
    Scene(sheets={0: sheet("Fan base", fire=9)}).expect(refusal={"die blue green fan": Refusal.FIRE_MISSING})


def test_rs_3_1_warm_night_spares_the_fire_of_the_green_die() -> None:
    scene = Scene(sheets={0: sheet("Warm night", fire=0)})
    assert {"die white warm", "die yellow warm", "die brown warm"} < scene.legal()
    scene.refuses("die white green")
    scene.play("die white warm", "seat white 1 x5", "seat white 2 x2")
    scene.expect(fire=0, charge={"Warm night": Charge.USED}, phase=Phase.EXCURSIONS)


def test_rs_3_1_warm_night_does_not_spare_a_heated_base_die() -> None:
    Scene(sheets={0: sheet("Warm night", fire=3)}).expect(refusal={"die blue warm": Refusal.FIRE_MISSING})
    Scene(sheets={0: sheet("Warm night", fire=4)}).play("die blue warm").expect(fire=0)


@pytest.mark.parametrize(("colour", "way"), [("yellow", "fan"), ("blue", "warm")])
def test_rs_3_1_what_is_unlocked_in_phase_2_serves_from_the_next_round_on(colour: str, way: str) -> None:
    drawn = Sheet(crossed={colour: (0, 2, 4, 0)})
    scene = Scene(sheets={0: drawn}, dice=(1, 1, 1, 1, 1, 1)).load_dice(1, 1, 1, 1, 1, 1).refuses(f"die {colour} {way}")
    scene.play(f"die {colour}", f"seat {colour} 2", "stay").allows(f"die {colour} {way}")


def test_rs_3_1_what_is_unlocked_in_phase_2_serves_in_phase_3() -> None:
    drawn = Sheet(crossed={"brown": (0, 3, 3, 0)}, plus=0)
    scene = Scene(sheets={0: drawn}, dice=(1, 1, 1, 1, 1, 1), ship=5).play("die brown", "seat brown 2", "village 2")
    scene.expect(legal={"prize brown"})


def test_rs_3_1_prize_ticket_scores_one_instead_of_none() -> None:
    scene = excursion(sheet("Prize ticket", plus=0)).play("village 1").expect(legal={"prize yellow"})
    scene.play("prize yellow").expect(last={"yellow": 11}, tickets={"yellow": 0}, charge={"Prize ticket": Charge.USED})


def test_rs_3_1_prize_ticket_scores_two_instead_of_one() -> None:
    scene = excursion(sheet("Prize ticket", tickets=["yellow"])).play("village 1")
    scene.expect(legal={"score yellow", "prize yellow"}).play("prize yellow").expect(last={"yellow": 22})


def test_rs_3_1_prize_ticket_may_be_what_beats_the_last_score() -> None:
    scene = excursion(sheet("Prize ticket", tickets=["yellow"], last={"yellow": 21})).play("village 1")
    scene.expect(legal={"prize yellow"})


def test_rs_3_1_prize_ticket_is_one_in_total_at_a_church() -> None:
    drawn = sheet("Prize ticket", tickets=["white", "yellow", "pink"])
    excursion(drawn, tiles={1: 10}).play("village 1", "prize church").expect(last={"church": 3 * 4})


def test_rs_3_1_prize_ticket_of_a_colour_serves_no_other() -> None:
    scene = excursion(sheet("Prize ticket", tickets=["white"])).play("village 6")
    scene.expect(legal={"score white", "prize white", "prize blue"}).play("prize white")
    scene.expect(last={"white": 18, "blue": 0}, phase=Phase.DICE)  # nothing left to choose


def test_rs_3_1_prize_ticket_may_be_called_for_the_second_score() -> None:
    scene = excursion(sheet("Prize ticket", tickets=["white"])).play("village 6", "score white")
    scene.expect(legal={"prize blue", "done"}).play("prize blue").expect(last={"blue": 4})


def test_rs_3_1_prize_ticket_holds_for_every_later_score_of_its_colour_this_round() -> None:
    drawn = sheet("Prize ticket", "Early birds", tickets=["yellow"])
    scene = excursion(drawn, tiles={1: 8, 6: 1}).play("village 1", "prize yellow", "early", "village 6")
    scene.expect(legal={"score yellow"}, last={"yellow": 5 * 2}).play("score yellow").expect(last={"yellow": 11 * 2})


def test_rs_3_1_prize_ticket_of_a_colour_does_not_count_at_a_church() -> None:
    drawn = sheet("Prize ticket", "Early birds", tickets=["yellow"])
    scene = excursion(drawn, tiles={1: 1, 6: 10})
    scene.play("village 1", "prize yellow", "early", "village 6", "score church")
    scene.expect(last={"yellow": 22, "church": 3})


def test_rs_3_1_prize_ticket_of_a_church_does_not_count_for_a_colour() -> None:
    drawn = sheet("Prize ticket", "Early birds", tickets=["yellow"])
    scene = excursion(drawn, tiles={1: 1, 6: 10})
    scene.play("village 6", "prize church", "early", "village 1", "score yellow")
    scene.expect(last={"church": 6, "yellow": 11})


def test_rs_3_1_prize_ticket_is_gone_after_the_round() -> None:
    drawn = sheet("Prize ticket", tickets=["white"])
    scene = excursion(drawn, tiles={1: 3, 6: 9, 2: 6})
    scene.load_dice(1, 1, 1, 1, 1, 1).play("village 6", "prize church", "die white", "seat white 2")
    scene.expect(last={"church": 2 * 2}, refusal={"village 6": Refusal.NOTHING_TO_SCORE})  # 2 now
    scene.play("village 1", "score white").expect(last={"white": 10})


def test_rs_3_1_early_birds_visits_two_different_villages() -> None:
    # Early birds can be called only after a first excursion.
    scene = excursion(sheet("Early birds", tickets=["yellow", "white"], plus=0)).refuses("early")
    scene.play("village 1", "score yellow").expect(legal={"early", "done"}).play("early")
    scene.expect(legal={"village 6"})  # not the first one again, and an excursion must follow
    scene.expect(refusal={"village 1": Refusal.SAME_VILLAGE, "stay": Refusal.MUST_VISIT})
    scene.play("village 6", "score white")
    scene.expect(last={"yellow": 11, "white": 9}, charge={"Early birds": Charge.USED}, phase=Phase.DICE)


def test_rs_3_1_early_birds_needs_a_second_village() -> None:
    scene = excursion(sheet("Early birds", tickets=["yellow"], plus=0)).play("village 1", "score yellow")
    scene.expect(phase=Phase.DICE, charge={"Early birds": Charge.READY})


def test_rs_3_1_early_birds_leaves_what_was_not_scored_at_the_first_village() -> None:
    drawn = sheet("Early birds", tickets=["blue", "white"], plus=0)
    scene = excursion(drawn, ship=5, tiles={2: 6, 7: 4}).play("village 2", "score blue")
    scene.expect(legal={"score white", "early", "done"})
    scene.play("early", "village 7", "score blue").expect(last={"blue": 10, "white": 0}, phase=Phase.DICE)


def test_rs_3_1_the_second_village_of_early_birds_must_score_above_the_first() -> None:
    drawn = sheet("Early birds", tickets=["white"], plus=0)
    scene = excursion(drawn, ship=5, tiles={2: 3, 7: 6}).play("village 2", "score white")  # 10; the other has 9
    scene.expect(phase=Phase.DICE, charge={"Early birds": Charge.READY})


def test_rs_3_1_early_birds_shares_the_plus_ones_crossed() -> None:
    scene = excursion(sheet("Early birds", tickets=["yellow", "white"], plus=2), ship=5).expect(distance={1: 5, 6: 5})
    scene.play("village 1", "score yellow", "early", "village 6", "score white").expect(plus=0, last={"white": 9})


def test_rs_3_1_early_birds_second_village_may_need_more_plus_ones() -> None:
    scene = excursion(sheet("Early birds", tickets=["yellow", "pink"]), ship=4, tiles={2: 1, 1: 5, 5: 2})
    scene.expect(distance={2: 3, 1: 4})
    scene.play("village 2", "score yellow", "early", "village 1", "score pink").expect(plus=2)


def test_rs_3_1_speed_boat_reaches_six_and_an_excursion_must_follow() -> None:
    scene = excursion(sheet("Speed boat", tickets=["yellow"], plus=0), ship=6)
    scene.expect(distance={1: 6, 7: 3, 8: 4}, legal={"village 7", "speed", "stay"})
    scene.play("speed").expect(legal={"village 1", "village 7", "village 8"}, refusal={"stay": Refusal.MUST_VISIT})
    scene.play("village 1", "score yellow").expect(last={"yellow": 11}, charge={"Speed boat": Charge.USED})


@pytest.mark.parametrize(("plus", "reached"), [(0, False), (1, True)])
def test_rs_3_1_plus_ones_still_add_to_speed_boat(plus: int, reached: bool) -> None:
    scene = excursion(sheet("Speed boat", tickets=["yellow"], plus=plus), ship=7).expect(distance={1: 7, 7: 4})
    scene.play("speed")
    assert ("village 1" in scene.legal()) == reached
    if reached:
        scene.play("village 1").expect(plus=0)


def test_rs_3_1_speed_boat_may_save_a_plus_one() -> None:
    scene = excursion(sheet("Speed boat", tickets=["yellow"]), ship=4).expect(distance={1: 4})
    assert {"village 1", "speed"} < scene.legal()
    scene.play("speed", "village 1").expect(plus=3)


def test_rs_3_1_speed_boat_for_the_first_village_alone() -> None:
    drawn = sheet("Speed boat", tickets=["yellow"], plus=0)
    scene = excursion(drawn, ship=6, tiles={1: 1, 4: 7, 5: 8, 9: 9, 10: 10})
    scene.expect(distance={1: 6}, legal={"speed", "stay"}).play("speed").expect(legal={"village 1"})


@pytest.mark.parametrize("ship", [2, 3, 20])
def test_rs_3_1_no_speed_boat_where_it_is_of_no_use(ship: int) -> None:
    # From 2 and 3 village and church are in reach anyway; from 20 not even Speed boat leads there.
    scene = excursion(sheet("Speed boat", tickets=["brown"], plus=0), ship=ship, tiles={1: 2, 6: 9, 8: 10})
    assert scene.distance(1) in {2, 3, 13}
    scene.expect(refusal={"speed": Refusal.SPEED_USELESS})


def test_rs_3_1_speed_boat_called_first_serves_both_villages() -> None:
    drawn = sheet("Speed boat", "Early birds", tickets=["yellow", "white"], plus=0)
    scene = excursion(drawn, ship=5).play("speed", "village 1", "score yellow", "early").allows("village 6")
    scene.play("village 6", "score white").expect(last={"white": 9})


def test_rs_3_1_speed_boat_called_after_early_birds_serves_the_second_village_only() -> None:
    drawn = sheet("Speed boat", "Early birds", tickets=["yellow", "blue"])
    # The first village costs two +1 symbols.
    scene = excursion(drawn, ship=5).expect(distance={1: 5, 4: 8}).play("village 1", "score yellow").expect(plus=1)
    scene.play("early").expect(refusal={"village 4": Refusal.OUT_OF_REACH})
    scene.play("speed", "village 4", "score blue").expect(plus=1)  # 6 and the two crossed for the first
    scene.expect(last={"blue": 10})


def test_rs_3_1_early_birds_where_speed_boat_reaches_the_second_village() -> None:
    drawn = sheet("Speed boat", "Early birds", tickets=["yellow", "brown"], plus=0)
    scene = excursion(drawn, ship=3, tiles={7: 10, 10: 7, 8: 9, 9: 8}).play("village 1", "score yellow")
    scene.expect(distance={2: 4}).play("early").expect(legal={"speed"})
    scene.play("speed").allows("village 2")


# --- the last place of the extension --------------------------------------------------------------------------------

FAR_EAST = {12: 1, 1: 7, 2: 8, 3: 9, 7: 10}  # yellow in the last place, whatever else a ticket could serve far away


def test_rs_3_1_speed_boat_reaches_the_last_place_of_the_extension() -> None:
    drawn = sheet("Speed boat", tickets=["yellow"], plus=0)
    scene = excursion(drawn, ship=26, extension=True, tiles=FAR_EAST).expect(distance={12: 6}, legal={"speed", "stay"})
    scene.play("speed").expect(legal={"village 12"})


@pytest.mark.parametrize(("plus", "asked"), [(0, False), (1, True)])
def test_rs_3_1_early_birds_visits_the_last_place_of_the_extension(plus: int, asked: bool) -> None:
    drawn = sheet("Early birds", tickets=["yellow", "brown"], plus=plus)
    scene = excursion(drawn, ship=24, extension=True, tiles={**FAR_EAST, 11: 2}).expect(distance={11: 3, 12: 4})
    scene.play("village 11", "score brown")
    assert (scene.phase == Phase.EXCURSIONS) == asked
    if asked:
        scene.play("early").expect(legal={"village 12"})
