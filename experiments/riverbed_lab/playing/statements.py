"""What seats of Riverbed Hunt claim (RH-9), whether it is true, and what it does to what the others believe.

The truth of a claim is a fact of the full game, for analysis; no seat's view has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import take_records
from riverbed_env.deduction import Deduction
from riverbed_env.deduction.claims import truth_of
from riverbed_env.deduction.evidence import FIRST
from riverbed_env.games.riverbed_hunt.rules.talk import claim_at
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    CAMP_OF,
    NO_TILE,
    NUM_TILE_CLAIMS,
    URGE_UNIT,
    Camp,
    Role,
    Verb,
)
from riverbed_env.games.riverbed_hunt.words.claims import Claim, claim_of
from riverbed_env.players.agents import Agent

from .play import watch

Whole = npt.NDArray[np.int64]
Records = npt.NDArray[np.void]
Floats = npt.NDArray[np.float64]

MERCHANTS = [role for role in range(len(CAMP_OF)) if CAMP_OF[role] == Camp.MERCHANTS]


class Statement(NamedTuple):
    """A claim as it was made in game `game` of a batch.

    true: whether it is, None for urges, judgements and promises; known: whether the speaker knows. trust: what the
    other seats believed before and after, on average, of the speaker being a merchant; grasp: what they gave to the
    true roles of all other seats.
    """

    game: int
    turn: int
    speaker: int
    role: Role
    claim: Claim
    true: bool | None
    known: bool
    trust: tuple[float, float]
    grasp: tuple[float, float]


class Checked(NamedTuple):
    """A claim about a tile that was turned up while it stood: now everybody knows whether it was true."""

    game: int
    turn: int
    speaker: int
    role: Role
    true: bool


def statements(
    batch: Batch, agents: Sequence[Agent], seats: Whole, numbers: npt.ArrayLike
) -> Iterator[Statement | Checked]:
    """Play games as `watch` does; yields every claim when it was made, and every one that was found true or false."""
    deduction = Deduction.of(batch.params)
    before: Records | None = None
    for _ in watch(batch, agents, seats, numbers):
        if before is not None:
            yield from _since(batch, deduction, before)
        before = batch.get_state()
    if before is not None:
        yield from _since(batch, deduction, before)


def _since(batch: Batch, deduction: Deduction, before: Records) -> Iterator[Statement | Checked]:
    """What was claimed and found out in the last step. before: the games before it."""
    tables, old = batch.games["table"], before["table"]
    claimed = np.flatnonzero(tables["said_count"] != old["said_count"])
    if len(claimed):
        now, then = take_records(batch.games, claimed), take_records(before, claimed)
        beliefs = [
            np.stack([deduction.roles(views) for views in seen_by_all(batch, games)], axis=1) for games in (then, now)
        ]
        for row, index in enumerate(claimed.tolist()):
            yield _statement(batch, index, now[row], [each[row] for each in beliefs])
    words, past = (games["tile_words"] % URGE_UNIT for games in (old, tables))
    ended = (words > 0) & (words <= NUM_TILE_CLAIMS) & (past == words + NUM_TILE_CLAIMS)
    for index, speaker, space in np.argwhere(ended).tolist():
        true = int(words[index, speaker, space]) == _bears(batch, batch.games[index], space)
        role = Role(int(batch.game.roles_of(batch.games[index : index + 1])[0, speaker]))
        yield Checked(index, int(tables[index]["turn"]), speaker, role, true)


def seen_by_all(batch: Batch, games: Records) -> Iterator[Records]:
    """What each seat sees in some games, (games,) views, seat by seat."""
    scratch = np.zeros(batch.size, np.int8)
    for seat in range(batch.num_players):
        views = np.zeros(len(games), batch.game.view_dtype)
        places = np.full(len(games), seat, np.int64)
        batch.game.loop("look_at_games")(games, batch.params, places, views, scratch)
        yield views


def _statement(batch: Batch, index: int, game: np.void, beliefs: Sequence[Floats]) -> Statement:
    """The newest claim of a game. beliefs: the posteriors before and after, (seats, seats, roles) each."""
    table = game["table"]
    speaker, claim = claim_of(claim_at(table, 0))
    roles = batch.game.roles_of(batch.games[index : index + 1])[0].astype(np.int64)
    others = [seat for seat in range(batch.num_players) if seat != speaker]
    trust = [100 * float(each[others, speaker][:, MERCHANTS].sum(axis=1).mean()) for each in beliefs]
    grasp = [100 * _given_to(each, roles, others) for each in beliefs]
    return Statement(
        *(index, int(table["turn"]), speaker, Role(int(roles[speaker])), claim),
        true=truth(batch, game, roles, speaker, claim),
        known=knows(game, speaker, claim),
        trust=(trust[0], trust[1]),
        grasp=(grasp[0], grasp[1]),
    )


def _given_to(posteriors: Floats, roles: Whole, listeners: Sequence[int]) -> float:
    """The mean probability that these seats give to the true roles of the others."""
    given = posteriors[:, np.arange(len(roles)), roles]
    return float(np.mean([np.delete(given[seat], seat).mean() for seat in listeners]))


def truth(batch: Batch, game: np.void, roles: Whole, speaker: int, claim: Claim) -> bool | None:
    """Whether a claim is true; None for urges, judgements and promises. roles: (seats,), the true ones, 0 the chief."""
    if claim.verb <= Verb.OF_PROFITEER:
        return CAMP_OF[int(roles[claim.about])] == claim.verb - Verb.OF_MERCHANTS
    if Verb.MERCHANT <= claim.verb <= Verb.PROFITEER:
        return int(roles[speaker]) == claim.verb - Verb.MERCHANT + Role.MERCHANT
    if Verb.BEARS_KELP <= claim.verb <= Verb.BEARS_NONE:
        return claim.verb - Verb.BEARS_KELP + 1 == _bears(batch, game, claim.about)
    return None


def _bears(batch: Batch, game: np.void, space: int) -> int:
    """The true claim about the tile on a space: 1 + kelp, log, coin, none of them."""
    return int(truth_of(int(batch.params[0]["features"][int(game["tile_at"][space]), FIRST])))


def knows(game: np.void, speaker: int, claim: Claim) -> bool:
    """Whether the speaker knows the truth of its claim: its own role, roles shown to it, tiles it has seen."""
    own = game["private"][speaker]
    if Verb.BEARS_KELP <= claim.verb <= Verb.BEARS_NONE:
        return int(own["known"][claim.about]) != NO_TILE
    if claim.verb <= Verb.OF_PROFITEER:
        return claim.about == speaker or int(own["looked"][claim.about]) != Role.UNKNOWN
    return True
