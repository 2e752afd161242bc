"""Games as they are dealt, random play and edited packs, for the rule tests of Riverbed Hunt."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from riverbed_env.core.packs import PACKS
from riverbed_env.games.riverbed_hunt import engine
from riverbed_env.games.riverbed_hunt.pack import make_setting
from riverbed_env.games.riverbed_hunt.state import GAME
from riverbed_hunt.scene import Scene

DEFAULT_PACK = PACKS / "riverbed_hunt" / "default.toml"

# Seats of a game of so many players, for a Scene.
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

    def __init__(
        self,
        num_players: int,
        *,
        seed: int = 1,
        layout: str | None = None,
        pack: str | Path = "default",
        auto_forced: str = "none",
        max_decisions: int = 1000,
    ) -> None:
        self.num_players = num_players
        self.settings, self.pack = make_setting(
            num_players, pack=pack, layout=layout, auto_forced=auto_forced, max_decisions=max_decisions
        )
        self.setting = self.settings[0]
        self.card_names = [card.name for card in self.pack.cards]
        self.games = np.zeros(1, GAME)
        self.game = self.games[0]
        engine.reset(self.game, self.setting, seed, 0)
        self.table = self.game["table"]


def play_randomly(scene: Scene, seed: int) -> None:
    """One random legal action."""
    scene.play(Random(seed * 10_007 + int(scene.table["decisions"])).choice(sorted(scene.legal())))


def edited_pack(folder: Path, *changes: tuple[str, str]) -> Path:
    """The default pack with some of its text replaced, as a file of its own."""
    content = DEFAULT_PACK.read_text(encoding="utf-8")
    for old, new in changes:
        assert content.count(old) == 1, f"{old!r} occurs {content.count(old)} times"
        content = content.replace(old, new)
    path = folder / "edited.toml"
    path.write_text(content, encoding="utf-8")
    return path
