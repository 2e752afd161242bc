"""Games that look the same to a seat, for every game: what search plays on."""

from __future__ import annotations

import numpy as np

from riverbed_env.core.game import Game, copy_records
from riverbed_env.core.options import check_one_set
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.kernels.compile import Records

from .service import Deduction, streams_of


def resample(game: Game, views: Records, params: Records, seed: int, first: int = 0) -> Records:
    """Draw a game for each view in which the view's seat sees exactly the same, (n,) of game records.

    views: (n,) as `Batch.look` and `env.look` give; params: the batch's or environment's. A seat that has a question is
    asked in it. What is hidden is drawn from the view alone, future chance included: in Riverbed Hunt by `Deduction`,
    elsewhere uniformly. Game i depends on `seed` and the number `first + i`. `Batch.set_state` and `env.set_game` take
    the records. Raises OptionError for games that can't be drawn and for other views.
    """
    if game is RIVERBED_HUNT:
        return Deduction.of(params).resample(views, seed, first)
    if game.kernels.resample is None:
        raise OptionError(f"{game.id} can't be resampled: it has no kernel `resample`")
    checked = _check(game, views, params)
    streams, games = streams_of(len(checked), seed, first), np.zeros(len(checked), game.dtype)
    game.loops.resample_views(checked, params, streams, games)
    return games


def _check(game: Game, views: Records, params: Records) -> Records:
    """A copy of the views. Raises OptionError if they aren't seats' views of games with these params."""
    if not isinstance(views, np.ndarray) or views.dtype != game.view_dtype or views.ndim != 1:
        raise OptionError("views must be an array of view records, shape (n,), as look() gives")
    check_one_set(params)
    num_players = int(params["num_players"][0])
    if "num_players" in (views["table"].dtype.names or ()) and (views["table"]["num_players"] != num_players).any():
        raise OptionError(f"the views must be of games of {num_players} players")
    if not ((views["seat"] >= 0) & (views["seat"] < num_players)).all():
        raise OptionError(f"the views must be of seats 0 to {num_players - 1}")
    return copy_records(views)
