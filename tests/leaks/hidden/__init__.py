"""What each game hides: worlds that a seat can't tell from the one it plays in, by the versioned names of the games.

A game gets the leak tests over all games by a module here, written from the rules, with its `twin`, `told` and TOUCHES.
"""

from types import ModuleType
from typing import Any

from riverbed_env.registry import find_game, game_ids
from riverbed_env.testing.hidden import HiddenWorlds

from . import deep_river, ford, river_rats, riverbed_hunt, riverside


def said_by(module: ModuleType, game_id: str, **more: Any) -> HiddenWorlds:
    """What a module of this folder says of its game, and what else the tests need to know."""
    game, parts = find_game(game_id), module.PARTS
    return HiddenWorlds(game, module.twin, module.told, module.TOUCHES, parts=parts, **more)


HIDDEN = {
    worlds.game.id: worlds
    for worlds in (
        said_by(
            riverbed_hunt,
            "riverbed_hunt_v1",
            moments=0.12,
            needed=riverbed_hunt.NEEDED,
            private=riverbed_hunt.PRIVATE,
            forced_tells=True,
            policy=riverbed_hunt.bold_or_saving,
            stop=riverbed_hunt.stop,
            games=4,
            lies_open={"public knowledge": riverbed_hunt.public_knowledge},
            cut_off={"max_decisions": 20},
        ),
        said_by(
            river_rats,
            "river_rats_v0",
            moments=0.25,
            needed=river_rats.NEEDED,
            private=river_rats.PRIVATE,
            cut_off={"max_decisions": 15},
        ),
        said_by(
            riverside,
            "riverside_v0",
            moments=0.08,
            needed={"chance.key", "agents.key", "seed"},
            private=riverside.ORDER_OF_TURNS,
            forced_tells=True,
            cut_off={"max_steps": 12},
        ),
        said_by(
            deep_river,
            "deep_river_v0",
            moments=0.16,
            needed={"agents.key", "seed"},
            in_state=False,
            cut_off={"max_turns": 12},
        ),
        said_by(
            ford,
            "ford_v0",
            moments=0.5,
            needed={"stones", "agents.key", "seed"},
            forced_tells=True,
            cut_off={"max_decisions": 5},
        ),
    )
}
PACES = {"riverside_v0": riverside}  # games with simultaneous choices: a twin at any pace, and the phase of a record
KNOWN = [game_id for game_id in game_ids() if game_id in HIDDEN]
