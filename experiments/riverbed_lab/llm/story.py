"""What a seat has been told of a game, over all its questions: it only grows, so that prefix caches keep it."""

import json
import unicodedata
from collections.abc import Iterator, Sequence

from riverbed_env.seats import Message

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, direction marks, tags, private and unassigned signs

Told = tuple[str, str]  # who did it and what; for what is no seat's doing, and for texts, nobody and the whole line


class Story:
    """The events of a game in turn order, with what was said among them.

    A table keeps its newest events and texts alone; the story keeps what they were when the seat was told. All in it
    follows from what the seat was asked.
    """

    def __init__(self) -> None:
        self._told: list[Told] = []
        self._events, self._said = 0, list[Message]()

    @property
    def lines(self) -> list[str]:
        """All that happened, oldest first."""
        return list(_joined(self._told))

    def go_on(self, message: Message) -> list[str]:
        """Add what a question has that the seat's last one hadn't, and return it; asked again it has nothing."""
        if message["event_count"] < self._events:  # another game
            self._told, self._events, self._said = [], 0, []
        new = list(self._new(message))
        self._told += new
        self._events = message["event_count"]
        self._said = message["talk"]["said"] if message["talk"] is not None else []
        return list(_joined(new))

    def _new(self, message: Message) -> Iterator[Told]:
        """What isn't told yet: a text stands before the event that it came before."""
        events, count = [*message["earlier"], *message["new"]], message["event_count"]
        events = events[max(0, len(events) - (count - self._events)) :]
        first = count - len(events)
        if first > self._events:
            yield "", f"({first - self._events} events are left out)"
        placed = [((first + at, 1), _shortened(each, message["rules"])) for at, each in enumerate(events)]
        own = message["you"]["seat"]
        for each in self._later(message):
            speaker = "you say" if each["seat"] == own else f"{each['name']} says"
            placed.append(((each.get("after", count), 0), ("", f"{speaker} in words: {quoted(each['text'])}")))
        yield from (told for _, told in sorted(placed, key=lambda each: each[0]))

    def _later(self, message: Message) -> Sequence[Message]:
        """The texts that were said since the last question; both have the newest alone, oldest first."""
        now, then = message["talk"]["said"] if message["talk"] is not None else [], self._said
        most = min(len(now), len(then))
        return list(now[next(count for count in range(most, -1, -1) if now[:count] == then[len(then) - count :]) :])


def _shortened(event: Message, rules: str) -> Told:
    """An event as who did what, without an explanation that the rules give too; a claim has its line."""
    words: str = event["text"]
    if event["kind"].startswith("say"):
        return "", words
    about, _, told = words.partition(": ")
    words = about if told and f"{about.rpartition(' ')[2]}: {told}" in rules else words
    actor, _, deed = words.partition(" ")
    return (actor, deed) if actor == "you" or actor.startswith("player_") else ("", words)


def _joined(told: Sequence[Told]) -> Iterator[str]:
    """A line for what a seat did without a break, and for everything else."""
    line, last = "", ""
    for actor, words in told:
        if actor and actor == last:
            line += f"; {words}"
            continue
        if line:
            yield line
        line, last = f"{actor} {words}".lstrip(), actor
    if line:
        yield line


def quoted(text: str) -> str:
    """A text as a JSON string on one line; unseen characters and angle brackets are escaped."""
    return "".join(
        _escaped(sign) if sign in "<>" or unicodedata.category(sign) in _UNSEEN else sign
        for sign in json.dumps(text, ensure_ascii=False)
    )


def _escaped(sign: str) -> str:
    return json.dumps(sign)[1:-1] if ord(sign) > 127 else f"\\u{ord(sign):04x}"
