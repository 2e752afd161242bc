"""Saved policies: what is written comes back and plays, and a file that isn't one is refused in a line."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from agents_kit import streams

from riverbed_agents.riverbed_hunt.student.agent import FILE as STUDENT
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.players.action_entities import pieces_in
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.networks import Layers, halved
from riverbed_env.players.policies import PolicyConfig, load_policy, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import lineup, play

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt")
INPUTS, ACTIONS = GAME.views["history"], GAME.actions.size
CONFIG = PolicyConfig(GAME.id, scale=4.0, about="a network for tests", more={"steps": 3})
NO_MEMORY = np.zeros((0, 0), np.int32)


def some_layers(seed: int = 0, inputs: int = INPUTS) -> list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
    rng = np.random.default_rng(seed)
    sizes = (inputs, 32, 16, ACTIONS)
    weights = [rng.normal(0, 1 / np.sqrt(wide), (wide, narrow)).astype(np.float32) for wide, narrow in pairwise(sizes)]
    return [(weight, rng.normal(size=weight.shape[1]).astype(np.float32)) for weight in weights]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "policy.npz"
    save_policy(path, CONFIG, some_layers())
    return path


def test_what_is_written_comes_back(saved: Path) -> None:
    policy = load_policy(saved, GAME)
    assert policy.config == replace(CONFIG, sees=pieces_in(GAME, "history"))
    assert (policy.name, policy.about) == (str(saved), "a network for tests")
    for (weight, bias), (wanted, wished) in zip(policy.network.layers, some_layers(), strict=True):
        np.testing.assert_array_equal(weight, wanted)
        np.testing.assert_array_equal(bias, wished)
    assert [path.name for path in saved.parent.iterdir()] == ["policy.npz"]


def test_half_precision_is_read_as_single(tmp_path: Path) -> None:
    halves = halved(Layers.arrays(some_layers()))
    assert all(array.dtype == np.float16 for array in halves.values())
    whole = {name: array.astype(np.float32) for name, array in halves.items()}
    paths = tmp_path / "half.npz", tmp_path / "single.npz"
    for path, arrays in zip(paths, (halves, whole), strict=True):
        save_policy(path, PolicyConfig(GAME.id), arrays)
    half, single = (load_policy(path, GAME).network for path in paths)
    assert isinstance(half, Layers)
    assert isinstance(single, Layers)
    for read, wanted in zip(half.layers, single.layers, strict=True):
        for array, expected in zip(read, wanted, strict=True):
            assert array.dtype == np.float32
            np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize(("activation", "bend"), [("tanh", np.tanh), ("relu", lambda found: np.maximum(found, 0))])
def test_it_draws_from_its_masked_softmax_and_greedily_takes_the_likeliest(
    tmp_path: Path, activation: str, bend: Any
) -> None:
    path = tmp_path / "policy.npz"
    save_policy(path, PolicyConfig(GAME.id, scale=4.0, activation=activation), some_layers())
    batch = Batch(GAME, 1, seed=4)
    for _ in range(12):
        batch.step(batch.random_actions())
    hidden = batch.observation[0].astype(np.float64) / 4
    for weight, bias in some_layers()[:-1]:
        hidden = bend(hidden @ weight + bias)
    logits = hidden @ some_layers()[-1][0] + some_layers()[-1][1]
    legal = batch.action_mask[0] == 1
    assert legal.sum() > 1
    expected = np.where(legal, np.exp(logits - logits[legal].max()), 0)
    expected /= expected.sum()
    n = 20_000
    rows = np.repeat(batch.observation, n, axis=0), np.repeat(batch.action_mask, n, axis=0)
    drawn = np.bincount(load_policy(path, GAME).act(*rows, NO_MEMORY, streams(n)), minlength=ACTIONS) / n
    assert np.abs(drawn - expected).max() < 5 * np.sqrt(0.25 / n)
    assert not drawn[~legal].any()
    greedy = load_policy(path, GAME, greedy=True).act(*(row[:50] for row in rows), NO_MEMORY, streams(50))
    assert (greedy == expected.argmax()).all()


def test_it_sits_in_a_seat_by_the_path_of_its_file(saved: Path) -> None:
    policy = find_agent(str(saved), GAME.name)
    greedy = find_agent(f"{saved}:greedy=true", GAME.name)
    assert (policy.name, greedy.name) == (str(saved), f"{saved}:greedy=true")
    games = [
        play(GAME, lineup(GAME, "x", UNIFORM, profiteer=who), np.arange(10), 3, num_players=5).games.tobytes()
        for who in (policy, policy, greedy)
    ]
    assert games[0] == games[1] != games[2]


def test_a_policy_for_the_short_view_leaves_the_rest_of_a_long_observation_out(tmp_path: Path) -> None:
    short = GAME.views["now"]
    path = tmp_path / "policy.npz"
    save_policy(path, PolicyConfig(GAME.id, view="now"), some_layers(inputs=short))
    policy = load_policy(path, GAME)
    batch = Batch(GAME, 3, seed=4)
    whole = policy.logits(batch.observation, batch.action_mask, streams(3))
    np.testing.assert_array_equal(whole, policy.logits(batch.observation[:, :short], batch.action_mask, streams(3)))


def changed(*pieces: Piece) -> Game:
    """The next version of the game, with other pieces in every view."""
    views = {"now": sum(piece.size for piece in pieces if piece.name != "events")}
    return replace(GAME, version=2, observation=PieceTable(pieces), views=views | {"history": PieceTable(pieces).size})


OLD, NEW = GAME.observation.pieces, Piece("smell", (3,), "all", "a new piece")


def test_a_new_piece_retires_no_policy(saved: Path) -> None:
    batch, game = Batch(GAME, 3, seed=4), changed(NEW, *OLD)
    longer = np.concatenate([np.full((3, NEW.size), 1, np.int8), batch.observation], axis=1)
    found = load_policy(saved, GAME).logits(batch.observation, batch.action_mask, streams(3))
    np.testing.assert_allclose(load_policy(saved, game).logits(longer, batch.action_mask, streams(3)), found, 1e-5)
    students = [load_policy(STUDENT, each).network for each in (GAME, game)]
    for kind, moved in zip(*(each.objects.kinds for each in students), strict=True):  # type: ignore[attr-defined]
        assert set(moved.columns.ravel() - kind.columns.ravel()) == {NEW.size}


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [(OLD[1:], "none"), ((replace(OLD[0], shape=(OLD[0].size + 1,), axes=()), *OLD[1:]), OLD[0].size + 1)],
)
def test_a_piece_that_is_gone_or_has_another_width_is_named(saved: Path, pieces: tuple[Piece, ...], shown: Any) -> None:
    said = f"{OLD[0].size} numbers of piece '{OLD[0].name}'; riverbed_hunt_v2 shows {shown}"
    with pytest.raises(OptionError, match=said):
        load_policy(saved, changed(*pieces))
    with pytest.raises(OptionError, match="no piece 'known_tiles'"):
        load_policy(STUDENT, changed(*(piece for piece in OLD if piece.name != "known_tiles")))


def test_a_file_that_names_no_pieces_is_of_its_version_alone(saved: Path) -> None:
    rewritten(saved, config=config(scale=4.0))
    policy = load_policy(saved, GAME)
    np.testing.assert_array_equal(policy.network.layers[0][0], some_layers()[0][0])  # type: ignore[attr-defined]
    with pytest.raises(OptionError, match="is for riverbed_hunt_v1, not for riverbed_hunt_v2"):
        load_policy(saved, changed(NEW, *OLD))


def rewritten(path: Path, **arrays: Any) -> None:
    """The file with some arrays replaced; None leaves one out."""
    with np.load(path) as file:
        kept = {**{name: file[name] for name in file.files}, **arrays}
    np.savez(path, **{name: array for name, array in kept.items() if array is not None})


def config(**changed: Any) -> npt.NDArray[np.str_]:
    plain = {"format": 1, "environment": GAME.id, "view": "history", "scale": 1.0, "activation": "tanh", **changed}
    return np.array(json.dumps(plain))


SPOILED: dict[str, tuple[dict[str, Any], str]] = {
    "another game": ({"config": config(environment="river_rats_v0")}, f"is for river_rats_v0, not for {GAME.id}"),
    "another format": ({"config": config(format=2)}, "it reads format 1"),
    "a view there isn't": ({"config": config(view="later")}, "view 'later'"),
    "an activation there isn't": ({"config": config(activation="sine")}, "activation should be 'relu' or 'tanh'"),
    "a scale of 0": ({"config": config(scale=0.0)}, "scale should be greater"),
    "a scale in words": ({"config": config(scale="big")}, "scale should be a valid number, not 'big'"),
    "an unknown key": ({"config": config(colour="red")}, "colour: Unexpected keyword argument"),
    "no JSON": ({"config": np.array("{")}, "can't be read"),
    "no config": ({"config": None}, "has no valid config"),
    "a missing layer": ({"weight_1": None}, "must hold config and"),
    "a stranger": ({"other": np.zeros(3)}, "must hold config and"),
    "not a number": ({"bias_0": np.full(32, np.nan, np.float32)}, "finite float32"),
    "another type": ({"bias_0": np.zeros(32)}, "finite float32"),
    "layers that don't fit": ({"weight_1": np.zeros((31, 16), np.float32)}, "fit each other"),
    "other sizes": ({"weight_0": np.zeros((7, 32), np.float32)}, "takes 7 numbers"),
}


@pytest.mark.parametrize("spoiled", SPOILED)
def test_a_file_that_does_not_fit_is_refused(saved: Path, spoiled: str) -> None:
    arrays, complaint = SPOILED[spoiled]
    rewritten(saved, **arrays)
    with pytest.raises(OptionError, match=complaint):
        load_policy(saved, GAME)


def test_a_missing_file_or_a_wrong_parameter_is_refused(tmp_path: Path, saved: Path) -> None:
    with pytest.raises(OptionError, match="can't be read"):
        find_agent(str(tmp_path / "none.npz"), GAME.name)
    with pytest.raises(OptionError, match="no parameter 'gredy'"):
        find_agent(f"{saved}:gredy=true", GAME.name)
    with pytest.raises(OptionError, match="parameters are written key=value"):
        find_agent(f"{saved}:policy", GAME.name)
    with pytest.raises(RiverbedError, match="couldn't be written"):
        save_policy(tmp_path / "nowhere" / "policy.npz", CONFIG, some_layers())


def test_a_file_can_name_installed_feature_sets_only_and_never_code(saved: Path, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    evil = tmp_path / "evil.py"
    evil.write_text(f"import pathlib; pathlib.Path({str(touched)!r}).touch()\nAGENT = None\n")
    for name in (f"advice:{evil}:AGENT", "advice:evil:AGENT", str(evil), "advice:", "smell"):
        rewritten(saved, config=config(features=[name]))
        with pytest.raises(OptionError, match="has no feature set"):
            load_policy(saved, GAME)
    assert not touched.exists()
