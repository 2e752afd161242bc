"""The messages about a game. Each is made from the view of the seat it goes to, and from nothing else.

The page draws what a message says and has no other source. So what a seat may not know can't reach its browser, if it
isn't in the frame (`riverbed_env.core.frame`).
"""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.core.frame import PUBLIC, TRUTH, frame, happened
from riverbed_env.core.game import Game
from riverbed_env.core.transcript import Transcript

Viewer = int | str  # a seat, PUBLIC or TRUTH
Event = dict[str, str]

__all__ = [
    "PUBLIC",
    "TRUTH",
    "Event",
    "Position",
    "Sight",
    "Tempo",
    "Viewer",
    "frame_message",
    "message",
    "see",
    "told",
]


class Position(NamedTuple):
    """A game at a moment: its content pack, record and params, (1,) each, and what was said in words."""

    game: Game
    pack: Any
    games: npt.NDArray[np.void]
    params: npt.NDArray[np.void]
    transcript: Transcript = ()


class Sight(NamedTuple):
    """What a viewer sees now. event_count: the `since` of the next call."""

    events: list[Event]
    event_count: int
    rest: str  # the frame without its events, as JSON


class Tempo(NamedTuple):
    """How fast agents shall move: s between moves, whether they wait, one move more, all up to a person's choice."""

    pace: float | None = None
    paused: bool | None = None
    step: bool = False
    skip: bool = False


def message(kind: str, **content: Any) -> str:
    """A message of a kind as JSON; equal content gives equal bytes."""
    return json.dumps({"type": kind, **content}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def see(game: Position, viewer: Viewer, since: int = 0, answered: int | None = None) -> Sight:
    """What a viewer sees of a game, with the events after the first `since`.

    answered: an early answer of the viewer's seat, which then has no choice for now.
    """
    seen: dict[str, Any] = dict(frame(*game[:4], viewer, since, game.transcript))
    if answered is not None:
        seen["choices"], seen["may_say"] = [], None
    events = seen.pop("events")
    return Sight(events, int(seen["event_count"]), json.dumps(seen, ensure_ascii=False, sort_keys=True))


def told(positions: Iterable[Position], viewer: Viewer) -> list[Event]:
    """All events of a game for a viewer, from positions so near to each other that none has been forgotten between."""
    found: list[Event] = []
    for position in positions:
        events, _ = happened(*position[:4], viewer, len(found), position.transcript)
        found += events
    return found


def frame_message(sight: Sight, step: int, answered: int | None, *, undo: bool = False) -> str:
    """The message that shows a sight. step: how many choices the viewer's seat has made; answered: see `see`; undo:
    whether the last of them may be taken back.
    """
    head = message("frame", step=step, answered=answered, undo=undo)
    events = json.dumps(sight.events, ensure_ascii=False)
    return f'{head[:-1]},"frame":{{"events":{events},{sight.rest[1:]}}}'
