"""The leak tests of a game: no seat is shown what it may not know, in any way in which something reaches it.

At random moments of random games, `HiddenWorlds` gives every seat a second world in which all that the seat may not
know is drawn again. Both must look the same, for as long as nothing that differs is rightly shown.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from riverbed_env.kernels.actions import WAIT
from riverbed_env.testing.conformance.options import option_id

from .channels import compare_worlds, everything
from .search import Report, searched
from .worlds import SOME, HiddenWorlds, fields_apart, make, moments_of, twin_env

Options = Mapping[str, Any]


class LeakTests:
    """Leak tests of one game, for each of its variants and numbers of players; `worlds` says what it hides."""

    worlds: ClassVar[HiddenWorlds]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give a test every variant of the game and every number of players."""
        game = self.worlds.game
        counts = range(game.min_players, game.max_players + 1)
        for name, values in {"variant": game.variants, "num_players": counts}.items():
            if name in metafunc.fixturenames:
                metafunc.parametrize(name, values, ids=option_id if name == "variant" else str)

    def test_a_twin_differs_in_what_is_hidden_and_in_nothing_else(self, variant: Options, num_players: int) -> None:
        worlds, env = self.worlds, make(self.worlds.game, num_players, **variant)
        assert set(worlds.needed) <= set(worlds.touches)
        for rng in moments_of(worlds, env):
            for seat, agent in enumerate(env.possible_agents):
                before = env._games.tobytes()
                other = twin_env(worlds, env, agent, rng)  # laid by set_state, which takes sound states alone
                assert env._games.tobytes() == before
                apart = fields_apart(env._games[0], other._games[0])
                assert {name for name, _ in apart} <= set(worlds.touches)
                assert not {name for name, place in apart if name.startswith("private") and place == seat}

    @pytest.mark.slow
    def test_worlds_that_differ_in_secrets_look_the_same(self, variant: Options, num_players: int) -> None:
        report = searched(self.worlds, num_players, 1, channels=everything(self.worlds), **variant)
        in_state = self.worlds.in_state and num_players > 1
        if report.compared > 20:
            assert {*self.worlds.needed, *(["state()"] if in_state else [])} <= report.varied.keys()
        assert report.alike == 0

    @pytest.mark.slow
    @pytest.mark.parametrize("auto_forced", ["public", "none"])
    def test_they_keep_looking_the_same(self, variant: Options, num_players: int, auto_forced: str) -> None:
        report = self.search_on(num_players, 1, 40, auto_forced=auto_forced, **variant)
        assert report.decisions > report.compared

    def test_a_game_that_is_cut_off_keeps_its_secrets(self) -> None:
        report = self.search_on(self.worlds.game.default_players, 8, 40, **self.worlds.cut_off)
        assert report.ends["over"] > 0

    def test_decisions_taken_for_the_mover_alone_tell_nothing(self) -> None:
        if self.worlds.forced_tells:
            pytest.skip('auto_forced="all" is documented to tell something')
        self.search_on(self.worlds.game.default_players, 2, 30, auto_forced="all")

    def search_on(self, num_players: int, games: int, steps: int, **options: Any) -> Report:
        """Search twins in parts, and follow them for some steps."""
        return searched(self.worlds, num_players, games, parts=SOME, steps=steps, **options)

    def test_a_game_that_an_illegal_action_ends_keeps_its_secrets(self) -> None:
        worlds = self.worlds
        env, channels = make(worlds.game, worlds.game.default_players, on_illegal="terminate"), everything(worlds)
        for rng in moments_of(worlds, env):
            agent = env.possible_agents[int(rng.integers(env.num_players))]
            one, two = env.clone(), twin_env(worlds, env, agent, rng)
            for each in (one, two):
                each.step(WAIT)
                assert each.terminations[agent]
            compare_worlds(one, two, agent, channels)
