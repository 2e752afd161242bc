"""What a seat can conclude, by slow enumeration of all deals of roles, placements of tiles and orders of cards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise, permutations
from math import factorial, prod

import numpy as np

from riverbed_env.games.riverbed_hunt.deduction.posterior import ASKED, TALLIES
from riverbed_env.games.riverbed_hunt.deduction.weights import LOOKS
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    MIN_PLAYERS,
    NUM_ROLES,
    NUM_SPACES,
    NUM_TILES,
    Choice,
    Role,
    Source,
)

MOST_TALLY, MOST_ASKS = 8, 8
DECLARED = {int(Source.HUNT): Role.LEADER, int(Source.CON): Role.PROFITEER}

# --- roles ----------------------------------------------------------------------------------------------------------


def roles_known(view: np.void) -> list[int]:
    """RH-8.1, RH-8.2: the role of each seat as the observer knows it, or UNKNOWN."""
    table, own, observer = view["table"], view["private"], int(view["seat"])
    count = int(table["num_players"])
    known = [max(int(table["role"][seat]), int(own["looked"][seat])) for seat in range(count)]
    known[observer] = int(own["role"])
    for frame in table["frames"][: int(table["depth"])]:
        if int(frame["source"]) in DECLARED:  # all heard it; the card is turned after the discard
            known[int(frame["carrier"])] = DECLARED[int(frame["source"])]
    return known


@cache
def all_deals(cards: tuple[int, ...], choice: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """RH-1.2: every deal of the role cards: roles by seat and the spare one (d, players + 1), and its chance (d,)."""
    deals: dict[tuple[int, ...], float] = {}
    drawn = [(cards, int(Role.UNKNOWN))]
    if choice[0] != Role.UNKNOWN:
        drawn = [((*cards[:-1], mine), spare) for mine, spare in (choice, choice[::-1])]
    for dealt, spare in drawn:
        alike = prod(factorial(copies) for copies in Counter(dealt).values())
        for roles in _distinct(Counter(dealt)):
            deals[*roles, spare] = alike / factorial(len(dealt)) / len(drawn)
    return np.array(list(deals)), np.array(list(deals.values()))


def _distinct(cards: Counter[int]) -> Iterator[tuple[int, ...]]:
    """The different orders of the cards."""
    if not cards.total():
        yield ()
    for card in [card for card, copies in cards.items() if copies]:
        for rest in _distinct(cards - Counter([card])):
            yield card, *rest


def role_worlds(view: np.void, params: np.void, model: str) -> tuple[np.ndarray, np.ndarray]:
    """The deals that agree with what the view's seat knows, (d, players + 1) as of `all_deals`, and their chances."""
    count = int(params["num_players"])
    deals, chances = all_deals(
        tuple(int(role) for role in params["role_cards"][:count]), tuple(int(role) for role in params["role_choice"])
    )
    known = np.array(roles_known(view))
    agree = ((deals[:, :count] == known) | (known == Role.UNKNOWN)).all(axis=1)
    deals, chances = deals[agree], chances[agree]
    if model == "playing":
        chances = chances * likelihood(view["table"], deals[:, :count])
    return deals, chances / chances.sum()


def likelihood(table: np.void, deals: np.ndarray) -> np.ndarray:
    """The published factors multiplied: of every seat's tallies, and of every seat's asking every other."""
    count = deals.shape[1]
    tallies = np.stack([signed_bytes(table["deeds"]), signed_bytes(table["choices"])], axis=1).reshape(-1, 16)
    asks = signed_bytes(table["asks"])
    log = np.zeros(len(deals))
    for seat in range(count):
        clipped = np.clip(tallies[seat], -MOST_TALLY, MOST_TALLY)
        log += TALLIES[count - MIN_PLAYERS, deals[:, seat]] @ clipped
        for clockwise in range(1, count):
            other = (seat + clockwise) % count
            often = min(MOST_ASKS, int(asks[seat, clockwise - 1]))
            log += np.log(ASKED[count - MIN_PLAYERS, often, deals[:, seat], deals[:, other]])
    return np.exp(log)


def signed_bytes(words: np.ndarray) -> np.ndarray:
    """The counters in 64-bit words, lowest byte first: -128 to 127."""
    return np.ascontiguousarray(words).astype("<i8").view(np.int8).reshape(len(words), 8).astype(int)


def marginals(deals: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """The chance of each seat's having each role, (players, NUM_ROLES)."""
    seats = deals[:, :-1]
    return np.stack([chances @ (seats == role) for role in range(NUM_ROLES)], axis=1)


# --- tiles ----------------------------------------------------------------------------------------------------------


def spaces_of(row: int) -> list[int]:
    """The spaces whose bits are set."""
    return [space for space in range(NUM_SPACES) if int(row) >> space & 1]


def placements(possible: Iterable[int]) -> np.ndarray:
    """Every way to give each tile a space of its row, no two the same: the tiles by space, (p, NUM_SPACES)."""
    rows = sorted((spaces_of(row), tile + 1) for tile, row in enumerate(possible) if row)
    rows.sort(key=lambda row: len(row[0]))
    found = []

    def place(number: int, tile_at: tuple[int, ...]) -> None:
        if number == len(rows):
            found.append(tile_at)
            return
        spaces, tile = rows[number]
        for space in spaces:
            if not tile_at[space]:
                place(number + 1, (*tile_at[:space], tile, *tile_at[space + 1 :]))

    place(0, (0,) * NUM_SPACES)
    return np.array(found)


def tile_shares(possible: Sequence[int]) -> np.ndarray:
    """Of all placements the share in which each tile lies on each space, (NUM_TILES, NUM_SPACES).

    Counted over subsets of spaces: ways to lay the first k tiles on each subset, and the others on the rest.
    """
    tiles = [tile for tile in range(NUM_TILES) if possible[tile]]
    rows = [spaces_of(possible[tile]) for tile in tiles]
    before, behind = _ways(rows), _ways(rows[::-1])[::-1]
    whole = next(iter(before[-1]))
    shares = np.zeros((NUM_TILES, NUM_SPACES))
    for number, tile in enumerate(tiles):
        for taken, ways in before[number].items():
            for space in rows[number]:
                if not taken >> space & 1:
                    shares[tile, space] += ways * behind[number + 1].get(whole & ~taken & ~(1 << space), 0)
    return shares / before[-1][whole]


def count_placements(possible: Sequence[int]) -> int:
    """How many placements there are."""
    return int(next(iter(_ways([spaces_of(row) for row in possible if row])[-1].values())))


def _ways(rows: list[list[int]]) -> list[dict[int, int]]:
    """After each row: subset of spaces -> in how many ways the rows so far take just these."""
    steps = [{0: 1}]
    for row in rows:
        following: Counter[int] = Counter()
        for taken, ways in steps[-1].items():
            for space in row:
                if not taken >> space & 1:
                    following[taken | 1 << space] += ways
        steps.append(dict(following))
    return steps


def look_chances(view: np.void, params: np.void, roles: Sequence[int], allowed: np.ndarray) -> np.ndarray:
    """The chance of each placement, rows of `placements`, under the model of looks and these roles by seat."""
    table, odds = view["table"], np.zeros(len(allowed))
    asks, choices = signed_bytes(table["asks"]), signed_bytes(table["choices"])
    count = len(roles)
    features = params["features"][:, :5].astype(float)
    for seat in set(range(count)) - {int(view["seat"])}:
        asked = any(asks[(seat - clockwise) % count, clockwise - 1] > 0 for clockwise in range(1, count))
        conduct = 3 if choices[seat, Choice.PASSED_OVER] > 0 else 2 if asked else 1
        reach = spaces_of(params["reach"][table["layout"], table["position"][seat]])
        for space in spaces_of(int(table["seen"][seat]) & int(table["face_down"])):
            weights = LOOKS[count - MIN_PLAYERS, conduct if space in reach else 0, roles[seat]]
            odds += features[allowed[:, space]] @ weights
    chances = np.exp(odds - odds.max())
    return np.asarray(chances / chances.sum())


# --- cards ----------------------------------------------------------------------------------------------------------


def card_worlds(unseen: Sequence[int], hand_sizes: Sequence[int]) -> Counter[tuple[tuple[int, ...], ...]]:
    """Every allotment of unseen cards, copies told apart, to hands and the pile: the hands sorted, the pile in order.

    How many of all orders of the cards give it.
    """
    ends = np.cumsum([0, *hand_sizes])
    return Counter(
        (
            *(tuple(sorted(order[start:end])) for start, end in pairwise(ends)),
            order[ends[-1] :],
        )
        for order in permutations(unseen)
    )
