"""Ford in plain English."""

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import addressing, describer, filled

from .game import Stones
from .tables import ACTIONS, MAX_EVENTS, Ending, Event, Refusal, Violation

describe_refusal, describe_violation = describer(Refusal), describer(Violation)


def describe_action(pack: Stones, game: np.void, action: int, seat: int) -> str:
    """An action in plain English; IndexError where there is no such action."""
    name, argument = ACTIONS.split(action)
    return {"WAIT": "wait", "RAISE": f"raise the water by {1 + argument}", "CALL": "call"}[name]


def describe_events(pack: Stones, game: np.void, since: int = 0, viewer: int | None = None) -> list[str]:
    """The last public events, oldest first, without the first `since` of the game; `viewer` is "you"."""
    table = game["table"]
    count = int(table["event_count"])
    shown = min(MAX_EVENTS, count, max(0, count - since))
    events = table["events"][:shown][::-1].tolist()
    name = addressing(viewer)
    return [
        filled(
            Event(kind).words,
            {"actor": name(actor - 1), "number": str(number)},
            to_actor=viewer == actor - 1,
        )
        for kind, actor, number in events
    ]


def describe_state(pack: Stones, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """What a seat knows, or (None) everything."""
    game, table = games[0], games[0]["table"]
    lines = [f"Round {int(table['round'])}, water {int(table['height'])}."]
    for seat in range(int(table["num_players"])):
        stone = f", stone {int(game['stones'][seat])}" if viewer in (None, seat) else ""
        lines.append(f"player_{seat}: points {int(table['points'][seat])}{stone}.")
    asked = {Ending.PLAYING: f"player_{int(table['asked'])} is asked.", Ending.OVER: "The game is over."}
    return "\n".join([*lines, asked.get(Ending(int(table["ending"])), "The game was cut off.")])


def goal(pack: Stones, games: npt.NDArray[np.void], params: npt.NDArray[np.void], seat: int) -> str:
    """How a seat wins."""
    return "You win with the most points after five rounds."


def explain(pack: Stones, games: npt.NDArray[np.void], params: npt.NDArray[np.void], seat: int) -> list[str]:
    """What the actions do."""
    return ["call: the stones are shown; you score if they are lower than the water, else who raised it scores"]


def result(pack: Stones, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """How a finished game ended."""
    table = games[0]["table"]
    if table["ending"] == Ending.TRUNCATED:
        return "The game was cut off"
    return f"Over: the points are {', '.join(map(str, table['points'][: table['num_players']].tolist()))}"
