"""RS-5: choices within a phase are simultaneous and unseen, sheets public between phases."""

import pytest

from riverbed_env.games.riverside.rules.vocab import Ending, Event, Phase, Question, Refusal
from riverside.scene import Scene, Sheet

ONES = (1, 1, 1, 1, 1, 1)
YELLOW = Sheet(crossed={"yellow": (3, 0, 0, 0)})


@pytest.mark.parametrize("num_players", range(1, 7))
def test_rs_5_1_everybody_is_pending_when_a_phase_begins(num_players: int) -> None:
    for phase in ("dice", "excursions"):
        Scene(num_players, phase=phase).expect(pending=set(range(num_players)), asked=0)


def test_rs_5_1_in_a_step_everybody_pending_answers_once() -> None:
    scene = Scene(3)
    for seat in range(3):
        scene.expect(asked=seat, pending=set(range(seat, 3))).play("die brown")
    scene.expect(pending={0, 1, 2})
    assert {scene.question(seat) for seat in range(3)} == {Question.SEAT}


def test_rs_5_1_who_has_no_choice_left_waits() -> None:
    scene = Scene(2).play("die white", "die yellow")  # one seat to cross, and two
    scene.play("seat white 1", "seat yellow 1")
    scene.expect(pending={1}, asked=1, question={0: Question.NONE}, phase=Phase.DICE)
    scene.play("seat yellow 1").expect(pending={0, 1}, phase=Phase.EXCURSIONS)


def test_rs_5_1_dice_are_unseen_until_the_phase_is_over() -> None:
    scene = Scene(2).play("die white green", "die pink", "seat white 1", "seat pink 1")
    scene.expect(fire={0: 8}, crossed={("white", 0): (1, 0, 0, 0)})
    for seat in range(2):
        seen = scene.seen(seat)
        assert (int(seen["fire"]), int(seen["crossed"].sum())) == (14, 0)
    assert Event.CHOOSE not in scene.events()


def test_rs_5_1_sheets_are_public_between_phases() -> None:
    scene = Scene(2, dice=ONES).play("die white green", "die pink", "seat white 1", "seat pink 1", "seat white 1")
    scene.expect(phase=Phase.EXCURSIONS)
    for seat in range(2):
        assert scene.seen(seat) == scene.sheet(seat)
    assert scene.events().count(Event.CHOOSE) == 2


def test_rs_5_1_excursions_are_unseen_until_the_phase_is_over() -> None:
    scene = Scene(2, sheets={0: YELLOW, 1: YELLOW}, phase="excursions", ship=4).play("village 1")
    assert (scene.plus(0), int(scene.seen(0)["plus"])) == (2, 3)
    scene.play("village 1", "score yellow")
    assert (scene.last("yellow", 0), int(scene.seen(0)["last"].sum())) == (11, 0)
    assert Event.EXCURSION not in scene.events()
    scene.play("score yellow").expect(phase=Phase.DICE)
    assert [int(scene.seen(seat)["last"].sum()) for seat in range(2)] == [11, 11]
    assert scene.events().count(Event.SCORE) == 2


def test_rs_5_1_what_one_chooses_changes_nothing_for_another() -> None:
    drawn = {0: YELLOW, 1: YELLOW}
    for phase in ("dice", "excursions"):
        for choice in sorted(Scene(2, sheets=drawn, phase=phase).legal()):
            scene = Scene(2, sheets=drawn, phase=phase)
            before = scene.legal(1)
            scene.play(choice).expect(legal={1: before})


def test_rs_5_1_all_may_use_the_same_village_and_the_same_dice() -> None:
    scene = Scene(3, sheets=dict.fromkeys(range(3), YELLOW), phase="excursions")
    scene.play(*["village 1"] * 3, *["score yellow"] * 3)
    assert [scene.last("yellow", seat) for seat in range(3)] == [11, 11, 11]
    scene = Scene(3).play(*["die pink green"] * 3)
    assert [scene.fire(seat) for seat in range(3)] == [3, 3, 3]


def test_rs_5_1_waiting_is_no_answer() -> None:
    Scene(2).expect(refusal={"wait": Refusal.MUST_ANSWER})


def played_to_the_cap(scene: Scene) -> tuple[int, int]:
    """Play the first legal answers to the end; returns the steps taken and the round reached."""
    while not scene.over:
        scene.play(min(scene.legal()))
    return int(scene.game["timing"]["steps"]), int(scene.table["round"])


@pytest.mark.parametrize("max_steps", [1, 2, 5])
def test_rs_5_2_the_cap_truncates_and_nobody_has_won_or_lost(max_steps: int) -> None:
    scene = Scene(3, max_steps=max_steps)
    assert played_to_the_cap(scene)[0] == max_steps
    scene.expect(ending=Ending.TRUNCATED, winners=set())


def test_rs_5_2_a_forced_answer_is_a_step_too() -> None:
    """Whoever takes the forced answers, the cap falls on the same moment."""
    by_hand, by_itself = (played_to_the_cap(Scene(2, max_steps=12, auto_forced=forced)) for forced in ("none", "all"))
    assert by_hand == by_itself
    assert by_hand[0] == 12


def test_rs_5_2_a_game_that_ends_in_its_last_step_is_not_cut() -> None:
    scene = Scene(2, phase="excursions", ship=29, max_steps=1).load_dice(4, 4, 4, 4, 4, 1).play("stay", "stay")
    assert (int(scene.table["ending"]), scene.events()[-1]) == (Ending.FINISHED, Event.FINISH)


def test_rs_5_2_the_cap_cuts_a_game_after_so_many_steps() -> None:
    scene = Scene(2, phase="excursions", ship=2, max_steps=2).load_dice(1, 1, 1, 1, 1, 1).play("stay", "stay")
    scene.expect(over=False).play("die white", "die white").expect(ending=Ending.TRUNCATED, winners=set())
