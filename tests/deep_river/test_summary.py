"""What is told of finished games, column by column."""

import numpy as np

from riverbed_env.games.deep_river.content import summary
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules.state import GAME
from riverbed_env.games.deep_river.rules.vocab import NUM_DEEDS, NUM_SEATS, Camp, Ending

# Ending, winner, who began, where the bear is.
GAMES = (
    (Ending.OVER, Camp.SALMON, Camp.SALMON, 8),
    (Ending.OVER, Camp.SALMON, Camp.EEL, 6),
    (Ending.OVER, Camp.EEL, Camp.EEL, 0),
    (Ending.OVER, Camp.NONE, Camp.SALMON, 4),
    (Ending.TRUNCATED, Camp.NONE, Camp.SALMON, 5),
    (Ending.PLAYING, Camp.NONE, Camp.EEL, 3),
)


def played() -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Games that ended in every way; every number in them differs."""
    games = np.zeros(len(GAMES), GAME)
    table = games["table"]
    for index, (ending, winner, first, bear) in enumerate(GAMES):
        table["ending"][index], table["winner"][index] = ending, winner
        table["first"][index], table["bear"][index] = first, bear
        table["turn"][index], table["decisions"][index], games["number"][index] = 11 + index, 21 + index, 31 + index
        table["deeds"][index] = 100 * index + np.arange(NUM_SEATS * NUM_DEEDS).reshape(NUM_SEATS, NUM_DEEDS)
    return games


def test_what_is_told_of_finished_games() -> None:
    told = {name: column.tolist() for name, column in summary.columns(played()).items()}
    deeds = ("moves", "homes", "bear_steps", "doubled", "swaps", "tilts")
    indices = range(len(GAMES))
    assert told == {
        "game": [31 + index for index in indices],
        "winner": [0, 0, 1, -1, -1, -1],
        "nobody_won": [False, False, False, True, False, False],
        "truncated": [False, False, False, False, True, False],
        "turns": [11 + index for index in indices],
        "decisions": [21 + index for index in indices],
        "first": [0, 1, 1, 0, 0, 1],
        "first_won": [True, False, True, False, False, False],
        "by_bear": [True, False, True, False, False, False],
        "bear": [4, 2, -4, 0, 1, -1],
        **{name: [200 * index + 2 * deed + NUM_DEEDS for index in indices] for deed, name in enumerate(deeds)},
    }


def test_sums_of_deeds_do_not_overflow() -> None:
    games = played()[:1]
    games["table"]["deeds"][0] = 30_000
    assert summary.columns(games)["moves"].tolist() == [60_000]


def test_seat_0_is_the_salmon_and_seat_1_the_eel() -> None:
    assert summary.roles_of(played()).tolist() == [[0, 1]] * len(GAMES)
    assert DEEP_RIVER.camps_present(played()).tolist() == [[True, True]] * len(GAMES)
