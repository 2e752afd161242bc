"""The student's network: it plays as it was fitted, compiled code agrees, each question has its own scores."""

from pathlib import Path

import numpy as np
import pytest
import torch

from riverbed_env.errors import OptionError
from riverbed_env.players.action_entities import objects_of
from riverbed_env.players.policies import SavedPolicy, load_policy
from riverbed_env.registry import find_game
from riverbed_env.rollouts.networks import PLAYED_AT
from riverbed_lab.distil.config import DistilConfig, build_distillation
from riverbed_lab.distil.student import UNIT, Student, StudentOptimizer, student_inputs

HUNT = find_game("riverbed_hunt")
ROWS = 50


@pytest.fixture(scope="module")
def config() -> DistilConfig:
    return build_distillation({"game": HUNT.id, "margin": 0.0}, "the test")


@pytest.fixture(scope="module")
def student(config: DistilConfig) -> Student:
    made = Student(config)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    made.trust.zero_()
    return made


@pytest.fixture(scope="module")
def policy(student: Student, tmp_path_factory: pytest.TempPathFactory) -> SavedPolicy:
    path = tmp_path_factory.mktemp("student") / "policy.npz"
    student.save(path, ("pack",), 7)
    return load_policy(path, HUNT)


def some_inputs(policy: SavedPolicy) -> np.ndarray:
    """Inputs as they come: mostly 0, one question each."""
    rng = np.random.default_rng(2)
    shape = (ROWS, policy.network.sizes[0])
    inputs = (rng.integers(-3, 10, shape) * (rng.random(shape) < 0.2)).astype(np.int8)
    asked = HUNT.observation.slices["question"]
    inputs[:, asked] = np.eye(asked.stop - asked.start, dtype=np.int8)[rng.integers(0, asked.stop - asked.start, ROWS)]
    return inputs


def test_a_student_is_fitted_on_its_networks_device(config: DistilConfig) -> None:
    elsewhere = torch.device("meta")  # computes nothing, and refuses what is on another device
    made = Student(config).to(elsewhere)
    optimizer = StudentOptimizer(made, 0.1)
    inputs = torch.zeros((ROWS, len(student_inputs(config).columns)), dtype=torch.int8, device=elsewhere)
    loss = made.loss(inputs, torch.zeros((ROWS, HUNT.actions.size), device=elsewhere))
    optimizer.step(loss, 1.0)
    assert loss.device == elsewhere
    assert {each.grad.device for each in made.parameters() if each.grad is not None} == {elsewhere}
    assert made.heads.device == elsewhere


def test_a_saved_student_is_the_one_that_was_fitted(student: Student, policy: SavedPolicy) -> None:
    inputs = some_inputs(policy)
    columns = torch.from_numpy(inputs[:, student_inputs(student.config).columns])
    points = UNIT * student(columns).detach().numpy()
    np.testing.assert_allclose(PLAYED_AT * policy.network.logits(inputs.astype(np.float32)), points, atol=2e-3)


def test_illegal_actions_change_nothing_and_are_0(policy: SavedPolicy) -> None:
    inputs = some_inputs(policy)
    wanted = policy.network.logits(inputs)
    masks = (np.random.default_rng(3).random(wanted.shape) < 0.3).astype(np.int8)
    np.testing.assert_array_equal(policy.network.logits(inputs, masks), wanted * masks)


def test_each_question_has_scores_of_its_own(student: Student, policy: SavedPolicy, tmp_path: Path) -> None:
    inputs = some_inputs(policy).astype(np.float32)
    asked = inputs[:, HUNT.observation.slices["question"]].argmax(axis=1)
    before = policy.network.logits(inputs)
    arrays = student.arrays()
    for name in arrays:
        if name.startswith("scores.named"):
            arrays[name][asked[0]] += 1.0
    changed = type(policy.network)(
        *(policy.network.objects, arrays, policy.network.inputs, policy.network.heads)  # type: ignore[attr-defined]
    ).logits(inputs)
    moved = (np.abs(changed - before) > 1e-3).any(axis=1)
    np.testing.assert_array_equal(moved, asked == asked[0])


def test_the_margin_counts_for_the_advised_action_alone(config: DistilConfig, tmp_path: Path) -> None:
    student = Student(build_distillation({"game": HUNT.id, "margin": 0.7}, "the test"))
    np.testing.assert_allclose(student.arrays()["scores.trust"] * PLAYED_AT, 0.7, rtol=1e-5)
    assert not student.trust.any()  # it isn't fitted to


def test_the_piece_of_heads_must_be_given() -> None:
    for heads, complaint in (("weather", "has no piece 'weather'"), ("question", "must be among the pieces")):
        with pytest.raises(OptionError, match=complaint):
            build_distillation({"game": HUNT.id, "heads": heads, "pieces": ["own_hand"]}, "the test")


def test_seats_and_spaces_are_related_by_who_stands_where_and_has_seen_what() -> None:
    objects = objects_of(HUNT, "history", (), secrets=False, related=True)
    kinds = [kind.block for kind in objects.kinds]
    relations = {tuple(relation.columns.ravel()): relation.kinds for relation in objects.relations}
    for piece in ("positions", "seen"):
        columns = HUNT.observation.slices[piece]
        assert relations.pop(tuple(range(columns.start, columns.stop))) == (kinds.index("SEAT"), kinds.index("SPACE"))
    assert not relations
    assert not objects_of(HUNT, "history", (), secrets=False).relations
