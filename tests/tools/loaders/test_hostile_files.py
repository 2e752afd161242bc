"""Files made to do harm: code in pickles and names, headers of 10^12 numbers, bombs, weights that run away."""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import struct
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_process import riverbed
from loaders.loaders_table import FORD, HUNT, PLANNED, Workshop, copied, layers, plan, played, workshop_of
from loaders.mutations import npy, packed, unpacked
from pyarrow import parquet

from riverbed_env.core import files
from riverbed_env.core.files import read_arrays
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import find_agent
from riverbed_lab.evaluation.folder import PLAN, Folder, load
from riverbed_lab.evaluation.outcomes import Outcomes
from riverbed_lab.evaluation.run import Evaluation
from riverbed_lab.playing.rows import columns_of, read_table
from riverbed_lab.training.config import load_config

pytestmark = pytest.mark.compiled

MEBIBYTE = 2**20


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return workshop_of(tmp_path_factory.getbasetemp())


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


def header(shape: tuple[int, ...], descr: str = "<f4") -> bytes:
    """The beginning of an array of this shape."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": descr, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    """As an array of objects, as one beside sound arrays, and as a bare pickle or a .npy in the file's place."""
    touched, file = tmp_path / "touched", tmp_path / "policy.npz"
    layers(Workshop(tmp_path), tmp_path)
    sound = {f"{name}.npy": array for name, array in unpacked(file.read_bytes()).items()}
    trap = npy(np.array([Trap(touched)], dtype=object))
    forms = [
        packed({**sound, "weight_0.npy": trap}),
        packed({**sound, "x.npy": trap}),
        pickle.dumps(Trap(touched)),
        trap,
    ]
    for content in forms:
        file.write_bytes(content)
        with pytest.raises(OptionError, match=r"policy\.npz can't be read"):
            load_policy(file, FORD)
        assert not touched.exists()
    pickle.loads(pickle.dumps(Trap(touched)))
    assert touched.exists()  # the trap is one


@pytest.mark.parametrize("shape", [(10**12,), (10**6, 10**6), (2**62, 2**62), (-1, -4), (2**70,), (10**12, 0)])
@pytest.mark.parametrize("descr", ["<f4", "<U1000000", "|V0"])
def test_a_header_that_announces_more_than_there_is_takes_no_room(
    tmp_path: Path, shape: tuple[int, ...], descr: str
) -> None:
    file = tmp_path / "x.npz"
    file.write_bytes(packed({"a.npy": header(shape, descr) + b"abcd"}))
    with little_memory(), pytest.raises(OptionError, match=r"x\.npz can't be read"):
        read_arrays(file, "checkpoint")


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """Some kilobytes that would unpack to more than is ever needed; and a directory that tells of less."""
    file, size = tmp_path / "x.npz", 64 * MEBIBYTE
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        made.writestr("a.npy", header((size // 4,)) + bytes(size))
    with little_memory(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "LARGEST_UNPACKED", size // 2)
        with pytest.raises(OptionError, match="unpacks to more than 32 MiB"):
            read_arrays(file, "checkpoint")
    content = bytearray(file.read_bytes())
    entry = content.rindex(b"PK\x01\x02")
    content[entry + 24 : entry + 28] = struct.pack("<I", 1000)
    file.write_bytes(content)
    with little_memory(), pytest.raises(OptionError, match=r"x\.npz can't be read"):
        read_arrays(file, "checkpoint")


def test_an_array_whose_header_says_less_than_it_holds_is_refused(tmp_path: Path) -> None:
    """NumPy alone would leave the rest unread, and with it the checksum unlooked at."""
    file = tmp_path / "x.npz"
    file.write_bytes(packed({"a.npy": header((2,)) + bytes(12)}))
    with np.load(file) as read:
        assert read["a"].shape == (2,)
    with pytest.raises(OptionError, match="has 12 bytes"):
        read_arrays(file, "checkpoint")


def test_an_array_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.npz"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("a.npy", npy(1))
        with pytest.warns(UserWarning, match="Duplicate name"):
            made.writestr("a.npy", npy(2))
    with pytest.raises(OptionError, match="each once"):
        read_arrays(file, "checkpoint")


def test_weights_that_ran_away_play_legally(tmp_path: Path) -> None:
    """Finite, but such that the logits aren't, or lie below those of illegal actions."""
    layers(Workshop(tmp_path), tmp_path)
    file = tmp_path / "policy.npz"
    arrays = unpacked(file.read_bytes())
    for value in (3e38, -3e38, -1e12):
        other = {name: array if name == "config" else np.full_like(array, value) for name, array in arrays.items()}
        file.write_bytes(packed({f"{name}.npy": array for name, array in other.items()}))
        played(load_policy(file, FORD))


BEYOND = {
    "training/config.json": [
        ({"num_envs": 10**12}, "num_envs must be"),
        ({"rollout_steps": 10**12}, "rollout_steps must be"),
        ({"num_envs": 2**17, "rollout_steps": 2**20}, "num_envs times rollout_steps must be"),
        ({"evaluation_games": 10**12}, "evaluation_games must be"),
        ({"threads": 2**70}, "threads must be"),
        ({"threads": 0}, "threads must be"),
        ({"widths": [10**9, 10**9]}, "widths must be"),
        ({"options": {"num_players": 3}}, "given by players"),
        ({"options": {"colour": 3}}, "has no option 'colour'"),
    ],
    f"evaluation/{PLAN}": [
        ({"deals": 10**12}, "games must be"),
        ({"deals": 10**9, "chunk": 1}, "parts"),
        ({"chunk": 0}, "chunk must be"),
        ({"agents": [f"random:{number}" for number in range(1000)]}, "there must be at most 64 agents"),
        ({"players": [4, 4]}, "players must be one or more different ones"),
        ({"seed": 2**61 * 4}, "seed"),
        ({"environment": "chess"}, "no game 'chess'"),
    ],
}


@pytest.mark.parametrize(
    ("part", "changed", "complaint"), [(part, *case) for part, cases in BEYOND.items() for case in cases]
)
def test_values_beyond_all_memory_are_refused(
    workshop: Workshop, tmp_path: Path, part: str, changed: dict[str, Any], complaint: str
) -> None:
    made, name = part.split("/")
    file = copied(getattr(workshop, made), tmp_path) / name
    known = json.loads(file.read_text())
    file.write_text(
        json.dumps({**known, "plan": {**known["plan"], **changed}} if name == PLAN else {**known, **changed})
    )
    with little_memory(), pytest.raises(OptionError, match=rf"{name}.*{complaint}"):
        load(tmp_path) if name == PLAN else load_config(file)


def test_a_part_in_anothers_place_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    plan(workshop, tmp_path)
    outcomes = Outcomes(HUNT, PLANNED, Folder(tmp_path, load(tmp_path)))
    parts = tmp_path / "parts"
    for other in ("0001-00000", "0000-00001"):  # of another cell, of other deals
        (parts / "0000-00000.parquet").write_bytes((parts / f"{other}.parquet").read_bytes())
        with pytest.raises(OptionError, match=r"0000-00000\.parquet holds rows of other games"):
            outcomes.read(outcomes.cells[0])


def test_a_bit_turned_in_a_column_is_never_another_winner(workshop: Workshop, tmp_path: Path) -> None:
    """Arrow alone, which looks at no checksum unless told to, reads other values from some of them."""
    plan(workshop, tmp_path)
    file = tmp_path / "parts" / "0000-00000.parquet"
    sound, name = file.read_bytes(), "decisions"
    described = parquet.ParquetFile(file).metadata.row_group(0)
    columns = [described.column(place) for place in range(described.num_columns)]
    column = next(column for column in columns if column.path_in_schema == name)
    start = column.dictionary_page_offset or column.data_page_offset
    wanted = read_table(HUNT, file, [name])
    changed = 0
    for place in range(start, start + column.total_compressed_size):
        file.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        with contextlib.suppress(OSError, ValueError):
            changed += not parquet.ParquetFile(file).read([name]).equals(wanted)
        with contextlib.suppress(OptionError):
            assert read_table(HUNT, file, [name]).equals(wanted)
    assert changed


def test_a_chunk_without_the_role_has_no_rows_and_is_read(tmp_path: Path) -> None:
    """With 4 players not every deal has a profiteer."""
    planned = replace(PLANNED, deals=8, roles=("profiteer",), chunk=1)
    evaluation = Evaluation.begin(planned, tmp_path)
    evaluation.play()
    outcomes = evaluation.outcomes
    games = [len(outcomes.read(cell).block) for cell in outcomes.cells if cell.role]
    assert games
    assert 0 < max(games) < 8
    assert "decisions" in columns_of(HUNT).names


AGENTS = {
    "raises": ("1 / 0\n", "ZeroDivisionError.*line 1"),
    "leaves": ("import sys\nsys.exit(0)\n", "SystemExit.*line 2"),
    "recurses": ("def f(): f()\nf()\n", "RecursionError"),
    "null": ("x = 1\0\n", "null bytes"),
    "Latin-1": ("x = '\xe9'\n", "can't be loaded"),
    "empty": ("", "has no 'agent'"),
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


# --- the command -----------------------------------------------------------------------------------------------------


def damaged(path: Path) -> None:
    """Cut in half."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("training/config.json", ("train", "--resume", "--out", "{}/training")),
        ("training/checkpoint.npz", ("train", "--resume", "--out", "{}/training")),
        ("training/policy.npz", ("watch", "--game", "ford_v0", "--agent", "{}/training/policy.npz")),
        ("league/config.json", ("league", "--resume", "--out", "{}/league")),
        ("league/league.json", ("league", "--resume", "--out", "{}/league")),
        ("evaluation/plan.json", ("replay", "{}/evaluation")),
        ("evaluation/plan.json", ("report", "{}/evaluation")),
        ("evaluation/parts/0000-00000.parquet", ("replay", "{}/evaluation", "--cell", "0", "--game", "1")),
        ("pack.toml", ("pack", "check", "{}/pack.toml")),
    ],
)
def test_the_command_says_it_in_a_line(workshop: Workshop, tmp_path: Path, file: str, words: tuple[str, ...]) -> None:
    if file == "pack.toml":
        (tmp_path / file).write_text('[pack]\nname = "half')
    else:
        name = file.partition("/")[0]
        copied(getattr(workshop, name), tmp_path / name)
    damaged(tmp_path / file)
    said = riverbed(*(word.format(tmp_path) for word in words))
    assert said.returncode == 2, said
    lines = said.stderr.strip().splitlines()
    assert lines[-1].startswith("riverbed: ")
    assert Path(file).name in lines[-1]
    assert "Traceback" not in said.stderr
