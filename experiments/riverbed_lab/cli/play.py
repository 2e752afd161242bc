"""One game in the terminal: the commands `play` and `watch`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.registry import find_game

from ..extras import need
from . import console as shell
from .spending import ModelsOption, limit

if TYPE_CHECKING:
    from riverbed_env.seats import SeatAgent

    from .terminal_game import TerminalGame

ViewerOption = Annotated[
    int | None, Option("--viewer", help="Show only what this seat knows.", show_default="everything")
]
RecordOption = Annotated[
    Path | None, Option("--record", help="Write the finished game to this file, for `riverbed replay`.")
]


def play(
    link: Annotated[
        str | None,
        Argument(help="A person's link to a seat of a served table, where --agent plays.", show_default="here"),
    ] = None,
    game: shell.GameOption = shell.DEFAULT_GAME,
    players: shell.PlayersOption = None,
    seat: Annotated[int, Option(help="Your seat, from 0.")] = 0,
    agent: shell.AgentOption = None,
    seed: shell.SeedOption = None,
    set_: shell.SetOption = None,
    record: RecordOption = None,
    models: ModelsOption = None,
) -> None:
    """Take a seat yourself among agents; you are shown only what your seat knows.

    With a LINK, a program, service or language model takes that seat: --agent stdio:cmd=…, http:url=… or llm:model=….
    """
    limit(models)
    if link is not None:
        _sit(link, agent)
        return
    table = _table(game, players, agent, seed, set_, seat)
    _at_the_terminal(table, lambda: table.play(seat), record, seat)


def watch(
    game: shell.GameOption = shell.DEFAULT_GAME,
    players: shell.PlayersOption = None,
    agent: shell.AgentOption = None,
    seed: shell.SeedOption = None,
    set_: shell.SetOption = None,
    viewer: ViewerOption = None,
    pause: Annotated[float | None, Option(help="Seconds between turns.", show_default="wait for Enter")] = None,
    record: RecordOption = None,
    models: ModelsOption = None,
) -> None:
    """Watch one game between agents, turn by turn."""
    if pause is not None and not 0 <= pause < float("inf"):
        raise OptionError(f"--pause takes seconds from 0 on, not {pause:g}")
    limit(models)
    table = _table(game, players, agent, seed, set_, viewer)
    by_hand = pause is None and sys.stdin.isatty() and sys.stdout.isatty()
    _at_the_terminal(table, lambda: table.watch(pause=pause or 0.0, by_hand=by_hand), record)


def _at_the_terminal(
    table: TerminalGame, show_all: Callable[[], None], path: Path | None, person: int | None = None
) -> None:
    """Show a game to its end, unless the person leaves it, and write it to a file if there is to be one."""
    from riverbed_web.record import write_record

    from ..playing.records import PERSON, record_of
    from .terminal_game import Leave

    try:
        show_all()
    except (Leave, EOFError):
        table.show("You left the game.")
        return
    finally:
        for line in table.faults():
            shell.errors.print(f"riverbed: {line}", soft_wrap=True)
    if path is not None:
        seats = [PERSON if seat == person else agent.name for seat, agent in sorted(table.agents.items())]
        write_record(path, record_of(table.batch, table.actions, seats))
        line = f"the game is in {path}; see it with: riverbed replay {path} --html game.html"
        shell.console.print(line, soft_wrap=True)


def _table(
    game_id: str,
    players: int | None,
    agent_name: str | None,
    seed: int | None,
    given: list[str] | None,
    seat: int | None,
) -> TerminalGame:
    """A game that is dealt, with the same agent in every seat, seen from one of them or whole.

    given: the options of the game. Raises OptionError for impossible options.
    """
    from riverbed_env.core.batch import Batch

    from .terminal_game import TerminalGame, show

    game = find_game(game_id)
    agent = shell.choose_agent(agent_name, game)
    count = game.default_players if players is None else players
    options = {"num_players": count, **shell.read_options(game, given)}
    seed = fresh_seed() if seed is None else check_seed(seed)
    game.make_params(**options)
    check_viewer(seat, count)
    with shell.errors.status(shell.COMPILING):
        batch = Batch(game, 1, seed=seed, auto_reset=False, **options)
    show(f"{game.title}, {count} player{'s' if count > 1 else ''}, seed {seed}")
    return TerminalGame(game, dict.fromkeys(range(count), agent), batch, seat, show)


def check_viewer(viewer: int | None, count: int) -> None:
    """Raise OptionError unless the viewer is a seat, or None."""
    if viewer is not None and not 0 <= viewer < count:
        raise OptionError(f"seats are 0 to {count - 1}, not {viewer}")


def _sit(link: str, agent: str | None) -> None:
    """Let a player from outside play a seat of a table in a browser, to the end of the game."""
    need("web")
    from riverbed_env.players.specs import find_agent
    from riverbed_env.seats import SeatAgent
    from riverbed_web.client import sit

    def make(game: str) -> SeatAgent:
        found = find_agent(agent or "", game)
        if not isinstance(found, SeatAgent):
            raise OptionError(f"{agent!r} plays inside the server: choose it there; here sit players from outside")
        return found

    if agent is None:
        raise OptionError("a link to a seat needs --agent: stdio:cmd=…, http:url=…, llm:model=… or call:target=…")
    returns = sit(link, make, shell.console.print)
    shell.console.print("the table was closed" if returns is None else f"the game is over; it pays {returns}")
