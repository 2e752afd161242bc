"""The class `Deduction`: what a seat of Riverbed Hunt can conclude from its view."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import copy_records
from riverbed_env.core.options import check_choice, check_game_number, check_known, check_one_set
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.state import GAME, VIEW, look
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_ROLES, PUBLIC
from riverbed_env.kernels.random import RESAMPLED, STREAM, check_seed, open_stream

from .evidence import EVIDENCE
from .loops import resample_all, weigh_all
from .posterior import DEAF, PLAYING, UNIFORM_CHOICE

Records = npt.NDArray[np.void]

MODELS = {"playing": PLAYING, "uniform": UNIFORM_CHOICE, "deaf": DEAF}


def streams_of(count: int, seed: int, first: int) -> Records:
    """The streams from which games `first`, `first + 1`, … are drawn, (count,)."""
    checked, number = check_seed(seed), check_game_number("first", first)
    streams = np.zeros(count, STREAM)
    for place in range(count):
        open_stream(streams[place], checked, number + place, RESAMPLED)
    return streams


class Deduction:
    """Posteriors over roles, and full states sampled from views, for games with the same params.

    model: "playing", the fitted model of how roles play and talk; "deaf", the same without what is said; or "uniform",
    under which choices don't depend on the role, so that only known roles and the number of role cards count.
    options: the game's options (num_players, pack, layout).
    Raises OptionError for unknown options.

    Views are the records that `Batch.look` and an environment's `look` return, shape (n,).
    """

    def __init__(self, *, model: str = "playing", **options: Any) -> None:
        check_known(RIVERBED_HUNT, options)
        self._begin(make_params(**options)[0], model)

    @classmethod
    def of(cls, params: Records, model: str = "playing") -> Deduction:
        """Deduction for a batch or an environment, made from its `params`."""
        deduction = cls.__new__(cls)
        deduction._begin(params, model)
        return deduction

    def _begin(self, params: Records, model: str) -> None:
        check_choice("model", model, tuple(MODELS))
        check_one_set(params)
        self.model = model
        self.params = params
        self.num_players = int(self.params["num_players"][0])
        self._model = MODELS[model]
        self._evidence = np.zeros(1, EVIDENCE)

    def roles(self, views: Records) -> npt.NDArray[np.float64]:
        """The posterior of every seat's role for each view, shape (n, num_players, roles).

        Axis 0 is the view, axis 1 the seat number (not relative to the observer), axis 2 the role in the
        order of `Role`. Sums over axis 2 are 1.
        """
        checked = self._check(views)
        posteriors = np.zeros((len(checked), MAX_SEATS, NUM_ROLES))
        weigh_all(checked, self.params, self._evidence, self._model, posteriors)
        return posteriors[:, : self.num_players]

    @staticmethod
    def public_views(games: Records) -> Records:
        """What everybody knows of each game, shape (n,) of view records: an onlooker's views, for `roles`.

        games: records of games, shape (n,), as a batch's `games`.
        """
        views = np.zeros(len(games), VIEW)
        for index in range(len(games)):
            look(games[index], PUBLIC, views[index])
        return views

    def resample(self, views: Records, seed: int, first: int = 0) -> Records:
        """Sample a full state for each view, shape (n,) of game records.

        In every state the view's seat sees exactly the same: its knowledge, the table, its action mask. Sample i
        depends on `seed` and the number `first + i`. `Batch.set_state` accepts the states.
        """
        checked = self._check(views)
        streams, games = streams_of(len(checked), seed, first), np.zeros(len(checked), GAME)
        resample_all(checked, self.params, self._evidence, self._model, streams, games)
        return games

    def _check(self, views: Records) -> Records:
        """A contiguous, writable copy of the views. Raises OptionError if they don't fit the params."""
        if not isinstance(views, np.ndarray) or views.dtype != VIEW or views.ndim != 1:
            raise OptionError("views must be an array of view records, shape (n,), as look() gives")
        table, in_play = views["table"], self.params["tiles"][0][: int(self.params["num_tiles"][0])] - 1
        fits = table["num_players"] == self.num_players
        if not fits.all():
            raise OptionError(f"the views must be of games of {self.num_players} players")
        fits = table["occupied"] == self.params["layout_spaces"][0][table["layout"]]
        fits &= ((views["public"]["possible"] != 0).sum(axis=1) == len(in_play)) & (
            views["public"]["possible"][:, in_play] != 0
        ).all(axis=1)
        if not fits.all():
            raise OptionError("the views are of games of another pack: the tiles in play aren't those of the params")
        return copy_records(views)
