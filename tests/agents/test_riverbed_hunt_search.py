"""The searching agent: it takes what it can know to win, gives nothing away, and sees only what its seat may know."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from agents_kit import stepwise, streams
from riverbed_hunt.scene import Scene

from agents.riverbed_hunt.searching import TimedSearch, search_agent
from experiments.play import LineUp, line_up, play
from riverbed_env.core.agents import UNIFORM, Agent
from riverbed_env.core.batch import Batch
from riverbed_env.core.errors import OptionError
from riverbed_env.deduction.riverbed_hunt.service import Deduction
from riverbed_env.games.riverbed_hunt.actions import SPACE, UNCOVER
from riverbed_env.games.riverbed_hunt.rules.knowledge import view_tile
from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt_v0")
WORLDS = 300
SEARCH = search_agent(WORLDS)
QUICK = search_agent(10)


def answer(agent: Agent, batch: Batch, seed: int = 0) -> npt.NDArray[np.int64]:
    """The agent's answers to what is asked in each game of a batch."""
    by_view = {"views": batch.look(np.maximum(batch.seat, 0)), "settings": batch.settings}
    return agent.act(
        np.ascontiguousarray(batch.observation), np.ascontiguousarray(batch.action_mask),
        np.zeros((batch.n, 0), np.int32), streams(batch.n, seed), **by_view,
    )  # fmt: skip


def answer_in(scene: Scene, agent: Agent = SEARCH) -> int:
    """The agent's answer to what is asked in a drawn position."""
    batch = Batch(GAME, 1, num_players=scene.num_players, roles="random", auto_forced="none", seed=1)
    batch.games = scene.games.copy()
    batch.seat[0] = int(scene.table["asked"])
    row, mask = batch.observe(batch.seat)
    views = batch.look(batch.seat)
    return int(agent.act(row, mask, np.zeros((1, 0), np.int32), streams(1), views=views, settings=batch.settings)[0])


def played_on(n: int, num_players: int, decisions: int, seed: int) -> Batch:
    """Games somewhere in their middle."""
    batch = Batch(GAME, n, num_players=num_players, seed=seed)
    for _ in range(decisions):
        batch.step(batch.random_actions())
    return batch


@pytest.mark.parametrize("num_players", [4, 7, 9])
def test_it_answers_every_question_with_what_is_legal(num_players: int) -> None:
    batch = played_on(24, num_players, 10, seed=num_players)
    agent = QUICK
    for _ in range(25):
        actions = answer(agent, batch)
        assert (batch.action_mask[np.arange(batch.n), actions] == 1).all()
        batch.step(batch.random_actions())


def test_a_seat_that_knows_the_winning_tile_turns_it_up() -> None:
    # Tile 3 holds the two kelps that are missing; the others lack little too. The merchant has a card to discard.
    scene = Scene("C M M L S S P", active=1, at=6, tiles={6: 3}, tracks=(5, 5, 4), hands={1: ["Silt"]})
    view_tile(scene.game, 1, 5)
    assert answer_in(scene) == UNCOVER
    scene.play("UNCOVER", "Silt")
    assert answer_in(scene) == SPACE + 5


def test_played_out_to_the_end_it_takes_the_winning_tile_too() -> None:
    scene = Scene("C M M L S S P", active=1, at=6, tiles={6: 3}, tracks=(5, 5, 4), hands={1: ["Silt"]})
    view_tile(scene.game, 1, 5)
    assert answer_in(scene, search_agent(WORLDS, turns=0)) == UNCOVER


def test_a_seat_that_is_asked_keeps_from_turning_up_what_loses() -> None:
    # Tile 16 holds three logs and would win for the separatists; tile 1 is harmless, what lies on 7 isn't known.
    scene = Scene("C M M L S S P", active=0, at=6, tiles={6: 16, 5: 1}, tracks=(0, 5, 0)).play("CO_OP", "seat 1")
    for space in (4, 5):
        view_tile(scene.game, 1, space)
    scene.play("REVEAL")
    assert answer_in(scene) != SPACE + 5


def test_the_same_view_gives_the_same_answer_whatever_is_hidden() -> None:
    batch = played_on(40, 7, 30, seed=3)
    views = batch.look(batch.seat)
    hidden = Deduction.of(batch.settings, "uniform").resample(views, seed=9)
    other = played_on(40, 7, 30, seed=3)
    other.set_state(hidden)
    assert (other.games["private"]["role"] != batch.games["private"]["role"]).any()
    np.testing.assert_array_equal(answer(SEARCH, batch), answer(SEARCH, other))


def test_inside_the_batch_and_step_by_step_it_plays_the_same_games() -> None:
    compiled = play(GAME, line_up(GAME, "x", UNIFORM, profiteer=QUICK), np.arange(12), 5, num_players=6)
    called = play(GAME, line_up(GAME, "x", UNIFORM, profiteer=stepwise(QUICK)), np.arange(12), 5, num_players=6)
    assert compiled.games.tobytes() == called.games.tobytes()


def test_by_time_it_searches_too() -> None:
    agent = search_agent(milliseconds=30)
    assert isinstance(agent, TimedSearch)
    scene = Scene("C M M L S S P", active=1, at=6, tiles={6: 3}, tracks=(5, 5, 4), hands={1: ["Silt"]})
    view_tile(scene.game, 1, 5)
    assert answer_in(scene, agent) == UNCOVER
    who = LineUp("x", {role: agent if role == "profiteer" else UNIFORM for role in GAME.roles})
    played = play(GAME, who, [0], 5, num_players=5)
    assert GAME.columns(played.games)["winner"][0] >= 0


@pytest.mark.parametrize(("budget", "words"), [
    ({"worlds": 0}, "worlds must be from 1 to 1,000,000, not 0"),
    ({"milliseconds": -1}, "milliseconds must be from 0"),
    ({"turns": -1}, r"turns must be from 0 \(to the end\) to 1000, not -1"),
    ({"turns": 1001}, r"turns must be from 0 \(to the end\) to 1000, not 1001"),
])  # fmt: skip
def test_a_budget_that_makes_no_sense_is_refused(budget: dict[str, int], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        search_agent(**budget)


def test_without_views_it_says_what_it_wants() -> None:
    batch = played_on(2, 5, 12, seed=1)
    with pytest.raises(OptionError, match="plays by views"):
        SEARCH.act(batch.observation, batch.action_mask, np.zeros((2, 0), np.int32), streams(2))
