"""Every game with hidden parts draws games that look the same to a seat, are sound and can be played on."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.core.batch import Batch
from riverbed_env.entries import ENTRIES
from riverbed_env.kernels.compile import compiled
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.conformance.kit import record_of
from riverbed_env.worlds import resample

DRAWABLE = [game_id for game_id, entry in ENTRIES.items() if entry.registry_id.startswith("riverbed/")]
SLOW = [pytest.mark.slow] if compiled() else []  # each game compiles a loop of its own: one is enough for fast tests
every_game = pytest.mark.parametrize(
    "game_id",
    [pytest.param(game_id, marks=SLOW if number else []) for number, game_id in enumerate(DRAWABLE[1:] + DRAWABLE[:1])],
)
GAMES = 24 if compiled() else 4
STEPS = 40 if compiled() else 12


def played(game_id: str, decisions: int, num_players: int, **options: Any) -> Batch:
    """Games after some random decisions; some may be over."""
    batch = make_batch(game_id, GAMES, seed=3, num_players=num_players, auto_reset=False, **options)
    for _ in range(decisions):
        batch.step(batch.random_actions())
    return batch


def tables(game_id: str) -> list[int]:
    """The fewest, the default and the most players."""
    game = find_game(game_id)
    return sorted({game.min_players, game.default_players, game.max_players})


@every_game
def test_drawn_games_look_the_same_to_their_seat_and_can_be_played_on(game_id: str) -> None:
    for num_players in tables(game_id):
        for decisions in (0, 1, 2, 7, 25, 90):
            truth = played(game_id, decisions, num_players)
            for seat in range(-1, num_players):
                seats = np.maximum(truth.seat, 0) if seat < 0 else np.full(len(truth.seat), seat)
                views = truth.look(seats)
                world = truth.clone()
                world.set_state(resample(truth.game, views, truth.params, seed=decisions))
                assert world.look(seats).tobytes() == views.tobytes()
                assert ((world.seat >= 0) == (truth.seat >= 0)).all()
                if seat < 0:
                    np.testing.assert_array_equal(world.seat, truth.seat)
                    np.testing.assert_array_equal(world.action_mask, truth.action_mask)
            for _ in range(30):
                world.step(world.random_actions())
            world.set_state(world.get_state())


@every_game
def test_the_true_game_has_no_influence_beyond_the_view(game_id: str) -> None:
    """Drawn again from a drawn game, the same seed gives the same game."""
    truth = played(game_id, 20, tables(game_id)[-1])
    seats = np.maximum(truth.seat, 0)
    drawn = resample(truth.game, truth.look(seats), truth.params, seed=1)
    world = truth.clone()
    world.set_state(resample(truth.game, truth.look(seats), truth.params, seed=2))
    again = resample(truth.game, world.look(seats), truth.params, seed=1)
    assert again.tobytes() == drawn.tobytes()
    some = truth.look(seats)[2:4]
    assert resample(truth.game, some, truth.params, seed=1, first=2).tobytes() == drawn[2:4].tobytes()


def test_every_unseen_card_is_as_likely_in_another_hand() -> None:
    batch = make_batch("river_rats", 1, seed=1, num_players=2, auto_reset=False)
    for _ in range(6):
        batch.step(batch.random_actions())
    seat = int(batch.seat[0])
    drawn = resample(batch.game, np.repeat(batch.look(seat), 700), batch.params, seed=0)
    cards = np.arange(52)
    held = (drawn["private"]["hand"][:, 1 - seat, None] >> cards & 1).sum(axis=0)
    known = int(batch.games["table"]["taken"][0, 1 - seat])
    unseen = np.array([any(card in game["deck"] for game in drawn[:50]) for card in cards])
    assert (held[(known >> cards & 1) == 1] == len(drawn)).all()
    expected = held[unseen].mean()
    assert held[unseen].min() > 0
    assert ((held[unseen] - expected) ** 2 / expected).sum() < 2 * unseen.sum()
    assert len({game["deck"].tobytes() for game in drawn}) > 690


def test_the_card_that_a_placer_laid_face_down_is_drawn_among_the_unseen() -> None:
    truth = make_batch("river_rats", GAMES, seed=3, num_players=4)
    while not (truth.games["table"]["placer"] >= 0).any():
        truth.step(truth.random_actions())
    (game, *_) = np.flatnonzero(truth.games["table"]["placer"] >= 0)
    placer = int(truth.games["table"]["placer"][game])
    view = truth.look(np.full(len(truth.seat), (placer + 1) % 4))[game]
    own = resample(truth.game, np.repeat(view, 200), truth.params, seed=0)["private"][:, placer]
    assert (own["placed"] >= 0).all()
    assert (own["hand"] >> own["placed"] & 1 == 0).all()
    assert len(set(own["placed"].tolist())) > 20


def test_the_second_rat_is_one_whose_king_was_not_seen() -> None:
    truth = played("river_rats", 40, 4)
    drawn = resample(truth.game, truth.look(np.maximum(truth.seat, 0)), truth.params, seed=0)
    assert (drawn["first_rat"] == truth.games["first_rat"]).all()  # turned face-up at the beginning
    hidden = truth.games["table"]["defeated"] < 0
    assert (drawn["second_rat"][~hidden] == truth.games["second_rat"][~hidden]).all()
    dealt = make_batch("river_rats", 1, seed=1)  # no king is seen yet
    drawn = resample(dealt.game, np.repeat(dealt.look(dealt.seat), 100), dealt.params, seed=0)
    assert set(drawn["second_rat"].tolist()) == set(range(4))
    assert (drawn["second_rat"] != drawn["first_rat"]).all()


@every_game
def test_an_environment_draws_a_copy_of_itself(game_id: str) -> None:
    env = entry_points(find_game(game_id)).raw_env()
    env.reset(seed=4)
    rng = np.random.default_rng(0)
    for _ in range(9):
        env.step(int(rng.choice(env.legal_actions(env.agent_selection))))
    agent, before = env.agent_selection, env.get_state()
    world = env.resample(agent, seed=1)
    assert env.get_state() == before
    assert world.agent_selection == agent
    np.testing.assert_array_equal(world.observe(agent)["observation"], env.observe(agent)["observation"])
    np.testing.assert_array_equal(world.observe(agent)["action_mask"], env.observe(agent)["action_mask"])
    world.step(int(world.legal_actions(agent)[0]))
    assert env.get_state() == before


def step(env: Any, rng: np.random.Generator) -> None:
    """A random legal action of every seat that is asked, through either kind of environment."""
    actions = {agent: int(rng.choice(env.legal_actions(agent))) for agent in env.possible_agents}
    env.step(actions if hasattr(env, "pending_agents") else actions[env.agent_selection])


def asked(env: Any) -> list[str]:
    """The agents that have a choice now."""
    pending: list[str] = env.pending_agents() if hasattr(env, "pending_agents") else [env.agent_selection]
    return pending


def at_its_beginning(env: Any) -> bool:
    """Whether a phase of simultaneous choices has just begun, so that everybody knows who has to choose."""
    records = record_of(env)[0]
    same = records["sheets"].tobytes() == records["private"]["sheet"].tobytes()
    return same and not records["private"]["visits"].any() and not records["private"]["boat"].max() >= 0


@every_game
def test_who_is_asked_stays_asked_and_the_drawn_game_goes_on_at_every_door(game_id: str) -> None:
    entries = entry_points(find_game(game_id))
    doors = [entries.raw_env, *([entries.parallel_env] if find_game(game_id).simultaneous else [])]
    for num_players, door in product(tables(game_id), doors):
        env, rng = door(num_players=num_players), np.random.default_rng(0)
        env.reset(seed=0)
        for seed in range(STEPS):
            for agent in env.possible_agents:
                world = env.resample(agent, seed)
                assert agent not in asked(env) or agent in asked(world)
                if door is not entries.raw_env:
                    assert (agent in asked(world)) == (agent in asked(env))
                    assert not at_its_beginning(env) or asked(world) == asked(env)
                batch = make_batch(game_id, 1, num_players=num_players, seed=0)
                batch.set_state(record_of(world))
                batch.step(batch.random_actions())
                step(world, rng)
            step(env, rng)
            if any(getattr(env, "terminations", {}).values()) or not env.agents:
                break
