"""What a seat can conclude from its view, in every game: beliefs about hidden roles, and games that look the same."""

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game, copy_records
from riverbed_env.core.options import check_game_number, check_one_set
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Records, Vector, Whole
from riverbed_env.kernels.random import RESAMPLED, STREAM, check_seed, open_stream

__all__ = ["beliefs", "resample", "role_targets"]

PERCENT = 100


def beliefs(game: Game, views: Records, params: Records, model: str = "playing") -> Floats:
    """The posterior of every seat's role for each view.

    Args:
        game: a game with a deduction, as Riverbed Hunt.
        views: (n,) view records, as `Batch.look` and `env.look` give.
        params: (1,), the batch's or environment's.
        model: "playing", the fitted model of how roles play and talk; "deaf", the same without what is said; or
            "uniform", under which choices don't depend on the role, so that only known roles and the number of role
            cards count.

    Returns:
        (n, num_players, roles), with sums of 1 over the last axis. Axis 1 is the seat number, not relative to the
        observer; axis 2 the role in the order of `game.roles`.

    Raises:
        OptionError: the game has no deduction, there is no such model, or the views aren't of games with these params.
    """
    if game.deduction is None:
        raise OptionError(f"{game.id} has no hidden roles to have beliefs about")
    _check(game, views, params)
    posteriors: Floats = game.deduction.beliefs(views, params, model)
    return posteriors


def role_targets(batch: Batch, seats: Whole) -> Vector:
    """The posterior of each seat's role in percent, given what one seat of each game knows: a target for learners.

    Args:
        batch: n games with a deduction.
        seats: the seat that deduces, (n,).

    Returns:
        (n, most players, roles), the deducing seat first, then clockwise; rows past the players are 0.
    """
    targets = np.zeros((len(seats), batch.game.max_players, len(batch.game.roles)), np.int8)
    for places, params in batch.by_set():
        rows = np.arange(batch.num_envs)[places]
        roles = beliefs(batch.game, batch.look(seats[rows], rows), params)
        players = roles.shape[1]
        clockwise = (seats[rows, None] + np.arange(players)) % players
        turned = np.take_along_axis(roles, clockwise[:, :, None], axis=1)
        targets[rows, :players] = np.rint(PERCENT * turned)
    return targets


def resample(game: Game, views: Records, params: Records, seed: int, first: int = 0, model: str = "playing") -> Records:
    """Draw a game for each view in which the view's seat sees exactly the same.

    What is hidden is drawn from the view alone, future chance included: in Riverbed Hunt by `beliefs`, elsewhere
    uniformly. A seat that has a question is asked in it. `Batch.set_state` and `env.set_game` take the records.

    Args:
        game: any game that can be drawn.
        views: (n,) view records of seats, as `Batch.look` and `env.look` give.
        params: (1,), the batch's or environment's.
        seed: game i depends on it and on the number `first + i`.
        first: the number of the first game.
        model: see `beliefs`; games without a deduction have one model.

    Returns:
        (n,) game records.

    Raises:
        OptionError: the game can't be drawn, or the views aren't seats' views of games with these params.
    """
    if game.deduction is None and game.kernels.resample is None:
        raise OptionError(f"{game.id} can't be resampled: it has no kernel `resample`")
    num_players = _check(game, views, params)
    if not ((views["seat"] >= 0) & (views["seat"] < num_players)).all():
        raise OptionError(f"the views must be of seats 0 to {num_players - 1}")
    checked, number = check_seed(seed), check_game_number("first", first)
    streams, games = np.zeros(len(views), STREAM), np.zeros(len(views), game.dtype)
    for place in range(len(views)):
        open_stream(streams[place], checked, number + place, RESAMPLED)
    if game.deduction is None:
        game.loops.resample_views(copy_records(views), params, streams, games)
    else:
        game.deduction.draw_games(views, params, model, streams, games)
    return games


def _check(game: Game, views: object, params: Records) -> int:
    """The number of players. Raises OptionError unless these are views of games with these params."""
    if not isinstance(views, np.ndarray) or views.dtype != game.view_dtype or views.ndim != 1:
        raise OptionError("views must be an array of view records, shape (n,), as look() gives")
    check_one_set(params)
    num_players = int(params["num_players"][0])
    if "num_players" in (views["table"].dtype.names or ()) and (views["table"]["num_players"] != num_players).any():
        raise OptionError(f"the views must be of games of {num_players} players")
    return num_players
