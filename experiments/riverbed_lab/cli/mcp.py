"""Command `mcp`: seats of one game as tools of the Model Context Protocol."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import platformdirs
from typer import Option

from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.registry import find_game

from ..extras import need
from ..files import writable_folder
from . import console as shell

if TYPE_CHECKING:
    from ..seat_tools.hosted import HostedGame


def mcp(
    game: shell.GameOption = shell.DEFAULT_GAME,
    players: shell.PlayersOption = None,
    seat: Annotated[str, Option(help="The seats played from outside, like 0 or 0,3.")] = "0",
    agent: shell.AgentOption = None,
    seed: shell.SeedOption = None,
    set_: shell.SetOption = None,
    port: Annotated[
        int | None,
        Option(help="Serve HTTP, with a token for each seat; 0: a free port.", min=0, max=65535, show_default="stdio"),
    ] = None,
) -> None:
    """Host one game and give its seats to clients of the Model Context Protocol; agents play the other seats.

    The game is recorded in your data folder, for `judge` and `replay`.
    """
    need("mcp")
    from ..seat_tools.hosted import HostedGame
    from ..seat_tools.server import seat_server

    chosen = find_game(game)
    count = chosen.default_players if players is None else players
    outside = shell.numbers_of(seat, 0, count - 1, "seats")
    if len(outside) > 1 and port is None:
        raise OptionError("a client of stdio has one seat; for several, add --port")
    other = shell.choose_agent(agent, chosen)
    agents = [None if number in outside else other for number in range(count)]
    given = fresh_seed() if seed is None else check_seed(seed)
    kept = _record_of(chosen.id)
    hosted = HostedGame(chosen, agents, given, kept=kept, **shell.read_options(chosen, set_))
    if port is not None:
        _listen(hosted, port)
    else:
        import asyncio

        asyncio.run(seat_server(hosted, outside[0]).run_stdio_async())


def _record_of(game: str) -> Path | None:
    """The file for the game's record; None, with a line on standard error, if there is no place for it."""
    try:
        folder = writable_folder(Path(platformdirs.user_data_dir("riverbed")) / "mcp")
    except OptionError as error:
        shell.errors.print(f"the game isn't recorded: {error}", soft_wrap=True)
        return None
    kept = folder / f"{game}-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}.json"
    shell.errors.print(f"the game is recorded in {kept}", soft_wrap=True)
    return kept


def _listen(hosted: HostedGame, port: int) -> None:
    """Serve the seats on this machine; their tokens are printed once, on standard error."""
    import socket

    import uvicorn

    from ..seat_tools.server import PATH, Seats, http_app

    seats = Seats(hosted)
    with socket.create_server(("127.0.0.1", port)) as listening:
        shell.errors.print(f"http://127.0.0.1:{listening.getsockname()[1]}{PATH}/")
        for number, token in seats.tokens.items():
            shell.errors.print(f"seat {number}: Authorization: Bearer {token}", soft_wrap=True)
        sys.stderr.flush()
        uvicorn.Server(uvicorn.Config(http_app(seats), log_level="warning")).run(sockets=[listening])
