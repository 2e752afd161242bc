"""What a player from outside believes about the roles of others in recorded games, beside deduction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

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
from .sources import Found
from .walking import Moment, moments


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

    It is asked at the first decision of each judged seat in every turn, with what that seat knew. Scores are of all its
    answers, then by the role of the seat, beside the posterior that deduction has from the same view.
    """
    asked, answered, parts = 0, 0, list[Looks]()
    for looks in _looks(found, talker, most):
        asked += 1
        progress(1)
        if looks is not None:
            answered += 1
            parts.append(looks)
    if not parts:
        return [], asked, 0
    return list(_rows(found, together(parts), label)), asked, answered


def _looks(found: Found, talker: SeatAgent, most: int) -> Iterator[Looks | None]:
    """What the talker believes at each moment that it is asked; None if it gives no answer."""
    games = found.games[:most]
    last = np.full((len(games), max(game.num_players for game in games)), -1)
    for moment in moments(games):
        turn = turns_begun(moment.batch)
        for index, seat in zip(moment.asked.tolist(), moment.seats.tolist()):
            place = int(moment.places[index])
            if seat in found.seats[place] and last[place, seat] < turn[index]:
                last[place, seat] = turn[index]
                yield _believed(moment, index, seat, int(turn[index]), talker, place)


def _believed(moment: Moment, index: int, seat: int, turn: int, talker: SeatAgent, place: int) -> Looks | None:
    """The beliefs of the seat that chooses in one game."""
    batch = moment.batch
    view = batch.look(np.maximum(batch.seat, 0))[index : index + 1]
    said = batch.transcript(index)
    message = belief_message(batch.game, batch.pack, view[0], batch.params, table=place + 1, said=said)
    unknown = unknown_to(view, batch.num_players)
    beliefs = ask_beliefs(talker, message, f"beliefs {batch.seed} {batch.game_number[index]} {seat} {turn}")
    if beliefs is None or not unknown.any():
        return None
    whole: dict[str, Any] = {"game": place, "turn": turn, "turns": 1, "seer": seat}
    return Looks(
        posteriors=beliefs[None],
        reference=Deduction.of(batch.params).roles(view),
        truth=batch.game.roles_of(batch.games)[index : index + 1].astype(np.int64),
        counted=unknown,
        **{name: np.array([number]) for name, number in whole.items()},
    )


def _rows(found: Found, looks: Looks, label: str) -> Iterator[InferenceRow]:
    """The scores of all answers, and of those in each role."""
    game = find_game(found.games[0].environment)
    longest = np.array([looks.turn[looks.game == number].max() for number in looks.game.tolist()])
    looks = replace(looks, turns=np.maximum(longest, 1))
    own = looks.truth[np.arange(len(looks.seer)), looks.seer]
    for name, among in [("any role", own >= 0), *((role, own == number) for number, role in enumerate(game.roles))]:
        if among.any():
            mine = Looks(*(getattr(looks, each)[among] for each in Looks.__dataclass_fields__))
            by_turn, *_ = scores_by_time(game, mine).items()
            count = found.games[0].num_players
            yield InferenceRow(count, f"{label} as {name}", label, OBSERVER, *by_turn)
