"""The options that only Deep River has: the tiles, the faces and who begins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.games.deep_river.content.pack import LETTERS
from riverbed_env.testing.conformance.kit import assert_options_refused

WRONG_OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    # what is given, what the message must say
    *(
        ({"tiles": tiles}, ["tiles", "7 letters", "'bdsDtsb'", f"not {tiles!r}"])
        for tiles in ("", "bdsDts", "bdsDtsbb", "bdsdtsb", "Dbdstsb", "bdsDtDb", "bdsDtsx", "BDSDTSB", 7, ["b"] * 7)
    ),
    *(
        ({"faces": faces}, ["faces", "3 digits", "'010'", f"not {faces!r}"])
        for faces in ("", "01", "0101", "012", "abc", 10, [0, 1, 0], True)
    ),
    *(({"first": first}, ["first", "'salmon'", "'eel'", f"not {first!r}"]) for first in ("bear", "", "Eel", 0, True)),
    ({"max_turns": 1001}, ["max_turns", "1 to 1000", "not 1001"]),
]


@pytest.mark.parametrize(("options", "words"), WRONG_OPTIONS, ids=str)
def test_wrong_options_are_refused_by_name(options: dict[str, Any], words: list[str]) -> None:
    assert_options_refused("deep_river_v0", options, words)


@pytest.mark.parametrize("tiles", ["bdsDtsb", "bbdDsst", "tttDbbb"])
def test_given_tiles_are_those_of_every_game(tiles: str) -> None:
    batch = make_batch("deep_river_v0", 20, seed=1, tiles=tiles)
    wanted = [int(LETTERS[letter]) for letter in tiles]
    assert batch.get_state()["table"]["tile"][:, 1:8].tolist() == [wanted] * 20


@pytest.mark.parametrize("faces", ["000", "010", "111"])
def test_given_faces_are_those_of_every_game(faces: str) -> None:
    batch = make_batch("deep_river_v0", 20, seed=1, faces=faces)
    assert batch.get_state()["table"]["face"].tolist() == [[int(face) for face in faces]] * 20


@pytest.mark.parametrize(("first", "seat"), [("salmon", 0), ("eel", 1)])
def test_who_is_given_begins_every_game(first: str, seat: int) -> None:
    batch = make_batch("deep_river_v0", 20, seed=1, first=first)
    assert (batch.seat == seat).all()
    assert set(make_batch("deep_river_v0", 20, seed=1).seat.tolist()) == {0, 1}


def test_what_is_given_leaves_the_rest_of_the_deal_alone() -> None:
    drawn = make_batch("deep_river_v0", 20, seed=1).get_state()["table"]
    for options, kept in (
        ({"tiles": "bdsDtsb"}, ("face", "first")),
        ({"faces": "010"}, ("tile", "first")),
        ({"first": "eel"}, ("tile", "face")),
    ):
        table = make_batch("deep_river_v0", 20, seed=1, **options).get_state()["table"]
        for name in kept:
            np.testing.assert_array_equal(table[name], drawn[name])
