"""States that differ only in hidden facts give the same view, posterior and drawn state (RH-8.4)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from deduction.enumeration import roles_known
from deduction.happenings import down, settle
from deduction.positions import COUNTS, believed, drawn_games, games_of, layouts, picked, positions
from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.games.riverbed_hunt.rules.vocab import PUBLIC, Ending, Role

pytestmark = pytest.mark.compiled

Exchange = Callable[[np.void, np.void, int, np.random.Generator], None]


def others(game: np.void, seat: int) -> list[int]:
    return [other for other in range(int(game["table"]["num_players"])) if other != seat]


def exchange_roles(game: np.void, view: np.void, seat: int, rng: np.random.Generator) -> None:
    """Two seats whose roles the seat doesn't know swap them; with a card left over, one of them may take that."""
    known = roles_known(view)
    hidden = [other for other in others(game, seat) if known[other] == Role.UNKNOWN]
    roles = game["private"]["role"]
    choice = make_params(len(known))[0][0]["role_choice"]
    holders = [other for other in hidden if game["spare_role"] != Role.UNKNOWN and roles[other] in choice]
    if holders:
        kept = int(game["spare_role"])
        game["spare_role"] = roles[holders[0]]
        roles[holders[0]] = kept
    roles[hidden] = rng.permutation(roles[hidden])
    for viewer in others(game, seat):
        looked = game["private"][viewer]["looked"]
        for other in hidden:
            looked[other] = rng.choice([Role.UNKNOWN, roles[other]])


def exchange_tiles(game: np.void, view: np.void, seat: int, rng: np.random.Generator) -> None:
    """Two face-down tiles that the seat can't tell apart swap places; what the others know of tiles is changed."""
    possible = game["private"][seat]["possible"]
    pairs = [
        (first, second)
        for first in down(game)
        for second in down(game)
        if first < second
        and int(possible[game["tile_at"][first] - 1]) >> second & 1
        and int(possible[game["tile_at"][second] - 1]) >> first & 1
    ]
    if pairs:
        first, second = pairs[int(rng.integers(len(pairs)))]
        game["tile_at"][[first, second]] = game["tile_at"][[second, first]]
    for other in others(game, seat):
        own = game["private"][other]
        own["possible"] = game["private"][PUBLIC]["possible"]
        for space in down(game):
            if rng.random() < 0.3:
                own["possible"][int(game["tile_at"][space]) - 1] = 1 << space
        settle(own)


def exchange_cards(game: np.void, view: np.void, seat: int, rng: np.random.Generator) -> None:
    """The others' hands and the pile are dealt again."""
    pile = int(game["table"]["draw_pile"])
    cards = game["deck"][:pile].tolist()
    for other in others(game, seat):
        cards += np.repeat(np.arange(28), game["private"][other]["hand"]).tolist()
        game["private"][other]["hand"] = 0
    cards = rng.permutation(cards).astype(int).tolist()
    game["deck"][:pile] = [cards.pop() for _ in range(pile)]
    for other in others(game, seat):
        for _ in range(int(game["table"]["hand_size"][other])):
            game["private"][other]["hand"][cards.pop()] += 1


def exchange_chance(game: np.void, view: np.void, seat: int, rng: np.random.Generator) -> None:
    """Another game's seed, number and streams."""
    game["seed"], game["number"] = rng.integers(2**62, size=2)
    for stream in ("chance", "agents"):
        for part in ("key", "block", "drawn"):
            game[stream][part] = rng.integers(2**32)


EXCHANGES: tuple[Exchange, ...] = (exchange_roles, exchange_tiles, exchange_cards, exchange_chance)


def assert_alike(one: np.ndarray, two: np.ndarray, seats: np.ndarray, num_players: int, layout: str) -> None:
    """Both give the same views, posteriors and drawn states, byte for byte."""
    options = {"num_players": num_players, "layout": layout}
    views = [games_of(states, **options).look(seats) for states in (one, two)]
    assert views[0].tobytes() == views[1].tobytes()
    for model in ("playing", "uniform"):
        for draw in (believed, partial(drawn_games, seed=5)):
            first, second = (draw(each, model=model, **options) for each in views)
            assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("exchange", [*EXCHANGES, None])
@pytest.mark.parametrize("num_players", COUNTS)
def test_hidden_facts_exchanged_by_hand_change_nothing(num_players: int, exchange: Exchange | None) -> None:
    layout = layouts("default", num_players)[0]
    states = positions("default", num_players, layout)
    states = picked(states, states["table"]["ending"] == Ending.PLAYING)
    states = picked(states, np.arange(0, len(states), 3))
    rng = np.random.default_rng(num_players)
    seats = rng.integers(0, num_players, len(states))
    views = games_of(states, num_players=num_players, layout=layout).look(seats)
    changed = picked(states, np.arange(len(states)))
    for game, view, seat in zip(changed, views, seats.tolist(), strict=True):
        for change in EXCHANGES if exchange is None else (exchange,):
            change(game, view, seat, rng)
    apart = sum(one.tobytes() != two.tobytes() for one, two in zip(states, changed, strict=True))
    assert apart > len(states) / 2
    assert_alike(states, changed, seats, num_players, layout)


@pytest.mark.parametrize("num_players", COUNTS)
def test_a_drawn_state_gives_the_same_draws_as_the_truth(num_players: int) -> None:
    layout = layouts("default", num_players)[-1]
    options = {"num_players": num_players, "layout": layout}
    states = positions("default", num_players, layout)
    seats = np.arange(len(states)) % num_players
    views = games_of(states, **options).look(seats)
    first, second = (drawn_games(views, seed, **options) for seed in (1, 2))
    assert first.tobytes() != second.tobytes()
    assert_alike(first, second, seats, num_players, layout)
    assert_alike(first, states, seats, num_players, layout)
