"""The optional question of the seat protocol: what a seat believes about the roles of the others."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.core.text import at_the_table
from riverbed_env.core.transcript import Transcript

from .answer import Failure, SeatFailureError, last_object
from .message import Message, Talk, seat_message

Beliefs = npt.NDArray[np.float64]


def belief_message(
    game: Game,
    pack: Any,
    view: np.void,
    params: npt.NDArray[np.void],
    *,
    since: int = 0,
    table: int = 0,
    said: Transcript = (),
) -> Message:
    """The message that asks a seat for its beliefs; made from its view alone, like `seat_message`.

    Args:
        game: the game, which has several roles.
        pack: the game's content pack.
        view: the record that `look` wrote for the seat.
        params: (1,), the game's.
        since: how many public events the seat has been told of.
        table: a number that tells this game from others the program plays.
        said: what was said in words so far, to all.

    Returns:
        The message as data for JSON, of type "believe"; `beliefs` names the other players and the roles.
    """
    talk = Talk.at(game, view, params[0], said)
    if talk is not None:
        talk.most_characters = 0  # this is no time to speak
    message = seat_message(game, pack, view, params, [], since=since, table=table, talk=talk)
    others = [at_the_table(seat) for seat in range(message["game"]["players"]) if seat != message["you"]["seat"]]
    return {
        **message,
        "type": "believe",
        "asked": "How likely is each role of each other player?",
        "beliefs": {"players": others, "roles": list(game.roles)},
    }


def read_beliefs(words: str, message: Message) -> Beliefs:
    """Parse the beliefs in a seat's answer.

    The last JSON object counts: `{"beliefs": {"player_1": {"merchant": 0.7, …}, …}}`. Chances are scaled to a sum of 1;
    a role that isn't named has none.

    Args:
        words: what the seat said.
        message: the question it answers, as `belief_message` makes it.

    Returns:
        (players, roles) float64; rows sum to 1, but for the seat's own, which is 0.

    Raises:
        SeatFailureError: the answer is empty, holds no such object, leaves a player out, names an unknown role, or has
            chances that aren't numbers from 0 on, one of them above 0.
    """
    example = '{"beliefs": {…}}'
    found = last_object(words, example).get("beliefs")
    if not isinstance(found, Mapping):
        raise SeatFailureError(Failure.UNPARSABLE, f"the answer holds no JSON object like {example}")
    players, roles = message["beliefs"]["players"], message["beliefs"]["roles"]
    out = np.zeros((message["game"]["players"], len(roles)))
    for seat, name in enumerate(map(at_the_table, range(len(out)))):
        if name in players:
            out[seat] = _chances(name, found.get(name), roles)
    return out


def _chances(player: str, told: object, roles: list[str]) -> Beliefs:
    """The chances of a player's roles. Raises SeatFailureError unless they are that."""
    if not isinstance(told, Mapping):
        raise SeatFailureError(Failure.UNPARSABLE, f"the beliefs say nothing of {player}")
    unknown = [str(role) for role in told if role not in roles]
    if unknown:
        raise SeatFailureError(Failure.ILLEGAL, f"{unknown[0][:40]!r} is no role; roles are {', '.join(roles)}")
    chances = np.array([_number(told.get(role, 0)) for role in roles])
    if not np.isfinite(chances).all() or (chances < 0).any() or not chances.sum() > 0:
        raise SeatFailureError(Failure.ILLEGAL, f"chances of {player} must be numbers from 0 on, one of them above 0")
    return np.asarray(chances / chances.sum())


def _number(told: object) -> float:
    return float(told) if isinstance(told, int | float) and not isinstance(told, bool) and abs(told) < 1e9 else math.nan
