"""The agents of Deep River: their search is right, and they win."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from deep_river.scene import Scene
from deep_river.test_move_trees import CHECK_PACK
from deep_river.test_random_play import mirrored

from riverbed_agents.deep_river.evaluation import WIN, worth
from riverbed_agents.deep_river.search import NEVER, SEARCH, SearchBuffers, make_buffers, search, search_agent
from riverbed_agents.deep_river.weights import TUNED
from riverbed_env.errors import OptionError
from riverbed_env.games.deep_river.content.pack import make_params
from riverbed_env.games.deep_river.rules import engine, legality
from riverbed_env.games.deep_river.rules.actions import NUM_ACTIONS, A
from riverbed_env.games.deep_river.rules.state import GAME, VIEW, look
from riverbed_env.games.deep_river.rules.vocab import Ending
from riverbed_env.kernels.random import STREAM, open_stream, random_legal_action
from riverbed_env.players.agents import Agent

SIDES = ("salmon", "eel")


def act(agent: Agent, game: np.void, params: np.void, seat: int, memory: npt.NDArray[np.int32], rng: Any) -> int:
    """What an agent does in a seat."""
    views, mask = np.zeros(1, VIEW), np.zeros((1, NUM_ACTIONS), np.int8)
    look(game, seat, views[0])
    legality.write_mask(game["table"], seat, mask[0])
    sight = {"views": views, "params": np.array([params])}
    return int(agent.act(np.zeros((1, 0), np.int8), mask, memory, rng, **sight)[0])


def positions(games: int, every: int, **options: Any) -> list[tuple[np.void, np.void]]:
    """Every `every`-th position of random games, within turns too, each with its params."""
    params, _ = make_params(**options)
    states = []
    for number in range(games):
        game = np.zeros(1, GAME)[0]
        engine.reset(game, params[0], 8, number)
        while game["table"]["ending"] == Ending.PLAYING:
            if game["table"]["decisions"] % every == 0:
                states.append((np.array([game])[0], params[0]))
            step_at_random(game, params[0])
    return states


def step_at_random(game: np.void, params: np.void) -> int:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    legality.write_mask(game["table"], int(game["table"]["asked"]), mask)
    action = int(random_legal_action(mask, game["agents"]))
    engine.step(game, params, action)
    return action


# --- the search -------------------------------------------------------------------------------------------------------


def buffers_for(game: np.void, params: np.void, depth: int) -> SearchBuffers:
    view = np.zeros(1, VIEW)[0]
    look(game, 0, view)
    buffers = make_buffers(TUNED, depth, view, params)
    buffers.worths[0, 0] = worth(game["table"], params, TUNED)
    return buffers


def searched(game: np.void, params: np.void, depth: int, low: int = -NEVER, high: int = NEVER) -> int:
    last_turn = int(game["table"]["turn"]) + depth - 1
    return int(search(buffers_for(game, params, depth), 0, 0, last_turn, low, high))


def minimax(table: np.void, params: np.void, last_turn: int) -> int:
    """What `search` is to find, with nothing left out and nothing remembered."""
    if table["ending"] != Ending.PLAYING or table["turn"] > last_turn:
        return int(worth(table, params, TUNED))
    mask = np.zeros(NUM_ACTIONS, np.int8)
    asked = int(table["asked"])
    legality.write_mask(table, asked, mask)
    values = []
    for action in np.flatnonzero(mask):
        after = np.array([table])[0]
        engine.go_on(after, params, int(action))
        values.append(minimax(after, params, last_turn))
    return min(values) if asked else max(values)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("pack", ["default", CHECK_PACK], ids=["default", "check"])
def test_search_finds_what_plain_minimax_finds(pack: Any) -> None:
    for game, params in positions(4, 13, pack=pack):
        plain = minimax(game["table"], params, int(game["table"]["turn"]) + 1)
        assert searched(game, params, 2) == plain
        assert searched(game, params, 2, plain, NEVER) <= plain
        assert searched(game, params, 2, plain - 1, plain + 1) == plain
        assert searched(game, params, 2, -NEVER, plain) >= plain


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_mirrored_positions_are_worth_the_opposite(depth: int) -> None:
    for game, params in positions(6, 5):
        assert searched(game, params, depth) == -searched(mirrored(np.array([game]))[0], params, depth)


@pytest.mark.parametrize("depth", [0, 9])
def test_a_depth_that_cannot_be_searched_is_refused(depth: int) -> None:
    with pytest.raises(OptionError, match=f"depth must be an integer from 1 to 8, not {depth}"):
        search_agent(depth)


# --- the agents -------------------------------------------------------------------------------------------------------


def play_turn(scene: Scene, agent: Agent) -> None:
    """The agent plays the turn of the side asked to its end."""
    turn, seat = int(scene.table["turn"]), scene.asked
    memory = np.zeros((1, agent.memory_size), np.int32)
    rng = np.zeros(1, STREAM)
    open_stream(rng[0], 1, 0, 3)
    while not scene.over and scene.table["turn"] == turn:
        action = act(agent, scene.game, scene.params, seat, memory, rng)
        assert engine.step(scene.game, scene.params, action) == 0


WINS = {
    "a fish reaches the nest": {"bear": (7, 1), "pawns": ({"7": "s"}, {"1": "e"}), "faces": "000"},
    "by the bear's own step": {"bear": (7, 1), "pawns": ({}, {}), "faces": "011"},
    "a double fish reaches the nest": {"bear": (6, 2), "pawns": ({"4": "S"}, {"4": "E"}), "faces": "100"},
    "twice": {"bear": (6, 2), "pawns": ({"6": "s", "7": "s"}, {"2": "e", "1": "e"}), "faces": "001"},
    "the current runs out": {"bear": (5, 3), "pawns": ({}, {}), "faces": "000", "progress": (6, 5, 0)},
}


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("seat", [0, 1], ids=SIDES)
@pytest.mark.parametrize("how", WINS)
def test_a_win_within_the_turn_is_taken(how: str, seat: int) -> None:
    drawn: dict[str, Any] = dict(WINS[how])
    drawn["bear"], drawn["pawns"] = drawn["bear"][seat], drawn["pawns"][seat]
    scene = Scene("stbDbts", turn=SIDES[seat], auto_forced="public", **drawn)
    play_turn(scene, SEARCH)
    assert scene.over
    assert scene.table["winner"] == seat


@pytest.mark.slow
@pytest.mark.compiled
def test_search_sees_a_rivals_win_coming() -> None:
    scene = Scene("stbDbts", pawns={"1": "e"}, bear=1, faces="000", auto_forced="public")
    assert searched(scene.game, scene.params, 1) > -WIN // 2
    assert searched(scene.game, scene.params, 2) < -WIN // 2


@pytest.mark.slow
@pytest.mark.compiled
def test_a_seat_that_is_not_asked_waits() -> None:
    scene = Scene(turn="eel")
    memory = np.zeros((1, SEARCH.memory_size), np.int32)
    assert act(SEARCH, scene.game, scene.params, 0, memory, np.zeros(1, STREAM)) == A.WAIT
