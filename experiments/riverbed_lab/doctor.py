"""`riverbed doctor`: what is wrong with an installation, and what to do about it.

`python -m riverbed_lab.doctor` does the same if a missing dependency keeps `riverbed` from starting: this module
imports dependencies only inside the checks that use them.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from .extras import EXTRAS, how_to_install

PACKAGES = ("riverbed_env", "riverbed_agents", "riverbed_web", "riverbed_lab")
OLDEST_PYTHON = (3, 11)
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)[^;]*(?P<extra>;.*extra == .*)?")
MARKS = {"ok": "    ", "note": "  - ", "wrong": "  ! "}


@dataclass(frozen=True)
class Finding:
    """One line of the report: ok, worth a note (it works all the same), or wrong; `advice` says what to do."""

    what: str
    state: Literal["ok", "note", "wrong"] = "ok"
    advice: str = ""

    def __str__(self) -> str:
        return MARKS[self.state] + self.what + (f"\n      -> {self.advice}" if self.advice else "")


def python() -> list[Finding]:
    """The version of Python."""
    what = f"Python {sys.version.split()[0]} ({sys.implementation.name}) on {sys.platform}"
    if sys.version_info[:2] < OLDEST_PYTHON or sys.implementation.name != "cpython":
        return [Finding(what, "wrong", "Riverbed needs CPython 3.11 or later")]
    return [Finding(what)]


def package() -> list[Finding]:
    """The package itself: installed, with all its parts from one place."""
    tree = Path(__file__).parents[2]
    try:
        version = metadata.version("riverbed")
    except metadata.PackageNotFoundError:
        return [Finding(f"not installed, only importable from {tree}", "wrong", f"pip install {tree}")]
    specs = {name: find_spec(name) for name in PACKAGES}
    missing = [name for name, spec in specs.items() if spec is None]
    if missing:
        return [
            Finding(f"{', '.join(missing)} can't be found", "wrong", "install again from the checkout: pip install .")
        ]
    return [Finding(f"riverbed {version}: {specs['riverbed_env'].origin}")]  # type: ignore[union-attr]  # none is missing


def dependencies() -> list[Finding]:
    """The versions of the dependencies; the extras."""
    required = [match for line in metadata.requires("riverbed") or [] if (match := REQUIREMENT.match(line))]
    findings = [_installed(match["name"]) for match in required if not match["extra"]]
    for name, extra in EXTRAS.items():
        missing = extra.missing
        if missing:
            some = "" if len(missing) == len(extra.modules) else f" ({', '.join(missing)} missing)"
            findings.append(Finding(f"extra {name} isn't installed{some}: {extra.about}", "ok", how_to_install(name)))
        else:
            findings.append(Finding(f"extra {name}: {extra.about}"))
    return findings


def _installed(name: str) -> Finding:
    """A dependency's version."""
    try:
        return Finding(f"{name} {metadata.version(name)}")
    except metadata.PackageNotFoundError:
        return Finding(f"{name} is missing", "wrong", f"pip install '{name}'")


def kernels() -> list[Finding]:
    """The folders that compiled kernels are kept in."""
    from riverbed_env.kernels.compile import compiled
    from riverbed_env.registry import find_game, game_ids

    if not compiled():
        return [Finding("rules run as plain Python, a hundred times slower", "note", "unset NUMBA_DISABLE_JIT")]
    findings = []
    for game in map(find_game, game_ids()):
        cache = game.family.cache
        size = sum(path.stat().st_size for folder in cache.read for path in folder.glob("*.nbc")) / 1e6
        if not size and cache.saved is None:
            return [Finding("no folder can be written", "wrong", "set RIVERBED_CACHE_DIR to a folder you can write")]
        known = (
            f"{size:.0f} MB compiled"
            if size
            else "not compiled yet: takes half a minute ('riverbed doctor --compile all' does it)"
        )
        findings.append(Finding(f"{game.title}: {known}, {', '.join(map(str, cache.read))}"))
    return findings


def plugins() -> list[Finding]:
    """The installed agents, ours and those of other packages; each is loaded."""
    from riverbed_env.errors import RiverbedError
    from riverbed_env.players.specs import find_agent

    findings = []
    for entry in metadata.entry_points(group="riverbed.agents"):
        game, _, name = entry.name.rpartition(".")
        try:
            find_agent(name, game or "riverbed_hunt")
        except RiverbedError as error:
            owner = entry.dist.name if entry.dist is not None else "its package"
            findings.append(Finding(str(error), "wrong", f"update or uninstall {owner}; the others still play"))
    return findings or [Finding("all installed agents can be loaded")]


CHECKS: dict[str, Callable[[], list[Finding]]] = {
    "Python": python,
    "Package": package,
    "Dependencies": dependencies,
    "Compiled kernels": kernels,
    "Agents": plugins,
}


def examine(check: Callable[[], list[Finding]]) -> list[Finding]:
    """The findings of a check; an exception becomes a finding, so that the other checks still run."""
    try:
        return check()
    except Exception as error:
        return [
            Finding(
                f"{type(error).__name__}: {error}", "wrong", "see above; if nothing is wrong there, please report this"
            )
        ]


def report(say: Callable[[str], object]) -> int:
    """Say what every check finds; the exit code, 1 if something is wrong."""
    wrong = 0
    for title, check in CHECKS.items():
        findings = examine(check)
        say("\n".join([title, *map(str, findings)]))
        wrong += any(each.state == "wrong" for each in findings)
    say(f"\n{wrong} of the parts above have lines marked !" if wrong else "\nnothing is wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(report(print))
