"""The errors the library raises on purpose; each message says what was wrong, where, and what is allowed."""

import difflib
from collections.abc import Iterable

LONGEST = 8000  # characters of a message; a file's content isn't repeated whole


class RiverbedError(Exception):
    """The base of every error of this library; its message can be shown on any terminal.

    Args:
        message: What was wrong, where, and what is allowed. One of more than 8,000 characters is cut in its middle, and
            characters that can't be printed are escaped.
    """

    def __init__(self, message: str) -> None:
        shown = message if len(message) <= LONGEST else f"{message[: LONGEST // 2]} … {message[-LONGEST // 4 :]}"
        super().__init__("".join(sign if sign.isprintable() or sign == "\n" else repr(sign)[1:-1] for sign in shown))


class PackError(RiverbedError, ValueError):
    """A content pack can't be read or breaks a rule; the message names the file, the entry and the reason."""


class OptionError(RiverbedError, ValueError, TypeError):
    """An option isn't known, or has a value that isn't allowed; the message names both and what is allowed.

    It is a TypeError too: libraries that offer options on trial, like `make_vec_env`, go on without them after one.
    """


class SeedError(OptionError):
    """A seed isn't an integer or is out of range."""


class IllegalActionError(RiverbedError, ValueError):
    """The rules refuse an action; the message names the seat, the action, the reason and the legal actions."""


class AgentFailedError(RiverbedError, RuntimeError):
    """An agent raised an error, which is the cause; the message names the game, the seat, the agent and the error."""


class StateError(RiverbedError, ValueError):
    """A saved state is damaged, belongs to another game, or violates an invariant."""


class EpisodeOverError(RiverbedError, RuntimeError):
    """A call needs a game in play, but came before `reset` or after the end."""


class ForkError(RiverbedError, RuntimeError):
    """A forked process wants to use threads, but the process it was forked from had used them already."""


class WriteError(RiverbedError, OSError):
    """A file can't be written; the message names it, the reason and what helps."""


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """A hint for an error message about an unknown word.

    Args:
        word: The unknown word.
        known: The words that are known.
        cutoff: How like it a known word must be, 0 to 1, as `difflib.get_close_matches` measures it.

    Returns:
        The known word most like it, in parentheses and as a question; "" if none is like it.
    """
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f" (did you mean {near[0]!r}?)" if near else ""
