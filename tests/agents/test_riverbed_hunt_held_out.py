"""The held-out agents: each shows its habit in a drawn position and plays legal games at all player counts."""

import pytest
from agents_kit import chosen, know
from riverbed_hunt.scene import Scene

from riverbed_agents.riverbed_hunt.held_out import BOLD_LIAR, CONTRARIAN, COPYCAT, HOARDER, OVER_EAGER, SILENT

pytestmark = pytest.mark.slow

SEVEN = "C M M L S S P"
CHIEF, MERCHANT, LEADER, SEPARATIST = 0, 1, 3, 4


def test_the_bold_liar_turns_up_for_others_while_no_end_is_near() -> None:
    # Tile 3 holds two kelps, tile 6 two logs; the separatist knows both.
    for logs, expected in ((0, "space 5"), (5, "space 6")):
        scene = know(Scene(SEVEN, tiles={5: 3, 6: 6}, active=CHIEF, at=5, tracks=(0, logs, 0)), SEPARATIST, 5, 6)
        assert chosen(BOLD_LIAR, scene.play("CO_OP", f"seat {SEPARATIST}", "REVEAL")) == expected


def test_the_bold_liar_asks_the_chief_as_a_merchant_would() -> None:
    scene = Scene(SEVEN, active=SEPARATIST).play("CO_OP")
    assert chosen(BOLD_LIAR, scene) == f"seat {CHIEF}"


def test_the_silent_one_looks_swims_and_plays_no_card() -> None:
    scene = Scene(SEVEN, active=MERCHANT, hands={MERCHANT: ["Spyglass"]})
    assert chosen(SILENT, scene) == "DIVE"
    scene.play("DIVE", "space 1")
    assert chosen(SILENT, scene) == "END_TURN"
    scene.table["action_done"] = 0
    assert chosen(SILENT, scene) == "SWIM"
    scene = Scene(SEVEN, active=CHIEF, hands={MERCHANT: ["Slip Away"]}).play("CO_OP", f"seat {MERCHANT}")
    assert chosen(SILENT, scene) == "SLIP_AWAY"


def test_the_copycat_does_what_was_done_last_and_asks_whom_was_asked() -> None:
    scene = Scene(SEVEN, tiles={10: 1}, active=CHIEF, at=[1, 4, 7, 10, 13, 16, 16])
    scene.play("CO_OP", f"seat {LEADER}", "REVEAL", "space 10", "END_TURN")
    assert chosen(COPYCAT, scene) == "CO_OP"
    scene.play("CO_OP")
    assert chosen(COPYCAT, scene) == f"seat {LEADER}"
    scene = Scene(SEVEN, active=CHIEF).play("SWIM", "space 3", "END_TURN")
    assert chosen(COPYCAT, scene) == "SWIM"


def test_the_contrarian_helps_whoever_is_furthest_from_the_end_and_asks_whom_it_asked_least() -> None:
    # Kelp has most to go: of a kelp tile and a log tile the separatist turns up kelp.
    scene = Scene(SEVEN, tiles={5: 3, 6: 6}, active=CHIEF, at=5, tracks=(0, 3, 2))
    know(scene, SEPARATIST, 5, 6).play("CO_OP", f"seat {SEPARATIST}", "REVEAL")
    assert chosen(CONTRARIAN, scene) == "space 5"
    scene = Scene(SEVEN, tiles={7: 1}, active=MERCHANT, at=[1, 4, 7, 10, 13, 16, 16])
    scene.play("CO_OP", "seat 2", "REVEAL", "space 7", "END_TURN")
    for _ in range(6):
        skip(scene)
    scene.play("CO_OP")
    assert chosen(CONTRARIAN, scene) != "seat 2"


def skip(scene: Scene) -> None:
    """The active player dives, at the first space it can, and ends the turn."""
    scene.play("DIVE")
    scene.play(chosen(SILENT, scene), "END_TURN")


def test_the_over_eager_declare_at_once_hunt_on_and_ask_before_they_look() -> None:
    scene = Scene(SEVEN, active=CHIEF, hands={LEADER: ["Silt"], CHIEF: ["Silt"]})
    assert chosen(OVER_EAGER, scene) == "UNCOVER"
    scene.play("CO_OP", f"seat {LEADER}")
    assert chosen(OVER_EAGER, scene) == "HUNT"
    scene = Scene(SEVEN, active=MERCHANT)
    assert chosen(OVER_EAGER, scene) == "CO_OP"


def test_the_hoarder_swims_for_cards_and_spends_none() -> None:
    scene = Scene(SEVEN, active=MERCHANT, hands={MERCHANT: ["Spyglass", "Clear Water"]})
    assert chosen(HOARDER, scene) == "SWIM"
    scene.table["swim_ready"][MERCHANT] = 0
    assert chosen(HOARDER, scene) in ("DIVE", "CO_OP", "READY 1")
