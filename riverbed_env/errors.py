"""The errors the library raises on purpose; each message says what was wrong, where, and what is allowed."""

LONGEST = 8000  # characters of a message: what a file says is told of, not repeated whole


class RiverbedError(Exception):
    """The base of every error of this library; its message can be shown on any terminal."""

    def __init__(self, message: str) -> None:
        shown = message if len(message) <= LONGEST else f"{message[: LONGEST // 2]} … {message[-LONGEST // 4 :]}"
        super().__init__("".join(sign if sign.isprintable() or sign == "\n" else repr(sign)[1:-1] for sign in shown))


class PackError(RiverbedError, ValueError):
    """A content pack can't be read or breaks a rule; the message names the file, the entry and the reason."""


class OptionError(RiverbedError, ValueError):
    """An option has a value that isn't allowed; the message names both and says what is."""


class SeedError(OptionError, TypeError):
    """A seed that isn't an integer, or lies outside what is allowed."""


class IllegalActionError(RiverbedError, ValueError):
    """An action the rules refuse; the message names the seat, the action, the reason and what is legal."""


class StateError(RiverbedError, ValueError):
    """A saved state that isn't whole, isn't of this game, or breaks a book-keeping identity."""


class EpisodeOverError(RiverbedError, RuntimeError):
    """A call that needs a game in play, before `reset` or after the end."""


class WriteError(RiverbedError, OSError):
    """A file can't be written: no room, no permission, a disk that fails; the message names it and what helps."""
