"""Games as they are dealt, random play and edited packs, for the rule tests of Riverbed Hunt."""

from pathlib import Path
from random import Random
from typing import Any

from pack_changes import default_text, replaced, written

from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_hunt.scene import Scene

# The roles of a Scene by number of players.
SEATS = {
    4: "C M L P",
    5: "C M L S P",
    6: "C M M L S P",
    7: "C M M L S S P",
    8: "C M M M L S S P",
    9: "C M M M L S S S P",
}


class Dealt(Scene):
    """A game as the seed deals it; no meeple is placed yet. Options as of Scene."""

    def __init__(self, num_players: int, *, seed: int = 1, **options: Any) -> None:
        self.num_players = num_players
        self.options = {"pack": options.get("pack", "default")}
        self.start(make_params(num_players, **{"auto_forced": "none", **options}), seed)
        self.call_referee()


def play_randomly(scene: Scene, seed: int) -> None:
    """One random legal action."""
    taken = int(scene.table["decisions"]) + int(scene.table["spoken"])
    scene.play(Random(seed * 10_007 + taken).choice(sorted(scene.legal())))


def edited_pack(folder: Path, *changes: tuple[str, str]) -> Path:
    """The default pack with some of its text replaced, as a file of its own."""
    return written(replaced(*changes)(default_text("riverbed_hunt")), folder)
