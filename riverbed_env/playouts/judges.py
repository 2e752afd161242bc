"""What play-outs of a game need beyond its rules: turns to count, a state's worth before the end, worlds to draw.

A package brings a judge by an entry point of the group "riverbed.judges", whose name is "game.name".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from riverbed_env.core.game import Game
from riverbed_env.entries import load_entry
from riverbed_env.kernels.compile import Record
from riverbed_env.players.installed import JUDGES, entries_of

from .kernels import FOLDER, kernel


@dataclass(frozen=True)
class Judge:
    """Kernels over a game's records, by which its play-outs are counted, valued and begun.

    Args:
        name: its name.
        turn_of: `turn_of(game) -> int`, which grows.
        expected_return: `expected_return(game, params, seat) -> float`, -1 to 1, at the beginning of a turn.
        draw_world: `draw_world(view, params, stream, game)`, which fills `game` with a state that the view's seat can't
            exclude.
        folders: the kernels' source folders, for the cache.
    """

    name: str
    turn_of: Callable[..., int]
    expected_return: Callable[..., float]
    draw_world: Callable[..., None]
    folders: tuple[Path, ...] = ()


@kernel
def no_turn(game: Record) -> int:
    """A game without a judge has no turns to count: play-outs go to its end."""
    return 0


@kernel
def no_opinion(game: Record, params: Record, seat: int) -> float:
    """A game without a judge: only the end tells."""
    return 0.0


@kernel
def no_world(view: Record, params: Record, stream: Record, game: Record) -> None:
    """A game without a judge draws no worlds."""


NO_JUDGE = Judge("none", no_turn, no_opinion, no_world, (FOLDER,))


def find_judge(game: str | Game) -> Judge:
    """The installed judge of a game, or of the game of that name.

    Args:
        game: the game, its id ("riverbed_hunt_v1") or its plain name.

    Returns:
        The judge, of several the first by name; NO_JUDGE if there is none.

    Raises:
        OptionError: there is no such game, or the judge can't be loaded.
    """
    found = sorted(entries_of(JUDGES, game).items())
    judge: Judge = load_entry(found[0][1]) if found else NO_JUDGE
    return judge
