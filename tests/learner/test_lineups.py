"""Who sits opposite a learner: agents, names, pools by role and camp, lineups that are drawn."""

import functools
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conformance.options import one_of_each_kind
from learner.learner_kit import (
    HUNT,
    PLAIN,
    TOY,
    Hashing,
    InPython,
    Remembering,
    chosen,
    first_episodes,
    installed,
    learner,
    sights,
)

from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.players.arena import OUTSIDE
from riverbed_env.players.lineups import Lineups, lineups, seating_uniforms
from riverbed_env.players.policies import PolicyConfig, save_policy
from riverbed_env.registry import find_game

REST = {"everybody": "random"}

hunt_lineups = functools.partial(lineups, find_game(HUNT))
CHIEF, MERCHANT, LEADER, SEPARATIST, PROFITEER = range(5)


def names_of(given: Lineups, lineup: int = 0) -> list[list[str]]:
    """The names of each role's pool."""
    return [[given.agents[number].name for number in pool] for pool in given.pools[lineup]]


def assert_shares(counts: npt.ArrayLike, shares: npt.ArrayLike) -> None:
    """Each count within four and a half standard deviations of what its share makes likely."""
    found, likely = np.asarray(counts, float), np.asarray(shares, float) / np.sum(shares)
    total = found.sum()
    assert (np.abs(found - total * likely) <= 4.5 * np.sqrt(total * likely * (1 - likely)) + 1e-9).all(), found


def assert_alike(game_id: str, one: Any, other: Any, steps: int = 60, **options: Any) -> None:
    """Both opponents make the same games."""
    batches = [learner(game_id, 3, opponents=opponents, **options) for opponents in (one, other)]
    for _ in range(steps):
        np.testing.assert_equal(sights(batches[0]), sights(batches[1]))
        for batch in batches:
            batch.step(chosen(batch))


# --- what a user writes ---------------------------------------------------------------------------------------------


def test_a_saved_policy_may_hold_several_roles_and_sit_in_several_lineups(tmp_path: Path) -> None:
    game, path = find_game(HUNT), tmp_path / "policy.npz"
    shape = (game.views["history"], game.actions.size)
    save_policy(path, PolicyConfig(game.id), [(np.zeros(shape, np.float32), np.zeros(shape[1], np.float32))])
    found = hunt_lineups([{"everybody": str(path), "leader": [str(path), "random"]}, str(path)])
    assert [agent.name for agent in found.agents] == [str(path), "random"]
    assert names_of(found, 1) == [[str(path)]] * len(game.roles)


def test_a_role_goes_before_its_camp() -> None:
    for given in (
        {"separatists": "simple", "leader": Hashing(), **REST},
        {**REST, "leader": Hashing(), "separatists": "simple"},
    ):
        found = names_of(hunt_lineups(given))
        assert (found[LEADER], found[SEPARATIST]) == (["hashing 0"], ["simple"])


def test_roles_and_camps_have_pools_and_everybody_is_the_rest() -> None:
    given = hunt_lineups({"separatists": ["simple", Hashing(1)], "chief": Hashing(2), **REST})
    found = names_of(given)
    assert found[CHIEF] == ["hashing 2"]
    assert sorted(found[LEADER]) == sorted(found[SEPARATIST]) == ["hashing 1", "simple"]
    assert found[MERCHANT] == found[PROFITEER] == ["random"]
    assert len({agent.name for agent in given.agents}) == len(given.agents) == 4


def test_a_list_holds_lineups() -> None:
    given = hunt_lineups(["simple", {"everybody": "random"}, Hashing()])
    assert names_of(given, 0) == [["simple"]] * 5
    assert names_of(given, 1) == [["random"]] * 5
    assert names_of(given, 2) == [["hashing 0"]] * 5


@pytest.mark.parametrize(
    ("opponents", "named"),
    [
        ("nobody_of_that_name", "nobody_of_that_name"),
        ({"pirate": "simple"}, "pirate"),
        ({"everybody": "random", "chief": "nobody_of_that_name"}, "nobody_of_that_name"),
        ({"everybody": "random", "chief": ["simple", "nobody_of_that_name"]}, "nobody_of_that_name"),
        ({"chief": []}, "chief"),
        ({"separatists": []}, "separatists"),
        ([], "opponents"),
        (["simple", []], "empty"),
        (3, "3"),
        (None, "None"),
        ({"chief": 3, "everybody": "random"}, "3"),
        ([["simple"], 4], "4"),
    ],
)
def test_unknown_opponents_are_refused_by_name(opponents: Any, named: str) -> None:
    with pytest.raises(OptionError, match=named):
        hunt_lineups(opponents)
    with pytest.raises(OptionError, match=named):
        learner(HUNT, opponents=opponents)


@pytest.mark.parametrize(
    ("opponents", "without"),
    [
        ({"merchants": "rule_based", "separatists": "rule_based"}, "profiteer"),
        ({"chief": "simple", "separatists": "simple"}, "merchant, profiteer"),
        (["simple", {"leader": "simple"}], "chief, merchant, separatist, profiteer"),
        ({}, ", ".join(find_game(HUNT).roles)),
    ],
)
def test_nobody_plays_a_role_that_a_lineup_does_not_name(opponents: Any, without: str) -> None:
    for door in (
        hunt_lineups,
        lambda given: learner(HUNT, opponents=given),
        lambda given: LearnerEnv(HUNT, opponents=given),
    ):
        with pytest.raises(
            OptionError, match=f"nobody is named for {without}; name an agent for them, or for everybody"
        ):
            door(opponents)


def test_two_agents_of_one_name_are_refused() -> None:
    with pytest.raises(OptionError, match="hashing 0"):
        hunt_lineups({"chief": Hashing(), "merchant": Twin(), **REST})


class Twin(Remembering):
    """Another agent under the name of one."""

    name = "hashing 0"


class Wrong(Hashing):
    """An agent that answers what it must not."""

    def act(self, observations: Any, masks: Any, memory: Any, rng: Any) -> npt.NDArray[np.int64]:
        return np.zeros(len(observations), np.int64)


def test_an_agent_that_answers_illegally_is_named() -> None:
    with pytest.raises(IllegalActionError, match="hashing 7"):
        learner(TOY, 8, opponents=Wrong(7))


# --- drawing --------------------------------------------------------------------------------------------------------


def draw(given: Lineups, games: int, roles: list[int]) -> npt.NDArray[np.int64]:
    """The agents of the first `games` games."""
    uniforms = seating_uniforms(5, np.arange(games), len(roles))
    return given.draw(np.tile(np.array(roles, np.int8), (games, 1)), uniforms[:, 1:])


def test_lineups_and_pools_are_drawn_as_often_as_they_should() -> None:
    opponents = [
        {"merchants": [Hashing(1), Hashing(2), Hashing(3)], "leader": Hashing(4), **REST},
        "simple",
        {"chief": ["simple", "random"], **REST},
    ]
    given = hunt_lineups(opponents)
    number = {agent.name: index for index, agent in enumerate(given.agents)}
    who = draw(given, 8000, [CHIEF, MERCHANT, MERCHANT, LEADER])
    of_leaders = [number[name] for name in ("hashing 4", "simple", "random")]  # one in each lineup
    which = np.array([of_leaders.index(each) for each in who[:, 3]])
    assert_shares(np.bincount(which, minlength=3), [1, 1, 1])
    pool = [number[f"hashing {salt}"] for salt in (1, 2, 3)]
    for seat in range(3):
        assert_shares([np.sum(who[which == 0, seat] == each) for each in pool], [1, 1, 1])
    pairs = 3 * (who[which == 0, 1] - min(pool)) + who[which == 0, 2] - min(pool)
    assert_shares(np.bincount(pairs, minlength=9), [1] * 9)
    assert (who[which == 1] == number["simple"]).all()
    assert_shares([np.sum(who[which == 2, 0] == number[name]) for name in ("simple", "random")], [1, 1])
    assert (who[which == 2, 1:] == number["random"]).all()


def test_the_extremes_of_a_draw_sit_somebody() -> None:
    given = hunt_lineups(["simple", "random", {"chief": ["simple", "random", Hashing()], **REST}])
    for extreme, name in ((0.0, "simple"), (np.nextafter(1.0, 0.0), "hashing 0")):
        who = given.draw(np.full((1, 4), CHIEF, np.int8), np.full((1, 5), extreme))
        assert {given.agents[each].name for each in who[0]} == {name}


def test_the_draw_depends_on_seed_and_number_alone() -> None:
    together = seating_uniforms(3, np.arange(100), 7)
    assert together.shape == (100, 9)
    assert ((together >= 0) & (together < 1)).all()
    np.testing.assert_array_equal(seating_uniforms(3, np.array([70, 4]), 7), together[[70, 4]])
    assert (seating_uniforms(4, np.arange(100), 7) != together).any(axis=1).all()
    assert len(np.unique(together)) > 890


def test_the_draw_of_a_game_is_that_of_its_number() -> None:
    opponents = ["random", Hashing(), {"wader": [Hashing(1), "random"]}]
    batch = learner(TOY, 6, opponents=opponents, seed=8)
    uniforms = seating_uniforms(8, np.arange(60), 3)
    drawn = lineups(find_game(TOY), opponents).draw(np.zeros((60, 3), np.int8), uniforms[:, 1:])
    while batch.game_number.max() < 50:
        seated = drawn[batch.game_number]
        seated[np.arange(batch.num_envs), batch.seat] = OUTSIDE
        np.testing.assert_array_equal(batch.tables.lineups, seated)
        batch.step(chosen(batch))


# --- playing --------------------------------------------------------------------------------------------------------


@one_of_each_kind
def test_agents_in_python_play_the_same_games_as_compiled(game_id: str) -> None:
    agent = installed(PLAIN[game_id], game_id)
    random = installed("random", game_id)
    assert_alike(game_id, agent, InPython(agent), steps=25)
    assert_alike(game_id, random, InPython(random), steps=25)


def test_agents_in_python_beside_compiled_ones_play_the_same_games() -> None:
    random, simple = installed("random", HUNT), installed("simple", HUNT)
    compiled = {"merchants": simple, "separatists": random, "profiteer": simple}
    mixed = {"merchants": InPython(simple), "separatists": random, "profiteer": simple}
    other = {"merchants": simple, "separatists": InPython(random), "profiteer": InPython(simple)}
    assert_alike(HUNT, compiled, mixed)
    assert_alike(HUNT, compiled, other)


def test_what_an_agent_remembers_is_kept_by_seat_and_game() -> None:
    """The counts of decisions that an agent keeps never pass what one seat decides in one game."""
    seen: list[npt.NDArray[np.int32]] = []

    class Counting(Remembering):
        name = "counting"

        def act(self, observations: Any, masks: Any, memory: Any, rng: Any) -> npt.NDArray[np.int64]:
            actions = super().act(observations, masks, memory, rng)
            seen.append(memory[:, 0].copy())
            return actions

    first_episodes(learner(TOY, 3, opponents=Counting()), 8)
    counts = np.concatenate(seen)
    assert np.sum(counts == 1) > 8
    assert counts.max() < 40
