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
from riverbed_env.games.riverbed_hunt.rules.talk import claim_at, is_of_spaces
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    ASK_UNIT,
    CAMP_OF,
    NO_TILE,
    NOBODY,
    NUM_TILE_CLAIMS,
    URGE_UNIT,
    Camp,
    Ending,
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
    """A claim that came out while it stood, in turn `turn`, because the tile was turned up or the role became public.

    A claim of one's own role comes out as one of one's camp; the end, which shows all roles, isn't counted. since: the
    turn in which the claim was made.
    """

    game: int
    turn: int
    speaker: int
    role: Role
    claim: Claim
    true: bool
    since: int


Made = dict[tuple[int, int, str, int], int]  # turns of claims: by game, speaker, "tile" or "seat", and which


def statements(
    batch: Batch, agents: Sequence[Agent], seats: Whole, numbers: npt.ArrayLike
) -> Iterator[Statement | Checked]:
    """Play games as `watch` does; yields every claim when it was made, and every one that was found true or false."""
    deduction = Deduction.of(batch.params)
    before: Records | None = None
    made: Made = {}
    for _ in watch(batch, agents, seats, numbers):
        if before is not None:
            yield from _since(batch, deduction, before, made)
        before = batch.get_state()
    if before is not None:
        yield from _since(batch, deduction, before, made)


def _since(batch: Batch, deduction: Deduction, before: Records, made: Made) -> Iterator[Statement | Checked]:
    """What was claimed and came out in the last step. before: the games before it; made: extended by the claims."""
    tables, old = batch.games["table"], before["table"]
    claimed = np.flatnonzero(tables["said_count"] != old["said_count"])
    if len(claimed):
        now, then = take_records(batch.games, claimed), take_records(before, claimed)
        beliefs = [
            np.stack([deduction.roles(views) for views in seen_by_all(batch, games)], axis=1) for games in (then, now)
        ]
        for row, index in enumerate(claimed.tolist()):
            said = _statement(batch, index, now[row], [each[row] for each in beliefs])
            if said.true is not None:
                made[_thing(now[row], index, said.speaker, said.claim)] = said.turn
            yield said
    for index, speaker, claim in _come_out(old, tables):
        game = batch.games[index]
        roles = batch.game.roles_of(batch.games[index : index + 1])[0].astype(np.int64)
        true, since = truth(batch, game, roles, speaker, claim), made[_thing(game, index, speaker, claim)]
        turn, role = int(game["table"]["turn"]), Role(int(roles[speaker]))
        yield Checked(index, turn, speaker, role, claim, bool(true), since)


def _thing(game: np.void, index: int, speaker: int, claim: Claim) -> tuple[int, int, str, int]:
    """The key of a claim among those made: a tile by itself, since it may be swapped."""
    if is_of_spaces(claim.verb):
        return index, speaker, "tile", int(game["tile_at"][claim.about])
    return index, speaker, "seat", speaker if claim.about == NOBODY else claim.about


def _come_out(old: Records, tables: Records) -> Iterator[tuple[int, int, Claim]]:
    """Game, speaker and claim of all that came out between two states of the tables."""
    words, past = (each["tile_words"] % URGE_UNIT for each in (old, tables))
    ended = (words > 0) & (words <= NUM_TILE_CLAIMS) & (past == words + NUM_TILE_CLAIMS)
    for index, speaker, space in np.argwhere(ended).tolist():
        yield index, speaker, Claim(Verb(Verb.BEARS_KELP + int(words[index, speaker, space]) - 1), space)
    camps = old["seat_words"] % ASK_UNIT
    shown = (old["role"] == Role.UNKNOWN) & (tables["role"] != Role.UNKNOWN)
    shown &= tables["ending"][:, None] == Ending.PLAYING  # the end shows all roles
    for index, speaker, seat in np.argwhere((camps > 0) & shown[:, None]).tolist():
        yield index, speaker, Claim(Verb(int(camps[index, speaker, seat])), seat)


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
