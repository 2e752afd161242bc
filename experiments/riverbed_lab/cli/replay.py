"""The command `replay`: a recorded game checked, watched in the terminal, or written as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from typer import Argument, Option

from riverbed_env.core.files import write_whole
from riverbed_env.corpus.manifest import MANIFEST
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.players.agents import PythonAgent
from riverbed_env.registry import find_game

from ..extras import need
from .console import COMPILING, choose_agent, console, errors
from .play import ViewerOption, check_viewer

if TYPE_CHECKING:
    from riverbed_env.corpus.recorded import RecordedGame

    from ..evaluation.replay import Replay

NO_ADVICE, VALUES = "none", "values"


def replay(
    recorded: Annotated[
        Path,
        Argument(
            metavar="GAME",
            help="A recorded game (a file of `--record` or of a table), or the folder of an evaluation or a corpus.",
        ),
    ],
    cell: Annotated[
        str | None, Option(help="Of an evaluation: the cell, by number or name.", show_default="list the cells")
    ] = None,
    game: Annotated[
        str,
        Option(metavar="N", help="The game's number; of an evaluation DEAL, or DEAL:SEAT in focus."),
    ] = "0",
    viewer: ViewerOption = None,
    pause: Annotated[
        float | None,
        Option(help="Show the game step by step, so many seconds apart.", show_default="check it"),
    ] = None,
    html: Annotated[
        Path | None,
        Option("--html", help="Write the game as one page that needs no server; with --viewer, of that seat alone."),
    ] = None,
    advice: Annotated[
        str,
        Option(
            help="In the page: the agent whose choices stand beside those of the seats; none for no agent, values for "
            "the usual one and how often each choice wins, by rollouts."
        ),
    ] = "",
) -> None:
    """Replay a recorded game, check that it ends as recorded, and show it."""
    if recorded.is_file() or (recorded / MANIFEST).is_file():
        found = _read(recorded, _numbers(game)[0])
        if pause is not None:
            _watch(found, viewer, pause)
        _check(found)
    else:
        from ..evaluation.replay import Replay

        folder = Replay(recorded)
        if cell is None:
            for number, each in enumerate(folder.cells):
                console.print(f"{number:>4}  {each.name}")
            return
        found = _row(folder, folder.row(folder.cell(cell), *_numbers(game)), viewer, pause)
    if html:
        _write_page(found, html, viewer, advice)


def _numbers(text: str) -> list[int]:
    """The numbers of a deal and, if it is named, of the seat in focus."""
    numbers = text.split(":")
    if len(numbers) > 2 or not all(word.isascii() and word.isdigit() for word in numbers):
        raise OptionError(f"--game takes a number, or DEAL:SEAT of an evaluation, not {text!r}")
    return [int(word) for word in numbers]


# --- recorded games ---------------------------------------------------------------------------------------------------


def _read(path: Path, number: int) -> RecordedGame:
    """The game of a file, or of this number in a corpus."""
    from riverbed_web.record import read_record

    if path.is_file():
        return read_record(path)
    need("corpus")
    from riverbed_env.corpus import Corpus

    return Corpus(path).record(number)


def _check(record: RecordedGame) -> None:
    """Play the game again. Raises RiverbedError unless it pays what the record says."""
    with errors.status(COMPILING):
        *_, last = record.replay()
    paid = last.game.returns(last.games, last.num_players)[0].tolist()
    if last.acting[0]:
        console.print(f"{len(record.actions)} actions, and the game isn't over")
    elif record.returns and tuple(paid) != record.returns:
        raise RiverbedError(f"the game pays {paid} (version {record.version} said {list(record.returns)})")
    else:
        console.print(f"the game of seed {record.seed} ends as recorded after {len(record.actions)} decisions")


def _watch(record: RecordedGame, viewer: int | None, pause: float) -> None:
    """Show the game step by step in the terminal."""
    from riverbed_web.record import seats_of

    from .terminal_game import TerminalGame, show

    check_viewer(viewer, record.num_players)
    left = iter(record.actions)
    seats = {
        number: PythonAgent(name, lambda *_, **__: np.array([next(left)]))
        for number, name in enumerate(seats_of(record)[0])
    }
    batch = record.deal()
    TerminalGame(batch.game, dict(seats), batch, viewer, show).watch(pause)


def _write_page(record: RecordedGame, path: Path, viewer: int | None, advice: str) -> None:
    """Write the game as one page."""
    from riverbed_web.replay import replay_page

    check_viewer(viewer, record.num_players)
    usual = advice in ("", VALUES)
    advisor = None if advice == NO_ADVICE else choose_agent(None if usual else advice, find_game(record.environment))
    with errors.status("playing the game again …"):
        page = replay_page(record, viewer=viewer, advisor=advisor, values=advice == VALUES)
    write_whole(path, lambda partial: partial.write_text(page, encoding="utf-8"))
    whose = "every seat's view" if viewer is None else f"the view of seat {viewer} alone"
    console.print(f"{path}: {whose}, {len(page.encode()) / 1000:.0f} kB", soft_wrap=True)


# --- rows of an evaluation --------------------------------------------------------------------------------------------


def _row(recorded: Replay, row: dict[str, Any], viewer: int | None, pause: float | None) -> RecordedGame:
    """Print who sits where, play the row's game again, and show it unless `pause` is None."""
    check_viewer(viewer, row["num_players"])
    for number in range(row["num_players"]):
        focus = ", in focus" if row["focus"] == number else ""
        console.print(f"seat {number}: {row[f'agent_{number}']}, {row[f'role_{number}']}{focus}")
    record = recorded.record(row)
    if pause is not None:
        _watch(record, viewer, pause)
    console.print(f"game {row['game']} of seed {row['seed']} ends as its row says: {recorded.in_words(row)}")
    return record
