"""What the machines draw: options, seeds, actions and states, those that are allowed and those that aren't."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from conformance.options import OWN_VALUES
from hypothesis import strategies as st

from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.options import option_values

Options = dict[str, Any]

MOST_SEED = 2**63 - 1
NOT_OF_BATCHES = (  # options of the turn-based environment alone
    *("on_illegal", "render_mode", "render_size", "render_panels", "mask_in", "dtype"),
)
STRANGE_WORDS = ("", " ", "player_0", "default", "None", "nan", "..", "/", "\0", "\ud800", "%s{}", "ö" * 300, "1")


def of_machine(strategy: Callable[[Any], st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """A strategy that depends on the state of the machine."""
    return st.runner().flatmap(strategy)


seeds = st.integers(0, 20) | st.integers(0, MOST_SEED) | st.sampled_from([MOST_SEED, 2**32])
game_numbers = st.integers(0, 20) | st.integers(0, 2**62 - 100)
salts = st.integers(0, 1000)

# Nothing here is a seed, an action, an agent or a saved state of any game; as an option some of it is allowed.
strange = st.one_of(
    st.sampled_from([None, True, False, float("nan"), float("inf"), -float("inf"), 1.5, -0.0, 1 + 0j, print, object]),
    st.sampled_from([2**63, 2**64, 10**40, -(2**63), -(10**40), -1, -(1 << 40)]),
    st.sampled_from(STRANGE_WORDS),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.sampled_from([[], [1], (), (0,), {}, {0: 1}, set(), range(3), Path("nowhere.toml"), Path()]),
    st.builds(np.float32, st.floats(width=32)),
    st.sampled_from(
        [np.array([1, 2]), np.array([]), np.array("x"), np.array(None), np.bool_(True), np.datetime64(3, "s")]
    ),
)
wrong_seeds = strange.filter(lambda value: value is not None)
wrong_numbers = st.one_of(strange, st.integers(max_value=-1), st.integers(min_value=2**62 + 1))


@st.composite
def allowed_options(draw: st.DrawFn, game_id: str, *left_out: str) -> Options:
    """Options of the game's environments that go together, and a player count."""
    game = find_game(game_id)
    single = [each for each in option_values(game_id, OWN_VALUES.get(game_id, {})) if not each.keys() & {*left_out}]
    options: Options = {}
    for each in draw(st.lists(st.sampled_from(single), max_size=5)):
        options |= each
    if "roles" not in options:  # which are given for the usual number of players
        options["num_players"] = draw(st.integers(game.min_players, game.max_players))
    return options


def no_action(size: int) -> st.SearchStrategy[Any]:
    """What is no action of a game with `size` of them."""
    return strange | st.integers(max_value=-1) | st.integers(min_value=size)


def no_agent(count: int) -> st.SearchStrategy[Any]:
    """What is no agent of a game with `count` players."""
    named = st.sampled_from(
        [f"player_{count}", "player_-1", "player_00", "Player_0", "player_0 ", "player_", "0", count]
    )
    return (named | strange).filter(
        lambda value: value is not None and not (isinstance(value, str) and value == "player_0")
    )


@st.composite
def damaged(draw: st.DrawFn, state: bytes) -> Any:
    """A saved state that isn't whole: cut, longer, with a byte changed, or of another type."""
    place, more = draw(st.integers(0, len(state) - 1)), draw(st.binary(min_size=1, max_size=9))
    flipped = state[:place] + bytes([state[place] ^ (more[0] or 1)]) + state[place + 1 :]
    return draw(st.sampled_from([state[:place], state + more, flipped, bytearray(state), state.decode("latin-1")]))


COPIERS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "pickle 2": lambda env: pickle.loads(pickle.dumps(env, 2)),
}
copiers = st.sampled_from(sorted(COPIERS))
