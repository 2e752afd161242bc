"""The sdist is the repository, the wheel its packages; installed elsewhere, the wheel finds all it comes with.

`make dist` installs both in empty environments and plays there, which takes many minutes.
"""

import json
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any

import packages_kit
import pytest
from packages_kit import (
    HOMES,
    MOST_SDIST,
    MOST_WHEEL,
    Built,
    expected_in_wheel,
    repository_files,
    sdist_files,
    wheel_files,
)

from riverbed_env.version import __version__
from riverbed_lab.extras import EXTRAS, how_to_install

# Run with the wheel before everything else on the path and without what extras install.
ALONE = """
import importlib.abc, sys
site, *blocked = {words!r}
sys.path.insert(0, site)

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
"""

LOOK = """
import contextlib, io, json
from importlib.metadata import version
import riverbed_env
from riverbed_lab.cli.app import main
from riverbed_env.core.packs import pack_names
from riverbed_env.players.installed import list_agents
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game, game_ids

def say(*words):
    out, err, code = io.StringIO(), io.StringIO(), 0
    sys.argv[:] = ["riverbed", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code
    return [code, out.getvalue() + err.getvalue()]

games = [find_game(name) for name in game_ids()]
packs = {game.id: [game.load_pack(name).hash for name in pack_names(game.name)] for game in games if game.load_pack}
agents = {game.name: {name: find_agent(name, game.name).name for name in list_agents(game.name)} for game in games}
said = {command: say(*command.split()) for command in %r}
print(json.dumps({
    "home": riverbed_env.__file__, "version": version("riverbed"), "packs": packs, "agents": agents,
    "said": said, "heavy": sorted({"torch", "matplotlib", "pyarrow", "scipy"} & set(sys.modules)),
}))
"""

TRAINING, REPORTS, WEB = (how_to_install(extra) for extra in ("training", "reports", "web"))
NEEDS = {
    "train --set steps=1000 --out here": TRAINING,
    "distil --out here": TRAINING,
    "exploit simple --out here": TRAINING,
    "evaluate --games 2 --out here": REPORTS,
    "evaluate simple --games 2 --out here": REPORTS,
    "serve": WEB,
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return packages_kit.build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the unpacked wheel shows of itself, outside the repository and without any extra."""
    folder = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(built.wheel) as archive:
        archive.extractall(folder / "site")
    blocked = [module for extra in EXTRAS.values() for module in extra.modules]
    program = ALONE.format(words=[str(folder / "site"), *blocked]) + LOOK % [*NEEDS, "games", "--version"]
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["site"], "a command began to work without its extra"
    return {"site": str(folder / "site"), **json.loads(done.stdout)}


def test_the_sdist_is_the_repository(built: Built) -> None:
    assert sdist_files(built) == set(repository_files())
    assert built.sdist.stat().st_size <= MOST_SDIST


def test_the_wheel_holds_the_packages_and_their_data_and_nothing_else(built: Built) -> None:
    assert wheel_files(built) == expected_in_wheel()
    assert {f"{package}/py.typed" for package in HOMES} <= wheel_files(built)
    assert built.wheel.stat().st_size <= MOST_WHEEL


def test_the_metadata_says_what_it_is(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        said = Parser().parsestr(archive.read(name).decode())
    assert (said["Name"], said["Version"]) == ("riverbed", __version__)
    assert said["License-Expression"] == "MIT AND Bitstream-Vera"
    assert said["Description-Content-Type"] == "text/markdown"
    assert set(said.get_all("Provides-Extra", [])) == {*EXTRAS, "dev", "docs"}


def test_the_wheel_brings_its_packs_agents_and_policies(installed: dict[str, Any]) -> None:
    assert Path(installed["home"]).is_relative_to(installed["site"])
    assert installed["version"] == __version__
    assert {game for game, packs in installed["packs"].items() if packs} == {
        "riverbed_hunt_v1", "deep_river_v0", "riverside_v0",
    }  # fmt: skip
    assert {"student", "lookahead", "rule_based"} <= set(installed["agents"]["riverbed_hunt"])
    assert all(len(names) > 1 for names in installed["agents"].values())
    assert installed["heavy"] == []


def test_the_commands_say_which_extra_they_need_before_any_work(installed: dict[str, Any]) -> None:
    said = installed["said"]
    assert {command: said[command][0] for command in NEEDS} == dict.fromkeys(NEEDS, 2)
    for command, advice in NEEDS.items():
        assert said[command][1].strip().endswith(advice), command
        assert said[command][1].count("\n") == 1, command
    assert said["games"][0] == 0
    assert all(game in said["games"][1] for game in installed["packs"])
    assert said["--version"][1].strip() == __version__
