"""What comes with the library or with other packages: packs, policies, agents and features."""

from __future__ import annotations

from collections import Counter
from importlib.metadata import EntryPoint, entry_points

from riverbed_env.core.packs import pack_names
from riverbed_env.entries import load_entry
from riverbed_env.errors import RiverbedError
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game, game_ids

from .findings import Finding, note, wrong

AGAIN = "the installation isn't whole: pip install --force-reinstall --no-deps riverbed"
GROUPS = {"riverbed.agents": "agents", "riverbed.features": "features"}
OURS = "riverbed"
WITH_PACKS = ("riverbed_hunt", "deep_river", "riverside")  # of our games


def packs() -> list[Finding]:
    """The content packs of each game that has some, read and checked."""
    found = []
    for game in map(find_game, game_ids()):
        if game.load_pack is None:
            continue
        names = pack_names(game.name)
        if "default" not in names and game.name in WITH_PACKS:
            found.append(wrong(f"{game.title}: the pack 'default' is missing", AGAIN))
        for name in names:
            try:
                found.append(Finding(f"{game.title}: {name}, {game.load_pack(name).contents}"))
            except RiverbedError as error:
                found.append(wrong(f"{game.title}: {error}", AGAIN))
    return found


def policies() -> list[Finding]:
    """The published policies, loaded."""
    found = []
    for name in ("trained", "shared"):
        try:
            found.append(Finding(f"{name}: {getattr(find_agent(name, 'riverbed_hunt'), 'about', '')}"))
        except RiverbedError as error:
            found.append(wrong(f"{name}: {error}", AGAIN))
    return found


def plugins() -> list[Finding]:
    """The entry points of agents and features, ours and other packages'; each is loaded by itself."""
    found = []
    for group, words in GROUPS.items():
        entries = list(entry_points(group=group))
        broken = [told for entry in entries if (told := _fault(entry)) is not None]
        owners = Counter(_owner(entry) for entry in entries)
        said = ", ".join(f"{count} of {owner}" for owner, count in owners.items()) or "none"
        if not owners.get(OURS):
            broken.append(wrong(f"none of {OURS}'s own {words} is found", "pip install it: names come with installing"))
        found += [Finding(f"{words}: {said}"), *broken]
        twice = [name for name, count in Counter(entry.name for entry in entries).items() if count > 1]
        found += [note(f"{name} is entered by several packages: the last one found is taken") for name in twice]
    return found


def _owner(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else "an unknown package"


def _fault(entry: EntryPoint) -> Finding | None:
    """What is wrong with an entry point, None if it can be loaded."""
    try:
        load_entry(entry)
    except RiverbedError as error:
        if _owner(entry) == OURS:
            return wrong(str(error), AGAIN)
        advice = f"others play all the same; update {_owner(entry)}, tell its authors, or uninstall it"
        return wrong(str(error), advice)
    return None
