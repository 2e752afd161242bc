"""The options of an environment follow from those of its game."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_names, one_cap
from riverbed_env.core.picture import SIZE

from .single import SingleGame

PLACEMENT = inspect.Parameter.POSITIONAL_OR_KEYWORD


class GameEnv(SingleGame):
    """An environment of one game, given as `class raw_env(GameEnv, TurnEnv, game=…)`; it takes that game's options.

    Beside the options of `make_params`, which end with `auto_forced` and the cap on a game's length, every environment
    takes those below. `inspect.signature` and `help` show all of them with their defaults.

    Args:
        args: Options by position, in the order of the signature.
        options: Options by name.
        view: "history", or "now", a shorter one.
        rewards: "win" or "zero_sum", one of `game.rewards`.
        on_illegal: "raise", or "terminate" (the game ends: -1 for the offender, 0 for the others).
        auto_forced: "public", "all" or "none", the forced decisions that are taken for the player.
        max_cycles: Another name for the cap, as PettingZoo has it.
        render_mode: "ansi", "rgb_array" (an image), "human" (prints all there is at each step, for a spectator;
            `render(viewer=seat)` shows what a seat knows) or None.
        mask_in: "observation", or "info" alone, where the action mask is.
        dtype: "int8" or "float32", of the observation's vector.
        render_size: Width and height of an image in pixels, each 160 to 8192.
        render_panels: "all", or "board" for the middle of the table alone.

    Raises:
        OptionError: An option isn't known, its value isn't allowed, or the cap is given twice with different values.
    """

    _its_game: Game
    __signature__: inspect.Signature

    def __init_subclass__(cls, game: Game | None = None, **more: Any) -> None:
        super().__init_subclass__(**more)
        if game is not None:
            cls._its_game = game
            cls.__signature__ = _signature(game)

    def __init__(self, *args: Any, **options: Any) -> None:
        check_names(f"{type(self).__module__.rpartition('.')[2]}.env", options, list(self.__signature__.parameters))
        bound = self.__signature__.bind(*args, **options)
        bound.apply_defaults()
        given = bound.arguments
        cap = list(inspect.signature(self._its_game.make_params).parameters.values())[-1]
        given[cap.name] = one_cap(cap.name, given[cap.name], given.pop("max_cycles"), cap.default)
        super().__init__(self._its_game, **given)


def _signature(game: Game) -> inspect.Signature:
    """The options in the order in which they can be given by position."""
    *own, auto_forced, cap = inspect.signature(game.make_params, eval_str=True).parameters.values()

    def option(name: str, default: Any, kind: Any = str) -> inspect.Parameter:
        return inspect.Parameter(name, PLACEMENT, default=default, annotation=kind)

    shared = [option("view", "history"), option("rewards", "win"), option("on_illegal", "raise")]
    caps = [option(name, None, int | None) for name in (cap.name, "max_cycles")]
    form = [option("render_mode", None, str | None), option("mask_in", "observation"), option("dtype", "int8")]
    picture = [option("render_size", SIZE, Sequence[int]), option("render_panels", "all")]
    return inspect.Signature([*own, *shared, auto_forced, *caps, *form, *picture])
