"""If players' choices reveal nothing, the truth and a state drawn from a view follow the same distribution.

For a statistic of what is hidden, truth less draw is as often positive as negative: sums of such differences, each
divided by its spread, are standard normal. RH-8.3's table is exact up to the first shuffle (a second may cut through
sets), so tiles are compared up to there. Where cards are compared none is played: a hand of cards that can't be played
stays, so that in other games hands and pile aren't alike.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from deduction.positions import COUNTS, GAME, games_of, picked, random_moments
from deduction.statistics import sway
from riverbed_env.deduction.service import Deduction
from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.games.riverbed_hunt.rules.vocab import Event, Role

pytestmark = pytest.mark.compiled

FARTHEST = 4.2  # standard errors: once in 37,000 for each comparison
GAMES = 4000

Statistic = Callable[[np.ndarray, np.ndarray, np.void], np.ndarray]


def next_seat(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    return (seats + 1) % states["table"]["num_players"]


def logs_in_reach(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    """Logs on the face-down tiles within the reach of the observer's meeple."""
    indices = np.arange(len(states))
    position = np.maximum(states["table"]["position"][indices, seats], 0)
    reach = params["reach"][states["table"]["layout"], position] & states["table"]["face_down"]
    logs = params["features"][states["tile_at"], 1]
    return np.asarray((logs * (reach[:, None] >> np.arange(16) & 1)).sum(axis=1))


def place_of_the_last_tile(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    """The space on which the tile of the highest number lies."""
    return np.asarray(states["tile_at"].argmax(axis=1))


def icons_beside_the_first(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    """Whether the first two face-down tiles along the river both bear the hunt icon."""
    bits = states["table"]["face_down"][:, None] >> np.arange(16) & 1
    first_two = np.argsort(-bits, axis=1, kind="stable")[:, :2]
    icons = params["features"][:, 3][np.take_along_axis(states["tile_at"], first_two, 1)]
    return np.asarray(icons.all(axis=1).astype(int))


def leader_next(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    return (states["private"]["role"][np.arange(len(states)), next_seat(states, seats)] == Role.LEADER).astype(int)


def merchant_across(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    other = (seats + 2) % states["table"]["num_players"]
    return (states["private"]["role"][np.arange(len(states)), other] == Role.MERCHANT).astype(int)


def a_profiteer_plays(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    return (states["private"]["role"] == Role.PROFITEER).any(axis=1).astype(int)


def separatists_side_by_side(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    """How many neighbours are both of the separatists' camp."""
    count = int(params["num_players"])
    camp = np.isin(states["private"]["role"][:, :count], (Role.LEADER, Role.SEPARATIST))
    return np.asarray((camp & np.roll(camp, 1, axis=1)).sum(axis=1))


def common_cards_next(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    """Cards of the commonest kind in the next player's hand."""
    hands = states["private"]["hand"][np.arange(len(states)), next_seat(states, seats)]
    return np.asarray(hands[:, params["copies"].argmax()].astype(int))


def pairs_held(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    """Hands with two cards of a kind."""
    count = int(params["num_players"])
    return np.asarray((states["private"]["hand"][:, :count] >= 2).any(axis=2).sum(axis=1))


def top_card(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    pile = states["table"]["draw_pile"].astype(int)
    return np.where(pile > 0, states["deck"][np.arange(len(states)), np.maximum(pile - 1, 0)], 0).astype(int)


def like_cards_at_the_bottom(states: np.ndarray, seats: np.ndarray, params: np.void) -> np.ndarray:
    return ((states["table"]["draw_pile"] > 1) & (states["deck"][:, 0] == states["deck"][:, 1])).astype(int)


TILES_AND_ROLES: tuple[Statistic, ...] = (
    logs_in_reach,
    place_of_the_last_tile,
    icons_beside_the_first,
    leader_next,
    merchant_across,
    a_profiteer_plays,
    separatists_side_by_side,
)
CARDS: tuple[Statistic, ...] = (common_cards_next, pairs_held, top_card, like_cards_at_the_bottom)


def assert_alike(states: np.ndarray, num_players: int, statistics: tuple[Statistic, ...]) -> None:
    """No statistic tells the truth from a draw."""
    params = make_params(num_players)[0][0]
    seats = np.random.default_rng(num_players).integers(0, num_players, len(states))
    views = games_of(states, num_players=num_players).look(seats)
    drawn = Deduction(model="uniform", num_players=num_players).resample(views, seed=12)
    for statistic in statistics:
        apart = statistic(states, seats, params).astype(int) - statistic(drawn, seats, params)
        assert abs(sway(apart)) < FARTHEST, statistic.__name__
        if statistic is a_profiteer_plays and num_players > GAME.min_players:
            continue  # there always is one
        assert (apart != 0).sum() > 100, f"{statistic.__name__} hardly ever differs"


some_counts = pytest.mark.parametrize(
    "num_players", [pytest.param(count, marks=[] if count in (4, 7) else pytest.mark.slow) for count in COUNTS]
)


@some_counts
def test_tiles_and_roles_are_as_in_games_whose_choices_reveal_nothing(num_players: int) -> None:
    states = random_moments(num_players, GAMES, seed=20 + num_players, cards=True)
    states = picked(states, states["table"]["tally"][:, Event.SHUFFLE] <= 1)
    assert len(states) > 1500
    assert_alike(states, num_players, TILES_AND_ROLES)


@some_counts
def test_hands_and_pile_are_as_in_games_in_which_no_card_is_played(num_players: int) -> None:
    states = random_moments(num_players, GAMES, seed=40 + num_players, cards=False)
    assert len(states) > 1500
    assert_alike(states, num_players, CARDS)
