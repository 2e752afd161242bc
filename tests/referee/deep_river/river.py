"""The river between the two nests: its tiles and slots, the pawns in them, and where a pawn may stop."""

from dataclasses import dataclass

from .pack import Rules

SALMON, EEL = 0, 1
SIDES = (SALMON, EEL)
DIRECTION = {SALMON: +1, EEL: -1}
NEST_OF = {SALMON: 0, EEL: 8}  # the stations of the nests; the tiles between them are stations 1 to 7
TILES = range(1, 8)
DOUBLE_TILE = 4
PAWNS_EACH = 5

NEST_SINGLE, NEST_DOUBLE = 0, 1  # the places of one's own nest
PLACES_OF_TILE = {1: (2,), 2: (3,), 3: (4,), 4: (5, 6), 5: (7,), 6: (8,), 7: (9,)}
TILE_OF_PLACE = {place: tile for tile, places in PLACES_OF_TILE.items() for place in places}


def rival_of(side: int) -> int:
    """The other side."""
    return EEL if side == SALMON else SALMON


@dataclass
class Pawn:
    """DR-1.2: a fish pawn, on its single or its double face."""

    side: int
    double: bool = False

    @property
    def fish(self) -> int:
        """DR-2.4: how many fish its visible face shows."""
        return 2 if self.double else 1


Slot = list[Pawn]  # the pawns of a slot from below: none, a lone one, or a pile of two


def is_pile(slot: Slot) -> bool:
    """DR-2.3: a pile is two pawns."""
    return len(slot) == 2


def is_lone(slot: Slot, side: int) -> bool:
    """DR-2.3: a lone pawn of a side."""
    return len(slot) == 1 and slot[0].side == side


class River:
    """DR-1.1, DR-1.2: tiles 1 to 7, their slots, and the two nests."""

    def __init__(self, effects: tuple[str, ...], rules: Rules) -> None:
        self.effect_of = dict(zip(TILES, effects, strict=True))
        self.rules = rules
        self.places_of = {tile: self._places(tile) for tile in TILES}
        self.slots: dict[int, Slot] = {place: [] for tile in TILES for place in self.places_of[tile]}
        self.nests: list[list[Pawn]] = [[Pawn(side) for _ in range(PAWNS_EACH)] for side in SIDES]

    def _places(self, tile: int) -> tuple[int, ...]:
        """DR-2.3: the places of a tile's slots, as many as the rules of the pack say."""
        slots = self.rules.double_slots if tile == DOUBLE_TILE else self.rules.small_slots
        return PLACES_OF_TILE[tile][:slots]

    # Whose pawns are where

    def uncovered(self, side: int) -> dict[int, Pawn]:
        """DR-2.3: by place, the pawns of a side that no rival covers; one stands for all in the nest with its face."""
        pawns = {NEST_DOUBLE if pawn.double else NEST_SINGLE: pawn for pawn in self.nests[side]}
        for place, slot in self.slots.items():
            if slot and slot[-1].side == side:
                pawns[place] = slot[-1]
        return pawns

    def single_pawns(self, side: int) -> dict[int, Pawn]:
        """DR-3.2: the uncovered pawns of a side on their single face."""
        return {place: pawn for place, pawn in self.uncovered(side).items() if not pawn.double}

    def piles(self) -> dict[int, Slot]:
        """DR-3.1: the piles of both sides, by place."""
        return {place: slot for place, slot in self.slots.items() if is_pile(slot)}

    def station_of(self, side: int, place: int) -> int:
        """The tile of a place, or the side's own nest."""
        return TILE_OF_PLACE.get(place, NEST_OF[side])

    # Where a pawn goes

    def group(self, side: int, place: int) -> Slot:
        """DR-2.3: what moves from a place: the pawn, with the rival under it."""
        return list(self.slots[place]) if place in self.slots else [self.uncovered(side)[place]]

    def take(self, side: int, place: int) -> None:
        """DR-2.3: lift what moves from a place. Pawns of one nest and face are alike: the last of them goes."""
        if place in self.slots:
            self.slots[place] = []
        else:
            pawn = self.uncovered(side)[place]
            self.nests[side] = [other for other in self.nests[side] if other is not pawn]

    def arrival(self, moving: Slot, start: int, steps: int) -> int:
        """DR-2.2, DR-2.3: the station where what moves stops: every tile counts as a step, occupied or not; where it
        can't stop on the last it goes on to the next where it can, or to the nest. Surplus steps are lost (DR-2.4).
        """
        side = moving[-1].side
        nest = NEST_OF[rival_of(side)]
        station = start
        for _ in range(steps):
            station += DIRECTION[side]
            if station == nest:
                return nest
        while station != nest and not self.stands(moving, station):
            station += DIRECTION[side]
        return station

    def stands(self, moving: Slot, tile: int) -> list[int]:
        """DR-2.3: the places of a tile where what moves may stand; none where it can't stop there.

        A pile takes an empty slot. A pawn that is no pile stands on a lone rival, by choice if there are two; only
        without one it takes an empty slot, unless the pack lets it choose. Of empty slots the lowest is taken.
        READING: "single pawn" means one that isn't a pile, whatever its face (the book: "votre pion Poisson").
        READING: a pile can't stop where there is only a lone rival, since a pile is two pawns at most.
        READING: the lowest slot is the one nearest to the salmon nest, for both sides.
        """
        rival = rival_of(moving[-1].side)
        lowest_empty = [place for place in self.places_of[tile] if not self.slots[place]][:1]
        if is_pile(moving):
            return lowest_empty
        lone_rivals = [place for place in self.places_of[tile] if is_lone(self.slots[place], rival)]
        if lone_rivals and not self.rules.single_may_choose_empty:
            return lone_rivals
        return lone_rivals + lowest_empty

    def put(self, moving: Slot, place: int) -> None:
        """DR-2.3: what moves stands in a slot, on the lone rival if there is one."""
        self.slots[place] += moving

    def put_home(self, moving: Slot) -> None:
        """DR-2.4: in the rival nest one's own pawn goes back to its own nest, the rival under it stays in its nest."""
        for pawn in moving:
            self.nests[pawn.side].append(pawn)
