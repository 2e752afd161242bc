"""What is told of finished games, column by column, and what each seat is paid."""

import numpy as np
import pytest

from riverbed_env.games.riverside.content import summary
from riverbed_env.games.riverside.rules import engine
from riverbed_env.games.riverside.rules.state import GAME
from riverbed_env.games.riverside.rules.vocab import CHURCH, MAX_SEATS, Ending, Event

# Ending, winners as bits.
GAMES = ((Ending.FINISHED, 0b001), (Ending.FINISHED, 0b110), (Ending.FINISHED, 0), (Ending.TRUNCATED, 0))
NUM_ENVS = range(len(GAMES))
SEATS = range(MAX_SEATS)


def played(num_players: int = 3) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Games that ended in every way; every number in them differs."""
    games = np.zeros(len(GAMES), GAME)
    table = games["table"]
    table["num_players"] = num_players
    for index, (ending, winners) in enumerate(GAMES):
        table["ending"][index], table["winners"][index] = ending, winners
        table["tally"][index] = 100 * index + np.arange(len(Event))
        table["final"][index, :num_players] = -10 * index + np.arange(num_players) - 5
        table["captain"][index, :num_players] = 40 * index + np.arange(num_players)
        table["round"][index], games["number"][index] = 11 + index, 21 + index
        games["timing"]["decisions"][index], games["timing"]["steps"][index] = 31 + index, 41 + index
        for seat in range(num_players):
            games["private"]["sheet"]["total"][index, seat] = 1000 * index + 10 * seat + np.arange(CHURCH + 1)
    return games


def test_what_is_told_of_finished_games() -> None:
    told = {name: column.tolist() for name, column in summary.columns(played()).items()}
    tallied = {"tickets": 3, "powers": 4, "excursions": 5, "scores": 6}
    assert told == {
        "game": [21, 22, 23, 24],
        "winner": [0, 0, -1, -1],
        "nobody_won": [False, False, True, False],
        "truncated": [False, False, False, True],
        "turns": [11, 12, 13, 14],
        "decisions": [31, 32, 33, 34],
        "steps": [41, 42, 43, 44],
        "winners": [1, 2, 0, 0],
        "best_final": [-3, -13, -23, -33],  # nobody past the players counts
        **{name: [100 * index + kind for index in NUM_ENVS] for name, kind in tallied.items()},
        **{f"won_{seat}": [bool(winners >> seat & 1) for _, winners in GAMES] for seat in SEATS},
        **{f"final_{seat}": [-10 * index + seat - 5 if seat < 3 else 0 for index in NUM_ENVS] for seat in SEATS},
        **{f"captain_{seat}": [40 * index + seat if seat < 3 else 0 for index in NUM_ENVS] for seat in SEATS},
        **{f"church_{seat}": [1000 * index + 10 * seat + 5 if seat < 3 else 0 for index in NUM_ENVS] for seat in SEATS},
    }


PAID = {  # players, winners -> what each is paid, and what with the sum of zero
    (3, 0b001): ([1, -1, -1], [1, -0.5, -0.5]),
    (3, 0b110): ([-1, 1, 1], [-1, 0.5, 0.5]),
    (2, 0b11): ([1, 1], [0, 0]),
    (1, 0b1): ([1], [0]),
    (1, 0): ([-1], [0]),
    (6, 0b100000): ([-1, -1, -1, -1, -1, 1], [-0.2, -0.2, -0.2, -0.2, -0.2, 1]),
}


@pytest.mark.parametrize(("num_players", "winners"), PAID)
def test_what_each_seat_is_paid(num_players: int, winners: int) -> None:
    games = np.zeros(1, GAME)
    games["table"]["num_players"], games["table"]["winners"] = num_players, winners
    for zero_sum, expected in enumerate(PAID[num_players, winners]):
        for ending in Ending:
            games["table"]["ending"] = ending
            paid = np.full(MAX_SEATS, 9, np.float32)
            engine.write_returns(games[0], zero_sum, paid)
            due = expected if ending == Ending.FINISHED else [0] * num_players
            assert paid.tolist() == pytest.approx([*due, *[0] * (MAX_SEATS - num_players)])
