"""The page of dependencies, the versions `riverbed doctor` knows and the licences are those of what is pinned."""

import re

import dependencies
from dependencies import PAGE, PERMISSIVE, PROJECT, ROOT, acceptable, all_pins, closure, faults, rows
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


APART = {"openenv", "verifiers", "trl", "inspect"}  # what these pin excludes one another: `make trainers` tests them


def direct() -> dict[str, Requirement]:
    """All direct dependencies that one lock can hold, by their canonical names, riverbed's own extras left out."""
    extras = [lines for name, lines in PROJECT["optional-dependencies"].items() if name not in APART]
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]
    required = {canonicalize_name(each.name): each for each in map(Requirement, lines)}
    return {name: each for name, each in required.items() if name != "riverbed"}


def test_every_direct_dependency_is_pinned_within_its_range() -> None:
    pinned = dict(all_pins())
    for name, required in direct().items():
        assert Version(pinned[name]) in required.specifier, name


def test_all_that_is_installed_for_it_is_pinned() -> None:
    pinned = {name for name, _ in all_pins()}
    assert closure(["riverbed[dev,peers]"]) - pinned == set()


def test_every_file_of_the_lock_has_hashes_and_torch_is_not_among_them() -> None:
    parts = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]
    assert len(parts) > 100
    assert [part.split()[0] for part in parts if "--hash=sha256:" not in part] == []
    assert not any(re.match(r"(torch|(triton|nvidia|cuda)[\w-]*)==", part) for part in parts)


def test_the_page_lists_what_is_pinned_by_licence() -> None:
    lines = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)[2:]
    stated = {name.strip("*"): licence for licence, names in lines for name in names.split(", ")}
    assert stated.keys() == {name for name, _ in all_pins()}, "make lock writes it again"
    read = [row for row in rows() if row.licence != dependencies.NOT_HERE]
    assert {row.name: stated[row.name] for row in read} == {row.name: row.licence for row in read}


def test_no_licence_is_one_that_users_could_not_accept() -> None:
    assert faults(rows()) == []


def test_licences_are_judged() -> None:
    for expression in ("MIT", "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", "Apache-2.0 OR GPL-3.0-or-later"):
        assert acceptable(expression, PERMISSIVE)
    for expression in ("GPL-3.0-or-later", "MIT AND LGPL-2.1", "none stated"):
        assert faults([dependencies.Row("some", "1.0", ("base",), expression)])
