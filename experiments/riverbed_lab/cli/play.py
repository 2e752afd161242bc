"""The commands `play` and `watch`: one game in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
    errors,
    read_options,
)

if TYPE_CHECKING:
    from .terminal_game import TerminalGame


def play(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = None,
    seat: Annotated[int, typer.Option("--seat", help="Your seat, from 0.")] = 0,
    agent: AgentOption = None,
    seed: SeedOption = None,
    pack: PackOption = None,
    set_: SetOption = None,
) -> None:
    """Take a seat yourself among agents; you are shown only what your seat knows."""
    from .terminal_game import Leave, show

    table = _table(game, players, agent, seed, pack, set_, seat)
    try:
        table.play(seat)
    except (Leave, EOFError):
        show("You left the game.")


def watch(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = None,
    agent: AgentOption = None,
    seed: SeedOption = None,
    pack: PackOption = None,
    set_: SetOption = None,
    viewer: Annotated[
        int | None, typer.Option("--viewer", help="Show only what this seat knows.", show_default="everything")
    ] = None,
    pause: Annotated[
        float | None, typer.Option("--pause", help="Seconds between turns.", show_default="wait for Enter")
    ] = None,
    board: Annotated[bool, typer.Option("--board/--no-board", help="Show the table between turns.")] = True,
) -> None:
    """Watch one game between agents, turn by turn."""
    from .terminal_game import Leave, show

    if pause is not None and not 0 <= pause < float("inf"):
        raise OptionError(f"--pause takes seconds from 0 on, not {pause:g}")
    table = _table(game, players, agent, seed, pack, set_, viewer)
    by_hand = pause is None and sys.stdin.isatty() and sys.stdout.isatty()
    try:
        table.watch(pause=pause or 0.0, by_hand=by_hand, with_board=board)
    except (Leave, EOFError):
        show("You left the game.")


def _table(
    game_id: str,
    players: int | None,
    agent_name: str | None,
    seed: int | None,
    pack: str | None,
    set_: list[str] | None,
    viewer: int | None,
) -> TerminalGame:
    """A game that is dealt, with the same agent in every seat. Raises OptionError for impossible options."""
    from riverbed_env.core.batch import Batch

    from .terminal_game import TerminalGame, show

    game = find_game(game_id)
    agent = choose_agent(agent_name, game)
    count = game.default_players if players is None else players
    options: dict[str, Any] = {"num_players": count, **read_options(game, pack, set_)}
    seed = fresh_seed() if seed is None else check_seed(seed)
    game.make_params(**options)
    if viewer is not None and not 0 <= viewer < count:
        raise OptionError(f"seats are 0 to {count - 1}, not {viewer}")
    with errors.status(COMPILING):
        batch = Batch(game, 1, seed=seed, auto_reset=False, **options)
    show(f"{game.title}, {count} player{'s' if count > 1 else ''}, seed {seed}")
    return TerminalGame(game, dict.fromkeys(range(count), agent), batch, viewer, show)
