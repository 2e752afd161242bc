"""The `riverbed` command."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riverbed_env.core.game import Game
from riverbed_env.core.packs import game_of_pack
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.registry import find_game, game_ids
from riverbed_env.version import __version__

from . import doctor, evaluate, league, report, soak, speed, train
from .console import (
    DEFAULT_GAME,
    AgentOption,
    CountsOption,
    GameOption,
    PackOption,
    PlayersOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    choose_agent,
    console,
    errors,
    plainly,
    player_counts,
    progress_bar,
    read_options,
    use_threads,
)
from .signals import again, goes_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riverbed_env.players.agents import Agent

    from ..verify import Block

app = typer.Typer(
    name="riverbed",
    help="River games as multi-agent reinforcement-learning environments.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
pack_app = typer.Typer(help="Content packs.", no_args_is_help=True)
app.add_typer(pack_app, name="pack")
for command in (
    *(evaluate.benchmark, evaluate.evaluate, report.report, evaluate.replay),
    *(train.train, league.league, league.exploit, speed.speed, soak.soak, doctor.doctor),
):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        console.print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the library's version.")
    ] = False,
) -> None:
    """What can be asked without a command."""


@app.command()
def watch(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = None,
    agent: AgentOption = None,
    seed: SeedOption = None,
    pack: PackOption = None,
    set_: SetOption = None,
    viewer: Annotated[int | None, typer.Option("--viewer", help="Show only what this seat knows.")] = None,
    pause: Annotated[float, typer.Option("--pause", help="Seconds between two steps.")] = 0.3,
) -> None:
    """Watch one game between agents, step by step."""
    chosen = find_game(game)
    _terminal(
        chosen, players, choose_agent(agent, chosen), seed, read_options(chosen, pack, set_), viewer, pause, person=None
    )


@app.command("play")
def play_command(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = None,
    seat: Annotated[int, typer.Option("--seat", help="Your seat.")] = 0,
    agent: AgentOption = None,
    seed: SeedOption = None,
    pack: PackOption = None,
    set_: SetOption = None,
) -> None:
    """Take a seat yourself; you are shown only what your seat knows."""
    chosen = find_game(game)
    _terminal(
        chosen, players, choose_agent(agent, chosen), seed, read_options(chosen, pack, set_), seat, 0.0, person=seat
    )


def _terminal(
    game: Game,
    players: int | None,
    agent: Agent,
    seed: int | None,
    own: dict[str, Any],
    viewer: int | None,
    pause: float,
    person: int | None,
) -> None:
    from riverbed_env.core.batch import Batch

    from .terminal_game import Quit, TerminalGame, to_screen

    count = game.default_players if players is None else players
    options = {"num_players": count, **own}
    used = fresh_seed() if seed is None else check_seed(seed)
    game.make_params(**options)
    if viewer is not None and not 0 <= viewer < count:
        raise OptionError(f"seats are 0 to {count - 1}, not {viewer}")
    with errors.status("compiling the rules (about half a minute the first time, then kept)"):
        batch = Batch(game, 1, seed=used, auto_reset=False, **options)
    agents = dict.fromkeys(range(count), agent)
    to_screen(f"{game.title}, {count} player{'s' if count > 1 else ''}, seed {used}")
    try:
        TerminalGame(game, agents, batch, viewer, to_screen, pause).play(person)
    except (Quit, EOFError):
        to_screen("left the game")


@app.command()
def agents(
    game: Annotated[str | None, typer.Option("--game", help="Only those of one game.")] = None,
) -> None:
    """List the installed agents, game by game."""
    from riverbed_env.players.installed import agent_names

    for found in [find_game(game)] if game else [find_game(game_id) for game_id in game_ids()]:
        console.print(f"{found.title}:")
        for name in agent_names(found.name):
            console.print(f"  {name:<12} {_about(name, found)}", markup=False)


def _about(name: str, game: Game) -> str:
    """What an installed agent is, and its parameters; why it can't be loaded, which doesn't hinder the others."""
    from riverbed_env.players.installed import agent_parameters
    from riverbed_env.players.specs import find_agent

    try:
        parameters = agent_parameters(name, game.name)
        about = str(getattr(find_agent(name, game.name), "about", ""))
    except OptionError as error:
        return str(error)
    more = f" ({', '.join(f'{key}={value}' for key, value in parameters.items())})" if parameters else ""
    return f"{about}{more}"


@app.command()
def games() -> None:
    """List the games."""
    for name in game_ids():
        found = find_game(name)
        console.print(f"{name:<20} {found.title}, {found.player_counts} players")


@app.command()
def verify(
    game: GameOption = DEFAULT_GAME,
    games: Annotated[int, typer.Option("--games", help="Games in lock-step, over all packs and player counts.")] = 6000,
    players: CountsOption = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the numbered games.")] = 0,
    workers: Annotated[int, typer.Option("--workers", help="Processes; 0 for one a core.")] = 0,
    out: Annotated[Path, typer.Option("--out", help="Folder of the finished blocks; a run goes on there.")] = Path(
        "results/verify"
    ),
) -> None:
    """Play games on the engine and on an independent referee at once, and compare both after every decision."""
    from .. import verify as lockstep
    from ..locks import locked

    chosen = find_game(game)
    lockstep.load_lockstep(chosen)
    counts = player_counts(players, chosen.min_players, chosen.max_players)
    if games < 1:
        raise OptionError(f"games must be at least 1, not {games}")
    todo = lockstep.blocks(chosen, games, counts, check_seed(seed))
    with locked(out):
        _verify(chosen, todo, use_threads(workers), out)


def _verify(chosen: Game, todo: Sequence[Block], workers: int, out: Path) -> None:
    """Play the blocks that aren't in the folder's file yet, and say what came of all of them."""
    from .. import verify as lockstep
    from ..tables import lockstep_table

    ledger = lockstep.Ledger(out, chosen)
    goes_on(lambda: f"{len(ledger.rows)} blocks are finished and kept in {ledger.path}; it goes on with: {again()}")
    if ledger.older:
        console.print(f"{ledger.older} blocks in {ledger.path} are of other sources and aren't counted")
    left = [block for block in todo if block.key not in ledger.finished]
    with errors.status("compiling the rules (about half a minute the first time, then kept)"):
        lockstep.warm_up(chosen)
    rows = lockstep.run(left, min(workers, max(1, len(left))))
    with progress_bar() as bar, closing(rows):
        task = bar.add_task("lock-step", total=sum(block.games for block in todo))
        bar.advance(task, sum(block.games for block in todo) - sum(block.games for block in left))
        for row in rows:
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
def warm(
    threads: ThreadsOption = 0,
    game: Annotated[str | None, typer.Option("--game", help="Only this game.")] = None,
    agents: Annotated[bool, typer.Option(help="The agents too, which takes longest.")] = True,
) -> None:
    """Compile everything ahead, so that later starts take about a second."""
    from ..speed.warm import warm_all

    games = [find_game(game).id] if game else game_ids()
    with progress_bar() as bar:
        seconds = warm_all(use_threads(threads), bar, games, agents=agents)
    console.print(f"compiled in {seconds:.1f} s; later starts find it in the cache")


@app.command()
def card(
    game: GameOption = DEFAULT_GAME,
    write: Annotated[Path | None, typer.Option("--write", help="Write it to this file instead of printing it.")] = None,
) -> None:
    """The game's card: players, roles, actions, observation, rewards, end, rulings, versions."""
    from riverbed_env.core.files import write_whole

    from ..card import game_card

    text = game_card(find_game(game))
    if write is None:
        console.print(text, markup=False, soft_wrap=True)
    else:
        write_whole(write, lambda partial: partial.write_text(text))


@pack_app.command("check")
def pack_check(file: Annotated[Path, typer.Argument(help="The pack's .toml file.")]) -> None:
    """Check a content pack of any game: shape, vocabulary and every rule a pack must keep."""
    path = file.absolute()
    chosen = find_game(game_of_pack(path))
    if chosen.load_pack is None:
        raise OptionError(f"{chosen.id} has no content packs")
    found = chosen.load_pack(path)
    console.print(f"{file}: fine: {found.name!r} of {chosen.title}, {found.contents}, hash {found.hash}")


@app.command()
def version() -> None:
    """Print the library's version."""
    console.print(__version__)


def main() -> None:
    """Run the command; errors of ours are said in a line, without a trace."""
    plainly(app)


if __name__ == "__main__":
    main()
