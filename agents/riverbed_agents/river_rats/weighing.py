"""What a seat of River Rats makes of how things lie, in one coin: the worth of the game after the round."""

from riverbed_env.games.river_rats.rules.hands import ALL_RANKS, count_cards
from riverbed_env.games.river_rats.rules.modes import collective_count
from riverbed_env.games.river_rats.rules.rats import hand_to_fill
from riverbed_env.games.river_rats.rules.vocab import MAX_SEATS, NO_CARD, NOBODY, NUM_RANKS, JokerUse
from riverbed_env.kernels.compile import Record

from .observation_reader import kernel, known_collective
from .outlook import Bars, of_rank, outlook
from .stakes import JOKER_WORTH, of_pile

EARNED = 0.8  # of a joker's worth, for one that the prediction brings
KEEP_RANK = 0.0004  # of a card left in the hand for later rounds, by its rank
KEEP_GROUP = 0.004  # … for each card of its rank beside it
KEEP_SUIT = 0.001  # … for each card of its suit


@kernel
def list_scene(table: Record, own: Record, params: Record, pool: int, scene: Record) -> None:
    """Fill `scene` for the seat that is asked. pool: cards that it sees nowhere."""
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
def slots_left(table: Record, params: Record) -> int:
    """How many cards the collective hand still takes."""
    return hand_to_fill(table) - collective_count(table, params)


@kernel
def is_unknown(table: Record, own: Record) -> int:
    """1 with a card in the collective hand that another seat placed face-down."""
    return int(table["placer"] != NOBODY and own["placed"] == NO_CARD)


@kernel
def joker_played(table: Record, params: Record) -> int:
    """1 if a joker is one of the collective hand's cards."""
    return int(params["joker"] == JokerUse.CARD and table["joker_used"] > 0)


@kernel
def weigh(
    table: Record,
    own: Record,
    params: Record,
    cards: int,
    joker: int,
    slots: int,
    up: int,
    scene: Record,
    bars: Bars,
) -> tuple[float, float]:
    """The worth of the game with this collective hand, and the chance to win the round.

    cards: those of the hand that the seat knows; joker: 1 with one; slots: how many it still takes; up: jokers left.
    """
    winning, predicted = outlook(cards, joker, is_unknown(table, own), slots, scene, bars)
    worth = of_pile(table, params, int(table["pile_size"]), up, winning)
    if table["joker_down"] > 0:
        worth += predicted * JOKER_WORTH * EARNED
    return worth, winning


@kernel
def debt_gain(table: Record, params: Record, winning: float) -> float:
    """What another card of debt changes, at that chance to win the round."""
    pile = int(table["pile_size"])
    up = int(table["joker_up"])
    return of_pile(table, params, pile + 1, up, winning) - of_pile(table, params, pile, up, winning)


@kernel
def chance_now(table: Record, own: Record, params: Record, scene: Record, bars: Bars) -> float:
    """The chance to win the round as things lie."""
    cards = known_collective(table, own)
    slots = slots_left(table, params)
    winning, _ = outlook(cards, joker_played(table, params), is_unknown(table, own), slots, scene, bars)
    return winning


@kernel
def keeping(card: int, others: int) -> float:
    """What a card is worth in a hand, beside the others there, for rounds to come."""
    suit = card // NUM_RANKS
    rank = card % NUM_RANKS
    group = count_cards(others & of_rank(rank))
    suited = count_cards(others & (ALL_RANKS << (NUM_RANKS * suit)))
    return KEEP_RANK * rank + KEEP_GROUP * group + KEEP_SUIT * suited
