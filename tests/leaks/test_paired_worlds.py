"""No game of the registry shows a seat what it may not know, in any way in which something reaches it.

At random moments of random games a second world is made for every seat, in which all that the seat may not know is
redrawn (`hidden`, written from the rules). Both must look the same, and keep doing so for as long as nothing that
differs is shown. A game that is registered gets these tests as soon as its hidden worlds are entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hidden import hidden_worlds, known_games
from hidden.fields import fields_apart
from reach import everything, follow, make, record_of, searched, twin_env, twin_in_part
from together import moments_of, search_paces, search_parallel, search_steps

from riverbed_env.core.game import Game
from riverbed_env.entries import ENTRIES, Entry
from riverbed_env.kernels.actions import WAIT
from riverbed_env.registry import find_game, game_ids
from riverbed_env.testing.leaks import compare_worlds

Options = Mapping[str, Any]


def tables(simultaneous: bool = False) -> list[Any]:
    """Every game with each of its variants and each number of players; or those with simultaneous choices alone."""
    return [
        pytest.param(
            game, variant, num_players, id="-".join([game.name, *map(str, variant.values()), str(num_players)])
        )
        for game in map(find_game, known_games())
        for variant in game.variants
        for num_players in range(max(game.min_players, 1 + simultaneous), game.max_players + 1)
        if game.simultaneous or not simultaneous
    ]


ALL_TABLES = pytest.mark.parametrize(("game", "variant", "num_players"), tables())
SIMULTANEOUS = pytest.mark.parametrize(("game", "variant", "num_players"), tables(simultaneous=True))
EVERY_GAME = pytest.mark.parametrize("game", [pytest.param(find_game(name), id=name) for name in known_games()])


# --- a game's hidden worlds -------------------------------------------------------------------------------------------


def test_every_game_of_the_registry_says_what_it_hides() -> None:
    for game_id in game_ids():
        worlds = hidden_worlds(game_id)
        assert set(worlds.needed) <= set(worlds.touches)
        assert find_game(game_id).simultaneous == (worlds.any_pace is not None)


def test_a_game_that_doesnt_is_refused_with_what_to_add(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Entry("games.fifth:FIFTH", "envs.fifth_v0", "view.fifth", "riverbed/Fifth-v0")
    monkeypatch.setitem(ENTRIES, "fifth_v0", entry)
    assert "fifth_v0" in game_ids()
    with pytest.raises(LookupError, match=r"what fifth_v0 hides.*twin, TOUCHES and told.*enter\('fifth_v0'"):
        hidden_worlds("fifth_v0")


@ALL_TABLES
def test_a_twin_differs_in_what_is_hidden_and_in_nothing_else(game: Game, variant: Options, num_players: int) -> None:
    worlds, env = hidden_worlds(game.id), make(game, num_players, **variant)
    for rng in moments_of(env):
        for seat, agent in enumerate(env.possible_agents):
            before = record_of(env)
            other = twin_env(env, agent, rng)  # laid by set_state, which takes sound states alone
            assert env._games.tobytes() == before.tobytes()
            found = fields_apart(env._games[0], other._games[0])
            assert {name for name, _ in found} <= set(worlds.touches)
            assert not {name for name, place in found if name.startswith("private") and place == seat}


# --- worlds that look the same ----------------------------------------------------------------------------------------


@pytest.mark.slow
@ALL_TABLES
def test_worlds_that_differ_in_secrets_look_the_same(game: Game, variant: Options, num_players: int) -> None:
    report = searched(game, num_players, 1, channels=everything(game), **variant)
    worlds = hidden_worlds(game.id)
    needed = set(worlds.needed) | ({"state()"} if worlds.in_state and num_players > 1 else set())
    if report.compared > 20:
        assert needed <= report.varied.keys()
    assert report.alike == 0


@pytest.mark.slow
@pytest.mark.parametrize("auto_forced", ["public", "none"])
@ALL_TABLES
def test_they_go_on_looking_the_same(game: Game, variant: Options, num_players: int, auto_forced: str) -> None:
    watched = follow(game, 40)
    report = searched(game, num_players, 1, twin=twin_in_part, follow=watched, auto_forced=auto_forced, **variant)
    assert report.decisions > report.compared


@EVERY_GAME
def test_a_game_that_is_cut_off_goes_on_hiding_it(game: Game) -> None:
    options = dict(hidden_worlds(game.id).cut_off)
    report = searched(game, game.default_players, 8, twin=twin_in_part, follow=follow(game, 40), **options)
    assert report.ends["over"] > 0


@pytest.mark.parametrize("game_id", [name for name in known_games() if not hidden_worlds(name).forced_tells])
def test_decisions_taken_for_the_mover_alone_tell_nothing_unless_it_is_said(game_id: str) -> None:
    game = find_game(game_id)
    searched(game, game.default_players, 2, twin=twin_in_part, follow=follow(game, 30), auto_forced="all")


@EVERY_GAME
def test_a_game_that_an_illegal_action_ends_goes_on_hiding_it(game: Game) -> None:
    env, channels = make(game, game.default_players, on_illegal="terminate"), everything(game)
    for rng in moments_of(env):
        agent = env.possible_agents[int(rng.integers(env.num_players))]
        one, two = env.clone(), twin_env(env, agent, rng)
        for each in (one, two):
            each.step(WAIT)
            assert each.terminations[agent]
        compare_worlds(one, two, agent, channels)


# --- simultaneous choices ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@SIMULTANEOUS
def test_a_view_doesnt_tell_who_is_still_choosing(game: Game, variant: Options, num_players: int) -> None:
    assert search_paces(game, variant, num_players) > 0


@pytest.mark.slow
@SIMULTANEOUS
def test_in_parallel_nothing_shows_until_the_phase_is_over(game: Game, variant: Options, num_players: int) -> None:
    assert search_parallel(game, variant, num_players) > 0


@SIMULTANEOUS
def test_later_seats_of_a_step_see_nothing_of_earlier_choices(game: Game, variant: Options, num_players: int) -> None:
    assert search_steps(game, variant, num_players) > 0
