"""The game in words and pictures."""

import numpy as np
import pytest

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from .kit import begun, is_over, new_env, play
from .options import OneGame


class WordTests(OneGame):
    """Everything is described and drawn, for every viewer, and nothing raises."""

    def test_every_legal_action_is_described_and_differently(self, game_id: str, options: dict[str, object]) -> None:
        env = new_env(game_id, **options)
        env.reset(seed=5)
        rng = np.random.default_rng(5)
        while not is_over(env):
            agent = env.agent_selection
            legal = np.flatnonzero(env.observe(agent)["action_mask"])
            said = [env.describe_action(int(action)) for action in legal]
            assert all(isinstance(words, str) and words.strip() == words != "" for words in said)
            assert len(set(said)) == len(said), said
            assert said == [env.describe_action(int(action), agent) for action in legal]
            assert said == [env.describe_action(int(action), env.possible_agents.index(agent)) for action in legal]
            play(env, rng, 1)

    def test_every_action_is_described_for_every_seat_at_any_time(self, game_id: str, count: int) -> None:
        for part in (0, 0.5, 0.9):
            env = begun(game_id, part, num_players=count)
            for agent in env.possible_agents:
                for action in range(env.game.actions.size):
                    assert env.describe_action(action, agent)
            for action in (-1, env.game.actions.size):
                with pytest.raises(OptionError, match=str(env.game.actions.size - 1)):
                    env.describe_action(action)

    def test_states_and_events_are_described_and_drawn(self, game_id: str, options: dict[str, object]) -> None:
        env = new_env(game_id, render_mode="ansi", **options)
        env.reset(seed=6)
        rng = np.random.default_rng(6)
        described: list[str] = []
        while True:
            for viewer in (None, *env.possible_agents, 0):
                assert env.describe_state(viewer).strip()
                assert env.game.title in str(env.render(viewer))
            events = env.describe_events()
            assert all(isinstance(words, str) and words for words in events)
            assert env.describe_events(10**6) == []
            described = events or described
            if is_over(env):
                break
            play(env, rng, int(rng.integers(1, 20)))
        assert described

    def test_a_person_is_shown_each_step_and_a_new_game(self, game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
        env = new_env(game_id, render_mode="human")
        env.reset(seed=1)
        shown = capsys.readouterr().out
        assert env.game.title in shown
        play(env, np.random.default_rng(1), 1)
        after = capsys.readouterr().out
        assert env.game.title in after
        assert after != shown
        assert env.render("player_0") is None
        assert capsys.readouterr().out

    def test_without_a_mode_nothing_is_drawn(self, game_id: str) -> None:
        env = new_env(game_id)
        env.reset(seed=1)
        with pytest.warns(UserWarning, match="render_mode='ansi', 'rgb_array' or 'human'"):
            assert env.render() is None

    def test_every_violation_and_refusal_has_words(self, game_id: str) -> None:
        words = find_game(game_id).words
        for describe in (words.describe_violation, words.describe_refusal):
            said = []
            for code in range(100):
                try:
                    said.append(describe(code))
                except (ValueError, LookupError):
                    break
            assert len(said) > 1
            assert all(said)
            assert len(set(said)) == len(said)
