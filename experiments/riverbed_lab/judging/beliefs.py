"""What a player from outside believes about the roles of others in recorded games, beside deduction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Records
from riverbed_env.players.agents import Agent
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent, belief_message, read_beliefs
from riverbed_env.worlds import beliefs

from ..statistics import clustered_mean, clustered_rate, columns
from .sources import Found

if TYPE_CHECKING:
    import pandas as pd

DEDUCTION = "deduction"  # the observer beside the player
ALL, CALIBRATION = "all", "calibration"  # what a line of scores is about
NOT_KNOWN = -1
BINS = 10  # of calibration: of equal width, from 0 to 1
SMALLEST = 1e-9  # a chance below counts as this much, so that one certain mistake costs 20.7 nats, not infinity


def checked_talker(agent: Agent, game_name: str) -> SeatAgent:
    """The agent, if it can be asked for beliefs in this game. Raises OptionError if not."""
    if find_game(game_name).deduction is None:
        raise OptionError(f"beliefs are about hidden roles, which {game_name} doesn't have")
    if not isinstance(agent, SeatAgent):
        raise OptionError(f"{agent.name} can't be asked what it believes: name a player from outside, like llm:model=…")
    return agent


def belief_scores(
    found: Found, talker: SeatAgent, label: str, most: int, progress: Callable[[int], None] = lambda answers: None
) -> tuple[pd.DataFrame, int, int]:
    """The scores of a talker's beliefs in the first `most` games, and how often it was asked and answered.

    It is asked at the first decision of each judged seat in every turn, with what that seat knew and what was said
    until then. Scores are of all its answers, then by the role of the seat, beside the posterior of deduction from the
    same view; see `scored`.
    """
    import pandas as pd

    games, asked, answered, looks = found.games[:most], 0, 0, list[dict[str, Any]]()
    for place, (game, judged) in enumerate(zip(games, found.seats)):
        last = dict[int, int]()
        for decision, (batch, _) in enumerate(zip(game.replay(), game.actions)):
            seat, turn = int(batch.seat[0]), int(batch.games["table"]["turn"][0])
            if seat in judged and last.get(seat, -1) < turn:
                last[seat] = turn
                believed = _believed(batch, place, turn, talker, label)
                looks += [{"decision": decision, **each} for each in believed]
                asked, answered = asked + 1, answered + bool(believed)
                progress(1)
    if not looks:
        return pd.DataFrame(), asked, 0
    looks.sort(key=lambda look: look["decision"])
    frame, roles = pd.DataFrame.from_records(looks), find_game(games[0].environment).roles
    seats = [("any role", frame), *((role, frame[frame["own"] == number]) for number, role in enumerate(roles))]
    about = {"num_players": games[0].num_players}
    lines = [
        {**about, "observed": f"{label} as {name}", "observer": observer, **line}
        for name, among in seats
        for observer, mine in among.groupby("observer", sort=False)
        for line in scored(mine)
    ]
    return pd.DataFrame.from_records(lines), asked, answered


def scored(looks: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Score beliefs about roles against the true ones: a line over all, then lines of calibration.

    `log_loss` is in nats and `brier` from 0 to 2, each with its interval, clustered by game. Lines by "calibration"
    have the mean chance `claimed`, how often it was `true`, and the number of `claims`. looks: for each seat looked at
    the `chances` of its roles, its true role in `truth`, and the `game`.
    """
    chances, truth, game = np.stack(looks["chances"].to_list()), looks["truth"].to_numpy(), looks["game"].to_numpy()
    given = chances[np.arange(len(truth)), truth]
    log_loss = clustered_mean(-np.log(np.maximum(given, SMALLEST)), game)
    brier = clustered_mean((chances**2).sum(axis=1) - 2 * given + 1, game)
    yield {"by": ALL, "group": "", **columns("log_loss", log_loss), **columns("brier", brier), "seats": len(truth)}
    claimed, games = chances.ravel(), np.repeat(game, chances.shape[1])
    true = (truth[:, None] == np.arange(chances.shape[1])).ravel()
    number = np.minimum((claimed * BINS).astype(np.int64), BINS - 1)
    for each in np.unique(number).tolist():
        among = number == each
        happened = clustered_rate(true[among], games[among])
        about = {"by": CALIBRATION, "group": str(each), "claimed": float(claimed[among].mean())}
        yield {**about, **columns("true", happened), "claims": happened.games}


def _believed(batch: Batch, place: int, turn: int, talker: SeatAgent, label: str) -> list[dict[str, Any]]:
    """What talker and deduction believe of each seat whose role the choosing one doesn't know; [] without an answer."""
    seat = int(batch.seat[0])
    view = batch.look(seat)
    message = belief_message(batch.game, batch.pack, view[0], batch.params, table=place + 1, said=batch.notes())
    told = talker.ask(message, f"beliefs {batch.seed} {batch.game_number[0]} {seat} {turn}", read_beliefs)
    if told is None:
        return []
    believed = {label: told, DEDUCTION: beliefs(batch.game, view, batch.params)[0]}
    own, truth = int(batch.game.roles_of(batch.games)[0, seat]), unknown_roles(batch, view)
    return [
        {"observer": name, "own": own, "game": place, "truth": role, "chances": chances[other]}
        for name, chances in believed.items()
        for other, role in truth.items()
    ]


def unknown_roles(batch: Batch, view: Records) -> dict[int, int]:
    """The true role of each seat whose role a view doesn't show, by seat. batch: one game; view: (1,)."""
    shown = np.maximum(view["table"]["role"], view["private"]["looked"])[0, : batch.num_players]
    truth = batch.game.roles_of(batch.games)[0].tolist()
    own = int(view["seat"][0])
    return {other: truth[other] for other in np.flatnonzero(shown == NOT_KNOWN).tolist() if other != own}
