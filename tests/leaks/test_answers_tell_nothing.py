"""RH-8.4 in drawn positions: who is asked what, and when, doesn't tell roles or hands.

Each test lays out the same position with other roles or cards where bystanders can't know them. Whatever is asked and
answered, the whole public table and all that reaches a bystander must be the same.
"""

from collections.abc import Callable, Sequence
from itertools import product

import pytest
from hidden import HIDDEN
from riverbed_hunt.scene import Scene

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.testing.hidden import everything
from riverbed_env.testing.hidden.worlds import lay

SILT, SLIP, SPYGLASS, WHIRLPOOL, CLEAR = "Silt", "Slip Away", "Spyglass", "Whirlpool", "Clear Water"
TOP = ("Second Wind", "Undercurrent", "Stepping Stone")  # of the draw pile
ASKER, ASKED = 1, 3
# Seat 3 in each role; seats 0, 1 and 5 are the same in all.
ROLES = {
    "leader": "C M M L S S P",
    "merchant": "C M L M S S P",
    "separatist": "C M M S L S P",
    "profiteer": "C M M P S S L",
}
BYSTANDERS = (0, 1, 5)
HANDS = {
    0: [()],
    1: [(SILT,), (SLIP,), (SPYGLASS,)],
    2: [(SILT, SILT), (SILT, SLIP), (SLIP, SLIP), (SPYGLASS, WHIRLPOOL)],
}
Change = Callable[[Scene], None]


def drawn(roles: str, hands: dict[int, Sequence[str]], auto_forced: str, change: Change | None = None) -> Scene:
    """Seven players on space 6, nobody's cards lost: what isn't in a hand lies at the bottom of the draw pile."""
    scene = Scene(roles, at=6, active=ASKER, hands=hands, deck=TOP, auto_forced=auto_forced)
    copies = [int(count) for count in scene.params["copies"]]
    for kind, name in enumerate(scene.card_names):
        held = sum(list(cards).count(name) for cards in hands.values()) + TOP.count(name)
        copies[kind] -= held
    rest = [kind for kind, count in enumerate(copies) for _ in range(count)]
    pile = rest + scene.game["deck"][: len(TOP)].tolist()
    scene.game["deck"][: len(pile)] = pile
    scene.table["draw_pile"] = len(pile)
    if change is not None:
        change(scene)
    return scene


def same_to(bystanders: Sequence[int], scenes: Sequence[Scene], auto_forced: str, *actions: str) -> None:
    """Play the same in all scenes: at no moment can the bystanders tell one from another."""
    env = TurnEnv(RIVERBED_HUNT, num_players=7, auto_forced=auto_forced, render_mode="ansi")
    channels = everything(HIDDEN[RIVERBED_HUNT.id])
    for words in ("at first", *actions):
        for scene in scenes:
            if words != "at first":
                scene.play(words)
        sights = [[channels.take(lay(env, scene.games), f"player_{seat}") for seat in bystanders] for scene in scenes]
        for others in sights[1:]:
            for seat, here, there in zip(bystanders, sights[0], others, strict=True):
                leak = channels.apart(here, there)
                assert not leak, f"{words}: seat {seat} can tell by {leak[0]}"


def variants(size: int, auto_forced: str) -> list[Scene]:
    """The asked player in every role, with every kind of hand of one size."""
    return [
        drawn(roles, {ASKED: hand, 5: [CLEAR]} | {ASKER: [SPYGLASS]}, auto_forced)
        for roles, hand in product(ROLES.values(), HANDS[size])
    ]


@pytest.mark.parametrize("auto_forced", ["public", pytest.param("none", marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_whoever_holds_a_card_is_asked_how_to_answer(size: int, auto_forced: str) -> None:
    scenes = variants(size, auto_forced)
    same_to(BYSTANDERS, scenes, auto_forced, "CO_OP", f"seat {ASKED}")
    assert {(scene.asked, scene.question) for scene in scenes} == {(ASKED, Question.ANSWER)}
    legal = {frozenset(scene.legal()) for scene in scenes}
    assert len(legal) == 6 if size == 2 else len(legal) > 3  # their own masks do differ
    same_to(BYSTANDERS, scenes, auto_forced, "REVEAL", "space 6", "END_TURN")


def test_without_a_card_nobody_is_asked() -> None:
    scenes = variants(0, "public")
    same_to(BYSTANDERS, scenes, "public", "CO_OP", f"seat {ASKED}", "space 6")


def exhausted(scene: Scene) -> None:
    """The asker has nothing left but Co-op and a card."""
    for field in ("dive_ready", "swim_ready", "uncover_left", "marker_left"):
        scene.table[field][ASKER] = 0


def test_a_turn_isnt_taken_by_itself_while_a_card_might_be_played() -> None:
    hands = [(SPYGLASS,), (SILT,), (SLIP,)]  # playable, not playable with nothing face-up, playable
    scenes = [drawn(ROLES["leader"], {ASKER: hand}, "public", exhausted) for hand in hands]
    assert len({frozenset(scene.legal()) for scene in scenes}) == 3
    same_to((0, 2, 3, 4, 5, 6), scenes, "public", "CO_OP", f"seat {ASKED}")


def test_a_turn_that_is_forced_in_public_is_taken_whatever_the_role() -> None:
    scenes = [drawn(roles, {ASKED: [SILT]}, "public", exhausted) for roles in ROLES.values()]
    for scene in scenes:
        scene.table["asked"] = 0  # the chief's turn ends, then the asker's begins
        scene.table["active"] = 0
        scene.table["action_done"] = 1
        scene.play("END_TURN")
    assert {(scene.asked, scene.question) for scene in scenes} == {(ASKER, Question.SEAT)}
    same_to(BYSTANDERS, scenes, "public", f"seat {ASKED}")


def test_decisions_taken_for_the_mover_alone_do_tell() -> None:
    # auto_forced="all" is documented to tell: it shows that the comparison above finds such a thing.
    hands = [(SILT,), (SLIP,)]
    scenes = [drawn(ROLES["merchant"], {ASKED: hand}, "all") for hand in hands]
    with pytest.raises(AssertionError, match="can tell by observation question"):
        same_to(BYSTANDERS, scenes, "all", "CO_OP", f"seat {ASKED}")
