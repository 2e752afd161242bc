"""All that is looked at, one after another; what can't be looked at is a finding too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module

from .findings import Finding, lines, wrong

CHECKS = {
    "Python": "installation:python",
    "Package": "installation:package",
    "Dependencies": "installation:dependencies",
    "Extras": "installation:extras",
    "Machine": "machine:resources",
    "NUMBA_ variables": "machine:numba_variables",
    "Terminal": "machine:terminal",
    "Browser": "machine:browser",
    "Compiled kernels": "kernels:cache",
    "Content packs": "contents:packs",
    "Published policies": "contents:policies",
    "Agents and features by name": "contents:plugins",
    "Self-test": "self_test:self_test",
}
PLAYS = "Self-test"


def look(check: Callable[[], list[Finding]]) -> list[Finding]:
    """What a check finds; that it failed, where it does."""
    try:
        return check()
    except Exception as error:  # the other checks are made all the same
        why = f"can't be looked at: {type(error).__name__}: {error}"
        return [wrong(why, "see what is wrong above; if nothing is, please report this")]


def find(name: str, play: bool) -> list[Finding]:
    """The findings of one check by its title."""
    module, _, function = CHECKS[name].partition(":")

    def check() -> list[Finding]:
        # Imported here, so that a broken dependency hides nothing but what needs it.
        found: Callable[..., list[Finding]] = getattr(import_module(f".{module}", __package__), function)
        return partial(found, play)() if name == PLAYS else found()

    return look(check)


def examine(play: bool = False) -> Iterator[tuple[list[str], bool]]:
    """Check by check: what is said of it, and whether something is wrong."""
    for name in CHECKS:
        found = find(name, play)
        yield lines(name, found), any(each.state == "wrong" for each in found)


def report(say: Callable[[str], object], play: bool = False) -> int:
    """Say all that is found; 0 if nothing is wrong, else 1."""
    faults = 0
    for said, is_wrong in examine(play):
        say("\n".join(said))
        faults += is_wrong
    say(f"\nwrong: see the lines marked ! ({faults} of {len(CHECKS)} parts)" if faults else "\nnothing is wrong")
    return int(faults > 0)
