"""Records, actions, observation pieces and kernels of Pebbles."""

from pathlib import Path

import numpy as np

from riverbed_env.kit import (
    AGENTS,
    DEAL,
    MASK,
    STREAM,
    UNDECIDED,
    ActionBlock,
    ActionTable,
    Forced,
    KernelFamily,
    Piece,
    PieceTable,
    Refusal,
    agent_stream,
    below,
    common_refusal,
    open_stream,
)

kernel = KernelFamily("pebbles", Path(__file__).parent)  # compiled kernels are kept until a file here changes

PLAYERS, NOBODY = 2, -1
FEWEST, MOST = 12, 20  # pebbles in the pile at first
MOST_TAKEN = 3
PLAYING, OVER, TRUNCATED = 0, 1, 2
TOO_MANY = len(Refusal)  # our own refusals are numbered behind those of all games
BROKEN_RANGE, BROKEN_TURN, BROKEN_PILE = 1, 2, 3

TABLE = np.dtype(
    [
        ("num_players", np.int8),
        ("asked", np.int8),  # the seat that must choose, or NOBODY
        ("ending", np.int8),
        ("left", np.int8),  # pebbles in the pile
        ("taken", np.int8),  # by the last move, 0 before the first
        ("first", np.int8),  # the seat that began
        ("decisions", np.int32),
    ],
    align=True,
)
GAME = np.dtype(
    [("table", TABLE), ("seed", np.int64), ("number", np.int64), ("agents", STREAM)],
    align=True,
)
VIEW = np.dtype([("seat", np.int8), ("table", TABLE)], align=True)  # nothing is hidden in this game
PARAMS = np.dtype([("num_players", np.int8), ("auto_forced", np.int8), ("max_decisions", np.int32)], align=True)

ACTIONS = ActionTable(
    (
        ActionBlock("WAIT", 1, "the only legal action of a seat that isn't asked"),
        ActionBlock("TAKE", MOST_TAKEN, "take 1 + argument pebbles"),
    )
)
OBSERVATION = PieceTable(
    (
        Piece("left", (1,), "all", "pebbles in the pile", high=MOST),
        Piece("taken", (1,), "all", "pebbles that the last move took", high=MOST_TAKEN),
        Piece("turn", (PLAYERS,), "all", "one-hot seat that is asked", axes=("seat (clockwise from the observer)",)),
    )
)
LEFT, TAKEN, TURN = (OBSERVATION.start(name) for name in ("left", "taken", "turn"))

chance_stream = agent_stream  # no chance in play: it ends with the deal


@kernel
def reset(game, params, seed, number):
    """Deal: a pile of random size, and who begins."""
    table = game["table"]
    game["seed"] = seed
    game["number"] = number
    open_stream(game["agents"], seed, number, DEAL)  # lent for the deal, then opened for the players
    table["num_players"] = params["num_players"]
    table["left"] = FEWEST + below(game["agents"], MOST - FEWEST + 1)
    table["first"] = below(game["agents"], PLAYERS)
    table["asked"] = table["first"]
    open_stream(game["agents"], seed, number, AGENTS)
    table["ending"] = PLAYING
    table["taken"] = 0
    table["decisions"] = 0


@kernel
def refusal(game, params, seat, action):
    """Why the seat can't take the action; 0 if it can."""
    table = game["table"]
    reason = common_refusal(1 + MOST_TAKEN, int(seat == table["asked"]), int(table["ending"] == PLAYING), action)
    if reason != UNDECIDED:
        return reason
    return Refusal.OK if action <= table["left"] else TOO_MANY


@kernel
def write_mask(game, params, seat, out):
    """1 for every action that isn't refused."""
    for action in range(1 + MOST_TAKEN):
        out[action] = int(refusal(game, params, seat, action) == Refusal.OK)


@kernel
def step(game, params, action):
    """Take pebbles; the last one is taken for the player if `auto_forced` says so."""
    table = game["table"]
    if table["ending"] != PLAYING:
        return Refusal.GAME_OVER
    refused = refusal(game, params, int(table["asked"]), action)
    if refused == Refusal.OK:
        take(game, params, action)
        while table["ending"] == PLAYING and table["left"] == 1 and params["auto_forced"] != Forced.NONE:
            take(game, params, 1)
    return refused


@kernel
def take(game, params, pebbles):
    """A legal move of the seat asked."""
    table = game["table"]
    table["left"] -= pebbles
    table["taken"] = pebbles
    table["decisions"] += 1
    table["asked"] = 1 - table["asked"]
    if table["left"] == 0:
        table["ending"] = OVER
    elif table["decisions"] >= params["max_decisions"]:
        table["ending"] = TRUNCATED
    if table["ending"] != PLAYING:
        table["asked"] = NOBODY


@kernel
def last_mover(table):
    """The seat that moved last; players alternate."""
    return (int(table["first"]) + int(table["decisions"]) + 1) % PLAYERS


@kernel
def observe(game, params, seat, view, out):
    """The observation of any seat at any time."""
    view["seat"] = seat
    view["table"] = game["table"]
    table = view["table"]
    out[:] = 0
    out[LEFT] = table["left"]
    out[TAKEN] = table["taken"]
    if table["asked"] != NOBODY:
        out[TURN + (int(table["asked"]) - seat) % PLAYERS] = 1


@kernel
def write_state(game, params, view, scratch, out):
    """The full state: what seat 0 sees, as nothing is hidden."""
    observe(game, params, 0, view, out)


@kernel
def write_returns(game, zero_sum, out):
    """+1 to the player who took the last pebble, -1 to the other; the same as zero-sum returns."""
    out[:] = 0
    if game["table"]["ending"] == OVER:
        out[:] = -1
        out[last_mover(game["table"])] = 1


@kernel
def violation(game, params):
    """The invariant that a record breaks; 0 if none."""
    table = game["table"]
    if not in_range(game, params):
        return BROKEN_RANGE
    turn = (int(table["first"]) + int(table["decisions"])) % PLAYERS
    if table["asked"] != (turn if table["ending"] == PLAYING else NOBODY):
        return BROKEN_TURN
    capped = table["decisions"] >= params["max_decisions"]
    ending = OVER if table["left"] == 0 else TRUNCATED if capped else PLAYING
    taken = MOST_TAKEN * int(table["decisions"])
    if table["ending"] != ending or table["left"] + taken < FEWEST or table["left"] + table["decisions"] > MOST:
        return BROKEN_PILE
    return 0


@kernel
def in_range(game, params):
    """Whether every field is a number that it can be."""
    table, stream = game["table"], game["agents"]
    moved = int(table["decisions"] > 0)
    return (
        game["seed"] >= 0
        and game["number"] >= 0
        and 0 <= stream["key"] <= MASK
        and 0 <= stream["block"] <= MASK
        and stream["drawn"] >= 0
        and table["num_players"] == params["num_players"]
        and 0 <= table["first"] < PLAYERS
        and 0 <= table["left"] <= MOST
        and moved <= table["taken"] <= moved * MOST_TAKEN
        and 0 <= table["decisions"] <= params["max_decisions"]
    )
