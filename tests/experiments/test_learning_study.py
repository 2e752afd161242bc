"""The study of learning: goes on where it stopped, keeps what belongs to it, and its committed tables are current."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from training.small_runs import ROLLOUT, small

from riverbed_env.errors import OptionError
from riverbed_lab.training.run import POLICY, Progress
from studies.learning import command
from studies.learning.curves import draw_curves, over_seeds
from studies.learning.page import BEGIN, CURVES, END, TABLES, all_texts, write_all
from studies.learning.results import file_name, load_results
from studies.learning.run import Runs
from studies.learning.study import STUDY, Study, load_study

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

SETTINGS = ("game", "opponents", "steps", "num_envs", "rollout_steps", "batch_size", "n_epochs", "view", "widths")
MORE = ("object_width", "evaluate_every", "evaluation_games", "checkpoint_every")


def study_file(folder: Path, training: dict[str, Any] | None = None, **changed: Any) -> Path:
    """A study of the toy game's only role that takes a second a learner."""
    plain = small(steps=4 * ROLLOUT).plain()
    settings = {**{name: plain[name] for name in (*SETTINGS, *MORE)}, **(training or {})}
    content = {"format": 1, "roles": ["wader"], "seeds": [0, 1], "games": 60, "training": settings, "by_role": {}}
    folder.mkdir(exist_ok=True)
    path = folder / STUDY
    path.write_text(json.dumps({**content, **changed}))
    return path


class BrokenOffError(Exception):
    """The test's own way to stop."""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small study's results; its runs are in `runs` beside them."""
    folder = tmp_path_factory.mktemp("study")
    runs = Runs(load_study(study_file(folder)), folder / "runs", folder)
    for role, seed in runs.todo(("wader",), (0, 1)):
        runs.run(role, seed)
    return folder


def copied(done: Path, folder: Path, seeds: range = range(2), **changed: Any) -> Study:
    """A folder with the first learner's result as that of several seeds, each a point better than the one before."""
    study = load_study(study_file(folder, seeds=list(seeds), **changed))
    first = json.loads((done / file_name("wader", 0)).read_text())
    for seed in seeds:
        curve = [{**row, "gain": 0.01 * seed} for row in first["curve"]]
        final = [{**row, "seed": seed, "gain": 0.01 * seed} for row in first["final"]]
        mine = {**first, "seed": seed, "settings": {**first["settings"], "seed": seed}, "curve": curve, "final": final}
        (folder / file_name("wader", seed)).write_text(json.dumps(mine))
    return study


def test_a_result_holds_curve_gains_and_what_repeats_it(done: Path) -> None:
    study = load_study(done / STUDY)
    first, second = load_results(done, study)
    assert (first.role, first.seed, second.seed, first.deals) == ("wader", 0, 1, 60)
    assert [row["steps"] for row in first.curve] == [0, 2 * ROLLOUT, 4 * ROLLOUT]
    assert [(row["mode"], row["games"]) for row in first.final] == [("sampled", 60), ("greedy", 60)]
    assert first.settings == study.learner("wader", 0).plain()
    policies = [(done / "runs" / "wader" / f"seed_{seed}" / POLICY).read_bytes() for seed in (0, 1)]
    assert policies[0] != policies[1]
    for row in (*first.curve, *first.final):
        assert row["gain_low"] <= row["gain"] <= row["gain_high"]


def test_a_learner_goes_on_where_it_stopped_and_none_is_trained_twice(done: Path, tmp_path: Path) -> None:
    def watch(role: str, seed: int, progress: Progress | None) -> None:
        if progress is not None and progress.steps == 2 * ROLLOUT:
            raise BrokenOffError

    study = load_study(study_file(tmp_path))
    runs = Runs(study, tmp_path / "runs", tmp_path)
    with pytest.raises(BrokenOffError):
        runs.run("wader", 1, watch)
    assert not load_results(tmp_path, study)
    begun: list[int] = []
    runs.run("wader", 1, lambda role, seed, progress: begun.append(progress.steps if progress else -1))
    assert begun[0] == 2 * ROLLOUT
    again, whole = (json.loads((place / file_name("wader", 1)).read_text()) for place in (tmp_path, done))
    for result in (again, whole):
        assert result.pop("processor_seconds") > 0
        for row in (result, *result["curve"]):
            del row["seconds"]
    assert again == whole
    assert Runs(study, tmp_path / "runs", tmp_path).todo(("wader",), (0, 1)) == [("wader", 0)]


def test_the_tables_say_what_the_results_hold(done: Path, tmp_path: Path) -> None:
    copied(done, tmp_path, range(5))
    page = tmp_path / "page.md"
    page.write_text(f"# Mine\n\n{BEGIN}\nold\n{END}\n\nkept\n")
    assert write_all(tmp_path, page) == [tmp_path / TABLES, tmp_path / CURVES, page]
    said = page.read_text()
    assert said.startswith("# Mine\n")
    assert said.endswith(f"{END}\n\nkept\n")
    assert "old" not in said
    row = next(line for line in said.splitlines() if line.startswith("| wader | 3 | greedy |"))
    assert re.search(r"\| \+2\.0 \(\+\d\.\d to \+\d\.\d\) \| 5 \|$", row)
    assert all(f"| {0.01 * 100 * seed:+.1f} (" in said for seed in range(5))
    assert f"![What a learner gains in one seat of each role, by the decisions it learnt from]({CURVES})" in said
    write_all(tmp_path, page)
    assert page.read_text() == said


def test_curves_are_means_over_seeds_with_an_interval_from_five_on(done: Path, tmp_path: Path) -> None:
    study = copied(done, tmp_path, range(5))
    results = load_results(tmp_path, study)
    found = over_seeds(results)
    assert [steps for steps, _ in found] == [0, 2 * ROLLOUT, 4 * ROLLOUT]
    assert all(mean.value == pytest.approx(0.02) and mean.low < 0.02 < mean.high for _, mean in found)
    assert all((mean.low, mean.high) == (-1.0, 1.0) for _, mean in over_seeds(results[:4]))
    drawn = draw_curves(study, results)
    for words in ("wader", "random", "mean of 5", "95 % interval", "40 common deals"):
        assert words in drawn
    assert "95 % interval" not in draw_curves(study, results[:4])


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        ({"format": 2}, "it reads format 1"),
        ({"seed": 1}, "it is of wader, seed 1"),
        ({"environment": "ford_v1"}, "it is of ford_v1, the study of ford_v0"),
        ({"deals": 50}, "measured on 50 deals, the study says 60"),
        ({"final": []}, "final rows"),
        ({"curve": [{"steps": 0}]}, "curve 0"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_results_that_are_not_the_studys_are_refused(
    done: Path, tmp_path: Path, spoil: dict[str, Any], complaint: str
) -> None:
    study = copied(done, tmp_path)
    path = tmp_path / file_name("wader", 0)
    path.write_text(json.dumps({**json.loads(path.read_text()), **spoil}))
    with pytest.raises(OptionError, match=rf"{path.name} can't be used: .*{complaint}.*; delete it"):
        load_results(tmp_path, study)
    path.write_text(path.read_text()[:-20])
    with pytest.raises(OptionError, match="can't be used"):
        load_results(tmp_path, study)


def test_a_study_that_has_changed_refuses_its_old_results(done: Path, tmp_path: Path) -> None:
    copied(done, tmp_path)
    changed = load_study(study_file(tmp_path, {"learning_rate": 0.5}))
    with pytest.raises(OptionError, match="the study has changed since: learning_rate"):
        Runs(changed, tmp_path / "runs", tmp_path)
    by_role = load_study(study_file(tmp_path, by_role={"wader": {"gamma": 0.9}}))
    with pytest.raises(OptionError, match="the study has changed since: gamma"):
        load_results(tmp_path, by_role)
    load_results(tmp_path, load_study(study_file(tmp_path, {"threads": 2})))  # which results don't hang on
    fewer = load_study(study_file(tmp_path, seeds=[0]))
    with pytest.raises(OptionError, match=r"aren't the study's: wader_seed_1\.json"):
        load_results(tmp_path, fewer)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": 2}, "format 1"),
        ({"roles": []}, "roles must be"),
        ({"roles": ["admiral"]}, "no role 'admiral'"),
        ({"seeds": [0, 2]}, "whole numbers in a row"),
        ({"seeds": []}, "holds no study"),
        ({"games": 0}, "games must be"),
        ({"training": {"speed": 3}}, "no setting speed"),
        ({"training": {"role": "wader"}}, "no setting role"),
        ({"by_role": {"admiral": {"steps": 5}}}, "admiral, not among"),
        ({"by_role": {"wader": {"speed": 5}}}, "no setting speed"),
        ({"more": 1}, "it must hold"),
    ],
)
def test_impossible_studies_are_refused(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        load_study(study_file(tmp_path, **change))


def test_the_command_does_a_part_and_writes_the_tables(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study_file(tmp_path)
    out = tmp_path / "runs"
    command.main(only="wader", seeds="1", train=True, folder=tmp_path, out=out)
    assert {path.name for path in tmp_path.iterdir()} == {STUDY, file_name("wader", 1), TABLES, CURVES, "runs"}
    assert {path.name for path in (out / "wader").iterdir()} == {"seed_1"}
    for words in ({"only": "admiral"}, {"seeds": "7"}, {"seeds": "x"}, {"seeds": "1-0"}):
        with pytest.raises(OptionError, match=f"--{next(iter(words))}"):
            command.main(**{"only": None, "seeds": None, "train": False, "folder": tmp_path, "out": out, **words})
    capsys.readouterr()


def test_the_committed_tables_curves_and_page_are_those_of_the_committed_results() -> None:
    for path, text in all_texts(command.FOLDER, command.PAGE).items():
        name = path.relative_to(command.ROOT)
        write = "write it with 'python experiments/studies learning --no-train'"
        assert path.is_file(), f"{name} is missing: {write}"
        current = path.read_text(encoding="utf-8") == text
        assert current, (
            f"{name} isn't what the results say: write it with 'python experiments/studies learning --no-train'"
        )
