"""Publishing trained policies: the best is taken, by deals of their own; what does not fit changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverbed_agents.riverbed_hunt.trained import agent as trained
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.players.policies import PolicyConfig, load_policy, save_policy
from riverbed_env.registry import find_game
from studies import release_policies

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

GAME = find_game("riverbed_hunt_v0")
INPUTS, ACTIONS = GAME.views["now"], GAME.actions.size
DEALS = 40


def save(path: Path, role: str | None, seed: int, *, diving: float = 0.0, more: dict[str, Any] | None = None) -> Path:
    """A network of one layer that likes to dive so much, else draws anything."""
    path.parent.mkdir(parents=True, exist_ok=True)
    bias = np.zeros(ACTIONS, np.float32)
    bias[A.DIVE] = diving
    weight = np.random.default_rng(seed).normal(0, 0.01, (INPUTS, ACTIONS)).astype(np.float32)
    training = {"role": role, "players": [5], "seed": seed}
    known = {"packs": ["a"], "steps": 7, "training": training} if more is None else more
    save_policy(path, PolicyConfig(GAME.id, view="now", about=f"seed {seed}", more=known), [(weight, bias)])
    return path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where policies are published to."""
    folder = tmp_path / "policies"
    monkeypatch.setattr(release_policies, "FOLDER", folder)
    monkeypatch.setattr(trained, "FOLDER", folder)
    return folder


def runs(folder: Path, seeds: int = 2) -> Path:
    for role in GAME.roles:
        for seed in range(seeds):
            save(folder / role / f"seed_{seed}" / "policy.npz", role, seed, diving=-30.0 * (seed == 0))
    return folder


def call(**changed: Any) -> None:
    plain = {"runs": None, "shared": None, "games": DEALS, "among": "random", "threads": 1}
    release_policies.main(**{**plain, **changed})


def test_the_best_of_a_roles_runs_is_published_with_where_it_comes_from(place: Path, tmp_path: Path) -> None:
    shared = save(tmp_path / "league" / "main.npz", None, 5)
    call(runs=runs(tmp_path / "runs"), shared=shared.parent)
    assert {path.name for path in place.iterdir()} == {f"{name}.npz" for name in (*GAME.roles, "shared")}
    for role in GAME.roles:
        paths = [tmp_path / "runs" / role / f"seed_{seed}" / "policy.npz" for seed in (0, 1)]
        deals = release_policies.Deals(role, (5,), DEALS, "random", 1)
        wins = [deals.won(load_policy(path, GAME, name="learner", greedy=True)).sum() for path in paths]
        best = int(np.argmax(wins))
        policy = load_policy(place / f"{role}.npz", GAME)
        more = policy.config.more
        assert (more["seed"], policy.about) == (best, f"seed {best}")
        assert (more["steps"], more["packs"], more["training"]["role"]) == (7, ["a"], role)
        assert more["chosen"]["of"] == 2
        assert more["chosen"]["games"] == len(deals.own)
        assert more["chosen"]["gain"][0] == pytest.approx((max(wins) - deals.own.sum()) / len(deals.own))
        json.dumps(more)
    assert load_policy(place / "shared.npz", GAME).config.more["training"]["role"] is None


def test_rounding_that_costs_something_is_left(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wins = np.arange(1000) % 2 == 0
    assert release_policies.costs_nothing(wins, wins)
    assert release_policies.costs_nothing(wins, ~wins)
    assert not release_policies.costs_nothing(wins & (np.arange(1000) % 20 != 0), wins)
    monkeypatch.setattr(release_policies, "costs_nothing", lambda after, before: False)
    path = save(tmp_path / "policy.npz", None, 3)
    call(shared=path)
    kept, whole = (load_policy(file, GAME) for file in (place / "shared.npz", path))
    np.testing.assert_array_equal(kept.network.layers[0][0], whole.network.layers[0][0])  # type: ignore[attr-defined]
    assert kept.config.more["rounded"] is False


def test_what_does_not_fit_is_refused_and_nothing_is_changed(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = runs(tmp_path / "runs", seeds=1)
    refused: list[tuple[dict[str, Any], str]] = [
        ({}, "--from, --shared or both"),
        ({"shared": whole, "games": 0}, "--games must be at least 1"),
        ({"runs": tmp_path}, "holds no runs of chief"),
        ({"shared": tmp_path}, "holds no shared policy"),
        ({"shared": whole / "chief" / "seed_0"}, "was trained for chief, not every role"),
        ({"shared": save(tmp_path / "bare.npz", None, 0, more={})}, "doesn't say how it was trained"),
    ]
    for words, complaint in refused:
        with pytest.raises(OptionError, match=complaint):
            call(**words)
    save(whole / "leader" / "seed_0" / "policy.npz", "chief", 0)
    with pytest.raises(OptionError, match="was trained for chief, not leader"):
        call(runs=whole)
    monkeypatch.setattr(release_policies, "MOST_BYTES", 1000)
    with pytest.raises(OptionError, match="train smaller networks"):
        call(shared=save(tmp_path / "policy.npz", None, 0))
    assert not list(place.iterdir())
