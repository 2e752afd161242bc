"""Wrong saved states, of every game: damaged, truncated, of another game, forged; each is refused, nothing changes."""

from __future__ import annotations

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
def test_other_objects_are_refused_as_states(game_id: str) -> None:
    env = begun(game_id)
    before = observable(env)
    states: list[Any] = [None, "x", 3, b"", b"riverbed", [], bytearray(env.get_state()), {}, b"riverbed state 1\n"]
    for state in states:
        assert_refused(env, state)
    assert_still_usable(env, before)


@one_of_each_kind
def test_truncated_states(game_id: str) -> None:
    env = begun(game_id)
    before = observable(env)
    state = another(game_id)
    for length in [*range(0, 200, 3), *range(200, len(state), 37), len(state) - 1]:
        assert_refused(env, state[:length])
    for extra in (b"\0", b"\n", b"x" * 100):
        assert_refused(env, state + extra)
    assert_still_usable(env, before)


@one_of_each_kind
def test_flipped_bits(game_id: str) -> None:
    """Every bit of the first line and of the header, one of every byte of the record."""
    env = begun(game_id)
    before = observable(env)
    state = another(game_id)
    start = len(state) - env.game.dtype.itemsize
    places = [(place, bit) for place in range(start) for bit in range(8)]
    places += [(place, place % 8) for place in range(start, len(state))]
    for place, bit in places:
        flipped = bytearray(state)
        flipped[place] ^= 1 << bit
        with pytest.raises(StateError, match="state"):
            env.set_state(bytes(flipped))
    assert_still_usable(env, before)


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


@one_of_each_kind
def test_wrong_headers(game_id: str) -> None:
    env = begun(game_id)
    before = observable(env)
    state = another(game_id)
    for header in wrong_headers(env.num_players):
        assert set(header) <= set(split_state(state)[1])
        with pytest.raises(StateError):
            env.set_state(forged(state, **header))
        assert_same(observable(env), before)
    assert_still_usable(env, before)


@one_of_each_kind
def test_headers_that_are_no_object(game_id: str) -> None:
    env = begun(game_id)
    before = observable(env)
    first, _, body = split_state(env.get_state())
    for header in (b"[]", b"3", b"null", b'"x"', b"{", b"\xff\xfe", b"", b"[" * 100_000):
        with pytest.raises(StateError):
            env.set_state(first + b"\n" + header + b"\n" + body)
    assert_still_usable(env, before)
