"""The replays that a report links: a page for each of an evaluation's telling games, in the folder `games`."""

from __future__ import annotations

from collections.abc import Iterator

from riverbed_env.core.files import write_whole
from riverbed_web.replay import replay_page

from ..evaluation.folder import Folder
from ..evaluation.results import ToldGame
from ..evaluation.telling import TellingGame, telling_games
from ..files import writable_folder

GAMES = "games"  # the folder beside the report


def write_games(folder: Folder) -> Iterator[ToldGame]:
    """Write the replays of the telling games, and give their links."""
    place = folder.path / GAMES
    for told in telling_games(folder):
        writable_folder(place)
        page = replay_page(told.record, note=f"{told.what}: {told.words}. {_source(told).capitalize()}.")
        write_whole(place / f"{told.name}.html", lambda partial, page=page: partial.write_text(page, encoding="utf-8"))  # type: ignore[misc]
        yield ToldGame(
            told.what, told.words, _source(told), f"{GAMES}/{told.name}.html#step={told.step}&view={told.view}"
        )


def _source(told: TellingGame) -> str:
    return f"game {told.row['game']} of {told.row['cell']}"
