"""Free text beside a game: what seats said in their own words. No rule reads it; `Game.texts` says who may say some."""

import json
import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from riverbed_env.errors import OptionError, StateError

from .batch import Batch
from .game import Game
from .options import check_whole
from .schema import of_kind
from .text import YOU, Name, at_the_table

MOST_CHARACTERS = 280
_CONTROLS = frozenset({"Cc", "Cf", "Zl", "Zp"})  # control and formatting characters, breaks of lines and paragraphs
KIND = "say_text"  # of the event that a text is in frames


class Said(NamedTuple):
    """A text: the turn and the seat that said it, how many events and claims there were before, and the words."""

    turn: int
    seat: int
    events: int
    text: str


Transcript = tuple[Said, ...]  # oldest first


def takes_texts(game: Game, params: np.void) -> bool:
    """Whether seats may say texts in a game with these params."""
    return game.texts is not None and game.texts.takes_texts(params)


def most_characters(game: Game, record: np.void, params: np.void, transcript: Transcript) -> int:
    """How long a text the seat that is asked may say now; 0 if it may say none. record: the game's, or a view."""
    may = takes_texts(game, params) and game.texts.has_floor(record["table"], transcript)
    return MOST_CHARACTERS if may else 0


def said_now(game: Game, record: np.void, params: np.void, transcript: Transcript, text: object) -> Said:
    """What a transcript gets if the seat that is asked says a text, sanitised.

    Raises OptionError where no texts are said and for another text, IllegalActionError if the seat may say none now.
    """
    if not takes_texts(game, params):
        need = "a game with talk" if game.texts is None else "talk='text'"
        raise OptionError(f"say() needs an environment with {need}")
    clean, table = sanitised(text), record["table"]
    game.texts.check_may_say(table, transcript)
    return Said(int(table["turn"]), int(table["asked"]), int(game.words.count_events(record)), clean)


def say(batch: Batch, text: str, index: int = 0) -> Said:
    """Let the acting seat of an environment say a text before its action; `Batch.notes` has what was said.

    Args:
        batch: games with `talk="text"`.
        text: 1 to 280 characters; control characters become blanks.
        index: the environment.

    Returns:
        What was noted: the turn, the seat, how many events there were before, and the text.

    Raises:
        OptionError: no texts are said, or this isn't one.
        IllegalActionError: the seat may say none now.
    """
    check_whole("index", index, 0, batch.num_envs - 1)
    params = batch.params[batch.which[index]]
    said = said_now(batch.game, batch.games[index], params, batch.notes(index), text)
    batch.note(said, index)
    return said


def actions_of(game: Game, record: np.void, action: int, text: str) -> list[int]:
    """The actions that an action with a text stands for, in their order: a text that makes a claim is the claim.

    record: the game's, or a view.
    """
    actions: list[int] = game.texts.actions_of(record["table"], action, text) if text and game.texts else [action]
    return actions


def merged(
    events: list[dict[str, str]], count: int, transcript: Transcript, since: int, name: Name
) -> tuple[list[dict[str, str]], int]:
    """Events with the texts among them, without the first `since` of both; and how many of both there are.

    events: the newest of `count`, oldest first, each with `kind` and `text`; name: how seats are called.
    """
    first = count - len(events)
    placed = [((first + place, 1, place), event) for place, event in enumerate(events)]
    placed += [
        ((said.events, 0, place), {"kind": KIND, "text": quoted(said, name)}) for place, said in enumerate(transcript)
    ]
    total = count + len(transcript)
    in_order = [event for _, event in sorted(placed, key=lambda each: each[0])]
    return in_order[max(0, len(in_order) - max(0, total - since)) :], total


def sanitised(text: object) -> str:
    """RH-9.9: the text with blanks for control characters, trimmed.

    Raises OptionError unless it is a string of 1 to 280 characters, of which some can be seen.
    """
    if not isinstance(text, str):
        raise OptionError(f"a text must be a string, not {type(text).__name__}")
    if len(text) > MOST_CHARACTERS:
        raise OptionError(f"a text has at most {MOST_CHARACTERS} characters, not {len(text)} (RH-9.9)")
    if any(unicodedata.category(sign) == "Cs" for sign in text):
        raise OptionError("a text must be whole characters; this one holds half of a pair (a lone surrogate)")
    clean = "".join(" " if unicodedata.category(sign) in _CONTROLS else sign for sign in text).strip()
    if not clean:
        raise OptionError("a text needs a character that can be seen; a seat with nothing to say says nothing")
    return clean


def quoted(said: Said, name: Name = at_the_table) -> str:
    """A text as data for whoever reads it: the seat, then the words as a JSON string."""
    speaker = name(said.seat)
    return f"{speaker} {'say' if speaker == YOU else 'says'} in words: {json.dumps(said.text, ensure_ascii=False)}"


def read_transcript(rows: object, num_players: int) -> list[Said]:
    """A transcript from the lists that a saved state holds. Raises StateError if they aren't one."""
    try:
        transcript = of_kind(list[Said], rows, "rows")
        sound = [
            said.turn > 0 and said.seat in range(num_players) and said.events >= 0 and sanitised(said.text) == said.text
            for said in transcript
        ]
    except OptionError as error:
        raise StateError(f"the state's transcript: {error}") from error
    if not all(sound):
        raise StateError(f"the state's transcript holds what no seat can have said: {transcript[sound.index(False)]}")
    return transcript


def rows_of(transcript: Iterable[Said]) -> list[list[Any]]:
    """A transcript as lists, for a saved state."""
    return [[*said] for said in transcript]
