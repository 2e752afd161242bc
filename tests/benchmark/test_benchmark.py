"""The benchmark: what it fixes stays fixed, scores follow from the rows, results that don't fit are refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from in_process import riverbed

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_lab.benchmark.board import board, read_board
from riverbed_lab.benchmark.results import Played, Result, add_tracks, fixed, read_result
from riverbed_lab.benchmark.run import TRAINED, Entrant, TrackRun, packs_of
from riverbed_lab.benchmark.score import SMALLEST_BEST, Cell, improvement, interquartile_mean, profile, score
from riverbed_lab.benchmark.tracks import benchmark, check_agents, frozen, seed_of
from riverbed_lab.evaluation.folder import load
from riverbed_lab.evaluation.outcomes import rows_frame
from riverbed_lab.evaluation.run import Evaluation
from studies.benchmark_frozen import best_known

GAME = find_game("riverbed_hunt")
DEALS = 24
QUICK = ("rule_based", "bold_liar")  # of the agents that are checked in every run


def cell(gain: float, blocks: int = 1000, lineup: str = "rule_based", seat: str = "chief") -> Cell:
    """A cell of +1 and -1 alone."""
    ups = round(blocks * (1 + gain) / 2)
    return Cell(lineup, 7, seat, 0.5, 0.5, ((1.0, ups), (-1.0, blocks - ups)))


# --- what is fixed ----------------------------------------------------------------------------------------------------


def test_the_agents_play_as_they_were_frozen() -> None:
    check_agents(QUICK)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", [name for name in benchmark().seated if name not in QUICK])
def test_every_agent_plays_as_it_was_frozen(name: str) -> None:
    check_agents((name,))


def test_another_agent_under_a_frozen_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(frozen().agents, "rule_based", frozen().agents["bold_liar"])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="rule_based or the rules play differently"):
        check_agents(("rule_based",))


def test_the_packs_are_those_that_were_frozen() -> None:
    fixed_packs = frozen().packs
    for name, track in benchmark().tracks.items():
        if track.lineups:
            assert packs_of(GAME, track.options) == fixed_packs[name]
        if track.trained:
            assert packs_of(GAME, track.trained) == fixed_packs[f"{name} {TRAINED}"] != fixed_packs[name]


def test_nobody_may_train_with_the_partners_of_the_test() -> None:
    assert not set(benchmark().partners["seen"]) & set(benchmark().track("partners").lineups)


# --- scores -----------------------------------------------------------------------------------------------------------


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end() -> None:
    assert interquartile_mean([-100, 1, 2, 3, 4, 5, 6, 900]) == pytest.approx((2 + 3 + 4 + 5) / 4)


def test_a_score_is_the_gains_over_the_best_known() -> None:
    found = score([cell(0.04, seat=seat) for seat in "abcd"], [0.08] * 4)
    assert found.normalised.value == pytest.approx(0.5)
    assert found.points.value == pytest.approx(0.04)
    assert found.normalised.low < 0.5 < found.normalised.high


def test_a_small_best_gain_isnt_divided_by() -> None:
    assert score([cell(0.01)], [0.0]).normalised.value == pytest.approx(0.01 / SMALLEST_BEST)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng, cells, truth = np.random.default_rng(5), 8, 0.1
    hits = 0
    for trial in range(200):
        drawn = [cell(2 * rng.binomial(400, (1 + truth) / 2) / 400 - 1, 400) for _ in range(cells)]
        found = score(drawn, [1.0] * cells, seed=trial).points
        hits += found.low <= truth <= found.high
    assert 180 <= hits <= 199


def test_the_worst_cell_is_found() -> None:
    assert score([cell(0.2), cell(-0.3), cell(0.1)], [0.1] * 3).worst.value == pytest.approx(-0.3)


def test_the_probability_of_improvement_is_one_for_the_better_and_half_for_the_same() -> None:
    better, same = [cell(0.5)] * 3, [cell(0.0)] * 3
    assert improvement(better, same) == 1.0
    assert improvement(same, better) == 0.0
    assert improvement(same, same, seed=1) == pytest.approx(0.5, abs=0.03)


# --- responses --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_learner_of_each_role_is_trained_against_the_agent_and_compared_with_it(tmp_path: Path) -> None:
    run = TrackRun("response", Entrant("simple"), tmp_path, DEALS)
    run.track = replace(run.track, decisions=1)  # one rollout
    found = run.play()
    assert [each["seat"] for each in found["cells"]] == list(GAME.roles)
    for role, part in zip(GAME.roles, run.parts, strict=True):
        rows = rows_frame(GAME, Evaluation.begin(part.plan, tmp_path / part.folder).folder)
        config = json.loads((tmp_path / "training" / role / "config.json").read_text())
        assert config["opponents"] == [{"everybody": ["simple"]}]
        assert config["seed"] == run.entrant.seed("response") % (2**32 - 1)
        assert set(rows["focus_agent"].dropna()) == {part.agent, "simple"}  # the learner, and whom it replaces
        assert {role} == set(rows["focus_role"].dropna())
    assert {**run.play(), "seconds": 0} == {**found, "seconds": 0}  # nothing is trained or played again


def test_a_response_is_shown_in_points_and_never_as_a_best_gain(tmp_path: Path) -> None:
    cells = tuple(cell(0.05, seat=role, lineup="itself") for role in GAME.roles)
    played = Played("a", seed_of("response", "a"), benchmark().track("response").games, cells=cells)
    result = Result(benchmark().name, "mine", "mine", "open", fixed(), {"response": played})
    _, response = board([result]).tables
    shown = dict(zip(response.heads, (each.text for each in response.lines[0]), strict=True))
    assert shown["points"].startswith("+5.0 (")
    assert all(shown[role] == "+5.0" for role in GAME.roles)
    assert best_known([result]).get("response", {}) == {}


# --- playing ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder of a track that `simple` has played, and its result."""
    path = tmp_path_factory.mktemp("roles")
    return path, TrackRun("roles", Entrant("simple"), path, DEALS).play()


def test_cells_are_the_paired_differences_of_the_rows(played: tuple[Path, dict[str, Any]]) -> None:
    path, result = played
    evaluation = Evaluation.begin(load(path / "rule_based").plan, path / "rule_based")
    rows = rows_frame(GAME, evaluation.folder)
    rows = rows[rows["focus"] >= 0]
    assert len(result["cells"]) == 15  # five roles with three numbers of players
    for each in result["cells"]:
        there = rows[(rows["num_players"] == each["players"]) & (rows["focus_role"] == each["seat"])]
        means = there.groupby(["focus_agent", "game"], observed=True)["focus_won"].mean().astype(float)
        paired = pd.concat([means["simple"], means["rule_based"]], axis=1, keys=["ours", "theirs"]).dropna()
        values, counts = zip(*each["differences"], strict=True)
        assert sum(counts) == len(paired) == DEALS
        assert np.dot(values, counts) / DEALS == pytest.approx((paired["ours"] - paired["theirs"]).mean(), abs=1e-5)


def test_the_same_run_gives_the_same_rows(played: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    path, result = played
    again = TrackRun("roles", Entrant("simple"), path, DEALS).play()  # from the folder
    assert {**again, "seconds": 0} == {**result, "seconds": 0}
    assert TrackRun("roles", Entrant("simple"), tmp_path, DEALS, threads=2).play()["rows"] == result["rows"]


def test_the_reference_gains_nothing(tmp_path: Path) -> None:
    found = TrackRun("roles", Entrant("rule_based"), tmp_path, DEALS).play()
    assert all(each["differences"] == [[0.0, DEALS]] for each in found["cells"])


def test_deals_follow_from_how_the_agent_plays() -> None:
    seeds = {Entrant(spec).seed("roles") for spec in ("simple", "noisy:one_in=3", "rule_based")}
    assert len(seeds) == 3
    assert Entrant("simple").seed("roles") != Entrant("simple").seed("rivers")


def test_another_name_gets_the_same_deals(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from riverbed_agents.riverbed_hunt.simple import SIMPLE as MINE\n")
    assert Entrant(f"{tmp_path}/mine.py:MINE").seed("roles") == Entrant("simple").seed("roles")


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("track", [name for name, each in benchmark().tracks.items() if each.is_scored])
def test_every_track_is_played(track: str, tmp_path: Path) -> None:
    found = TrackRun(track, Entrant("simple", ("noisy",)), tmp_path, 4).play()
    asked = benchmark().track(track)
    seats = len(GAME.camps) if asked.seats == "camp" else len(GAME.roles)
    assert len(found["cells"]) == seats * len(asked.lineups) * len(asked.players)
    assert (TRAINED in found) == bool(asked.trained)
    assert len(found.get("seeds", [])) == (5 if asked.seats == "camp" else 0)


# --- result files and the board ---------------------------------------------------------------------------------------


def written(path: Path, agent: str, played: dict[str, Any]) -> Path:
    """A result file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    add_tracks(path, Result(benchmark().name, agent, agent, "open", fixed()), {"roles": played})
    return path


@pytest.fixture
def whole(played: tuple[Path, dict[str, Any]]) -> dict[str, Any]:
    """The result of `simple` as if it had played as many deals as the benchmark wants."""
    games = benchmark().track("roles").games
    cells = [with_gain(each, [*each["differences"], [0.0, games - DEALS]]) for each in played[1]["cells"]]
    return {**played[1], "games": games, "cells": cells}


def with_gain(each: dict[str, Any], differences: list[Any]) -> dict[str, Any]:
    """A cell with other differences, and rates that fit them."""
    values, counts = zip(*differences, strict=True)
    gain = float(np.dot(values, counts) / sum(counts))
    return {**each, "differences": differences, "instead": 0.5, "won": 0.5 + gain}


def test_tracks_are_added_to_the_agents_file(tmp_path: Path, whole: dict[str, Any]) -> None:
    path = written(tmp_path / "simple.json", "simple", whole)
    exact = [{"game": game, "nash_conv": 0.25} for game in benchmark().track("exact").small]
    both = add_tracks(path, read_result(path), {"exact": {"hash": whole["hash"], "exact": exact}})
    assert set(both.tracks) == {"roles", "exact"}
    assert both.nash_conv == 0.25
    assert both.score("roles") == read_result(path).score("roles") is not None


def test_tracks_of_the_agent_as_it_was_before_are_dropped(tmp_path: Path, whole: dict[str, Any]) -> None:
    path = written(tmp_path / "simple.json", "simple", whole)
    assert set(add_tracks(path, read_result(path), {"exact": {"hash": "another"}}).tracks) == {"exact"}


def test_a_file_of_another_agent_is_refused(tmp_path: Path, whole: dict[str, Any]) -> None:
    path = written(tmp_path / "simple.json", "simple", whole)
    with pytest.raises(OptionError, match="has the agent 'simple', not 'noisy'"):
        written(path, "noisy", whole)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"benchmark": "Riverbed Benchmark 0"}, "is a result of 'Riverbed Benchmark 0'"),
        ({"budget": "a week"}, "budget must be"),
        ({"frozen": {}}, "was played with other rule_based: None there"),
        ({"tracks": {"lakes": {"hash": ""}}}, "track must be"),
        ({"tracks": {"roles": {"hash": "", "games": 3}}}, "with 3 deals, a trial; it needs 10,000"),
        (
            {"tracks": {"roles": {"hash": "", "games": 10000}}},
            "roles was played on other deals than",
        ),
        (
            {"tracks": {"roles": {"hash": "x", "seed": seed_of("roles", "x"), "games": 10000}}},
            "roles lacks cells, or has others than the track's",
        ),
        ({"tracks": {}}, "has no track"),
        (
            {"tracks": {"exact": {"hash": "", "exact": [{"game": "rill", "nash_conv": 0.0}]}}},
            "needs the games rill, brook",
        ),
        ({"tracks": {"roles": {"games": 3}}}, "hash"),
        ({"more": 1}, "more"),
    ],
)
def test_results_that_dont_fit_are_refused(
    change: dict[str, Any], complaint: str, tmp_path: Path, whole: dict[str, Any]
) -> None:
    path = written(tmp_path / "simple.json", "simple", whole)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(OptionError, match=complaint):
        read_board(tmp_path)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda cells: cells[0].update(differences=[[1.5, 10_000]]), "differences that no games give"),
        (lambda cells: cells[0].update(differences=[[1.0, -1], [0.0, 10_001]]), "differences that no games give"),
        (lambda cells: cells[0]["differences"].pop(), "not of 10,000"),
        (lambda cells: cells[0].update(differences=[[1.0, 10_000]]), "don't fit how often was won"),
        (lambda cells: cells[0].update(won=0.9), "don't fit how often was won"),
        (lambda cells: cells.pop(), "lacks cells"),
        (lambda cells: cells.append(cells[0]), "has others than the track's"),
        (lambda cells: cells[0].update(seat="wader"), "has others than the track's"),
    ],
)
def test_cells_that_no_run_gives_are_refused(
    change: Callable[[list[dict[str, Any]]], Any], complaint: str, tmp_path: Path, whole: dict[str, Any]
) -> None:
    cells = json.loads(json.dumps(whole["cells"]))
    change(cells)
    path = written(tmp_path / "simple.json", "simple", {**whole, "cells": cells})
    with pytest.raises(OptionError, match=complaint):
        read_result(path)


def test_two_rows_of_one_name_are_refused(tmp_path: Path, whole: dict[str, Any]) -> None:
    for name in ("one", "two"):
        written(tmp_path / f"{name}.json", "simple", whole)
    with pytest.raises(OptionError, match="has 2 results of agents called simple"):
        read_board(tmp_path)


def test_the_board_has_the_best_first(tmp_path: Path, whole: dict[str, Any]) -> None:
    cells = [with_gain(each, [[0.0, whole["games"]]]) for each in whole["cells"]]
    better = [with_gain(each, [[0.5, whole["games"]]]) for each in whole["cells"]]
    for name, own in (("worse", whole["cells"]), ("rule_based", cells), ("better", better)):
        written(tmp_path / f"{name}.json", name, {**whole, "cells": own})
    section = board(read_board(tmp_path))
    assert [line[0].text for line in section.tables[0].lines] == ["better", "rule_based", "worse"]
    chances = [line[-2].text for line in section.tables[1].lines]
    assert chances[:2] == ["1.00", "0.50"]
    assert float(chances[2]) < 0.5
    assert [picture.title for picture in section.pictures] == ["Track roles", "Track roles: profiles"]
    assert all("<svg" in picture.svg for picture in section.pictures)


def test_the_board_names_the_best_known_gain_with_each_partner() -> None:
    track = benchmark().track("partners")
    cells = tuple(cell(0.05, seat=role, lineup=each) for each in track.lineups for role in GAME.roles)
    played = Played("a", seed_of("partners", "a"), track.games, cells=cells)
    *_, known = board([Result(benchmark().name, "mine", "mine", "open", fixed(), {"partners": played})]).tables
    assert [line[0].text for line in known.lines] == list(track.lineups)
    gain, who = frozen().best["partners"]["profiteer of 7 among hoarder"]
    assert known.lines[track.lineups.index("hoarder")][-1].text == f"+{100 * gain:.1f} {who}"


def test_a_profile_is_the_share_of_cells_above_each_level() -> None:
    cells = [cell(0.1), cell(0.05, seat="leader"), cell(-0.1, seat="chief"), cell(0.0, seat="merchant")]
    shares, low, high = profile(cells, [0.1] * 4, [-2.0, -0.5, 0.0, 0.75, 1.0])
    assert shares == [1.0, 0.75, 0.5, 0.25, 0.0]  # normalised gains are 1, 0.5, -1 and 0
    assert all(a <= b <= c for a, b, c in zip(low, shares, high, strict=True))


def test_the_best_known_gain_of_a_cell_is_the_largest_and_has_a_name() -> None:
    def result(agent: str, gain: float) -> Result:
        track = Played("", cells=(cell(gain), cell(-0.1, seat="leader")))
        return Result(benchmark().name, agent, agent, "open", fixed(), {"roles": track})

    best = best_known([result("good", 0.1), result("better", 0.2), result("worse", -0.3)])
    assert best == {"roles": {cell(0).name: (0.2, "better")}}  # nobody gains as leader


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_measures_and_shows_the_board(tmp_path: Path, whole: dict[str, Any]) -> None:
    done = riverbed("bench", "me=simple", "--games", str(DEALS), "--threads", "1", "--out", str(tmp_path / "me"))
    assert done.returncode == 0, done.stderr
    assert "With --games this is a trial" in done.stdout
    result = read_result(tmp_path / "me" / f"trial_{DEALS}.json", whole=False)
    assert (result.agent, result.spec, result.tracks["roles"].rows) == ("me", "simple", whole["rows"])
    assert not (tmp_path / "me" / "result.json").exists()
    refused = riverbed("bench", "--board", str(tmp_path / "me"), "--out", str(tmp_path))
    assert f"roles was played with {DEALS} deals, a trial" in refused.stderr
    written(tmp_path / "board" / "simple.json", "simple", whole)
    shown = riverbed("bench", "--board", str(tmp_path / "board"), "--out", str(tmp_path))
    assert "simple" in shown.stdout
    assert "Track roles" in (tmp_path / "board.html").read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "name an agent, or a folder of results with --board"),
        (("simple", "--track", "lakes"), "track must be"),
        (("simple", "--games", "0"), "games must be"),
        (("simple", "--budget", "a week"), "budget must be"),
        (("nobody",), "nobody"),
        (("simple", "noisy"), "one agent at a time: further ones are other seeds of it"),
        (("simple", "--track", "exact", "--games", "9"), "the track exact has no deals"),
        (("simple", "--board", "docs/board"), "leave out the agents"),
    ],
)
def test_bad_input_is_answered_in_a_line(words: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    done = riverbed("bench", *words, "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_folder_without_results_has_no_board(tmp_path: Path) -> None:
    done = riverbed("bench", "--board", str(tmp_path), "--out", str(tmp_path))
    assert done.returncode == 2
    assert "holds no results" in done.stderr


def test_an_agent_without_exact_policy_is_told_so(tmp_path: Path) -> None:
    remembers = Path(__file__).parents[1] / "experiments" / "agents_of_a_file.py"
    done = riverbed("bench", f"{remembers}:last_legal", "--track", "exact", "--out", str(tmp_path))
    assert done.returncode == 2
    assert "exact values need an agent without memory" in done.stderr
