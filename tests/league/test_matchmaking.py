"""Matchmaking as pure functions: the candidates, their probabilities, win counts, the same draws of the same seed."""

from dataclasses import replace

import numpy as np
import pytest
from league.small_leagues import small_league

from riverbed_lab.league.matchmaking import (
    ANCHOR,
    EXPLOITER,
    MAIN,
    MAINS,
    PAST,
    Learner,
    Lineup,
    Member,
    added,
    candidates,
    chances,
    counted,
    draw,
    match,
    win_rate,
)

CAMPS = {"king": "court", "page": "court", "thief": "guild"}
ROLES = tuple(CAMPS)
NOW = {"king": "king_9", "page": "page_9", "thief": "thief_9"}
POOL = (
    *(Member(f"{role}_3", PAST, (role,), 3) for role in ROLES),
    *(Member(f"{role}_6", PAST, (role,), 6) for role in ROLES),
    Member("sly_thief", EXPLOITER, ("thief",), 5),
    Member("random", ANCHOR, ROLES, 0),
)
KING = Learner("main_king", MAIN, "king", (3,))
EVERYBODY = Learner("main", MAIN, None, (3,))


def names(lineups: list[Lineup]) -> list[str]:
    return [each.name for each in lineups]


def test_lineups_are_whole() -> None:
    found = {each.name: each for each in candidates(EVERYBODY, NOW, POOL, CAMPS)}
    assert set(found) == {
        MAINS,
        *("past_3", "past_3 as court", "past_3 as guild", "past_6", "past_6 as court", "past_6 as guild"),
        *("sly_thief", "random", "random as court", "random as guild"),
    }
    assert found["past_3"].by_role == {"king": "king_3", "page": "page_3", "thief": "thief_3"}
    assert found["past_6 as court"].by_role == {"king": "king_6", "page": "page_6", "thief": "thief_9"}
    assert found["sly_thief"].by_role == {**NOW, "thief": "sly_thief"}
    assert found["random as guild"].by_role == {**NOW, "thief": "random"}
    assert all(set(each.by_role) == set(ROLES) for each in found.values())
    assert {each.kind for each in found.values()} == {MAIN, PAST, EXPLOITER, ANCHOR}


def test_lineups_that_differ_in_the_learners_own_role_alone_are_left_out() -> None:
    thief = Learner("main_thief", MAIN, "thief", (3,))
    found = names(candidates(thief, NOW, POOL, CAMPS))
    assert "sly_thief" not in found
    assert "random as guild" not in found
    assert "random as court" in found


def test_past_selves_that_are_still_the_main_agents_are_no_lineup() -> None:
    fresh = tuple(Member(name, PAST, (role,), 9) for role, name in NOW.items())
    assert names(candidates(EVERYBODY, NOW, fresh, CAMPS)) == [MAINS]


def test_with_one_role_its_other_seats_count() -> None:
    pool = (Member("old", PAST, ("wader",), 1), Member("new", PAST, ("wader",), 2))
    learner = Learner("main_wader", MAIN, "wader", (3,))
    found = candidates(learner, {"wader": "new"}, pool, {"wader": "wader"})
    assert names(found) == [MAINS, "past_1"]


def test_exploiters_learn_against_the_main_agents_alone() -> None:
    exploiter = Learner("exploiter_king_1", EXPLOITER, "king", (3,))
    assert candidates(exploiter, NOW, POOL, CAMPS) == [Lineup(MAINS, MAIN, NOW)]


@pytest.mark.parametrize(("exponent", "past"), [(2.0, [0.05, 0.2]), (1.0, [0.25 / 3, 0.5 / 3]), (0.0, [0.125, 0.125])])
def test_each_kind_has_its_share_and_within_it_the_lost_lineups_more(exponent: float, past: list[float]) -> None:
    lineups = [Lineup("m", MAIN, {}), Lineup("p1", PAST, {}), Lineup("p2", PAST, {}), Lineup("a", ANCHOR, {})]
    rates = {"m": 0.5, "p1": 0.5, "p2": 0.0, "a": 0.9}
    config = small_league(self_share=0.4, past_share=0.2, exploiter_share=0.2, anchor_share=0.2)
    config = replace(config, exponent=exponent)
    # nobody is an exploiter: shares 0.4, 0.2, 0.2 of 0.8; within the past 0.5 and 1 to the exponent
    np.testing.assert_allclose(chances(lineups, rates.__getitem__, config), [0.5, *past, 0.25])


def test_lineups_that_are_always_won_are_drawn_if_there_are_no_others() -> None:
    lineups = [Lineup("p1", PAST, {}), Lineup("p2", PAST, {})]
    np.testing.assert_allclose(chances(lineups, lambda name: 1.0, small_league()), [0.5, 0.5])


def test_each_lineup_is_drawn_its_expected_number_of_times_rounded() -> None:
    lineups = [Lineup(str(number), PAST, {}) for number in range(4)]
    chance = np.array([0.5, 0.3, 0.2, 0.0])
    counts = np.zeros(4)
    for seed in range(400):
        drawn = {lineup.name: times for lineup, times in draw(lineups, chance, 5, (seed,))}
        assert sum(drawn.values()) == 5
        for number in range(4):
            assert abs(drawn.get(str(number), 0) - 5 * chance[number]) < 1
            counts[number] += drawn.get(str(number), 0)
    np.testing.assert_allclose(counts / counts.sum(), chance, atol=0.02)


def test_the_same_seed_draws_the_same_lineups() -> None:
    def drawn(seed: int) -> list[tuple[Lineup, int]]:
        return match(KING, NOW, POOL, CAMPS, {}, replace(small_league(), lineups=3), (seed, 7))

    assert drawn(1) == drawn(1)
    assert any(drawn(1) != drawn(seed) for seed in range(2, 10))


OLD = {"king": {"past_1": (6.0, 8.0), "mains": (5.0, 10.0)}, "thief": {"past_1": (0.0, 2.0)}}


def test_games_are_counted_by_role_and_lineup() -> None:
    new = {"king": {"past_1": (1.0, 2.0)}, "page": {"mains": (1.0, 1.0)}}
    counts = added(OLD, 1.0, new)
    assert counted(counts, role="king", lineup="past_1") == (7.0, 10.0)
    assert counted(counts, lineup="past_1") == (7.0, 12.0)
    assert counted(counts, role="king") == (12.0, 20.0)
    assert counted(counts) == (13.0, 23.0)
    assert counted(counts, role="nobody") == (0, 0)


def test_the_prior_of_a_win_rate_is_two_games_at_the_overall_rate() -> None:
    overall = (11 + 1) / (20 + 2)
    assert win_rate(OLD, "past_1") == pytest.approx((6 + 2 * overall) / (10 + 2))
    assert win_rate(OLD, "never met") == pytest.approx(overall)
    assert win_rate({}, "mains") == 0.5


def test_old_games_count_less_and_finally_nothing() -> None:
    half = added(OLD, 0.5, {})
    assert counted(half, role="king", lineup="past_1") == (3.0, 4.0)
    faded = added(half, 0.3, {"page": {"mains": (0.0, 1.0)}})
    assert counted(faded, role="thief") == (0, 0)
    assert counted(faded, role="king", lineup="mains") == pytest.approx((0.75, 1.5))
    assert counted(faded, role="page") == (0.0, 1.0)
