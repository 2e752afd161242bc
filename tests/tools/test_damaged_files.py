"""Files made to do harm: code in pickles and names, headers of 10^12 numbers, bombs, weights that run away."""

import io
import json
import pickle
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_process import one_line, ran, riverbed, settings

from riverbed_env.core import files
from riverbed_env.core.batch import Batch
from riverbed_env.core.files import read_arrays
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.kernels.random import STREAM, open_stream
from riverbed_env.players.policies import PolicyConfig, load_policy, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled

MEBIBYTE = 2**20
FORD = find_game("ford_v0")


@contextmanager
def little_memory() -> Iterator[None]:
    """What is done takes little room, even for a moment."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 20 * MEBIBYTE
    finally:
        tracemalloc.stop()


class Trap:
    """An object whose pickle makes a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        return Path.touch, (self.file,)


def policy(folder: Path) -> Path:
    """A sound policy of the toy game."""
    sizes = (FORD.views["history"], 8, FORD.actions.size)
    rng = np.random.default_rng(1)
    layers = [(rng.normal(size=pair).astype(np.float32), np.zeros(pair[1], np.float32)) for pair in pairwise(sizes)]
    save_policy(folder / "policy.npz", PolicyConfig(FORD.id, about="for tests"), layers)
    return folder / "policy.npz"


def written(save: Callable[..., None], *arrays: Any, **named: Any) -> bytes:
    """What `np.save` or `np.savez` writes, objects by pickle."""
    stream = io.BytesIO()
    save(stream, *arrays, **named)
    return stream.getvalue()


def header(shape: tuple[int, ...], descr: str = "<f4") -> bytes:
    """The beginning of an array of this shape."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": descr, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    """As an array of objects, as one beside sound arrays, and as a bare pickle or a .npy in the file's place."""
    touched, file = tmp_path / "touched", policy(tmp_path)
    with np.load(file) as arrays:
        sound = dict(arrays.items())
    trap = np.array([Trap(touched)], dtype=object)
    forms = [written(np.savez, **{**sound, name: trap}) for name in ("weight_0", "x")]
    forms += [pickle.dumps(Trap(touched)), written(np.save, trap)]
    for content in forms:
        file.write_bytes(content)
        with pytest.raises(OptionError, match=r"policy\.npz can't be read"):
            load_policy(file, FORD)
        assert not touched.exists()
    pickle.loads(pickle.dumps(Trap(touched)))
    assert touched.exists()  # the trap is one


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """Some kilobytes that would unpack to more than is ever needed."""
    file, size = tmp_path / "x.npz", 64 * MEBIBYTE
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        made.writestr("a.npy", header((size // 4,)) + bytes(size))
    with little_memory(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "LARGEST_UNPACKED", size // 2)
        with pytest.raises(OptionError, match="unpacks to more than 32 MiB"):
            read_arrays(file, "checkpoint")


def test_weights_that_ran_away_play_legally(tmp_path: Path) -> None:
    """Finite, but such that the logits aren't, or lie below those of illegal actions."""
    file = policy(tmp_path)
    with np.load(file) as arrays:
        sound = dict(arrays.items())
    batch, memory, streams = Batch(FORD, 4, seed=1), np.zeros((4, 0), np.int32), np.zeros(4, STREAM)
    for value in (3e38, -3e38, -1e12):
        other = {name: array if name == "config" else np.full_like(array, value) for name, array in sound.items()}
        np.savez(file, **other)
        for index in range(4):
            open_stream(streams[index], 1, index, 5)
        actions = load_policy(file, FORD).act(batch.observation, batch.action_mask, memory, streams)
        assert batch.action_mask[np.arange(4), actions].all()


AGENTS = {
    "raises": ("1 / 0\n", "ZeroDivisionError.*line 1"),
    "leaves": ("import sys\nsys.exit(0)\n", "SystemExit.*line 2"),
    "recurses": ("def f(): f()\nf()\n", "RecursionError"),
    "null": ("x = 1\0\n", "null bytes"),
    "Latin-1": ("x = '\xe9'\n", "can't be loaded"),
    "empty": ("", "of which there are none"),
}


@pytest.mark.parametrize("name", AGENTS)
def test_a_file_of_an_agent_that_fails_is_told(tmp_path: Path, name: str) -> None:
    content, complaint = AGENTS[name]
    file = tmp_path / "mine.py"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(OptionError, match=rf"(?s)mine\.py.*{complaint}"):
        find_agent(f"{file}:agent", "ford")


@pytest.mark.parametrize(
    "spec", ["a\0.npz", "x" * 5000 + ".npz", "a\0.py:x", "x" * 5000 + ".py:x", "\ud800.npz", "/.npz"]
)
def test_a_name_that_no_file_can_have_is_told(spec: str) -> None:
    with pytest.raises(RiverbedError) as caught:
        find_agent(spec, "ford")
    assert str(caught.value).isprintable()


# --- the commands' files --------------------------------------------------------------------------------------------

LEARNER = (
    *settings(game="ford_v0", threads=1, num_envs=8, rollout_steps=16, batch_size=64, n_epochs=1),
    *settings(widths="8,8", evaluation_games=8),
)
MADE = {
    "training": ("train", *LEARNER, "--set", "steps=128"),
    "exploit": ("exploit", "random", *LEARNER, *settings(steps=128, seeds=1, games=20)),
    "evaluation": ("evaluate", "random", "--game", "deep_river", "--games", "20", "--no-report"),
    "corpus": ("record", "random", "--game", "deep_river", "--games", "6", "--part", "3"),
}
READ = [
    ("training/config.json", ("train", "{}/training")),
    ("training/checkpoint.npz", ("train", "{}/training")),
    ("training/policy.npz", ("watch", "--game", "ford_v0", "--agent", "{}/training/policy.npz")),
    ("exploit/config.json", ("exploit", "{}/exploit")),
    ("exploit/robustness.json", ("exploit", "{}/exploit")),
    ("evaluation/plan.json", ("replay", "{}/evaluation")),
    ("evaluation/parts/0000-00000.parquet", ("replay", "{}/evaluation", "--cell", "0", "--game", "1")),
    ("corpus/manifest.json", ("games", "{}/corpus", "--check", "hashes")),
    ("corpus/parts/000000.parquet", ("games", "{}/corpus", "--check", "hashes")),
]
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda sound: b"",
    "half": lambda sound: sound[: len(sound) // 2],
    "zeros": lambda sound: bytes(len(sound)),
    "a cut in the middle": lambda sound: sound[: len(sound) // 3] + sound[len(sound) // 2 :],
    "deep": lambda sound: b"[" * 10_000 + b"]" * 10_000,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small run of each command."""
    folder = tmp_path_factory.mktemp("made")
    for name, words in MADE.items():
        ran(*words, "--out", str(folder / name))
    return folder


@pytest.mark.parametrize(("file", "words"), READ, ids=[f"{file} by {words[0]}" for file, words in READ])
def test_a_damaged_file_is_refused_in_a_line_that_names_it(made: Path, file: str, words: tuple[str, ...]) -> None:
    path = made / file
    sound = path.read_bytes()
    try:
        for damage in DAMAGE.values():
            path.write_bytes(damage(sound))
            said = riverbed(*(word.format(made) for word in words))
            assert said.returncode == 2, said
            last = said.stderr.strip().splitlines()[-1]
            assert last.startswith("riverbed: ")
            assert path.name in said.stderr
            assert "Traceback" not in said.stderr
            assert path.read_bytes() == damage(sound)
    finally:
        path.write_bytes(sound)


def test_values_beyond_all_memory_are_refused(made: Path) -> None:
    path = made / "training" / "config.json"
    sound = path.read_bytes()
    try:
        path.write_text(json.dumps({**json.loads(sound), "num_envs": 2**17, "rollout_steps": 2**20}))
        with little_memory():
            said = riverbed("train", str(path.parent))
        assert said.returncode == 2
        assert "num_envs times rollout_steps must be" in one_line(said.stderr)
    finally:
        path.write_bytes(sound)
