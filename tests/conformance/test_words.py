"""What our games say beyond what every game must: declared events and questions, a viewer spoken to, help to play."""

from importlib import import_module

import numpy as np
import pytest
from conformance.options import every_game, game_name

from riverbed_env.core.text import gap_names
from riverbed_env.envs.rendering import COLUMNS
from riverbed_env.registry import find_game, game_ids
from riverbed_env.testing.conformance.kit import is_over, new_env, play

DECLARED = [game_id for game_id in game_ids() if hasattr(find_game(game_id).words, "EVENTS")]


@pytest.mark.parametrize("game_id", DECLARED, ids=game_name)
def test_every_kind_of_event_and_of_decision_has_words_and_no_gap_is_idle(game_id: str) -> None:
    game = find_game(game_id)
    events = game.words.EVENTS
    vocab = import_module(f"riverbed_env.games.{game.name}.rules.vocab")
    used = {name for sentence in events.sentences.values() for name in gap_names(sentence)}
    assert all(events.sentences.values())
    assert set(events.gaps) == used >= set(events.spec.gaps)
    assert all(events.gaps.values())
    assert all(question.task for question in vocab.Question)


@every_game
def test_a_viewer_is_addressed_and_gets_what_they_need_to_play(game_id: str) -> None:
    env = new_env(game_id)
    env.reset(seed=9)
    rng = np.random.default_rng(9)
    words, addressed = env.game.words, 0
    while not is_over(env):
        game = env._games[0]
        for seat in range(env.num_players):
            place = (env.pack, env._games, env.params, seat)
            assert words.goal(*place).startswith("You ")
            assert all(words.explain(*place))
            said, plain = words.describe_events(env.pack, game, 0, seat), words.describe_events(env.pack, game)
            assert len(said) == len(plain)
            assert not any(f"player_{seat} " in line for line in said)
            addressed += said != plain
        play(env, rng, 9)
    assert addressed
    assert all(words.result(env.pack, env._games, env.params, viewer) for viewer in (None, 0))


@pytest.mark.parametrize("game_id", DECLARED, ids=game_name)
def test_the_table_in_words_fits_a_terminal(game_id: str) -> None:
    env = new_env(game_id, num_players=find_game(game_id).max_players, render_mode="ansi")
    env.reset(seed=7)
    rng = np.random.default_rng(7)
    while not is_over(env):
        for viewer in (None, *env.possible_agents):
            assert max(map(len, (env.render(viewer) or "").splitlines())) <= COLUMNS
        play(env, rng, 13)
