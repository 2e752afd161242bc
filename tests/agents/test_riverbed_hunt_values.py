"""The value network of Riverbed Hunt: its features, its predictions and its fit."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from agents_kit import in_the_middle, know
from riverbed_hunt.scene import Scene

from riverbed_agents.riverbed_hunt.search.value_features import OF_OWN, PIECES, SIZE, write_value_features
from riverbed_agents.riverbed_hunt.search.values import FILE, load, write_values
from riverbed_env.core.files import read_arrays, write_arrays
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_CAMPS
from riverbed_env.registry import find_game
from studies.fitting import riverbed_hunt_values as fitting

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

GAME = find_game("riverbed_hunt")
SEED = 4242  # its games are none that the network was fitted to


def features_of(scene: Scene, improved: int) -> dict[str, npt.NDArray[np.int8]]:
    """The value features of a drawn position, by piece."""
    out = np.zeros(SIZE, np.int8)
    write_value_features(scene.game, scene.params, improved, out)
    return PIECES.named(out)


def values_of(scene: Scene, improved: int) -> npt.NDArray[np.float64]:
    """The camps' chances in a drawn position."""
    out = np.zeros(NUM_CAMPS)
    write_values(scene.game, scene.params, improved, out)
    return out


def test_features_hold_what_each_seat_would_turn_up() -> None:
    # Space 6 holds three logs, space 5 one kelp; the merchant in seat 1 knows both, the separatist in seat 4 the logs.
    scene = Scene("C M M L S S P", active=0, at=6, tiles={6: 16, 5: 1}, tracks=(6, 3, 0))
    know(know(scene, 1, 5, 6), 4, 6)
    features = features_of(scene, 3)
    assert np.argwhere(features["improved"]).tolist() == [[1, 3]]  # a separatist
    assert features["reach"][1].tolist() == [2, 1, 0, 0]
    assert features["reach"][4].tolist() == [1, 2, 0, 0]
    assert features["knowing"].tolist() == [0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert features["choice"][1].tolist() == [1, 0, 0, 0]
    assert features["choice"][4].tolist() == [0, 3, 0, 1]
    assert int(features["answer"][1, 0]) + int(features["chances"][0]) in (99, 100)  # the last kelp wins; whole points
    assert features["answer"][4, 1] > 0 > features["answer"][4, 0]
    assert features["worst"][1] < 0
    assert features["best"][0, 2] == features["answer"][1, 0]  # the chief's best answer is that merchant's
    assert features["known"].tolist() == [0, 2, 0, 0, 1, 0, 0, 0, 0]
    assert features["known_elements"][:5].tolist() == [[0] * 4, [1, 3, 0, 1], [0] * 4, [0] * 4, [0, 3, 0, 1]]
    assert features["camp_knows"].tolist() == [[1, 3, 0, 1], [0, 3, 0, 1], [0, 0, 0, 0]]
    assert (features["within"] >= features["unknown"]).all()


def test_features_hold_the_improved_seats_own_things_by_its_camp() -> None:
    scene = know(Scene("C M M L S S P", active=0, at=6, tiles={6: 16, 5: 1}, tracks=(6, 3, 0)), 4, 6)
    for improved, camp in ((1, 0), (4, 1), (6, 2)):
        features = features_of(scene, improved)
        pieces = [features[name][improved].ravel() for name in OF_OWN]
        np.testing.assert_array_equal(features["own"][camp], np.concatenate(pieces))
        np.testing.assert_array_equal(features["improved"][camp], np.arange(9) == improved)
        near, unknown = features["near"][camp], features["near_unknown"][camp]
        assert (near[0] <= near[1]).all()
        assert (near[1] <= near[2]).all()
        assert (unknown <= near[1]).all()
        assert near[2].sum() > 0
        for piece in ("own", "near", "near_unknown", "improved"):
            assert not np.delete(features[piece], camp, axis=0).any()


@pytest.mark.parametrize("num_players", [4, 7, 9])
def test_every_feature_is_within_its_bounds(num_players: int) -> None:
    batch = in_the_middle(200, num_players, 30, SEED)
    low, high = PIECES.low(), PIECES.high()
    for index in np.flatnonzero(batch.games["table"]["active"] >= 0):
        out = np.zeros(SIZE, np.int8)
        write_value_features(batch.games[index], batch.params[0], 0, out)
        assert (low <= out).all()
        assert (out <= high).all()


def test_the_compiled_network_agrees_with_numpy() -> None:
    layers = load().layers
    batch = in_the_middle(50, 7, 30, SEED)
    for index in np.flatnonzero(batch.games["table"]["active"] >= 0):
        features, chances = np.zeros(SIZE, np.int8), np.zeros(NUM_CAMPS)
        write_value_features(batch.games[index], batch.params[0], 2, features)
        write_values(batch.games[index], batch.params[0], 2, chances)
        logits = features.astype(np.float64)
        for place, (weight, bias) in enumerate(layers):
            logits = logits @ weight + bias
            if place < len(layers) - 1:
                logits = np.maximum(logits, 0.0)
        odds = np.exp(logits - logits.max())
        np.testing.assert_allclose(chances, odds / odds.sum(), atol=1e-5)


def test_it_predicts_the_camp_that_is_about_to_win() -> None:
    # One element is missing, and the seat whose turn it is knows a tile with it within reach and may uncover it.
    near = Scene("C M M L S S P", active=1, at=6, tiles={6: 3}, tracks=(6, 3, 2), hands={1: ["Silt"]})
    merchants = values_of(know(near, 1, 6), 1)
    logs = Scene("C M M L S S P", active=4, at=6, tiles={6: 4}, tracks=(3, 6, 2), hands={4: ["Silt"]})
    separatists = values_of(know(logs, 4, 6), 4)
    assert merchants[0] > 0.9
    assert separatists[1] > 0.9


def test_a_tiny_fit_writes_a_network_that_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "values.npz"
    fitting.main(games=40, rounds=2, epochs=2, seed=SEED, held_out=10, out=out)
    assert [weight.shape for weight, _ in load(out).layers] == [(SIZE, 128), (128, 64), (64, 3)]
    assert "9 players: log loss" in capsys.readouterr().out


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    arrays = read_arrays(FILE, "value network")
    arrays["weight_0"] = arrays["weight_0"][:-1]
    write_arrays(tmp_path / "short.npz", arrays)
    with pytest.raises(OptionError, match=r"short\.npz doesn't take the \d+ value features"):
        load(tmp_path / "short.npz")
    with pytest.raises(OptionError, match="value network"):
        load(tmp_path / "missing.npz")
