"""A corpus that `riverbed games` is given: what it holds, whether it is whole, its decisions for other libraries."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.core.files import write_arrays
from riverbed_env.core.options import check_choice
from riverbed_env.errors import OptionError, RiverbedError

from ..config_files import assignments, build
from ..extras import need
from .console import console, errors, progress_bar
from .record import part_numbers

if TYPE_CHECKING:
    from riverbed_env.corpus import Corpus

HASHES, GAMES = CHECKS = ("hashes", "games")  # of the parts; of games played again, too
WAYS = "numpy:FILE.npz, tensordict:FOLDER or minari:riverbed/hunt-v0"


@dataclass(frozen=True)
class Decisions:
    """Which decisions of a corpus are checked or written, as `--only` takes them; all by default."""

    agents: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    parts: str = ""
    view: str = "history"


def show_corpus(folder: Path, check: str | None, to: str | None, only: list[str] | None) -> None:
    """Describe a corpus, check it, or write its decisions for another library."""
    need("corpus")
    from riverbed_env.corpus import Corpus

    found, wanted = Corpus(folder), build(Decisions, assignments(only or [], "--only"), "--only")
    chosen = part_numbers(wanted.parts, found.manifest.num_parts) if wanted.parts else found.parts
    if check is not None:
        check_choice("--check", check, CHECKS)
        _check(found, chosen, replay=check == GAMES)
    if to is not None:
        agents, roles = wanted.agents or None, wanted.roles or None
        _export(found, to, {"parts": chosen, "agents": agents, "roles": roles, "view": wanted.view})
    if check is None and to is None:
        _describe(found)


def _describe(found: Corpus) -> None:
    manifest = found.manifest
    there = "" if len(found.parts) == manifest.num_parts else f", {len(found)} of them here"
    whole = f", hash {manifest.digest()[:12]}…" if len(manifest.parts) == manifest.num_parts else ""
    counts = ", ".join(map(str, manifest.players))
    for line in (
        f"{manifest.games:,} games of {manifest.environment}{there}, seed {manifest.seed}{whole}",
        f"players {counts}; {manifest.num_parts:,} parts of {manifest.part:,} games; version {manifest.version}",
        f"agents {', '.join(manifest.agents)}",
    ):
        console.print(line, soft_wrap=True)


def _check(found: Corpus, parts: Collection[int], replay: bool) -> None:
    """Check these parts; RiverbedError if one is missing or differs."""
    if not parts:
        raise OptionError(f"{found.folder} has no parts yet")
    games = decisions = 0
    with progress_bar() as bar:
        task = bar.add_task("checking", total=len(parts))
        for part in parts:
            checked = found.check(part, replay=replay)
            games, decisions = games + len(checked), decisions + len(checked.actions)
            bar.advance(task)
    against = "the manifest's hashes" if found.manifest.parts else "their own hashes (the manifest has none yet)"
    ends = ", and all games end as recorded" if replay else ""
    console.print(
        f"{len(parts)} parts with {games:,} games and {decisions:,} decisions agree with {against}{ends}",
        soft_wrap=True,
    )
    missing = found.manifest.num_parts - len(found.parts)
    if missing and len(parts) == len(found.parts):
        raise RiverbedError(f"{missing} of {found.manifest.num_parts} parts are missing in {found.folder}")


# --- other libraries --------------------------------------------------------------------------------------------------


def _export(found: Corpus, to: str, chosen: dict[str, Any]) -> None:
    name, _, out = to.partition(":")
    check_choice("--to", name, WRITERS)
    if not out:
        raise OptionError(f"--to {name} needs where to: {WAYS}")
    for extra in EXTRA_OF[name]:
        need(extra)
    with errors.status("playing the games again …"):
        written = WRITERS[name](found, out, chosen)
    console.print(f"{written} in {out}", soft_wrap=True)


def _to_numpy(found: Corpus, out: str, chosen: dict[str, Any]) -> str:
    if not out.endswith(".npz"):
        raise OptionError(f"--to numpy: needs a file that ends in .npz, not {out}")
    arrays = found.arrays(**chosen)
    write_arrays(Path(out), arrays)
    return f"{len(arrays['action']):,} decisions"


def _to_tensordict(found: Corpus, out: str, chosen: dict[str, Any]) -> str:
    from riverbed_env.integrations.offline.tensordicts import tensordict

    path = Path(out)
    if path.exists():
        raise OptionError(f"there is something at {path} already; choose another place, or delete it")
    transitions = tensordict(found, **chosen)
    partial = path.with_name(f".{path.name}.part")
    shutil.rmtree(partial, ignore_errors=True)
    transitions.memmap(str(partial))
    partial.rename(path)
    return f"{len(transitions):,} transitions"


def _to_minari(found: Corpus, out: str, chosen: dict[str, Any]) -> str:
    from riverbed_env.integrations.offline.minari import to_minari

    dataset = to_minari(found, out, **chosen)
    return f"{dataset.total_episodes:,} episodes with {dataset.total_steps:,} steps"


WRITERS: dict[str, Callable[[Corpus, str, dict[str, Any]], str]] = {
    "numpy": _to_numpy,
    "tensordict": _to_tensordict,
    "minari": _to_minari,
}
EXTRA_OF = {"numpy": (), "tensordict": ("torchrl",), "minari": ("minari",)}
