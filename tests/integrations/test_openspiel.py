"""OpenSpiel's own checks and algorithms on the games as they are registered; the guide runs CFR."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import (
    expected_game_score,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
)
from open_spiel.python.observation import make_observation
from open_spiel.python.policy import Policy, UniformRandomPolicy

from riverbed_env import make_batch
from riverbed_env.entries import ENTRIES
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.integrations.openspiel import RiverbedPolicy, register, resampler
from riverbed_env.players.agents import PythonAgent
from riverbed_env.players.policies import PolicyConfig, save_policy
from riverbed_env.registry import find_game

NAMES = [find_game(game_id).name for game_id in ENTRIES]
SMALL = {"riverbed_hunt": "riverbed_hunt(players=5)"}
TOY = "ford"  # it has no kernel that draws what is hidden
CALLS = [SMALL.get(name, name) for name in NAMES]


def in_play(call: str, decisions: int = 0, seed: int = 0) -> pyspiel.State:
    """A state after the deal and some random decisions; not at the end."""
    rng = np.random.default_rng(seed)
    state = pyspiel.load_game(call).new_initial_state()
    state.apply_action(seed)
    for _ in range(decisions):
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert not state.is_terminal()
    return state


def test_one_import_registers_every_game() -> None:
    code = "import pyspiel, riverbed_env.integrations.openspiel; print(pyspiel.load_game('riverbed_hunt(players=5)'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "players=5" in done.stdout
    assert not done.stderr
    assert {*NAMES} <= {*pyspiel.registered_names()}


@pytest.mark.parametrize("call", CALLS)
def test_random_sim_test(call: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(call), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_random_sim_test_with_every_number_of_players(name: str) -> None:
    game = next(find_game(game_id) for game_id in ENTRIES if find_game(game_id).name == name)
    for players in range(game.min_players, game.max_players + 1):
        for rewards in game.rewards:
            call = f"{name}(players={players},rewards={rewards},view=now)"
            pyspiel.random_sim_test(pyspiel.load_game(call), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("call", CALLS)
def test_a_game_is_the_batch_s_game_of_the_same_number(call: str) -> None:
    state = pyspiel.load_game(call).new_initial_state()
    state.apply_action(7)
    game_id = next(game_id for game_id in ENTRIES if find_game(game_id).name == call.partition("(")[0])
    batch = make_batch(game_id, 1, num_players=state.num_players(), seed=0, first_game=7, auto_reset=False)
    while not state.is_terminal():
        assert state.current_player() == batch.seat[0]
        assert state.legal_actions() == np.flatnonzero(batch.action_mask[0]).tolist()
        assert state.observation_tensor() == batch.observation[0].tolist()
        action = int(batch.random_actions()[0])
        state.apply_action(action)
        batch.step([action])
    assert state.returns() == batch.returns[0].tolist()


@pytest.mark.parametrize("call", [TOY, *(pytest.param(call, marks=pytest.mark.slow) for call in CALLS if call != TOY)])
def test_playthroughs_come_out_alike(call: str) -> None:
    game = f"{call[:-1]},deals=2)" if "(" in call else f"{call}(deals=2)"
    actions = [1, *in_play(call, 10, seed=1).history()[1:]]
    one, two = (generate_playthrough.playthrough(game, actions, seed=1) for _ in range(2))
    assert one == two
    assert "ObservationTensor(0)" in one
    assert "InformationStateString(0)" in one


@pytest.mark.parametrize("call", CALLS)
def test_a_saved_game_goes_on_as_it_was(call: str) -> None:
    state = in_play(call, 12)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert again.history() == state.history()
    assert str(again) == str(state)
    assert [again.information_state_string(seat) for seat in range(state.num_players())] == [
        state.information_state_string(seat) for seat in range(state.num_players())
    ]


def test_a_child_leaves_its_parent_alone() -> None:
    state = in_play(CALLS[0], 5)
    before = str(state), state.information_state_string(), state.legal_actions()
    for action in state.legal_actions():
        state.child(action)
    assert (str(state), state.information_state_string(), state.legal_actions()) == before


def test_information_states_remember_what_a_seat_did() -> None:
    """Two pasts that one observation may have forgotten stay apart; what others do unseen doesn't."""
    state = in_play(CALLS[0])
    seat = state.current_player()
    children = [state.child(action) for action in state.legal_actions()]
    assert len({child.information_state_string(seat) for child in children}) == len(children)
    again = in_play(CALLS[0])
    assert again.information_state_string(seat) == state.information_state_string(seat)


def test_an_observer_has_the_pieces_by_name() -> None:
    state = in_play(CALLS[0], 3)
    observer = make_observation(state.get_game())
    observer.set_from(state, 2)
    assert observer.tensor.tolist() == state.observation_tensor(2)
    assert observer.dict["own_role"].sum() == 1
    assert "own_role" in observer.string_from(state, 2)
    nobody = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert make_observation(state.get_game(), nobody) is None


def test_wrong_parameters_are_named() -> None:
    for call, word in (
        ("riverbed_hunt(players=99)", "num_players"),
        ("riverbed_hunt(deals=0)", "deals"),
        ("river_rats(rewards=zero_sum)", "rewards"),
        ("deep_river(view=all)", "view"),
    ):
        with pytest.raises((OptionError, pyspiel.SpielError), match=word):
            pyspiel.load_game(call)
    with pytest.raises(OptionError, match="no game"):
        register("no_such_game_v0")


def test_a_deal_that_is_not_there_is_refused() -> None:
    state = pyspiel.load_game("deep_river(deals=2)").new_initial_state()
    with pytest.raises(IllegalActionError, match="the deal must be from 0 to 1, not 2"):
        state.apply_action(2)
    assert state.is_chance_node()


def test_search_chooses_legal_actions() -> None:
    """MCTS where everything is seen, IS-MCTS on worlds that the seat can't tell from the true one."""
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
    state = in_play("deep_river", 4)
    bot = mcts.MCTSBot(state.get_game(), 1.4, 10, rollouts, random_state=np.random.RandomState(0))
    assert bot.step(state) in state.legal_actions()
    hunt = in_play(CALLS[0], 4)
    searcher = ismcts.ISMCTSBot(hunt.get_game(), rollouts, 2.0, 10, random_state=np.random.RandomState(0))
    searcher.set_resampler(resampler(seed=0))
    assert searcher.step(hunt) in hunt.legal_actions()


@pytest.mark.parametrize(
    "call", [CALLS[0], *(pytest.param(call, marks=pytest.mark.slow) for call in CALLS[1:] if call != TOY)]
)
def test_resampled_worlds_look_the_same_to_the_player_alone(call: str) -> None:
    state = in_play(call, 8)
    seat, draw = state.current_player(), resampler(seed=1)
    worlds = [draw(state, seat) for _ in range(6)]
    for world in worlds:
        assert world.current_player() == seat
        assert world.information_state_string(seat) == state.information_state_string(seat)
        assert world.legal_actions() == state.legal_actions()
        world.apply_action(world.legal_actions()[0])
    if state.get_game().get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
        assert len({str(world) for world in worlds}) > 1


def test_a_game_that_can_t_be_resampled_says_so() -> None:
    with pytest.raises(OptionError, match="resampled"):
        resampler(seed=1)(in_play(TOY), 0)


def test_the_side_that_begins_a_sprint_can_win_it() -> None:
    race = pyspiel.load_game("deep_river", {"pack": "sprint", "max_turns": 5, "first": "eel", "faces": "000"})
    rng, winners = np.random.default_rng(0), set()
    while not winners:
        state = race.new_initial_state()
        state.apply_action(0)
        while not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
        winners = {seat for seat, each in enumerate(state.returns()) if each > 0}
    assert winners == {1}


SPRINT = "deep_river(deals=1,pack=sprint,max_turns=5,auto_forced=all)"


def saved_policy(folder: Path, slope: float) -> str:
    """A network that plays action k with a weight of e to the `slope` * k, whatever it sees."""
    rules = find_game("deep_river")
    sizes = rules.views["history"], rules.actions.size
    layer = np.zeros(sizes, np.float32), (slope * np.arange(sizes[1])).astype(np.float32)
    save_policy(folder / "policy.npz", PolicyConfig(rules.id), [layer])
    return str(folder / "policy.npz")


def test_a_saved_policy_s_probabilities_are_its_network_s(tmp_path: Path) -> None:
    game, state, spec = pyspiel.load_game(SPRINT), in_play(SPRINT), saved_policy(tmp_path, 0.01)
    saved, likeliest = RiverbedPolicy(game, spec), RiverbedPolicy(game, f"{spec}:greedy=true")
    legal = np.array(state.legal_actions())
    weights = np.exp(legal / 100)
    found = saved.action_probabilities(state)
    assert isinstance(saved, Policy)
    assert list(found) == legal.tolist()
    np.testing.assert_allclose(list(found.values()), weights / weights.sum(), rtol=1e-5)
    assert likeliest.action_probabilities(state, state.current_player())[legal[-1]] == 1


def test_openspiel_finds_the_value_and_the_exploitability_of_a_saved_policy(tmp_path: Path) -> None:
    """With equal weights they are those of uniform play, which the guide says."""
    game = pyspiel.load_game(SPRINT)
    even, uniform = RiverbedPolicy(game, saved_policy(tmp_path, 0)), UniformRandomPolicy(game)
    values = [expected_game_score.policy_value(in_play(SPRINT), [each] * 2) for each in (even, uniform)]
    np.testing.assert_allclose(*values)
    assert 2 * exploitability.exploitability(game, even) == pytest.approx(0.444, abs=0.001)


def test_an_agent_s_probabilities_are_the_shares_of_its_answers() -> None:
    game, state = pyspiel.load_game(SPRINT), in_play(SPRINT)
    drawn = RiverbedPolicy(game, "random", draws=4000).action_probabilities(state)
    legal = state.legal_actions()
    assert list(drawn) == legal
    assert list(drawn.values()) == pytest.approx([1 / len(legal)] * len(legal), abs=0.04)
    chosen = RiverbedPolicy(game, "greedy").action_probabilities(state)
    assert sorted(chosen.values()) == [0] * (len(legal) - 1) + [1]


def test_an_agent_that_cannot_be_a_policy_is_refused() -> None:
    with pytest.raises(OptionError, match="view=history"):
        RiverbedPolicy(pyspiel.load_game("deep_river(view=now)"), "greedy")
    with pytest.raises(OptionError, match="without memory"):
        RiverbedPolicy(pyspiel.load_game(SPRINT), PythonAgent("counting", lambda *_: np.zeros(1, np.int64), 1))
    with pytest.raises(OptionError, match="draws must be"):
        RiverbedPolicy(pyspiel.load_game(SPRINT), "greedy", draws=0)
