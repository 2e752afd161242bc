"""The `riverbed` command."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from riverbed_env.core.errors import OptionError, RiverbedError
from riverbed_env.core.random import check_seed, fresh_seed
from riverbed_env.registry import find_game, game_ids
from riverbed_env.version import __version__

app = typer.Typer(
    name="riverbed",
    help="River games as multi-agent reinforcement-learning environments.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
pack_app = typer.Typer(help="Content packs.", no_args_is_help=True)
app.add_typer(pack_app, name="pack")

WIDTH = None if sys.stdout.isatty() else 120  # tables go whole into files and pipes
console = Console(width=WIDTH)
errors = Console(stderr=True)

GameOption = Annotated[str, typer.Option("--game", help="Which game, by its versioned name.")]
PackOption = Annotated[str, typer.Option("--pack", help="Content pack, by name or path.")]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Seed; the same seed deals the same games.")]
PlayersOption = Annotated[int, typer.Option("--players", help="Number of players.")]
LayoutOption = Annotated[str | None, typer.Option("--layout", help="Board layout by name, or 'random'.")]
AgentOption = Annotated[str, typer.Option("--agent", help="The agent, by name (see 'riverbed agents').")]
ThreadsOption = Annotated[int, typer.Option("--threads", help="Threads; 0 for one a core.")]

DEFAULT_GAME = "riverbed_hunt_v0"


def _threads(threads: int) -> int:
    if threads < 0:
        raise OptionError(f"threads must be 0 (one a core) or more, not {threads}")
    return (
        threads or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else threads or os.cpu_count() or 1
    )


def _counts(players: str, low: int, high: int) -> tuple[int, ...]:
    """Player counts from "4-9", "7" or "5,7,9"."""
    try:
        if "-" in players:
            first, last = (int(part) for part in players.split("-"))
            counts = tuple(range(first, last + 1))
        else:
            counts = tuple(int(part) for part in players.split(","))
    except ValueError as error:
        raise OptionError(f"players must be like 7, 5,7,9 or {low}-{high}, not {players!r}") from error
    if not counts or not all(low <= count <= high for count in counts):
        raise OptionError(f"players must be from {low} to {high}, not {players!r}")
    return counts


def _bar() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
    )


@app.command()
def benchmark(
    game: GameOption = DEFAULT_GAME,
    agent: AgentOption = "simple",
    games: Annotated[int, typer.Option("--games", help="Games of each line-up at each player count.")] = 20_000,
    players: Annotated[str, typer.Option("--players", help="Player counts: 7, 5,7,9 or 4-9.")] = "4-9",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the numbered games.")] = 0,
    threads: ThreadsOption = 0,
    pack: PackOption = "default",
    layout: LayoutOption = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for rows, summary and plots.")] = Path("results/benchmark"),
) -> None:
    """Team win rates of line-ups of agents at every player count, with intervals and the all-random base rate."""
    from riverbed_env.core.agents import find_agent

    from . import benchmark as bench
    from .files import writable_folder
    from .tables import length_table, win_rate_table

    chosen = find_game(game)
    settings = bench.Settings(
        games=games,
        players=_counts(players, chosen.min_players, chosen.max_players),
        agent=find_agent(agent),
        seed=check_seed(seed),
        threads=_threads(threads),
        options={"pack": pack, **({"layout": layout} if layout else {})},
    )
    bench.check(chosen, settings)
    writable_folder(out)
    with errors.status("compiling the rules and agents (about a minute the first time, then kept)"):
        bench.warm_up(chosen, settings)
    cells = []
    total = games * len(settings.players) * len(bench.line_ups(chosen, settings.agent))
    with _bar() as bar:
        task = bar.add_task("playing", total=total)
        for cell in bench.run(chosen, settings, lambda done: bar.advance(task, done)):
            cells.append(cell)
            bar.update(task, description=f"{cell.num_players} players: {cell.line_up.name}")
    console.print(win_rate_table(chosen, cells))
    console.print(length_table(chosen, cells))
    played = sum(cell.games for cell in cells)
    seconds = sum(cell.seconds for cell in cells)
    console.print(
        f"{played:,} games in {seconds:.1f} s of play on {settings.threads} threads: {played / seconds:,.0f} games/s"
    )
    for path in bench.write(chosen, settings, cells, out):
        console.print(f"wrote {path}")


@app.command()
def watch(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = 7,
    agent: AgentOption = "simple",
    seed: SeedOption = None,
    pack: PackOption = "default",
    layout: LayoutOption = None,
    viewer: Annotated[int | None, typer.Option("--viewer", help="Show only what this seat knows.")] = None,
    pause: Annotated[float, typer.Option("--pause", help="Seconds between two steps.")] = 0.3,
) -> None:
    """Watch one game between agents, step by step."""
    _terminal(game, players, agent, seed, pack, layout, viewer, pause, person=None)


@app.command("play")
def play_command(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = 7,
    seat: Annotated[int, typer.Option("--seat", help="Your seat.")] = 0,
    agent: AgentOption = "simple",
    seed: SeedOption = None,
    pack: PackOption = "default",
    layout: LayoutOption = None,
) -> None:
    """Take a seat yourself; you are shown only what your seat knows."""
    _terminal(game, players, agent, seed, pack, layout, seat, 0.0, person=seat)


def _terminal(
    game: str,
    players: int,
    agent: str,
    seed: int | None,
    pack: str,
    layout: str | None,
    viewer: int | None,
    pause: float,
    person: int | None,
) -> None:
    from riverbed_env.core.agents import find_agent
    from riverbed_env.core.batch import Batch

    from .terminal import Quit, TerminalGame, to_screen

    chosen = find_game(game)
    options: dict[str, Any] = {"num_players": players, "pack": pack, **({"layout": layout} if layout else {})}
    used = fresh_seed() if seed is None else check_seed(seed)
    chosen.make_setting(**options)
    if viewer is not None and not 0 <= viewer < players:
        raise OptionError(f"seats are 0 to {players - 1}, not {viewer}")
    with errors.status("compiling the rules (about half a minute the first time, then kept)"):
        batch = Batch(chosen, 1, seed=used, auto_reset=False, **options)
    agents = dict.fromkeys(range(players), find_agent(agent))
    to_screen(f"{chosen.title}, {players} players, seed {used}")
    try:
        TerminalGame(chosen, agents, batch, viewer, to_screen, pause).play(person)
    except (Quit, EOFError):
        to_screen("left the game")


@app.command()
def agents() -> None:
    """List the installed agents."""
    from riverbed_env.core.agents import agent_names, find_agent

    for name in agent_names():
        console.print(f"{name:<12} {getattr(find_agent(name), 'about', '')}")


@app.command()
def games() -> None:
    """List the games."""
    for name in game_ids():
        found = find_game(name)
        console.print(f"{name:<20} {found.title}, {found.min_players} to {found.max_players} players")


@app.command()
def speed(
    seconds: Annotated[float, typer.Option("--seconds", help="Measuring time of each row.")] = 2.0,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds; the median of the rounds is shown.")] = 3,
    out: Annotated[Path | None, typer.Option("--out", help="Write the rows as JSON to this folder.")] = None,
) -> None:
    """Measure decisions/s and games/s side by side with other libraries' games."""
    from .files import writable_folder
    from .speed.report import measure_all, print_report, write_report

    if out is not None:
        writable_folder(out)
    if seconds <= 0 or rounds < 1:
        raise OptionError(f"seconds must be above 0 and rounds at least 1, not {seconds} and {rounds}")
    with _bar() as bar:
        rows = measure_all(seconds, rounds, bar)
    print_report(rows, console)
    if out is not None:
        console.print(f"wrote {write_report(rows, out)}")


@app.command()
def verify(
    game: GameOption = DEFAULT_GAME,
    games: Annotated[int, typer.Option("--games", help="Games in lock-step, over all packs and player counts.")] = 6000,
    players: Annotated[str, typer.Option("--players", help="Player counts: 7, 5,7,9 or 4-9.")] = "4-9",
    seed: Annotated[int, typer.Option("--seed", help="Seed of the numbered games.")] = 0,
    workers: Annotated[int, typer.Option("--workers", help="Processes; 0 for one a core.")] = 0,
    out: Annotated[Path, typer.Option("--out", help="Folder of the finished blocks; a run goes on there.")] = Path(
        "results/verify"
    ),
) -> None:
    """Play games on the engine and on an independent referee at once, and compare both after every decision."""
    from . import verify as lockstep
    from .files import writable_folder
    from .tables import lockstep_table

    chosen = find_game(game)
    lockstep.load_lockstep(chosen)
    counts = _counts(players, chosen.min_players, chosen.max_players)
    if games < 1:
        raise OptionError(f"games must be at least 1, not {games}")
    todo = lockstep.blocks(chosen, games, counts, check_seed(seed))
    ledger = lockstep.Ledger(writable_folder(out), chosen)
    if ledger.older:
        console.print(f"{ledger.older} blocks in {ledger.path} are of other sources and aren't counted")
    left = [block for block in todo if block.key not in ledger.finished]
    with errors.status("compiling the rules (about half a minute the first time, then kept)"):
        lockstep.warm_up(chosen)
    with _bar() as bar:
        task = bar.add_task("lock-step", total=sum(block.games for block in todo))
        bar.advance(task, sum(block.games for block in todo) - sum(block.games for block in left))
        for row in lockstep.run(left, min(_threads(workers), max(1, len(left)))):
            ledger.add(row)
            bar.update(task, advance=row["games"], description=f"{ledger.total('decisions'):,} decisions")
            for found in row["disagreements"][:3]:
                errors.print(lockstep.in_words(found), style="red", markup=False, highlight=False, soft_wrap=True)
    console.print(lockstep_table(chosen, ledger.rows))
    console.print(
        f"{ledger.total('games'):,} games, {ledger.total('decisions'):,} decisions in lock-step, "
        f"{len(ledger.disagreements()):,} disagreements ({ledger.path})"
    )
    if ledger.disagreements():
        sys.exit(1)


@app.command()
def leaks(
    games: Annotated[int, typer.Option("--games", help="Games of each search; there are two an environment.")] = 30,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games and twins.")] = 0,
    only: Annotated[str | None, typer.Option("--only", help="Only environments with this in their name.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the rows as JSON to this folder.")] = None,
) -> None:
    """Try the leak kit on other libraries' hidden-information games and say what it finds."""
    from .files import writable_folder
    from .leaks.report import measure_all, print_report, worth_an_error, write_report

    if games < 1:
        raise OptionError(f"games must be at least 1, not {games}")
    if out is not None:
        writable_folder(out)
    with _bar() as bar:
        rows = measure_all(games, check_seed(seed), bar, only)
    print_report(rows, console)
    if out is not None:
        console.print(f"wrote {write_report(rows, out)}")
    if worth_an_error(rows):
        sys.exit(1)


@app.command()
def warm(threads: ThreadsOption = 0) -> None:
    """Compile everything ahead, so that later starts take about a second."""
    from .speed.warm import warm_all

    with _bar() as bar:
        seconds = warm_all(_threads(threads), bar)
    console.print(f"compiled in {seconds:.1f} s; later starts find it in the cache")


@app.command()
def card(
    game: GameOption = DEFAULT_GAME,
    write: Annotated[Path | None, typer.Option("--write", help="Write it to this file instead of printing it.")] = None,
) -> None:
    """The game's card: players, roles, actions, observation, rewards, end, rulings, versions."""
    from .card import game_card
    from .files import write_whole

    text = game_card(find_game(game))
    if write is None:
        console.print(text, markup=False, soft_wrap=True)
    else:
        write_whole(write, lambda partial: partial.write_text(text))


@pack_app.command("check")
def pack_check(file: Annotated[Path, typer.Argument(help="The pack's .toml file.")]) -> None:
    """Check a content pack: shape, vocabulary and every rule a pack must keep."""
    from riverbed_env.games.riverbed_hunt.pack import load_pack

    found = load_pack(Path(file).resolve())
    tiles, cards = len(found.tiles), sum(entry.copies for entry in found.cards)
    console.print(
        f"{file}: fine: {found.name!r}, {tiles} tiles, {cards} cards of {len(found.cards)} kinds, hash {found.hash}"
    )


@app.command()
def version() -> None:
    """Print the library's version."""
    console.print(__version__)


def main() -> None:
    """Run the command; errors of ours are said in a line, without a trace."""
    try:
        app()
    except RiverbedError as error:
        errors.print(f"riverbed: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
    except ImportError as error:
        errors.print(f"riverbed: {error}: pip install 'riverbed[reports]'", style="red", markup=False, soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:
        errors.print("riverbed: interrupted")
        sys.exit(130)
