"""Small games for the tests, and their trees built by plain recursion, which shares nothing with the library's."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from riverbed_env.core.packs import find_pack
from riverbed_env.small import SmallGame

CHIEF = {"player_0": "chief"}
PLACED = ("SPACE 0", "SPACE 1", "SPACE 2", "SPACE 1")


def short(decisions: int = 8, **changes: object) -> SmallGame:
    """Rill with fewer decisions; 8 leave a turn for two seats."""
    options = {"num_players": 4, "pack": "rill", "roles": CHIEF, "max_decisions": decisions, **changes}
    return SmallGame("short", "riverbed_hunt_v1", options=options, opening=PLACED)


def changed_pack(folder: Path, old: str, new: str, pack: str = "rill") -> str:
    """A copy of a pack with a change."""
    text = find_pack("riverbed_hunt", pack).read_text(encoding="utf-8")
    assert old in text
    path = folder / "changed.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return str(path)


class History(NamedTuple):
    """A position: who chooses, below 0 at the end; all that each seat was told and did; chance; returns and roles."""

    seat: int
    told: tuple[tuple[bytes, ...], ...]
    chance: float
    returns: tuple[float, ...]
    roles: tuple[int, ...]


def histories(small: SmallGame) -> Iterator[History]:
    """Every history, with what the acting seat sees now as the last thing that it was told."""
    games, chances = small.deals()
    for place in range(len(games)):
        start: tuple[tuple[bytes, ...], ...] = ((),) * small.num_players
        yield from _from(small, games[place : place + 1], start, float(chances[place]))


def _from(small: SmallGame, game: np.ndarray, told: tuple[tuple[bytes, ...], ...], chance: float) -> Iterator[History]:
    seat = int(small.seats(game)[0])
    seen, mask = small.observe(game, np.array([seat]))
    now = (*told[seat], seen[0].tobytes())
    yield History(seat, (*told[:seat], now, *told[seat + 1 :]), chance, (), ())
    for action in np.flatnonzero(mask[0]):
        games, _, ended, returns = small.after(game, np.zeros(1, np.int64), np.array([action]))
        done = (*told[:seat], (*now, bytes([action])), *told[seat + 1 :])
        if ended[0]:
            roles = small.rules.roles_of(games)[0]
            yield History(-1, done, chance, tuple(returns[0].tolist()), tuple(roles.tolist()))
        else:
            yield from _from(small, games, done, chance)
