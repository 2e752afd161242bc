"""Which action the rules refuse whom, and for what reason: every question, every action."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import pytest
from legality_kit import check_reasons, check_the_end, check_turns

from riverbed_env.games.riverside.rules.actions import ACTIONS
from riverbed_env.games.riverside.rules.vocab import Question, Refusal
from riverside.scene import Scene, Sheet, excursion

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


YELLOW_BLUE = {"yellow": (3, 0, 0, 0), "blue": (3, 0, 0, 0)}
WHITE_BLUE = {"white": (6, 5, 0, 0), "blue": (3, 4, 0, 0)}
# A scene for each question, some in several circumstances; and why what answers it but isn't legal isn't: patterns of
# words by reason, of which the first that fits counts. Anything that isn't named doesn't answer what is asked.
ASKED: dict[str, tuple[Callable[[], Scene], Question, dict[str, str]]] = {
    "dice, no power at hand": (
        lambda: Scene(sheets={0: sheet(fire=5)}, dice=(1, 2, 3, 4, 5, 6)),
        Question.DIE,
        {"FIRE_MISSING": "die * green", "POWER_LOCKED": "die * fan, die * warm"},
    ),
    "dice, on Warm night": (
        lambda: Scene(sheets={0: sheet(ready="blue", used="yellow", fire=4)}, dice=(1, 2, 3, 4, 5, 6)),
        Question.DIE,
        {"FIRE_MISSING": "die * green, die pink, die pink warm", "POWER_USED": "die * fan"},
    ),
    "dice, on Fan base": (
        lambda: Scene(sheets={0: sheet(ready="yellow", fire=6)}, dice=(1, 2, 3, 4, 5, 6)),
        Question.DIE,
        {"FIRE_MISSING": "die blue green*, die pink green*", "POWER_LOCKED": "die * warm*"},
    ),
    "a seat": (
        lambda: Scene(sheets={0: sheet({"brown": (6, 0, 3, 3)})}).play("die brown"),
        Question.SEAT,
        {"ROW_FULL": "seat brown [14]", "OTHER_BOAT": "seat *"},
    ),
    "a village": (
        lambda: excursion(sheet(YELLOW_BLUE, plus=1), ship=4, tiles={1: 1, 2: 8, 6: 2, 7: 3}),
        Question.VILLAGE,
        {
            "NO_VILLAGE": "village 1[12]",
            "OUT_OF_REACH": "village [34589], village 10",
            "NOTHING_TO_SCORE": "village [67]",
            "POWER_LOCKED": "speed",
        },
    ),
    "a village, with Speed boat": (
        lambda: excursion(sheet({"yellow": (3, 0, 0, 0)}, ready="pink", plus=0), ship=6),
        Question.VILLAGE,
        {
            "NO_VILLAGE": "village 1[12]",
            "OUT_OF_REACH": "village [1345689], village 10",
            "NOTHING_TO_SCORE": "village 2",
        },
    ),
    "a village, Speed boat of no use": (
        lambda: excursion(sheet({"brown": (6, 0, 0, 0)}, ready="pink", plus=0), tiles={1: 2, 6: 9, 8: 10}),
        Question.VILLAGE,
        {"SPEED_USELESS": "speed"},
    ),
    "a village after Speed boat": (
        lambda: excursion(sheet({"yellow": (3, 0, 0, 0)}, ready="pink", plus=0), ship=6).play("speed"),
        Question.FAST,
        {
            "NO_VILLAGE": "village 1[12]",
            "OUT_OF_REACH": "village [459], village 10",
            "NOTHING_TO_SCORE": "village [236]",
            "MUST_VISIT": "stay",
        },
    ),
    "a second village": (
        lambda: excursion(sheet({"yellow": (3, 0, 0, 0), "white": (6, 4, 3, 0)}, used="pink", plus=0)).play(
            "village 1", "score yellow", "early"
        ),
        Question.SECOND,
        {"SAME_VILLAGE": "village 1", "NO_VILLAGE": "village 1[12]", "MUST_VISIT": "stay", "POWER_USED": "speed"},
    ),
    "a score": (
        lambda: excursion(sheet({"white": (6, 5, 0, 0), "blue": (3, 4, 5, 0)}, last={"blue": 14})).play("village 6"),
        Question.SCORE,
        {"NOT_HIGHER": "score blue", "POWER_LOCKED": "prize white, prize blue", "OTHER_COLOUR": "score *, prize *"},
    ),
    "a score with the prize ticket": (
        lambda: excursion(sheet(WHITE_BLUE, ready="brown", last={"blue": 14})).play("village 6"),
        Question.SCORE,
        {"NOT_HIGHER": "score blue, prize blue", "OTHER_COLOUR": "score *, prize *"},
    ),
    "another score": (
        lambda: excursion(sheet({"white": (6, 0, 0, 0), "blue": (3, 0, 0, 0)})).play("village 6", "score white"),
        Question.MORE,
        {
            "SCORED_HERE": "score white, prize white",
            "POWER_LOCKED": "prize blue, early",
            "OTHER_COLOUR": "score *, prize *",
        },
    ),
    "another score, no second village": (
        lambda: excursion(sheet({"white": (6, 4, 3, 0), "blue": (3, 0, 0, 0)}, used="brown", plus=0)).play(
            "village 6", "score white"
        ),
        Question.MORE,
        {"SCORED_HERE": "score white, prize white", "POWER_USED": "prize blue", "NO_SECOND_VILLAGE": "early"},
    ),
}


def test_every_question_is_asked() -> None:
    assert {question for _, question, _ in ASKED.values()} == set(Question) - {Question.NONE}


@pytest.mark.parametrize("asked", ASKED)
def test_the_reason_of_every_refusal(asked: str) -> None:
    draw, question, reasons = ASKED[asked]
    scene = draw().expect(question=question)
    patterns = {pattern: name for name, all_of_it in reasons.items() for pattern in all_of_it.split(", ")}
    kinds = {answer.split()[0] for answer in {*scene.legal(), *patterns}}  # other scenes tell their other reasons

    def reason(words: str) -> Refusal | None:
        fits = [Refusal[name] for pattern, name in patterns.items() if fnmatchcase(words, pattern)]
        return fits[0] if fits else None if words.split(maxsplit=1)[0] in kinds else Refusal.WRONG_QUESTION

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
