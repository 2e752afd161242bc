"""The fits of shipped weights: of Riverside's look-ahead agent, and of what looks tell in Riverbed Hunt."""

from pathlib import Path

import numpy as np
import pytest

from riverbed_agents.riverside.outlook import SCRATCH_SIZE
from riverbed_agents.riverside.value import NUM_WEIGHTS, load, promise
from riverbed_env.games.riverbed_hunt.deduction import weights as deduction_weights
from riverbed_env.games.riverbed_hunt.deduction.looks import Situation
from riverbed_env.games.riverbed_hunt.rules.vocab import Role
from riverbed_env.players.specs import find_agent
from studies.fitting import riverbed_hunt_looks as looks
from studies.fitting import riverside as fitting

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

SEED = 7


@pytest.fixture(scope="module")
def greedy_sheets() -> fitting.Sheets:
    return fitting.gather_mixture(SEED, fitting.FIRST_FITTED, 240, None, fitting.GREEDY_DRAWN)


def some_weights() -> fitting.Numbers:
    generator = np.random.default_rng(SEED)
    return generator.normal(0.0, 0.2, NUM_WEIGHTS).astype(np.float32)


def test_a_tiny_fit_repeats_under_its_seed_and_its_weights_load_and_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "other"):
        fitting.main(rounds=1, games=fitting.FEWEST_GAMES, seed=SEED, measured=3, out=tmp_path / name)
    weights, again = load(tmp_path / "one"), load(tmp_path / "other")
    assert (weights.shape, weights.dtype) == ((NUM_WEIGHTS,), np.float32)
    np.testing.assert_array_equal(weights, again)
    assert "round 1: " in capsys.readouterr().out
    for num_players, extension, _ in fitting.MIXTURE:
        scores = fitting.Table(SEED, num_players, extension).scores(3, weights)  # raises where an action is illegal
        assert scores.mean() > 100  # random play scores some 50


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


def test_an_unsorted_pair_is_even_and_the_true_places_are_likelier_under_the_fitted_weights() -> None:
    pairs = looks.look_at_games([find_agent("rule_based", "riverbed_hunt")], 7, 400, seed=900)
    shipped = deduction_weights.LOOKS[3].ravel()
    assert looks.log_loss(pairs, np.zeros(looks.NUM_WEIGHTS)) == pytest.approx(np.log(2))
    assert looks.log_loss(pairs, shipped) < 0.67
    assert looks.log_loss(pairs, looks.fit(pairs).ravel()) < looks.log_loss(pairs, shipped)


def test_what_a_camp_wants_it_does_not_leave_behind(tmp_path: Path) -> None:
    path = tmp_path / "look_weights.npz"
    looks.main(agent=["rule_based"], games=200, seed=7, out=path)
    found = deduction_weights.load(path)["looks"]
    assert found.shape == deduction_weights.LOOKS.shape
    for fitted in (deduction_weights.LOOKS, found):
        left_behind = fitted[:, Situation.PASSED_OVER].mean(axis=0)
        assert left_behind[Role.MERCHANT, 0] < 0 < left_behind[Role.MERCHANT, 1]
        assert left_behind[Role.SEPARATIST, 1] < 0 < left_behind[Role.SEPARATIST, 0]
