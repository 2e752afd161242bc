"""The trained agents that come with the library: files whole and of this version, each role played by its own."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from agents_kit import streams

from riverbed_agents.riverbed_hunt.student.agent import student_agent
from riverbed_agents.riverbed_hunt.trained import agent as trained
from riverbed_agents.riverbed_hunt.trained.agent import STUDENT, ByRole, policy_file, published, trained_agent
from riverbed_env.core.batch import Batch
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.content.pack import load_pack
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.installed import agent_names, agent_parameters
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.evaluation.folder import sources_of
from riverbed_lab.playing.play import lineup, play
from studies.release_policies import MOST_BYTES

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt_v1")
NAMES = (*GAME.roles, STUDENT)
RETRAIN = "train again and publish: docs/results.md names the commands"


@pytest.mark.parametrize("name", NAMES)
def test_policies_are_of_this_version_and_its_default_pack(name: str) -> None:
    """Fails where the environment's version, its spaces or its default pack change: then they know another game."""
    try:
        policy = published(name, greedy=True)
    except OptionError as error:
        pytest.fail(f"{error}; {RETRAIN}")
    assert policy.config.environment == GAME.id, RETRAIN
    assert policy.config.more["packs"] == [load_pack("default").hash], RETRAIN


@pytest.mark.parametrize("name", NAMES)
def test_policies_record_their_origin(name: str) -> None:
    more = published(name, greedy=True).config.more
    settings = more["distillation" if name == STUDENT else "training"]
    assert settings["role"] == (None if name == STUDENT else name)
    assert settings["players"] == ([4, 5, 6, 7, 8, 9] if name == STUDENT else [7])
    assert more["steps"] >= settings.get("steps", 10**6)
    assert more["seed"] == settings["seed"]


def test_policies_fit_into_the_wheel_and_nothing_else_lies_beside_them() -> None:
    files = sorted(trained.FOLDER.glob("*"))
    assert files == sorted(map(policy_file, NAMES))
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


def test_policies_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trained, "RIVERBED_HUNT", replace(GAME, version=GAME.version + 1))
    trained_agent.cache_clear()
    student_agent.cache_clear()
    for name in ("trained", "student"):
        with pytest.raises(OptionError, match=rf"is for {GAME.id}, not for riverbed_hunt_v{GAME.version + 1}"):
            find_agent(name, GAME.name)


def test_missing_policies_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(trained, "FOLDER", tmp_path)
    trained_agent.cache_clear()
    with pytest.raises(OptionError, match=r"chief\.npz can't be read"):
        find_agent("trained", GAME.name)


def test_they_are_found_by_name_with_their_parameter() -> None:
    assert "trained" in agent_names(GAME.name)
    assert agent_parameters("trained", GAME.name) == {"greedy": True}
    assert (find_agent("trained", GAME.name).name, find_agent("trained", GAME.name).memory_size) == ("trained", 0)
    assert find_agent("trained:greedy=false", GAME.name).name == "trained:greedy=false"
    assert not any(policy.greedy for policy in trained_agent(greedy=False).policies)  # type: ignore[attr-defined]
    assert all(policy.greedy for policy in trained_agent().policies)  # type: ignore[attr-defined]


def test_an_evaluation_recognises_them_by_their_files() -> None:
    assert set(map(policy_file, NAMES)) <= set(sources_of(find_agent("trained", GAME.name)))


# Hashes of all actions of 24 games of seed 5, as version 0 of the game and its policies played them.
AS_BEFORE_TALK = {
    ("trained", 4): "7c3d63b32fcf1399",
    ("trained", 7): "f212cf01a5789e9c",
    ("trained:greedy=false", 7): "d0f79ac47dbcfd18",
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "num_players"), AS_BEFORE_TALK)
def test_without_talk_they_play_as_they_did_before_there_was_any(name: str, num_players: int) -> None:
    agent, batch = find_agent(name, GAME.name), Batch(GAME, 24, seed=5, num_players=num_players, auto_reset=False)
    total = hashlib.sha256()
    while batch.acting.any():
        actions, rng = np.zeros(24, np.int64), batch.agent_streams()
        for seat in range(num_players):
            rows = np.flatnonzero(batch.seat == seat)
            if len(rows):
                drawn, none = rng[rows], np.zeros((len(rows), 0), np.int32)
                actions[rows] = agent.act(batch.observation[rows], batch.action_mask[rows], none, drawn)
                rng[rows] = drawn
        batch.put_agent_streams(rng)
        total.update(actions.astype("<i8").tobytes())
        batch.step(actions)
    total.update(batch.returns.astype("<f4").tobytes())
    assert total.hexdigest()[:16] == AS_BEFORE_TALK[name, num_players]


@pytest.mark.slow  # compiles the advice they read
def test_they_are_silent_on_the_floor() -> None:
    batch = Batch(GAME, 40, seed=2, num_players=7, talk="claims")
    for _ in range(60):
        batch.step(batch.random_actions())
    floor = np.flatnonzero(batch.games["table"]["question"] == Question.FLOOR)
    assert len(floor) > 5
    none = np.zeros((len(floor), 0), np.int32)
    for agent in (trained_agent(), trained_agent(greedy=False)):
        chosen = agent.act(batch.observation[floor], batch.action_mask[floor], none, streams(len(floor)))
        assert set(chosen.tolist()) == {GAME.actions.id("SILENT")}


class Always:
    """Chooses its own number, which says who was asked."""

    memory_size = 0

    def __init__(self, number: int) -> None:
        self.number, self.name, self.calls = number, str(number), 0

    def act(self, observations, masks, memory, rng):  # type: ignore[no-untyped-def]
        self.calls += 1
        return np.full(len(observations), self.number, np.int64)


def test_each_role_is_asked_once_for_all_its_games() -> None:
    batch = Batch(GAME, 40, seed=2, num_players=7)
    for _ in range(30):
        batch.step(batch.random_actions())
    roles = GAME.roles_of(batch.games)[np.arange(40), batch.seat]
    assert set(roles) == set(range(len(GAME.roles)))
    policies = tuple(Always(number) for number in range(len(GAME.roles)))
    none = np.zeros((40, 0), np.int32)
    chosen = ByRole("x", policies).act(batch.observation, batch.action_mask, none, streams(40))
    np.testing.assert_array_equal(chosen, roles)
    assert [policy.calls for policy in policies] == [1] * len(policies)


@pytest.mark.slow
def test_a_role_plays_as_its_policy_does_and_draws_from_its_own_games_streams() -> None:
    batch = Batch(GAME, 40, seed=2, num_players=7)
    for _ in range(30):
        batch.step(batch.random_actions())
    agent, rng, none = trained_agent(greedy=False), streams(40), np.zeros((40, 0), np.int32)
    chosen = agent.act(batch.observation, batch.action_mask, none, rng)
    assert (batch.action_mask[np.arange(40), chosen] == 1).all()
    roles = GAME.roles_of(batch.games)[np.arange(40), batch.seat]
    for role, name in enumerate(GAME.roles):
        mine = np.flatnonzero(roles == role)
        alone = streams(40)[mine]
        policy = published(name, greedy=False)
        np.testing.assert_array_equal(
            policy.act(batch.observation[mine], batch.action_mask[mine], none[mine], alone), chosen[mine]
        )
        assert alone.tobytes() == rng[mine].tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [4, 9])
def test_they_play_whole_games_at_any_number_of_players(num_players: int) -> None:
    for agent in (trained_agent(), trained_agent(greedy=False)):
        who = lineup(GAME, "x", agent, profiteer=UNIFORM)
        played, again = (play(GAME, who, np.arange(4), 3, num_players=num_players).games for _ in range(2))
        assert played.tobytes() == again.tobytes()
        assert (GAME.columns(played)["winner"] >= -1).all()


@pytest.mark.slow
def test_they_play_without_pytorch() -> None:
    program = (
        "import sys; sys.modules.update(torch=None, sb3_contrib=None, stable_baselines3=None)\n"
        "from riverbed_env.players.specs import find_agent\n"
        "from riverbed_env.registry import make_batch, find_game\n"
        "from riverbed_lab.playing.play import lineup, play\n"
        "game = find_game('riverbed_hunt_v1')\n"
        "play(game, lineup(game, 'x', find_agent('trained', game.name)), [0, 1], 0, num_players=5)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
