"""RS-1.1, RS-2.4: the route, the passages, and how far each village is from each space."""

from collections.abc import Iterable
from functools import cache

from .pack import Route

Node = tuple[str, int]


def hub(place: int) -> Node:
    """RS-1.1: the hub of a column, named after one of its places."""
    return ("hub", place)


def village(place: int) -> Node:
    """RS-1.1: the village of the tile that lies on a place."""
    return ("village", place)


def space(number: int) -> Node:
    """RS-1.1: a space of the route: 0 is the start, the last is the anchor."""
    return ("space", number)


class Board:
    """RS-1.1: the river with the lengths of its route and its closed columns.

    Places are numbered from 1: the north row from west to east, then the south row from west to east.
    Columns are numbered from 0, from west to east.
    """

    def __init__(self, route: Route, columns: int, closed: frozenset[int]) -> None:
        self.columns = columns
        self.closed = closed
        self.places = range(1, 2 * columns + 1)
        self._route = route
        self._row_length = columns * route.spaces_a_tile
        self.anchor = 2 * self._row_length + route.east_tile + 1
        self._roads: dict[Node, dict[Node, int]] = {}
        self._build_roads()
        self.distance = {
            place: self._distances_from(village(place)) for place in self.places
        }  # RS-2.4: by place of the village, then by space of the ship

    def column(self, place: int) -> int:
        """RS-1.1: the column of a place."""
        return (place - 1) % self.columns

    def is_north(self, place: int) -> bool:
        """RS-1.1: whether a place is in the north row."""
        return place <= self.columns

    def middle_space(self, place: int) -> int:
        """RS-1.1: the middle space of a place's tile. The south row is travelled from east to west."""
        middle = (self._route.spaces_a_tile + 1) // 2
        if self.is_north(place):
            tiles_before, first = self.column(place), 0
        else:
            tiles_before = self.columns - 1 - self.column(place)
            first = self._row_length + self._route.east_tile
        return first + tiles_before * self._route.spaces_a_tile + middle

    def _build_roads(self) -> None:
        """RS-1.1, RS-2.4: the route, and in each column the hub; start and anchor are not linked."""
        for number in range(self.anchor):
            self._join(space(number), space(number + 1), 1)
        for place in self.places:
            own_hub = self._hub_of(place)
            self._join(space(self.middle_space(place)), own_hub, self._route.middle_to_hub)
            self._join(own_hub, village(place), self._route.hub_to_village)

    def _hub_of(self, place: int) -> Node:
        """RS-1.1: the two places of a column share their hub, unless a tile without passage closes the column."""
        if self.column(place) in self.closed:
            return hub(place)
        return hub(self.column(place) + 1)

    def _join(self, one: Node, other: Node, length: int) -> None:
        self._roads.setdefault(one, {})[other] = length
        self._roads.setdefault(other, {})[one] = length

    def _distances_from(self, start: Node) -> dict[int, int]:
        """RS-2.4: the shortest way from a node to every space of the route."""
        shortest = {start: 0}
        unsettled = {start}
        while unsettled:
            node = min(unsettled, key=lambda other: shortest[other])
            unsettled.remove(node)
            for neighbour, length in self._roads[node].items():
                if shortest[node] + length < shortest.get(neighbour, shortest[node] + length + 1):
                    shortest[neighbour] = shortest[node] + length
                    unsettled.add(neighbour)
        return {number: shortest[space(number)] for number in range(self.anchor + 1)}


@cache
def board_of(route: Route, columns: int, closed: frozenset[int]) -> Board:
    """RS-1.1: a board, cached."""
    return Board(route, columns, closed)


def closed_columns(passages: Iterable[bool], columns: int) -> frozenset[int]:
    """RS-1.1: a tile without passage closes its column; passages by place."""
    return frozenset(index % columns for index, passage in enumerate(passages) if not passage)
