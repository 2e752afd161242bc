"""The command `games`: what games there are, and what a game, a content pack or a corpus holds."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice
from riverbed_env.core.packs import game_of_pack, pack_names
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.registry import find_game, game_ids

from ..card import game_card, summary_of
from ..extras import need
from .console import console, progress_bar, table

if TYPE_CHECKING:
    from riverbed_env.corpus import Corpus

HASHES, GAMES = CHECKS = ("hashes", "games")  # of the parts; of games played again, too
HOW = "'riverbed games GAME' shows a game's options, packs and agents; with --card everything about it."
PACK = ".toml"


def games(
    what: Annotated[
        str | None,
        typer.Argument(help="A game, a pack's .toml file, or a corpus's folder.", show_default="list the games"),
    ] = None,
    card: Annotated[bool, typer.Option("--card", help="Print the game's card: options, actions, observation.")] = False,
    check: Annotated[
        str | None,
        typer.Option(metavar="hashes|games", help="Of a corpus: compare the hash of each part, or play its games too."),
    ] = None,
) -> None:
    """List the games; show a game with its options, packs and agents; check a content pack; show or check a corpus."""
    if what is None:
        if card:
            raise OptionError("--card needs a game, like: riverbed games riverbed_hunt --card")
        console.print(_games_table())
        console.print(HOW)
    elif what.endswith(PACK):
        _check_pack(Path(what))
    elif Path(what).is_dir():
        show_corpus(Path(what), check)
    elif card:
        console.print(game_card(find_game(what)), soft_wrap=True)
    else:
        _show(find_game(what))


def kind_of(game: Game) -> str:
    """The kind of a game in a word or two."""
    if len(game.camps) == 1:
        return "for points" if game.summary.score else "cooperative"
    return "two sides" if game.max_players == 2 else "hidden roles"


def _games_table() -> Table:
    shown = table("game", "players", "kind", "about")
    for listed in map(find_game, game_ids()):
        shown.add_row(listed.id, listed.player_counts, kind_of(listed), summary_of(listed).partition(".")[0] + ".")
    return shown


def _show(game: Game) -> None:
    from riverbed_env.players.installed import list_agents

    count = f"{game.player_counts} players, usually {game.default_players}"
    console.print(Text(f"{game.title} ({game.id}), {kind_of(game)}, {count}", style="bold"))
    console.print(summary_of(game))
    options = table("option (--set)", "default")
    for name, parameter in inspect.signature(game.make_params).parameters.items():
        if name not in ("num_players", "pack"):
            options.add_row(name, str(parameter.default))
    console.print(options)
    if game.load_pack is not None:
        packs = table("pack (--set pack=…)", "contents")
        for name in pack_names(game.name):
            packs.add_row(name, game.load_pack(name).contents)
        for split, names in game.splits.items():
            packs.add_row(split, f"{len(names):,} packs, {names[0]} to {names[-1]}")
        console.print(packs)
    agents = table("agent", "about", "parameters")
    for name in list_agents(game.name):
        agents.add_row(Text(name), *_about(name, game))
    console.print(agents)


def _about(name: str, game: Game) -> tuple[Text, Text]:
    """An agent's description and parameters; why it can't be loaded, if so."""
    from riverbed_env.players.installed import agent_parameters
    from riverbed_env.players.specs import find_agent

    try:
        parameters: dict[str, Any] = dict(agent_parameters(name, game.name))
        about = str(getattr(find_agent(name, game.name), "about", ""))
    except OptionError as error:
        return Text(str(error), style="red"), Text()
    return Text(about), Text(", ".join(f"{key}={value}" for key, value in parameters.items()))


def _check_pack(file: Path) -> None:
    """Check a content pack: its shape, its vocabulary and every rule a pack must keep."""
    game = find_game(game_of_pack(file))
    if game.load_pack is None:
        raise OptionError(f"{game.id} has no content packs")
    checked = game.load_pack(file)
    console.print(
        f"{file}: OK, pack {checked.name!r} of {game.title}: {checked.contents}, hash {checked.hash}",
        soft_wrap=True,
    )


# --- a corpus ---------------------------------------------------------------------------------------------------------


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
