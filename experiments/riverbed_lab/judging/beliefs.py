"""What a player from outside believes about the roles of others in recorded games, beside deduction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import Texts
from riverbed_env.deduction import Deduction
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent, ask_beliefs, belief_message

from ..evaluation.results import InferenceRow
from ..evaluation.role_inference import (
    OBSERVER,
    WITH_DEDUCTION,
    Looks,
    scores_by_time,
    together,
    turns_begun,
    unknown_to,
)
from .choices import groups_of, take_recorded
from .sources import Found


def checked_talker(agent: Agent, game_name: str) -> SeatAgent:
    """The agent, if it can be asked for beliefs in this game. Raises OptionError if not."""
    if game_name not in WITH_DEDUCTION:
        raise OptionError(f"beliefs are about hidden roles, which {game_name} doesn't have")
    if not isinstance(agent, SeatAgent):
        raise OptionError(f"{agent.name} can't be asked what it believes: name a player from outside, like llm:model=…")
    return agent


def belief_rows(
    found: Found, talker: SeatAgent, label: str, most: int, progress: Callable[[int], None] = lambda answers: None
) -> tuple[list[InferenceRow], int, int]:
    """The scores of a talker's beliefs in the first `most` games, and how often it was asked and answered.

    It is asked at the first decision of each judged seat in every turn, with what that seat knew and what was said
    until then. Scores are of all its answers, then by the role of the seat, beside the posterior of deduction from the
    same view.
    """
    games, asked, parts = found.games[:most], 0, list[Looks]()
    last = np.full((len(games), max(game.num_players for game in games)), -1)
    for group in groups_of(games):
        batch, texts = group.batch, [Texts(games[place].transcript) for place in group.places.tolist()]
        for decision in range(group.actions.shape[1]):
            turns, going = turns_begun(batch), group.lengths > decision
            for index in np.flatnonzero(going & batch.acting).tolist():
                place, seat, turn = int(group.places[index]), int(batch.seat[index]), int(turns[index])
                if seat in found.seats[place] and last[place, seat] < turn:
                    last[place, seat] = turn
                    asked += 1
                    parts += _believed(batch, index, place, turn, talker)
                    progress(1)
                texts[index].say(batch, index)
            take_recorded(group, decision, going)
    return _rows(found, together(parts), label) if parts else [], asked, len(parts)


def _believed(batch: Batch, index: int, place: int, turn: int, talker: SeatAgent) -> list[Looks]:
    """The beliefs of the seat that chooses in one game of the batch; none if there is no usable answer."""
    seat = int(batch.seat[index])
    view = batch.look(np.maximum(batch.seat, 0))[index : index + 1]
    said = batch.transcript(index)
    message = belief_message(batch.game, batch.pack, view[0], batch.params, table=place + 1, said=said)
    unknown = unknown_to(view, batch.num_players)
    beliefs = ask_beliefs(talker, message, f"beliefs {batch.seed} {batch.game_number[index]} {seat} {turn}")
    if beliefs is None or not unknown.any():
        return []
    posterior = Deduction.of(batch.params).roles(view)
    truth = batch.game.roles_of(batch.games)[index : index + 1].astype(np.int64)
    return [Looks(beliefs[None], posterior, truth, unknown, *(np.array([n]) for n in (place, turn, 1, seat)))]


def _rows(found: Found, looks: Looks, label: str) -> list[InferenceRow]:
    """The scores of all answers, and of those in each role."""
    game, count = find_game(found.games[0].environment), found.games[0].num_players
    longest = np.array([looks.turn[looks.game == number].max() for number in looks.game.tolist()])
    looks = replace(looks, turns=np.maximum(longest, 1))
    own = looks.truth[np.arange(len(looks.seer)), looks.seer]
    rows = []
    for name, among in [("any role", own >= 0), *((role, own == number) for number, role in enumerate(game.roles))]:
        if among.any():
            mine = Looks(*(getattr(looks, each)[among] for each in Looks.__dataclass_fields__))
            by_turn, *_ = scores_by_time(game, mine).items()
            rows.append(InferenceRow(count, f"{label} as {name}", label, OBSERVER, *by_turn))
    return rows
