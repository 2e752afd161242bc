"""Which action the rules refuse whom, and for what reason: every question, every action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from legality_kit import check_reasons, check_the_end, check_turns

from riverbed_env.games.riverside.rules.actions import ACTIONS
from riverbed_env.games.riverside.rules.vocab import Question, Refusal
from riverside.scene import COLOURS, Scene, Sheet, excursion

ROYAL = {  # both royal seats of a boat, and its power
    "white": ((0, 4, 3, 0), "Early birds"),
    "yellow": ((0, 3, 4, 0), "Fan base"),
    "brown": ((0, 4, 3, 0), "Prize ticket"),
    "blue": ((0, 3, 4, 0), "Warm night"),
    "pink": ((0, 3, 4, 0), "Speed boat"),
}


def sheet(
    crossed: Mapping[str, tuple[int, ...]] | None = None, *, ready: str = "", used: str = "", **drawn: Any
) -> Sheet:
    """A sheet with the powers of the boats named `ready` at hand and those of the boats named `used` crossed off."""
    royal = {boat: ROYAL[boat][0] for boat in (ready + " " + used).split()}
    powers = [ROYAL[boat][1] for boat in used.split()]
    return Sheet(crossed={**royal, **(crossed or {})}, used=powers, **drawn)


OTHER_COLOURS = {
    f"{verb} {boat}": Refusal.OTHER_COLOUR
    for verb in ("score", "prize")
    for boat in ("yellow", "brown", "pink", "church")
}
YELLOW_BLUE = {"yellow": (3, 0, 0, 0), "blue": (3, 0, 0, 0)}
# A scene for each question, some in several circumstances; and why what answers it but isn't legal isn't.
# Anything that isn't named doesn't answer what is asked.
ASKED: dict[str, tuple[Callable[[], Scene], Question, dict[str, Refusal]]] = {
    "dice, no power at hand": (
        lambda: Scene(sheets={0: sheet(fire=5)}, dice=(1, 2, 3, 4, 5, 6)),
        Question.DIE,
        {
            **{f"die {colour} green": Refusal.FIRE_MISSING for colour in COLOURS},
            **{
                f"die {colour} {way}": Refusal.POWER_LOCKED
                for colour in COLOURS
                for way in ("fan", "green fan", "warm", "warm fan")
            },
        },
    ),
    "dice, on Warm night": (
        lambda: Scene(sheets={0: sheet(ready="blue", used="yellow", fire=4)}, dice=(1, 2, 3, 4, 5, 6)),
        Question.DIE,
        {
            **{f"die {colour} green": Refusal.FIRE_MISSING for colour in COLOURS},
            **{
                f"die {colour} {way}": Refusal.POWER_USED
                for colour in COLOURS
                for way in ("fan", "green fan", "warm fan")
            },
            "die pink": Refusal.FIRE_MISSING,
            "die pink warm": Refusal.FIRE_MISSING,
        },
    ),
    "dice, on Fan base": (
        lambda: Scene(sheets={0: sheet(ready="yellow", fire=6)}, dice=(1, 2, 3, 4, 5, 6)),
        Question.DIE,
        {
            **{f"die {colour} green{way}": Refusal.FIRE_MISSING for colour in COLOURS[3:] for way in ("", " fan")},
            **{f"die {colour} warm{way}": Refusal.POWER_LOCKED for colour in COLOURS for way in ("", " fan")},
        },
    ),
    "a seat": (
        lambda: Scene(sheets={0: sheet({"brown": (6, 0, 3, 3)})}).play("die brown"),
        Question.SEAT,
        {
            "seat brown 1": Refusal.ROW_FULL,
            "seat brown 4": Refusal.ROW_FULL,
            **{f"seat {boat} {row}": Refusal.OTHER_BOAT for boat in COLOURS for row in range(1, 5) if boat != "brown"},
        },
    ),
    "a village": (
        lambda: excursion(sheet(YELLOW_BLUE, plus=1), ship=4, tiles={1: 1, 2: 8, 6: 2, 7: 3}),
        Question.VILLAGE,
        {
            "village 11": Refusal.NO_VILLAGE,
            "village 12": Refusal.NO_VILLAGE,
            **{f"village {place}": Refusal.OUT_OF_REACH for place in (3, 4, 5, 8, 9, 10)},
            **{f"village {place}": Refusal.NOTHING_TO_SCORE for place in (6, 7)},
            "speed": Refusal.POWER_LOCKED,
        },
    ),
    "a village, with Speed boat": (
        lambda: excursion(sheet({"yellow": (3, 0, 0, 0)}, ready="pink", plus=0), ship=6),
        Question.VILLAGE,
        {
            "village 11": Refusal.NO_VILLAGE,
            "village 12": Refusal.NO_VILLAGE,
            **{f"village {place}": Refusal.OUT_OF_REACH for place in (1, 3, 4, 5, 6, 8, 9, 10)},
            "village 2": Refusal.NOTHING_TO_SCORE,
        },
    ),
    "a village, Speed boat of no use": (
        lambda: excursion(sheet({"brown": (6, 0, 0, 0)}, ready="pink", plus=0), tiles={1: 2, 6: 9, 8: 10}),
        Question.VILLAGE,
        {"speed": Refusal.SPEED_USELESS},
    ),
    "a village after Speed boat": (
        lambda: excursion(sheet({"yellow": (3, 0, 0, 0)}, ready="pink", plus=0), ship=6).play("speed"),
        Question.FAST,
        {
            "village 11": Refusal.NO_VILLAGE,
            "village 12": Refusal.NO_VILLAGE,
            **{f"village {place}": Refusal.OUT_OF_REACH for place in (4, 5, 9, 10)},
            **{f"village {place}": Refusal.NOTHING_TO_SCORE for place in (2, 3, 6)},
            "stay": Refusal.MUST_VISIT,
        },
    ),
    "a second village": (
        lambda: excursion(sheet({"yellow": (3, 0, 0, 0), "white": (6, 4, 3, 0)}, used="pink", plus=0)).play(
            "village 1", "score yellow", "early"
        ),
        Question.SECOND,
        {
            "village 1": Refusal.SAME_VILLAGE,
            "village 11": Refusal.NO_VILLAGE,
            "village 12": Refusal.NO_VILLAGE,
            "stay": Refusal.MUST_VISIT,
            "speed": Refusal.POWER_USED,
        },
    ),
    "a score": (
        lambda: excursion(sheet({"white": (6, 5, 0, 0), "blue": (3, 4, 5, 0)}, last={"blue": 14})).play("village 6"),
        Question.SCORE,
        {
            "score blue": Refusal.NOT_HIGHER,
            "prize white": Refusal.POWER_LOCKED,
            "prize blue": Refusal.POWER_LOCKED,
            **OTHER_COLOURS,
        },
    ),
    "a score with the prize ticket": (
        lambda: excursion(sheet({"white": (6, 5, 0, 0), "blue": (3, 4, 0, 0)}, ready="brown", last={"blue": 14})).play(
            "village 6"
        ),
        Question.SCORE,
        {
            "score blue": Refusal.NOT_HIGHER,
            "prize blue": Refusal.NOT_HIGHER,
            **OTHER_COLOURS,
        },
    ),
    "another score": (
        lambda: excursion(sheet({"white": (6, 0, 0, 0), "blue": (3, 0, 0, 0)})).play("village 6", "score white"),
        Question.MORE,
        {
            "score white": Refusal.SCORED_HERE,
            "prize white": Refusal.SCORED_HERE,
            "prize blue": Refusal.POWER_LOCKED,
            "early": Refusal.POWER_LOCKED,
            **OTHER_COLOURS,
        },
    ),
    "another score, no second village": (
        lambda: excursion(sheet({"white": (6, 4, 3, 0), "blue": (3, 0, 0, 0)}, used="brown", plus=0)).play(
            "village 6", "score white"
        ),
        Question.MORE,
        {
            "score white": Refusal.SCORED_HERE,
            "prize white": Refusal.SCORED_HERE,
            "prize blue": Refusal.POWER_USED,
            "early": Refusal.NO_SECOND_VILLAGE,
        },
    ),
}  # fmt: skip


def test_every_question_is_asked() -> None:
    assert {question for _, question, _ in ASKED.values()} == set(Question) - {Question.NONE}


@pytest.mark.parametrize("asked", ASKED)
def test_the_reason_of_every_refusal(asked: str) -> None:
    draw, question, reasons = ASKED[asked]
    scene = draw().expect(question=question)
    kinds = {answer.split()[0] for answer in {*scene.legal(), *reasons}}  # of which other scenes tell the other reasons

    def reason(words: str) -> Refusal | None:
        return reasons.get(words, None if words.split(maxsplit=1)[0] in kinds else Refusal.WRONG_QUESTION)

    check_reasons(scene, reason)


def test_who_is_not_asked_waits() -> None:
    scene = Scene(3).play("die white").expect(asked=1)
    check_turns(scene)
    mask = np.zeros(ACTIONS.size, np.int8)
    scene.kind.kernels.write_mask(scene.game, scene.params, 1, mask)
    assert {Scene.words(int(action)) for action in np.flatnonzero(mask)} == scene.legal()


def test_when_it_is_over_everybody_waits() -> None:
    check_the_end(Scene(2, max_steps=1).play("die white", "die white").expect(pending=set()))


# --- decisions with one legal answer ----------------------------------------------------------------------------------

STAYING = {0: sheet(), 1: sheet({"white": (6, 4, 3, 0)})}


def test_only_a_village_is_forced_in_public() -> None:
    drawn: dict[str, Any] = {"num_players": 2, "sheets": STAYING, "phase": "excursions", "ship": 2}
    Scene(**drawn, auto_forced="none").expect(pending={0, 1})
    for auto_forced in ("public", "all"):
        # The other player can only stay.
        scene = Scene(**drawn, auto_forced=auto_forced).expect(pending={1}, asked=1)
        assert int(scene.game["timing"]["decisions"]) == 1
    one_seat: dict[str, Any] = {"sheets": {0: sheet({"white": (6, 5, 4, 0)})}, "dice": (1, 1, 1, 1, 1, 1)}
    Scene(**one_seat, auto_forced="public").play("die white").expect(question=Question.SEAT)
    Scene(**one_seat, auto_forced="none").play("die white").expect(question=Question.SEAT)
    Scene(**one_seat, auto_forced="all").play("die white").expect(crossed={"white": (6, 5, 4, 1)})
