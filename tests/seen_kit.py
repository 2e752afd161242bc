"""Helpers for the tests of observations: the events that a seat sees, and the pieces that differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from drawn import DrawnGame, Numbers

from riverbed_env.kernels.vocab import MAX_EVENTS


def newest_words(scene: DrawnGame) -> list[int]:
    """The words of the last events, newest first. Event k of a game lies k places before the ring's end."""
    ring, count = scene.table["events"], int(scene.table["event_count"])
    return [int(ring[-number % len(ring)]) for number in range(count, max(0, count - len(ring)), -1)]


def told_events(scene: DrawnGame, observer: int) -> list[list[int]]:
    """The last events as an observer sees them, in a game whose event words have eight bytes."""
    events = []
    for word in newest_words(scene):
        kind, actor, *rest = word.to_bytes(8, "little")
        events.append([kind, 1 + (actor - 1 - observer) % scene.num_players if actor else 0, *rest])
    return events + [[0] * 8] * (MAX_EVENTS - len(events))


def differing(shown: Mapping[str, Numbers], expected: Mapping[str, Any]) -> set[str]:
    """The pieces that differ from what is expected."""
    assert expected.keys() == shown.keys()
    return {piece for piece in shown if shown[piece].tolist() != expected[piece]}


def ever_shown(observations: Iterable[Mapping[str, Numbers]]) -> set[str]:
    """The pieces that aren't all zeros in at least one of these observations."""
    return {piece for shown in observations for piece, numbers in shown.items() if np.any(numbers)}
