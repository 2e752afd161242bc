"""Event tables: a game declares what everybody sees happen once; checks, sentences and the card follow."""

from collections import namedtuple
from collections.abc import Mapping
from string import Formatter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .vocab import Worded

BY_KIND = "see the table of kinds"


class EventField(NamedTuple):
    """A field of an event's word.

    `name` is what sentences and Python call it; the card shows `title`, `values`, and `letter` in place of its words.
    Its numbers go from `least` to `most`; `less` is taken off for people: 1 where 0 stands for none. `bits` is its
    width.
    """

    name: str
    title: str
    values: str
    most: int
    less: int = 0
    letter: str = ""
    seat: bool = False
    bits: int = 8
    least: int = 0


def kind_field(kinds: type[Worded], bits: int = 8) -> EventField:
    """The field for the kind."""
    return EventField("kind", "kind", "kind of the event, 0 where there is none", len(kinds) - 1, bits=bits, least=1)


def seat_field(name: str, title: str, seats: int, letter: str = "") -> EventField:
    """A field for a seat."""
    return EventField(name, title, "1 + seats clockwise from the observer, 0 nobody", seats, 1, letter, seat=True)


def clock_field(name: str, begun: str) -> EventField:
    """A field for a time, the last of those that are told."""
    return EventField(name, name, f"{begun} when it happened, at most 127", 127)


class EventSpec:
    """A game's public events: `kinds` with their sentences, and the fields of an event's word, one of them its kind.

    gaps: a gap of a sentence that narrows a field: (its name, lowest, highest number). A kind whose sentence has no
    such gap keeps the field's own range.
    """

    def __init__(self, kinds: type[Worded], *fields: EventField, gaps: Mapping[str, tuple[str, int, int]]) -> None:
        self.kinds, self.fields, self.gaps = kinds, fields, gaps
        self.event: Any = namedtuple("event", [field.name for field in self.fields])  # type: ignore[misc]
        self.shifts = np.cumsum([0, *(field.bits for field in self.fields)])[:-1]
        self.masks = np.array([(1 << field.bits) - 1 for field in self.fields])

    def unpack(self, word: int) -> Any:
        """The event of a word as a named tuple."""
        return self.read([word >> int(shift) & int(mask) for shift, mask in zip(self.shifts, self.masks, strict=True)])

    def read(self, numbers: list[int]) -> Any:
        """The event of its fields' numbers as a named tuple."""
        return self.event(*(number - field.less for number, field in zip(numbers, self.fields, strict=True)))

    def limits(self) -> npt.NDArray[np.int64]:
        """Shift, mask, least and greatest number of each field by kind, (4, kinds, fields), for `fields_fit`."""
        names = [field.name for field in self.fields]
        limits = np.zeros((4, len(self.kinds), len(names)), np.int64)
        limits[0], limits[1] = self.shifts, self.masks
        limits[2], limits[3] = zip(*((field.least, field.most) for field in self.fields), strict=True)
        for kind in self.kinds:
            for _, gap, _, _ in Formatter().parse(kind.words):
                if gap and gap in self.gaps:
                    name, *bounds = self.gaps[gap]
                    limits[2:, kind, names.index(name)] = bounds
        return limits
