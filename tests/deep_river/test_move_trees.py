"""Counted move trees: the number of sequences of choices through whole turns, from fixed starts.

The counts are those of the spec, found there with a slow model that shares nothing with this library. Every choice
counts, forced ones as one; a game that ends sooner is one sequence.
"""

from pathlib import Path

import numpy as np
import pytest

from riverbed_env.core.game import copy_records
from riverbed_env.games.deep_river.content.pack import make_params
from riverbed_env.games.deep_river.rules import engine, legality
from riverbed_env.games.deep_river.rules.actions import NUM_ACTIONS
from riverbed_env.games.deep_river.rules.state import GAME
from riverbed_env.games.deep_river.rules.vocab import Ending

CHECK_PACK = Path(__file__).parents[1] / "referee" / "packs" / "deep_river" / "check.toml"
STARTS = {
    "bdsDtdb 000 salmon": ((3, 14, 354, 10_925), (4, 26, 479, 17_495)),
    "tsbDdbd 111 eel": ((19, 166, 7_950, 97_855), (19, 115, 4_644, 87_734)),
    "sbdDbst 011 salmon": ((4, 41, 648, 6_324), (4, 34, 509, 9_125)),
}


def count_sequences(game: np.void, params: np.void, turns: int) -> int:
    """The number of sequences of choices through `turns` turns from here."""
    table = game["table"]
    if table["ending"] != Ending.PLAYING or table["turn"] > turns:
        return 1
    mask = np.zeros(NUM_ACTIONS, np.int8)
    legality.write_mask(table, int(table["asked"]), mask)
    total = 0
    for action in np.flatnonzero(mask).tolist():
        after = copy_records(np.atleast_1d(game))[0]
        engine.step(after, params, action)
        total += count_sequences(after, params, turns)
    return total


def counted(start: str, pack: str | Path, turns: int, auto_forced: str = "none") -> int:
    """The number of sequences of choices through `turns` turns from a start as the spec writes it."""
    tiles, faces, first = start.split()
    params, _ = make_params(pack=pack, tiles=tiles, faces=faces, first=first, auto_forced=auto_forced)
    games = np.zeros(1, GAME)
    engine.reset(games[0], params[0], 1, 0)
    return count_sequences(games[0], params[0], turns)


@pytest.mark.parametrize("turns", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("pack", ["default", CHECK_PACK], ids=["default", "check"])
def test_as_many_sequences_as_the_spec_counts(pack: str | Path, start: str, turns: int) -> None:
    assert counted(start, pack, turns) == STARTS[start][pack != "default"][turns - 1]


@pytest.mark.parametrize("start", STARTS)
def test_taking_forced_choices_leaves_the_count_as_it_is(start: str) -> None:
    assert counted(start, "default", 2, "public") == STARTS[start][0][1]
