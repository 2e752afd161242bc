"""What is told of finished games, column by column."""

import numpy as np
import pytest

from riverbed_env.games.river_rats.content import summary
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules.state import GAME
from riverbed_env.games.river_rats.rules.vocab import Ending, Event, Winner

ENDINGS = ((Ending.OVER, Winner.PLAYERS), (Ending.OVER, Winner.RATS), (Ending.TRUNCATED, Winner.NONE))
TALLIED = {
    "rats_defeated": Event.DEFEAT,
    "hands_won": Event.HAND_WON,
    "hands_lost": Event.HAND_LOST,
    "predictions_met": Event.PREDICTION,
    "jokers_used": Event.JOKER,
    "busts": Event.BUST,
    "skips": Event.SKIP,
    "reshuffles": Event.RESHUFFLE,
}


def finished(num_players: int = 3) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """A game that is won, one that is lost and one that is cut off; every number in them differs."""
    games = np.zeros(len(ENDINGS), GAME)
    table = games["table"]
    table["num_players"] = num_players
    for index, (ending, winner) in enumerate(ENDINGS):
        table["ending"][index], table["winner"][index] = ending, winner
        table["tally"][index] = 100 * index + np.arange(len(Event))
        table["turn"][index], table["round"][index], table["decisions"][index] = 41 + index, 51 + index, 61 + index
        games["number"][index] = 71 + index
        games["first_rat"][index], games["second_rat"][index] = index, index + 1
    return games


def test_what_is_told_of_finished_games() -> None:
    told = {name: column.tolist() for name, column in summary.columns(finished()).items()}
    assert told == {
        "game": [71, 72, 73],
        "winner": [0, -1, -1],
        "nobody_won": [False, True, False],
        "truncated": [False, False, True],
        "turns": [41, 42, 43],
        "rounds": [51, 52, 53],
        "decisions": [61, 62, 63],
        "first_rat": [0, 1, 2],
        "second_rat": [1, 2, 3],
        **{name: [100 * index + kind for index in range(3)] for name, kind in TALLIED.items()},
    }


@pytest.mark.parametrize("num_players", [1, 4])
def test_everybody_is_a_player(num_players: int) -> None:
    games = finished(num_players)
    assert RIVER_RATS.roles_of(games).tolist() == [[0] * num_players] * 3
    assert RIVER_RATS.camps_present(games).tolist() == [[True]] * 3
    assert RIVER_RATS.roles_of(games[:1]).tolist() == [[0] * num_players]
