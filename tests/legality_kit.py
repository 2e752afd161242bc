"""Checks of masks and refusals that hold in every game, for the tests of each game's refusals."""

from collections.abc import Callable
from typing import Any

import numpy as np
from drawn import DrawnGame

from riverbed_env.kernels.actions import WAIT


def refusals(scene: DrawnGame, seat: int) -> list[int]:
    """The refusal of each action for a seat."""
    kernels, size = scene.kind.kernels, scene.kind.actions.size
    return [int(kernels.refusal(scene.game, scene.params, seat, action)) for action in range(size)]


def check_reasons(scene: Any, reason: Callable[[str], int | None]) -> None:
    """Each action is refused for the reason that its words give, None for any; what the referee allows is legal."""
    assert scene.beside is not None, "the referee says what is legal"
    legal, codes = scene.legal(), scene.vocab.Refusal
    for action in range(scene.kind.actions.size):
        words = scene.words(action, scene.asked)
        expected = codes.OK if words in legal else codes.MUST_ANSWER if words.lower() == "wait" else reason(words)
        assert expected in (None, scene.refusal(words)), words


def assert_only_waits(scene: DrawnGame, seat: int, reason: int) -> None:
    """The seat's mask allows WAIT alone; every other action is refused for this reason."""
    size = scene.kind.actions.size
    mask = np.full(size, 9, np.int8)
    scene.kind.kernels.write_mask(scene.game, scene.params, seat, mask)
    assert mask.tolist() == [int(action == WAIT) for action in range(size)]
    assert refusals(scene, seat) == [0 if action == WAIT else reason for action in range(size)]


def check_turns(scene: DrawnGame) -> None:
    """Seats that aren't asked only wait. Actions that don't exist are refused for every seat and change nothing."""
    codes, size, before = scene.vocab.Refusal, scene.kind.actions.size, scene.games.tobytes()
    for seat in range(scene.num_players):
        if seat != scene.asked:
            assert_only_waits(scene, seat, codes.NOT_ASKED)
        for action in (-1, size, 1000):
            assert scene.kind.kernels.refusal(scene.game, scene.params, seat, action) == codes.NO_SUCH_ACTION
    for action in (-1, size, 1000):
        assert scene.kind.kernels.step(scene.game, scene.params, action) == codes.NO_SUCH_ACTION
    assert scene.kind.kernels.step(scene.game, scene.params, WAIT) == codes.MUST_ANSWER
    assert scene.games.tobytes() == before


def check_the_end(scene: DrawnGame) -> None:
    """A truncated game asks no seat, and every seat only waits."""
    codes, size = scene.vocab.Refusal, scene.kind.actions.size
    scene.expect(over=True, asked=-1)
    assert scene.kind.kernels.ending(scene.game) == scene.vocab.Ending.TRUNCATED
    for seat in range(scene.num_players):
        assert_only_waits(scene, seat, codes.GAME_OVER)
    for action in (-1, WAIT, 1, size - 1, size):
        assert scene.kind.kernels.step(scene.game, scene.params, action) == codes.GAME_OVER
