"""Which action the rules refuse whom, and for what reason: every question, every action, both sides."""

from typing import Any

import pytest
from legality_kit import check_reasons, check_the_end, check_turns

from deep_river.scene import PLACES, SIDES, Scene
from riverbed_env.games.deep_river.rules.vocab import Question, Refusal

QUIET = "bbbDbbb"
# What leads to each question, as the salmon play it; the eels' game is its mirror image.
ASKED: dict[str, tuple[Question, dict[str, Any], tuple[str, ...]]] = {
    "a token": (Question.TOKEN, {"barred": (1,)}, ()),
    "a fish": (
        Question.FISH,
        {"tiles": QUIET, "pawns": {"1": "s", "3": "es", "6": "Se", "7": "e"}},
        ("token A",),
    ),
    "where to stand": (
        Question.STAND,
        {"tiles": QUIET, "pawns": {"3": "s", "4": "e", "4'": "E"}},
        ("token A", "3"),
    ),
    "a pile": (
        Question.PILE,
        {"tiles": "sbbDbbb", "pawns": {"3": "Se", "4": "e", "5": "eS"}},
        ("token A", "nest"),
    ),
    "a tilt": (Question.TILT, {"tiles": "tbbDbbb"}, ("token A", "nest")),
    "another tilt": (
        Question.TILT,
        {"tiles": "ttbDbbb", "faces": "001"},
        ("token C", "nest", "tilt B", "1"),
    ),
    "turn or advance": (Question.DOUBLE, {"tiles": QUIET, "pawns": {"3": "S"}}, ("token A", "3")),
    "a pawn": (
        Question.PAWN,
        {"tiles": QUIET, "pawns": {"3": "s", "1": "S", "5": "es", "6": "se", "7": "e"}},
        ("token A", "3"),
    ),
    "whether to use a tile": (
        Question.USE,
        {"tiles": "bbbDbbd", "pawns": {"3": "S", "6": "s"}},
        ("token A", "3", "advance", "6"),
    ),
}
# Why what isn't legal isn't, where it is of the kind that is asked for.
REASONS = {
    Question.TOKEN: ("token", Refusal.TOKEN_BARRED),
    Question.TILT: ("tilt", Refusal.TOKEN_TILTED),
    Question.FISH: ("place", Refusal.NO_FREE_FISH),
    Question.STAND: ("place", Refusal.CANNOT_STAND),
    Question.PILE: ("place", Refusal.NO_PILE),
    Question.PAWN: ("place", Refusal.NOT_SINGLE),
}


def mirrored(words: str) -> str:
    """A slot as it lies on the other side; all else as it is."""
    return str(8 - int(words)) if words.isdigit() and words != "4" else words


def asked(what: str, side: str) -> Scene:
    """The scene, or its mirror image."""
    question, drawn, actions = ASKED[what]
    if side == "eel":
        other = str.maketrans("sSeE", "eEsS")
        pawns = {mirrored(slot): stack.translate(other) for slot, stack in drawn.get("pawns", {}).items()}
        drawn = {**drawn, "turn": "eel", "pawns": pawns, "tiles": drawn.get("tiles", QUIET)[::-1]}
        actions = tuple(mirrored(words) for words in actions)
    scene = Scene(**drawn).play(*actions)
    assert (scene.question, scene.side) == (question, side)
    return scene


def test_every_question_is_asked() -> None:
    assert {question for question, *_ in ASKED.values()} == set(Question) - {Question.NONE}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("what", ASKED)
def test_the_reason_of_every_refusal(what: str, side: str) -> None:
    scene = asked(what, side)
    kind, refused = REASONS.get(scene.question, ("", Refusal.WRONG_QUESTION))

    def reason(words: str) -> Refusal:
        fits = "place" if words in PLACES else words.split(maxsplit=1)[0]
        return refused if fits == kind else Refusal.WRONG_QUESTION

    check_reasons(scene, reason)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("what", ASKED)
def test_who_is_not_asked_waits(what: str, side: str) -> None:
    check_turns(asked(what, side))


def test_when_it_is_over_everybody_waits() -> None:
    check_the_end(Scene(QUIET, max_turns=1).play("token A", "nest"))
