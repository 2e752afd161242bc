"""The study of the labels' bias."""

from __future__ import annotations

from pathlib import Path

import pytest

from riverbed_lab.distil.config import build_distillation
from riverbed_lab.distil.student import Student
from studies.label_bias import biases, measure

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def test_worths_by_who_wins_are_whole_games_in_true_states() -> None:
    tried = measure("", "merchant", 5, 40, worlds=0, threads=1, seed=1)
    assert set(tried.by_winner) == {-100.0, 0.0, 100.0}
    assert len(set(tried.by_judge)) > 100
    assert (tried.action != tried.usual).all()
    assert set(tried.game) == set(range(40))
    assert 0 < tried.taken.sum() < len(tried.taken) / 5


def test_the_bias_is_what_labels_say_less_who_wins() -> None:
    tried = measure("", "profiteer", 5, 60, worlds=2, threads=1, seed=1)
    found = list(biases(tried))
    of_all, of_student = found[-2:]
    assert of_all.bias.value == pytest.approx(tried.by_judge.mean() - tried.by_winner.mean())
    assert of_all.bias.count == len(tried.action)
    assert of_student.bias.count == tried.taken.sum()
    assert of_student.by_judge.value == pytest.approx(tried.by_judge[tried.taken].mean())
    assert [each.bias.count for each in found[:-2]] == sorted((each.bias.count for each in found[:-2]), reverse=True)
    assert len(found) > 4


def test_an_untrained_student_takes_the_rule_based_actions(tmp_path: Path) -> None:
    config = build_distillation({"players": [5], "role": "merchant"}, "a test")
    Student(config).save(tmp_path / "untrained.npz", (), 0)
    tried = measure(str(tmp_path / "untrained.npz"), "merchant", 5, 20, worlds=0, threads=1, seed=1)
    assert not tried.taken.any()
    assert len(tried.action) > 0
