"""Content packs: each rule that a pack can break is refused by entry and reason; packs that break none are played."""

from pathlib import Path
from types import ModuleType
from typing import Any

import deep_river.packs
import numpy as np
import pytest
import riverbed_hunt.packs
import riverside.packs
from pack_changes import assert_refused, default_text, written

from riverbed_env.testing.conformance.kit import new_env, play

# By game: its changed packs, and the tables at which those that are accepted are played.
CHANGED: dict[str, tuple[ModuleType, list[dict[str, Any]]]] = {
    "deep_river": (deep_river.packs, [{}]),
    "riverside": (riverside.packs, [{"num_players": 1}, {"num_players": 6, "extension": True}]),
    "riverbed_hunt": (riverbed_hunt.packs, [{"num_players": count, "layout": "random"} for count in (4, 5, 9)]),
}
REFUSED = [(game_id, what) for game_id, (module, _) in CHANGED.items() for what in module.REFUSED_PACKS]
ACCEPTED = [(game_id, what) for game_id, (module, _) in CHANGED.items() for what in module.ACCEPTED_PACKS]


@pytest.mark.parametrize(("game_id", "what"), REFUSED)
def test_packs_that_break_a_rule(game_id: str, what: str, tmp_path: Path) -> None:
    change, named, reason = CHANGED[game_id][0].REFUSED_PACKS[what]
    assert_refused(game_id, written(change(default_text(game_id)), tmp_path), named, reason)


@pytest.mark.parametrize(("game_id", "what"), ACCEPTED)
def test_packs_that_break_none_can_be_played(game_id: str, what: str, tmp_path: Path) -> None:
    module, tables = CHANGED[game_id]
    path = written(module.ACCEPTED_PACKS[what](default_text(game_id)), tmp_path)
    for seed, options in enumerate(tables):
        env, other = (new_env(game_id, pack=path, **options) for _ in range(2))
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(6):
            play(env, rng, 12)
            other.set_state(env.get_state())
            play(env, rng)
            env.reset()
