"""The game, step by step in the order of the rules.

In each phase every seat has a generator that stops wherever the seat must decide; `Referee.play` passes it the answer.
`Referee._game` runs the phases in order. Where the rules leave something open, a comment that begins with READING
states our interpretation.
"""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from .board import Board, board_of, closed_columns
from .pack import COLOURS, EXTENSION_TILES, TILES, Pack, Village
from .scoring import Result, result_of
from .sheet import empty_sheet

Action = tuple[str] | tuple[str, int] | tuple[str, str] | tuple[str, str, int] | tuple[str, str, str, bool]
Roll = tuple[int, int, int, int, int, int]
Answer = TypeVar("Answer")
Returned = TypeVar("Returned")

MAX_PLAYERS = 6
RANGE = 3
SPEED_BOAT_RANGE = 6
FAN_BASE_VALUE = 3
PLAIN, GREEN, GREEN_AND_WARM = "plain", "green", "green and warm"
STAY: Action = ("stay",)
SPEED: Action = ("speed",)
EARLY: Action = ("early",)
DONE: Action = ("done",)


@dataclass(frozen=True)
class Question:
    """What is asked of a seat, and the answers it may give."""

    word: str
    answers: frozenset[Action]


Asking = Generator[Question, Action, Returned]
Story = Generator[Question, Action, None]


@dataclass(frozen=True)
class Options:
    """The mode of a game."""

    num_players: int
    extension: bool = False


@dataclass(frozen=True)
class Deal:
    """RS-1.1: the river tiles by place: the north row from west to east, then the south row from west to east."""

    tiles: tuple[int, ...]


class Chance(Protocol):
    """Chance in play, given from outside."""

    def roll(self) -> Roll:
        """The dice: white, yellow, brown, blue, pink, green."""


@dataclass(frozen=True)
class Dice:
    """RS-2.2: a choice of dice: one base die, perhaps the green die, perhaps royal powers."""

    colour: str
    green: str  # "plain" is without the green die
    fan_base: bool


@dataclass
class Turn:
    """What a seat has done this round. The others learn of it when the phase is over."""

    dice: Dice | None = None
    filling: str | None = None  # the boat being filled,
    seats_left: int = 0  # and how many seats are yet to be crossed out in it
    bonuses: list[tuple[str, int]] = field(default_factory=list)  # bonus seats that wait: boat, seats
    plus_ones: int = 0
    speed_boat: bool = False
    early_birds: bool = False
    prize: str | None = None  # the colour (or church) of the prize ticket
    villages: list[int] = field(default_factory=list)  # the places visited; the last is being visited
    scored: list[str] = field(default_factory=list)  # what was scored at the village being visited


class Referee:
    """The table: a game from its deal to its end."""

    def __init__(self, pack: Pack, options: Options, deal: Deal, chance: Chance, *, cap: int = 1000) -> None:
        check_deal(pack, options, deal)
        self._pack = pack
        self._options = options
        self._chance = chance
        self._cap = cap
        self._seats = range(options.num_players)

        self.villages: dict[int, Village] = {
            place: pack.villages[tile] for place, tile in enumerate(deal.tiles, start=1)
        }
        self.board: Board = lay_board(pack, deal)
        self.rounds = 0  # rolls so far
        self.ship = 0
        self.dice: dict[str, int] = {}
        self.temperature = 0
        self.heated: set[str] = set()
        self.phase = 1
        self.sheets = [empty_sheet(pack) for _ in self._seats]
        self.sheets_seen = [sheet.copy() for sheet in self.sheets]
        self.turns = [Turn() for _ in self._seats]
        self.decisions = 0
        self.ended = False
        self.truncated = False
        self.result: Result | None = None

        self._steps_before_phase = 0
        self._answered = [0 for _ in self._seats]  # answers given in this phase
        self._stories: dict[int, Story] = {}
        self._questions: dict[int, Question] = {}
        self._game_story = self._game()
        self._begin_next_phase()
        self._truncate_at_the_cap()

    # What the driver reads

    @property
    def pending(self) -> list[int]:
        """RS-5.1: the seats that still have a choice in this phase."""
        return [seat for seat in sorted(self._questions) if self._steps_of(seat) < self._cap]

    @property
    def steps(self) -> int:
        """Steps taken: in a step every pending seat answers once, the others wait."""
        return max(self._steps_of(seat) for seat in self._seats)

    @property
    def scores(self) -> list[int]:
        """RS-4.1: the final scores; none before the end, nor when truncated."""
        return [] if self.result is None else self.result.scores

    @property
    def winners(self) -> set[int]:
        """RS-4.1: the winners; none before the end, nor when truncated."""
        return set() if self.result is None else self.result.winners

    def question(self, seat: int) -> str:
        """A word for what a seat is asked; "wait" if it isn't asked anything."""
        return self._questions[seat].word if seat in self.pending else "wait"

    def legal(self, seat: int) -> set[Action]:
        """The answers open to a seat."""
        return set(self._questions[seat].answers) if seat in self.pending else set()

    def play(self, seat: int, action: Action) -> None:
        """RS-5.1: carry out a seat's answer, and when it was the last of the phase everything up to the next phase."""
        if action not in self.legal(seat):
            raise ValueError(f"{action} is not legal for seat {seat}")
        self.decisions += 1
        self._answered[seat] += 1
        try:
            self._questions[seat] = self._stories[seat].send(action)
        except StopIteration:
            del self._questions[seat]
        if not self._questions:
            self._begin_next_phase()
        self._truncate_at_the_cap()

    def _begin_next_phase(self) -> None:
        """RS-5.1: sheets are public between phases; then every seat has a story of its own."""
        self._steps_before_phase = self.steps
        self._answered = [0 for _ in self._seats]
        self._stories = next(self._game_story, {})
        self._questions = {seat: next(story) for seat, story in self._stories.items()}
        self.sheets_seen = [sheet.copy() for sheet in self.sheets]
        self.ended = not self._stories

    def _steps_of(self, seat: int) -> int:
        return self._steps_before_phase + self._answered[seat]

    def _truncate_at_the_cap(self) -> None:
        """A cap on steps truncates, never terminates.

        READING: `cap` counts steps, in each of which every pending seat answers once, so that it doesn't matter who
        answers first: a seat that has used up its steps isn't pending; when nobody is, the game is truncated. What
        follows from the last answers is carried out first, up to the questions that are asked no more.
        """
        if not self.ended and not self.pending:
            self._questions = {}
            self.ended = True
            self.truncated = True

    # The course of the game

    def _game(self, phase: int = 1) -> Iterator[dict[int, Story]]:
        """RS-2.1: rounds of three phases until the ship reaches or passes the anchor, before phase 2."""
        self.phase = phase
        while True:
            if self.phase == 1:
                self._roll_dice_and_move_ship()
                if self.ship == self.board.anchor:
                    break
                self.phase = 2
            if self.phase == 2:
                yield {seat: self._choose_dice_and_fill_seats(seat) for seat in self._seats}
            self.phase = 3
            yield {seat: self._go_on_excursions(seat) for seat in self._seats}
            self.phase = 1
        self.result = result_of(
            self.sheets, self._pack.captain, self._pack.achievements, extension=self._options.extension
        )

    def go_on_from_phase(self, phase: int) -> None:
        """Begin phase 2 or 3, with the table as a test has set it."""
        self._game_story = self._game(phase)
        self._begin_next_phase()
        self._truncate_at_the_cap()

    # RS-2.1: phase 1

    def _roll_dice_and_move_ship(self) -> None:
        """RS-2.1: the ship moves by the temperature.

        READING: being captain only means throwing the dice. A ship that would pass the anchor stops on it.
        """
        self.rounds += 1
        self.turns = [Turn() for _ in self._seats]
        self.read_dice(self._chance.roll())
        self.ship = min(self.ship + self.temperature, self.board.anchor)

    def read_dice(self, roll: Roll) -> None:
        """RS-2.1: the temperature is the median of the base dice; what is above it is heated, and the green die."""
        check_roll(roll)
        self.dice = dict(zip((*COLOURS, "green"), roll))
        base = [self.dice[colour] for colour in COLOURS]
        self.temperature = sorted(base)[len(base) // 2]
        self.heated = {"green"} | {colour for colour in COLOURS if self.dice[colour] > self.temperature}

    # RS-2.2, RS-2.3: phase 2

    def _choose_dice_and_fill_seats(self, seat: int) -> Story:
        """RS-2.2, RS-2.3: the die's seats come before any bonus; bonuses queue in the order of completed rows."""
        turn = self.turns[seat]
        choices = {as_action(choice): choice for choice in self._choices_of_dice(seat)}
        choice = yield from self._ask("die", choices)
        self._take_dice(seat, choice)
        yield from self._fill_seats(seat, choice.colour, self._dice_value(choice))
        while turn.bonuses:
            colour, seats = turn.bonuses.pop(0)
            yield from self._fill_seats(seat, colour, seats)

    def _choices_of_dice(self, seat: int) -> list[Dice]:
        """RS-2.2, RS-3.1: the choices of dice whose fire can be paid in full.

        READING: a choice that wastes something isn't forbidden: a full boat, a Fan base for nothing, Warm night
        although there is fire enough.
        """
        sheet = self.sheets[seat]
        ways = [PLAIN, GREEN]
        if sheet.powers["Warm night"] == "available":
            ways.append(GREEN_AND_WARM)
        fans = [False, True] if sheet.powers["Fan base"] == "available" else [False]
        choices = [Dice(colour, way, fan) for colour in COLOURS for way in ways for fan in fans]
        return [choice for choice in choices if self._fire_cost(choice) <= sheet.fire]

    def _fire_cost(self, choice: Dice) -> int:
        """RS-2.2, RS-3.1: each heated die costs its pips; Fan base costs none, nor does the green die on Warm night."""
        cost = 0
        if choice.colour in self.heated:
            cost += self.dice[choice.colour]
        if choice.green == GREEN:
            cost += self.dice["green"]
        return cost

    def _dice_value(self, choice: Dice) -> int:
        """RS-2.2, RS-3.1: the sum of the chosen dice; Fan base adds 3."""
        value = self.dice[choice.colour]
        if choice.green != PLAIN:
            value += self.dice["green"]
        if choice.fan_base:
            value += FAN_BASE_VALUE
        return value

    def _take_dice(self, seat: int, choice: Dice) -> None:
        """RS-2.2, RS-3.1: fire symbols and royal powers are crossed out."""
        self.turns[seat].dice = choice
        self.sheets[seat].fire -= self._fire_cost(choice)
        if choice.green == GREEN_AND_WARM:
            self._use_power(seat, "Warm night")
        if choice.fan_base:
            self._use_power(seat, "Fan base")

    def _fill_seats(self, seat: int, colour: str, seats: int) -> Asking[None]:
        """RS-2.2, RS-2.3: seat by seat, in any row that has one left; what a full boat can't take is lost.

        READING: the row is asked for every single seat, since seats may be spread over the rows as one likes. The
        bonus of a row waits until the seats under way are crossed out, also if these are themselves a bonus.
        """
        sheet, turn = self.sheets[seat], self.turns[seat]
        turn.filling, turn.seats_left = colour, seats
        while turn.seats_left and sheet.open_rows(colour):
            rows: dict[Action, int] = {("seat", colour, row): row for row in sheet.open_rows(colour)}
            row = yield from self._ask("seat", rows)
            turn.seats_left -= 1
            sheet.cross_seat(colour, row)
            if sheet.is_complete(colour, row):
                completed = self._pack.boats[colour].rows[row - 1]
                turn.bonuses.append((completed.bonus_colour, completed.bonus))
        turn.filling, turn.seats_left = None, 0

    # RS-2.4: phase 3

    def _go_on_excursions(self, seat: int) -> Story:
        """RS-2.4, RS-3.1: one village or none; a second one if Early birds is called after the first."""
        place = yield from self._choose_village(seat, may_stay=True)
        if place is None:
            return
        yield from self._visit(seat, place)
        if self.turns[seat].early_birds:
            second = yield from self._choose_village(seat, may_stay=False)
            if second is not None:
                yield from self._visit(seat, second)

    def _choose_village(self, seat: int, *, may_stay: bool) -> Asking[int | None]:
        """RS-2.4, RS-3.1: a village in reach where something can be scored. Speed boat must lead to an excursion.

        READING: once Speed boat is called, any such village may be chosen, even one in reach without it.
        """
        answers: dict[Action, int | None] = {("village", place): place for place in self._choosable(seat)}
        if self._speed_boat_helps(seat):
            answers[SPEED] = None
        if may_stay:
            answers[STAY] = None
        answer = yield Question("village", frozenset(answers))
        if answer != SPEED:
            return answers[answer]
        self._use_power(seat, "Speed boat")
        self.turns[seat].speed_boat = True
        villages: dict[Action, int] = {("village", place): place for place in self._choosable(seat)}
        return (yield from self._ask("village", villages))

    def _visit(self, seat: int, place: int) -> Asking[None]:
        """RS-2.4: one thing after the other is scored, at least one.

        RS-3.1: after a score at the first village Early birds may be called, which leaves it for a second.
        READING: when only `done` is left, nothing is asked.
        """
        self._travel(seat, place)
        scorings = self._scorings(seat)
        answer = yield Question("score", frozenset(scorings))
        while True:
            self._write_score(seat, answer, scorings)
            scorings = self._scorings(seat)
            endings = {EARLY} if self._early_birds_help(seat) else set()
            if not scorings and not endings:
                return
            answer = yield Question("more", frozenset([*scorings, *endings, DONE]))
            if answer == EARLY:
                self._use_power(seat, "Early birds")
                self.turns[seat].early_birds = True
            if answer in {EARLY, DONE}:
                return

    def _travel(self, seat: int, place: int) -> None:
        """RS-2.4: the fewest +1 symbols needed are charged."""
        sheet, turn = self.sheets[seat], self.turns[seat]
        needed = self._plus_ones_needed(seat, place, speed_boat=turn.speed_boat)
        sheet.plus_ones -= needed
        turn.plus_ones += needed
        turn.villages.append(place)
        turn.scored = []

    def _write_score(self, seat: int, answer: Action, scorings: Mapping[Action, tuple[str, int]]) -> None:
        """RS-2.4, RS-3.1: the points are written down, and with the prize ticket its power is crossed off."""
        boat, points = scorings[answer]
        if answer[0] == "score with prize":
            self._use_power(seat, "Prize ticket")
            self.turns[seat].prize = boat
        self.turns[seat].scored.append(boat)
        self.sheets[seat].scores[boat].append(points)

    def _scorings(self, seat: int) -> dict[Action, tuple[str, int]]:
        """RS-2.4: what can yet be scored at the village being visited."""
        turn = self.turns[seat]
        scorings = self._scorings_at(seat, turn.villages[-1])
        return {action: (boat, points) for action, (boat, points) in scorings.items() if boat not in turn.scored}

    def _scorings_at(self, seat: int, place: int) -> dict[Action, tuple[str, int]]:
        """RS-2.4, RS-3.1: the ways to score at a village, each with its boat and points.

        Value x tickets, only if above the boat's previous score and above 0. The prize ticket is one ticket more in
        one colour, or in total at a church; once called it holds for every later score of that colour this round.
        READING: it may be called wherever it leads to a score, whether or not one is possible without it.
        """
        sheet, turn = self.sheets[seat], self.turns[seat]
        scorings: dict[Action, tuple[str, int]] = {}
        for boat, value in self.villages[place].values.items():
            tickets = sheet.tickets(boat) + (1 if turn.prize == boat else 0)
            if value * tickets > sheet.last_score(boat):
                scorings["score", boat] = (boat, value * tickets)
            if sheet.powers["Prize ticket"] == "available" and value * (tickets + 1) > sheet.last_score(boat):
                scorings["score with prize", boat] = (boat, value * (tickets + 1))
        return scorings

    # RS-2.4, RS-3.1: reach

    def _scorable(self, seat: int) -> list[int]:
        """RS-2.4, RS-3.1: the villages not yet visited this round where something can be scored, however far."""
        visited = self.turns[seat].villages
        return [place for place in self.board.places if place not in visited and self._scorings_at(seat, place)]

    def _choosable(self, seat: int) -> list[int]:
        """RS-2.4: the villages that a seat may choose now."""
        speed_boat = self.turns[seat].speed_boat
        return [place for place in self._scorable(seat) if self._in_reach(seat, place, speed_boat=speed_boat)]

    def _plus_ones_needed(self, seat: int, place: int, *, speed_boat: bool) -> int:
        """RS-2.4, RS-3.1: range 3, or 6 with Speed boat; +1s already crossed out this round count again."""
        reach = (SPEED_BOAT_RANGE if speed_boat else RANGE) + self.turns[seat].plus_ones
        return max(0, self.board.distance[place][self.ship] - reach)

    def _in_reach(self, seat: int, place: int, *, speed_boat: bool) -> bool:
        """RS-2.4: whether the +1s left are enough."""
        return self._plus_ones_needed(seat, place, speed_boat=speed_boat) <= self.sheets[seat].plus_ones

    def _speed_boat_helps(self, seat: int) -> bool:
        """RS-3.1: Speed boat is offered only where it brings a scorable village into reach or saves a +1."""
        if self.sheets[seat].powers["Speed boat"] != "available":
            return False
        for place in self._scorable(seat):
            without = self._plus_ones_needed(seat, place, speed_boat=False)
            with_it = self._plus_ones_needed(seat, place, speed_boat=True)
            if self._in_reach(seat, place, speed_boat=True) and with_it < without:
                return True
        return False

    def _early_birds_help(self, seat: int) -> bool:
        """RS-3.1: Early birds is offered only after a first excursion, where a second village can be scored.

        READING: a second village that only Speed boat would bring into reach will do, if Speed boat is available.
        """
        if self.sheets[seat].powers["Early birds"] != "available":
            return False
        return bool(self._choosable(seat)) or self._speed_boat_helps(seat)

    def _use_power(self, seat: int, power: str) -> None:
        """RS-3.1: a royal power serves once."""
        if self.sheets[seat].powers[power] != "available":
            raise ValueError(f"RS-3.1: {power} isn't available")
        self.sheets[seat].powers[power] = "used"

    # Asking

    def _ask(self, word: str, answers: Mapping[Action, Answer]) -> Asking[Answer]:
        """Ask; each answer stands for a value, which is returned."""
        answer = yield Question(word, frozenset(answers))
        return answers[answer]


def as_action(choice: Dice) -> Action:
    """RS-2.2: a choice of dice as an action."""
    return ("die", choice.colour, choice.green, choice.fan_base)


def lay_board(pack: Pack, deal: Deal) -> Board:
    """RS-1.1: the board of a deal: two rows of tiles; a tile without passage closes its column."""
    columns = len(deal.tiles) // 2
    passages = [pack.villages[tile].passage for tile in deal.tiles]
    return board_of(pack.route, columns, closed_columns(passages, columns))


def check_deal(pack: Pack, options: Options, deal: Deal) -> None:
    """RS-1.1: refuse a mode that doesn't exist and a deal that the setup can't produce."""
    if not 1 <= options.num_players <= MAX_PLAYERS:
        raise ValueError(f"RS-1.1: {options.num_players} players can't play")
    if sorted(deal.tiles) != sorted(pack.tiles(extension=options.extension)):
        number = TILES + EXTENSION_TILES if options.extension else TILES
        raise ValueError(f"RS-1.1: {deal.tiles} aren't the {number} river tiles")


def check_roll(roll: Roll) -> None:
    """RS-2.1: six dice."""
    if len(roll) != len(COLOURS) + 1 or any(pips not in range(1, 7) for pips in roll):
        raise ValueError(f"RS-2.1: {roll} isn't a roll of six dice")
