"""Riverside on both sides.

The referee takes the answers of a phase in any order; the engine asks the seats of a step one after another, so the
adapter hands the referee the same answers in the same order and says itself whose turn a step leaves. The referee
counts places, tiles and rows from 1, the engine from 0. Facts are lists of numbers in the engine's codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from referee.chance import Stream
from referee.lockstep import Adapter, Facts
from referee.riverside import (
    COLOURS,
    POWERS,
    Action,
    Deal,
    Dice,
    Options,
    Pack,
    Referee,
    Roll,
    Sheet,
    Turn,
    empty_sheet,
    read_pack,
)

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
LEGAL = "the legal actions"
OTHERS = "what the others wait to answer"
SHEET = (
    "the seats crossed",
    "the tickets and their points",
    "the fire and +1 symbols left",
    "the royal powers",
    "the last scores",
    "the sums of the scores",
)


@cache
def pack_of(path: Path) -> Pack:
    """The pack as the referee reads it, from the file itself."""
    return read_pack(path)


class NotedChance:
    """Chance as the engine had it before the decision under way: the `Chance` of one referee."""

    def __init__(self, key: int, block: int, drawn: int) -> None:
        self.stream = Stream(key, block, drawn)

    def roll(self) -> Roll:
        """The dice in the engine's order, which is the referee's."""
        white, yellow, brown, blue, pink, green = (1 + self.stream.below(6) for _ in range(6))
        return (white, yellow, brown, blue, pink, green)


class Course:
    """What one game's course has come to, as the referee's words tell it."""

    def __init__(self, referee: Referee, seats: int) -> None:
        self.unanswered = list(referee.pending)  # seats of the step under way that haven't answered yet
        self.begun = False  # whether one has
        # As made public: base dice, green dice, excursions; then the scores that count beside those on the sheets.
        self.deeds = [[0] * 8 for _ in range(seats)]
        self.words: Counter[str] = Counter()

    @property
    def asked(self) -> int:
        """The seat that answers next."""
        return self.unanswered[0] if self.unanswered else NONE

    def publish(self, turns: Sequence[Turn], phase: int) -> None:
        """RS-5.1: what was chosen in a phase that is over."""
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
    facts: ClassVar[tuple[str, ...]] = (
        "the seat asked",
        "the seats pending in this phase",
        "the questions",
        LEGAL,
        OTHERS,
        "steps, answers, rounds",
        "the phase",
        "the ship",
        "the dice",
        "the temperature",
        "the heated base dice",
        *(f"{fact} on each sheet" for fact in SHEET),
        *(f"{fact} on each sheet, as seen" for fact in SHEET),
        "the dice chosen (colour, green, Fan base)",
        "the boats being filled and the seats left",
        "the bonuses that wait (boat, seats)",
        "the villages visited this round",
        "the +1 symbols crossed this round",
        "Speed boat called this round",
        "the prize ticket's boat this round",
        "what is scored at the village being visited",
        "what is known of what each has done",
        "the ending",
        "the final scores",
        "the captain points",
        "the winners",
        "the bands",
        "the returns",
        "the chance drawn",
    )
    slow_facts: ClassVar[tuple[str, ...]] = (
        "the tiles",
        "the columns with a passage",
        "the ways from the ship to the villages",
    )

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self.pack = pack_of(find_pack("riverside", batch.options.get("pack", "default")))
        self.seats = batch.num_players
        self.cap = int(batch.params["max_steps"][0])
        self.places = int(batch.params["num_places"][0])
        self.words = [self._word(action) for action in range(ACTIONS.size)]
        self.codes = {word: code for code, word in enumerate(self.words)}
        self.chances = {index: NotedChance(0, 0, 0) for index in range(batch.num_envs)}
        self.courses: dict[int, Course] = {}
        self.sheets_known: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    @staticmethod
    def _word(action: int) -> Action:
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

    def weights(self, mood: int) -> Sequence[float]:
        """Uniform; filling row after row; staying at home; two moods for royal seats and powers; nothing left out."""
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
        return [float(weight) for weight in weights]

    def _prefer(self, weights: np.ndarray[Any, Any], wanted: Callable[[Any], bool], weight: float) -> None:
        for code, word in enumerate(self.words):
            if wanted(word):
                weights[code] *= weight

    def _go_for_powers(self, weights: np.ndarray[Any, Any], powers: Sequence[str]) -> None:
        """Boats with these powers, rows with royal seats, and powers wherever they may be used."""
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
        self.chances[index] = NotedChance(int(game["chance"]["key"]), int(game["chance"]["block"]), 0)
        options = Options(self.seats, extension=bool(self.batch.options.get("extension", False)))
        referee = Referee(self.pack, options, deal, self.chances[index], cap=self.cap)
        self.courses[index] = Course(referee, self.seats)
        return referee

    def referee_in(self, index: int) -> Referee:
        """A referee at the table that the record draws: a phase begins, or an excursion after dice chosen."""
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
        """A sheet with what is crossed out and written on a drawn one."""
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
        """What a seat has done in a round that is drawn: it may have chosen dice."""
        if own["die"] == NONE:
            return Turn()
        return Turn(dice=Dice(COLOURS[int(own["die"])], GREENS[int(own["green"])], bool(own["fan"])))

    def only_action(self, referee: Referee, index: int) -> int:
        """The one legal answer of the seat asked; fails where there are several."""
        (word,) = referee.legal(self.courses[index].asked)
        return self.codes[word]

    def note_chance(self) -> None:
        """Let every referee's chance begin where the engine's stands."""
        streams = self.batch.games["chance"]
        for index, chance in self.chances.items():
            key, block, drawn = (int(streams[name][index]) for name in ("key", "block", "drawn"))
            chance.stream = Stream(key, block, drawn)

    def play(self, referee: Referee, index: int, action: int) -> None:
        """RS-5.1: let the referee take the decision of the seat asked; in a step every pending seat answers once."""
        course = self.courses[index]
        phase, turns, word = referee.phase, referee.turns, self.words[action]
        course.words[self._told(referee, course.asked, word)] += 1
        referee.play(course.asked, word)
        course.unanswered.pop(0)
        if referee.phase != phase:
            course.publish(turns, phase)
        course.begun = bool(course.unanswered)
        if not course.begun:
            course.unanswered = list(referee.pending)

    @staticmethod
    def _told(referee: Referee, seat: int, word: Action) -> str:
        """An answer in words that rules can be told by."""
        if word[0] == "die":
            return f"{word[2]}{' on Fan base' if word[3] else ''}"  # type: ignore[misc]  # a choice of dice has four
        if word == ("speed",) and referee.turns[seat].early_birds:
            return "speed after early"
        return "score at a church" if word == ("score", "church") else word[0]

    def describe(self, referee: Referee, action: int) -> str:
        """An action in the referee's words."""
        return " ".join(map(str, self.words[action]))

    def tell(self, fact: str, value: Any, referee: Referee) -> str:
        """A fact in words."""
        if fact == LEGAL:
            return self._in_words(value)
        if fact == OTHERS:
            return "; ".join(f"{seat}: {self._in_words(mask)}" for seat, mask in value)
        return super().tell(fact, value, referee)

    def _in_words(self, mask: Sequence[int]) -> str:
        return ", ".join(" ".join(map(str, self.words[action])) for action, legal in enumerate(mask) if legal)

    def events(self, index: int) -> dict[str, int]:
        """The answers of the game, by kind."""
        return dict(self.courses[index].words)

    def ending(self, referee: Referee) -> str:
        """How the game ended."""
        if referee.truncated:
            return "truncated"
        return ("nobody wins", "one wins", "shared")[min(2, len(referee.winners))]

    # --- the facts, as the engine has them ------------------------------------------------------------------------

    def engine_facts(self) -> list[Facts]:
        """The facts of every environment, in the order of `facts`."""
        games, table, timing = (self.batch.games, self.batch.games["table"], self.batch.games["timing"])
        own = games["private"][:, : self.seats]
        over = ~self.batch.acting
        pending = self._engine_pending()
        columns: list[Any] = [
            self.batch.seat,
            pending,
            np.where(pending, own["question"], 0),
            np.where(over[:, None], 0, self.batch.action_mask),
            self._engine_masks(pending),
            np.stack([timing["steps"], timing["decisions"], table["round"]], axis=1),
            np.where(over, 2, table["phase"]),
            table["ship"],
            table["dice"],
            table["temperature"],
            table["heated"],
            *self._engine_sheets(own["sheet"]),
            *self._engine_sheets(games["sheets"][:, : self.seats]),
            np.stack([own["die"], own["green"], own["fan"]], axis=2),
            np.stack([own["boat"], own["left"]], axis=2),
            self._engine_bonuses(own),
            own["place"],
            own["extended"].sum(axis=2),
            own["speed"] > 0,
            own["prize"],
            self._engine_scored(own),
            table["deeds"][:, : self.seats],
            table["ending"],
            table["final"][:, : self.seats],
            table["captain"][:, : self.seats],
            table["winners"],
            self._engine_bands(),
            np.where(over[:, None], self.batch.returns, 0),
            games["chance"]["drawn"],
        ]
        plain = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns]
        plain[2] = [[QUESTIONS[question] for question in questions] for questions in plain[2]]
        return list(zip(*plain, strict=True))

    def _engine_pending(self) -> np.ndarray[Any, Any]:
        """RS-5.1: the seats that still answer in this phase: in this step, or in the next if the cap leaves one."""
        games = self.batch.games
        waiting = (games["timing"]["waiting"][:, None] >> np.arange(self.seats)) & 1 != 0
        later = (games["timing"]["steps"] + 1 < self.cap)[:, None]
        asking = games["private"]["question"][:, : self.seats] > 0
        return (asking & (waiting | later)) & self.batch.acting[:, None]

    def _engine_masks(self, pending: np.ndarray[Any, Any]) -> list[list[tuple[int, list[int]]]]:
        """RS-5.1: the answers of every pending seat when a step begins, as a parallel environment asks for them."""
        masks: list[list[tuple[int, list[int]]]] = [[] for _ in range(self.batch.num_envs)]
        waiting = self.batch.games["timing"]["waiting"].tolist()
        mask = np.zeros(ACTIONS.size, np.int8)
        for index, found in enumerate(masks):
            seats = np.flatnonzero(pending[index]).tolist()
            if sum(1 << seat for seat in seats) == waiting[index]:
                for seat in seats[1:]:
                    write_pending_mask(self.batch.games[index], self.batch.params[0], seat, mask)
                    found.append((seat, mask.tolist()))
        return masks

    @staticmethod
    def _engine_sheets(sheets: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
        """What is on the sheets, in the order of `SHEET`."""
        return [
            sheets["crossed"],
            np.stack([sheets["tickets"], sheets["ticket_points"]], axis=3),
            np.stack([sheets["fire"], sheets["plus"]], axis=2),
            sheets["power"],
            sheets["last"],
            sheets["total"],
        ]

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
        """RS-2.4: the boats with points at the visit under way, the last one."""
        first, second = own["points"][:, :, 0], own["points"][:, :, 1]
        scored: np.ndarray[Any, Any] = np.where((own["visits"] > 1)[:, :, None], second, first) > 0
        return scored

    def _engine_bands(self) -> list[list[int]]:
        """RS-4.1: the bands of those whose game is finished."""
        table = self.batch.games["table"]
        finals = table["final"][:, : self.seats].tolist()
        return [
            [band(self.batch.params[0], points) for points in finals[index]] if ending == 1 else []
            for index, ending in enumerate(table["ending"].tolist())
        ]

    def engine_slow_facts(self) -> list[Facts]:
        """Where the tiles lie, and how far the villages are."""
        table = self.batch.games["table"]
        columns = [table["tile"][:, : self.places], table["open_columns"], table["distance"][:, : self.places]]
        return list(zip(*(column.tolist() for column in columns), strict=True))

    # --- the same as the referee has them -------------------------------------------------------------------------

    def referee_facts(self, index: int, referee: Referee) -> Facts:
        """The same facts as the referee has them."""
        course, turns, pending = self.courses[index], referee.turns, referee.pending
        result = referee.result
        return (
            course.asked,
            [seat in pending for seat in range(self.seats)],
            [referee.question(seat) for seat in range(self.seats)],
            self._mask(referee, course.asked),
            [(seat, self._mask(referee, seat)) for seat in pending[1:]] if course.unanswered == pending else [],
            [referee.steps - course.begun, referee.decisions, referee.rounds],
            2 if referee.ended else referee.phase - 2,
            referee.ship,
            list(referee.dice.values()),
            referee.temperature,
            bits(place for place, colour in enumerate(COLOURS) if colour in referee.heated),
            *self._sheets(referee.sheets),
            *self._sheets(referee.sheets_seen),
            [self._dice(turn) for turn in turns],
            [[code(COLOURS, turn.filling), turn.seats_left] for turn in turns],
            [[(COLOURS.index(boat), seats) for boat, seats in turn.bonuses] for turn in turns],
            [[*(place - 1 for place in turn.villages), NONE, NONE][:2] for turn in turns],
            [turn.plus_ones for turn in turns],
            [turn.speed_boat for turn in turns],
            [code(BOATS, turn.prize) for turn in turns],
            [[boat in turn.scored for boat in BOATS] for turn in turns],
            self._deeds(referee, course),
            2 if referee.truncated else int(referee.ended),
            result.scores if result else [0] * self.seats,
            result.captain_points if result else [0] * self.seats,
            bits(referee.winners),
            result.bands if result else [],
            self._returns(referee),
            self.chances[index].stream.drawn,
        )

    def _mask(self, referee: Referee, seat: int) -> list[int]:
        """The answers of a seat as the engine's mask has them."""
        mask = [0] * ACTIONS.size
        for action in referee.legal(seat):
            mask[self.codes[action]] = 1
        return mask

    def _sheets(self, sheets: Sequence[Sheet]) -> list[Any]:
        """What is on the sheets, in the order of `SHEET`."""
        return [list(fact) for fact in zip(*map(self._sheet, sheets), strict=True)]

    def _sheet(self, sheet: Sheet) -> tuple[Any, ...]:
        """What is on a sheet, reckoned once for all that is crossed out and written on it: most don't change."""
        written = (
            tuple([tuple(sheet.crossed[colour]) for colour in COLOURS]),
            tuple([tuple(sheet.scores[boat]) for boat in BOATS]),
            (sheet.fire, sheet.plus_ones, *[sheet.powers[power] for power in POWERS]),
        )
        found = self.sheets_known.get(written)
        if found is None:
            found = self.sheets_known[written] = (
                [list(sheet.crossed[colour]) for colour in COLOURS],
                [[sheet.tickets(colour), sheet.ticket_points(colour)] for colour in COLOURS],
                [sheet.fire, sheet.plus_ones],
                [CHARGES.index(sheet.powers[power]) for power in POWERS],
                [sheet.last_score(boat) for boat in BOATS],
                [sum(sheet.scores[boat]) for boat in BOATS],
            )
        return found

    @staticmethod
    def _dice(turn: Turn) -> list[int]:
        if turn.dice is None:
            return [NONE, 0, 0]
        return [COLOURS.index(turn.dice.colour), GREENS.index(turn.dice.green), int(turn.dice.fan_base)]

    @staticmethod
    def _deeds(referee: Referee, course: Course) -> list[list[int]]:
        """RS-5.1: dice and villages as counted when they became public, and the scores on the sheets as seen."""
        scores = [sum(map(len, sheet.scores.values())) for sheet in referee.sheets_seen]
        return [[*deeds[:7], deeds[7] + number] for deeds, number in zip(course.deeds, scores, strict=True)]

    def _returns(self, referee: Referee) -> list[float]:
        """+1 to each winner and -1 to the others; 0 to all in a game that goes on or was cut."""
        if referee.truncated or not referee.ended:
            return [0.0] * self.seats
        return [1.0 if seat in referee.winners else -1.0 for seat in range(self.seats)]

    def referee_slow_facts(self, referee: Referee) -> Facts:
        """The same as the referee has it."""
        board = referee.board
        return (
            [referee.villages[place].tile - 1 for place in board.places],
            bits({*range(board.columns)} - board.closed),
            [board.distance[place][referee.ship] for place in board.places],
        )


def bits(numbers: Iterable[int]) -> int:
    """Numbers as the engine's bits."""
    return sum(1 << number for number in numbers)


def code(names: Sequence[str], name: str | None) -> int:
    """The place of a name, as the engine has it where there is none."""
    return NONE if name is None else names.index(name)


ADAPTER = Riverside
