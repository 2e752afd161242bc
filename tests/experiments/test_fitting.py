"""The fit of Riverside's look-ahead agent: a tiny one, from its games to the file of weights."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from riverbed_agents.riverside.outlook import SCRATCH_SIZE
from riverbed_agents.riverside.value import NUM_WEIGHTS, promise
from studies.fitting import riverside as fitting

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

SEED = 7


def run(out: Path, seed: int = SEED) -> bytes:
    fitting.main(rounds=1, games=fitting.FEWEST_GAMES, seed=seed, measured=3, out=out)
    return out.read_bytes()


def load(path: Path) -> fitting.Numbers:
    found = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.WEIGHTS


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fitting") / "weights.py"
    run(path)
    return path


@pytest.fixture(scope="module")
def greedy_sheets() -> fitting.Sheets:
    return fitting.gather_mixture(SEED, fitting.FIRST_FITTED, 240, None, fitting.GREEDY_DRAWN)


def some_weights() -> fitting.Numbers:
    generator = np.random.default_rng(SEED)
    return generator.normal(0.0, 0.2, NUM_WEIGHTS).astype(np.float32)


def test_the_weights_written_load_and_play_by_the_rules(written: Path) -> None:
    weights = load(written)
    assert (weights.shape, weights.dtype) == ((NUM_WEIGHTS,), np.float32)
    for num_players, extension, _ in fitting.MIXTURE:
        scores = fitting.Table(SEED, num_players, extension).scores(3, weights)  # raises where an action is illegal
        assert scores.shape == (3, num_players)
        assert scores.mean() > 100  # random play scores some 50


def test_the_same_seed_writes_the_same_file_and_tells_error_and_score_after_each_round(
    written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "again.py") == written.read_bytes()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["greedy games", "round 1"]
    assert all("error on held-out games" in line and "mean score alone" in line for line in lines[:2])


def test_a_fit_halves_the_error_on_games_it_has_not_seen(greedy_sheets: fitting.Sheets) -> None:
    generator = np.random.default_rng(SEED)
    start = fitting.random_weights(generator)
    fitted = fitting.fit_to(start, greedy_sheets, fitting.FIRST_RATE, generator)
    assert fitted.before == fitting.error(start, greedy_sheets.split()[1])
    assert fitted.after < fitted.before / 2


def test_the_network_fitted_is_the_one_the_agent_asks(greedy_sheets: fitting.Sheets) -> None:
    weights = some_weights()
    at_once = 100 * fitting.promised(weights, greedy_sheets.features[:20])
    padding = np.zeros(SCRATCH_SIZE - greedy_sheets.features.shape[1], np.float32)
    one_by_one = [promise(np.concatenate([row, padding]), weights) for row in greedy_sheets.features[:20]]
    np.testing.assert_allclose(at_once, one_by_one, rtol=1e-4, atol=1e-2)


def test_the_gradient_is_that_of_the_squared_error(greedy_sheets: fitting.Sheets) -> None:
    weights = some_weights().astype(np.float64)
    features, to_come = greedy_sheets.features[:50].astype(np.float64), greedy_sheets.to_come[:50].astype(np.float64)

    def half_error(moved: np.ndarray) -> float:
        return float(np.mean((fitting.promised(moved, features) - to_come) ** 2)) / 2

    slope = fitting.gradient(weights, features, to_come)
    for place in np.linspace(0, NUM_WEIGHTS - 1, 60).astype(int):
        step = np.zeros(NUM_WEIGHTS)
        step[place] = 1e-6
        found = (half_error(weights + step) - half_error(weights - step)) / 2e-6
        assert slope[place] == pytest.approx(found, rel=1e-4, abs=1e-7)
