"""Drawn positions and loaded dice for the rule tests of Riverside.

A Scene deals a real game and then lays it out as drawn: which tile lies where, where the ship is, what was rolled, what
is crossed and scored on each sheet. People's numbers are used: places, tiles and rows from 1, players from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partialmethod
from pathlib import Path
from typing import Any

import numpy as np
from drawn import DrawnGame
from referee.adapters.riverside import Riverside

from riverbed_env.games.riverside.content.pack import BOATS, POWERS, make_params
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules import engine, legality, vocab
from riverbed_env.games.riverside.rules.actions import ACTIONS, DIE_WAYS
from riverbed_env.games.riverside.rules.boats import unlock, use_power
from riverbed_env.games.riverside.rules.phases import begin_phase, forget_round, heated, lay_sheet, median
from riverbed_env.games.riverside.rules.river import measure, open_columns
from riverbed_env.games.riverside.rules.scoring import boat_points, captain_points, subtotal
from riverbed_env.games.riverside.rules.vocab import NUM_COLOURS, NUM_DICE, PIPS, Charge, Phase, Question, Refusal
from riverbed_env.kernels.random import MASK, MULTIPLIER, ROUNDS, WEYL

NAMES = tuple(BOATS)
COLOURS = NAMES[:NUM_COLOURS]
WAYS = ("", "fan", "green", "green fan", "warm", "warm fan")  # of taking a base die, in the order of actions
PHASES = {"dice": (Phase.DICE, Question.DIE), "excursions": (Phase.EXCURSIONS, Question.VILLAGE)}
_SEARCHED = 1_000_000  # draws in which a roll is looked for


@dataclass(frozen=True)
class Sheet:
    """What is on a drawn sheet.

    crossed: colour -> seats crossed in its four rows; both royal seats make a power ready. used: names of powers that
    are crossed off. last: boat -> its last score; total: boat -> the sum of its scores, its last score unless given.
    """

    crossed: Mapping[str, Sequence[int]] = field(default_factory=dict)
    fire: int | None = None
    plus: int | None = None
    last: Mapping[str, int] = field(default_factory=dict)
    total: Mapping[str, int] = field(default_factory=dict)
    used: Sequence[str] = ()


class Scene(DrawnGame):
    """A game of Riverside in a drawn position, at the beginning of a phase.

    sheets: seat -> Sheet; the others' are empty. tiles: place -> tile number for those that matter; the other tiles in
    play fill the other places in order. ship: its space after the roll. dice: pips of white, yellow, brown, blue, pink
    and green. phase: "dice" or "excursions".
    """

    kind = RIVERSIDE
    vocab = vocab
    adapter = Riverside

    def __init__(
        self,
        num_players: int = 1,
        *,
        sheets: Mapping[int, Sheet] | None = None,
        tiles: Mapping[int, int] | None = None,
        ship: int = 2,
        dice: Sequence[int] = (1, 2, 3, 4, 5, 6),
        phase: str = "dice",
        extension: bool = False,
        pack: str | Path = "default",
        auto_forced: str = "none",
        max_steps: int = 1000,
        seed: int = 1,
    ) -> None:
        self.num_players = num_players
        self.options = {"pack": pack, "extension": extension}
        self.start(make_params(num_players, pack, extension, auto_forced, max_steps), seed)
        self._lay_tiles(dict(tiles or {}))
        self._roll(dice, ship)
        for seat in range(num_players):
            self._draw_sheet(seat, (sheets or {}).get(seat, Sheet()))
        self._begin(phase)

    # --- drawing the position -----------------------------------------------------------------------------------

    def _lay_tiles(self, wanted: dict[int, int]) -> None:
        places = range(1, int(self.params["num_places"]) + 1)
        assert set(wanted) <= set(places), "a tile is drawn in a place that the board doesn't have"
        assert set(wanted.values()) <= set(places), "a drawn tile isn't in play"
        rest = [tile for tile in places if tile not in wanted.values()]
        for place in places:
            self.table["tile"][place - 1] = (wanted[place] if place in wanted else rest.pop(0)) - 1
        self.table["open_columns"] = open_columns(self.table, self.params)

    def _roll(self, dice: Sequence[int], ship: int) -> None:
        assert len(dice) == NUM_DICE
        self.table["dice"][:] = dice
        self.table["temperature"] = median(self.table)
        self.table["heated"] = heated(self.table)
        self.table["ship"] = ship
        self.table["round"] = max(1, -(-ship // PIPS))
        measure(self.table, self.params)

    def _draw_sheet(self, seat: int, drawn: Sheet) -> None:
        sheet = self.game["private"][seat]["sheet"]
        lay_sheet(self.game, self.params, seat)
        for colour, rows in drawn.crossed.items():
            boat = BOATS[colour]
            sheet["crossed"][boat] = rows
            sheet["tickets"][boat] = sum(sheet["crossed"][boat] == self.params["seats"][boat])
            sheet["ticket_points"][boat] = sum(
                self.params["points"][boat][sheet["crossed"][boat] == self.params["seats"][boat]]
            )
            unlock(sheet, self.params, boat)
        if drawn.fire is not None:
            sheet["fire"] = drawn.fire
        if drawn.plus is not None:
            sheet["plus"] = drawn.plus
        for name, points in drawn.last.items():
            sheet["last"][BOATS[name]] = points
            sheet["total"][BOATS[name]] = drawn.total.get(name, points)
        for name in drawn.used:
            assert sheet["power"][POWERS[name]] == Charge.READY, f"{name} isn't available on the drawn sheet"
            use_power(self.game["private"][seat], POWERS[name])
        self.game["sheets"][seat] = sheet

    def _begin(self, phase: str) -> None:
        number, question = PHASES[phase]
        for seat in range(self.num_players):
            forget_round(self.game, seat)
            if number == Phase.EXCURSIONS:
                self.game["private"][seat]["die"] = 0
        begin_phase(self.game, self.params, number, question)
        self.call_referee()
        engine.begin_step(self.game, 0)
        engine.go_on(self.game, self.params)
        self.compare()

    def load_dice(self, *dice: int) -> Scene:
        """Make the next roll this one: pips of white, yellow, brown, blue, pink and green."""
        chance = self.game["chance"]
        words = _words(int(chance["key"]), int(chance["block"]), np.arange(_SEARCHED, dtype=np.uint64))
        pips = 1 + ((words * np.uint64(PIPS)) >> np.uint64(32)).astype(np.int64)
        runs = np.lib.stride_tricks.sliding_window_view(pips, NUM_DICE)
        chance["drawn"] = int(np.flatnonzero((runs == np.array(dice)).all(axis=1))[0])
        return self

    # --- names -------------------------------------------------------------------------------------------------

    @staticmethod
    def action(words: str | int) -> int:
        """The action id of words: "die white", "die white green", "die white warm fan", "seat white 2", "village 3",
        "score blue", "score church", "prize blue", "stay", "speed", "early", "done", "wait"."""
        if isinstance(words, int):
            return words
        verb, _, rest = words.partition(" ")
        if verb == "die":
            colour, _, way = rest.partition(" ")
            return ACTIONS.id("DIE", BOATS[colour] * DIE_WAYS + WAYS.index(way))
        if verb == "seat":
            colour, _, row = rest.partition(" ")
            return ACTIONS.id("SEAT", BOATS[colour] * 4 + int(row) - 1)
        if verb == "village":
            return ACTIONS.id("VILLAGE", int(rest) - 1)
        if verb in ("score", "prize"):
            return ACTIONS.id(verb.upper(), BOATS[rest])
        return ACTIONS.id(verb.upper())

    @staticmethod
    def words(action: int, seat: int = 0) -> str:
        """The words of an action id."""
        name, argument = ACTIONS.split(action)
        if name == "DIE":
            return f"die {NAMES[argument // DIE_WAYS]} {WAYS[argument % DIE_WAYS]}".rstrip()
        if name == "SEAT":
            return f"seat {NAMES[argument // 4]} {argument % 4 + 1}"
        if name == "VILLAGE":
            return f"village {argument + 1}"
        if name in ("SCORE", "PRIZE"):
            return f"{name.lower()} {NAMES[argument]}"
        return name.lower()

    # --- playing -----------------------------------------------------------------------------------------------

    @property
    def pending(self) -> set[int]:
        """The seats still to answer in this step."""
        bits = engine.pending(self.game, self.params)
        return {seat for seat in range(self.num_players) if bits >> seat & 1}

    def question(self, seat: int = 0) -> Question:
        """What waits for the seat's answer."""
        return Question(int(self.game["private"][seat]["question"]))

    def refusal(self, words: str | int, seat: int | None = None) -> Refusal:
        """Why the rules refuse the action as an answer to the seat's question; the asked seat's if none is named."""
        own = self.game["private"][self.asked if seat is None else seat]
        return Refusal(legality.refusal(self.table, own, self.params, 1, self.action(words)))

    def legal(self, seat: int | None = None) -> set[str]:
        """The answers to the seat's question, in the words `action` takes; of the asked seat unless one is named."""
        mask = np.zeros(ACTIONS.size, np.int8)
        own = self.game["private"][self.asked if seat is None else seat]
        legality.write_answers(self.table, own, self.params, mask)
        return {self.words(int(action)) for action in np.flatnonzero(mask)}

    def play(self, *actions: str | int) -> Scene:
        """Each action by whoever is asked; fails where one is illegal. "seat white 2 x3" crosses three seats."""
        for words in actions:
            for once in _repeated(words):
                refused = self.refusal(once)
                assert refused == Refusal.OK, f"{once!r} by seat {self.asked}: {refused.name}; legal: {self.legal()}"
                self.take(self.action(once))
        return self

    # --- looking ------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """Where in the round the game stands."""
        return Phase(int(self.table["phase"]))

    def sheet(self, seat: int = 0) -> np.void:
        """A seat's sheet as it is."""
        found: np.void = self.game["private"][seat]["sheet"]
        return found

    def seen(self, seat: int = 0) -> np.void:
        """A seat's sheet as the others see it."""
        found: np.void = self.game["sheets"][seat]
        return found

    def crossed(self, colour: str, seat: int = 0) -> tuple[int, ...]:
        """Seats crossed in the rows of a guide boat."""
        return tuple(self.sheet(seat)["crossed"][BOATS[colour]].tolist())

    def _of_boat(self, field: str, boat: str, seat: int = 0) -> int:
        return int(self.sheet(seat)[field][BOATS[boat]])

    tickets = partialmethod(_of_boat, "tickets")
    last = partialmethod(_of_boat, "last")  # the last score of a boat
    total = partialmethod(_of_boat, "total")  # all scores of a boat added up

    def _of_sheet(self, field: str, seat: int = 0) -> int:
        return int(self.sheet(seat)[field])

    fire = partialmethod(_of_sheet, "fire")  # symbols left
    plus = partialmethod(_of_sheet, "plus")

    def charge(self, power: str, seat: int = 0) -> Charge:
        """Where a royal power stands on the sheet."""
        return Charge(int(self.sheet(seat)["power"][POWERS[power]]))

    def distance(self, place: int) -> int:
        """Steps from the ship to the village of a place."""
        return int(self.table["distance"][place - 1])

    def boat_points(self, boat: str, seat: int = 0) -> int:
        """Points of a boat so far."""
        return boat_points(self.sheet(seat), BOATS[boat])

    def captain_points(self, seat: int = 0) -> int:
        """Captain points so far."""
        return captain_points(self.sheet(seat))

    def subtotal(self, seat: int = 0) -> int:
        """All points so far but the captain's reward."""
        return subtotal(self.sheet(seat))

    def final(self, seat: int = 0) -> int:
        """The final score, 0 before the end."""
        return int(self.table["final"][seat])

    def winners(self) -> set[int]:
        """Who has won."""
        return {seat for seat in range(self.num_players) if int(self.table["winners"]) >> seat & 1}


def excursion(drawn: Sheet, **more: Any) -> Scene:
    """A player alone before an excursion; tiles lie in the order of their numbers unless drawn."""
    return Scene(sheets={0: drawn}, phase="excursions", **more)


def _repeated(words: str | int) -> list[str | int]:
    """ "seat white 2 x3" as three times "seat white 2"."""
    if isinstance(words, str):
        once, times, number = words.rpartition(" x")
        if times and number.isdigit():
            return [once] * int(number)
    return [words]


def _words(key: int, block: int, counters: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> np.ndarray:
    """The 32-bit words that a stream draws at several counters; see `core.random`."""
    mask = np.uint64(MASK)
    low, high = counters & mask, np.full_like(counters, block)
    for _ in range(ROUNDS):
        product = np.uint64(MULTIPLIER) * low
        low, high = (product >> np.uint64(32)) ^ np.uint64(key) ^ high, product & mask
        key = (key + WEYL) & MASK
    return low
