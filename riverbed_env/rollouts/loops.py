"""Templates of rollouts: each game links them to its rules, its hooks, the agents and the networks at its tables.

The placeholders below are replaced when they are linked (see `action_values`); those of a game are documented in
`riverbed_env.kernels.loops`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import prange

from riverbed_env.kernels.compile import Numbers, Record, Records, Vector, Whole, placeholder
from riverbed_env.kernels.loops import (
    Arrays,
    agent_stream,
    choose_as,
    current_seat,
    ending,
    observe,
    step,
    write_returns,
    write_row,
)
from riverbed_env.kernels.random import TRIED, end_decision, open_stream

NUM_ACTIONS = 0  # replaced by the game's number
POINTS = 50.0  # of a return: -1 to 1 are 100 points
BY_NETWORK = -1  # in place of an agent's number: the network plays the own seat


turn_of: Callable[[Record], int] = placeholder  # the number of the turn
expected_return: Callable[[Record, Record, int], float] = placeholder  # game, params, seat; at the start of a turn
draw_world: Callable[[Record, Record, Record, Record], None] = placeholder  # view, params, stream, game (written)
choose_by_network: Callable[[Any, Record, Record, Vector, Vector, Record], int] = placeholder  # network, view, …


def value_of(game: Record, params: Record, seat: int, returns: Numbers) -> float:
    """A seat's return in points, expected if the game isn't over. returns: (seats,), scratch."""
    if ending(game) == 0:
        return POINTS * expected_return(game, params, seat)
    write_returns(game, 0, returns)
    return POINTS * float(returns[seat])


def play_on(
    game: Record,
    params: Record,
    view: Record,
    row: Vector,
    memories: npt.NDArray[np.int32],
    coded: Whole,
    seat: int,
    own: int,
    network: Any,
    until: Whole,
    returns: Numbers,
    size: int,
    out: Numbers,
) -> int:
    """Play a game on and write its value to `seat` when each turn of `until`, ascending, begins.

    coded: (seats,), the number of each seat's agent; own: that of `seat`, or BY_NETWORK. Returns 0, or 1 + an
    action that the rules refused.
    """
    asked = current_seat(game)
    for place in range(len(until)):
        while asked >= 0 and turn_of(game) < until[place]:
            stream = agent_stream(game)
            begun = int(stream["drawn"])
            write_row(game, params, asked, view, row, size)
            observation, mask = row[:size], row[size : size + NUM_ACTIONS]
            if asked == seat and own == BY_NETWORK:
                action = choose_by_network(network, view, params, observation, mask, stream)
            else:
                agent = own if asked == seat else coded[asked]
                action = choose_as(agent, view, params, observation, mask, memories[asked], stream)
            end_decision(stream, begun)
            if step(game, params, action) != 0:
                return 1 + action
            asked = current_seat(game)
        out[place] += value_of(game, params, seat, returns)
    return 0


def write_action_values(
    batch: Arrays,
    views: Records,
    worlds: Records,
    tried: Records,
    streams: Records,
    scratch: Vector,
    kept: npt.NDArray[np.int32],
    memories: npt.NDArray[np.int32],
    coded: Whole,
    indices: Whole,
    numbers: Whole,
    seed: int,
    num_worlds: int,
    own: int,
    network: Any,
    turns: Whole,
    returns: Numbers,
    out: Numbers,
    refused: Whole,
) -> None:
    """Write the value of each legal action to the seat that each of these games asks.

    num_worlds: worlds drawn from the seat's view, shared by its actions, whose mean counts; 0: the true state. numbers:
    (indices,), of the streams that draw them. turns: after which a rollout ends, the current one counted. views,
    worlds, tried, streams, scratch, kept, returns: one for each thread. out: (indices, actions, turns), zeros where an
    action is legal; refused: (indices,), see `play_on`.
    """
    games, params, which, rows, size = batch.games, batch.params, batch.which, batch.rows, batch.size
    chunks = len(views)
    for chunk in prange(chunks):
        until = turns.copy()
        for place in range(chunk * len(indices) // chunks, (chunk + 1) * len(indices) // chunks):
            index = indices[place]
            own_params = params[which[index]]
            refused[place] = 0
            seat = current_seat(games[index])
            for nth in range(len(turns)):
                until[nth] = turn_of(games[index]) + turns[nth]
            for world in range(max(1, num_worlds)):
                if num_worlds > 0:
                    open_stream(streams[chunk], seed, numbers[place] * num_worlds + world, TRIED)
                    observe(games[index], own_params, seat, views[chunk], scratch[chunk, :size])
                    draw_world(views[chunk], own_params, streams[chunk], worlds[chunk])
                else:
                    worlds[chunk] = games[index]
                for action in range(NUM_ACTIONS):
                    if rows[index, size + action]:
                        tried[chunk] = worlds[chunk]
                        kept[chunk] = memories[index]
                        end_decision(agent_stream(tried[chunk]), int(agent_stream(tried[chunk])["drawn"]))
                        step(tried[chunk], own_params, action)
                        wrong = play_on(
                            tried[chunk],
                            own_params,
                            views[chunk],
                            scratch[chunk],
                            kept[chunk],
                            coded[index],
                            seat,
                            own,
                            network,
                            until,
                            returns[chunk],
                            size,
                            out[place, action],
                        )
                        refused[place] = max(refused[place], wrong)
            if num_worlds > 1:
                out[place] /= np.float32(num_worlds)


def choose_for(batch: Arrays, views: Records, scratch: Vector, indices: Whole, network: Any, actions: Whole) -> None:
    """Write the network's choice in each of these games, (indices,). views, scratch: see `write_action_values`."""
    games, params, which, size = batch.games, batch.params, batch.which, batch.size
    chunks = len(views)
    for chunk in prange(chunks):
        row = scratch[chunk]
        for place in range(chunk * len(indices) // chunks, (chunk + 1) * len(indices) // chunks):
            game, own = games[indices[place]], params[which[indices[place]]]
            write_row(game, own, current_seat(game), views[chunk], row, size)
            mask = row[size : size + NUM_ACTIONS]
            actions[place] = choose_by_network(network, views[chunk], own, row[:size], mask, agent_stream(game))
