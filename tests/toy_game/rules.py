"""The kernels of Ford: dealing, playing, and what may be asked of a record."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.common import pay
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import MASK, below, draw, open_stream

from . import tables as t

CHANCE, AGENTS = 1, 2  # purposes of streams
COUNTS = 2**40  # more than any number of draws


@t.kernel
def reset(game: Record, params: Record, seed: int, number: int) -> None:
    """Deal game `number` of `seed`."""
    table = game["table"]
    game["seed"] = seed
    game["number"] = number
    open_stream(game["chance"], seed, number, CHANCE)
    open_stream(game["agents"], seed, number, AGENTS)
    table["events"][:, :] = 0
    table["event_count"] = 0
    table["decisions"] = 0
    table["points"][:] = 0
    table["num_players"] = params["num_players"]
    table["round"] = 0
    table["ending"] = t.Ending.PLAYING
    begin_round(game)


@t.kernel
def begin_round(game: Record) -> None:
    """Deal a stone to everybody and ask whose turn it is to begin."""
    table = game["table"]
    table["height"] = 0
    table["raiser"] = t.NOBODY
    table["asked"] = int(table["round"]) % int(table["num_players"])
    taken = 0
    game["stones"][:] = 0
    for seat in range(int(table["num_players"])):
        stone = 1 + below(game["chance"], t.STONES)
        while (taken >> stone) & 1:
            stone = 1 + below(game["chance"], t.STONES)
        taken |= 1 << stone
        game["stones"][seat] = stone


@t.kernel
def exchange(game: Record, params: Record, stream: Record) -> bool:
    """Exchange a seat's first stone for one of the bag or of another seat, or the chance of later rounds."""
    if below(stream, 4) == 0:
        open_stream(game["chance"], draw(stream), draw(stream), CHANCE)
        return True
    seat = below(stream, int(params["num_players"]))
    stone = 1 + below(stream, t.STONES)
    old = int(game["stones"][seat])
    for other in range(int(params["num_players"])):
        if game["stones"][other] == stone:
            game["stones"][other] = old
    game["stones"][seat] = stone
    return stone != old


@t.kernel
def highest(num_players: int, stone: int) -> int:
    """The highest sum of the stones that somebody who holds `stone` thinks possible."""
    total = stone
    best = t.STONES
    for _ in range(num_players - 1):
        if best == stone:
            best -= 1
        total += best
        best -= 1
    return total


@t.kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal."""
    table = game["table"]
    if action < t.WAIT or action > t.CALL:
        return t.Refusal.NO_SUCH_ACTION
    if seat != table["asked"] and action == t.WAIT:
        return t.Refusal.OK
    if table["ending"] != t.Ending.PLAYING:
        return t.Refusal.GAME_OVER
    if seat != table["asked"]:
        return t.Refusal.NOT_ASKED
    if action == t.WAIT:
        return t.Refusal.MUST_ANSWER
    if action == t.CALL:
        return t.Refusal.OK if table["height"] > 0 else t.Refusal.NOTHING_TO_CALL
    top = highest(int(table["num_players"]), int(game["stones"][seat]))
    return t.Refusal.OK if int(table["height"]) + 1 + action - t.RAISE <= top else t.Refusal.TOO_HIGH


@t.kernel
def write_mask(game: Record, params: Record, seat: int, out: npt.NDArray[np.int8]) -> None:
    """1 for every action that isn't refused."""
    for action in range(t.CALL + 1):
        out[action] = int(refusal(game, params, seat, action) == t.Refusal.OK)


@t.kernel
def must_call(game: Record, params: Record) -> bool:
    """Whether calling is the only answer, as far as those can tell who `auto_forced` asks."""
    table = game["table"]
    if table["ending"] != t.Ending.PLAYING or params["auto_forced"] == t.Forced.NONE:
        return False
    top = t.HIGHEST[int(table["num_players"])]
    if params["auto_forced"] == t.Forced.ALL:
        top = highest(int(table["num_players"]), int(game["stones"][int(table["asked"])]))
    return int(table["height"]) >= top


@t.kernel
def step(game: Record, params: Record, action: int) -> int:
    """The asked seat's action, and those that are forced then; a Refusal and nothing changed unless it is OK."""
    table = game["table"]
    if table["asked"] < 0:
        return t.Refusal.GAME_OVER
    refused = refusal(game, params, int(table["asked"]), action)
    if refused == t.Refusal.OK:
        take(game, params, action)
        while must_call(game, params):
            take(game, params, t.CALL)
    return refused


@t.kernel
def take(game: Record, params: Record, action: int) -> None:
    """Take a legal action."""
    table = game["table"]
    seat = int(table["asked"])
    table["decisions"] += 1
    if action == t.CALL:
        call(game, seat)
    else:
        table["height"] += 1 + action - t.RAISE
        table["raiser"] = seat
        table["asked"] = (seat + 1) % int(table["num_players"])
        tell(table, t.Event.RAISED, seat, 1 + action - t.RAISE)
    if table["ending"] == t.Ending.PLAYING and table["decisions"] >= params["max_decisions"]:
        table["ending"] = t.Ending.TRUNCATED
        table["asked"] = t.NOBODY


@t.kernel
def call(game: Record, seat: int) -> None:
    """Show the stones, and go on to the next round or the end."""
    table = game["table"]
    total = 0
    for other in range(int(table["num_players"])):
        total += int(game["stones"][other])
    winner = seat if total < table["height"] else int(table["raiser"])
    table["points"][winner] += 1
    table["round"] += 1
    tell(table, t.Event.CALLED, seat, total)
    tell(table, t.Event.SCORED, winner, int(table["points"][winner]))
    if table["round"] < t.ROUNDS:
        begin_round(game)
    else:
        table["ending"] = t.Ending.OVER
        table["asked"] = t.NOBODY


@t.kernel
def tell(table: Record, event: int, seat: int, number: int) -> None:
    """Note a public event."""
    for place in range(t.MAX_EVENTS - 1, 0, -1):
        table["events"][place, :] = table["events"][place - 1, :]
    table["events"][0, 0] = event
    table["events"][0, 1] = 1 + seat
    table["events"][0, 2] = number
    table["event_count"] += 1


@t.kernel
def write_returns(game: Record, zero_sum: int, out: npt.NDArray[np.float32]) -> None:
    """+1 to those with the most points and -1 to the others; zero_sum: each side shares 1."""
    table = game["table"]
    out[:] = 0
    if table["ending"] != t.Ending.OVER:
        return
    num_players = int(table["num_players"])
    best = 0
    winners = 0
    for seat in range(num_players):
        if table["points"][seat] > best:
            best = int(table["points"][seat])
            winners = 0
        winners |= int(table["points"][seat] == best) << seat
    pay(winners, num_players, zero_sum, out)


@t.kernel
def violation(game: Record, params: Record) -> int:
    """What is wrong with a state, as a Violation; NONE for those that can be reached."""
    table = game["table"]
    num_players = int(params["num_players"])
    if not in_range(game, params):
        return t.Violation.RANGE
    taken = 0
    for seat in range(t.MAX_SEATS):
        stone = int(game["stones"][seat])
        if (
            stone < 0
            or stone > t.STONES
            or (stone == 0) != (seat >= num_players)
            or (stone > 0 and (taken >> stone) & 1)
        ):
            return t.Violation.STONES
        taken |= 1 << stone
    over = table["ending"] != t.Ending.PLAYING
    if (table["asked"] == t.NOBODY) != over or (table["raiser"] == t.NOBODY) != (table["height"] == 0):
        return t.Violation.TURN
    following = int(table["round"]) % num_players
    if table["height"] > 0:
        following = (int(table["raiser"]) + 1) % num_players
    if not over and table["asked"] != following:
        return t.Violation.TURN
    points = 0
    for seat in range(t.MAX_SEATS):
        points += int(table["points"][seat])
    if points != table["round"] or (table["ending"] == t.Ending.OVER) != (table["round"] == t.ROUNDS):
        return t.Violation.POINTS
    for place in range(t.MAX_EVENTS):
        if (table["events"][place, 0] != t.Event.NONE) != (place < table["event_count"]):
            return t.Violation.EVENTS
    return t.Violation.NONE


@t.kernel
def in_range(game: Record, params: Record) -> bool:
    """Every field that is used as a number of something is one."""
    table = game["table"]
    num_players = int(params["num_players"])
    fine = game["seed"] >= 0 and game["number"] >= 0 and table["num_players"] == num_players
    for stream in (game["chance"], game["agents"]):
        fine = fine and 0 <= stream["key"] <= MASK and 0 <= stream["block"] <= MASK and 0 <= stream["drawn"] < COUNTS
    fine = fine and t.Ending.PLAYING <= table["ending"] <= t.Ending.TRUNCATED and 0 <= table["round"] <= t.ROUNDS
    fine = fine and 0 <= table["height"] <= t.HIGHEST[num_players]
    fine = fine and t.NOBODY <= table["raiser"] < num_players and t.NOBODY <= table["asked"] < num_players
    capped = int(table["decisions"] >= params["max_decisions"])
    fine = fine and 0 <= table["decisions"] <= params["max_decisions"] and table["event_count"] >= 0
    fine = fine and int(table["event_count"]) == int(table["decisions"]) + int(table["round"])
    fine = fine and (capped == 0 or table["ending"] != t.Ending.PLAYING)
    fine = fine and (capped == 1 or table["ending"] != t.Ending.TRUNCATED)
    for seat in range(t.MAX_SEATS):
        fine = fine and 0 <= table["points"][seat] <= (t.ROUNDS if seat < num_players else 0)
    for place in range(t.MAX_EVENTS):
        event = table["events"][place]
        fine = fine and t.Event.NONE <= event[0] <= t.Event.SCORED and 0 <= event[2] <= t.HIGHEST[num_players]
        fine = fine and int(event[0] != t.Event.NONE) <= event[1] <= num_players * int(event[0] != t.Event.NONE)
    return bool(fine)
