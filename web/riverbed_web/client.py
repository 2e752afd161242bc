"""A player from outside takes a person's link: it is asked by the seat protocol over the table's websocket."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.seats import Answer, Message, SeatAgent

from .limits import MESSAGES, Bucket

Make = Callable[[str], SeatAgent]  # the player for a game's id


class LinkError(RiverbedError):
    """The table can't be joined, or has sent the player away."""


def sit(link: str, make: Make, say: Callable[[str], None] = lambda line: None) -> list[float] | None:
    """Play a seat to the end of its game; what the game paid to each seat, None if the table was closed before.

    link: a person's, like http://127.0.0.1:8000/table/ID#seat=TOKEN; make: makes the player once the game is known;
    say: is told each choice that is drawn because the player gave none. Raises LinkError if the link leads nowhere.
    """
    from websockets.exceptions import ConnectionClosed, WebSocketException
    from websockets.sync.client import connect

    address, token = _read(link)
    try:
        with connect(address, max_size=None) as socket:
            socket.send(json.dumps({"type": "join", "token": token, "since": 0}))
            return _Sitting(socket, make, say).play()
    except ConnectionClosed as error:
        reason = error.rcvd.reason if error.rcvd is not None else "the connection broke"
        raise LinkError(f"the table ended the connection: {reason}") from error
    except (OSError, WebSocketException) as error:
        raise LinkError(f"the table can't be reached: {error}") from error


def _read(link: str) -> tuple[str, str]:
    """The websocket of a link's table, and the seat's token. Raises OptionError if it is no link to a seat."""
    parts = urlsplit(link)
    token = parse_qs(parts.fragment).get("seat", [""])[0]
    if parts.scheme not in ("http", "https") or not parts.path.startswith("/table/") or not token:
        raise OptionError("a link to a seat is like http://127.0.0.1:8000/table/ID#seat=TOKEN")
    scheme = "ws" if parts.scheme == "http" else "wss"
    return f"{scheme}://{parts.netloc}/api/tables/{parts.path.removeprefix('/table/')}/live", token


class _Sitting:
    """A seat that is being played."""

    def __init__(self, socket: Any, make: Make, say: Callable[[str], None]) -> None:
        self._socket, self._make, self._say = socket, make, say
        self._player: SeatAgent | None = None
        self._table = ""
        self._told = 0
        self._step = -1  # at which the seat was asked last
        rate, at_once = MESSAGES
        self._bucket = Bucket(0.8 * rate, 0.8 * at_once)  # the server's clock isn't this one's

    def play(self) -> list[float] | None:
        """Answer questions until the game is over or the table closed."""
        while True:
            got = json.loads(self._socket.recv())
            if got["type"] == "table":
                self._table = got["table"]["id"]
                if got["table"]["stage"] in ("closed", "broken"):
                    return None
            elif got["type"] == "frame":
                if got["frame"]["over"]:
                    returns: list[float] = got["frame"]["returns"]
                    return returns
                if got["frame"]["choices"] and got["step"] > self._step:
                    self._step = got["step"]
                    self._send(type="ask", since=self._told)
            elif got["type"] == "asked":
                self._answer(got["message"], got["step"])

    def _answer(self, message: Message, step: int) -> None:
        self._told = message["event_count"]
        if self._player is None:
            self._player = self._make(message["game"]["id"])
        answer = self._player.choose(message, f"{self._table} {message['you']['seat']} {step}")
        if answer is None:
            answer = Answer(secrets.choice(message["choices"])["id"])
            self._say(f"no answer that counts: choice {answer.choice} is drawn instead")
        self._send(type="act", action=answer.choice, step=step, text=answer.text)

    def _send(self, **content: Any) -> None:
        """Send a message, as soon as the server takes one more."""
        while not self._bucket.take():
            time.sleep(1 / self._bucket.rate)
        self._socket.send(json.dumps(content))
