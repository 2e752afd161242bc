"""What of a deal nobody has seen could as well lie the other way round: tiles, roles, cards and chance in play.

A deal is as likely as the one that `exchange` makes of it, and the way back is as likely as the way there. So a chain
of exchanges that keeps what a seat saw visits the deals that the seat can't exclude, each as often as it is likely.
"""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import CHANCE, below, draw, open_stream

from . import kernel
from .vocab import NUM_SPACES, Role

MOST_AT_ONCE = 4  # exchanges


@kernel
def exchange(game: Record, params: Record, stream: Record) -> bool:
    """RH-1.2, RH-1.4, RH-1.5: exchange one to four pairs of hidden things of a deal before its first decision.

    Returns False if all of them were alike.
    """
    changed = False
    times = 1
    while times < MOST_AT_ONCE and below(stream, 2) == 0:
        times += 1
    for _ in range(times):
        kind = below(stream, 8)
        if kind < 3:
            changed |= exchange_tiles(game, stream)
        elif kind < 6:
            changed |= exchange_roles(game, params, stream)
        elif kind < 7:
            changed |= exchange_cards(game, stream)
        else:
            open_stream(game["chance"], draw(stream), draw(stream), CHANCE)
            changed = True
    return changed


@kernel
def exchange_tiles(game: Record, stream: Record) -> bool:
    """RH-1.4: exchange the tiles of two spaces; an empty space changes nothing."""
    first = below(stream, NUM_SPACES)
    second = below(stream, NUM_SPACES)
    both = (1 << first) | (1 << second)
    if first == second or int(game["table"]["occupied"]) & both != both:
        return False
    tile_at = game["tile_at"]
    tile_at[first], tile_at[second] = tile_at[second], tile_at[first]
    return True


@kernel
def exchange_roles(game: Record, params: Record, stream: Record) -> bool:
    """RH-1.2: exchange the role cards of two seats, or of a seat and the card left over with 4 players."""
    num_players = int(params["num_players"])
    first = below(stream, num_players)
    second = below(stream, num_players + int(game["spare_role"] != Role.UNKNOWN))
    if not may_change(game, params, first) or (second < num_players and not may_change(game, params, second)):
        return False
    role = int(game["private"][first]["role"])
    if second < num_players:
        other = int(game["private"][second]["role"])
        game["private"][first]["role"] = other
        game["private"][second]["role"] = role
        return role != other
    if role != params["role_choice"][0] and role != params["role_choice"][1]:
        return False
    game["private"][first]["role"] = game["spare_role"]
    game["spare_role"] = role
    return True


@kernel
def may_change(game: Record, params: Record, seat: int) -> bool:
    """RH-1.3: whether a seat's role card is hidden and was dealt by chance."""
    return bool(game["private"][seat]["role"] != Role.CHIEF and params["pinned_role"][seat] == Role.UNKNOWN)


@kernel
def exchange_cards(game: Record, stream: Record) -> bool:
    """RH-1.5: exchange the only card of two hands, of a hand and a place of the draw pile, or of two places."""
    hands = int(game["table"]["num_players"])
    places = hands + int(game["table"]["draw_pile"])
    first = below(stream, places)
    second = below(stream, places)
    first_card = card_at(game, first, hands)
    second_card = card_at(game, second, hands)
    if first_card == second_card:
        return False
    put_card(game, first, hands, first_card, second_card)
    put_card(game, second, hands, second_card, first_card)
    return True


@kernel
def card_at(game: Record, place: int, hands: int) -> int:
    """The card in a hand, if place is below the number of hands, or in the draw pile."""
    if place >= hands:
        return int(game["deck"][place - hands])
    return int(game["private"][place]["hand"].argmax())


@kernel
def put_card(game: Record, place: int, hands: int, old: int, new: int) -> None:
    """Put a card in place of another one into a hand or the draw pile."""
    if place >= hands:
        game["deck"][place - hands] = new
    else:
        game["private"][place]["hand"][old] = int(game["private"][place]["hand"][old]) - 1
        game["private"][place]["hand"][new] = int(game["private"][place]["hand"][new]) + 1
