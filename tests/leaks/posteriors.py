"""The exact posterior of what a seat of Riverbed Hunt may not know, under players whose choices tell nothing.

The players are `blind`: their choices have the same chances whatever the hidden part of the game is.

- Places, verbs, seats and spaces are drawn evenly from those that are legal. Which are is read off the public table
  alone (`legality`, `river`, `acts`), so everybody knows the chances.
- To a co-op they always answer "reveal", which is always legal: no role or card is ever shown by an answer.
- They play no cards on their turns. A discard is drawn evenly from the cards of the hand, copies counted one by one,
  so it treats all cards alike.

So the chance of a history of choices is the same for all deals that agree with it, and the posterior is the prior
of the deal (RH-1.2, RH-1.4, RH-1.5) and of chance in play, given what the seat has seen:

- Roles: dealt evenly; nothing that happens depends on them before the end. The seat knows the chief, its own and
  those it has looked at.
- Cards: any two cards that the seat hasn't seen could be exchanged without changing any chance, so each allotment of
  them to the others' hands and the places of the pile is as likely. After a reshuffle the pile is known as a set, and
  the facts are left out.
- Tiles: each perfect matching of the seat's table `possible` is as likely. That holds at the deal; a tile seen takes
  away the matchings that don't have it, alike for the others; a swap renames spaces. A first shuffle of spaces S finds
  rows that are one space or all those unknown; each arrangement after it, the known tiles of S anywhere on S, comes
  from as many arrangements before it. A second shuffle may cut through rows, and then they aren't alike: from there
  on the facts are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import comb

import numpy as np

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    NO_TILE,
    NUM_ROLES,
    NUM_SPACES,
    NUM_TILES,
    Event,
    Question,
    Role,
)
from riverbed_env.testing.leaks import Secret

# --- the players ---------------------------------------------------------------------------------------------------


def blind(env: TurnEnv, legal: list[int] | None, rng: np.random.Generator) -> int:
    """A choice that tells nothing of what is hidden."""
    assert legal is not None
    game = env._games[0]
    asked = int(game["table"]["asked"])
    if game["table"]["question"] == Question.DISCARD:
        hand = game["private"][asked]["hand"]
        return A.CARD + int(rng.choice(np.repeat(np.arange(len(hand)), hand)))
    if game["table"]["question"] == Question.ANSWER:
        return A.REVEAL
    return int(rng.choice([action for action in legal if action < A.CARD]))


# --- roles ---------------------------------------------------------------------------------------------------------


def role_posterior(env: TurnEnv, seat: int, other: int) -> np.ndarray:
    """The chances of the other's role as the seat knows them, shape (NUM_ROLES,)."""
    chances = np.zeros(NUM_ROLES)
    for weight, left, _ in _deals(env, seat):
        for role, count in left.items():
            chances[role] += weight * count / left.total()
    return chances / chances.sum()


def spare_posterior(env: TurnEnv, seat: int) -> np.ndarray:
    """RH-1.2: the chances of the first and the second of the two role cards to be the one left over."""
    weights = {spare: weight for weight, _, spare in _deals(env, seat)}
    chances = np.array([weights[int(role)] for role in env._params[0]["role_choice"]])
    return chances / chances.sum()


def _deals(env: TurnEnv, seat: int) -> Iterable[tuple[float, Counter[int], int]]:
    """Of each set of role cards that may be in play: its weight, the cards left for unknown seats, the spare one."""
    params = env._params[0]
    cards = [int(role) for role in params["role_cards"][: env.num_players]]
    known = [role for role in roles_known(env, seat) if role != Role.UNKNOWN]
    choice = [int(role) for role in params["role_choice"]]
    if choice[0] == Role.UNKNOWN:
        yield _deal(Counter(cards), known, Role.UNKNOWN)
        return
    for drawn, spare in (choice, choice[::-1]):
        yield _deal(Counter([*cards[:-1], drawn]), known, spare)


def _deal(cards: Counter[int], known: list[int], spare: int) -> tuple[float, Counter[int], int]:
    """The chance that the known seats got their roles, one after another, and what is left."""
    weight = 1.0
    for role in known:
        weight *= cards[role] / cards.total()
        cards[role] -= 1
    return weight, cards, spare


def roles_known(env: TurnEnv, seat: int) -> list[int]:
    """The role of each seat as the seat knows it, or Role.UNKNOWN."""
    game = env._games[0]
    known = []
    for other in range(env.num_players):
        shown, looked = int(game["table"]["role"][other]), int(game["private"][seat]["looked"][other])
        own = int(game["private"][seat]["role"]) if other == seat else Role.UNKNOWN
        known.append(max(shown, looked, own))
    return known


# --- cards ---------------------------------------------------------------------------------------------------------


def unseen_cards(env: TurnEnv, seat: int) -> np.ndarray:
    """How many cards of each kind the seat hasn't seen: they are in the others' hands and in the pile."""
    table = env._games[0]["table"]
    seen = table["discard_pile"] + table["used"] + env._games[0]["private"][seat]["hand"]
    unseen: np.ndarray = env._params[0]["copies"].astype(int) - seen
    return unseen


def chance_to_hold(unseen: np.ndarray, size: int, card: int) -> float:
    """The chance that a hand of `size` unseen cards has the card."""
    total = int(unseen.sum())
    return 1 - comb(total - int(unseen[card]), size) / comb(total, size)


# --- tiles ---------------------------------------------------------------------------------------------------------


def tile_posterior(env: TurnEnv, seat: int, space: int) -> np.ndarray:
    """The chances of each tile to lie on the space as the seat knows them, shape (NUM_TILES,), tile 1 first."""
    rows = tuple(int(row) for row in env._games[0]["private"][seat]["possible"])
    return np.array(_shares(rows, space))


@cache
def _shares(rows: tuple[int, ...], space: int) -> tuple[float, ...]:
    """Of the perfect matchings of tiles and spaces the share in which each tile lies on the space."""
    total = count_matchings(rows)
    by_row: dict[int, float] = {}
    for tile, row in enumerate(rows):
        if row not in by_row:
            fixed = [*rows[:tile], row & (1 << space), *rows[tile + 1 :]]
            by_row[row] = count_matchings(tuple(fixed)) / total if row >> space & 1 else 0.0
    return tuple(by_row[row] for row in rows)


def count_matchings(rows: tuple[int, ...]) -> int:
    """How many ways there are to give each tile a space of its row, no two the same; rows of 0 are left out.

    Spaces that lie in the same rows are one class. A state is how many spaces of each class are taken.
    """
    used = [row for row in rows if row]
    columns = Counter(tuple(row >> space & 1 for row in used) for space in range(NUM_SPACES))
    classes = [(column, size) for column, size in columns.items() if any(column)]
    ways = {(0,) * len(classes): 1}
    for number in range(len(used)):
        following: Counter[tuple[int, ...]] = Counter()
        for taken, count in ways.items():
            for place, (column, size) in enumerate(classes):
                if column[number] and taken[place] < size:
                    after = (*taken[:place], taken[place] + 1, *taken[place + 1 :])
                    following[after] += count * (size - taken[place])
        ways = following
    return sum(ways.values())


def open_space(env: TurnEnv, seat: int) -> int | None:
    """The first face-down space, from the seat's meeple on, whose tile it doesn't know."""
    game = env._games[0]
    start = max(0, int(game["table"]["position"][seat]))
    for step in range(NUM_SPACES):
        space = (start + step) % NUM_SPACES
        down = int(game["table"]["face_down"]) >> space & 1
        if down and game["private"][seat]["known"][space] == NO_TILE:
            return space
    return None


# --- the facts that are attacked -----------------------------------------------------------------------------------


def secrets(env: TurnEnv, agent: str) -> dict[str, Secret]:
    """Hidden facts with their posteriors, as far as these are exact at this moment."""
    seat = env.possible_agents.index(agent)
    return {**role_secrets(env, seat), **card_secrets(env, seat), **tile_secrets(env, seat)}


def role_secrets(env: TurnEnv, seat: int) -> dict[str, Secret]:
    """The role of the player to the left; with four players the spare role."""
    game, found = env._games[0], {}
    left = (seat + 1) % env.num_players
    if roles_known(env, seat)[left] == Role.UNKNOWN:
        found["role of the player to the left"] = Secret(
            int(game["private"][left]["role"]), role_posterior(env, seat, left)
        )
    if game["spare_role"] != Role.UNKNOWN:
        choice = env._params[0]["role_choice"].tolist()
        found["spare role"] = Secret(choice.index(int(game["spare_role"])), spare_posterior(env, seat))
    return found


def card_secrets(env: TurnEnv, seat: int) -> dict[str, Secret]:
    """Whether the player to the left holds the commonest card, and of which half of the kinds the pile's top one is."""
    game = env._games[0]
    if game["table"]["tally"][Event.RESHUFFLE] > 0:
        return {}
    found, unseen = {}, unseen_cards(env, seat)
    left, common = (seat + 1) % env.num_players, int(env._params[0]["copies"].argmax())
    chance = chance_to_hold(unseen, int(game["table"]["hand_size"][left]), common)
    found["card in the hand to the left"] = _yes(bool(game["private"][left]["hand"][common] > 0), chance)
    pile = int(game["table"]["draw_pile"])
    if pile > 0:
        half = env._params[0]["copies"].cumsum() * 2 <= env._params[0]["copies"].sum()
        chance = float(unseen[half].sum() / unseen.sum())
        found["top card of the pile"] = _yes(bool(half[int(game["deck"][pile - 1])]), chance)
    return found


def tile_secrets(env: TurnEnv, seat: int) -> dict[str, Secret]:
    """What comes first on the nearest tile the seat doesn't know: kelp, log, coin or a text."""
    game, space = env._games[0], open_space(env, seat)
    if space is None or game["table"]["tally"][Event.SHUFFLE] > 1:
        return {}
    first = env._params[0]["layer_kind"][1 : NUM_TILES + 1, 0].astype(int)
    chances = np.bincount(first, weights=tile_posterior(env, seat, space), minlength=4)
    return {"nearest unknown tile": Secret(int(first[int(game["tile_at"][space]) - 1]), chances)}


def _yes(value: bool, chance: float) -> Secret:
    return Secret(int(value), [1 - chance, chance])
