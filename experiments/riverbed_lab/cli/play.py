"""One game in the terminal: the commands `play`, `watch` and `replay`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from riverbed_env.errors import OptionError, RiverbedError
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

if TYPE_CHECKING:
    from ..evaluation.replay import Replay
    from .terminal_game import TerminalGame

ViewerOption = Annotated[
    int | None, Option("--viewer", help="Show only what this seat knows.", show_default="everything")
]


def play(
    game: GameOption = DEFAULT_GAME,
    players: PlayersOption = None,
    seat: Annotated[int, Option(help="Your seat, from 0.")] = 0,
    agent: AgentOption = None,
    seed: SeedOption = None,
    pack: PackOption = None,
    set_: SetOption = None,
) -> None:
    """Take a seat yourself among agents; you are shown only what your seat knows."""
    from .terminal_game import Leave, show

    table = _table(game, players, agent, seed, (pack, set_), seat)
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
    viewer: ViewerOption = None,
    pause: Annotated[float | None, Option(help="Seconds between turns.", show_default="wait for Enter")] = None,
    board: Annotated[bool, Option(help="Show the table between turns.")] = True,
) -> None:
    """Watch one game between agents, turn by turn."""
    from .terminal_game import Leave, show

    if pause is not None and not 0 <= pause < float("inf"):
        raise OptionError(f"--pause takes seconds from 0 on, not {pause:g}")
    table = _table(game, players, agent, seed, (pack, set_), viewer)
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
    _check_viewer(viewer, count)
    with errors.status(COMPILING):
        batch = Batch(game, 1, seed=seed, auto_reset=False, **options)
    show(f"{game.title}, {count} player{'s' if count > 1 else ''}, seed {seed}")
    return TerminalGame(game, dict.fromkeys(range(count), agent), batch, viewer, show)


def _check_viewer(viewer: int | None, count: int) -> None:
    if viewer is not None and not 0 <= viewer < count:
        raise OptionError(f"seats are 0 to {count - 1}, not {viewer}")


def replay(
    folder: Annotated[Path, Argument(help="The folder of an evaluation.")],
    cell: Annotated[str | None, Option(help="The cell, by number or name.", show_default="list the cells")] = None,
    game: Annotated[int, Option(help="The number of the deal.")] = 0,
    seat: Annotated[
        int | None, Option(help="The seat in focus, if a deal is played more than once.", show_default="the first")
    ] = None,
    watch: Annotated[bool, Option("--watch", help="Show the game step by step.")] = False,
    viewer: ViewerOption = None,
    pause: Annotated[float, Option(help="Seconds between two steps.")] = 0.3,
) -> None:
    """Replay a recorded game and check that it ends as its row says."""
    from ..evaluation.replay import Replay
    from ..files import code_version

    recorded = Replay(folder)
    if cell is None:
        for number, each in enumerate(recorded.cells):
            console.print(f"{number:>4}  {each.name}", highlight=False, markup=False)
        return
    row = recorded.row(recorded.cell(cell), game, seat)
    _check_viewer(viewer, row["num_players"])
    _show_row(recorded, row, viewer, pause if watch else None)
    differences = recorded.differences(row)
    if differences:
        raise RiverbedError(
            f"game {game} ends differently from its row (code {row['code']} then, {code_version()} now): "
            f"{'; '.join(differences)}"
        )
    console.print(f"game {game} of seed {row['seed']} ends as its row says: {recorded.in_words(row)}")


def _show_row(recorded: Replay, row: dict[str, Any], viewer: int | None, pause: float | None) -> None:
    """Print who sits where, and the game unless `pause` is None."""
    from riverbed_env.core.batch import Batch

    from .terminal_game import TerminalGame, show

    agents = recorded.agents(row)
    for number, agent in enumerate(agents):
        focus = ", in focus" if row["focus"] == number else ""
        console.print(f"seat {number}: {agent.name}, {row[f'role_{number}']}{focus}", highlight=False, markup=False)
    if pause is not None:
        options = recorded.plan.options_of(recorded.cell(row["cell"]).setup)
        batch = Batch(recorded.game, 1, seed=row["seed"], first_game=row["game"], auto_reset=False, **options)
        TerminalGame(recorded.game, dict(enumerate(agents)), batch, viewer, show).watch(pause)
