"""The study of learning: runs of `riverbed exploit` become results, and the committed tables are current."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from training.small_runs import ROLLOUT, small

from riverbed_env.errors import OptionError
from riverbed_lab.league.best_response import BestResponses, Exploitation
from studies.learning import __main__ as page
from studies.learning import results as learning
from studies.learning.curves import draw_curves, over_seeds

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

STUDY = BestResponses(small(steps=4 * ROLLOUT), ("wader",), seeds=5, games=60)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the result of one learner of the toy game."""
    folder = tmp_path_factory.mktemp("study")
    exploitation = Exploitation(folder / "runs", BestResponses(STUDY.training, STUDY.roles, seeds=1, games=60))
    exploitation.run()
    assert [path.name for path in learning.collect(exploitation.config, folder / "runs", folder)] == [
        "wader_seed_0.json"
    ]
    return folder


@pytest.fixture
def folder(done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of five results: the one learner's, each a point better than the one before."""
    monkeypatch.setattr(page, "load_study", lambda folder: STUDY)
    first = json.loads((done / "wader_seed_0.json").read_text())
    for seed in STUDY.all_seeds():
        changed: dict[str, Any] = {
            name: [{**row, "gain": 0.01 * seed} for row in first[name]] for name in ("curve", "final")
        }
        changed["final"] = [{**row, "seed": seed} for row in changed["final"]]
        settings = {**first["settings"], "seed": seed}
        text = json.dumps({**first, **changed, "seed": seed, "settings": settings})
        (tmp_path / f"wader_seed_{seed}.json").write_text(text)
    return tmp_path


def test_a_result_holds_curve_gains_and_settings(done: Path) -> None:
    (result,) = learning.load_results(STUDY, done)
    assert (result.role, result.seed, result.deals) == ("wader", 0, 60)
    assert [row.steps for row in result.curve] == [0, 2 * ROLLOUT, 4 * ROLLOUT]
    assert [(row.mode, row.games) for row in result.final] == [("sampled", 60), ("greedy", 60)]
    assert result.settings == STUDY.learner("wader", 0).plain()


def test_the_tables_say_what_the_results_hold(folder: Path) -> None:
    said = page.all_texts(folder, None)[folder / page.TABLES]
    row = next(line for line in said.splitlines() if line.startswith("| wader | 3 | greedy |"))
    assert re.search(r"\| \+2\.0 \(\+\d\.\d to \+\d\.\d\) \| 5 \|$", row)
    assert all(f"| {seed:+.1f} (" in said for seed in range(5))


def test_curves_are_means_over_seeds_with_an_interval_from_five_on(folder: Path) -> None:
    results = learning.load_results(STUDY, folder)
    found = over_seeds(results)
    assert [steps for steps, _ in found] == [0, 2 * ROLLOUT, 4 * ROLLOUT]
    assert all(mean.value == pytest.approx(0.02) and mean.low < 0.02 < mean.high for _, mean in found)
    assert "95 % interval" in draw_curves(STUDY, results)
    assert "95 % interval" not in draw_curves(STUDY, results[:4])


def test_results_of_another_study_are_refused(folder: Path) -> None:
    other = BestResponses(small(steps=4 * ROLLOUT, learning_rate=0.5), ("wader",), seeds=5, games=60)
    with pytest.raises(OptionError, match="of another study: learning_rate differ"):
        learning.load_results(other, folder)
    with pytest.raises(OptionError, match="of another study: deals differ"):
        learning.load_results(BestResponses(STUDY.training, ("wader",), seeds=5, games=50), folder)


def test_the_committed_tables_curves_and_page_are_those_of_the_committed_results() -> None:
    for path, text in page.all_texts(page.FOLDER, page.PAGE).items():
        assert path.read_text(encoding="utf-8") == text, f"{path} isn't current: write it with '{page.COMMAND}'"
