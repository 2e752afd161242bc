"""The `riverbed` command, put together from the modules of its commands."""

import sys
from collections.abc import Callable
from inspect import getdoc
from typing import Annotated

import typer

from riverbed_env.errors import OptionError
from riverbed_env.registry import game_ids
from riverbed_env.version import __version__

from .bench import bench
from .console import RENAMED_COMMANDS, TRACEBACK, console, plainly, progress_bar, use_threads
from .evaluate import evaluate
from .exploit import exploit
from .games import games
from .judge import judge
from .mcp import mcp
from .play import play, watch
from .record import record
from .replay import replay
from .serve import serve
from .speed import measure_speed
from .train import distil, train

app = typer.Typer(
    name="riverbed",
    help="River games as multi-agent reinforcement-learning environments.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)

COMPILED = ("games", "all")
SPEEDS = ("play", "learn")


def doctor(
    compiles: Annotated[
        str | None,
        typer.Option(
            "--compile",
            metavar="games|all",
            help="First compile all games, or their agents and threads too: later starts take a second.",
            show_default="nothing",
        ),
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option(
            metavar="play|learn", help="Measure decisions/s of games, or of learners, instead.", show_default="neither"
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(help="Measuring time of each row of --speed.")] = 2.0,
) -> None:
    """Check the installation and say what to do; exit code 1 if something is wrong."""
    from riverbed_env.core.options import check_choice

    from ..doctor import report

    if speed is not None:
        check_choice("--speed", speed, SPEEDS)
        measure_speed(speed, seconds)
        return

    if compiles is not None:
        from ..speed.warm import warm_all

        check_choice("--compile", compiles, COMPILED)
        everything = compiles == "all"
        with progress_bar() as bar:
            seconds = warm_all(use_threads(0) if everything else 1, bar, game_ids(), agents=everything)
        console.print(f"compiled in {seconds:.1f} s; later starts find it in the cache")
    sys.exit(report(lambda line: console.print(line, soft_wrap=True)))


COMMANDS: dict[Callable[..., None], str] = {  # with their lines in the list of commands
    play: "Take a seat yourself among agents, or seat a program at a served table.",
    watch: "Watch a game between agents.",
    replay: "Replay a recorded game: check it, watch it, or write it as a page.",
    serve: "Play and watch in a browser.",
    mcp: "Host a game for clients of the Model Context Protocol.",
    train: "Train an agent for a role, or for all seats by self-play.",
    distil: "Fit a network to action values.",
    exploit: "Train best responses to a lineup, and measure what they gain.",
    evaluate: "Compare agents on common deals.",
    bench: "Measure an agent by the benchmark, or show its board.",
    judge: "Value the choices of recorded games, or make one page of results.",
    record: "Record games between agents as a corpus.",
    games: "List the games; show a game, a content pack or a corpus.",
    doctor: "Check the installation, compile ahead, measure speed.",
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
    plainly(_run)


def _run() -> None:
    name = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    if name in RENAMED_COMMANDS:
        raise OptionError(f"'riverbed {name}' is now: riverbed {RENAMED_COMMANDS[name]}")
    sys.exit(app(standalone_mode=False) or 0)
