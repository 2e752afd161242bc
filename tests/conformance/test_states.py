"""Wrong saved states, of every game: damaged, truncated, of another game, forged; each is refused, nothing changes."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from conformance.options import GAMES, every_game, every_game_with_packs, one_of_each_kind

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import StateError
from riverbed_env.testing.conformance.kit import (
    assert_same,
    assert_still_usable,
    begun,
    forged,
    new_env,
    observable,
    split_state,
)
from riverbed_env.testing.conformance.options import pack_file, player_counts


def assert_refused(env: TurnEnv, state: Any, match: str = "state") -> None:
    before = env.get_state()
    with pytest.raises(StateError, match=match):
        env.set_state(state)
    assert env.get_state() == before


def another(game_id: str, **options: Any) -> bytes:
    """A sound state of another moment."""
    return begun(game_id, 0.7, seed=2, **options).get_state()


@one_of_each_kind
def test_states_of_another_player_count(game_id: str) -> None:
    counts = player_counts(game_id)
    for count in counts:
        env = begun(game_id, num_players=count)
        for other in counts:
            if other != count:
                assert_refused(env, another(game_id, num_players=other), match=f"num_players {other}.*{count}")


@every_game
def test_states_of_another_game(game_id: str) -> None:
    env = begun(game_id)
    for other in GAMES:
        if other != game_id:
            assert_refused(env, another(other), match=f"of game '{other}'.*'{game_id}'")


@every_game_with_packs
def test_states_of_another_pack(game_id: str, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(pack_file(game_id).read_text(encoding="utf-8").replace('name = "default"', 'name = "other"', 1))
    env, twin = begun(game_id), begun(game_id, pack=other)
    assert_refused(env, twin.get_state(), match=f"pack '{twin.pack.hash}'.*'{env.pack.hash}'")
    assert_refused(twin, env.get_state(), match="pack")


@every_game_with_packs
def test_a_pack_that_differs_in_comments_only_is_the_same(game_id: str, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    text = pack_file(game_id).read_text(encoding="utf-8")
    other.write_text("# a comment\n" + text.replace("\nsource =", "\n\n# another\nsource ="), encoding="utf-8")
    env, twin = begun(game_id), new_env(game_id, pack=other)
    twin.set_state(env.get_state())
    assert_same(observable(twin), observable(env))


def wrong_headers(count: int) -> list[dict[str, Any]]:
    """Entries of a header that don't fit a game of `count` players."""
    agents: list[Any] = [[], ["player_0"], [f"player_{seat}" for seat in range(count)], "player_0", None]
    agents += [count + 1, -1, count != 1, {"player_0": 1}, float(count), count - 1]
    offenders: list[Any] = [count, -1, "player_0", "nobody", 0.5, [0], True]
    return [
        *({"game": game} for game in ("chess", None)),
        *({"pack": pack} for pack in (3, "0")),
        *({"num_players": given} for given in (str(count), None, count + 1)),
        *({"agents": given} for given in agents),
        *({"offender": given} for given in offenders),
        *({"checksum": given} for given in (0, None, "x")),
        *({name: ...} for name in ("game", "pack", "num_players", "agents", "checksum")),
    ]


def flipped(state: bytes, place: int, bit: int) -> bytes:
    """The state with another bit."""
    return state[:place] + bytes([state[place] ^ 1 << bit]) + state[place + 1 :]


NO_STATES: dict[str, Callable[[TurnEnv, bytes], Iterable[Any]]] = {
    "other objects": lambda env, state: [None, "x", 3, b"", [], bytearray(state), {}, b"riverbed state 1\n"],
    "cut short": lambda env, state: (state[:end] for end in (*range(0, 200, 3), *range(200, len(state), 37), -1)),
    "continued": lambda env, state: (state + extra for extra in (b"\0", b"\n", b"x" * 100)),
    "flipped bits of the header": lambda env, state: (
        flipped(state, place, bit) for place in range(len(state) - env.game.dtype.itemsize) for bit in range(8)
    ),
    "flipped bits of the record": lambda env, state: (
        flipped(state, place, place % 8) for place in range(len(state) - env.game.dtype.itemsize, len(state))
    ),
    "wrong headers": lambda env, state: (forged(state, **header) for header in wrong_headers(env.num_players)),
    "no headers": lambda env, state: (
        b"\n".join((split_state(state)[0], header, split_state(state)[2]))
        for header in (b"[]", b"3", b"null", b'"x"', b"{", b"\xff\xfe", b"", b"[" * 100_000)
    ),
}


@pytest.mark.parametrize("what", NO_STATES)
@one_of_each_kind
def test_what_is_no_state_is_refused_and_changes_nothing(game_id: str, what: str) -> None:
    env = begun(game_id)
    before = observable(env)
    for given in NO_STATES[what](env, another(game_id)):
        with pytest.raises(StateError):
            env.set_state(given)
    assert_still_usable(env, before)
