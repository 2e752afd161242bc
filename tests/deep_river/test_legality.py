"""Which action the rules refuse whom, and for what reason: every question, every action, both sides."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from legality_kit import check_the_end, check_turns

from deep_river.scene import PLACES, SIDES, Scene
from riverbed_env.games.deep_river.rules.actions import ACTIONS
from riverbed_env.games.deep_river.rules.vocab import Question, Refusal

QUIET = "bbbDbbb"
# What leads to each question, and what may then be chosen: as the salmon play it; the eels' game is its mirror image.
ASKED: dict[str, tuple[Question, dict[str, Any], tuple[str, ...], set[str]]] = {
    "a token": (Question.TOKEN, {"barred": (1,)}, (), {"token A", "token C"}),
    "a fish": (
        Question.FISH,
        {"tiles": QUIET, "pawns": {"1": "s", "3": "es", "6": "Se", "7": "e"}},
        ("token A",),
        {"nest", "1", "6"},
    ),
    "where to stand": (
        Question.STAND,
        {"tiles": QUIET, "pawns": {"3": "s", "4": "e", "4'": "E"}},
        ("token A", "3"),
        {"4", "4'"},
    ),
    "a pile": (
        Question.PILE,
        {"tiles": "sbbDbbb", "pawns": {"3": "Se", "4": "e", "5": "eS"}},
        ("token A", "nest"),
        {"3", "5"},
    ),
    "a tilt": (Question.TILT, {"tiles": "tbbDbbb"}, ("token A", "nest"), {"tilt A", "tilt B", "tilt C"}),
    "another tilt": (
        Question.TILT,
        {"tiles": "ttbDbbb", "faces": "001"},
        ("token C", "nest", "tilt B", "1"),
        {"tilt A", "tilt C"},
    ),
    "turn or advance": (Question.DOUBLE, {"tiles": QUIET, "pawns": {"3": "S"}}, ("token A", "3"), {"turn", "advance"}),
    "a pawn": (
        Question.PAWN,
        {"tiles": QUIET, "pawns": {"3": "s", "1": "S", "5": "es", "6": "se", "7": "e"}},
        ("token A", "3"),
        {"nest", "4", "6"},
    ),
    "whether to use a tile": (
        Question.USE,
        {"tiles": "bbbDbbd", "pawns": {"3": "S", "6": "s"}},
        ("token A", "3", "advance", "6"),
        {"use", "leave"},
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
    question, drawn, actions, _ = ASKED[what]
    if side == "eel":
        other = str.maketrans("sSeE", "eEsS")
        pawns = {mirrored(slot): stack.translate(other) for slot, stack in drawn.get("pawns", {}).items()}
        drawn = {**drawn, "turn": "eel", "pawns": pawns, "tiles": drawn.get("tiles", QUIET)[::-1]}
        actions = tuple(mirrored(words) for words in actions)
    scene = Scene(**drawn).play(*actions)
    assert (scene.question, scene.side) == (question, side)
    return scene


def legal(what: str, side: str) -> set[str]:
    """What may be chosen there."""
    choices = ASKED[what][3]
    return choices if side == "salmon" else {mirrored(words) for words in choices}


def test_every_question_is_asked() -> None:
    assert {question for question, *_ in ASKED.values()} == set(Question) - {Question.NONE}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("what", ASKED)
def test_the_reason_of_every_refusal(what: str, side: str) -> None:
    scene, choices = asked(what, side), legal(what, side)
    scene.expect(legal=choices)
    kind, reason = REASONS.get(scene.question, ("", Refusal.WRONG_QUESTION))
    for action in range(ACTIONS.size):
        words = scene.words(action, scene.asked)
        fits = "place" if words in PLACES else words.split()[0]
        expected = Refusal.OK if words in choices else reason if fits == kind else Refusal.WRONG_QUESTION
        assert scene.refusal(words) == (Refusal.MUST_ANSWER if words == "wait" else expected), words


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("what", ASKED)
def test_who_is_not_asked_waits(what: str, side: str) -> None:
    check_turns(asked(what, side))


def test_when_it_is_over_everybody_waits() -> None:
    check_the_end(Scene(QUIET, max_turns=1).play("token A", "nest"))


# --- decisions with one legal answer ----------------------------------------------------------------------------------

FORCED: dict[str, dict[str, Any]] = {
    "tokens": {"tiles": "tttDttt"},
    "piles": {"tiles": "sssDsss", "faces": "101", "pawns": {"2": "Se", "5": "e"}},
    "fish": {"tiles": "dbbDbbd", "turn": "eel", "pawns": {"1": "es", "2": "es", "3": "es", "6": "eS"}},
    "pawns": {"tiles": QUIET, "nest_double": (4, 4), "pawns": {"3": "s", "5": "e"}},
}


@pytest.mark.parametrize("auto_forced", ["public", "all"])
@pytest.mark.parametrize("what", FORCED)
def test_what_is_forced_is_taken_and_counted(what: str, auto_forced: str) -> None:
    draw = Random(what)
    forced = 0
    for _ in range(4):
        quick, slow = Scene(**FORCED[what], auto_forced=auto_forced), Scene(**FORCED[what])
        while not quick.over:
            words = draw.choice(sorted(quick.legal()))
            quick.play(words)
            slow.play(words)
            while not slow.over and len(slow.legal()) == 1:
                slow.play(*slow.legal())
                forced += 1
            assert quick.game.tobytes() == slow.game.tobytes()
    assert forced > 0
