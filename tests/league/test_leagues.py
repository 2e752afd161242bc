"""A league in its folder: who meets whom, its files, that it resumes where it was interrupted, and what it refuses."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from league.small_leagues import small_league
from training.small_runs import GAME, ROLLOUT, assert_same_arrays, copied, damaged, played

from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy
from riverbed_env.registry import find_game
from riverbed_lab.league.best_response import build_responses
from riverbed_lab.league.config import LeagueConfig, build_league
from riverbed_lab.league.league import STATE, League, Work
from riverbed_lab.league.learner import Job, Outcome, one_after_another, play_round
from riverbed_lab.league.matchmaking import learners_of
from riverbed_lab.training.folder_run import Progress, TimeBudget

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

HUNT = {"game": "riverbed_hunt_v1", "players": (4,), "num_envs": 16}


def play(folder: Path, config: LeagueConfig | None, until: str | None = None) -> League:
    """Play a league to its end, or until its progress says this."""
    return played(League(folder, config), None if until is None else lambda progress: progress.what == until)


def exploited(**changed: Any) -> LeagueConfig:
    return small_league(exploiters=("wader",), rounds=3, **changed)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that was played in one go."""
    folder = tmp_path_factory.mktemp("whole")
    play(folder, exploited())
    return folder


def assert_same_end(one: Path, other: Path) -> None:
    states = [json.loads((folder / STATE).read_text())["state"] for folder in (one, other)]
    assert states[0].keys() == states[1].keys()
    for name in states[0].keys() - {"files"}:
        assert states[0][name] == states[1][name], name
    for file in states[0]["files"]:
        if file.startswith("checkpoints"):
            assert_same_arrays(one / file, other / file)


def test_a_league_writes_its_settings_results_ratings_and_policies(whole: Path) -> None:
    assert LeagueConfig.load(whole) == exploited()
    state = json.loads((whole / STATE).read_text())["state"]
    assert set(state["results"]) == {"main"}  # the exploiter restarts after each round
    met = set(state["results"]["main"]["wader"])
    assert {"mains", "random"} <= met
    assert any(name.startswith("past_") for name in met)
    assert any(name.startswith("exploiter_wader_1_") for name in met)
    ratings = state["ratings"]
    assert [row["round"] for row in ratings] == [2, 3]
    assert ratings[-1]["steps"] == {"main": 12 * ROLLOUT}
    assert [row["among"] for row in ratings[-1]["gains"]] == ["random", "past_1", "past_2"]
    assert all(
        row["games"] == 20 and row["gain_low"] <= row["gain"] <= row["gain_high"] for row in ratings[-1]["gains"]
    )
    assert load_policy(whole / "main.npz", find_game(GAME)).config.more["steps"] == 12 * ROLLOUT
    assert list((whole / "tensorboard").glob("events*"))


def test_files_that_nothing_names_are_deleted(whole: Path) -> None:
    assert [file.name for file in (whole / "checkpoints").iterdir()] == ["main_3.npz"]
    kept = {file.name for file in (whole / "policies").iterdir()}
    assert kept == {f"{name}_{number}.npz" for name in ("main", "exploiter_wader_1") for number in (1, 2, 3)}


@pytest.mark.parametrize(
    ("until", "rounds", "finished"),
    [
        ("round 2 of 3: main", 1, set()),
        ("round 2 of 3: exploiter_wader_1", 1, {"main"}),
        ("after 2 rounds", 2, set()),
    ],
)
def test_an_interrupted_league_resumes_as_if_it_had_not_been_interrupted(
    whole: Path, tmp_path: Path, until: str, rounds: int, finished: set[str]
) -> None:
    play(tmp_path, exploited(), until=until)
    league = League(tmp_path, None)
    assert (league.state.round, set(league.state.finished)) == (rounds, finished)
    league.run()
    assert_same_end(whole, tmp_path)


def test_a_league_whose_time_is_up_stops_after_a_learners_part_and_resumes_bit_for_bit(
    whole: Path, tmp_path: Path
) -> None:
    seconds = iter([0.0, 1.0, 61.0, 61.0])  # the start, before the first round, and after the first learner's part
    league = League(tmp_path, exploited())
    league.run(budget=TimeBudget(1, lambda: next(seconds)))
    assert (league.state.round, list(league.state.finished), league.is_finished) == (0, ["main"], False)
    league = League(tmp_path, exploited())
    league.run()
    assert league.is_finished
    assert_same_end(whole, tmp_path)


@pytest.mark.parametrize("steps", [8, 1000, 2 * ROLLOUT + 8])
def test_a_round_is_as_many_decisions_as_it_says_and_progress_adds_up_to_them(tmp_path: Path, steps: int) -> None:
    config = replace(small_league(rounds=1, evaluation_games=0), steps_per_round=steps + 7)
    assert config.steps_played == steps  # whole steps of 8 environments
    reported: list[Progress] = []
    league = League(tmp_path, config)
    league.run(reported.append)
    assert league.state.learners["main"].steps == reported[-1].done == reported[-1].total == steps


def test_a_league_can_be_made_longer(whole: Path, tmp_path: Path) -> None:
    play(tmp_path, replace(exploited(), rounds=2, rate_every=3))
    play(tmp_path, replace(exploited(), rounds=3, rate_every=3))
    state, other = (json.loads((folder / STATE).read_text())["state"] for folder in (whole, tmp_path))
    assert state["results"] == other["results"]
    assert state["learners"] == other["learners"]


def test_jobs_of_a_round_can_be_played_in_any_order(whole: Path, tmp_path: Path) -> None:
    """As on several machines: each job depends on the state at the round's beginning alone."""

    def work(jobs: Sequence[Job], watch: Any) -> Iterator[tuple[str, Outcome]]:
        return iter([(job.learner, play_round(job)) for job in reversed(jobs)])

    League(tmp_path, exploited(), work).run()
    assert_same_end(whole, tmp_path)


def test_exploiters_restart_and_join_the_pool(whole: Path) -> None:
    league = League(whole, None)
    assert league.state.learners["exploiter_wader_1"].restarts == 3
    assert league.state.learners["exploiter_wader_1"].stem == ""
    assert [each.name for each in league.state.pool if each.kind == "exploiter"] == [
        f"exploiter_wader_1_{number}" for number in (1, 2, 3)
    ]


def made_up(wins: dict[str, float]) -> Work:
    """Work with made-up results: each learner's wins in ten games among the main agents; it wins all others."""

    def work(jobs: Sequence[Job], watch: Any) -> Iterator[tuple[str, Outcome]]:
        for name, outcome in one_after_another(jobs, watch):
            yield (
                name,
                replace(outcome, tally={"wader": {"random": (10.0, 10.0), "mains": (wins[name], 10.0)}}),
            )

    return work


@pytest.mark.parametrize(("wins", "restarts"), [(5.0, 0), (6.0, 1)])
def test_an_exploiter_that_wins_enough_joins_and_restarts(tmp_path: Path, wins: float, restarts: int) -> None:
    config = replace(exploited(), rounds=1, exploiter_rounds=5, exploiter_margin=0.15)
    league = League(tmp_path, config, made_up({"main": 4.0, "exploiter_wader_1": wins}))
    league.run()
    assert league.state.learners["exploiter_wader_1"].restarts == restarts
    assert len([each for each in league.state.pool if each.kind == "exploiter"]) == restarts


def test_each_role_has_its_policy_and_is_rated(tmp_path: Path) -> None:
    config = small_league(**HUNT, policies="per_role", rounds=1, rate_every=1, snapshot_every=2)
    league = play(tmp_path, config)
    roles = ["chief", "merchant", "leader", "separatist", "profiteer"]
    assert [each.name for each in league.mains] == [f"main_{role}" for role in roles]
    row = league.state.ratings[0]
    assert [each["role"] for each in row["gains"]] == roles
    assert set(league.state.results["main_leader"]) == {"leader"}
    assert load_policy(tmp_path / "main_leader.npz", find_game("riverbed_hunt")).about.startswith("trained for leader")


def test_one_policy_learns_in_all_roles(tmp_path: Path) -> None:
    config = small_league(**HUNT, exploiters=("separatist",), rounds=1, evaluation_games=0)
    config = replace(config, exploiter_rounds=2, steps_per_round=16 * ROLLOUT)
    league = play(tmp_path, config)
    assert len(league.state.results["main"]) > 2
    assert set(league.state.results["exploiter_separatist_1"]) == {"separatist"}


@pytest.mark.parametrize("how", ["truncated", "missing", "tampered with"])
@pytest.mark.parametrize("name", ["checkpoints/main_3.npz", "policies/main_2.npz"])
def test_a_damaged_file_is_refused_and_named(whole: Path, tmp_path: Path, name: str, how: str) -> None:
    damaged(copied(whole, tmp_path) / name, how)
    with pytest.raises(OptionError, match=name):
        League(tmp_path, None)


def test_a_damaged_state_is_refused(whole: Path, tmp_path: Path) -> None:
    damaged(copied(whole, tmp_path) / STATE, "truncated")
    with pytest.raises(OptionError, match=r"league\.json"):
        League(tmp_path, None)


def rewritten(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("build", [build_league, build_responses])
@pytest.mark.parametrize("name", ["role", "seats"])
def test_a_league_says_which_seats_learn(build: Any, name: str) -> None:
    with pytest.raises(OptionError, match=f"there is no setting '{name}'"):
        build({"training": {"game": "ford_v0", name: "all"}}, "test")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda state: state.update(environment="deep_river_v0"), "is of environment deep_river_v0"),
        (lambda state: state.update(packs=["beef"]), r"is of packs \['beef'\]"),
        (lambda state: state.update(format=99), "has a format that this version can't read"),
        (lambda state: state["state"].update(round=1), "doesn't fit its hash"),
        (lambda state: state.pop("hash"), "holds no state of a league"),
    ],
)
def test_a_state_of_something_else_is_refused(whole: Path, tmp_path: Path, change: Any, complaint: str) -> None:
    rewritten(copied(whole, tmp_path) / STATE, change)
    with pytest.raises(OptionError, match=complaint):
        League(tmp_path, None)


def test_an_anchor_that_has_changed_is_refused(whole: Path, tmp_path: Path) -> None:
    anchor = tmp_path / "anchor.npz"
    anchor.write_bytes((whole / "policies" / "main_1.npz").read_bytes())
    config = small_league(anchors=("random", str(anchor)), rounds=1)
    play(tmp_path / "league", config)
    assert League(tmp_path / "league", config).state.round == 1
    anchor.write_bytes((whole / "policies" / "main_2.npz").read_bytes())
    with pytest.raises(OptionError, match="is of policies"):
        League(tmp_path / "league", config)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"policies": "one each"}, "policies must be"),
        ({"anchors": (), "self_share": 0.0}, "anchor_share with anchors, must be above 0"),
        ({"anchors": ("random", "random")}, "anchors must be"),
        ({"anchors": ("nobody",)}, "has no agent 'nobody'"),
        ({"anchors": ("gone.npz",)}, r"gone\.npz"),
        ({"exploiters": ("admiral",)}, "exploiters must be"),
        ({"rounds": 0}, "rounds must be"),
        ({"steps_per_round": 7}, "steps_per_round must be at least num_envs, 8"),
        ({"exponent": -1.0}, "exponent must be"),
        ({"decay": float("nan")}, "decay must be"),
        ({"self_share": 0.0, "anchor_share": 0.0}, "self_share, or anchor_share"),
        ({"players": (99,)}, "players must be"),
        ({"reference": "nobody"}, "has no agent 'nobody'"),
    ],
)
def test_impossible_settings_are_refused_before_any_work(tmp_path: Path, change: Any, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        League(tmp_path, small_league(**change))
    assert not list(tmp_path.iterdir())


def test_a_league_of_selves_alone_needs_no_anchors(tmp_path: Path) -> None:
    league = play(tmp_path, small_league(anchors=(), rounds=2))
    assert {lineup.kind for lineup, _ in league.job(league.mains[0]).lineups} == {"main", "past"}


def test_roles_that_are_not_dealt_have_no_learners() -> None:
    """Riverbed Hunt deals a role to the player counts of its table; the toy game has one."""
    config = small_league(policies="per_role", players=(2, 3))
    assert [(each.name, each.role, each.players) for each in learners_of(config)] == [("main_wader", "wader", (2, 3))]
