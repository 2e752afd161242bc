"""The agents with rollouts, search and lookahead: they find wins they can know of and use no hidden information."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from agents_kit import answer, answer_in, in_the_middle, stepwise
from riverbed_hunt.scene import Scene

from riverbed_agents.riverbed_hunt.search.agent import search_agent
from riverbed_agents.riverbed_hunt.search.lookahead import lookahead_agent
from riverbed_env.deduction.service import Deduction
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.knowledge import view_tile
from riverbed_env.players.agents import UNIFORM, CompiledAgent
from riverbed_lab.playing.play import lineup, play

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

SEARCH, TO_THE_END, QUICK = search_agent(300), search_agent(300, turns=0), search_agent(10)
LOOKAHEAD, LOOKAHEAD_TO_THE_END, ONE_WORLD = lookahead_agent(100), lookahead_agent(100, 0), lookahead_agent(1, 1)


def agent_id(agent: object) -> str | None:
    """The agent's name as a test id."""
    return agent.name if isinstance(agent, CompiledAgent) else None


@pytest.mark.parametrize("agent", [QUICK, LOOKAHEAD], ids=agent_id)
@pytest.mark.parametrize("num_players", [4, 7, 9])
def test_it_takes_legal_actions_at_every_question(num_players: int, agent: CompiledAgent) -> None:
    batch = in_the_middle(24, num_players, 10, seed=num_players)
    for _ in range(25):
        actions = answer(agent, batch)
        assert (batch.action_mask[np.arange(batch.num_envs), actions] == 1).all()
        batch.step(batch.random_actions())


@pytest.mark.parametrize("agent", [SEARCH, LOOKAHEAD], ids=agent_id)
def test_a_seat_that_knows_the_winning_tile_turns_it_up(agent: CompiledAgent) -> None:
    # Tile 3 holds the two kelps that are missing; the others lack little too. The merchant has a card to discard.
    scene = Scene("C M M L S S P", active=1, at=6, tiles={6: 3}, tracks=(5, 5, 4), hands={1: ["Silt"]})
    view_tile(scene.game, 1, 5)
    assert answer_in(scene, agent) == A.UNCOVER
    scene.play("UNCOVER", "Silt")
    assert answer_in(scene, agent) == A.SPACE + 5


@pytest.mark.slow
@pytest.mark.parametrize("agent", [TO_THE_END, LOOKAHEAD_TO_THE_END], ids=agent_id)
def test_played_out_to_the_end_it_takes_the_winning_tile_too(agent: CompiledAgent) -> None:
    scene = Scene("C M M L S S P", active=1, at=6, tiles={6: 3}, tracks=(5, 5, 4), hands={1: ["Silt"]})
    view_tile(scene.game, 1, 5)
    assert answer_in(scene, agent) == A.UNCOVER


@pytest.mark.parametrize("agent", [SEARCH, LOOKAHEAD], ids=agent_id)
def test_a_seat_that_is_asked_keeps_from_turning_up_what_loses(agent: CompiledAgent) -> None:
    # Tile 16 holds three logs and would win for the separatists; tile 1 is harmless, what lies on 7 isn't known.
    scene = Scene("C M M L S S P", active=0, at=6, tiles={6: 16, 5: 1}, tracks=(0, 5, 0)).play("CO_OP", "seat 1")
    for space in (4, 5):
        view_tile(scene.game, 1, space)
    scene.play("REVEAL")
    assert answer_in(scene, agent) != A.SPACE + 5


@pytest.mark.parametrize("agent", [SEARCH, LOOKAHEAD], ids=agent_id)
def test_the_same_view_gives_the_same_answer_whatever_is_hidden(agent: CompiledAgent) -> None:
    batch = in_the_middle(40, 7, 30, seed=3)
    hidden = Deduction.of(batch.params, "uniform").resample(batch.look(batch.seat), seed=9)
    other = in_the_middle(40, 7, 30, seed=3)
    other.set_state(hidden)
    assert (other.games["private"]["role"] != batch.games["private"]["role"]).any()
    np.testing.assert_array_equal(answer(agent, batch), answer(agent, other))


@pytest.mark.parametrize("agent", [QUICK, ONE_WORLD], ids=agent_id)
def test_inside_the_batch_and_step_by_step_it_plays_the_same_games(agent: CompiledAgent) -> None:
    inside, called = (
        play(RIVERBED_HUNT, lineup(RIVERBED_HUNT, "x", UNIFORM, profiteer=one), np.arange(12), 5, num_players=6)
        for one in (agent, stepwise(agent))
    )
    assert inside.games.tobytes() == called.games.tobytes()


@pytest.mark.parametrize("made", [search_agent, lookahead_agent])
@pytest.mark.parametrize("turns", [-1, 1001])
def test_turns_that_make_no_sense_are_refused(made: Callable[..., object], turns: int) -> None:
    with pytest.raises(OptionError, match=rf"turns must be from 0 \(to the end\) to 1000, not {turns}"):
        made(turns=turns)
