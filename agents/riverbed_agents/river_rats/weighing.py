"""The value of a collective hand of River Rats, as the value of the game after the round."""

from riverbed_env.games.river_rats.rules.hands import ALL_RANKS, count_cards
from riverbed_env.games.river_rats.rules.modes import collective_count
from riverbed_env.games.river_rats.rules.piles import hand_to_fill
from riverbed_env.games.river_rats.rules.vocab import MAX_SEATS, NO_CARD, NOBODY, NUM_RANKS, JokerUse
from riverbed_env.kernels.compile import Record

from .game_value import JOKER_WORTH, round_value
from .kernels import kernel
from .outlook import RatHands, of_rank, outlook

EARNED = 0.8  # share of a joker's worth that counts for a joker won by the prediction
KEEP_RANK = 0.0004  # worth of a card kept for later rounds, times its rank
KEEP_GROUP = 0.004  # … for each other card of its rank
KEEP_SUIT = 0.001  # … for each other card of its suit


@kernel
def read_scene(table: Record, own: Record, params: Record, pool: int, scene: Record) -> None:
    """Fill `scene` for the seat to act. pool: the cards it can't see, as a set."""
    seat = int(table["asked"])
    shown = int(table["market"])
    for other in range(MAX_SEATS):
        if other != seat:
            shown |= int(table["taken"][other])
    scene["own"] = own["hand"]
    scene["open"] = shown
    scene["pool"] = pool
    scene["pool_size"] = max(1, count_cards(pool))
    scene["players"] = table["num_players"]
    scene["fill"] = hand_to_fill(table)
    scene["predicted"] = table["prediction"]
    scene["prediction"] = params["prediction"]


@kernel
def known_collective(table: Record, own: Record) -> int:
    """The cards of the collective hand that a seat knows, as a set, without jokers."""
    cards = int(table["collective"]) | int(table["revealed"])
    if own["placed"] != NO_CARD and table["placer"] != NOBODY:
        cards |= 1 << int(own["placed"])
    return cards


@kernel
def slots_left(table: Record, params: Record) -> int:
    """The number of cards that the collective hand still takes."""
    return hand_to_fill(table) - collective_count(table, params)


@kernel
def is_unknown(table: Record, own: Record) -> int:
    """1 if another seat has placed a card of the collective hand face-down, else 0."""
    return int(table["placer"] != NOBODY and own["placed"] == NO_CARD)


@kernel
def joker_played(table: Record, params: Record) -> int:
    """1 if a joker is in the collective hand, else 0."""
    return int(params["joker"] == JokerUse.CARD and table["joker_used"] > 0)


@kernel
def weigh(
    table: Record, own: Record, params: Record, cards: int, joker: int, slots: int, scene: Record, rat_hands: RatHands
) -> tuple[float, float]:
    """The value of the game with this collective hand, and the chance to win the round.

    cards: the cards of the hand that the seat knows, as a set; joker: 1 if it has one; slots: cards still to come.
    """
    up = int(table["joker_up"]) - int(joker > joker_played(table, params))
    winning, predicted = outlook(cards, joker, is_unknown(table, own), slots, scene, rat_hands)
    worth = round_value(table, params, int(table["pile_size"]), up, winning)
    if table["joker_down"] > 0:
        worth += predicted * JOKER_WORTH * EARNED
    return worth, winning


@kernel
def debt_gain(table: Record, params: Record, winning: float) -> float:
    """What another card of debt adds to the value of the game, given the chance to win the round."""
    pile = int(table["pile_size"])
    up = int(table["joker_up"])
    return round_value(table, params, pile + 1, up, winning) - round_value(table, params, pile, up, winning)


@kernel
def chance_now(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> float:
    """The current chance to win the round."""
    cards = known_collective(table, own)
    slots = slots_left(table, params)
    winning, _ = outlook(cards, joker_played(table, params), is_unknown(table, own), slots, scene, rat_hands)
    return winning


@kernel
def keeping(card: int, others: int) -> float:
    """What a card is worth for later rounds. others: the cards that it is kept with, as a set."""
    suit = card // NUM_RANKS
    rank = card % NUM_RANKS
    group = count_cards(others & of_rank(rank))
    suited = count_cards(others & (ALL_RANKS << (NUM_RANKS * suit)))
    return KEEP_RANK * rank + KEEP_GROUP * group + KEEP_SUIT * suited
