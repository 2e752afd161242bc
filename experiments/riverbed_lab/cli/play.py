"""One game in the terminal: the commands `play` and `watch`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.registry import find_game

from .console import (
    COMPILING,
    DEFAULT_GAME,
    AgentOption,
    GameOption,
    PackOption,
    PlayersOption,
    SeedOption,
    SetOption,
    choose_agent,
    console,
    errors,
    read_options,
)
from .spending import CassetteOption, MaxCostOption, MaxTokensOption, OfflineOption, limit

if TYPE_CHECKING:
    from .terminal_game import TerminalGame

ViewerOption = Annotated[
    int | None, Option("--viewer", help="Show only what this seat knows.", show_default="everything")
]
RecordOption = Annotated[
    Path | None, Option("--record", help="Write the finished game to this file, for `riverbed replay`.")
]


def play(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = None,
    seat: Annotated[int, Option(help="Your seat, from 0.")] = 0,
    agent: AgentOption = None,
    seed: SeedOption = None,
    pack: PackOption = None,
    set_: SetOption = None,
    record: RecordOption = None,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    cassette: CassetteOption = None,
    offline: OfflineOption = False,
) -> None:
    """Take a seat yourself among agents; you are shown only what your seat knows."""
    from .terminal_game import Leave, show

    limit(max_cost, max_tokens, cassette, offline)
    table = _table(game, players, agent, seed, (pack, set_), seat)
    try:
        table.play(seat)
    except (Leave, EOFError):
        show("You left the game.")
        return
    _write_record(table, record, seat)


def watch(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = None,
    agent: AgentOption = None,
    seed: SeedOption = None,
    pack: PackOption = None,
    set_: SetOption = None,
    viewer: ViewerOption = None,
    pause: Annotated[float | None, Option(help="Seconds between turns.", show_default="wait for Enter")] = None,
    board: Annotated[bool, Option(help="Show the table between turns.")] = True,
    record: RecordOption = None,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    cassette: CassetteOption = None,
    offline: OfflineOption = False,
) -> None:
    """Watch one game between agents, turn by turn."""
    from .terminal_game import Leave, show

    if pause is not None and not 0 <= pause < float("inf"):
        raise OptionError(f"--pause takes seconds from 0 on, not {pause:g}")
    limit(max_cost, max_tokens, cassette, offline)
    table = _table(game, players, agent, seed, (pack, set_), viewer)
    by_hand = pause is None and sys.stdin.isatty() and sys.stdout.isatty()
    try:
        table.watch(pause=pause or 0.0, by_hand=by_hand, with_board=board)
    except (Leave, EOFError):
        show("You left the game.")
        return
    _write_record(table, record)


def _write_record(table: TerminalGame, path: Path | None, person: int | None = None) -> None:
    """Write the finished game to a file, if there is to be one."""
    if path is None:
        return
    from ..playing.records import PERSON, record_of

    seats = [PERSON if seat == person else agent.name for seat, agent in sorted(table.agents.items())]
    record_of(table.batch, table.actions, seats).write(path)
    line = f"the game is in {path}; see it with: riverbed replay {path} --html game.html"
    console.print(line, soft_wrap=True)


def _table(
    game_id: str,
    players: int | None,
    agent_name: str | None,
    seed: int | None,
    given: tuple[str | None, list[str] | None],
    viewer: int | None,
) -> TerminalGame:
    """A game that is dealt, with the same agent in every seat. given: the pack, and the options of the game.

    Raises OptionError for impossible options.
    """
    from riverbed_env.core.batch import Batch

    from .terminal_game import TerminalGame, show

    game = find_game(game_id)
    agent = choose_agent(agent_name, game)
    count = game.default_players if players is None else players
    options: dict[str, Any] = {"num_players": count, **read_options(game, *given)}
    seed = fresh_seed() if seed is None else check_seed(seed)
    game.make_params(**options)
    check_viewer(viewer, count)
    with errors.status(COMPILING):
        batch = Batch(game, 1, seed=seed, auto_reset=False, **options)
    show(f"{game.title}, {count} player{'s' if count > 1 else ''}, seed {seed}")
    return TerminalGame(game, dict.fromkeys(range(count), agent), batch, viewer, show)


def check_viewer(viewer: int | None, count: int) -> None:
    """Raise OptionError unless the viewer is a seat, or None."""
    if viewer is not None and not 0 <= viewer < count:
        raise OptionError(f"seats are 0 to {count - 1}, not {viewer}")
