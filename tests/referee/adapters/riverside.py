"""Riverside on both sides.

The referee takes the answers of a phase in any order; the engine asks the seats of a step one after another. So the
adapter passes the referee the same answers in the same order and tracks itself which seat answers next. The referee
counts places, tiles and rows from 1, the engine from 0. Facts are lists of numbers in the engine's codes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np

from referee.chance import NotedChance, Stream
from referee.lockstep import Adapter, Facts, bits
from referee.riverside.pack import COLOURS, POWERS, read_pack
from referee.riverside.referee import Action, Deal, Dice, Options, Referee, Roll, Turn
from referee.riverside.sheet import Sheet, empty_sheet
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.core.packs import find_pack
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules.actions import ACTIONS, DIE_WAYS, A
from riverbed_env.games.riverside.rules.engine import write_pending_mask
from riverbed_env.games.riverside.rules.scoring import band

BOATS = (*COLOURS, "church")  # in the engine's order
GREENS = ("plain", "green", "green and warm")
CHARGES = ("locked", "available", "used")
QUESTIONS = ("wait", "die", "seat", "village", "village", "village", "score", "more")
WORDS: dict[int, Action] = {A.STAY: ("stay",), A.SPEED: ("speed",), A.EARLY: ("early",), A.DONE: ("done",)}
ROWS = 4
NONE = -1
OTHERS = "what the others wait to answer"
SHEET = ("crossed", "tickets", "ticket_points", "fire", "plus", "power", "last", "total")  # fields of a sheet


pack_of = cache(read_pack)


class DiceChance(NotedChance):
    """Dice rolls from the engine's stream."""

    def roll(self) -> Roll:
        """The dice in the engine's order, which is the referee's."""
        white, yellow, brown, blue, pink, green = (1 + self.stream.below(6) for _ in range(6))
        return (white, yellow, brown, blue, pink, green)


class Course:
    """What the adapter tracks of one game: who answers next, and what each seat has done in public."""

    def __init__(self, referee: Referee, seats: int) -> None:
        self.unanswered = list(referee.pending)  # seats that haven't answered yet in the current step
        self.begun = False  # whether a seat has answered in it
        # Public counts: base dice, green dice, excursions; last, a correction to the number of scores on the sheets.
        self.deeds = [[0] * 8 for _ in range(seats)]

    @property
    def asked(self) -> int:
        """The seat that answers next."""
        return self.unanswered[0] if self.unanswered else NONE

    def publish(self, turns: Sequence[Turn], phase: int) -> None:
        """RS-5.1: count the choices of a finished phase."""
        for deeds, turn in zip(self.deeds, turns, strict=True):
            if phase == 3:
                deeds[6] += len(turn.villages)
            elif turn.dice:
                deeds[COLOURS.index(turn.dice.colour)] += 1
                deeds[5] += turn.dice.green != "plain"


class Riverside(Adapter):
    """See `Adapter`."""

    game: ClassVar[Game] = RIVERSIDE
    moods: ClassVar[int] = 6
    chance = DiceChance

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self.pack = pack_of(find_pack("riverside", batch.options.get("pack", "default")))
        self.cap = int(batch.params["max_steps"][0])
        self.places = int(batch.params["num_places"][0])
        self.courses: dict[int, Course] = {}
        self.sheets_known: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def vocabulary(self) -> list[list[Action]]:
        """Every seat uses the same words."""
        return [[word_of(action) for action in range(ACTIONS.size)]] * self.seats

    def weights(self, mood: int) -> np.ndarray[Any, Any]:
        """Moods: uniform; fill row after row; stay; two moods for royal seats and powers; rarely stay or stop."""
        weights = np.ones(ACTIONS.size)
        if mood == 1:
            self._prefer(weights, lambda word: word[0] == "seat" and word[2] == 1, 20)
            self._prefer(weights, lambda word: word[0] == "seat" and word[2] == 2, 5)
            weights[A.STAY] = 0.2
        elif mood == 2:
            weights[[A.STAY, A.DONE]] = 6
        elif mood == 5:
            weights[[A.STAY, A.DONE]] = 0.1
            weights[A.PRIZE :] = 0.2
        elif mood in (3, 4):
            self._go_for_powers(weights, POWERS[1:4] if mood == 3 else (POWERS[0], POWERS[4]))
        return weights

    def _prefer(self, weights: np.ndarray[Any, Any], wanted: Callable[[Any], bool], weight: float) -> None:
        for code, word in enumerate(self.words[0]):
            if wanted(word):
                weights[code] *= weight

    def _go_for_powers(self, weights: np.ndarray[Any, Any], powers: Sequence[str]) -> None:
        """Prefer boats with these powers, rows with royal seats, and every use of a power."""
        royal = {
            (boat.colour, row + 1) for boat in self.pack.boats.values() for row in range(4) if boat.rows[row].royal
        }
        boats = {boat.colour for boat in self.pack.boats.values() if boat.power in powers}
        self._prefer(weights, lambda word: word[0] == "die" and word[1] in boats, 5)
        self._prefer(weights, lambda word: word[0] == "seat" and word[1:] in royal, 8)
        self._prefer(weights, lambda word: word[0] == "die" and (word[3] or word[2] == "green and warm"), 6)
        weights[[A.STAY, A.DONE]] = 0.3
        weights[[A.SPEED, A.EARLY]] = 6
        weights[A.PRIZE :] = 3

    # --- carrying games over --------------------------------------------------------------------------------------

    def referee(self, index: int) -> Referee:
        """RS-1.1: a referee dealt what the engine dealt; its first roll is the first of the engine's stream of dice."""
        game = self.batch.games[index]
        deal = Deal(tuple(tile + 1 for tile in game["table"]["tile"][: self.places].tolist()))
        self.chances[index].stream = Stream(int(game["chance"]["key"]), int(game["chance"]["block"]), 0)
        options = Options(self.seats, extension=bool(self.batch.options.get("extension", False)))
        chance = self.chances[index]
        assert isinstance(chance, DiceChance)
        referee = Referee(self.pack, options, deal, chance, cap=self.cap)
        self.courses[index] = Course(referee, self.seats)
        return referee

    def referee_in(self, index: int) -> Referee:
        """A referee in the position of the record, at the beginning of a phase."""
        game, table = self.batch.games[index], self.batch.games[index]["table"]
        referee = self.referee(index)
        self.note_chance()
        white, yellow, brown, blue, pink, green = table["dice"].tolist()
        referee.read_dice((white, yellow, brown, blue, pink, green))
        referee.ship, referee.rounds = int(table["ship"]), int(table["round"])
        referee.sheets = [self._drawn_sheet(own["sheet"]) for own in game["private"][: self.seats]]
        referee.turns = [self._drawn_turn(own) for own in game["private"][: self.seats]]
        referee.go_on_from_phase(2 + int(table["phase"]))
        course = self.courses[index] = Course(referee, self.seats)
        for deeds, known, sheet in zip(course.deeds, table["deeds"].tolist(), referee.sheets, strict=False):
            deeds[:] = known
            deeds[7] -= sum(map(len, sheet.scores.values()))
        return referee

    def _drawn_sheet(self, drawn: np.void) -> Sheet:
        """A sheet with everything that is crossed out and written on a record's sheet."""
        sheet = empty_sheet(self.pack)
        sheet.fire, sheet.plus_ones = int(drawn["fire"]), int(drawn["plus"])
        for boat, last, total in zip(BOATS, drawn["last"].tolist(), drawn["total"].tolist(), strict=True):
            sheet.scores[boat] = [points for points in (total - last, last) if points]
        for colour, crossed in zip(COLOURS, drawn["crossed"].tolist(), strict=True):
            sheet.crossed[colour] = crossed
            sheet.unlock_power(colour)
        for power, charge in zip(POWERS, drawn["power"].tolist(), strict=True):
            if CHARGES[charge] == "used":
                sheet.powers[power] = "used"
        return sheet

    @staticmethod
    def _drawn_turn(own: np.void) -> Turn:
        """What a seat has done this round in a record: it may have chosen dice."""
        if own["die"] == NONE:
            return Turn()
        return Turn(dice=Dice(COLOURS[int(own["die"])], GREENS[int(own["green"])], bool(own["fan"])))

    def asked(self, referee: Referee, index: int) -> int:
        """The seat that answers next in the current step."""
        return self.courses[index].asked

    def legal(self, referee: Referee, seat: int) -> Iterable[Action]:
        """The legal answers of the seat."""
        return referee.legal(seat)

    def play(self, referee: Referee, index: int, action: int) -> None:
        """RS-5.1: let the referee take the decision of the seat asked; in a step every pending seat answers once."""
        course = self.courses[index]
        phase, turns, word = referee.phase, referee.turns, self.words[0][action]
        self.answers[index][self._kind_of(referee, course.asked, word)] += 1
        referee.play(course.asked, word)
        course.unanswered.pop(0)
        if referee.phase != phase:
            course.publish(turns, phase)
        course.begun = bool(course.unanswered)
        if not course.begun:
            course.unanswered = list(referee.pending)

    @staticmethod
    def _kind_of(referee: Referee, seat: int, word: Action) -> str:
        """The kind of an answer, for counts of rare rules."""
        if word[0] == "die":
            return f"{word[2]}{' on Fan base' if word[3] else ''}"  # type: ignore[misc]  # a choice of dice has four
        if word == ("speed",) and referee.turns[seat].early_birds:
            return "speed after early"
        return "score at a church" if word == ("score", "church") else word[0]

    def describe(self, referee: Referee, action: int) -> str:
        """An action in the referee's words."""
        return " ".join(map(str, self.words[0][action]))

    def tell(self, fact: str, value: Any, referee: Referee) -> str:
        """A fact in words."""
        if fact == OTHERS:
            return "; ".join(f"{seat}: {self.in_words(mask, seat)}" for seat, mask in value)
        return super().tell(fact, value, referee)

    def events(self, index: int) -> Mapping[str, int]:
        """The answers of the game, by kind."""
        return self.answers[index]

    def ending(self, referee: Referee) -> str:
        """How the game ended."""
        return ("nobody wins", "one wins", "shared")[min(2, len(referee.winners))]

    # --- the facts, as the engine has them ------------------------------------------------------------------------

    def engine_facts(self) -> Facts:
        """See `Adapter`."""
        games, table = self.batch.games, self.batch.games["table"]
        own = games["private"][:, : self.seats]
        pending = self._engine_pending()
        questions = np.where(pending, own["question"], 0).tolist()
        return {
            "the seats pending in this phase": pending,
            "the questions": [[QUESTIONS[question] for question in of_game] for of_game in questions],
            OTHERS: self._engine_masks(pending),
            "the phase": np.where(self.batch.acting, table["phase"], 2),
            "the bonuses that wait (boat, seats)": self._engine_bonuses(own),
            "the +1 symbols crossed this round": own["extended"].sum(axis=2),
            "Speed boat called this round": own["speed"] > 0,
            "what is scored at the village being visited": self._engine_scored(own),
            "the bands": self._engine_bands(),
        }

    def _engine_pending(self) -> np.ndarray[Any, Any]:
        """RS-5.1: the seats that still answer in this phase: in this step, or in a later one if the cap allows it."""
        games = self.batch.games
        waiting = (games["timing"]["waiting"][:, None] >> np.arange(self.seats)) & 1 != 0
        later = (games["timing"]["steps"] + 1 < self.cap)[:, None]
        asking = games["private"]["question"][:, : self.seats] > 0
        return (asking & (waiting | later)) & self.batch.acting[:, None]

    def _engine_masks(self, pending: np.ndarray[Any, Any]) -> list[list[tuple[int, list[int]]]]:
        """RS-5.1: at the beginning of a step, the masks of every pending seat but the first; else none."""
        masks: list[list[tuple[int, list[int]]]] = [[] for _ in range(self.batch.num_envs)]
        waiting = self.batch.games["timing"]["waiting"].tolist()
        mask = np.zeros(ACTIONS.size, np.int8)
        for index, of_game in enumerate(masks):
            seats = np.flatnonzero(pending[index]).tolist()
            if sum(1 << seat for seat in seats) == waiting[index]:
                for seat in seats[1:]:
                    write_pending_mask(self.batch.games[index], self.batch.params[0], seat, mask)
                    of_game.append((seat, mask.tolist()))
        return masks

    def _engine_bonuses(self, own: np.ndarray[Any, Any]) -> list[list[list[tuple[int, int]]]]:
        """RS-2.3: the rows in the queue that haven't paid, as boats and seats."""
        params = self.batch.params[0]
        boats, seats = params["bonus_boat"].ravel().tolist(), params["bonus"].ravel().tolist()
        queues = zip(own["queue"].tolist(), own["paid"].tolist(), own["queued"].tolist(), strict=True)
        return [
            [
                [(boats[row], seats[row]) for row in queue[paid:queued]]
                for queue, paid, queued in zip(*index, strict=True)
            ]
            for index in queues
        ]

    @staticmethod
    def _engine_scored(own: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """RS-2.4: the boats scored at the last visit."""
        first, second = own["points"][:, :, 0], own["points"][:, :, 1]
        scored: np.ndarray[Any, Any] = np.where((own["visits"] > 1)[:, :, None], second, first) > 0
        return scored

    def _engine_bands(self) -> list[list[int]]:
        """RS-4.1: the bands in games that ended by the rules."""
        table = self.batch.games["table"]
        finals = table["final"][:, : self.seats].tolist()
        return [
            [band(self.batch.params[0], points) for points in finals[index]] if ending == 1 else []
            for index, ending in enumerate(table["ending"].tolist())
        ]

    def engine_slow_facts(self) -> Facts:
        """Where the tiles lie, and how far the villages are."""
        table = self.batch.games["table"]
        return {
            "the tiles": table["tile"][:, : self.places],
            "the columns with a passage": table["open_columns"],
            "the ways from the ship to the villages": table["distance"][:, : self.places],
        }

    # --- the facts, as the referee has them -----------------------------------------------------------------------

    def referee_facts(self, index: int, referee: Referee) -> Facts:
        """See `Adapter`."""
        course, turns, pending = self.courses[index], referee.turns, referee.pending
        step_begins = course.unanswered == pending
        result, nothing = referee.result, [0] * self.seats
        dice = [self._dice(turn) for turn in turns]
        return {
            "the seats pending in this phase": [seat in pending for seat in range(self.seats)],
            "the questions": [referee.question(seat) for seat in range(self.seats)],
            OTHERS: [(seat, self.mask(referee.legal(seat), seat)) for seat in pending[1:]] if step_begins else [],
            "timing.steps": referee.steps - course.begun,
            "timing.decisions": referee.decisions,
            "table.round": referee.rounds,
            "the phase": 2 if referee.ended else referee.phase - 2,
            "table.ship": referee.ship,
            "table.dice": list(referee.dice.values()),
            "table.temperature": referee.temperature,
            "table.heated": bits(place for place, colour in enumerate(COLOURS) if colour in referee.heated),
            **self._sheets("private.sheet", referee.sheets),
            **self._sheets("sheets", referee.sheets_seen),
            **{f"private.{die}[seat]": list(chosen) for die, chosen in zip(("die", "green", "fan"), zip(*dice))},
            "private.boat[seat]": [code(COLOURS, turn.filling) for turn in turns],
            "private.left[seat]": [turn.seats_left for turn in turns],
            "the bonuses that wait (boat, seats)": [
                [(COLOURS.index(boat), seats) for boat, seats in turn.bonuses] for turn in turns
            ],
            "private.place[seat]": [[*(place - 1 for place in turn.villages), NONE, NONE][:2] for turn in turns],
            "the +1 symbols crossed this round": [turn.plus_ones for turn in turns],
            "Speed boat called this round": [turn.speed_boat for turn in turns],
            "private.prize[seat]": [code(BOATS, turn.prize) for turn in turns],
            "what is scored at the village being visited": [[boat in turn.scored for boat in BOATS] for turn in turns],
            "table.deeds[seat]": self._deeds(referee, course),
            "table.final[seat]": result.scores if result else nothing,
            "table.captain[seat]": result.captain_points if result else nothing,
            "table.winners": bits(referee.winners),
            "the bands": result.bands if result else [],
        }

    def _sheets(self, kept: str, sheets: Sequence[Sheet]) -> Facts:
        """What is on the sheets, in the order of `SHEET`."""
        columns = zip(*map(self._sheet, sheets), strict=True)
        return {f"{kept}.{field}[seat]": list(fact) for field, fact in zip(SHEET, columns, strict=True)}

    def _sheet(self, sheet: Sheet) -> tuple[Any, ...]:
        """What is on a sheet, in the order of `SHEET`. Cached by its content, since most sheets don't change."""
        written = (
            tuple([tuple(sheet.crossed[colour]) for colour in COLOURS]),
            tuple([tuple(sheet.scores[boat]) for boat in BOATS]),
            (sheet.fire, sheet.plus_ones, *[sheet.powers[power] for power in POWERS]),
        )
        facts = self.sheets_known.get(written)
        if facts is None:
            facts = self.sheets_known[written] = (
                [list(sheet.crossed[colour]) for colour in COLOURS],
                [sheet.tickets(colour) for colour in COLOURS],
                [sheet.ticket_points(colour) for colour in COLOURS],
                sheet.fire,
                sheet.plus_ones,
                [CHARGES.index(sheet.powers[power]) for power in POWERS],
                [sheet.last_score(boat) for boat in BOATS],
                [sum(sheet.scores[boat]) for boat in BOATS],
            )
        return facts

    @staticmethod
    def _dice(turn: Turn) -> list[int]:
        if turn.dice is None:
            return [NONE, 0, 0]
        return [COLOURS.index(turn.dice.colour), GREENS.index(turn.dice.green), int(turn.dice.fan_base)]

    @staticmethod
    def _deeds(referee: Referee, course: Course) -> list[list[int]]:
        """RS-5.1: the dice and villages that are public, and the number of scores on the sheets as seen."""
        scores = [sum(map(len, sheet.scores.values())) for sheet in referee.sheets_seen]
        return [[*deeds[:7], deeds[7] + number] for deeds, number in zip(course.deeds, scores, strict=True)]

    def referee_slow_facts(self, referee: Referee) -> Facts:
        """See `Adapter`."""
        board = referee.board
        return {
            "the tiles": [referee.villages[place].tile - 1 for place in board.places],
            "the columns with a passage": bits({*range(board.columns)} - board.closed),
            "the ways from the ship to the villages": [board.distance[place][referee.ship] for place in board.places],
        }


def word_of(action: int) -> Action:
    """The referee's word for an action."""
    name, argument = ACTIONS.split(action)
    if name == "DIE":
        colour, way = divmod(argument, DIE_WAYS)
        return ("die", COLOURS[colour], GREENS[way // 2], way % 2 == 1)
    elif name == "SEAT":
        return ("seat", COLOURS[argument // ROWS], argument % ROWS + 1)
    elif name == "VILLAGE":
        return ("village", argument + 1)
    elif name in ("SCORE", "PRIZE"):
        return ("score" if name == "SCORE" else "score with prize", BOATS[argument])
    return WORDS.get(action, ("wait",))


def code(names: Sequence[str], name: str | None) -> int:
    """The index of a name; -1 for None."""
    return NONE if name is None else names.index(name)
