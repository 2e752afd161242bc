"""RS-2, RS-4.1: a score sheet."""

from dataclasses import dataclass

from .pack import CHURCH, COLOURS, ROWS, Pack


@dataclass
class Sheet:
    """One player's score sheet: what is printed on it (the pack), crossed out and written down."""

    pack: Pack
    crossed: dict[str, list[int]]  # by boat: the seats crossed out in each row, from the left
    scores: dict[str, list[int]]  # by boat, and for the church: the excursion points written down, in order
    fire: int  # fire symbols not yet crossed out
    plus_ones: int  # +1 symbols not yet crossed out
    powers: dict[str, str]  # by royal power: "locked", "available" or "used"

    def copy(self) -> "Sheet":
        """RS-5.1: the sheet as it is now."""
        return Sheet(
            self.pack,
            {colour: list(rows) for colour, rows in self.crossed.items()},
            {boat: list(scores) for boat, scores in self.scores.items()},
            self.fire,
            self.plus_ones,
            dict(self.powers),
        )

    # RS-2.2, RS-2.3: seats and tickets

    def is_complete(self, colour: str, row: int) -> bool:
        """RS-2.3: whether a row (1 to 4, from the top) is completed, and so its ticket crossed out."""
        return self.crossed[colour][row - 1] == self.pack.boats[colour].rows[row - 1].seats

    def open_rows(self, colour: str) -> list[int]:
        """RS-2.2: the rows of a boat that still have seats."""
        return [row for row in range(1, ROWS + 1) if not self.is_complete(colour, row)]

    def cross_seat(self, colour: str, row: int) -> None:
        """RS-2.2: cross out the next seat of a row."""
        if self.is_complete(colour, row):
            raise ValueError(f"RS-2.2: row {row} of the {colour} boat is full")
        self.crossed[colour][row - 1] += 1
        self.unlock_power(colour)

    def unlock_power(self, colour: str) -> None:
        """RS-2.3: both royal seats of a boat make its power available."""
        power = self.pack.boats[colour].power
        if self.powers[power] == "locked" and self._royal_seats_crossed(colour) == 2:
            self.powers[power] = "available"

    def _royal_seats_crossed(self, colour: str) -> int:
        rows = zip(self.crossed[colour], self.pack.boats[colour].rows)
        return sum(row.royal is not None and crossed >= row.royal for crossed, row in rows)

    def tickets(self, boat: str) -> int:
        """RS-2.3, RS-2.4: the tickets of a colour; for the church those of all colours."""
        if boat == CHURCH:
            return sum(self.tickets(colour) for colour in COLOURS)
        return ROWS - len(self.open_rows(boat))

    # RS-2.4: excursion points

    def last_score(self, boat: str) -> int:
        """RS-2.4: the previous score of a boat, which the next must beat; without one the next must be above 0."""
        return self.scores[boat][-1] if self.scores[boat] else 0

    # RS-4.1: points

    def ticket_points(self, colour: str) -> int:
        """RS-4.1: the points of a boat's crossed-out tickets."""
        rows = enumerate(self.pack.boats[colour].rows, start=1)
        return sum(row.points for number, row in rows if self.is_complete(colour, number))

    def boat_points(self, colour: str) -> int:
        """RS-4.1: ticket points + excursion points."""
        return self.ticket_points(colour) + sum(self.scores[colour])

    def captain_points(self) -> int:
        """RS-4.1: stave church points + the lowest boat."""
        return sum(self.scores[CHURCH]) + min(self.boat_points(colour) for colour in COLOURS)


def empty_sheet(pack: Pack) -> Sheet:
    """RS-2, the setup: a new score sheet."""
    return Sheet(
        pack=pack,
        crossed={colour: [0] * ROWS for colour in COLOURS},
        scores={boat: [] for boat in (*COLOURS, CHURCH)},
        fire=pack.fire_symbols,
        plus_ones=pack.plus_one_symbols,
        powers={boat.power: "locked" for boat in pack.boats.values()},
    )
