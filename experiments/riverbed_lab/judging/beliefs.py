"""What a player from outside believes about the roles of others in recorded games, beside deduction."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import Texts
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent, belief_message, read_beliefs
from riverbed_env.worlds import beliefs

from ..evaluation.roles import MODELS, Looks, score, turns_begun, unknown_to
from .judge import groups_of
from .sources import Found

if TYPE_CHECKING:
    import pandas as pd


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
    same view; see `evaluation.roles`.
    """
    import pandas as pd

    games, asked, parts = found.games[:most], 0, list[Looks]()
    last = np.full((len(games), max(game.num_players for game in games)), -1)
    for group in groups_of(games):
        batch, texts = group.batch, [Texts(games[place].transcript) for place in group.places.tolist()]
        for decision in range(group.actions.shape[1]):
            turns = turns_begun(batch)
            for index in np.flatnonzero((group.lengths > decision) & batch.acting).tolist():
                place, seat, turn = int(group.places[index]), int(batch.seat[index]), int(turns[index])
                if seat in found.seats[place] and last[place, seat] < turn:
                    last[place, seat] = turn
                    asked += 1
                    parts += _believed(batch, index, place, turn, talker, label)
                    progress(1)
                texts[index].say(batch, index)
            group.take(decision)
    if not parts:
        return pd.DataFrame(), asked, 0
    game, looks = find_game(games[0].environment), Looks.together(parts)
    own = looks.truth[np.arange(len(looks.seer)), looks.seer]
    seats = {"any role": own >= 0, **{role: own == number for number, role in enumerate(game.roles)}}
    about = {"num_players": games[0].num_players}
    scores = [
        score(looks.of(among), game.roles, **about, observed=f"{label} as {name}")
        for name, among in seats.items()
        if among.any()
    ]
    return pd.concat(scores, ignore_index=True), asked, len(parts)


def _believed(batch: Batch, index: int, place: int, turn: int, talker: SeatAgent, label: str) -> list[Looks]:
    """The beliefs of the seat that chooses in one game of the batch; none if there is no usable answer."""
    seat = int(batch.seat[index])
    view = batch.look(np.maximum(batch.seat, 0))[index : index + 1]
    said = batch.transcript(index)
    message = belief_message(batch.game, batch.pack, view[0], batch.params, table=place + 1, said=said)
    unknown = unknown_to(view, batch.num_players)
    told = talker.ask(message, f"beliefs {batch.seed} {batch.game_number[index]} {seat} {turn}", read_beliefs)
    if told is None or not unknown.any():
        return []
    believed = {label: told[None], next(iter(MODELS)): beliefs(batch.game, view, batch.params)}
    truth = batch.game.roles_of(batch.games)[index : index + 1].astype(np.int64)
    return [Looks(believed, truth, unknown, *(np.array([number]) for number in (place, turn, seat)))]
