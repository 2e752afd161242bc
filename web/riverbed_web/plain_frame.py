"""A frame of words alone: the drawing and the legal actions as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.core.text import at_the_table
from riverbed_env.envs.ansi import draw

PUBLIC, TRUTH = "public", "truth"
Records = npt.NDArray[np.void]


def frame(game: Game, pack: Any, games: Records, params: Records, viewer: int | str, since: int = 0) -> dict[str, Any]:
    """What a viewer sees, in words."""
    seat = viewer if isinstance(viewer, int) else None
    words = game.words
    asked = int(game.kernels.current_seat(games[0]))
    over = asked < 0
    mask = np.zeros(game.actions.size, np.int8)
    if seat is not None and not over:
        pending = game.kernels.pending
        if pending is not None and int(pending(games[0], params[0])) >> seat & 1:
            game.kernels.write_pending_mask(games[0], params[0], seat, mask)  # type: ignore[misc]
        elif pending is None and seat == asked:
            game.kernels.write_mask(games[0], params[0], seat, mask)
    drawn = draw(game, pack, games, params, seat) if seat is not None or viewer == TRUTH else ""
    lines = drawn.partition("\nLast events:")[0].split("\n")
    returns = np.zeros((1, int(params["num_players"][0])), np.float32)
    if over:
        game.loop("returns_of_all")(games, 0, returns)
    return {
        "form": 1,
        "game": game.id,
        "title": game.title,
        "view": "seat" if seat is not None else viewer,
        "seat": seat,
        "players": int(params["num_players"][0]),
        "clock": "",
        "headline": lines[1] if len(lines) > 1 else "",
        "asked": None if over or game.simultaneous else asked,
        "goal": words.goal(pack, games, params, seat) if seat is not None and hasattr(words, "goal") else "",
        "help": lines,
        "events": words.describe_events(pack, games[0], since, viewer=seat if seat is not None else None)
        if viewer != PUBLIC
        else [],
        "event_count": int(games[0]["table"]["event_count"]),
        "said": [],
        "choices": [
            {"action": int(action), "text": words.describe_action(pack, games[0], int(action), seat)}
            for action in np.flatnonzero(mask)
        ],
        "over": over,
        "result": (str(words.result(pack, games, params, seat)) if over and hasattr(words, "result") else ""),
        "returns": [float(paid) for paid in returns[0]] if over else None,
        "scene": {"panels": [], "names": [at_the_table(each) for each in range(int(params["num_players"][0]))]},
    }
