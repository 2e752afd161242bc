"""The choices of recorded games that are judged: where a seat did otherwise than the reference agent could have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import RecordedGame, check_pack, pack_hash
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.kernels.random import OWN_CHOICES, STREAM, WORDS_A_DECISION, end_decisions, open_stream
from riverbed_env.players.agents import Agent, answers
from riverbed_env.registry import find_game

Whole = npt.NDArray[np.int64]
Records = npt.NDArray[np.void]

AT_ONCE = 2048  # games played again side by side
ROWS_AT_ONCE = 1 << 14  # of draws
NUMBERS_A_GAME = 1 << 20  # of random streams: more than a game has decisions
NOTHING = -1  # in place of an action after a game's last one


@dataclass(frozen=True)
class Choices:
    """Choices where the reference did or could have done otherwise, (n,) each, in the order of games and decisions.

    game: its place among the games; seat; decision: its place among the game's actions; chosen; usual: what the
    reference does with the random words that the seat had.
    """

    game: Whole
    seat: Whole
    decision: Whole
    chosen: Whole
    usual: Whole

    def __len__(self) -> int:
        return len(self.game)

    @property
    def differ(self) -> npt.NDArray[np.bool_]:
        """Which of them differ from what the reference does."""
        return np.asarray(self.chosen != self.usual)


@dataclass(frozen=True)
class Group:
    """Recorded games of one seed and of the same options: their places among all games, and the games as dealt.

    actions: (n, decisions), NOTHING after the last; lengths: (n,).
    """

    batch: Batch
    places: Whole
    deals: Records
    actions: Whole
    lengths: Whole


def groups_of(games: Sequence[RecordedGame]) -> Iterator[Group]:
    """The games, grouped so that each group can be played again in one batch, at most AT_ONCE at a time.

    Raises OptionError for an unknown environment or option, and if a content pack has changed since.
    """
    kinds: dict[tuple[Any, ...], list[int]] = {}
    for place, game in enumerate(games):
        kind = (game.environment, game.seed, game.num_players, game.pack, repr(sorted(game.options.items())))
        kinds.setdefault(kind, []).append(place)
    for places in kinds.values():
        for first in range(0, len(places), AT_ONCE):
            yield _group(games, np.array(places[first : first + AT_ONCE]))


def _group(games: Sequence[RecordedGame], places: Whole) -> Group:
    some = [games[place] for place in places.tolist()]
    first = some[0]
    batch = Batch(
        *(find_game(first.environment), len(some)),
        seed=first.seed, auto_reset=False, num_players=first.num_players, **first.options,
    )  # fmt: skip
    check_pack(first.pack, pack_hash(batch.pack), "a recorded game")
    batch.deal(np.array([game.number for game in some]))
    lengths = np.array([len(game.actions) for game in some])
    actions = np.full((len(some), max(1, lengths.max())), NOTHING, np.int64)
    for row, game in zip(actions, some):
        row[: len(game.actions)] = game.actions
    return Group(batch, places, batch.get_state(), actions, lengths)


def judged_choices(
    group: Group, judged: npt.NDArray[np.bool_], reference: Agent, draws: int, seed: int
) -> tuple[Choices, Whole]:
    """Play a group's games again; the choices of judged seats, (n, seats), where the reference could have differed.

    Beside them stand `draws` actions that the reference draws there with random words of its own, (choices, draws). It
    is asked with what the seat saw, and with a memory of all that the seat was asked. A choice that agrees with what it
    does and with everything it draws is left out: it would count nothing. Raises OptionError if a recorded action can't
    be taken.
    """
    batch, memory = group.batch, np.zeros((*judged.shape, reference.memory_size), np.int32)
    found: list[tuple[Whole, ...]] = []
    for decision in range(group.actions.shape[1]):
        going = group.lengths > decision
        asked = np.flatnonzero(going & batch.acting)
        asked = asked[judged[asked, batch.seat[asked]]]
        if len(asked):
            seats, taken = batch.seat[asked], group.actions[asked, decision]
            kept = np.ascontiguousarray(memory[asked, seats])
            drawn = _drawn(reference, batch, asked, kept, draws, (seed, decision))
            usual = answers(reference, batch, asked, kept, batch.agent_streams())
            memory[asked, seats] = kept
            other = (usual != taken) | (drawn != taken[:, None]).any(axis=1)
            where = np.full(int(other.sum()), decision)
            found.append((asked[other], seats[other], where, taken[other], usual[other], drawn[other]))
        take_recorded(group, decision, going)
    if not found:
        return Choices(*(np.zeros(0, np.int64) for _ in Choices.__annotations__)), np.zeros((0, draws), np.int64)
    *columns, drawn = (np.concatenate(column) for column in zip(*found))
    order = np.lexsort((columns[2], columns[0]))
    return Choices(*(column[order] for column in columns)), drawn[order]


def stream_numbers(batch: Batch, indices: Whole, decisions: int | Whole) -> Whole:
    """The numbers of the random streams that belong to decisions of these games."""
    return NUMBERS_A_GAME * batch.game_number[indices] + decisions


def _drawn(
    reference: Agent, batch: Batch, asked: Whole, memory: npt.NDArray[np.int32], draws: int, at: tuple[int, int]
) -> Whole:
    """What the reference draws in these games with other random words, (asked, draws). at: the seed, the decision."""
    streams = np.zeros(len(asked), STREAM)
    for stream, number in zip(streams, stream_numbers(batch, asked, at[1])):
        open_stream(stream, at[0], number, OWN_CHOICES)
    views = batch.look(np.maximum(batch.seat[asked], 0), asked) if getattr(reference, "by_view", False) else None
    drawn = np.zeros((len(asked), draws), np.int64)
    step = max(1, ROWS_AT_ONCE // draws)
    for first in range(0, len(asked), step):
        some = slice(first, first + step)
        here, count = asked[some], len(asked[some])
        rng = np.repeat(streams[some], draws)
        rng["drawn"] = np.tile(WORDS_A_DECISION * np.arange(draws), count)
        extra: dict[str, Any] = {}
        if views is not None:
            extra = {"views": np.repeat(views[some], draws), "params": batch.params}
        seen, masks = (np.repeat(rows[here], draws, axis=0) for rows in (batch.observation, batch.action_mask))
        kept = np.repeat(memory[some], draws, axis=0)
        drawn[some] = reference.act(seen, masks, kept, rng, **extra).reshape(count, draws)
    return drawn


def take_recorded(group: Group, decision: int, going: npt.NDArray[np.bool_]) -> None:
    """Take the recorded actions of a decision in the games that have one. Raises OptionError if one can't be taken."""
    batch = group.batch
    over = np.flatnonzero(going & ~batch.acting)
    if len(over):
        number = int(batch.game_number[over[0]])
        raise OptionError(f"recorded game {number} of seed {batch.seed} ends after {decision} of its actions")
    actions = np.where(going, group.actions[:, decision], batch.action_mask.argmax(axis=1))
    streams = batch.agent_streams()
    end_decisions(streams, streams["drawn"].copy())
    batch.put_agent_streams(streams)
    try:
        batch.step(actions)
    except IllegalActionError as error:
        raise OptionError(f"action {decision} of a recorded game of seed {batch.seed}: {error}") from error
