"""What the lock file holds, and what is made of it: docs/dev/dependencies.md.

`make lock` writes it (`python tests/tools/packaging/dependencies.py`, in an environment with all of the lock
installed). Licences are what the packages' own metadata say; if they say nothing, the title
of their licence file.
"""

import re
import sys
import sysconfig
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "dev" / "dependencies.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEWEST_PYTHON = PROJECT["classifiers"][-3].rpartition(" ")[2]
PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[\w.+!]+)(?: ; .*?)?(?: \\)?$", re.MULTILINE)
NOT_HERE = "not read"  # of what isn't installed where the page is written

# What a user of an MIT library can take along with notices alone; PSF-2.0 and MIT-CMU are of this kind too.
PERMISSIVE = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0",
    "CC0-1.0", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0", "Zlib",
}  # fmt: skip
# Changes to these packages' own files stay under their licence; nothing is asked of what uses them.
WEAK = {"MPL-2.0"}
# What each part may bring. Peers and dev are for comparing and testing: no code that comes with Riverbed needs them.
ALLOWED = dict.fromkeys(("base", "reports", "training", "notebooks", "web"), PERMISSIVE)
COPYLEFT = {"GPL-3.0-or-later", "LGPL-2.1"}
# The licences' names as older metadata write them.
NAMES = (
    (r"GNU General Public License v3 or later|GPL-3\.0\+", "GPL-3.0-or-later"),
    (r"LGPL", "LGPL-2.1"),
    (r"Mozilla Public License 2\.0", "MPL-2.0"),
    (r"Apache", "Apache-2.0"),
    (r"BSD[ -]3-Clause|3-Clause BSD", "BSD-3-Clause"),
    (r"BSD", "BSD"),
    (r"ISC", "ISC"),
    (r"Python Software Foundation", "PSF-2.0"),
    (r"\bMIT\b", "MIT"),
)

GRANTED_BY_MIT = "free of charge, to any person obtaining a copy of this software and associated documentation files"


@dataclass(frozen=True)
class Row:
    """A pinned dependency: its name, version, which parts want it, licence."""

    name: str
    version: str
    parts: tuple[str, ...]
    licence: str


def all_pins() -> list[tuple[str, str]]:
    """Name and version of each line of requirements.lock and of constraints.txt, by name."""
    texts = ((ROOT / file).read_text(encoding="utf-8") for file in ("requirements.lock", "constraints.txt"))
    return sorted((match["name"], match["version"]) for text in texts for match in PINNED.finditer(text))


def licence(name: str) -> str:
    """A package's licence as an SPDX expression where its metadata allow; "not read" if it isn't installed."""
    found = _installed().get(canonicalize_name(name))
    if found is None:
        return NOT_HERE
    said = found.metadata
    if said.get("License-Expression"):
        return str(said["License-Expression"])
    classified = [line for line in said.get_all("Classifier", []) if line.startswith("License ::")]
    words = " ".join([*(said.get("License") or "").splitlines()[:1], *classified]) or _title_of_licence(found)
    return next((spdx for pattern, spdx in NAMES if re.search(pattern, words)), words or "none stated")


@cache
def _installed() -> dict[str, metadata.Distribution]:
    """The environment's packages by name; Ray puts copies of its own on `sys.path` when it is imported."""
    folders = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    return {canonicalize_name(found.name): found for found in metadata.distributions(path=folders)}


def _title_of_licence(found: metadata.Distribution) -> str:
    """The first line of the licence file that a package brings, "" if it brings none; MIT's text may have no title."""
    brought = [file for file in found.files or [] if file.name.startswith("LICENSE")]
    text = brought[0].read_text() if brought else ""
    return "MIT" if GRANTED_BY_MIT in " ".join(text.split()) else text.partition("\n")[0]


def acceptable(expression: str, allowed: set[str]) -> bool:
    """Whether all that an expression asks for is allowed; of alternatives, whether one is."""
    return any(
        all(part.strip(" ()") in allowed for part in choice.split(" AND ")) for choice in expression.split(" OR ")
    )


def closure(wanted: list[str]) -> set[str]:
    """The names of requirements and of all that these want in turn, as far as they are installed."""
    names: set[str] = set()
    todo = [Requirement(line) for line in wanted]
    done: set[tuple[str, frozenset[str]]] = set()
    while todo:
        one = todo.pop()
        name, extras = canonicalize_name(one.name), frozenset(one.extras)
        if (name, extras) in done:
            continue
        done.add((name, extras))
        if name != "riverbed":
            names.add(name)
        found = _installed().get(name)
        more = [Requirement(line) for line in (found.requires if found else None) or []]
        todo += [each for each in more if _applies(each, extras)]
    return names


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    places = [{**default_environment(), "extra": extra} for extra in (*extras, "")]
    return requirement.marker is None or any(requirement.marker.evaluate(place) for place in places)


def rows() -> list[Row]:
    """All that is pinned, with the parts of Riverbed that want it: base, and extras for what base doesn't bring."""
    base = closure(PROJECT["dependencies"])
    wants = {name: closure(lines) - base for name, lines in PROJECT["optional-dependencies"].items()}
    pinned = []
    for name, version in all_pins():
        parts = ["base"] if name in base else [extra for extra, names in wants.items() if name in names]
        others = [part for part in parts if part != "dev"]
        pinned.append(Row(name, version, tuple(others or parts), licence(name)))
    return pinned


def faults(pinned: list[Row]) -> list[str]:
    """Licences that the users of a part couldn't accept, or that nobody knows."""
    said = []
    for row in pinned:
        for part in row.parts:
            allowed = ALLOWED.get(part, PERMISSIVE | WEAK | COPYLEFT)
            if row.licence != NOT_HERE and not acceptable(row.licence, allowed):
                said.append(f"{row.name} {row.version}, which {part} brings, is under {row.licence}")
    return said


def page(pinned: list[Row], before: str) -> str:
    """docs/dev/dependencies.md with a new table: the packages of each licence; those of base in bold."""
    by_licence: dict[str, dict[str, str]] = {}
    for row in pinned:
        by_licence.setdefault(row.licence, {})[row.name] = f"**{row.name}**" if "base" in row.parts else row.name
    table = "\n".join(f"| {licence} | {', '.join(by_licence[licence].values())} |" for licence in sorted(by_licence))
    head, line, _ = before.partition("| --- | --- |\n")
    return f"{head}{line}{table}\n"


def main() -> None:
    """Write the page; end with an error where a licence can't be accepted."""
    pinned = rows()
    PAGE.write_text(page(pinned, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    bad = faults(pinned)
    sys.exit("\n".join(bad) if bad else None)


if __name__ == "__main__":
    main()
