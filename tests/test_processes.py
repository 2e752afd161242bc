"""Across processes: a second one finds compiled kernels in the cache, and imports stay light."""

import copy
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import pytest

from riverbed_env.core.batch import Batch
from riverbed_env.envs import riverbed_hunt_v1
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.kernels.cache import KEPT_CACHES, digest, forget_old_sources, sources

PROJECT = Path(__file__).parents[1]


def run(script: str, **variables: str) -> str:
    """The output of a script in a separate process, with warnings as errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=PROJECT,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# --- kernels come from the cache ------------------------------------------------------------------------------------

STEPS = """
import gc
from riverbed_env import make_batch, riverbed_hunt_v1
from riverbed_env.kernels.compile import KernelFamily, kernel as core
from riverbed_env.games.riverbed_hunt.rules import kernel as hunt

env = riverbed_hunt_v1.env(num_players=5)
env.reset(seed=1)
for _ in range(5):
    env.step(int(env.observe(env.agent_selection)["action_mask"].nonzero()[0][0]))
env.set_state(env.get_state())
env.state()
batch = make_batch("riverbed_hunt", 3, num_players=7, seed=1)
for _ in range(5):
    batch.step(batch.random_actions())
batch.observe(0)
stats = [one.stats for one in core.kernels + hunt.kernels]
print(sum(sum(one.cache_misses.values()) for one in stats), sum(sum(one.cache_hits.values()) for one in stats))
families = [family for family in gc.get_objects() if isinstance(family, KernelFamily)]
print(*{family.name for family in families if any(one.signatures for one in family.kernels)})
import sys
print("scipy.linalg" in sys.modules or "numba.np.arraymath" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.compiled
def test_a_second_process_compiles_nothing() -> None:
    run(STEPS)  # compiles the kernels that aren't in the usual cache yet
    counts, families, with_the_compiler = run(STEPS).splitlines()
    misses, hits = (int(count) for count in counts.split())
    assert with_the_compiler == "False"  # what Numba can compile, SciPy too, is imported by who compiles
    assert misses == 0
    assert hits > 5
    assert set(families.split()) <= {"core", "riverbed_hunt"}


SMALL = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
from riverbed_env.kernels.compile import KernelFamily
from small import outer
family = KernelFamily("small", Path({folder!r}))
outer = family(outer)
print(outer(3), *(sum(kept.values()) for kept in (outer.stats.cache_misses, outer.stats.cache_hits)))
"""


@pytest.mark.slow
@pytest.mark.compiled
def test_kernels_are_compiled_once_for_each_state_of_their_sources(tmp_path: Path) -> None:
    sources, cache = tmp_path / "sources", tmp_path / "cache"
    sources.mkdir()
    script = SMALL.format(folder=str(sources))
    variables = {"RIVERBED_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    for added in (1, 2):
        (sources / "small.py").write_text(f"def outer(number):\n    return number + {added}\n")
        assert run(script, **variables) == f"{3 + added} 1 0"
        assert run(script, **variables) == f"{3 + added} 0 1"
    assert [path.name.split("-")[0] for path in cache.iterdir()] == ["small", "small"]


@pytest.mark.compiled
def test_a_warmed_cache_survives_copying_to_another_place(tmp_path: Path) -> None:
    sources, elsewhere = tmp_path / "sources", tmp_path / "elsewhere"
    sources.mkdir()
    (sources / "small.py").write_text("def outer(number):\n    return number + 1\n")
    assert run(SMALL.format(folder=str(sources)), RIVERBED_CACHE_DIR="") == "4 1 0"
    shutil.copytree(sources, elsewhere, copy_function=shutil.copyfile)  # times aren't copied
    os.utime(elsewhere / "small.py", (1, 1))
    shutil.rmtree(sources)
    assert run(SMALL.format(folder=str(elsewhere)), RIVERBED_CACHE_DIR="") == "4 0 1"


ANOTHER_USER = """
import os, warnings
import numba, riverbed_env.kernels.compile
numba.njit(lambda number: number)(1.5)  # imports the compiler, which the other user may not be allowed to read
if os.getuid() == 0:  # who may write everywhere
    os.setgid(65534)
    os.setuid(65534)
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    {script}
print(*(warning.message for warning in warned))
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """An empty folder that every user may enter; pytest's own is closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)
        allow(Path(folder), 0o755)


def allow(folder: Path, mode: int) -> None:
    """Set what users may do with a folder and all in it."""
    for where, _, names in os.walk(folder, topdown=False):
        for path in (*(Path(where, name) for name in names), Path(where)):
            path.chmod(mode)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX says here who may write")
@pytest.mark.compiled
@pytest.mark.parametrize("named", [False, True], ids=["beside the sources", "in RIVERBED_CACHE_DIR"])
@pytest.mark.parametrize("home", [False, True], ids=["without a home", "with a home"])
def test_a_cache_that_may_be_read_and_not_written_is_used(named: bool, home: bool, shared: Path) -> None:
    """As in a container's image that root has warmed; what isn't in it goes to the user's own cache."""
    sources, own = shared / "sources", shared / "own"
    sources.mkdir()
    own.mkdir()
    (sources / "small.py").write_text("def outer(number):\n    return number + 1\n")
    variables = {
        "RIVERBED_CACHE_DIR": str(shared / "cache") if named else "",
        "PYTHONDONTWRITEBYTECODE": "1",
        **dict.fromkeys(("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"), str(own if home else sources)),
    }
    script = SMALL.format(folder=str(sources)).strip()
    assert run(script, **variables) == "4 1 0"
    allow(shared, 0o555)
    own.chmod(0o777)

    def another(number: str) -> list[str]:
        """What another user sees: the kernel's result, misses and hits, then the warnings."""
        indented = script.replace("outer(3)", f"outer({number})").replace("\n", "\n    ")
        return run(ANOTHER_USER.format(script=indented), **variables).splitlines()

    assert another("3") == ["4 0 1"]
    result, *warned = another("3.5")  # which nobody has compiled
    assert result == "4.5 1 0"
    where = f"compiled kernels are saved in {own}" if home else "set RIVERBED_CACHE_DIR to a folder that you can write"
    assert where in "".join(warned)
    assert another("3.5")[0] == ("4.5 0 1" if home else "4.5 1 0")


@pytest.mark.compiled
def test_plain_numba_compiles_and_keeps_kernels_without_anything_private(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "small.py").write_text("def outer(number):\n    return number + 1\n")
    script = SMALL.format(folder=str(sources)) + "print('riverbed_env.kernels.private' in sys.modules)\n"
    for plain, found in (("", "True"), ("1", "False")):  # they don't read each other's cache
        variables = {"RIVERBED_CACHE_DIR": str(tmp_path / "cache"), "RIVERBED_PLAIN_NUMBA": plain}
        assert run(script, **variables).split() == ["4", "1", "0", found]
        assert run(script, **variables).split() == ["4", "0", "1", found]


def use_environment() -> None:
    """Use an environment with every kind of integer, state and copy."""
    env = riverbed_hunt_v1.env(num_players=6, view="now")
    env.reset(seed=np.int64(3))
    for kind in (int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.intp) * 3:
        env.step(kind(env.observe(env.agent_selection)["action_mask"].nonzero()[0][0]))
        for agent in env.agents:
            env.observe(agent)
        env.state()
        env.set_state(env.get_state())
        env = pickle.loads(pickle.dumps(copy.deepcopy(env.clone())))
    play_to_the_end(env)
    play_to_the_end(riverbed_hunt_v1.env(num_players=4, rewards="zero_sum", auto_forced="all"))


def play_to_the_end(env: TurnEnv) -> None:
    """Play the last legal action each time."""
    if not env.agents:
        env.reset(seed=1)
    for agent in env.agent_iter():
        over = env.terminations[agent] or env.truncations[agent]
        env.step(None if over else int(env.observe(agent)["action_mask"].nonzero()[0][-1]))


def use_batch() -> None:
    """Use a batch with every kind of array, state and copy."""
    batch = Batch(RIVERBED_HUNT, 4, seed=2, num_players=8)
    strided = np.zeros(8, np.int64)
    for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8) * 3:
        batch.step(batch.random_actions().astype(kind))
        batch.step(batch.random_actions().tolist())
        strided[::2] = batch.random_actions()
        batch.step(strided[::2])
        batch.observe(0)
        batch.observe(np.array([0, 1, 2, 3], np.int32))
        batch.observe([3, 2, 1, 0])
        batch.set_state(batch.get_state())
        batch.set_state(batch.get_state()[:4])
        batch = pickle.loads(pickle.dumps(copy.deepcopy(batch.clone())))
    batch.reset()
    batch.reset(seed=np.int64(4), first_game=np.int32(7))
    single = Batch(RIVERBED_HUNT, 1, seed=2, num_players=4, view="now", auto_reset=False, rewards="zero_sum")
    while single.acting.any():
        single.step(single.random_actions())
        single.set_state(single.get_state())


def test_a_kernels_sources_are_not_looked_for_in_caches_which_other_processes_delete(tmp_path: Path) -> None:
    for name in ("b/data.npz", "a.py", "b/pack.toml", "notes.md", "__pycache__/old-1/a.py", "b/__pycache__/c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert sources(tmp_path) == [tmp_path / name for name in ("a.py", "b/data.npz", "b/pack.toml")]


@pytest.mark.parametrize("setting", ["OPT", "BOUNDSCHECK"])
def test_kernels_that_were_compiled_otherwise_are_compiled_again(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest([])
    monkeypatch.setattr(numba.config, setting, 7)
    assert digest([]) != before


@pytest.mark.slow
@pytest.mark.compiled
def test_caches_of_older_sources_are_removed_but_the_latest_few(tmp_path: Path) -> None:
    for age in range(KEPT_CACHES + 3):
        old = tmp_path / f"some_game-{age:016x}"
        old.mkdir()
        os.utime(old, (age, age))
    (tmp_path / "some_game_play-0123456789abcdef").mkdir()
    forget_old_sources(tmp_path, "some_game")
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept[-1] == "some_game_play-0123456789abcdef"
    assert kept[:-1] == [f"some_game-{age:016x}" for age in range(3, KEPT_CACHES + 3)]


def test_each_entry_kernel_is_compiled_once() -> None:
    use_environment()
    use_batch()
    linked = {
        name: len(loop.signatures) for name, loop in vars(RIVERBED_HUNT.loops).items() if hasattr(loop, "signatures")
    }
    assert {name: count for name, count in linked.items() if count > 1} == {}
    entries = [
        "serve",
        "row_of",
        "full_states",
        "returns_of_one",
        "step_games",
        "observe_games",
        "violations",
    ]
    assert {*entries, "choose_randomly"} <= linked.keys()


# --- light imports --------------------------------------------------------------------------------------------------

HEAVY = ("torch", "matplotlib", "pyarrow", "pandas", "stable_baselines3", "sb3_contrib", "typer", "rich", "pygame")
LOADED = "import sys; print(' '.join(name for name in {heavy!r} if name in sys.modules))"


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = (*HEAVY, "numba", "pydantic", "riverbed_env.core", "riverbed_agents", "riverbed_lab")
    assert run(f"import riverbed_env; {LOADED.format(heavy=heavy)}") == ""


def test_a_pettingzoo_without_a_registry_will_do() -> None:
    script = """
import sys
sys.modules["pettingzoo.env_registry"] = None  # as before PettingZoo 1.27
import gymnasium, riverbed_env
from riverbed_env.entries import ENTRIES
print({entry.registry_id in gymnasium.registry for entry in ENTRIES.values()})
"""
    assert run(script) == "{True}"


@pytest.mark.slow
def test_playing_loads_nothing_heavy() -> None:
    script = """
from riverbed_env import make_batch, riverbed_hunt_v1
env = riverbed_hunt_v1.env(render_mode="ansi")
env.reset(seed=1)
env.render()
env.describe_state()
make_batch("riverbed_hunt", 2, seed=1)
"""
    assert run(script + LOADED.format(heavy=(*HEAVY, "riverbed_agents", "riverbed_lab"))) == ""


# --- without docstrings -----------------------------------------------------------------------------------------------

WITHOUT_DOCSTRINGS = """
import sys
from riverbed_env.players.installed import list_agents
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import game_ids
from riverbed_lab.cli.app import main

untold = [f"{game} {name}" for game in game_ids() for name in list_agents(game) if not find_agent(name, game).about]
if untold:
    sys.exit(f"without a text: {untold}")
for arguments in (["--help"], ["doctor", "--help"], ["games", "riverbed_hunt"]):
    sys.argv = ["riverbed", *arguments]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise
"""


def test_nothing_depends_on_docstrings() -> None:
    done = subprocess.run(
        [sys.executable, "-OO", "-W", "error", "-c", WITHOUT_DOCSTRINGS],
        capture_output=True,
        text=True,
        check=False,
        cwd=PROJECT,
    )
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout.count("Check the installation, compile ahead, measure speed.") == 2
    )  # in the list of commands and as the help of one
    assert "held-out: collects cards" in " ".join(done.stdout.split())
