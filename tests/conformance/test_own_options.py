"""Options that only one game has: wrong values are refused by name, and so are states of games by other rules."""

from typing import Any

import numpy as np
import pytest

from riverbed_env.errors import OptionError, StateError
from riverbed_env.registry import make_batch
from riverbed_env.testing.conformance.kit import begun, new_env

WRONG: dict[str, list[tuple[dict[str, Any], list[str]]]] = {  # what is given, what the message must say
    "riverbed_hunt": [
        ({"layout": "moon"}, ["layout", "'full'", "'random'", "not 'moon'"]),
        ({"layout": "bends"}, ["layout", "'full'", "7 players", "not 'bends'"]),
        ({"num_players": 5, "layout": "corners"}, ["layout", "'springs'", "'bends'", "'islands'", "not 'corners'"]),
        ({"layout": "Random"}, ["layout", "'random'", "not 'Random'"]),
        ({"layout": ""}, ["layout", "not ''"]),
        ({"layout": 0}, ["layout", "not 0"]),
        ({"roles": np.array("chief")}, ["roles", "'random'"]),
        ({"layout": np.array(["bends", "full"])}, ["layout with 7 players must be"]),
        ({"roles": "chief"}, ["roles", "'random'", "not 'chief'"]),
        ({"roles": None}, ["roles", "None"]),
        ({"roles": 5}, ["roles", "5"]),
        ({"roles": ["chief"]}, ["roles", "1 roles", "7 players"]),
        ({"roles": [None] * 8}, ["roles", "8 roles", "7 players"]),
        ({"roles": ["chief"] * 7}, ["roles", "chief, chief", "7 players", "profiteer"]),
        ({"roles": {0: "chief", 1: "chief"}}, ["roles", "chief, chief"]),
        ({"roles": {0: "profiteer", 3: "profiteer"}}, ["roles", "profiteer, profiteer"]),
        ({"roles": {0: "leader", 1: "leader"}, "num_players": 9}, ["roles", "leader, leader", "9 players"]),
        ({"roles": {0: "merchant", 1: "merchant"}, "num_players": 5}, ["roles", "merchant, merchant", "5 players"]),
        (
            {"roles": {0: "profiteer", 1: "separatist"}, "num_players": 4},
            ["profiteer, separatist", "4 players"],
        ),
        ({"roles": {0: "king"}}, ["roles", "'king'", "chief, merchant, leader, separatist, profiteer"]),
        ({"roles": {0: "Chief"}}, ["roles", "'Chief'"]),
        ({"roles": {0: 0}}, ["roles", "0 is no role"]),
        ({"roles": {0: ["chief"]}}, ["roles", "['chief']"]),
        ({"roles": {7: "chief"}}, ["roles", "seat 7", "0 to 6"]),
        ({"roles": {-1: "chief"}}, ["roles", "seat -1", "0 to 6"]),
        ({"roles": {0.5: "chief"}}, ["roles", "seat 0.5"]),
        ({"roles": {True: "chief"}}, ["roles", "seat True"]),
        ({"roles": {"player_7": "chief"}}, ["roles", "'player_7'", "0 to 6"]),
        ({"roles": {"player_": "chief"}}, ["roles", "'player_'"]),
        ({"roles": {"seat_1": "chief"}}, ["roles", "'seat_1'"]),
        ({"roles": {"nobody": "chief"}}, ["roles", "'nobody'"]),
        ({"roles": {0: "chief", "player_0": "leader"}}, ["roles", "player_0"]),
        ({"max_decisions": 2**31}, ["max_decisions", "1 to", str(10**8), f"not {2**31}"]),
    ],
    "river_rats": [
        ({"mode": "easy"}, ["mode", "'first_game' or 'standard' or 'advanced' or 'expert'", "not 'easy'"]),
        ({"mode": "Expert"}, ["mode", "not 'Expert'", "did you mean 'expert'"]),
        ({"mode": None}, ["mode", "not None"]),
        ({"mode": 2}, ["mode", "not 2"]),
        ({"prediction": "roughly"}, ["prediction", "'exactly' or 'at_least_form'", "not 'roughly'"]),
        ({"prediction": "at_least"}, ["prediction", "did you mean 'at_least_form'"]),
        ({"prediction": True}, ["prediction", "not True"]),
        ({"rewards": "zero_sum"}, ["rewards", "'win'", "not 'zero_sum'"]),
    ],
    "deep_river": [
        *(
            ({"tiles": tiles}, ["tiles", "7 letters", "'bdsDtsb'", f"not {tiles!r}"])
            for tiles in ("", "bdsDts", "bdsDtsbb", "bdsdtsb", "Dbdstsb", "bdsDtDb", "bdsDtsx", "BDSDTSB", 7, ["b"] * 7)
        ),
        *(
            ({"faces": faces}, ["faces", "3 digits", "'010'", f"not {faces!r}"])
            for faces in ("", "01", "0101", "012", "abc", 10, [0, 1, 0], True)
        ),
        *(
            ({"first": first}, ["first", "'salmon'", "'eel'", f"not {first!r}"])
            for first in ("bear", "", "Eel", 0, True)
        ),
        ({"max_turns": 1001}, ["max_turns", "1 to 1000", "not 1001"]),
    ],
    "riverside": [
        ({"extension": value}, ["extension must be True or False", f"not {value!r}"])
        for value in ("yes", "True", 1, 0, None, 1.0)
    ],
}
EVERY = [(game, *each) for game, wrong in WRONG.items() for each in wrong]


@pytest.mark.parametrize(("game", "options", "words"), EVERY, ids=lambda value: str(value)[:60])
def test_wrong_options_are_refused_by_name(game: str, options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        new_env(game, **options)
    assert not [word for word in words if word not in str(caught.value)]
    with pytest.raises(OptionError):
        make_batch(game, 2, **options)


RULES: dict[str, list[dict[str, Any]]] = {
    "river_rats": [
        *({"mode": mode} for mode in ("first_game", "standard", "advanced", "expert")),
        {"prediction": "at_least_form"},
    ],
    "riverside": [{}, {"extension": np.bool_(True)}],
}


@pytest.mark.parametrize("game", RULES)
def test_states_of_games_by_other_rules_are_refused(game: str) -> None:
    states = [begun(game, **options).get_state() for options in RULES[game]]
    for number, options in enumerate(RULES[game]):
        env = begun(game, seed=2, **options)
        before = env.get_state()
        for state in states[:number] + states[number + 1 :]:
            with pytest.raises(StateError):
                env.set_state(state)
            assert env.get_state() == before
        env.set_state(states[number])
