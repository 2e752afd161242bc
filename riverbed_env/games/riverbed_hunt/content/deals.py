"""Every deal of a small game with its probability, for algorithms that need the whole tree."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import factorial, prod

import numpy as np

from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Records

from ..rules import vocab as v
from ..rules.setup import deal
from ..rules.state import GAME

MOST_DEALS = 10**6


def every_deal(params: Records) -> tuple[Records, Floats]:
    """All deals of RH-1 that differ in layout, roles, tiles or the order of the cards.

    Args:
        params: (1,), of one set of options.

    Returns:
        (n,) game records before the first decision, of game 0 of seed 0, and their probabilities, which sum to 1.

    Raises:
        OptionError: there are more than 1,000,000.
    """
    layouts = [int(params["fixed_layout"][0])]
    if layouts[0] < 0:
        layouts = list(range(int(params["num_layouts"][0])))
    roles = _role_deals(params)
    tiles = params["tiles"][0, : int(params["num_tiles"][0])].tolist()
    deck = np.repeat(np.arange(v.MAX_CARD_KINDS), params["copies"][0]).tolist()
    number = len(layouts) * len(roles) * _num_orders(tiles) * _num_orders(deck)
    if number > MOST_DEALS:
        raise OptionError(f"this game has {number:,} deals, too many to list; at most {MOST_DEALS:,} are allowed")
    games = np.zeros(number, GAME)
    orders = list(product(_orders(tiles), _orders(deck)))
    place = 0
    for layout, dealt in product(layouts, roles):
        first = _dealt(params, layout, dealt)
        for lying, cards in orders:
            games[place : place + 1] = first
            _lay(games[place], lying)
            _hand_out(games[place], cards, len(dealt))
            place += 1
    return games, np.full(number, 1 / number)


def _role_deals(params: Records) -> list[tuple[int, ...]]:
    """RH-1.2: the roles of the seats, each deal of them once and as likely as the others."""
    count = int(params["num_players"][0])
    cards, choice = params["role_cards"][0, :count].tolist(), params["role_choice"][0].tolist()
    pinned = params["pinned_role"][0, :count].tolist()
    drawn = [role for role in choice if role in pinned] or choice
    decks = [[*cards[:-1], role] for role in drawn] if choice[0] != v.Role.UNKNOWN else [cards]
    dealt = {roles for deck in decks for roles in _orders(deck)}
    return sorted(
        roles for roles in dealt if all(own in (v.Role.UNKNOWN, role) for own, role in zip(pinned, roles, strict=True))
    )


def _num_orders(items: Sequence[int]) -> int:
    """How many orders of the items can be told apart."""
    return factorial(len(items)) // prod(factorial(items.count(each)) for each in set(items))


def _orders(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The orders of the items that can be told apart."""
    if not items:
        yield ()
    for each in sorted(set(items)):
        rest = list(items)
        rest.remove(each)
        for tail in _orders(rest):
            yield (each, *tail)


def _dealt(params: Records, layout: int, roles: Sequence[int]) -> Records:
    """A deal by the engine with this layout and these roles."""
    chosen, games = params.copy(), np.zeros(1, GAME)
    chosen["fixed_layout"] = layout
    chosen["pinned_role"][0, : len(roles)] = roles
    deal(games[0], chosen[0], 0, 0)
    return games


def _lay(game: np.void, tiles: Sequence[int]) -> None:
    """RH-1.4: the tiles in this order on the spaces of the layout."""
    spaces = game["tile_at"] != v.NO_TILE
    game["tile_at"][spaces] = tiles


def _hand_out(game: np.void, cards: Sequence[int], num_players: int) -> None:
    """RH-1.5: a card for each player from the end of the deck."""
    left = len(cards) - num_players
    game["deck"][:left] = cards[:left]
    game["private"]["hand"][:] = 0
    for seat, card in enumerate(reversed(cards[left:])):
        game["private"]["hand"][seat, card] = 1
