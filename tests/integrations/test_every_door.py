"""What every door promises: it refuses what isn't legal, names the option that was meant, and lends nothing."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pyspiel
import pytest
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.envs.utils import check_env_specs

import riverbed_env.integrations.openspiel  # noqa: F401  # registers the games
from riverbed_env import make_batch, riverbed_hunt_v1, riverside_v0
from riverbed_env.core.game import rows_of
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.envs.learner_vector import LearnerVectorEnv
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.errors import IllegalActionError, OptionError, RiverbedError
from riverbed_env.integrations.torchrl import RiverbedEnv
from riverbed_env.players.features import feature_names, find_feature_set, find_feature_sets, find_state_features
from riverbed_env.players.installed import agent_parameters, list_agents, usual_agent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.rollouts.hooks import find_hooks

HUNT = "riverbed_hunt_v1"
ID = "riverbed_env:riverbed/Hunt-v1"

# --- actions ----------------------------------------------------------------------------------------------------------

Step = Callable[[Any], object]  # takes an action, or what isn't one
Seen = Callable[[], object]  # what must not change


def turns() -> tuple[Step, Seen]:
    env = riverbed_hunt_v1.env()
    env.reset(seed=0)
    return env.step, env.get_state


def at_once() -> tuple[Step, Seen]:
    env = riverside_v0.parallel_env(num_players=3)
    env.reset(seed=0)
    return lambda action: env.step(dict.fromkeys(env.agents, action)), env.get_state


def one_learner() -> tuple[Step, Seen]:
    env = gymnasium.make(ID).unwrapped
    env.reset(seed=0)
    return env.step, env.learner.get_state  # type: ignore[attr-defined]


def openspiel() -> tuple[Step, Seen]:
    state = pyspiel.load_game("riverbed_hunt").new_initial_state()
    state.apply_action(0)
    return state._apply_action, lambda: state.position.games.tobytes()  # noqa: PLW0108  # later


def rllib() -> tuple[Step, Seen]:
    from riverbed_env.integrations.rllib.env import RiverbedMultiAgentEnv

    env = RiverbedMultiAgentEnv({"seed": 0})
    (agent,) = env.reset()[0]
    return lambda action: env.step({agent: action}), env._game.get_state


ONE_ACTION = [turns, at_once, one_learner, openspiel, rllib]


@pytest.mark.parametrize(
    ("door", "action"),
    [
        (door, action)
        for door in ONE_ACTION
        for action in (1.5, np.float64(1), "1", None, [1, [2]], [1, 2], 10**6, -1, 0)
        if door is not openspiel or isinstance(action, int)  # OpenSpiel itself takes integers alone
    ],
)
def test_what_is_no_legal_action_is_refused_with_nothing_changed(door: Any, action: Any) -> None:
    step, seen = door()
    before = seen()
    with pytest.raises(IllegalActionError):
        step(action)
    np.testing.assert_equal(seen(), before)


def batch() -> tuple[Step, Seen]:
    games = make_batch(HUNT, 2, seed=0)
    return games.step, games.get_state


def mixed_batch() -> tuple[Step, Seen]:
    games = make_batch(HUNT, 2, num_players=(5, 7), seed=0)
    return games.step, games.get_state


def vector() -> tuple[Step, Seen]:
    env = LearnerVectorEnv(HUNT, 2, seed=0)
    return env.step, env.learner.get_state


def stable_baselines(**options: Any) -> tuple[Step, Seen]:
    env = LearnerVecEnv(HUNT, 2, seed=0, **options)
    env.reset()
    return env.step, env.learner.get_state


def mixed_stable_baselines() -> tuple[Step, Seen]:
    return stable_baselines(num_players=[5, 7])


def torchrl() -> tuple[Step, Seen]:
    env = RiverbedEnv(HUNT, 2, num_players=(5, 7), seed=0)
    data = env.reset()

    def step(actions: Any) -> object:
        try:
            given = torch.as_tensor(actions)
        except (TypeError, ValueError) as error:  # lists of several lengths, words
            raise IllegalActionError("no tensor") from error
        return env._step(data.clone().set("action", given) if len(given) == 2 else {"action": given})

    return step, env.batch.get_state


ROWS = [batch, mixed_batch, vector, stable_baselines, mixed_stable_baselines, torchrl]


@pytest.mark.parametrize("door", ROWS)
@pytest.mark.parametrize(
    "actions", [[[1], [1, 2]], [[1, 1]], [1.5, 1.5], ["1", "1"], [10**6, 10**6], [-1, -1], [0, 0]], ids=str
)
def test_what_is_no_row_of_legal_actions_is_refused_with_nothing_changed(door: Any, actions: Any) -> None:
    step, seen = door()
    before = seen()
    with pytest.raises(IllegalActionError):
        step(actions)
    np.testing.assert_equal(seen(), before)


@pytest.mark.parametrize("door", [mixed_batch, mixed_stable_baselines, torchrl])
def test_no_game_moves_where_another_is_refused(door: Any) -> None:
    step, seen = door()
    before = seen()
    legal = int(np.flatnonzero(make_batch(HUNT, 1, num_players=5, seed=0).action_mask[0])[0])
    with pytest.raises(IllegalActionError):
        step([legal, 0])
    np.testing.assert_equal(seen(), before)


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "wrong", "meant", "listed"),
    [
        (lambda **given: make_batch(HUNT, 2, **given), "seeds", "seed",
         "threads first_game auto_reset view rewards layout"),
        (lambda **given: LearnerVecEnv(HUNT, 2, **given), "rol", "role",
         "opponents view features rewards seed talk"),
        (lambda **given: LearnerVecEnv(HUNT, 2, **given), "opponent", "opponents", "role"),
        (lambda **given: LearnerVectorEnv(HUNT, 2, **given), "opponent", "opponents", "dtype mask_in role"),
        (lambda **given: gymnasium.make(ID, **given), "opponent", "opponents", "role mask_in render_mode features"),
        (lambda **given: gymnasium.make_vec(ID, 2, vectorization_mode="vector_entry_point", **given), "rol", "role",
         "opponents"),
        (lambda **given: RiverbedEnv(HUNT, 2, **given), "return_stat", "return_state", "columns view rewards pack"),
        (riverbed_hunt_v1.env, "reward", "rewards", "mask_in render_mode view"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_answered_from_the_real_signature(make: Any, wrong: str, meant: str, listed: str) -> None:
    with pytest.raises(OptionError, match=f"no option '{wrong}' .did you mean '{meant}'") as refused:
        make(**{wrong: 1})
    options = str(refused.value).partition("it has ")[2].split(", ")
    assert {meant, *listed.split()} <= {*options}
    assert len(options) == len({*options})


@pytest.mark.parametrize(
    ("make", "fixed"),
    [
        (lambda **given: LearnerVecEnv(HUNT, 2, **given), "auto_reset"),
        (lambda **given: gymnasium.make(ID, **given), "autoreset"),
        (lambda **given: LearnerVectorEnv(HUNT, 2, **given), "autoreset"),
    ],
)
def test_what_a_door_sets_itself_is_no_option_of_it(make: Any, fixed: str) -> None:
    with pytest.raises(OptionError, match=f"no option '{fixed}'"):
        make(**{fixed: True})


@pytest.mark.parametrize("game", [HUNT, "riverbed_hunt", find_game(HUNT)], ids=["id", "name", "game"])
def test_what_finds_by_a_game_takes_the_game_or_its_name(game: Any) -> None:
    assert find_game(game) is find_game(HUNT)
    assert make_batch(game, 1).game is find_game(HUNT)
    assert find_feature_set("outlook", game).name == "outlook"
    assert [each.name for each in find_feature_sets(["camps", "outlook"], game)] == feature_names(game)
    assert find_state_features(game).name == "standings"
    assert find_agent("simple", game).name == usual_agent(game) == "simple"
    assert "noisy" in list_agents(game)
    assert agent_parameters("noisy", game) == {"one_in": 20}
    assert find_hooks(game) is find_hooks(HUNT)
    with pytest.raises(RiverbedError, match=r"riverbed_hunt.* has no agent 'smple' .did you mean 'simple'"):
        find_agent("smple", game)


# --- what is handed out ---------------------------------------------------------------------------------------------

Handed = Iterator[Any]  # what a game hands out at each step; the next action is chosen before it is yielded
STEPS = 40


def parts(handed: Any) -> Iterator[Any]:
    """All that it holds, itself too; without the seconds of Stable-Baselines3's episodes."""
    yield handed
    inner: list[Any] = []
    if isinstance(handed, Mapping | TensorDictBase):
        inner = [part for key, value in handed.items() if key != "t" for part in (key, value)]
    elif isinstance(handed, list | tuple) or (isinstance(handed, np.ndarray) and handed.dtype.hasobject):
        inner = list(handed)
    for each in inner:
        yield from parts(each)


def arrays(handed: Any) -> list[npt.NDArray[Any]]:
    """All arrays in it."""
    found = (part.numpy() if isinstance(part, torch.Tensor) else part for part in parts(handed))
    return [part for part in found if isinstance(part, np.ndarray) and not part.dtype.hasobject]


def content(handed: Any) -> list[Any]:
    """All plain values and arrays in it."""
    return [
        *arrays(handed),
        *(part for part in parts(handed) if isinstance(part, str | float | int | np.generic | None)),
    ]


def scribble(handed: Any) -> None:
    """Overwrite all that can be written."""
    for part in list(parts(handed)):
        if isinstance(part, dict):
            part["note"] = 1
        elif isinstance(part, list):
            part.append(1)
        elif isinstance(part, np.ndarray | torch.Tensor):
            part[...] = 1


def hands_of_turns() -> Handed:
    env = riverbed_hunt_v1.env()
    env.reset(seed=0)
    for _ in range(STEPS):
        action = int(env.legal_actions(env.agent_selection)[0])
        yield (
            env.last(),
            [env.observe(agent) for agent in env.agents],
            env.legal_actions("player_0"),
            env.state(),
            env.params,
        )
        env.step(action)


def hands_at_once() -> Handed:
    env = riverside_v0.parallel_env(num_players=3, on_illegal="terminate")
    handed = env.reset(seed=0)
    for _ in range(STEPS // 4):
        actions = {agent: int(env.legal_actions(agent)[0]) for agent in env.agents}
        yield handed, [env.legal_actions(agent) for agent in env.possible_agents]
        handed = env.step(actions)
    yield handed
    yield env.step(dict.fromkeys(env.agents, 10**6)), [env.observe(agent) for agent in env.possible_agents]


def hands_of_one_learner() -> Handed:
    env: Any = gymnasium.make(ID).unwrapped
    handed: Any = env.reset(seed=0)
    for _ in range(STEPS):
        action = int(env.learner.action_mask[0].argmax())
        yield handed, env.action_masks()
        handed = env.reset() if env.learner.over[0] else env.step(action)


def hands_of_vectors() -> Handed:
    env = LearnerVectorEnv(HUNT, 2, seed=0)
    handed: Any = env.reset(seed=0)
    for _ in range(STEPS):
        actions = env.learner.action_mask.argmax(axis=1)
        yield handed, env.action_masks()
        handed = env.step(actions)


def hands_of_stable_baselines() -> Handed:
    env = LearnerVecEnv(HUNT, 2, seed=0, num_players=[5, 7])
    handed: Any = env.reset()
    for _ in range(STEPS):
        actions = env.action_masks().argmax(axis=1)
        yield handed, env.action_masks(), env.env_method("action_masks"), env.learner.get_state()
        handed = env.step(actions)


def hands_of_torchrl() -> Handed:
    env = RiverbedEnv(HUNT, 2, num_players=(5, 7), seed=0, return_state=True)
    handed = env.reset()
    for _ in range(STEPS):
        given = TensorDict({"action": torch.from_numpy(env.batch.action_mask.argmax(axis=1))}, (2,))
        yield handed
        handed = env.reset() if (env.batch.seat < 0).any() else env._step(given)


def hands_of_openspiel() -> Handed:
    state = pyspiel.load_game("riverbed_hunt").new_initial_state()
    yield state.chance_outcomes()
    yield state.chance_outcomes()
    state.apply_action(0)
    for _ in range(STEPS):
        action = state.legal_actions()[0]
        yield state.legal_actions(), state.observation_tensor(), state.returns()
        state.apply_action(action)


def hands_of_rllib() -> Handed:
    from riverbed_env.integrations.rllib.env import RiverbedMultiAgentEnv

    env = RiverbedMultiAgentEnv({"seed": 0})
    handed: Any = env.reset()
    for _ in range(STEPS):
        (agent,) = handed[0]
        action = int(handed[0][agent]["action_mask"].argmax())
        yield handed
        handed = env.step({agent: action})


@pytest.mark.parametrize(
    "door",
    [
        *(hands_of_turns, hands_at_once, hands_of_one_learner, hands_of_vectors, hands_of_stable_baselines),
        *(hands_of_torchrl, hands_of_openspiel, hands_of_rllib),
    ],
)
def test_what_is_handed_out_is_the_caller_s(door: Callable[[], Handed]) -> None:
    for given, clean in zip(door(), door(), strict=True):
        np.testing.assert_equal(content(given), content(clean))
        for one, other in combinations(arrays(given), 2):
            assert not np.may_share_memory(one, other)
        scribble(given)


def test_every_agent_has_an_info_of_its_own() -> None:
    for env in (riverbed_hunt_v1.env(), riverbed_hunt_v1.env().clone()):
        env.reset(seed=0)
        twin = env.clone()
        for each in (env, twin):
            for agent, info in each.infos.items():
                info["note"] = agent
                info["action_mask"][:] = 1
            assert [info["note"] for info in each.infos.values()] == each.agents
        assert env.legal_actions(env.agent_selection).tolist() != list(range(87))
        assert not env.observe(env.agents[-1])["action_mask"][1:].any()


# --- what a game that ended was -----------------------------------------------------------------------------------


def truth(game_id: str, number: int, actions: list[int], **options: Any) -> dict[str, Any]:
    """What game `number` of seed 0 is after these actions."""
    games = make_batch(game_id, 1, seed=0, first_game=number, auto_reset=False, **options)
    for action in actions:
        games.step([action])
    (row,) = rows_of(games.game.ended_columns(games.games))
    return row


@pytest.mark.parametrize("game_id", [HUNT, "deep_river_v0", "river_rats_v0", "riverside_v0"])
@pytest.mark.parametrize("auto_reset", [True, False])
def test_a_batch_tells_of_the_games_that_a_step_ended(game_id: str, auto_reset: bool) -> None:
    games = make_batch(game_id, 3, seed=0, auto_reset=auto_reset)
    assert not len(games.ended_columns()["winner"])
    taken: dict[int, list[int]] = {}
    told: dict[int, dict[str, Any]] = {}
    while len(told) < (5 if auto_reset else 3):
        numbers, actions = games.game_number.copy(), games.random_actions()
        for index in np.flatnonzero(games.acting):
            taken.setdefault(int(numbers[index]), []).append(int(actions[index]))
        games.step(actions)
        rows = rows_of(games.ended_columns())
        assert [row["game"] for row in rows] == numbers[games.done].tolist()
        assert len(games.ended_games()) == games.done.sum()
        assert rows_of(games.clone().ended_columns()) == rows
        told |= {row["game"]: row for row in rows}
        if auto_reset and games.done.any():
            now = games.columns()["game"]
            assert not set(now.tolist()) & told.keys()  # why `columns` can't tell
    for number, row in told.items():
        assert row == truth(game_id, number, taken[number])
        assert row["winner"] >= 0 or row["nobody_won"] or row["truncated"]
    games.reset()
    assert not len(games.ended_columns()["winner"])


def test_roles_and_layout_of_a_game_that_ended_are_told() -> None:
    games = make_batch(HUNT, 2, num_players=4, layout="random", seed=0)
    while not games.done.any():
        games.step(games.random_actions())
    columns = games.ended_columns()
    roles = np.stack([columns[f"role_{seat}"] for seat in range(9)], axis=1)
    np.testing.assert_array_equal(roles[:, :4], games.game.roles_of(games.ended_games()))
    assert (roles[:, 4:] == -1).all()
    np.testing.assert_array_equal(columns["layout"], games.ended_games()["table"]["layout"])


Ends = Iterator[tuple[LearnerBatch, npt.NDArray[np.bool_], list[Mapping[str, Any]]]]


def ends_of_one_learner() -> Ends:
    env: Any = gymnasium.make(ID, num_players=5).unwrapped
    env.reset(seed=0)
    while True:
        *_, terminated, truncated, info = env.step(int(env.learner.action_mask[0].argmax()))
        over = np.array([terminated or truncated])
        yield env.learner, over, [info["columns"]] if over[0] else []
        assert over[0] == ("columns" in info)
        if over[0]:
            assert "columns" not in env.reset()[1]


def ends_of_vectors() -> Ends:
    env = LearnerVectorEnv(HUNT, 3, num_players=5)
    env.reset(seed=0)
    while True:
        *_, terminated, truncated, infos = env.step(env.learner.action_mask.argmax(axis=1))
        over = terminated | truncated
        columns = infos.get("final_info", {}).get("columns", {})
        for name in ("winner", "decisions", "role_0"):
            np.testing.assert_array_equal(columns.get(f"_{name}", np.zeros(3, np.bool_)), over)
        yield env.learner, over, rows_of({name: each[over] for name, each in columns.items() if name[0] != "_"})


def ends_of_stable_baselines() -> Ends:
    env = LearnerVecEnv(HUNT, 3, num_players=5, seed=0)
    env.reset()
    while True:
        _, _, over, infos = env.step(env.action_masks().argmax(axis=1))
        assert [("columns" in info) for info in infos] == over.tolist()
        yield env.learner, over, [infos[index]["columns"] for index in np.flatnonzero(over)]


@pytest.mark.parametrize("door", [ends_of_one_learner, ends_of_vectors, ends_of_stable_baselines])
def test_an_info_tells_what_a_game_that_ended_was(door: Callable[[], Ends]) -> None:
    seen: set[int] = set()
    for learner, over, rows in door():
        assert rows == learner.ended_rows()
        assert [row["game"] for row in rows] == learner.ended_game[over].tolist()
        for row in rows:
            assert row["winner"] in (0, 1, 2) or row["truncated"]
            assert row["decisions"] > 0
            if learner.autoreset != "same_step":  # else the seat is the next game's
                index = int(np.flatnonzero(over)[rows.index(row)])
                camp = learner.game.camp_of_role[learner.game.roles[row[f"role_{learner.seat[index]}"]]]
                assert (learner.reward[index] > 0) == (learner.game.camps.index(camp) == row["winner"])
            seen.add(row["game"])
        if len(seen) > 6:
            break


def test_torchrl_tells_what_a_game_that_ended_was() -> None:
    env = RiverbedEnv(HUNT, 2, num_players=(4, 5), seed=0, view="now", columns=("winner", "decisions", "role_4"))
    data = env.rollout(400, break_when_any_done=False)["next"]
    over = data["done"][..., 0]
    assert over.sum() > 1
    columns = data["columns"]
    for name in ("winner", "decisions", "role_4"):
        assert (columns[name][~over] == 0).all()
    assert (columns["decisions"][over] > 10).all()
    assert (columns["role_4"][0][over[0]] == -1).all()
    assert (columns["role_4"][1][over[1]] >= 0).all()
    asked = over[0].nonzero()[:, 0].diff(prepend=torch.tensor([-1]))
    assert (columns["decisions"][0][over[0]][:, 0] >= asked).all()  # the rules take forced ones themselves
    check_env_specs(env, seed=0)
    with pytest.raises(OptionError, match=r"columns must be .* not 'winer' .did you mean 'winner'"):
        RiverbedEnv(HUNT, 2, columns=("winer",))


def test_rllib_tells_what_a_game_that_ended_was() -> None:
    from riverbed_env.integrations.rllib.env import RiverbedMultiAgentEnv

    env = RiverbedMultiAgentEnv({"seed": 0})
    observations, infos = env.reset()
    over = False
    while not over:
        ((agent, seen),) = observations.items()
        assert "columns" not in infos[agent]
        observations, _, terminated, truncated, infos = env.step({agent: int(seen["action_mask"].argmax())})
        over = terminated["__all__"] or truncated["__all__"]
    assert all(info["columns"].items() >= env._game.columns().items() for info in infos.values())
    assert all(info["columns"][f"role_{seat}"] >= 0 for info in infos.values() for seat in range(len(infos)))
