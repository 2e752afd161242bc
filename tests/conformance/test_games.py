"""What a game says of itself, for every game that is entered: its parts fit, its card can be written, it is listed."""

from __future__ import annotations

import numpy as np
import pytest
from conformance.conformance_forgery import leaves
from conformance.options import (
    COUNTED,
    GAMES,
    OWN_VALUES,
    cap_of,
    every_game,
    every_table,
    parameters,
    values,
)
from typer.testing import CliRunner

import riverbed_env
from riverbed_env.entries import ENTRIES, register_game
from riverbed_env.errors import OptionError
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.registry import find_game
from riverbed_lab.card import game_card
from riverbed_lab.cli.app import app

COMMON = {"num_players", "view", "rewards", "on_illegal", "auto_forced", "max_cycles", "render_mode"}


@every_game
def test_it_is_found_by_its_versioned_name_and_its_plain_one(game_id: str) -> None:
    game = find_game(game_id)
    assert game.id == game_id
    assert find_game(game.name) is game
    with pytest.raises(OptionError, match=rf"{game.name}_v99.*did you mean '{game_id}'"):
        find_game(f"{game.name}_v99")


def test_a_game_can_be_entered_again_but_its_name_not_taken() -> None:
    before = dict(ENTRIES)
    for game_id, entry in before.items():
        register_game(game_id, **vars(entry))
        with pytest.raises(ValueError, match=f"'{game_id}' is taken by"):
            register_game(game_id, **{**vars(entry), "game": "elsewhere:GAME"})
    assert before == ENTRIES


@every_game
def test_it_has_the_options_that_all_have(game_id: str) -> None:
    given = parameters(game_id)
    assert {*COMMON, cap_of(game_id)} <= set(given)
    assert given["num_players"].default == find_game(game_id).default_players


@every_game
def test_every_option_is_tried(game_id: str) -> None:
    untried = [
        name
        for name, given in parameters(game_id).items()
        if name != "num_players" and not list(values(game_id, name, given.default)) and name != "rewards"
    ]
    assert not untried, f"give values to try of {', '.join(untried)} of {game_id} in OWN_VALUES"
    assert set(OWN_VALUES.get(game_id, {})) <= set(parameters(game_id))


@every_game
def test_its_numbers_fit(game_id: str) -> None:
    game = find_game(game_id)
    assert 1 <= game.min_players <= game.default_players <= game.max_players
    assert game.views["now"] < game.views["history"] == game.observation.size
    assert set(game.camp_of_role) == set(game.roles)
    assert set(game.camp_of_role.values()) == set(game.camps)
    assert set(game.rewards) <= {"win", "zero_sum"}
    assert game.actions.blocks[0].name == "WAIT"
    assert game.actions.blocks[0].size == 1
    assert game.dtype["seed"] == game.dtype["number"] == np.int64
    pieces: PieceTable
    for pieces in (game.observation, game.state):
        assert len({piece.name for piece in pieces.pieces}) == len(pieces.pieces)
        assert all(len(piece.axes) in (0, len(piece.shape)) for piece in pieces.pieces)
        assert all(piece.low <= piece.high and piece.doc for piece in pieces.pieces)
    assert not any(piece.visibility == "nobody" for piece in game.observation.pieces)


@every_table
def test_roles_camps_and_columns_are_told_of_every_game(game_id: str, count: int) -> None:
    game = find_game(game_id)
    batch = riverbed_env.make_batch(game_id, 5, seed=1, num_players=count, auto_reset=False)
    truncated = np.zeros(5, np.bool_)
    while batch.acting.any():
        batch.step(batch.random_actions())
        truncated |= batch.truncated
    games = batch.get_state()
    roles, camps, columns = game.roles_of(games), game.camps_present(games), game.columns(games)
    assert roles.shape == (5, count)
    assert roles.dtype == np.int8
    assert ((roles >= 0) & (roles < len(game.roles))).all()
    assert camps.shape == (5, len(game.camps))
    for index, seats in enumerate(roles):
        present = {game.camp_of_role[game.roles[int(role)]] for role in seats}
        assert present == {camp for number, camp in enumerate(game.camps) if camps[index, number]}
    assert all(len(column) == 5 for column in columns.values())
    np.testing.assert_array_equal(columns["game"], np.arange(5))
    np.testing.assert_array_equal(columns["truncated"], truncated)
    assert {
        *game.summary.happened.values(),
        *game.summary.among.values(),
        *game.summary.means.values(),
    } <= set(columns)
    assert COUNTED[cap_of(game_id)] in columns
    if game.summary.score:
        assert all(f"{game.summary.score}_{seat}" in columns for seat in range(count))


@every_table
def test_what_a_cap_counts_is_what_the_columns_say(game_id: str, count: int) -> None:
    for cap in (1, 3):
        batch = riverbed_env.make_batch(
            game_id, 3, seed=1, num_players=count, auto_forced="none", auto_reset=False, **{cap_of(game_id): cap}
        )
        while batch.acting.any():
            batch.step(batch.random_actions())
            np.testing.assert_array_equal(batch.truncated, batch.done)
        columns = find_game(game_id).columns(batch.get_state())
        assert columns[COUNTED[cap_of(game_id)]].tolist() == [cap] * 3
        assert (columns["winner"] == -1).all()


@every_game
def test_nothing_of_what_was_in_a_record_before_is_left_over(game_id: str) -> None:
    game = find_game(game_id)
    params, _ = game.make_params()
    clean = np.zeros(1, game.dtype)
    used = np.full(game.dtype.itemsize, 0x55, np.uint8).view(game.dtype)
    for games in (clean, used):
        game.loop("deal_one")(games, params, 5, 6)
    for (name, record, field), (_, other, _) in zip(leaves(clean[0]), leaves(used[0]), strict=True):
        np.testing.assert_array_equal(record[field], other[field], err_msg=name)


@every_game
def test_its_card_can_be_written(game_id: str) -> None:
    game = find_game(game_id)
    card = game_card(game)
    assert card.startswith(f"# {game.title}\n")
    for words in (game_id, game.registry_id, *parameters(game_id), *game.roles):
        assert words in card
    for piece in (*game.observation.pieces, *game.state.pieces):
        assert f"`{piece.name}`" in card
    for block in game.actions.blocks:
        assert f"| {block.name} |" in card


@every_game
def test_the_command_lists_it(game_id: str) -> None:
    done = CliRunner().invoke(app, ["games"])
    assert done.exit_code == 0
    assert any(line.split()[:1] == [game_id] for line in done.output.splitlines())


@every_game
def test_it_is_an_attribute_of_the_package(game_id: str) -> None:
    """As its card says: from riverbed_env import <name>."""
    assert getattr(riverbed_env, game_id).__name__ == ENTRIES[game_id].env


def test_all_names_are_known() -> None:
    with pytest.raises(OptionError) as caught:
        find_game("chess")
    assert all(game_id in str(caught.value) for game_id in GAMES)
