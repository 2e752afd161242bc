"""Drawn states are as frequent as an enumeration says: tiles, roles, cards, and all of them together."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from deduction.enumeration import card_worlds, look_chances, placements, role_worlds
from deduction.happenings import down, look_at, stir, swap
from deduction.positions import PACKS, drawn_games, games_of, layouts, opened, picked, positions
from deduction.statistics import LEAST, chance_of_fit, count_rows
from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.games.riverbed_hunt.rules.vocab import NO_CARD, Choice, Question, Role

pytestmark = pytest.mark.compiled

DRAWS = 20_000


def draw(state: np.ndarray, seat: int, *, model: str = "uniform", draws: int = DRAWS, **options: Any) -> np.ndarray:
    """Many states drawn from what the seat sees."""
    view = games_of(state, **options).look(seat)
    return drawn_games(picked(view, np.zeros(draws, int)), seed=71, model=model, **options)


# --- tiles ----------------------------------------------------------------------------------------------------------


def known_but(state: np.ndarray, seat: int, hidden: list[int]) -> np.void:
    """The game of a state after the seat has looked at all tiles but those on some spaces."""
    game: np.void = state[0]
    for space in down(game):
        if space not in hidden:
            look_at(game, seat, space)
    return game


def across(game: np.void, rng: np.random.Generator) -> None:
    """Shuffles that share spaces, with swaps and a look between them."""
    stir(game, [3, 6, 7], rng)
    swap(game, 7, 12)
    stir(game, [7, 8, 12], rng)
    look_at(game, 0, 8)
    swap(game, 8, 0)


@pytest.mark.parametrize("sets", [[], [[1, 2, 3, 4]], [[1, 2, 3, 4], [4, 5, 6]], [[6, 7, 8], [10, 11, 12]], None])
def test_all_allowed_placements_are_equally_frequent(sets: list[list[int]] | None) -> None:
    """RH-8.3: the placements that the seat's table leaves open after shuffles of these sets of spaces."""
    state, rng = opened(7, seed=3), np.random.default_rng(8)
    game = known_but(state, 0, [0, 1, 2, 3])
    if sets is None:
        across(game, rng)
    for spaces in sets or []:
        stir(game, spaces, rng)
    allowed = placements(game["private"][0]["possible"])
    assert 20 <= len(allowed) <= 5000
    drawn = count_rows(draw(state, 0, num_players=7)["tile_at"])
    assert chance_of_fit(drawn, {tuple(row): 1 / len(allowed) for row in allowed.tolist()}) > LEAST


def looked_at_by_others(sets: list[list[int]]) -> tuple[np.ndarray, np.void]:
    """A state in which seat 0 knows all roles and most tiles, others have looked at the rest, and sets were shuffled.

    Returns the state and the view of seat 0.
    """
    state = opened(7, seed=3)
    game = known_but(state, 0, [0, 1, 2, 3, 9])
    game["table"]["position"][:4] = [5, 1, 2, 3]
    for seat, spaces in ((1, (0, 1, 9)), (2, (1, 2)), (3, (2, 3)), (4, (0, 9))):
        for space in spaces:
            look_at(game, seat, space)
    game["table"]["asks"][5] = 1 << 8 * 2  # seat 5 has asked seat 1
    game["table"]["choices"][2] = 1 << 8 * Choice.PASSED_OVER
    game["private"][0]["looked"][:7] = game["private"]["role"][:7]
    game["private"][0]["looked"][0] = Role.UNKNOWN
    for spaces in sets:
        stir(game, spaces, np.random.default_rng(8))
    return state, games_of(state, num_players=7).look(0)[0]


@pytest.mark.parametrize("sets", [[], [[1, 2, 3, 4]]])
def test_placements_are_as_frequent_as_the_looks_at_them_make_likely(sets: list[list[int]]) -> None:
    state, view = looked_at_by_others(sets)
    params = make_params(7)[0][0]
    allowed = placements(view["private"]["possible"])
    chances = look_chances(view, params, state[0]["private"]["role"][:7].tolist(), allowed)
    assert chances.max() > 3 * chances.min()
    drawn = count_rows(draw(state, 0, model="playing", num_players=7)["tile_at"])
    assert chance_of_fit(drawn, dict(zip(map(tuple, allowed.tolist()), chances.tolist(), strict=True))) > LEAST


# --- roles ----------------------------------------------------------------------------------------------------------


def busy_views(pack: str, num_players: int, layout: str, most: int) -> list[tuple[np.ndarray, int]]:
    """States in which much has been asked and done, each with a seat."""
    states = positions(pack, num_players, layout)
    playing = picked(states, states["table"]["question"] == Question.TURN)
    busiest = np.argsort(-playing["table"]["decisions"], kind="stable")[:: max(1, len(playing) // most)][:most]
    return [(picked(playing, [place]), int(number) % num_players) for number, place in enumerate(busiest)]


MORE_TABLES = (("default", 4), ("default", 5), ("default", 9), ("otherwise", 6))


@pytest.mark.parametrize("model", ["uniform", "playing"])
@pytest.mark.parametrize(
    ("pack", "num_players"),
    [("default", 7), ("nested", 6), *(pytest.param(*table, marks=pytest.mark.slow) for table in MORE_TABLES)],
)
def test_whole_deals_of_roles_are_as_frequent_as_their_weights(pack: str, num_players: int, model: str) -> None:
    """RH-1.2: jointly, the card left over with them."""
    layout = layouts(pack, num_players)[0]
    options = {"num_players": num_players, "pack": PACKS[pack], "layout": layout}
    params = make_params(**options)[0][0]
    tried = 0
    for state, seat in busy_views(pack, num_players, layout, 5):
        view = games_of(state, **options).look(seat)[0]
        deals, chances = role_worlds(view, params, model)
        if (chances > 1e-3).sum() < 2:
            continue
        tried += 1
        drawn = draw(state, seat, model=model, draws=8_000, **options)
        rows = np.column_stack([drawn["private"]["role"][:, :num_players], drawn["spare_role"]])
        wanted = dict(zip(map(tuple, deals.tolist()), chances.tolist(), strict=True))
        assert chance_of_fit(count_rows(rows), wanted) > LEAST
    assert tried >= 3


# --- cards ----------------------------------------------------------------------------------------------------------

COPIES = make_params(5)[0][0]["copies"].astype(int)
COMMON, PAIR = (int(kind) for kind in np.argsort(-COPIES, kind="stable")[:2])
UNSEEN = (COMMON, PAIR, PAIR, COMMON, int(COPIES.nonzero()[0][-1]), COMMON)
HAND_SIZES = (0, 2, 0, 1, 0)  # of the other seats; seat 0's own hand is seen


def few_cards_unseen() -> np.ndarray:
    """A game in which all cards but UNSEEN lie on the discard pile; seats 1 and 3 hold cards, the pile has the rest."""
    state = opened(5, seed=9)
    game = state[0]
    counts = Counter(UNSEEN)
    game["private"]["hand"] = 0
    left = iter(UNSEEN)
    for seat, size in enumerate(HAND_SIZES):
        game["table"]["hand_size"][seat] = size
        for _ in range(size):
            game["private"][seat]["hand"][next(left)] += 1
    rest = list(left)
    game["deck"] = NO_CARD
    game["deck"][: len(rest)] = rest
    game["table"]["draw_pile"] = len(rest)
    game["table"]["discard_pile"] = [int(COPIES[kind]) - counts[kind] for kind in range(len(COPIES))]
    own = next(kind for kind in range(len(COPIES)) if game["table"]["discard_pile"][kind] > 0)
    game["table"]["discard_pile"][own] -= 1
    game["private"][0]["hand"][own] = 1
    game["table"]["hand_size"][0] = 1
    return state


def test_hands_and_the_order_of_the_pile_are_as_frequent_as_dealt_cards() -> None:
    """RH-1.5: each order of the unseen cards is as likely, copies told apart."""
    state = few_cards_unseen()
    drawn = draw(state, 0, num_players=5)
    pile = len(UNSEEN) - sum(HAND_SIZES)
    assert (drawn["deck"][:, pile:] == NO_CARD).all()
    hands = drawn["private"]["hand"][:, [1, 3]].reshape(DRAWS, -1)
    orders = card_worlds(UNSEEN, [2, 1])
    chances: Counter[tuple[int, ...]] = Counter()
    width = drawn["private"]["hand"].shape[2]
    for (first, second, deck), ways in orders.items():
        counts = [0] * (2 * width)
        for kind in first:
            counts[kind] += 1
        for kind in second:
            counts[width + kind] += 1
        chances[*counts, *deck] += ways
    total = chances.total()
    observed = count_rows(np.column_stack([hands, drawn["deck"][:, :pile]]))
    assert chance_of_fit(observed, {cell: ways / total for cell, ways in chances.items()}) > LEAST


# --- together -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["uniform", "playing"])
def test_roles_tiles_and_cards_are_drawn_independently(model: str) -> None:
    state = few_cards_unseen()
    game = known_but(state, 0, down(state[0])[:3])
    params = make_params(5)[0]
    view = games_of(state, num_players=5).look(0)[0]
    deals, chances = role_worlds(view, params[0], model)
    tiles = placements(game["private"][0]["possible"])
    tops = {kind: count / len(UNSEEN) for kind, count in Counter(UNSEEN).items()}
    wanted = {
        (*deal, *row, top): chance / len(tiles) * share
        for deal, chance in zip(map(tuple, deals.tolist()), chances.tolist(), strict=True)
        for row in map(tuple, tiles.tolist())
        for top, share in tops.items()
    }
    assert len(wanted) >= 100
    drawn = draw(state, 0, model=model, num_players=5)
    pile = int(game["table"]["draw_pile"])
    rows = [drawn["private"]["role"][:, :5], drawn["spare_role"], drawn["tile_at"], drawn["deck"][:, pile - 1]]
    assert chance_of_fit(count_rows(np.column_stack(rows)), wanted) > LEAST
