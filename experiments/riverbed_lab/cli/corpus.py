"""A corpus that `riverbed games` is given: what it holds, and whether it is whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from riverbed_env.core.options import check_choice
from riverbed_env.errors import OptionError, RiverbedError

from ..extras import need
from .console import console, progress_bar

if TYPE_CHECKING:
    from riverbed_env.corpus import Corpus

HASHES, GAMES = CHECKS = ("hashes", "games")  # of the parts; of games played again, too


def show_corpus(folder: Path, check: str | None) -> None:
    """Describe a corpus, or check it."""
    need("corpus")
    from riverbed_env.corpus import Corpus

    found = Corpus(folder)
    if check is None:
        _describe(found)
    else:
        check_choice("--check", check, CHECKS)
        _check(found, replay=check == GAMES)


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


def _check(found: Corpus, replay: bool) -> None:
    """Check all parts; RiverbedError if one is missing or differs."""
    parts = found.parts
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
    missing = found.manifest.num_parts - len(parts)
    if missing:
        raise RiverbedError(f"{missing} of {found.manifest.num_parts} parts are missing in {found.folder}")
