"""Worlds of the judge are exact draws of what open seats can't know, and show those seats nothing else."""

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from toy_game.game import FORD
from toy_game.tables import RAISE, kernel

from judging.agents.ford import FOLDERS, WARY
from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import take_records
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import STREAM, TRIED, open_stream
from riverbed_env.players.agents import CompiledAgent
from riverbed_lab.judging.kernels.loops import Task
from riverbed_lab.judging.worlds import find_worlds
from riverbed_lab.playing.play import deal, watch


@kernel
def raise_by_parity(
    observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """Raise by two with an even stone, by one with an odd one: what it does tells of its stone."""
    even = observation[1] + observation[3] + observation[5]
    return RAISE + int(even)


TABLE = Batch(FORD, 1, num_players=3, auto_reset=False)
TELLING = CompiledAgent("telling", raise_by_parity, folders=FOLDERS)


def first_decisions(action: int) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int64]]:
    """Deals of Ford in which seat 0 has the stone 2 and raises by one and seat 1 takes an action; those actions."""
    batch = Batch(FORD, 6000, seed=1, num_players=3, auto_reset=False)
    dealt = batch.get_state()
    batch.step(np.full(batch.num_envs, RAISE))
    none = np.zeros((batch.num_envs, 1), np.int32)
    answer = TELLING.act(batch.observation, batch.action_mask, none, batch.agent_streams())
    there = np.flatnonzero((dealt["stones"][:, 0] == 2) & (answer == action))
    return take_records(dealt, there), np.tile([RAISE, action, RAISE, RAISE], (len(there), 1))


@pytest.mark.compiled
def test_a_long_chain_visits_the_deals_that_a_seat_cannot_exclude_equally_often() -> None:
    deals, actions = first_decisions(RAISE + 1)
    # Seat 2 raises next, then seat 0 is asked again: what seats 1 and 2 did told the parity of their stones.
    odd = deals["stones"][:, 2] % 2 == 1
    task = Task(
        deal=take_records(deals, np.flatnonzero(odd)[:1]),
        actions=actions[0].copy(),
        lineup=np.zeros(3, np.int64),
        open_seats=np.array([1, 0, 0], np.int8),
        until=np.array([3]),
        numbers=np.array([5]),
    )
    found_worlds = find_worlds(TABLE, [TELLING], task, 3000, moves=20, seed=2)
    assert 0 < found_worlds.accepted[0] < 2999 * 20
    worlds = found_worlds.games
    stones = worlds[0]["stones"]
    assert (stones[:, 0] == 2).all()
    found = Counter(map(tuple, stones[:, 1:].tolist()))
    exact = {tuple(pair) for pair in deals["stones"][odd][:, 1:].tolist()}  # by rejection
    assert exact == {(even, other) for even in (4, 6) for other in (1, 3, 5)}
    assert set(found) == exact
    assert max(found.values()) < 1.25 * min(found.values())
    table = worlds[0]["table"]
    assert (table["asked"] == 0).all()
    assert (table["height"] == table["height"][0]).all()


def test_future_chance_is_of_its_own_in_every_world() -> None:
    deals, actions = first_decisions(RAISE)
    lineup, open_seats = np.zeros(3, np.int64), np.array([1, 0, 0], np.int8)
    task = Task(deals[:1], actions[0].copy(), lineup, open_seats, np.array([0]), np.array([0]))
    worlds = find_worlds(TABLE, [WARY], task, 5, moves=0, seed=2).games
    assert (worlds[0]["stones"] == deals[0]["stones"]).all()
    for stream in ("chance", "agents"):
        assert len({world[stream].tobytes() for world in worlds[0]}) == 5


@pytest.mark.parametrize("num_players", [4, 7])
def test_exchanges_of_a_hunt_keep_what_a_deal_is_made_of(num_players: int) -> None:
    params, _ = RIVERBED_HUNT.make_params(num_players=num_players)
    deals = deal(RIVERBED_HUNT, np.arange(8), 3, num_players=num_players)
    before, stream = deals.copy(), np.zeros(1, STREAM)
    open_stream(stream[0], 1, 1, TRIED)
    exchange = RIVERBED_HUNT.kernels.exchange
    assert exchange is not None
    for _ in range(60):
        for game in deals:
            exchange(game, params[0], stream[0])
    assert (RIVERBED_HUNT.violations(deals, params) == 0).all()
    assert (deals["table"] == before["table"]).all()
    np.testing.assert_array_equal(np.sort(deals["tile_at"]), np.sort(before["tile_at"]))
    for field in ("tile_at", "deck"):
        assert (deals[field] != before[field]).any()
    hidden = deals["private"]["role"], before["private"]["role"]
    assert (hidden[0] != hidden[1]).any()
    cards = [
        np.sort(np.column_stack([roles[:, :num_players], games["spare_role"]]))
        for roles, games in zip(hidden, (deals, before))
    ]
    np.testing.assert_array_equal(*cards)


@pytest.mark.compiled
@pytest.mark.slow
def test_in_a_hunt_an_open_seat_sees_the_same_in_every_world_while_roles_and_tiles_change() -> None:
    game, seat, count = RIVERBED_HUNT, 2, 6
    batch = Batch(game, count, seed=5, num_players=7, auto_reset=False)
    taken = [actions.copy() for actions in watch(batch, [RULE_BASED], np.zeros((count, 7), np.int64), np.arange(count))]
    actions = np.array(taken[:40]).T.copy()
    batch.deal(np.arange(count))
    deals, until, views, masks = batch.get_state(), np.zeros(count, np.int64), {}, {}
    for decision in range(40):
        for index in np.flatnonzero(batch.seat == seat):
            until[index], views[index] = decision, batch.look(batch.seat)[index]
            masks[index] = batch.action_mask[index].copy()
        batch.step(actions[:, decision])
    lineup, open_seats = np.zeros(7, np.int64), (np.arange(7) == seat).astype(np.int8)
    worlds = np.zeros((count, 12), game.dtype)
    for index in range(count):
        here = slice(index, index + 1)
        task = Task(deals[here], actions[index].copy(), lineup, open_seats, until[here], np.array([index]))
        found = find_worlds(batch, [RULE_BASED], task, 12, moves=30, seed=1)
        worlds[index] = found.games[0]
        assert found.accepted[0] > 0
        there = Batch(game, 12, seed=0, num_players=7, auto_reset=False)
        there.set_state(worlds[index])  # raises unless every world is sound
        assert (there.seat == seat).all()
        assert {view.tobytes() for view in there.look(there.seat)} == {views[index].tobytes()}
        assert (there.action_mask == masks[index]).all()
    assert (worlds["tile_at"] != worlds["tile_at"][:, :1]).any(axis=(1, 2)).all()
    assert (worlds["private"]["role"] != worlds["private"]["role"][:, :1]).any()
