"""The native TorchRL environment: TorchRL's own checks pass, and each agent's turns follow one another rightly."""

from typing import Any

import numpy as np
import pytest
import torch
from tensordict import TensorDictBase
from torchrl.collectors import Collector
from torchrl.envs import SerialEnv, TransformedEnv
from torchrl.envs.transforms import StepCounter
from torchrl.envs.utils import check_env_specs
from torchrl.modules import RandomPolicy, ValueOperator
from torchrl.objectives.value import GAE

from riverbed_env import make_batch
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.integrations.torchrl import RiverbedEnv, own_turns, random_legal
from studies.doors import wrapped

LAYOUTS: list[dict[str, Any]] = [
    {},
    {"num_players": (4, 9), "return_state": True},
]


def hunt(num_envs: int = 6, **options: Any) -> RiverbedEnv:
    return RiverbedEnv("riverbed_hunt", num_envs, **{"seed": 1, "view": "now", **options})


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_torchrl_finds_specs_and_data_alike(layout: dict[str, Any]) -> None:
    check_env_specs(hunt(**layout), seed=0, break_when_any_done="both")


@pytest.mark.parametrize("game", ["deep_river", "river_rats", "riverside"])
def test_every_game_is_an_environment(game: str) -> None:
    check_env_specs(RiverbedEnv(game, 3), seed=0, break_when_any_done="both")


def test_the_same_seed_plays_the_same_rollout_and_lanes_play_numbered_games() -> None:
    env = hunt()
    first, second = (each.rollout(150, break_when_any_done=False) for each in (env, hunt()))
    assert (first["observation"] == second["observation"]).all()
    env.set_seed(7)
    again = env.reset()
    batch = make_batch("riverbed_hunt", 6, seed=7, view="now")
    np.testing.assert_array_equal(again["observation"].numpy(), batch.observation)
    np.testing.assert_array_equal(again["action_mask"].numpy(), batch.action_mask)


def test_the_masks_of_the_action_spec_are_those_of_the_state() -> None:
    env = hunt(64)
    now = env.reset()
    for _ in range(30):
        now = env.step_mdp(env.step(now.update(env.full_action_spec.rand())))


def test_what_copies_the_action_spec_plays_legally() -> None:
    transformed = TransformedEnv(hunt(), StepCounter())
    assert transformed.rollout(60, break_when_any_done=False).shape == (6, 60)
    env = hunt()
    collector = Collector(env, RandomPolicy(env.full_action_spec), frames_per_batch=60, total_frames=120)
    assert sum(batch.numel() for batch in collector) == 120
    collector.shutdown()


def test_random_legal_plays_where_specs_have_lost_their_masks() -> None:
    assert SerialEnv(2, hunt).rollout(60, random_legal, break_when_any_done=False).shape == (2, 6, 60)
    wrapped_env = TransformedEnv(wrapped("deep_river_v0"), StepCounter())
    assert wrapped_env.rollout(20, random_legal, break_when_any_done=False).shape == (20,)  # a short game may end


def test_an_illegal_action_is_refused_in_words() -> None:
    env = hunt()
    now = env.reset()
    wrong = (~now["action_mask"]).int().argmax(1)
    with pytest.raises(IllegalActionError, match=r"can't take action"):
        env.step(now.set("action", wrong))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": ()}, "num_players"),
        ({"num_players": 3}, "num_players"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        hunt(**{"num_envs": 5, **options})


# --- an agent's own turns ---------------------------------------------------------------------------------------------


def chains(rollout: TensorDictBase) -> list[tuple[int, int, list[int], float | None]]:
    """Turn by turn in Python: lane, seat, the steps of a seat's turns in one game, and its return (None if cut)."""
    found: list[tuple[int, int, list[int], float | None]] = []
    for lane in range(rollout.shape[0]):
        start = 0
        over = rollout["next", "done"][lane, :, 0].tolist()
        ends = [step for step, done in enumerate(over) if done]
        for end in [*ends, None]:
            steps = range(start, rollout.shape[1] if end is None else end + 1)
            for seat in range(rollout["next", "returns"].shape[-1]):
                turns = [step for step in steps if int(rollout["seat"][lane, step, 0]) == seat]
                paid = None if end is None else float(rollout["next", "returns"][lane, end, seat])
                if turns:
                    found.append((lane, seat, turns, paid))
            start = start if end is None else end + 1
    return sorted(found, key=lambda chain: (chain[0], chain[1], chain[2]))


@pytest.fixture(scope="module")
def rollout() -> TensorDictBase:
    return hunt(8, num_players=(4, 7)).rollout(260, break_when_any_done=False)


def test_a_seats_turns_lead_to_its_own_next_turns(rollout: TensorDictBase) -> None:
    regrouped = own_turns(rollout)
    place = 0
    for lane, _, turns, paid in chains(rollout):
        for step, following in zip(turns, [*turns[1:], None]):
            if following is None and paid is None:
                continue  # the rollout cuts the game: there is no next turn
            row = regrouped[place]
            place += 1
            shown = rollout["observation"][lane, step if following is None else following]
            assert (row["observation"] == rollout["observation"][lane, step]).all()
            assert (row["next", "observation"] == shown).all()
            assert float(row["next", "reward"]) == (paid if following is None else 0)
            assert bool(row["next", "terminated"]) == (following is None)
            assert bool(row["next", "truncated"]) == (paid is None and following == turns[-1])
    assert place == len(regrouped)
    assert regrouped["next", "terminated"].sum() > 20


def test_values_of_a_finished_game_are_what_it_pays_to_the_agent(rollout: TensorDictBase) -> None:
    regrouped = own_turns(rollout)
    regrouped.set("seen", torch.zeros(len(regrouped), 1))
    regrouped.set(("next", "seen"), torch.zeros(len(regrouped), 1))
    estimator = GAE(gamma=1.0, lmbda=1.0, value_network=ValueOperator(Nothing(), in_keys=["seen"]))
    targets = estimator(regrouped)["value_target"][:, 0].tolist()
    wanted = [
        0.0 if paid is None else paid
        for _, _, turns, paid in chains(rollout)
        for _ in range(len(turns) - (paid is None))
    ]
    assert targets == pytest.approx(wanted)
    assert {-1.0, 0.0, 1.0} >= {*wanted}


class Nothing(torch.nn.Module):
    """A critic that expects nothing."""

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(seen)


def test_a_collector_gathers_whole_games_lane_by_lane() -> None:
    env = hunt(8)
    collector = Collector(env, env.rand_action, frames_per_batch=8 * 100, total_frames=8 * 200, postproc=own_turns)
    batches = list(collector)
    collector.shutdown()
    assert len(batches) == 2
    for batch in batches:
        paid = batch["next", "reward"][batch["next", "terminated"]]
        assert {-1.0, 1.0} >= {*paid.tolist()}
        assert batch["next", "terminated"].any()
