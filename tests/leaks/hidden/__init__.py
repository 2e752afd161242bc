"""What each game hides: worlds that a seat can't tell from the one it plays in, by the versioned names of the games.

The leak tests over all games find a game's hidden worlds here. A new game gets those tests by a module that says

- `twin(games, settings, seat, rng, parts=PARTS)`: another (1,) record of the game in which these parts of what the seat
  may not know are redrawn, consistent with all that it knows by the rules or once saw;
- `TOUCHES`: the fields of the record that a twin may differ in, of other seats only where they are a seat's own;
- `told(one, two, agent)`: what a step played in both worlds rightly told the agent that differs (see `Follow`);

all written from the rules and not from what the game shows, and by entering them with `enter`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from riverbed_env.registry import game_ids
from riverbed_env.testing.leaks import Disclosure, Step, any_legal

from . import deep_river, ford, river_rats, riverbed_hunt, riverside
from .fields import Games

Twin = Callable[..., Games]


@dataclass(frozen=True)
class HiddenWorlds:
    """What the leak tests need to know of a game.

    twin, parts, touches, told: see the module. needed: fields that twins must have differed in after some games.
    moments: how many moments to stop at for each decision of one player. private: names of channels and pieces that are
    free to differ once the seat alone was told something. must_notice: whether the seat must see in all cases what it
    is told. any_pace: for games with simultaneous choices, a twin in which others may be through
    with the phase sooner or later. in_state: whether anything that twins differ in is part of `state()`. forced_tells:
    whether decisions taken for the mover alone (auto_forced="all") are documented to tell something. policy: how games
    are played. stop: whether to stop at a moment, in place of `moments`. games: how many times as many games to search.
    lies_open: channels of what lies open beside the table. cut_off: options under which games are cut off early.
    """

    twin: Twin
    parts: Sequence[str]
    touches: Collection[str]
    told: Callable[[Step, Step, str], Disclosure]
    needed: Collection[str]
    moments: float
    private: Collection[str] = ()
    must_notice: bool = True
    any_pace: Twin | None = None
    in_state: bool = True
    forced_tells: bool = False
    policy: Callable[..., Any] = any_legal
    stop: Callable[..., bool] | None = None
    games: int = 1
    lies_open: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    cut_off: Mapping[str, Any] = field(default_factory=dict)


_ENTERED: dict[str, HiddenWorlds] = {}


def enter(game_id: str, worlds: HiddenWorlds) -> None:
    """Enter what a game hides under its versioned name."""
    _ENTERED[game_id] = worlds


def known_games() -> list[str]:
    """The games of the registry that say what they hide."""
    return [game_id for game_id in game_ids() if game_id in _ENTERED]


def hidden_worlds(game_id: str) -> HiddenWorlds:
    """What a game hides; LookupError, which says what to add, where nobody has entered it."""
    if game_id not in _ENTERED:
        raise LookupError(
            f"nothing says what {game_id} hides, so no leak test can be run on it: write its twin, TOUCHES and told "
            f"in a module of tests/leaks/hidden and enter them with hidden.enter({game_id!r}, HiddenWorlds(...))"
        )
    return _ENTERED[game_id]


def hidden_by(module: ModuleType, **more: Any) -> HiddenWorlds:
    """What a module of this folder says, and what else the tests need to know."""
    return HiddenWorlds(module.twin, module.PARTS, module.TOUCHES, module.told, **more)


enter(
    "riverbed_hunt_v0",
    hidden_by(
        riverbed_hunt,
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
)
enter(
    "river_rats_v0",
    hidden_by(
        river_rats,
        moments=0.25,
        needed=river_rats.NEEDED,
        private=river_rats.PRIVATE,
        cut_off={"max_decisions": 15},
    ),
)
enter(
    "riverside_v0",
    hidden_by(
        riverside,
        moments=0.08,
        needed={"chance.key", "agents.key", "seed"},
        private=riverside.ORDER_OF_TURNS,
        forced_tells=True,
        any_pace=riverside.twin_at_any_pace,
        cut_off={"max_steps": 12},
    ),
)
enter(
    "deep_river_v0",
    hidden_by(
        deep_river,
        moments=0.16,
        needed={"agents.key", "seed"},
        in_state=False,
        cut_off={"max_turns": 12},
    ),
)
enter(
    "ford_v0",
    hidden_by(
        ford,
        moments=0.5,
        needed={"stones", "agents.key", "seed"},
        forced_tells=True,
        cut_off={"max_decisions": 5},
    ),
)
