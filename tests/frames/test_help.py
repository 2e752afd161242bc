"""What the frames say of a choice comes true when it is taken."""

import re

import numpy as np
import pytest
from frames_kit import labels, seen

from riverbed_env.core.frame import PUBLIC
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled


def test_what_a_choice_of_deep_river_says_comes_true() -> None:
    """Where a fish comes to, in words and on its place on the board; where the bear goes; that a turn ends the game."""
    env, rng = TurnEnv(find_game("deep_river")), np.random.default_rng(2)
    seen_true = {"fish": 0, "bear": 0, "end": 0}
    for seed in range(6):
        env.reset(seed=seed)
        last: int | None = None  # the turn that ends the game, if a choice has said so
        while env.agents and not env.terminations[env.agent_selection]:
            turn = int(env._games[0]["table"]["turn"])
            assert last is None or turn == last
            frame = seen(env, env.possible_agents.index(env.agent_selection))
            choice = frame["choices"][int(rng.integers(len(frame["choices"])))]
            said_of = labels(frame)
            standing = {name: words.partition(": ")[2] for name, words in said_of.items() if "/slot-" in name}
            assert len(standing) == 8
            for name, words in standing.items():
                pawns = words.partition(",")[0]
                assert pawns == "empty" or pawns in said_of[name.partition("/")[0]], (name, said_of)
            env.step(choice["action"])
            events = [event["text"] for event in seen(env, PUBLIC, frame["event_count"])["events"]]
            if said := re.search(r"It comes to tile (\d)", choice["help"]):
                assert any(f"would come to tile {said[1]}" in labels(frame)[shape] for shape in choice["shapes"])
                if events and " to tile" in events[0]:  # unless it is asked where to stand
                    seen_true["fish"] += 1
                    assert f"to tile {said[1]}" in events[0], (choice, events)
            if said := re.search(
                r"[Tt]he bear goes (to tile \d|into the nest of [a-z ]+: [a-z ]+ win)", choice["help"]
            ):
                seen_true["bear"] += 1
                gone = " ".join(events)
                assert f"the bear goes {said[1]}" in gone or said[1].partition(": ")[2] in gone, (choice, events)
            if "ends the game" in choice["help"]:
                seen_true["end"] += 1
                last = turn
    assert seen_true["fish"] > 10
    assert seen_true["bear"] > 5
    assert seen_true["end"] > 0


def test_a_player_who_can_be_asked_in_hunt_reaches_the_tiles_that_the_choice_names() -> None:
    """The spaces named beside a player are those that the player can choose from when asked."""
    env, rng = TurnEnv(find_game("riverbed_hunt"), num_players=5), np.random.default_rng(1)
    compared = 0
    for seed in range(2, 6):
        env.reset(seed=seed)
        said: list[str] = []  # beside the player who was chosen last
        while env.agents and not env.terminations[env.agent_selection]:
            choices = seen(env, env.possible_agents.index(env.agent_selection))["choices"]
            spaces = re.findall(r"'reveal the tile on space (\d+)'", str(choices))
            if said and spaces:
                compared += 1
                assert spaces == said
                said = []
            plain = [each for each in choices if each["text"] == "reveal a tile within reach"]
            choice = (plain or choices)[int(rng.integers(len(plain or choices)))]
            named = re.search(r"within reach: space ([\d, ]+)\.", choice["help"])
            said = named[1].split(", ") if named else said if plain else []
            env.step(choice["action"])
    assert compared > 3
