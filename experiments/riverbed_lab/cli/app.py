"""The `riverbed` command, put together from the modules of its commands."""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import getdoc
from typing import Annotated

import typer

from riverbed_env.registry import find_game, game_ids
from riverbed_env.version import __version__

from .board import board
from .console import TRACEBACK, ThreadsOption, console, plainly, progress_bar, use_threads
from .corpus import corpus
from .distil import distil
from .evaluate import evaluate
from .games import games, pack
from .judge import judge
from .league import exploit, league
from .mcp import mcp
from .play import play, watch
from .record import record
from .replay import replay
from .report import report
from .serve import serve
from .sit import sit
from .speed import speed
from .train import train

app = typer.Typer(
    name="riverbed",
    help="River games as multi-agent reinforcement-learning environments.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def doctor(
    play: Annotated[bool, typer.Option("--play", help="Play a game too, compiling what isn't yet.")] = False,
) -> None:
    """Check the installation and say what to do; exit code 1 if something is wrong."""
    from ..doctor import report as check

    sys.exit(check(lambda line: console.print(line, soft_wrap=True), play))


def warm(
    threads: ThreadsOption = 0,
    game: Annotated[str | None, typer.Option("--game", help="Only this game.", show_default="all games")] = None,
    agents: Annotated[bool, typer.Option(help="Compile the agents too, which takes longest.")] = True,
) -> None:
    """Compile everything now, so that later starts take about a second."""
    from ..speed.warm import warm_all

    ids = [find_game(game).id] if game else game_ids()
    with progress_bar() as bar:
        seconds = warm_all(use_threads(threads), bar, ids, agents=agents)
    console.print(f"compiled in {seconds:.1f} s; later starts find it in the cache")


COMMANDS: dict[Callable[..., None], str] = {  # with their lines in the list of commands
    play: "Take a seat yourself among agents.",
    watch: "Watch a game between agents.",
    replay: "Replay a recorded game: check it, watch it, or write it as a page.",
    serve: "Play and watch in a browser.",
    sit: "Let a player from outside take a link to a served table.",
    mcp: "Host a game for clients of the Model Context Protocol.",
    evaluate: "Compare agents on common deals.",
    judge: "Say what choices in recorded games were worth.",
    board: "Make one page from the results of several.",
    report: "Write the report of a finished evaluation again.",
    record: "Record games between agents as a corpus.",
    corpus: "Describe, check or convert a recorded corpus.",
    train: "Train an agent for a role.",
    distil: "Fit a network to what choices are worth.",
    league: "Train agents by self-play in a league.",
    exploit: "Train best responses to an agent.",
    games: "List the games; show one with its options and agents.",
    pack: "Check a content pack.",
    speed: "Measure how fast games are played.",
    warm: "Compile everything now.",
    doctor: "Check the installation.",
}
for command, short_help in COMMANDS.items():
    app.command(short_help=short_help, help=getdoc(command) or short_help)(command)  # python -OO drops docstrings


def _version(wanted: bool) -> None:
    if wanted:
        console.print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the library's version.")
    ] = False,
    traceback: Annotated[
        bool, typer.Option(TRACEBACK, help="Print the traceback of an agent's error.")
    ] = False,  # plainly() reads it
) -> None:
    """River games as multi-agent reinforcement-learning environments."""


def main() -> None:
    """Run the command; expected errors are printed in one line."""
    plainly(lambda: sys.exit(app(standalone_mode=False) or 0))
