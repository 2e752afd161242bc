"""The agents of Deep River: the game they rebuild is the one they see, their search is right, and they win."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from agents_kit import stepwise
from deep_river.scene import Scene
from deep_river.test_move_trees import CHECK_PACK

from riverbed_agents.deep_river.evaluation import WIN, worth
from riverbed_agents.deep_river.greedy import GREEDY
from riverbed_agents.deep_river.observation_reader import rebuild
from riverbed_agents.deep_river.search import NEVER, SEARCH, SearchBuffers, make_buffers, search, search_agent
from riverbed_agents.deep_river.weights import TUNED
from riverbed_env.errors import OptionError
from riverbed_env.games.deep_river.content.pack import make_params
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules import engine, legality, observe
from riverbed_env.games.deep_river.rules.actions import NUM_ACTIONS, A
from riverbed_env.games.deep_river.rules.pieces import NOW_SIZE
from riverbed_env.games.deep_river.rules.state import GAME, PARAMS, VIEW
from riverbed_env.games.deep_river.rules.vocab import Ending
from riverbed_env.kernels.random import STREAM, open_stream, random_legal_action
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_lab.playing.play import Played, lineup, play

SIDES = ("salmon", "eel")


def seen(game: np.void, params: np.void, seat: int) -> npt.NDArray[np.int8]:
    """What a seat sees now, and behind it what it can do."""
    row = np.zeros(NOW_SIZE + NUM_ACTIONS, np.int8)
    observe.observe(game, params, seat, np.zeros(1, VIEW)[0], row[:NOW_SIZE])
    legality.write_mask(game["table"], seat, row[NOW_SIZE:])
    return row


def rebuilt(game: np.void, params: np.void, seat: int) -> tuple[np.void, np.void]:
    """The game and params as a seat rebuilds them."""
    copy, rules = np.zeros(1, GAME)[0], np.zeros(1, PARAMS)[0]
    rebuild(seen(game, params, seat)[:NOW_SIZE], copy["table"], rules)
    return copy, rules


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


# --- the rebuilt game -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("pack", ["default", CHECK_PACK], ids=["default", "check"])
@pytest.mark.parametrize("seat", [0, 1], ids=SIDES)
def test_the_rebuilt_game_looks_the_same_to_both_seats_and_continues_alike(pack: Any, seat: int) -> None:
    compared = 0
    for game, params in positions(12, 7, pack=pack):
        copy, rules = rebuilt(game, params, seat)
        for _ in range(12):
            for other in range(2):
                np.testing.assert_array_equal(seen(copy, rules, other), seen(game, params, other ^ seat))
            compared += 1
            if game["table"]["ending"] != Ending.PLAYING:
                break
            assert engine.step(copy, rules, step_at_random(game, params)) == 0
    assert compared > 500


@pytest.mark.slow
@pytest.mark.parametrize(("max_turns", "assumed"), [(200, 200), (90, 90), (1000, 200)])
def test_a_cap_on_turns_too_far_away_to_be_seen_is_taken_for_the_default(max_turns: int, assumed: int) -> None:
    game = np.zeros(1, GAME)[0]
    params, _ = make_params(max_turns=max_turns)
    engine.reset(game, params[0], 1, 0)
    assert rebuilt(game, params[0], 0)[1]["max_turns"] == assumed


# --- the search -------------------------------------------------------------------------------------------------------


def buffers_for(game: np.void, params: np.void, depth: int) -> SearchBuffers:
    buffers = make_buffers(TUNED, depth)
    buffers.tables[0, 0] = game["table"]
    buffers.params[0] = params
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
        as_salmon, as_eel = rebuilt(game, params, 0), rebuilt(game, params, 1)
        assert searched(*as_salmon, depth) == -searched(*as_eel, depth)


@pytest.mark.parametrize("depth", [0, 9])
def test_a_depth_that_cannot_be_searched_is_refused(depth: int) -> None:
    with pytest.raises(OptionError, match=f"depth must be from 1 to 8 turns, not {depth}"):
        search_agent(depth)


# --- the agents -------------------------------------------------------------------------------------------------------


def play_turn(scene: Scene, agent: Agent) -> None:
    """The agent plays the turn of the side asked to its end."""
    turn, seat = int(scene.table["turn"]), scene.asked
    memory = np.zeros((1, agent.memory_size), np.int32)
    rng = np.zeros(1, STREAM)
    open_stream(rng[0], 1, 0, 3)
    while not scene.over and scene.table["turn"] == turn:
        row = seen(scene.game, scene.params, seat)[None]
        action = agent.act(row[:, :NOW_SIZE], row[:, NOW_SIZE:], memory, rng)
        assert engine.step(scene.game, scene.params, int(action[0])) == 0


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


def against(agent: Agent, other: Agent, games: int) -> float:
    """The share of games an agent wins of the other, a half from each seat; draws aren't won."""
    won = 0
    for seat, sides in enumerate(({"salmon": agent, "eel": other}, {"salmon": other, "eel": agent})):
        who = lineup(DEEP_RIVER, agent.name, UNIFORM, **sides)
        played = play(DEEP_RIVER, who, np.arange(games // 2), seed=21 + seat)
        won += int((DEEP_RIVER.columns(played.games)["winner"] == seat).sum())
    return won / games


@pytest.mark.slow
@pytest.mark.compiled
def test_search_beats_the_greedy_agent_which_beats_random_play() -> None:
    assert against(SEARCH, UNIFORM, 300) >= 0.98  # 99 % or more, measured over many more games
    assert against(SEARCH, GREEDY, 200) >= 0.9
    assert against(GREEDY, UNIFORM, 2000) >= 0.8


@pytest.mark.slow
@pytest.mark.compiled
def test_a_seat_that_is_not_asked_waits() -> None:
    scene = Scene(turn="eel")
    row = seen(scene.game, scene.params, 0)[None]
    memory = np.zeros((1, SEARCH.memory_size), np.int32)
    assert SEARCH.act(row[:, :NOW_SIZE], row[:, NOW_SIZE:], memory, np.zeros(1, STREAM)) == [A.WAIT]


@pytest.mark.slow
@pytest.mark.compiled
def test_turns_too_late_to_be_counted_are_played_legally() -> None:
    params, _ = make_params(max_turns=400)
    game = np.zeros(1, GAME)[0]
    engine.reset(game, params[0], 1, 0)
    game["table"]["turn"] = 126
    memory = np.zeros((2, 1, SEARCH.memory_size), np.int32)
    rng = np.zeros(1, STREAM)
    agent = search_agent(1)
    while game["table"]["ending"] == Ending.PLAYING:
        seat = int(game["table"]["asked"])
        row = seen(game, params[0], seat)[None]
        action = agent.act(row[:, :NOW_SIZE], row[:, NOW_SIZE:], memory[seat], rng)
        assert engine.step(game, params[0], int(action[0])) == 0


@pytest.mark.slow
@pytest.mark.compiled
def test_inside_the_batch_and_through_act_it_plays_the_same_games() -> None:
    def played(agent: Agent) -> Played:
        return play(DEEP_RIVER, lineup(DEEP_RIVER, "tested", UNIFORM, eel=agent), np.arange(30), seed=4, view="now")

    assert played(GREEDY).games.tobytes() == played(stepwise(GREEDY)).games.tobytes()
