"""The learner's seat: it has the role asked for, and every seat with it is drawn as often as the others."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conformance.options import every_table, one_of_each_kind
from learner.learner_kit import HUNT, TOY, Hashing, chosen, learner
from learner.test_lineups import assert_shares

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.registry import find_game, make_batch

ROLES = find_game(HUNT).roles
OWN_ROLE = OBSERVATION.slices["own_role"]


def dealt_roles(n: int, **options: Any) -> npt.NDArray[np.int8]:
    """The roles of the first n games of seed 1."""
    game = find_game(HUNT)
    return game.roles_of(make_batch(HUNT, n, seed=1, **options).get_state())


@pytest.mark.parametrize("num_players", [4, 5, 7, 9])
@pytest.mark.parametrize("role", ROLES)
def test_the_learner_has_the_role_asked_for(role: str, num_players: int) -> None:
    batch = learner(HUNT, 20, role=role, num_players=num_players)
    for _ in range(20):
        assert (batch.observation[:, OWN_ROLE].argmax(axis=1) == ROLES.index(role)).all()
        assert batch.observation[:, OWN_ROLE].any(axis=1).all()
        batch.step(chosen(batch))
    assert (batch.passed_over > 0) == (num_players == 4 and role in {"separatist", "profiteer"})


@pytest.mark.parametrize("role", ["merchant", "separatist"])
def test_every_seat_with_the_role_is_drawn_as_often(role: str) -> None:
    games = 900
    roles = dealt_roles(games, num_players=9)
    batch = learner(HUNT, games, role=role, num_players=9)
    np.testing.assert_array_equal(batch.game_number, np.arange(games))
    holders = roles == ROLES.index(role)
    assert holders[np.arange(games), batch.seat].all()
    rank = (np.cumsum(holders, axis=1) - 1)[np.arange(games), batch.seat]
    assert_shares(np.bincount(rank, minlength=3), [1, 1, 1])
    assert_shares(np.bincount(batch.seat, minlength=9), [1] * 9)


@every_table
def test_without_a_role_every_seat_is_drawn_as_often(game_id: str, count: int) -> None:
    batch = learner(game_id, 600, num_players=count, opponents="random")
    if batch.passed_over == 0:
        assert_shares(np.bincount(batch.seat, minlength=count), [1] * count)
    else:  # games that are over before a seat is asked are fewer for the later seats
        assert set(batch.seat) == set(range(count))


def test_the_seat_depends_on_seed_and_number_alone() -> None:
    one, other = learner(TOY, 50), learner(TOY, 50, opponents=Hashing())
    np.testing.assert_array_equal(one.seat, other.seat)
    shifted = learner(TOY, 30, first_game=20)
    np.testing.assert_array_equal(shifted.seat, one.seat[20:])
    assert (learner(TOY, 50, seed=2).seat != one.seat).any()


@one_of_each_kind
def test_unknown_roles_are_refused_by_name(game_id: str) -> None:
    with pytest.raises(OptionError, match=f"role.*{find_game(game_id).roles[0]}.*admiral"):
        learner(game_id, role="admiral")


def test_a_role_that_is_never_dealt_is_refused() -> None:
    roles = ("chief", "merchant", "leader", "separatist")
    with pytest.raises(OptionError, match="profiteer"):
        learner(HUNT, num_players=4, roles=roles, role="profiteer")
    assert learner(HUNT, num_players=4, roles=roles, role="separatist").seat[0] == 3


def test_a_learner_that_is_never_asked_is_refused() -> None:
    """With one decision a game only the first seat is asked."""
    roles = ("chief", "merchant", "leader", "separatist")
    options: dict[str, Any] = {"num_players": 4, "roles": roles, "max_decisions": 1}
    first = int(make_batch(HUNT, 1, seed=1, **options).seat[0])
    assert learner(HUNT, role=roles[first], **options).seat[0] == first
    with pytest.raises(OptionError, match=roles[first - 1]):
        learner(HUNT, role=roles[first - 1], **options)


def test_games_without_the_role_are_passed_over_and_only_those() -> None:
    games = 120
    roles = dealt_roles(games, num_players=4)
    with_it = (roles == ROLES.index("profiteer")).any(axis=1)
    batch = learner(HUNT, 1, num_players=4, role="profiteer", opponents="random")
    met = [int(batch.game_number[0])]
    while met[-1] < games - 20:
        batch.step(chosen(batch))
        if batch.terminated[0] or batch.truncated[0]:
            met.append(int(batch.game_number[0]))
    assert met == np.flatnonzero(with_it)[: len(met)].tolist()
    assert batch.passed_over == met[-1] + 1 - len(met)
