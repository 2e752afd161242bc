"""Training with claims: the reward for what they do to beliefs, and roles to predict; both are off by default."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from training.small_runs import ROLLOUT, small
from training.test_runs import assert_same_end, train

from riverbed_agents.riverbed_hunt.beliefs import believe
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy
from riverbed_env.registry import find_game
from riverbed_env.worlds import beliefs
from riverbed_lab.ppo import Learner

pytestmark = pytest.mark.compiled

HUNT = find_game("riverbed_hunt")
SILENT, ROLE, ACCUSE = HUNT.actions.id("SILENT"), HUNT.actions.id("ROLE", 0), HUNT.actions.id("CAMP", 1)


def talking(**changed: Any) -> Any:
    return small(
        **{
            "game": HUNT.id,
            "players": (5,),
            "options": {"talk": "claims"},
            "steps": 3 * ROLLOUT,
            "evaluate_every": 3 * ROLLOUT,
            "evaluation_games": 8,
            "checkpoint_every": 2 * ROLLOUT,
            **changed,
        }
    )


def hearing(**changed: Any) -> Any:
    return talking(**{"listening": 1.0, "features": (), "view": "now", **changed})


def one_way_or_another(part: LearnerBatch, step: int) -> np.ndarray:
    """The first or the last legal action in turn."""
    masks = part.action_mask
    return np.asarray(masks.argmax(axis=1) if step % 2 else masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


def test_a_claim_earns_what_it_does_to_beliefs_and_anything_else_nothing() -> None:
    options: dict[str, Any] = {"seed": 3, "role": "leader"}
    plain, half, whole = (Learner(talking(speaking=speaking, **options)) for speaking in (0.0, 1.0, 2.0))
    earned = []
    for _ in range(30):
        part = whole.batch
        roles = part.action_mask[:, ROLE : ROLE + 4]
        actions = np.where(roles.any(axis=1), ROLE + roles.argmax(axis=1), part.action_mask.argmax(axis=1))
        said = part.tables.batch.games["table"]["said_count"].copy()
        own, once, twice = (each.step(actions) for each in (plain, half, whole))
        np.testing.assert_array_equal(own, part.reward)
        np.testing.assert_allclose(twice - own, 2 * (once - own), atol=1e-6)
        earned.append(twice - own)
        assert not earned[-1][(part.tables.batch.games["table"]["said_count"] == said) & ~part.terminated].any()
    assert np.abs(earned).max() > 1e-3


@pytest.mark.parametrize(("role", "sign"), [("chief", 1), ("merchant", 1), ("leader", -1), ("profiteer", -1)])
def test_merchants_earn_what_helps_to_see_the_truth_and_the_others_what_hides_it(role: str, sign: int) -> None:
    games = Learner(talking(speaking=1.0, seed=3, role=role))
    part = games.batch
    while not part.action_mask[:, ACCUSE].all():
        games.step(np.where(part.action_mask[:, ACCUSE], SILENT, part.action_mask.argmax(axis=1)))
    games.step(np.full(8, ACCUSE))
    actions = one_way_or_another(part, 0)  # of whom: not of oneself
    batch = part.tables.batch.clone()
    given: list[list[list[float]]] = []
    while len(given) < 2:
        if given:
            batch.step(actions)
        posteriors = beliefs(HUNT, HUNT.deduction.public_views(batch.games), batch.params)
        roles = HUNT.roles_of(batch.games)
        given.append([[np.log(max(1e-6, row[it])) for row, it in zip(*each)] for each in zip(posteriors, roles)])
    change = np.mean(given[1], axis=1) - np.mean(given[0], axis=1)
    assert np.abs(change).max() > 1e-3
    np.testing.assert_allclose(games.step(actions) - part.reward, sign * change, atol=1e-5)


def test_targets_are_what_the_seat_can_conclude() -> None:
    learner = Learner(hearing(players=(5, 7), num_envs=6, batch_size=24))
    for step in range(40):
        learner.step(one_way_or_another(learner.batch, step))
    batch = learner.batch.tables.batch
    assert len(batch.params) == 2
    assert batch.games["table"]["said_count"].any()
    for view, params, target in zip(batch.look(batch.seat), batch.params[batch.which], learner.targets(), strict=True):
        posterior = np.zeros(target.shape)
        believe(view, params, posterior)
        np.testing.assert_allclose(target, 100 * posterior, atol=0.51)


def test_the_actor_gets_the_gradient_of_the_divergence_beside_the_rest() -> None:
    gradients = []
    for listening in (0.5, 1.0, 3.0):
        learner = Learner(hearing(listening=listening))
        batch = next(learner.collect(8).minibatches(64, np.random.default_rng(0)))
        loss, figures = learner.loss(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        gradients.append({name: each.grad for name, each in learner.network.named_parameters() if each.requires_grad})
    for name, plain in gradients[0].items():
        torch.testing.assert_close(
            gradients[2][name] - plain, 5 * (gradients[1][name] - plain), atol=1e-5, rtol=1e-3, msg=name
        )
    assert (gradients[1]["actor.rest.weight"] - gradients[0]["actor.rest.weight"]).abs().max() > 1e-5
    with torch.no_grad():  # a step down the divergence alone
        for name, each in learner.network.named_parameters():
            if each.requires_grad:
                each.sub_(0.01 * (gradients[2][name] - gradients[0][name]))
    assert learner.loss(batch)[1]["listening"] < figures["listening"]


@pytest.mark.slow
def test_the_divergence_falls_while_the_policy_learns() -> None:
    learner = Learner(hearing(num_envs=64, rollout_steps=16, batch_size=64, n_epochs=4))
    heard = [learner.update(learner.collect(16), 3e-3)["listening"] for _ in range(8)]
    assert heard[-1] < 0.7 * heard[0]


@pytest.mark.slow
@pytest.mark.parametrize(("speaking", "listening"), [(0.5, 0.0), (0.0, 1.0), (0.5, 1.0)])
def test_a_run_repeats_and_resumes_and_its_policy_needs_no_targets(
    speaking: float, listening: float, tmp_path: Path
) -> None:
    config = hearing(speaking=speaking, listening=listening)
    whole = train(tmp_path / "whole", config)
    train(tmp_path / "broken", config, until=2 * ROLLOUT)
    assert_same_end(whole.folder, train(tmp_path / "broken", None).folder)
    saved = load_policy(whole.folder / "policy.npz", HUNT)
    part = whole.learner.batch
    wanted = whole.learner.network(torch.from_numpy(whole.learner.seen())).detach()
    batch = part.tables.batch
    found = saved.logits(batch.observation, batch.action_mask, batch.agent_streams())
    legal = part.action_mask == 1
    np.testing.assert_allclose(found[legal], wanted[torch.from_numpy(legal)], rtol=1e-4, atol=1e-5)


def test_both_are_refused_where_they_make_no_sense() -> None:
    assert (talking().speaking, talking().listening) == (0, 0)
    elsewhere: dict[str, Any] = {"game": "ford_v0", "options": {}, "players": ()}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"speaking": 0.5, "options": {}}, "speaking needs"),
        ({"speaking": 0.5, **elsewhere}, "speaking needs"),
        ({"speaking": -1.0}, "speaking"),
        ({"listening": 0.5, **elsewhere}, "listening target needs a game whose roles"),
        ({"listening": 0.5, "features": ("outlook",)}, "features outlook give"),
        ({"listening": 0.5, "pieces": ("question",)}, "pieces that describe seats"),
        ({"listening": -1.0}, "listening"),
    ]
    for changed, why in wrong:
        with pytest.raises(OptionError, match=why):
            talking(**changed)
