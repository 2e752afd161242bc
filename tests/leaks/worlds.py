"""Worlds that one seat can't tell from the one it plays in: all it may not know is drawn anew (RH-8.2, RH-8.4)."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from random import Random

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.games.riverbed_hunt.rules.knowledge import deduce, learn
from riverbed_env.games.riverbed_hunt.rules.vocab import NO_CARD, NO_TILE, NUM_SPACES, PUBLIC, Event, Role, Source
from riverbed_env.testing.leaks import differences

Games = npt.NDArray[np.void]  # length 1, as the environments hold it


PARTS = ("roles", "cards", "tiles", "chance")


def twin(games: Games, params: Games, seat: int, draw: Random, parts: Collection[str] = PARTS) -> Games:
    """The game with what the seat may not know drawn anew, true to everything public and to what it does know."""
    world = copy_records(games)
    if "roles" in parts:
        exchange_roles(world[0], params[0], seat, draw)
    if "cards" in parts:
        exchange_cards(world[0], seat, draw)
    if "tiles" in parts:
        exchange_tiles(world[0], seat, draw)
    if "chance" in parts:
        restart_chance(world[0], draw)
    return world


def restart_chance(world: np.void, draw: Random) -> None:
    """Another future for shuffles and blind draws, and for what the players draw."""
    for stream in ("chance", "agents"):
        world[stream]["key"] = draw.getrandbits(32)
        world[stream]["block"] = draw.getrandbits(32)
        world[stream]["drawn"] = draw.randrange(100)


def others(world: np.void, seat: int) -> list[int]:
    """The seats of the other players."""
    return [other for other in range(int(world["table"]["num_players"])) if other != seat]


# --- roles ----------------------------------------------------------------------------------------------------------


def declaring(world: np.void) -> set[int]:
    """Seats whose declaration of Hunt or Con is under way: all have heard their role, the card isn't turned yet."""
    frames = world["table"]["frames"][: int(world["table"]["depth"])]
    return {int(frame["carrier"]) for frame in frames if frame["source"] in (Source.HUNT, Source.CON)}


def hidden_from(world: np.void, seat: int) -> list[int]:
    """The others whose role the seat may not know."""
    own = world["private"][seat]
    return [
        other
        for other in others(world, seat)
        if world["table"]["role"][other] == Role.UNKNOWN
        and own["looked"][other] == Role.UNKNOWN
        and other not in declaring(world)
    ]


def exchange_roles(world: np.void, params: np.void, seat: int, draw: Random) -> None:
    """Deal the roles the seat doesn't know anew, the spare one of four players among them (RH-1.2)."""
    hidden = hidden_from(world, seat)
    roles = [int(world["private"][other]["role"]) for other in hidden]
    spare = int(world["spare_role"])
    drawn = [role for role in roles if role in params["role_choice"]] if spare != Role.UNKNOWN else []
    if drawn and draw.random() < 0.5:
        roles[roles.index(drawn[0])] = spare
        world["spare_role"] = drawn[0]
    draw.shuffle(roles)
    for other, role in zip(hidden, roles, strict=True):
        world["private"][other]["role"] = role
    tell_looked(world)


def tell_looked(world: np.void) -> None:
    """Who has looked at a role has seen the one that is there."""
    for viewer in range(int(world["table"]["num_players"])):
        looked = world["private"][viewer]["looked"]
        for other in others(world, viewer):
            if looked[other] != Role.UNKNOWN:
                looked[other] = world["private"][other]["role"]


# --- cards ----------------------------------------------------------------------------------------------------------


def exchange_cards(world: np.void, seat: int, draw: Random) -> None:
    """Deal the others' hands and the draw pile anew, each as large as it was.

    After a reshuffle everybody knows which cards are on the pile, so that only its order is drawn anew.
    """
    pile = int(world["table"]["draw_pile"])
    cards = world["deck"][:pile].tolist()
    hands = others(world, seat) if world["table"]["tally"][Event.RESHUFFLE] == 0 else []
    for other in hands:
        hand = world["private"][other]["hand"]
        cards += [kind for kind, count in enumerate(hand) for _ in range(int(count))]
        hand[:] = 0
    draw.shuffle(cards)
    for other in hands:
        for _ in range(int(world["table"]["hand_size"][other])):
            world["private"][other]["hand"][cards.pop()] += 1
    world["deck"][:pile] = cards
    world["deck"][pile:] = NO_CARD


# --- tiles ----------------------------------------------------------------------------------------------------------


def exchange_tiles(world: np.void, seat: int, draw: Random) -> None:
    """Lay the tiles anew as the seat's table of what is possible allows; the others know the same places as before."""
    possible = world["private"][seat]["possible"]
    rows = {tile: spaces_of(int(possible[tile - 1])) for tile in world["tile_at"].tolist() if tile != NO_TILE}
    for tile, space in matching(rows, draw).items():
        world["tile_at"][space] = tile
    for other in others(world, seat):
        know_truly(world, other)


def spaces_of(bits: int) -> list[int]:
    """The spaces whose bits are set."""
    return [space for space in range(NUM_SPACES) if bits >> space & 1]


def matching(rows: dict[int, list[int]], draw: Random) -> dict[int, int]:
    """A space for every tile out of its row, no two the same: augmenting paths in random order."""
    holder: dict[int, int] = {}

    def place(tile: int, tried: set[int]) -> bool:
        for space in draw.sample(rows[tile], len(rows[tile])):
            if space not in tried:
                tried.add(space)
                if space not in holder or place(holder[space], tried):
                    holder[space] = tile
                    return True
        return False

    for tile in draw.sample(sorted(rows), len(rows)):
        assert place(tile, set()), "what the seat thinks possible leaves no room for the truth"
    return {tile: space for space, tile in holder.items()}


def know_truly(world: np.void, seat: int) -> None:
    """Let the seat know what everybody knows, and the tiles on the spaces where it knew one before."""
    own = world["private"][seat]
    places = np.flatnonzero(own["known"]).tolist()
    own["possible"] = world["private"][PUBLIC]["possible"]
    deduce(own)
    for space in places:
        learn(own, int(world["tile_at"][space]), space)


# --- what differs ---------------------------------------------------------------------------------------------------


def secret_differences(one: TurnEnv, two: TurnEnv) -> set[str]:
    """In what two worlds with the same table differ."""
    worlds = one._games[0], two._games[0]
    found = {name for name in ("tile_at", "deck", "spare_role", "chance", "agents") if apart(worlds, name)}
    return found | {name for name in ("role", "hand", "looked", "possible") if apart(worlds, "private", name)}


def apart(worlds: tuple[np.void, np.void], *fields: str) -> bool:
    """Whether a field differs."""
    one, two = (reduce(lambda record, field: record[field], fields, world) for world in worlds)
    return bool(differences(one, two))
