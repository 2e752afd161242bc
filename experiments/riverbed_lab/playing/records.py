"""A game played in the terminal as a record that can be replayed action by action."""

from collections.abc import Sequence
from dataclasses import replace

from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import RecordedGame

PERSON = "person"


def record_of(batch: Batch, actions: Sequence[int], seats: Sequence[str]) -> RecordedGame:
    """The record of a batch's only game, which is over. seats: the agent of each, or PERSON."""
    returns = tuple(batch.game.returns(batch.games, batch.num_players)[0].tolist())
    return replace(RecordedGame.of(batch, actions, agents=seats), returns=returns)
