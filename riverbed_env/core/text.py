"""The words that all games share, and how a game declares its events and its questions once."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np

from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.events import EventField, EventSpec
from riverbed_env.kernels.vocab import MAX_EVENTS, Worded

Name = Callable[[int], str]  # names a seat

YOU = "you"


def read_words(module: str) -> dict[str, dict[str, str]]:
    """The tables of sentences of `words.toml`, which lies beside a module; `module` is its `__file__`."""
    return tomllib.loads(Path(module).with_name("words.toml").read_text(encoding="utf-8"))


# --- seats ------------------------------------------------------------------------------------------------------------


def at_the_table(seat: int) -> str:
    """A seat by its agent's name."""
    return f"player_{seat}"


def addressing(viewer: int | None, name: Name = at_the_table) -> Name:
    """How to name seats when talking to `viewer`: their own is "you"."""
    return lambda seat: YOU if seat == viewer else name(seat)


def possessive(who: str) -> str:
    """A named seat's …: "player_1's", "your"."""
    return "your" if who == YOU else f"{who}'s"


def heading(seat: int, viewer: int | None) -> str:
    """A seat as a line about it begins: "player_1", or "player_1 (you)" for the viewer."""
    return f"player_{seat} (you)" if seat == viewer else f"player_{seat}"


def counted(number: int, thing: str) -> str:
    """A number of things: "1 card", "2 cards"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def describer(codes: type[Worded]) -> Callable[[int], str]:
    """A function from a code to its words. It raises ValueError for an unknown code."""
    return lambda code: codes(code).words


# --- decisions --------------------------------------------------------------------------------------------------------


def whose_turn(task: str, seat: int, viewer: int | None, name: Name = at_the_table) -> str:
    """Who has to choose what, said to `viewer`."""
    return f"Your turn: {task}" if seat == viewer else f"Waiting for {name(seat)} to {task}"


# --- events -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gap:
    """What fills a gap in the sentences of events.

    say(pack, event, name): the words. letter: what the game's card writes in their place. codes: what the number
    behind them means, for the card.
    """

    say: Callable[[Any, Any, Name], str]
    letter: str
    codes: str = ""


def number_gap(field: str, letter: str, codes: str = "", words: Callable[[int], str] = str) -> Gap:
    """A gap for what the number in a field of the event means."""
    return Gap(lambda pack, event, name: words(getattr(event, field)), letter, codes)


def coded(meanings: Iterable[tuple[int, str]]) -> str:
    """What numbers mean, for the card: "0 both, 1 Dive"."""
    return ", ".join(f"{int(number)} {meaning}" for number, meaning in meanings)


# Verb endings, for anybody and for "you".
_ENDINGS = {"s": ("s", ""), "es": ("es", ""), "ies": ("ies", "y"), "has": ("has", "have")}
_ENDED = tuple({ending: both[person] for ending, both in _ENDINGS.items()} for person in (False, True))


@cache
def gap_names(sentence: str) -> tuple[str, ...]:
    """The gaps of a sentence in their order, verb endings left out."""
    return tuple(name for _, name, _, _ in Formatter().parse(sentence) if name and name not in _ENDINGS)


def filled(sentence: str, gaps: Mapping[str, str], *, to_actor: bool = False) -> str:
    """A sentence with its gaps filled, its verbs in the second person if it is said to the actor."""
    return sentence.format(**gaps, **_ENDED[to_actor])


class EventTable:
    """A game's public events in words: at the table, in observations, and on the card.

    gaps: what fills the gaps of the spec's sentences; a field's own name stands for its seat or number. {s}, {es},
    {ies} and {has} agree with the actor. name: how seats are called.
    """

    def __init__(self, spec: EventSpec, gaps: Mapping[str, Gap], name: Name = at_the_table) -> None:
        self.spec, self.name = spec, name
        self.sentences = {kind: kind.words for kind in spec.kinds if kind}
        plain = {field.name: _plain_gap(field) for field in spec.fields}
        used = {gap: plain.get(gap) for sentence in self.sentences.values() for gap in gap_names(sentence)}
        self.gaps: dict[str, Any] = {**used, **gaps}
        self._unpacked = lru_cache(maxsize=32)(spec.unpack)  # every look at a table asks for the same ones again

    def say(self, pack: Any, event: Any, name: Name = at_the_table) -> str:
        """An event in a sentence; `name` names the seats."""
        sentence = self.sentences[event.kind]
        gaps = {gap: self.gaps[gap].say(pack, event, name) for gap in gap_names(sentence)}
        return filled(sentence, gaps, to_actor=name(event.actor) == YOU)

    def happened(self, table: np.void, since: int = 0) -> list[Any]:
        """The last public events (at most 32), oldest first, without the first `since` of the game."""
        count = int(table["event_count"])
        newest = newest_event(count)
        ages = range(count - max(since, count - MAX_EVENTS, 0))
        words = table["events"].tolist()
        return [self._unpacked(words[(newest + age) % MAX_EVENTS]) for age in reversed(ages)]

    def describe(self, pack: Any, game: np.void, since: int = 0, viewer: int | None = None) -> list[str]:
        """What `happened`, in sentences said to `viewer`: their seat is "you"."""
        name = addressing(viewer, self.name)
        return [self.say(pack, event, name) for event in self.happened(game["table"], since)]


def _plain_gap(field: EventField) -> Gap:
    """The name of the seat, or the number, in a field."""
    letter = field.letter or field.title.split()[-1]
    if field.seat:
        return Gap(lambda pack, event, name: name(getattr(event, field.name)), letter)
    return number_gap(field.name, letter)


# --- views and observations ------------------------------------------------------------------------------------


def view_of(look: Callable[..., None], dtype: np.dtype[np.void], game: np.void, seat: int) -> np.void:
    """What a seat may know of a game, as the game's `look` writes it."""
    view = np.zeros(1, dtype)
    look(game, seat, view[0])
    seen: np.void = view[0]
    return seen
