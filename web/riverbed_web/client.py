"""A player from outside takes a person's link: it is asked by the seat protocol over the table's websocket."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.seats import Answer, Message, SeatAgent

from .connection import BAD_TOKEN, NO_TABLE, NOT_JOINED, TOO_LARGE
from .limits import MESSAGES, TRIES, Bucket

Make = Callable[[str], SeatAgent]  # the player for a game's id
Say = Callable[[str], None]

FOR_GOOD = (NOT_JOINED, BAD_TOKEN, NO_TABLE, TOO_LARGE)  # codes by which a server says that no other try can help
MOST_TRIES = 1000  # to come back
LONGEST_PAUSE = 15.0  # s between two of them


class LinkError(RiverbedError):
    """The table can't be joined, or has sent the player away."""


class _GoneError(Exception):
    """The connection is lost, but another try may help."""


def sit(
    link: str,
    make: Make,
    say: Say = lambda line: None,
    *,
    tries: int = TRIES,
    sleep: Callable[[float], None] = time.sleep,
) -> list[float] | None:
    """Play a seat to the end of its game.

    Args:
        link: a person's, like http://127.0.0.1:8000/table/ID#seat=TOKEN.
        make: makes the player once the game is known, from the game's id.
        say: is told each choice that is drawn because the player gave none, and each try to come back.
        tries: how often to try, 0 to 1000, after longer and longer pauses, once a connection is lost at a table that
            was joined; counted anew whenever the game goes on.
        sleep: the pause, in s.

    Returns:
        What the game paid to each seat; None if the table was closed before.

    Raises:
        LinkError: the link leads nowhere, or the table doesn't come back.
        OptionError: the link is no link to a seat, or `tries` is out of range.
    """
    address, token = _read(link)
    sitting, tried = _Sitting(make, say), 0
    check_whole("tries", tries, 0, MOST_TRIES)
    while True:
        try:
            return _connected(address, token, sitting)
        except _GoneError as gone:
            if not sitting.joined:
                raise LinkError(str(gone)) from gone
            tried = 1 if sitting.advanced else tried + 1
            if tried > tries:
                raise LinkError(f"{gone}; gave up after {tries} tries to come back") from gone
            pause = min(LONGEST_PAUSE, 0.5 * 2 ** (tried - 1))
            say(f"{gone}: trying again in {pause:g} s ({tried} of {tries})")
            sleep(pause)


def _connected(address: str, token: str, sitting: _Sitting) -> list[float] | None:
    """Play as long as a connection lasts. Raises _GoneError if it breaks, LinkError if the table sends us away."""
    from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
    from websockets.sync.client import connect

    sitting.advanced = False
    try:
        with connect(address, max_size=None) as socket:
            socket.send(json.dumps({"type": "join", "token": token, "since": 0}))
            return sitting.play(socket)
    except ConnectionClosed as error:
        if error.rcvd is None:
            raise _GoneError("the table ended the connection: the connection broke") from error
        words = f"the table ended the connection: {error.rcvd.reason or f'code {error.rcvd.code}'}"
        raise (LinkError if error.rcvd.code in FOR_GOOD else _GoneError)(words) from error
    except InvalidStatus as error:
        for_good = error.response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR
        raise (LinkError if for_good else _GoneError)(f"the table can't be reached: {error}") from error
    except (OSError, WebSocketException) as error:
        raise _GoneError(f"the table can't be reached: {error}") from error


def _read(link: str) -> tuple[str, str]:
    """The websocket of a link's table, and the seat's token. Raises OptionError if it is no link to a seat."""
    parts = urlsplit(link)
    token = parse_qs(parts.fragment).get("seat", [""])[0]
    if parts.scheme not in ("http", "https") or not parts.path.startswith("/table/") or not token:
        raise OptionError("a link to a seat is like http://127.0.0.1:8000/table/ID#seat=TOKEN")
    scheme = "ws" if parts.scheme == "http" else "wss"
    return f"{scheme}://{parts.netloc}/api/tables/{parts.path.removeprefix('/table/')}/live", token


class _Sitting:
    """A seat that is being played, over one connection after the other.

    joined: whether the table was ever there; advanced: whether the game went on over this connection.
    """

    def __init__(self, make: Make, say: Say) -> None:
        self.joined = self.advanced = False
        self._make, self._say = make, say
        self._player: SeatAgent | None = None
        self._table = ""
        self._told = self._seen = 0  # public events
        self._answered: tuple[int, Answer] | None = None  # the newest step, and what was chosen in it

    def play(self, socket: Any) -> list[float] | None:
        """Answer questions until the game is over or the table closed."""
        self._socket, asked_at = socket, -1
        rate, at_once = MESSAGES
        self._bucket = Bucket(0.8 * rate, 0.8 * at_once)  # the server's clock isn't this one's
        while True:
            got = json.loads(socket.recv())
            self.joined = True
            if got["type"] == "table":
                self._table = got["table"]["id"]
                if got["table"]["stage"] in ("closed", "broken"):
                    return None
            elif got["type"] == "frame":
                if got["frame"]["over"]:
                    returns: list[float] = got["frame"]["returns"]
                    return returns
                self.advanced = self.advanced or got["frame"]["event_count"] > self._seen
                self._seen = max(self._seen, got["frame"]["event_count"])
                if got["frame"]["choices"] and got["step"] != asked_at:
                    asked_at = got["step"]
                    self._send(type="ask", since=self._told)
            elif got["type"] == "asked":
                answer = self._answer(got["message"], got["step"])
                self._send(type="act", action=answer.choice, step=got["step"], text=answer.text)

    def _answer(self, message: Message, step: int) -> Answer:
        """The player's answer; it isn't asked twice if the connection broke before the table had its answer."""
        if self._answered is not None and self._answered[0] == step:
            return self._answered[1]
        self._told = message["event_count"]
        if self._player is None:
            self._player = self._make(message["game"]["id"])
        answer = self._player.choose(message, f"{self._table} {message['you']['seat']} {step}")
        if answer is None:
            answer = Answer(secrets.choice(message["choices"])["id"])
            self._say(f"no answer that counts: choice {answer.choice} is drawn instead")
        self._answered = step, answer
        return answer

    def _send(self, **content: Any) -> None:
        """Send a message, as soon as the server takes one more."""
        while not self._bucket.take():
            time.sleep(1 / self._bucket.rate)
        self._socket.send(json.dumps(content))
