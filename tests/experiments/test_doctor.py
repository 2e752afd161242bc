"""`riverbed doctor` finds what is wrong with an installation, and says what to do."""

import subprocess
import sys
from pathlib import Path

import pytest
from in_process import riverbed

from riverbed_env.entries import ENTRIES
from riverbed_env.registry import find_game
from riverbed_lab import doctor
from riverbed_lab.doctor import Finding
from riverbed_lab.extras import EXTRAS


def wrong(findings: list[Finding]) -> Finding:
    """The one finding that is wrong."""
    (found,) = [each for each in findings if each.state == "wrong"]
    assert found.advice
    return found


def test_a_sound_installation_has_nothing_wrong() -> None:
    done = riverbed("doctor")
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith("nothing is wrong")
    for words in (*doctor.CHECKS, *EXTRAS, "Python 3", "numba"):
        assert words in done.stdout


def test_it_starts_without_the_dependencies() -> None:
    blocked = "import sys; sys.modules['numba'] = sys.modules['typer'] = None; sys.argv[0] = 'doctor'; import runpy; "
    program = blocked + "runpy.run_module('riverbed_lab.doctor', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "! ModuleNotFoundError" in done.stdout
    assert "extra training" in done.stdout  # the other checks are made


@pytest.mark.compiled
def test_games_are_compiled_ahead() -> None:
    done = riverbed("doctor", "--compile", "games")
    assert done.returncode == 0, done.stdout
    assert "later starts find it in the cache" in done.stdout
    assert "not compiled yet" not in done.stdout


def test_a_dependency_that_is_missing_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    version = doctor.metadata.version

    def installed(name: str) -> str:
        if name == "numba":
            raise doctor.metadata.PackageNotFoundError
        return version(name)

    monkeypatch.setattr(doctor.metadata, "version", installed)
    assert wrong(doctor.dependencies()).what == "numba is missing"


def test_an_old_python_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.sys, "version_info", (3, 10, 4))
    assert wrong(doctor.python())


def test_an_extra_is_told_with_its_purpose_and_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverbed_lab.extras.find_spec", lambda name: None if name != "torch" else object())
    findings = {each.what.split()[1]: each for each in doctor.dependencies() if each.what.startswith("extra ")}
    assert findings["reports"].advice == "pip install '.[reports]' in the checkout"
    assert "stable_baselines3" in findings["training"].what


@pytest.mark.compiled
def test_an_empty_cache_that_cannot_be_written_is_wrong_and_a_warm_one_isnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game_id in ENTRIES:
        monkeypatch.setattr(find_game(game_id).family.cache, "read", [tmp_path])
        monkeypatch.setattr(find_game(game_id).family.cache, "saved", None)
    assert "RIVERBED_CACHE_DIR" in wrong(doctor.kernels()).advice
    (tmp_path / "step.nbc").write_bytes(bytes(10**6))
    assert {finding.state for finding in doctor.kernels()} == {"ok"}


def test_a_broken_plugin_is_named_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / "some_plugin-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: some-plugin\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[riverbed.agents]\ndeep_river.gone = no_such_plugin:AGENT\n")
    monkeypatch.syspath_prepend(tmp_path)
    finding = wrong(doctor.plugins())
    assert "some-plugin" in finding.what
    assert "uninstall some-plugin" in finding.advice


def test_a_check_that_raises_is_wrong_and_its_advice_stands_below() -> None:
    def broken() -> list[Finding]:
        raise OSError("no such thing")

    (finding,) = doctor.examine(broken)
    assert str(finding).splitlines() == [
        "  ! OSError: no such thing", "      -> see above; if nothing is wrong there, please report this",
    ]  # fmt: skip
