"""The benchmark's command: `bench`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.errors import OptionError

from ..cluster import blocks, connected
from ..extras import need
from ..files import writable_folder
from . import console as shell
from .evaluate import labelled
from .spending import ModelsOption, limit

if TYPE_CHECKING:
    from ..benchmark.run import Entrant

ALL, OPEN = "all", "open"
MOST_GAMES = 10**6


def bench(
    agents: Annotated[
        list[str] | None,
        Argument(
            help="The agent, as SPEC or LABEL=SPEC; after it other seeds of the same method.", show_default="none"
        ),
    ] = None,
    track: Annotated[str, Option(help="A track, or all.")] = "roles",
    budget: Annotated[str, Option(help="What training took: 'core hour', 'gpu hour' or open.")] = OPEN,
    games: Annotated[int | None, Option(help="Deals of each cell, for a trial.", show_default="the track's")] = None,
    threads: shell.ThreadsOption = 0,
    ray: shell.RayOption = None,
    models: ModelsOption = None,
    board: Annotated[
        Path | None, Option(metavar="FOLDER", help="Show the board of result files.", show_default="none")
    ] = None,
    out: Annotated[Path, Option(help="Folder of rows and result; resumes there.")] = Path("results/bench"),
) -> None:
    """Measure an agent by the benchmark, or make the board of results.

    If interrupted, run the same command again to resume.
    """
    need("reports")
    if board is not None and agents:
        raise OptionError("--board shows results that are there: leave out the agents")
    if board is not None:
        _show_board(board, out)
        return
    if not agents:
        raise OptionError("name an agent, or a folder of results with --board")
    from ..benchmark.run import Entrant
    from ..benchmark.tracks import benchmark

    limit(models, out)
    labels, specs = labelled(agents)
    asked = [benchmark().track(name) for name in tracks_of(track)]
    if len(specs) > 1 and all(each.seats != "camp" for each in asked):
        raise OptionError(
            f"one agent at a time: further ones are other seeds of it, for the track self-play, not {track}"
        )
    if games is not None and all(each.seats == "exact" for each in asked):
        raise OptionError("the track exact has no deals: leave out --games")
    check_choice("budget", budget, benchmark().budgets)
    if games is not None:
        check_whole("games", games, 1, MOST_GAMES)
    entrant = Entrant(specs[0], tuple(specs[1:]))
    _ = entrant.agent  # refuses an unknown one before anything is said
    count = max(1, threads) if ray else shell.use_threads(threads)
    with connected(ray):
        _measure(entrant, labels.get(specs[0], specs[0]), track, budget, games, count, out, ray)


def tracks_of(track: str) -> tuple[str, ...]:
    """The tracks that a word on the command line names."""
    from ..benchmark.tracks import benchmark

    return tuple(benchmark().tracks) if track == ALL else (track,)


def _measure(
    entrant: Entrant, label: str, track: str, budget: str, games: int | None, threads: int, out: Path, ray: str | None
) -> None:
    """Play the tracks, write the result and print it."""
    from ..benchmark.board import board
    from ..benchmark.results import Result, add_tracks, fixed, open_result
    from ..benchmark.run import play_tracks
    from ..benchmark.tracks import benchmark
    from ..report.page import render

    result = Result(benchmark().name, label, entrant.spec, budget, fixed())
    place = writable_folder(out) / ("result.json" if games is None else f"trial_{games}.json")
    rows = out if games is None else out / f"trial_{games}"
    open_result(place, result)  # refuses another agent's file before anything is played
    with shell.progress_bar() as bar:
        task = bar.add_task(shell.COMPILING, total=None)

        played = play_tracks(
            *(entrant, tracks_of(track), rows),
            games=games,
            threads=threads,
            watch=lambda doing: bar.update(task, description=doing),
            work=blocks if ray else None,
            note=lambda name: shell.errors.print(f"riverbed: track {name}"),
        )
    found = add_tracks(place, result, played)
    for each in render(board([found]), shell.console.width, benchmark().name):
        shell.console.print(each)
    for name, one in played.items():
        if "refused" in one:
            shell.console.print(f"track {name}: {one['refused']}", style="yellow", soft_wrap=True)
    if games is not None:
        shell.console.print("With --games this is a trial: the board takes results with the benchmark's deals only.")
    shell.console.print(f"wrote {place}", soft_wrap=True)


def _show_board(folder: Path, out: Path) -> None:
    """Print the board of a folder and write its page."""
    from ..benchmark.board import board, read_board
    from ..benchmark.tracks import benchmark
    from ..report.page import render, write_page

    section = board(read_board(folder))
    for each in render(section, shell.console.width, benchmark().name):
        shell.console.print(each)
    command = shlex.join(["riverbed", "bench", "--board", str(folder)])
    page = write_page(writable_folder(out) / "board.html", benchmark().name, [section], command=command)
    shell.console.print(f"wrote {page}", soft_wrap=True)
