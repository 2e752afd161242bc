"""Best responses to a frozen lineup: what is measured, that they resume where they stopped, and what they refuse."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from training.small_runs import ROLLOUT, copied, played, small

from riverbed_env.errors import OptionError
from riverbed_env.players.lineups import EVERYBODY, lineups
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.config_files import CONFIG
from riverbed_lab.league.best_response import ROWS, BestResponses, Exploitation, cells
from riverbed_lab.statistics import Difference, seeds_difference
from riverbed_lab.training.config import TrainingConfig
from riverbed_lab.training.evaluation import Evaluation
from riverbed_lab.training.folder_run import CHECKPOINT, POLICY, Progress, TimeBudget

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def responses(**changed: Any) -> BestResponses:
    training = small(steps=2 * ROLLOUT, role=None, evaluation_games=0)
    return BestResponses(training, **{"roles": ("wader",), "seeds": 2, "games": 60, **changed})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    Exploitation(folder, responses()).run()
    return folder


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return list(json.loads((folder / ROWS).read_text())["rows"])


def test_each_seed_is_measured_sampled_and_greedy_on_the_same_deals(whole: Path) -> None:
    rows = rows_of(whole)
    assert [(row["role"], row["seed"], row["players"], row["mode"]) for row in rows] == [
        ("wader", seed, 3, mode) for seed in (0, 1) for mode in ("sampled", "greedy")
    ]
    assert len({row["reference"] for row in rows}) == 1
    for row in rows:
        assert row["games"] == 60
        assert row["gain"] == pytest.approx(row["won"] - row["reference"])
        assert row["gain_low"] <= row["gain"] <= row["gain_high"]


def test_the_lineups_own_agent_wins_as_often_as_if_it_were_the_learner() -> None:
    """In a lineup of one agent the seat's own holder and that agent as reference are the same."""
    config = responses().learner("wader", 0)
    game = config.known_game()
    for reference in (None, find_agent("random", game.name)):
        evaluation = Evaluation(
            game, lineups(game, "random"), reference, role="wader", games=60, num_players=3, threads=1
        )
        if reference is None:
            first = evaluation.won_by_reference
    assert (evaluation.won_by_reference == first).all()


def test_the_table_sums_up_the_seeds(whole: Path) -> None:
    found = Exploitation(whole, responses())
    first = found.summary()[0]
    gains = [row["gain"] for row in rows_of(whole) if row["mode"] == "sampled"]
    assert first["gain"] == pytest.approx(sum(gains) / 2)
    assert first["gain_low"] is None  # two seeds are too few
    assert first["budget"] == 2 * ROLLOUT
    assert json.loads((whole / ROWS).read_text())["robustness"] == found.summary()


def test_five_seeds_have_an_interval(whole: Path) -> None:
    found = Exploitation(whole, responses())
    one = {**found.rows[0], "gain_low": -1.0, "gain_high": 1.0}
    found.rows = [{**one, "seed": seed, "gain": 0.1 * seed} for seed in range(5)]
    row = found.summary()[0]
    expected = seeds_difference({seed: Difference(0.1 * seed, -1, 1, 60, 60) for seed in range(5)}, 9)
    assert (row["gain_low"], row["gain_high"]) == (expected.low, expected.high)
    assert "+20.0 (" in cells(row)[6]


@pytest.mark.parametrize(("at_seed", "at_steps"), [(0, ROLLOUT), (1, 0), (1, ROLLOUT)])
def test_the_same_command_resumes_where_it_stopped(whole: Path, tmp_path: Path, at_seed: int, at_steps: int) -> None:
    reached = 2 * ROLLOUT * at_seed + at_steps
    there = (f"seed {at_seed}", reached)
    played(Exploitation(tmp_path, responses()), lambda at: there[0] in at.what and at.done == there[1])
    found = Exploitation(tmp_path, responses())
    assert len(found.rows) == 2 * at_seed
    begun: list[Progress] = []
    found.run(begun.append)
    assert (begun[0].done, begun[0].total) == (reached, 4 * ROLLOUT)
    assert rows_of(tmp_path) == rows_of(whole)


def test_learners_whose_time_is_up_stop_and_resume_to_the_same_rows(whole: Path, tmp_path: Path) -> None:
    exploitation = Exploitation(tmp_path, responses())
    clock = iter([0.0, 1.0, 61.0])
    exploitation.run(budget=TimeBudget(1, lambda: next(clock, 61.0)))
    assert not exploitation.is_finished
    exploitation = Exploitation(tmp_path, responses())
    exploitation.run()
    assert exploitation.is_finished
    assert rows_of(tmp_path) == rows_of(whole)


def test_a_lineup_that_has_changed_is_refused(whole: Path, tmp_path: Path) -> None:
    frozen = tmp_path / "frozen.npz"
    frozen.write_bytes((whole / "wader" / "seed_0" / POLICY).read_bytes())
    config = responses(seeds=1)
    against: TrainingConfig = replace(config.training, opponents=({EVERYBODY: [str(frozen)]},), steps=ROLLOUT)
    config = replace(config, training=against)
    Exploitation(tmp_path / "out", config).run()
    frozen.write_bytes((whole / "wader" / "seed_1" / POLICY).read_bytes())
    with pytest.raises(OptionError, match=r"other settings \(policies\)"):
        Exploitation(tmp_path / "out", config)


@pytest.mark.parametrize("name", [CONFIG, ROWS, f"wader/seed_1/{CHECKPOINT}"])
def test_truncated_files_are_refused(whole: Path, tmp_path: Path, name: str) -> None:
    rows = rows_of(copied(whole, tmp_path))
    (tmp_path / ROWS).write_text(json.dumps({"rows": rows[:2]}))
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-50])
    with pytest.raises(OptionError, match=Path(name).name):
        Exploitation(tmp_path, responses()).run()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"roles": ("admiral",)}, "nobody is dealt the role 'admiral'; there are wader"),
        ({"roles": ()}, "roles must be"),
        ({"roles": ("wader", "wader")}, "roles must be"),
        ({"seeds": 0}, "seeds must be"),
        ({"games": 0}, "games must be"),
    ],
)
def test_impossible_settings_are_refused(tmp_path: Path, change: Any, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        Exploitation(tmp_path, responses(**change))
    assert not list(tmp_path.iterdir())


def test_a_learner_is_compared_with_the_agent_that_holds_its_role() -> None:
    game = find_game("riverbed_hunt")
    training = small(
        game=game.id,
        players=(4,),
        opponents=({"separatists": ["simple"], "chief": ["random"], EVERYBODY: ["rule_based"]},),
    )
    config = BestResponses(training, ("leader",))
    assert config.learner("leader", 3).reference == "simple"
    assert config.learner("chief", 3).reference == "random"
    assert config.learner("merchant", 3).reference == "rule_based"
    assert config.learner("leader", 3).seed == 3
