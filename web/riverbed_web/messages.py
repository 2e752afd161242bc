"""The messages about a game. Each is made from the view of the seat it goes to, and from nothing else.

The page draws what a message says and has no other source. So what a seat may not know can't reach its browser, if it
isn't in the frame (`riverbed_env.core.frame`).
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from .plain_frame import PUBLIC, TRUTH, frame
from .play import Play

Viewer = int | str  # a seat, PUBLIC or TRUTH

__all__ = ["PUBLIC", "TRUTH", "Sight", "Viewer", "message", "see"]


class Sight(NamedTuple):
    """What a viewer sees now. event_count: the `since` of the next call."""

    events: list[str]
    event_count: int
    rest: str  # the frame without its events, as JSON


def message(kind: str, **content: Any) -> str:
    """A message of a kind as JSON; equal content gives equal bytes."""
    return json.dumps({"type": kind, **content}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def see(play: Play, viewer: Viewer, since: int = 0) -> Sight:
    """What a viewer sees of a game, with the events after the first `since`."""
    batch = play.batch
    seen: dict[str, Any] = dict(frame(play.game, batch.pack, batch.games, batch.params, viewer, since))
    if viewer in play.early:
        seen["choices"] = []  # answered already
    events = seen.pop("events")
    return Sight(events, int(seen["event_count"]), json.dumps(seen, ensure_ascii=False, sort_keys=True))


def frame_message(play: Play, viewer: Viewer, sight: Sight) -> str:
    """The message that shows a sight to a viewer.

    step: how many choices the viewer's seat has made, 0 for others; answered: an early answer that is kept for it.
    """
    step = play.made[viewer] if isinstance(viewer, int) else 0
    answered = play.early.get(viewer) if isinstance(viewer, int) else None
    head = message("frame", step=step, answered=answered)
    events = json.dumps(sight.events, ensure_ascii=False)
    return f'{head[:-1]},"frame":{{"events":{events},{sight.rest[1:]}}}'
