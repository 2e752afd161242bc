"""What a `Game` declares."""

import numpy as np
import pytest

import riverbed_env
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from .kit import leaves
from .options import COUNTED, OneGame, cap_of, parameters, values

COMMON = {"num_players", "view", "rewards", "on_illegal", "auto_forced", "render_mode"}


class PartTests(OneGame):
    """The parts of a game fit together."""

    def test_it_is_found_by_its_versioned_name_and_its_plain_one(self, game_id: str) -> None:
        game = find_game(game_id)
        assert game.id == game_id
        assert find_game(game.name) is game
        with pytest.raises(OptionError, match=rf"{game.name}_v99.*did you mean '{game_id}'"):
            find_game(f"{game.name}_v99")

    def test_it_has_the_options_that_all_have(self, game_id: str) -> None:
        given = parameters(game_id)
        assert {*COMMON, cap_of(game_id)} <= set(given)
        assert given["num_players"].default == find_game(game_id).default_players

    def test_every_option_is_tried(self, game_id: str) -> None:
        few = {"num_players", "rewards", "view"}  # there may be one value of these
        forms = {"mask_in", "dtype"}  # what observations look like is the same code for all games
        untried = [
            name
            for name, given in parameters(game_id).items()
            if name not in few | forms and not values(game_id, name, given.default, self.option_values)
        ]
        assert not untried, f"give values of {', '.join(untried)} to try in option_values of {type(self).__name__}"
        assert set(self.option_values) <= set(parameters(game_id))

    def test_its_numbers_fit(self, game_id: str) -> None:
        game = find_game(game_id)
        assert 1 <= game.min_players <= game.default_players <= game.max_players
        assert game.views["history"] == game.observation.size >= game.views.get("now", 0)
        assert set(game.camp_of_role) == set(game.roles)
        assert set(game.camp_of_role.values()) == set(game.camps)
        assert set(game.rewards) <= {"win", "zero_sum"}
        assert game.actions.blocks[0].name == "WAIT"
        assert game.actions.blocks[0].size == 1
        assert game.dtype["seed"] == game.dtype["number"] == np.int64
        for pieces in (game.observation, game.state):
            assert len({piece.name for piece in pieces.pieces}) == len(pieces.pieces)
            assert all(len(piece.axes) in (0, len(piece.shape)) for piece in pieces.pieces)
            assert all(piece.low <= piece.high and piece.doc for piece in pieces.pieces)
        assert not any(piece.visibility == "nobody" for piece in game.observation.pieces)

    def test_every_game_has_roles_camps_and_columns(self, game_id: str, count: int) -> None:
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
        summary, scores = game.summary, range(game.max_players if game.summary.score else 0)
        named = {*summary.happened.values(), *summary.among.values(), *summary.means.values()}
        named |= {"winner", "nobody_won", "decisions", *(f"{summary.score}_{seat}" for seat in scores)}
        assert named <= columns.keys()
        np.testing.assert_array_equal(columns["game"], np.arange(5))
        np.testing.assert_array_equal(columns["truncated"], truncated)
        assert COUNTED[cap_of(game_id)] in columns

    def test_nothing_of_what_was_in_a_record_before_is_left_over(self, game_id: str) -> None:
        game = find_game(game_id)
        params, _ = game.make_params()
        clean = np.zeros(1, game.dtype)
        used = np.full(game.dtype.itemsize, 0x55, np.uint8).view(game.dtype)
        for games in (clean, used):
            game.kernels.reset(games[0], params[0], 5, 6)
        for name, _, at, kind in leaves(game.dtype):
            assert clean.tobytes()[at : at + kind.itemsize] == used.tobytes()[at : at + kind.itemsize], name
