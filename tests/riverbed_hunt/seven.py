"""Seven players on the full board, for the rule tests of Riverbed Hunt.

Unless drawn otherwise tile n lies on space n and all meeples stand on space 6, within reach of spaces 5, 6 and 7.
"""

from typing import Any

from riverbed_hunt.scene import Scene

ALL_SPACES = range(1, 17)


def seven(*cards: str, **drawing: Any) -> Scene:
    """Seat 1 is active and holds the cards. 0 chief, 1 and 2 merchants, 3 leader, 4 and 5 separatists, 6 profiteer."""
    hands = {1: cards, **drawing.pop("hands", {})}
    return Scene("C M M L S S P", **{"at": 6, "active": 1, "hands": hands, **drawing})


def all_up_but(*left: int) -> dict[str, Any]:
    """Drawing: every tile of the full board is up but those left; the tracks stand at 0 nevertheless."""
    up = [space for space in ALL_SPACES if space not in left]
    kelp, log, coin = (int(track) for track in seven(up=up).table["tracks"])
    return {"up": up, "tracks": (-kelp, -log, -coin)}


def exhaust(scene: Scene, seat: int) -> Scene:
    """Turn a seat's Dive and Swim down."""
    scene.table["dive_ready"][seat] = scene.table["swim_ready"][seat] = 0
    return scene


def spaces(*numbers: int) -> set[str]:
    """The words for these spaces."""
    return {f"space {number}" for number in numbers}
