"""The command `corpus`: what a recorded corpus holds, whether it is whole, and its decisions for other libraries."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from riverbed_env.core.files import write_arrays
from riverbed_env.core.options import check_choice
from riverbed_env.errors import OptionError, RiverbedError

from ..extras import need
from .console import console, errors, progress_bar
from .record import part_numbers

if TYPE_CHECKING:
    from riverbed_env.corpus import Corpus


def corpus(
    folder: Annotated[Path, Argument(help="A corpus that 'riverbed record' wrote.")],
    check: Annotated[bool, Option("--check", help="Compare every part with its hash.")] = False,
    replay: Annotated[bool, Option("--replay", help="Also play every game again and compare how it ends.")] = False,
    to: Annotated[
        str | None, Option(help="Write its decisions as numpy, tensordict or minari.", show_default="nothing")
    ] = None,
    out: Annotated[
        str | None,
        Option(help="Where to: FILE.npz, a folder, or a Minari id like riverbed/hunt-v0.", show_default="none"),
    ] = None,
    parts: Annotated[str | None, Option(help="Only these parts, like 0-3 or 7.", show_default="all")] = None,
    agents: Annotated[list[str] | None, Option(help="Only decisions of this agent; repeatable.")] = None,
    roles: Annotated[list[str] | None, Option(help="Only decisions of this role; repeatable.")] = None,
    view: Annotated[str, Option(help="View of the observations.")] = "history",
) -> None:
    """Describe a recorded corpus, check it, or write its decisions for another library."""
    need("corpus")
    from riverbed_env.corpus import Corpus

    found = Corpus(folder)
    chosen = part_numbers(parts, found.manifest.num_parts) if parts else found.parts
    if check or replay:
        _check(found, chosen, replay)
    if to is not None:
        _export(found, to, out, {"parts": chosen, "agents": agents or None, "roles": roles or None, "view": view})
    if not (check or replay or to):
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


def _export(found: Corpus, to: str, out: str | None, chosen: dict[str, Any]) -> None:
    check_choice("to", to, WRITERS)
    if out is None:
        raise OptionError(f"--to {to} needs --out: FILE.npz for numpy, a folder for tensordict, an id for minari")
    for extra in EXTRA_OF[to]:
        need(extra)
    with errors.status("playing the games again …"):
        written = WRITERS[to](found, out, chosen)
    console.print(f"{written} in {out}", soft_wrap=True)


def _to_numpy(found: Corpus, out: str, chosen: dict[str, Any]) -> str:
    if not out.endswith(".npz"):
        raise OptionError(f"--out must be a file that ends in .npz, not {out}")
    arrays = found.arrays(**chosen)
    write_arrays(Path(out), arrays)
    return f"{len(arrays['action']):,} decisions"


def _to_tensordict(found: Corpus, out: str, chosen: dict[str, Any]) -> str:
    from riverbed_env.integrations.offline.tensordicts import tensordict

    path = Path(out)
    if path.exists():
        raise OptionError(f"there is something at {path} already; choose another --out, or delete it")
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
