"""`riverbed doctor` finds what is wrong with an installation, says what to do, and compiles nothing unasked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from in_process import riverbed
from riverbed_lab.doctor.findings import Finding, lines

from riverbed_env.core import packs
from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import DIGITS
from riverbed_env.kernels.loops import MADE_OF
from riverbed_env.registry import find_game
from riverbed_lab.doctor import contents, installation, kernels, machine, run, self_test
from riverbed_lab.extras import EXTRAS


def states(findings: list[Finding]) -> list[str]:
    return [each.state for each in findings]


def fault(findings: list[Finding]) -> Finding:
    """The one finding that is wrong."""
    (found,) = [each for each in findings if each.state == "wrong"]
    assert found.advice
    return found


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing were compiled, so that no game is played."""
    monkeypatch.setattr(self_test, "is_warm", lambda game: False)


def test_a_whole_installation_has_nothing_wrong(cold: None) -> None:
    done = riverbed("doctor")
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith("nothing is wrong")
    for words in (
        *run.CHECKS,
        *EXTRAS,
        "Python 3",
        "numba",
        "GiB free",
        "riverbed doctor --play compiles it",
        "shared",
    ):
        assert words in done.stdout


def test_it_starts_by_itself_where_a_dependency_is_missing() -> None:
    blocked = "import sys; sys.modules['numba'] = sys.modules['typer'] = None; sys.argv[0] = 'doctor'; import runpy; "
    program = blocked + "runpy.run_module('riverbed_lab.doctor', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "can't be looked at: ModuleNotFoundError" in done.stdout
    assert "cores for this process" in done.stdout  # the other checks are made


# --- Python, package, dependencies ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "state", "advice"),
    [
        ("", "wrong", "pip install 'numba>=0.68'"),
        ("0.61.2", "wrong", "pip install 'numba>=0.68'"),
        ("0.68.0", "fine", ""),
        ("0.68.9", "fine", ""),
        ("0.690.0", "note", "pip install 'numba<="),
    ],
)
def test_versions_are_judged_by_the_range(
    version: str, state: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "_version", lambda name: version)
    monkeypatch.setattr(installation, "_required", lambda: installation.requirements(["numba>=0.68"]))
    (found,) = installation.dependencies()
    assert found.state == state
    assert advice in found.advice


def test_requirements_are_read_as_metadata_write_them() -> None:
    read = installation.requirements(["numpy>=2.0", 'torch>=2.4; extra == "training"', 'a[b]>=1.2 ; extra == "peers"'])
    assert [(each.name, each.oldest, each.extra) for each in read] == [
        ("numpy", "2.0", ""), ("torch", "2.4", "training"), ("a", "1.2", "peers"),
    ]  # fmt: skip
    assert installation.numbers("2.0.0") == installation.numbers("2") < installation.numbers("2.0.1rc1")
    assert installation.numbers("0.9") < installation.numbers("0.10")


def test_an_old_python_is_wrong_and_a_new_one_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation.sys, "version_info", (3, 10, 4))
    assert states(installation.python()) == ["wrong"]
    monkeypatch.setattr(installation.sys, "version_info", (3, 99, 0))
    assert states(installation.python()) == ["note"]


def test_another_package_of_the_same_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "agents" / "__init__.py"
    usual = installation.find_spec
    monkeypatch.setattr(
        installation, "find_spec", lambda name: SimpleNamespace(origin=str(other)) if name == "agents" else usual(name)
    )
    assert str(tmp_path) in fault(installation.package()).what


def test_extras_say_what_they_are_for_and_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverbed_lab.extras.find_spec", lambda name: None if name != "torch" else object())
    found = {each.what.partition(":")[0]: each for each in installation.extras()}
    assert "pip install 'riverbed[reports]'" in found["reports"].what
    assert (found["reports"].state, found["training"].state) == ("fine", "note")
    assert "stable_baselines3" in found["training"].what


# --- the machine ----------------------------------------------------------------------------------------------------


def test_variables_that_change_what_is_compiled_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in machine.os.environ if name.startswith("NUMBA_")]:
        monkeypatch.delenv(name)
    assert [each.what for each in machine.numba_variables()] == ["none is set"]
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert states(machine.numba_variables()) == ["note", "fine"]


def test_a_full_disk_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.disk(tmp_path).state == "fine"
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda folder: SimpleNamespace(free=10**6))
    assert machine.disk(tmp_path).state == "wrong"


def test_letters_and_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = SimpleNamespace(isatty=lambda: True, encoding="ascii")
    monkeypatch.setattr(machine.sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "60")
    width, letters = machine.terminal()
    assert (width.state, letters.state) == ("note", "note")
    assert letters.what == "letters are written as ascii"


def test_a_missing_browser_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise machine.webbrowser.Error

    monkeypatch.setattr(machine.webbrowser, "get", none)
    assert states(machine.browser()) == ["note"]


# --- kernels --------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_a_cache_that_cannot_be_written_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder ought to be")
    monkeypatch.setenv("RIVERBED_CACHE_DIR", str(blocked))
    monkeypatch.setattr(kernels.platformdirs, "user_cache_dir", lambda name: str(tmp_path / "own"))
    monkeypatch.setattr(kernels, "is_warm", lambda game: False)
    assert "note" in states(kernels.cache())
    monkeypatch.setattr(kernels.platformdirs, "user_cache_dir", lambda name: str(blocked / "below"))
    assert "RIVERBED_CACHE_DIR" in fault(kernels.cache()).advice


def test_kernels_are_counted_and_older_ones_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBED_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels, "PACKAGES", ())
    monkeypatch.setattr(kernels.platformdirs, "user_cache_dir", lambda name: str(tmp_path / "nowhere"))
    for digit, age in (("0", 1), ("1", 2)):
        folder = tmp_path / f"deep_river-{digit * DIGITS}"
        folder.mkdir()
        (folder / "engine.step-1.py311.1.nbc").write_bytes(b"x" * 10)
        kernels.os.utime(folder, (age, age))
    (found,) = kernels.kept().values()
    assert [path.name[-1] for path in found] == ["1", "0"]
    said = " ".join(each.what for each in kernels._contents())
    assert "1 kernels compiled" in said
    assert "1 more in 1 folders of older sources" in said


@pytest.mark.compiled
def test_a_loop_that_was_never_compiled_is_not_taken_for_kept() -> None:
    class Strange:
        _cache = None

    assert not kernels._is_kept(Strange())
    empty = SimpleNamespace(_cache=SimpleNamespace(_cache_file=SimpleNamespace(_load_index=dict)))
    assert not kernels._is_kept(empty)


@pytest.mark.compiled
def test_what_a_person_has_played_counts_as_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = find_game("deep_river_v0"), set()
    usual = type(game).loop

    def loop(game: Game, name: str, **more: object) -> object:
        asked.add(name)
        return usual(game, name, **more)

    monkeypatch.setattr(type(game), "loop", loop)
    assert self_test.play_one(game) > 10
    inside = {helper for name in kernels.LOOPS for helper in MADE_OF[name]}
    assert asked - inside == set(kernels.LOOPS)  # no more is compiled by the self-test than is looked for


@pytest.mark.compiled
def test_a_game_that_was_compiled_in_part_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_is_kept", lambda loop: False)
    game = find_game("deep_river_v0")
    for cold, words in ((True, "not compiled yet"), (False, "compiled in part")):
        monkeypatch.setitem(vars(game.family), "cold", cold)
        assert words in kernels._game(game.id).what


# --- contents -------------------------------------------------------------------------------------------------------


def test_a_damaged_pack_and_a_missing_one_are_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep_river").mkdir()
    (tmp_path / "deep_river" / "default.toml").write_text("no pack")
    monkeypatch.setattr(packs, "PACKS", tmp_path)
    said = [each.what for each in contents.packs() if each.state == "wrong"]
    assert any("isn't TOML" in words for words in said)
    assert sum("'default' is missing" in words for words in said) == 2


def test_a_missing_policy_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from riverbed_agents.riverbed_hunt.trained import agent as trained

    monkeypatch.setattr(trained, "FOLDER", tmp_path)
    trained.trained_agent.cache_clear()
    trained.shared_agent.cache_clear()
    try:
        assert states(contents.policies()) == ["wrong", "wrong"]
    finally:
        trained.trained_agent.cache_clear()
        trained.shared_agent.cache_clear()


def test_a_broken_plugin_is_told_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / "some_plugin-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: some-plugin\nVersion: 1.0\n")
    names = "deep_river.greedy = riverbed_agents.deep_river.greedy:GREEDY\ndeep_river.gone = no_such_plugin:AGENT\n"
    (about / "entry_points.txt").write_text(f"[riverbed.agents]\n{names}")
    monkeypatch.syspath_prepend(tmp_path)
    found = contents.plugins()
    assert "uninstall it" in fault(found).advice
    assert "some-plugin" in fault(found).what
    assert any("deep_river.greedy is entered by several" in each.what for each in found)


# --- what is said ---------------------------------------------------------------------------------------------------


def test_a_game_that_fails_is_wrong_and_the_command_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(game: object) -> int:
        raise RuntimeError("the game doesn't end")

    monkeypatch.setattr(self_test, "play_one", fail)
    assert set(states(self_test.self_test(play=True))) == {"wrong"}
    done = riverbed("doctor", "--play")
    assert done.returncode == 1
    assert "! Deep River: RuntimeError: the game doesn't end" in done.stdout


def test_what_is_wrong_is_marked_and_the_advice_stands_below() -> None:
    said = lines("Title", [Finding("good"), Finding("bad " * 40, "wrong", "do this")])
    assert said[:2] == ["Title", "    good"]
    assert said[2].startswith("  ! bad")
    assert said[-1].strip() == "-> do this"
    assert max(map(len, said)) <= 110


def test_a_check_that_breaks_is_a_finding() -> None:
    def broken() -> list[Finding]:
        raise OSError("no such thing")

    assert states(run.look(broken)) == ["wrong"]
