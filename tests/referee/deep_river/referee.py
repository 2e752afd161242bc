"""The game, step by step in the order of the rules.

The whole game is one generator that stops wherever a player must decide; `Referee.play` passes it the answer. Where the
rules leave something open, a comment that begins with READING states our interpretation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ..asking import Action, Asking, Question, Table
from .deal import Deal, check_deal
from .pack import Face, Pack
from .river import DIRECTION, DOUBLE_TILE, NEST_OF, SIDES, TILE_OF_PLACE, TILES, River, rival_of

Answer = TypeVar("Answer")

TURN: Action = ("turn",)
ADVANCE: Action = ("advance",)
USE: Action = ("use",)
LEAVE: Action = ("leave",)

FIRST_TOKEN_TILE, LAST_TOKEN_TILE = TILES[-1], TILES[0]  # next to the eel nest, next to the salmon nest
BEAR_START = DOUBLE_TILE


class GameOver(Exception):
    """DR-4.1: the game has ended."""


@dataclass
class CurrentToken:
    """DR-2.1: a current token on the table: the tile it lies at and which of its two faces is up."""

    faces: tuple[Face, Face]
    up: int
    tile: int = FIRST_TOKEN_TILE

    @property
    def visible(self) -> Face:
        """DR-2.1: the face that is carried out."""
        return self.faces[self.up]

    def move_and_turn(self) -> None:
        """DR-2.1: one tile towards the salmon nest, unless it is at the last tile; it turns over in any case."""
        if self.tile != LAST_TOKEN_TILE:
            self.tile -= 1
        self.up = 1 - self.up


class Referee(Table):
    """The table: a game from its deal to its end."""

    def __init__(self, pack: Pack, deal: Deal, *, cap: int = 200) -> None:
        super().__init__(cap=None)
        check_deal(pack, deal)
        self._turn_cap = cap

        self.turns = 0  # turns begun
        self.token_in_use: int | None = None  # none until one is chosen
        self.side = deal.begins  # whose turn it is
        self.river = River(deal.tiles, pack.rules)
        self.bear = BEAR_START
        self.tokens = [CurrentToken(token.faces, up) for token, up in zip(pack.tokens, deal.faces, strict=True)]
        self.tilted_against: list[set[int]] = [set() for _ in SIDES]
        self.winner: int | None = None  # also None after a draw
        self.begin()

    def begin(self) -> None:
        """DR-2.1: begin a turn of `side` with the table as it is; a test may have set it."""
        self.begin_story(self._game())

    # What the driver reads

    @property
    def winners(self) -> set[int]:
        """DR-4.1: the winner; nobody after a draw or a truncation."""
        return set() if self.winner is None else {self.winner}

    @property
    def draw(self) -> bool:
        """DR-4.1: whether the game has ended by the rules without a winner."""
        return self.ended and not self.truncated and self.winner is None

    # DR-2.1 and DR-4: the course of the game

    def _game(self) -> Asking[None]:
        """DR-2.1, DR-4: the sides play in turn until the game ends or the cap on turns cuts it off."""
        try:
            # READING: the cap counts the turns of both sides together.
            while self.turns < self._turn_cap:
                yield from self._turn()
                self.side = rival_of(self.side)
            self.truncated = True
        except GameOver:
            pass
        self.ended = True

    def _turn(self) -> Asking[None]:
        """DR-2.1: choose a token, carry out its visible face, move and turn it."""
        self.turns += 1
        free = [number for number in range(len(self.tokens)) if number not in self.tilted_against[self.side]]
        self.token_in_use = yield from self._ask("token", {("token", number): number for number in free})
        token = self.tokens[self.token_in_use]
        yield from self._carry_out(token.visible)
        token.move_and_turn()
        # READING: a tilted token stays tilted until the end of the turn in which it couldn't be chosen.
        self.tilted_against[self.side].clear()
        self._look_for_the_end()
        self.token_in_use = None

    def _look_for_the_end(self) -> None:
        """DR-4.1: two tokens at the last tile: the nest farther from the bear wins; nobody if it is in the middle."""
        if sum(token.tile == LAST_TOKEN_TILE for token in self.tokens) < 2:
            return
        if self.bear != BEAR_START:
            self.winner = max(SIDES, key=lambda side: abs(self.bear - NEST_OF[side]))
        raise GameOver

    def _carry_out(self, face: Face) -> Asking[None]:
        """DR-2.2: a number, *bear* or *twice*."""
        match face:
            case "bear":
                yield from self._move_a_fish(1)
                self._move_bear(1)
            case "twice":
                yield from self._move_a_fish(1)
                yield from self._move_a_fish(1)
            case int():
                yield from self._move_a_fish(face)
            case _:
                raise ValueError(f"DR-2.2: not a face: {face}")

    # DR-2.2 to DR-2.4: moving

    def _move_a_fish(self, steps: int) -> Asking[None]:
        """DR-2.2, DR-3: a fish moves, then the tile it has come to has its effect."""
        place = yield from self._advance_a_fish(steps)
        if place is not None:
            yield from self._tile_effect(place)

    def _advance_a_fish(self, steps: int) -> Asking[int | None]:
        """DR-2.2, DR-2.3: choose a fish and move it, without any effect; returns the slot it has come to.

        None if it has reached the nest, or if there was no movable pawn and the move was skipped.
        """
        side = self.side
        places = self.river.uncovered(side)
        if not places:
            return None
        start = yield from self._ask_place("fish", places)
        moving = self.river.group(side, start)
        station = self.river.arrival(moving, self.river.station_of(side, start), steps)
        if station == NEST_OF[rival_of(side)]:
            # READING: the pawns are put in their nests before the bear moves, so that no pawn is in the air when the
            # bear's move ends the game. (The book has the opposite order; nothing else depends on it.)
            self.river.take(side, start)
            self.river.put_home(moving)
            self._move_bear(moving[-1].fish)
            return None
        stands = self.river.stands(moving, station)
        place = stands[0] if len(stands) == 1 else (yield from self._ask_place("stand", stands))
        self.river.take(side, start)
        self.river.put(moving, place)
        return place

    def _move_bear(self, steps: int) -> None:
        """DR-2.4, DR-3.1, DR-4.1: the bear goes towards the rival nest and stops there; its owner has then lost.

        READING (DR-2.2, ruling): the bear of a token's face goes towards the rival nest too.
        """
        nest = NEST_OF[rival_of(self.side)]
        for _ in range(steps):
            self.bear += DIRECTION[self.side]
            if self.bear == nest:
                self.winner = self.side
                raise GameOver

    # DR-3: the effects of the tiles

    def _tile_effect(self, place: int) -> Asking[None]:
        """DR-3.1: the effect of the tile on which the pawn of a place has arrived, skipped without a target."""
        if not self._has_target(place):
            return
        match self.river.effect_of[TILE_OF_PLACE[place]]:
            case "bear":
                self._move_bear(1)
            case "drift":
                yield from self._advance_a_fish(1)
            case "swap":
                yield from self._swap()
            case "tilt":
                yield from self._tilt()
            case "double":
                yield from self._double_tile(place)

    def _has_target(self, place: int) -> bool:
        """DR-3.1, DR-3.2: *bear* wants a double pawn, *swap* a pile; for the rest there always is something to do.

        *drift* and the double tile have at least the pawn that has just arrived. READING: whether an advanced fish
        could use *bear* is a matter of target as well: with a single pawn nothing is asked.
        """
        match self.river.effect_of[TILE_OF_PLACE[place]]:
            case "bear":
                return self.river.slots[place][-1].double
            case "swap":
                return bool(self.river.piles())
            case "tilt":
                return bool(self._tokens_to_tilt())
            case _:
                return True

    def _swap(self) -> Asking[None]:
        """DR-3.1: the pawns of a pile change places: the pile changes sides."""
        place = yield from self._ask_place("pile", self.river.piles())
        self.river.slots[place].reverse()

    def _tilt(self) -> Asking[None]:
        """DR-3.1: a token that the rival can't choose next turn."""
        number = yield from self._ask("tilt", {("tilt", number): number for number in self._tokens_to_tilt()})
        self.tilted_against[rival_of(self.side)].add(number)

    def _tokens_to_tilt(self) -> list[int]:
        """DR-3.1: the tokens not tilted this turn; one tilted against the side itself may be tilted again."""
        tilted = self.tilted_against[rival_of(self.side)]
        return [number for number in range(len(self.tokens)) if number not in tilted]

    def _double_tile(self, place: int) -> Asking[None]:
        """DR-3.2: a single pawn must turn a pawn; a double one chooses, where there is a single pawn to turn."""
        choice = TURN
        if self.river.slots[place][-1].double:
            choice = ADVANCE
            if self.river.single_pawns(self.side):
                choice = yield from self._ask("double", {TURN: TURN, ADVANCE: ADVANCE})
        if choice == TURN:
            yield from self._turn_a_pawn()
        else:
            yield from self._advance_and_use()

    def _turn_a_pawn(self) -> Asking[None]:
        """DR-3.2: one of one's pawns goes to its double face, in the nest too, but none covered by the rival."""
        singles = self.river.single_pawns(self.side)
        place = yield from self._ask_place("pawn", singles)
        singles[place].double = True

    def _advance_and_use(self) -> Asking[None]:
        """DR-3.2: a fish goes one tile; the effect of its tile may be used, which may lead here again."""
        place = yield from self._advance_a_fish(1)
        if place is None or not self._has_target(place):
            return
        use = yield from self._ask("use", {USE: True, LEAVE: False})
        if use:
            yield from self._tile_effect(place)

    # Asking

    def _ask(self, word: str, answers: Mapping[Action, Answer]) -> Asking[Answer]:
        """Ask the side whose turn it is; each answer stands for a value, which is returned."""
        answer = yield Question(self.side, word, frozenset(answers))
        return answers[answer]

    def _ask_place(self, word: str, places: Iterable[int]) -> Asking[int]:
        """Ask for a place."""
        return (yield from self._ask(word, {("place", place): place for place in places}))
