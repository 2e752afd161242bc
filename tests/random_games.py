"""Step-by-step checks of random games, shared by the tests of random play of all games."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.kernels.actions import WAIT
from riverbed_env.kernels.vocab import Forced
from riverbed_env.registry import find_game

Games = npt.NDArray[np.void]
Choose = Callable[[Batch], npt.NDArray[np.int64]]


@cache
def _kept(game_id: str, n: int, options: tuple[tuple[str, Any], ...]) -> Batch:
    return Batch(find_game(game_id), n, seed=0, auto_reset=False, **dict(options))


def batch_of(game_id: str, n: int, **options: Any) -> Batch:
    """A batch cached between tests: deal it again for each use."""
    return _kept(game_id, n, tuple(sorted(options.items())))


def play_out(batch: Batch, seed: int, choose: Choose = Batch.random_actions) -> Iterator[int]:
    """Deal new games and play them to their ends; yield the number of steps after the deal and after each step."""
    batch.reset(seed=seed)
    step = 0
    yield step
    while batch.acting.any():
        batch.step(choose(batch))
        step += 1
        yield step


@cache
def bounds(game_id: str, size: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """The lower and upper bound of each number in an observation of this length."""
    pieces = find_game(game_id).observation
    return pieces.low()[:size], pieces.high()[:size]


def check_all(batch: Batch) -> None:
    """No game breaks an invariant, observations stay within bounds, and only the asked seat has a choice."""
    broken = batch.game.violations(batch.games, batch.params)
    assert not broken.any(), {batch.game.words.describe_violation(int(code)) for code in broken[broken > 0]}
    low, high = bounds(batch.game.id, batch.observation.shape[1])
    for seat in range(batch.num_players):
        observations, masks = batch.observe(seat)
        assert (observations >= low).all()
        assert (observations <= high).all()
        asked = batch.seat == seat
        assert (masks[~asked, WAIT] == 1).all()
        assert (masks[~asked].sum(axis=1) == 1).all()
        assert (masks[asked, WAIT] == 0).all()
        assert (masks[asked].sum(axis=1) > 0).all()
    assert (batch.seat < batch.num_players).all()


def check_forced_decisions(quick: Batch, slow: Batch, seed: int) -> None:
    """Decisions that `quick` takes for the players change nothing: `slow` asks for all and reaches the same states.

    Both batches play the same game. A decision that `quick` takes has one legal answer; with auto_forced "all" it takes
    every such decision. Afterwards the records are equal, except for the random streams of the players.
    """
    every = int(quick.params["auto_forced"][0]) == Forced.ALL

    def choose_for_both(batch: Batch) -> npt.NDArray[np.int64]:
        actions = batch.random_actions()
        slow.step(actions)
        return actions

    slow.reset(seed=seed)
    for _ in play_out(quick, seed, choose_for_both):
        while decisions(slow) < decisions(quick):
            legal = np.flatnonzero(slow.action_mask[0])
            assert len(legal) == 1
            slow.step(legal)
        for name in (name for name in quick.games.dtype.names or () if name != "agents"):
            assert slow.games[name].tobytes() == quick.games[name].tobytes(), name
        assert slow.seat.tolist() == quick.seat.tolist()
        assert not (every and quick.acting[0] and quick.action_mask[0].sum() == 1)


def decisions(batch: Batch) -> int:
    """The number of decisions taken in the first game, on the floor too."""
    game = batch.games[0]
    counts = game["timing" if "timing" in game.dtype.names else "table"]
    return int(counts["decisions"]) + int(counts["spoken"] if "spoken" in counts.dtype.names else 0)
