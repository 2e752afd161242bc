"""What the frames say of a choice comes true when it is taken."""

from __future__ import annotations

import re

import numpy as np
import pytest
from frames_kit import seen

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled


def test_a_fish_of_deep_river_comes_where_its_choice_says() -> None:
    env, rng = TurnEnv(find_game("deep_river_v0")), np.random.default_rng(2)
    arrived = 0
    for seed in range(4):
        env.reset(seed=seed)
        while env.agents and not env.terminations[env.agent_selection]:
            frame = seen(env, env.possible_agents.index(env.agent_selection))
            choice = frame["choices"][int(rng.integers(len(frame["choices"])))]
            env.step(choice["action"])
            said = re.match(r"It comes to tile (\d)", choice["help"])
            if said:
                events = [event["text"] for event in seen(env, 0, frame["event_count"])["events"]]
                if events and " to tile" in events[0]:  # unless it is asked where to stand
                    arrived += 1
                    assert f"to tile {said[1]}" in events[0], (choice, events)
    assert arrived > 10
