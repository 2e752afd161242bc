"""The conformance tests that any game can have, for every registered game; and what the tools do with each."""

import pytest
from conformance.options import GAMES, OURS, OWN_VALUES, every_game, game_name
from typer.testing import CliRunner

import riverbed_env
from riverbed_env.entries import ENTRIES, register_game
from riverbed_env.errors import OptionError
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.conformance import GameTests
from riverbed_env.testing.conformance.options import parameters
from riverbed_lab.card import COMMON_OPTIONS, game_card
from riverbed_lab.cli.app import app


def suite_of(game_id: str) -> type[GameTests]:
    """The conformance tests of a game, as a class that pytest finds by its name."""
    name = f"Test{game_name(game_id).title().replace('_', '')}"
    return type(name, (GameTests,), {"game_id": game_id, "option_values": OWN_VALUES.get(game_id, {})})


globals().update({suite.__name__: suite for suite in map(suite_of, GAMES)})


def test_a_game_can_be_registered_again_but_its_name_not_taken() -> None:
    before = dict(ENTRIES)
    for game_id, entry in before.items():
        register_game(game_id, **vars(entry))
        with pytest.raises(ValueError, match=f"'{game_id}' is taken by"):
            register_game(game_id, **{**vars(entry), "game": "elsewhere:GAME"})
    assert before == ENTRIES


@every_game
def test_its_card_can_be_written(game_id: str) -> None:
    game = find_game(game_id)
    card = game_card(game)
    assert card.startswith(f"# {game.title}\n")
    for words in (game_id, game.registry_id, *(set(parameters(game_id)) - COMMON_OPTIONS), *game.roles):
        assert words in card
    hidden = (piece for piece in game.state.pieces if piece.visibility == "nobody")
    for piece in (*game.observation.pieces, *hidden):
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


def test_the_package_says_what_it_has() -> None:
    assert len(OURS) == 4
    assert {*OURS, "make_batch", "register_game", "Batch"} <= set(dir(riverbed_env))
    for game_id in OURS:
        assert getattr(riverbed_env, game_id) is entry_points(find_game(game_id))
    with pytest.raises(AttributeError, match="no_such_thing"):
        _ = riverbed_env.no_such_thing


def test_all_names_are_known() -> None:
    with pytest.raises(OptionError) as caught:
        find_game("chess")
    assert all(game_id in str(caught.value) for game_id in GAMES)
