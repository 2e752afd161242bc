"""Agents made of a student's policy file: the student inside the batch, and with a few worlds."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from agents_kit import answer, in_the_middle

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_agents.riverbed_hunt.student import agent as student
from riverbed_agents.riverbed_hunt.student.agent import (
    FILE,
    MOST_BEHIND,
    keep_best,
    student_agent,
    student_lookahead_agent,
    student_policy,
)
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.content.pack import load_pack
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.specs import find_agent
from riverbed_env.rollouts.networks import PLAYED_AT
from riverbed_lab.evaluation.folder import sources_of
from studies.release_policies import MOST_BYTES

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of an untrained student, which follows its adviser."""
    pytest.importorskip("torch")
    from riverbed_lab.distil.config import build_distillation
    from riverbed_lab.distil.student import Student

    path = tmp_path_factory.mktemp("student") / "policy.npz"
    Student(build_distillation({"game": GAME.id}, "the test")).save(path, (), 0)
    return str(path)


@pytest.mark.parametrize("factory", [student_agent, student_lookahead_agent])
def test_a_missing_policy_is_refused(factory: Callable[..., CompiledAgent], tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"none\.npz"):
        factory(policy=str(tmp_path / "none.npz"))


@pytest.mark.parametrize("name", ["student", "student_lookahead:worlds=8"])
def test_without_a_file_it_is_the_published_student(name: str) -> None:
    agent = find_agent(name, GAME.name)
    assert isinstance(agent, CompiledAgent)
    assert agent.name == name
    assert FILE in sources_of(agent)


def test_the_published_student_is_of_this_version_and_its_default_pack() -> None:
    """Fails where the environment's version, its spaces or its default pack change: then it knows another game."""
    policy = student_policy("")
    more = policy.config.more
    assert policy.config.environment == GAME.id
    assert more["packs"] == [load_pack("default").hash]
    assert more["distillation"]["players"] == [4, 5, 6, 7, 8, 9]
    assert more["seed"] == more["distillation"]["seed"]
    assert FILE.stat().st_size < MOST_BYTES


def test_a_student_of_another_game_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version plays with it as far as it has the pieces that the student names."""
    monkeypatch.setattr(student, "RIVERBED_HUNT", replace(GAME, name="riverbed_race"))
    with pytest.raises(OptionError, match=rf"is for {GAME.id}, not for riverbed_race_v{GAME.version}"):
        student_policy("")


@pytest.mark.parametrize("changed", [{"worlds": 0}, {"turns": -1}, {"actions": 1}])
def test_a_budget_that_makes_no_sense_is_refused(policy: str, changed: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(changed))} must be an integer from"):
        student_lookahead_agent(policy, **changed)


@pytest.mark.parametrize(
    ("points", "tried"),
    [({2: 5, 4: 3, 6: 4, 8: 1}, [2, 4, 6]), ({2: 5, 4: 6 - MOST_BEHIND, 6: 4 - MOST_BEHIND}, [2, 4]), ({4: 1}, [4])],
)
def test_the_best_legal_actions_that_are_not_far_behind_are_tried(points: dict[int, float], tried: list[int]) -> None:
    values = np.full(NUM_ACTIONS, 50 / PLAYED_AT, np.float32)  # illegal ones would be best
    mask = np.zeros(NUM_ACTIONS, np.int8)
    for action, value in points.items():
        values[action], mask[action] = value / PLAYED_AT, 1
    assert np.flatnonzero(keep_best(values, mask, 3)).tolist() == tried


@pytest.mark.slow
def test_an_untrained_student_plays_as_its_adviser(policy: str) -> None:
    batch, student = in_the_middle(60, 7, 30, seed=1), find_agent(f"student:policy={policy}", GAME.name)
    for _ in range(10):
        np.testing.assert_array_equal(answer(student, batch), answer(RULE_BASED, batch))
        batch.step(batch.random_actions())
