"""What is told of finished games, column by column, and what each seat is paid."""

from __future__ import annotations

import numpy as np
import pytest

from riverbed_env.games.riverside.content import summary
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules import returns
from riverbed_env.games.riverside.rules.state import GAME
from riverbed_env.games.riverside.rules.vocab import CHURCH, MAX_SEATS, Ending, Event

# Ending, winners as bits.
GAMES = ((Ending.FINISHED, 0b001), (Ending.FINISHED, 0b110), (Ending.FINISHED, 0), (Ending.TRUNCATED, 0))
LANES = range(len(GAMES))
SEATS = range(MAX_SEATS)


def played(num_players: int = 3) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Games that ended in every way; every number in them differs."""
    games = np.zeros(len(GAMES), GAME)
    table = games["table"]
    table["num_players"] = num_players
    for lane, (ending, winners) in enumerate(GAMES):
        table["ending"][lane], table["winners"][lane] = ending, winners
        table["tally"][lane] = 100 * lane + np.arange(len(Event))
        table["final"][lane, :num_players] = -10 * lane + np.arange(num_players) - 5
        table["captain"][lane, :num_players] = 40 * lane + np.arange(num_players)
        table["round"][lane], games["number"][lane] = 11 + lane, 21 + lane
        games["timing"]["decisions"][lane], games["timing"]["steps"][lane] = 31 + lane, 41 + lane
        for seat in range(num_players):
            games["private"]["sheet"]["total"][lane, seat] = 1000 * lane + 10 * seat + np.arange(CHURCH + 1)
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
        **{name: [100 * lane + kind for lane in LANES] for name, kind in tallied.items()},
        **{f"won_{seat}": [bool(winners >> seat & 1) for _, winners in GAMES] for seat in SEATS},
        **{f"final_{seat}": [-10 * lane + seat - 5 if seat < 3 else 0 for lane in LANES] for seat in SEATS},
        **{f"captain_{seat}": [40 * lane + seat if seat < 3 else 0 for lane in LANES] for seat in SEATS},
        **{f"church_{seat}": [1000 * lane + 10 * seat + 5 if seat < 3 else 0 for lane in LANES] for seat in SEATS},
    }


@pytest.mark.parametrize("num_players", [1, 6])
def test_all_are_captains(num_players: int) -> None:
    games = played(num_players)
    assert RIVERSIDE.roles_of(games).tolist() == [[0] * num_players] * len(GAMES)
    assert RIVERSIDE.roles_of(games[:1]).tolist() == [[0] * num_players]
    assert RIVERSIDE.camps_present(games).tolist() == [[True]] * len(GAMES)


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
            returns.write_payoff(games[0], zero_sum, paid)
            due = expected if ending == Ending.FINISHED else [0] * num_players
            assert paid.tolist() == pytest.approx([*due, *[0] * (MAX_SEATS - num_players)])
