"""The games that have deduction: roles inferred from views, and the turns and known roles needed to score them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game

Records = npt.NDArray[np.void]
Integers = npt.NDArray[np.int64]

MODELS = ("playing", "uniform")  # of deduction: what is scored, and the reference beside it
NOT_KNOWN = -1


@dataclass(frozen=True)
class RoleService:
    """Deduction in one game.

    `roles(params, model, views)` gives posteriors (n, seats, roles) in the order of the game's roles; `turn(games)`
    the turns begun, (n,); `known(views)` the role of each seat that the observer was shown, or NOT_KNOWN, (n, seats).
    `sources` are the folders of its code.
    """

    roles: Callable[[Records, str, Records], npt.NDArray[np.float64]]
    turn: Callable[[Records], Integers]
    known: Callable[[Records], Integers]
    sources: tuple[Path, ...]


def role_service(game: Game) -> RoleService | None:
    """The game's deduction; None for games without."""
    make = SERVICES.get(game.name)
    return None if make is None else make()


def _riverbed_hunt() -> RoleService:
    from riverbed_env.deduction import service

    def roles(params: Records, model: str, views: Records) -> npt.NDArray[np.float64]:
        return service.Deduction.of(params, model).roles(views)

    def turn(games: Records) -> Integers:
        begun: Integers = games["table"]["turn"].astype(np.int64)
        return begun

    def known(views: Records) -> Integers:
        shown: Integers = np.maximum(views["table"]["role"], views["private"]["looked"]).astype(np.int64)
        return shown[:, : int(views["table"]["num_players"][0])]

    return RoleService(roles, turn, known, (Path(service.__file__).parent,))


SERVICES: Mapping[str, Callable[[], RoleService]] = {"riverbed_hunt": _riverbed_hunt}
