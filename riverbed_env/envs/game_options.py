"""The options of an environment follow from those of its game."""

from __future__ import annotations

import inspect
from typing import Any

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_names

from .single import SingleGame


class GameEnv(SingleGame):
    """An environment of one game, given as `class raw_env(GameEnv, TurnEnv, game=…)`; it takes that game's options.

    Beside the options of `make_params`, which end with `auto_forced` and the cap on a game's length, every environment
    takes those below, all by name. `inspect.signature` and `help` show all of them with their defaults.

    Args:
        options: The options by name.
        view: "history", or "now", a shorter one.
        rewards: "win" or "zero_sum", one of `game.rewards`.
        on_illegal: "raise", or "terminate" (the game ends: -1 for the offender, 0 for the others).
        auto_forced: "public", "all" or "none", the forced decisions that are taken for the player.
        render_mode: "ansi", "rgb_array" (an image), "human" (prints all there is at each step, for a spectator;
            `render(viewer=seat)` shows what a seat knows) or None.
        mask_in: "observation", or "info" alone, where the action mask is.
        dtype: "int8" or "float32", of the observation's vector.
        render_size: Width and height of an image in pixels, each 160 to 8192.
        render_panels: "all", or "board" for the middle of the table alone.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
    """

    _its_game: Game
    __signature__: inspect.Signature

    def __init_subclass__(cls, game: Game | None = None, **more: Any) -> None:
        super().__init_subclass__(**more)
        if game is not None:
            cls._its_game = game
            takers = (game.make_params, SingleGame.__init__)
            every = [each for taker in takers for each in inspect.signature(taker, eval_str=True).parameters.values()]
            named = [each for each in every if each.name not in ("self", "game", "options")]
            cls.__signature__ = inspect.Signature([each.replace(kind=each.KEYWORD_ONLY) for each in named])

    def __init__(self, **options: Any) -> None:
        check_names(f"{type(self).__module__.rpartition('.')[2]}.env", options, list(self.__signature__.parameters))
        super().__init__(self._its_game, **options)
