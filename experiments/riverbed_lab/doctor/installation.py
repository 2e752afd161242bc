"""Python, the package itself, and what it depends on; nothing outside the standard library is imported here."""

from __future__ import annotations

import platform
import re
import sys
import tomllib
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from ..extras import EXTRAS
from .findings import Finding, note, wrong

PACKAGES = ("riverbed_env", "agents", "experiments")
OLDEST_PYTHON = (3, 11)
TESTED = tomllib.loads(Path(__file__).with_name("tested.toml").read_text(encoding="utf-8"))
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(\[.*?\])?(?P<range>[^;]*)(;.*extra == ['\"](?P<extra>\w+)['\"])?")
SYSTEMS = ("Linux", "Darwin", "Windows")


@dataclass(frozen=True)
class Requirement:
    """A direct dependency: its name, the oldest version allowed, and the extra that wants it, "" for none."""

    name: str
    oldest: str
    extra: str


def numbers(version: str) -> tuple[int, ...]:
    """The release numbers of a version, to be compared: zeros at the end left out."""
    found = re.match(r"\d+(\.\d+)*", version)
    parts = [int(part) for part in found.group().split(".")] if found else []
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def requirements(written: list[str] | None) -> list[Requirement]:
    """The direct dependencies as a package's metadata states them."""
    found = []
    for line in written or []:
        match = REQUIREMENT.match(line)
        if match is not None:
            bound = re.search(r">=\s*([\w.]+)", match["range"])
            found.append(Requirement(match["name"], bound[1] if bound else "0", match["extra"] or ""))
    return found


def python() -> list[Finding]:
    """Python and the system."""
    said = f"Python {platform.python_version()} ({platform.python_implementation()}), {platform.platform()}"
    newest = numbers(TESTED["python"])
    if sys.version_info[:2] < OLDEST_PYTHON:
        return [wrong(said, "Riverbed needs Python 3.11 or later")]
    if sys.implementation.name != "cpython":
        return [wrong(said, "the rules are compiled by Numba, which needs CPython")]
    if sys.version_info[:2] > newest[:2]:
        return [note(said, f"Python {TESTED['python']} is the newest that was tested")]
    if platform.system() not in SYSTEMS:
        return [note(said, f"systems are {', '.join(SYSTEMS)}; another may do, nobody has tried")]
    return [Finding(said)]


def package() -> list[Finding]:
    """The package: one version, all its parts in one folder."""
    homes = {name: _home(name) for name in PACKAGES}
    home = Path(__file__).parents[2]
    strangers = [f"{name} in {found}" for name, found in homes.items() if found != home]
    try:
        version = metadata.version("riverbed")
    except metadata.PackageNotFoundError:
        return [wrong(f"not installed, only importable from {home}", f"pip install {home}: agents are found by it")]
    if strangers:
        return [
            wrong(
                f"riverbed {version} in {home}, but Python finds {'; '.join(strangers)}",
                "another package or a folder of yours has the same name: use an environment of its own, or start "
                "Python elsewhere",
            )
        ]
    return [Finding(f"riverbed {version} in {home}")]


def _home(name: str) -> Path | None:
    """The folder that a package is found in, None where it isn't found."""
    spec = find_spec(name)
    return Path(spec.origin).parents[1] if spec and spec.origin else None


def dependencies() -> list[Finding]:
    """What the library can't do without, beside what it allows and what was tested."""
    return [_judged(each) for each in _required() if not each.extra]


def extras() -> list[Finding]:
    """Which extras are there, and what each is for; versions of what is installed of them."""
    found = []
    for name, extra in EXTRAS.items():
        missing = extra.missing
        advice = f"pip install 'riverbed[{name}]'"
        if len(missing) == len(extra.modules):
            found.append(Finding(f"{name}: not installed ({extra.about}); {advice}"))
            continue
        if missing:
            found.append(note(f"{name}: only a part is installed, not {', '.join(missing)} ({extra.about})", advice))
        else:
            found.append(Finding(f"{name}: installed ({extra.about})"))
        judged = [_judged(each) for each in _required() if each.extra == name and _version(each.name)]
        found += [each for each in judged if each.state != "fine"]
    return found


def _required() -> list[Requirement]:
    try:
        return requirements(metadata.requires("riverbed"))
    except metadata.PackageNotFoundError:
        return []


def _version(name: str) -> str:
    """The installed version, "" for none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _judged(required: Requirement) -> Finding:
    """A dependency's version beside the range."""
    version, newest = _version(required.name), TESTED["packages"].get(required.name, "")
    allowed = f"{required.oldest} or later, tested up to {newest or 'any'}"
    if not version:
        return wrong(f"{required.name} is missing ({allowed})", f"pip install '{required.name}>={required.oldest}'")
    said = f"{required.name} {version} ({allowed})"
    if numbers(version) < numbers(required.oldest):
        return wrong(f"{said}: too old", f"pip install '{required.name}>={required.oldest}'")
    if newest and numbers(version)[:2] > numbers(newest)[:2]:
        advice = f"newer than what was tested; if something fails, pip install '{required.name}<={newest}'"
        return note(said, advice)
    return Finding(said)
