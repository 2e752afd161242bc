"""The agent that plays sampled worlds on, `lookahead`: it finds wins it can know of, and only those."""

from pathlib import Path

import numpy as np
import pytest
from agents_kit import answer, answer_in, in_the_middle, know, streams
from recorded_games import record_games
from riverbed_hunt.scene import Scene

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_agents.riverbed_hunt.search.lookahead import AHEAD, BEHIND, conclude, drop_behind, lookahead_agent
from riverbed_agents.riverbed_hunt.student.agent import student_lookahead_agent
from riverbed_env.core.batch import Batch
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS, A
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.worlds import resample
from riverbed_lab.judging.run import Judging, Settings

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

LOOKAHEAD, ONE_WORLD = lookahead_agent(100), lookahead_agent(1, 1)
AGENTS = (LOOKAHEAD, lookahead_agent(100, 0), student_lookahead_agent())


def winning() -> Scene:
    """Tile 3 holds the two kelps that are missing, and the merchant on turn knows it and has a card to discard."""
    scene = Scene("C M M L S S P", active=1, at=6, tiles={6: 3}, tracks=(5, 5, 4), hands={1: ["Silt"]})
    return know(scene, 1, 6)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_seat_that_knows_the_winning_tile_turns_it_up(agent: CompiledAgent) -> None:
    scene = winning()
    assert answer_in(scene, agent) == A.UNCOVER
    scene.play("UNCOVER", "Silt")
    assert answer_in(scene, agent) == A.SPACE + 5


def test_a_seat_that_is_asked_does_not_turn_up_a_tile_that_loses() -> None:
    # Tile 16 holds three logs and would win for the separatists; tile 1 is harmless, what lies on 7 isn't known.
    scene = Scene("C M M L S S P", active=0, at=6, tiles={6: 16, 5: 1}, tracks=(0, 5, 0)).play("CO_OP", "seat 1")
    know(scene, 1, 5, 6).play("REVEAL")
    assert answer_in(scene, LOOKAHEAD) != A.SPACE + 5


@pytest.mark.parametrize("agent", AGENTS)
def test_an_answer_is_legal_and_hangs_on_the_view_alone(agent: CompiledAgent) -> None:
    batch, other = (in_the_middle(40, 7, 30, seed=3) for _ in range(2))
    other.set_state(resample(batch.game, batch.look(batch.seat), batch.params, seed=9, model="uniform"))
    assert (other.games["private"]["role"] != batch.games["private"]["role"]).any()
    chosen = answer(agent, batch)
    assert (batch.action_mask[np.arange(40), chosen] == 1).all()
    np.testing.assert_array_equal(chosen, answer(agent, other))


def test_in_a_single_world_lookahead_takes_the_rule_based_action_with_the_same_random_numbers() -> None:
    # A single world has no standard error, so no action leads the rule-based one in it.
    batch = in_the_middle(60, 7, 40, seed=5)
    np.testing.assert_array_equal(answer(ONE_WORLD, batch), answer(RULE_BASED, batch))


@pytest.mark.parametrize(("other", "chosen"), [
    ([0.5, 0.5, 0.6, 0.45], 0),  # 0.05 over the root of 0.0125: 0.4 standard errors
    ([0.5, 0.6, 0.6, 0.5], 1),  # 1.4
    ([0.4, 0.7, 0.6, 0.5], 0),  # 0.2 over the root of 0.06: 0.8
])  # fmt: skip
def test_lookahead_takes_the_rule_based_action_unless_another_leads_by_enough(other: list[float], chosen: int) -> None:
    assert AHEAD == 1.0
    won, left = np.zeros((NUM_ACTIONS, 4), np.float32), (np.arange(NUM_ACTIONS) < 2).astype(np.int8)
    won[:2] = [0.5] * 4, other
    assert conclude(left, 4, won, 0) == chosen


def test_lookahead_drops_an_action_that_the_best_one_clearly_leads() -> None:
    won, left = np.zeros((NUM_ACTIONS, 6), np.float32), (np.arange(NUM_ACTIONS) < 3).astype(np.int8)
    won[:3] = [0.5] * 6, [0.4] * 6, [0.3, 0.6, 0.5, 0.6, 0.5, 0.4]
    assert BEHIND < 6**0.5  # standard errors by which the first action leads the second
    drop_behind(left, 6, won)
    assert left[:3].tolist() == [1, 0, 1]


def test_lookahead_gains_over_the_rule_based_agent(tmp_path: Path) -> None:
    games, seats = 60, np.zeros((60, 7), np.int64)
    seats[np.arange(games), np.arange(games) % 7] = 1
    batch = Batch(GAME, games, seed=2, num_players=7, auto_reset=False)
    played = record_games(batch, [RULE_BASED, lookahead_agent(100)], seats, np.arange(games))
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{game.to_json()}\n" for game in played))
    judged = Judging(Settings(GAME.id, RULE_BASED.name, worlds=100, seed=2), [path]).seats()
    assert games < judged["choices"].sum() < 10 * games
    assert judged["gain"].mean() > 0.01


@pytest.mark.parametrize(("words", "complaint"), [
    ({"worlds": 0}, "worlds must be an integer from 1 to 100000, not 0"),
    ({"turns": -1}, "turns must be an integer from 0 to 1000, not -1"),
])  # fmt: skip
def test_impossible_budgets_are_refused(words: dict[str, int], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        lookahead_agent(**words)


def test_without_views_it_is_refused() -> None:
    batch = in_the_middle(2, 5, 12, seed=1)
    with pytest.raises(OptionError, match="plays by views"):
        LOOKAHEAD.act(batch.observation, batch.action_mask, np.zeros((2, 0), np.int32), streams(2))
