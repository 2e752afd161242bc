"""What rollouts of a game need beyond its rules: turns to count, a state's value before the end, worlds to draw.

A package brings hooks by an entry point of the group "riverbed.rollouts", whose name is "game.name".
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from riverbed_env.core.game import Game
from riverbed_env.entries import load_entry
from riverbed_env.kernels.compile import Record
from riverbed_env.players.installed import ROLLOUTS, entries_of

from .kernels import FOLDER, kernel


@dataclass(frozen=True)
class RolloutHooks:
    """A game's kernels for rollouts: they count turns, value a state and draw a world.

    Args:
        name: their name.
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
    """A game without hooks has no turns to count: rollouts go to its end."""
    return 0


@kernel
def no_opinion(game: Record, params: Record, seat: int) -> float:
    """A game without hooks: only the end tells."""
    return 0.0


@kernel
def no_world(view: Record, params: Record, stream: Record, game: Record) -> None:
    """A game without hooks draws no worlds."""


NO_HOOKS = RolloutHooks("none", no_turn, no_opinion, no_world, (FOLDER,))


def find_hooks(game: str | Game) -> RolloutHooks:
    """The installed hooks of a game, or of the game of that name.

    Args:
        game: the game, its id ("riverbed_hunt_v1") or its plain name.

    Returns:
        The hooks, of several the first by name; NO_HOOKS if there is none.

    Raises:
        OptionError: there is no such game, or the hooks can't be loaded.
    """
    found = sorted(entries_of(ROLLOUTS, game).items())
    hooks: RolloutHooks = load_entry(found[0][1]) if found else NO_HOOKS
    return hooks
