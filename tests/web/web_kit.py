"""A server on a free port of this machine, and pages that talk to it as a browser's would."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from riverbed_web.opening import Menu
from riverbed_web.server import Server, Settings

PERSON: dict[str, Any] = {"kind": "person"}
RANDOM: dict[str, Any] = {"kind": "agent", "agent": "random"}
PATIENCE = 60.0  # s to wait for what must come; only a failing test waits that long


class Serving:
    """A server in a thread of its own."""

    def __init__(self, data: Path, **settings: Any) -> None:
        given = {"port": 0, "data": data, "workers": 1, "time_limit": 60.0, "menu": Menu(), **settings}
        self.server = Server(Settings(**given), lambda address: self._ready.set())
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def _run(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.run_until_complete(self.server.listen())
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server as Ctrl-C does."""
        self.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def call(self, function: Callable[[], Any]) -> Any:
        """Call something in the server's own thread."""

        async def called() -> Any:
            result = function()
            return await result if asyncio.iscoroutine(result) else result

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result(PATIENCE)

    @property
    def address(self) -> str:
        """Like http://127.0.0.1:8000/."""
        return self.server.address.partition("#")[0]

    def ask(self, method: str, path: str, content: Any = None, **headers: str) -> tuple[int, Any]:
        """The status of a request and the JSON that answers it."""
        body = None if content is None else json.dumps(content).encode()
        given = {
            "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        request = urllib.request.Request(self.address + path.lstrip("/"), body, given, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            return error.code, json.load(error)

    def open(self, **wish: Any) -> Opened:
        """Open a table whose agents don't wait."""
        status, answer = self.ask("POST", "/api/tables", {"pace": 0, **wish})
        assert status == 201, answer
        return Opened(self, answer["table"]["id"], answer["owner"], answer["seats"])


@dataclass(frozen=True)
class Opened:
    """A table that was opened, with its tokens."""

    serving: Serving
    id: str
    owner: str
    seats: list[str | None]

    def ask(self, method: str, path: str = "", content: Any = None, token: str | None = None) -> tuple[int, Any]:
        """A request about the table."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self.serving.ask(method, f"/api/tables/{self.id}{path}", content, **headers)

    @contextmanager
    def page(self, token: str | None = None, since: int = 0) -> Iterator[Page]:
        """A page at the table."""
        with connect(live(self.serving.address, self.id), open_timeout=PATIENCE) as socket:
            page = Page(socket)
            page.send(type="join", token=token, since=since)
            yield page

    def seat(self, number: int) -> Any:
        """A person's page."""
        return self.page(self.seats[number])


def live(address: str, table: str) -> str:
    """The address of a table's websocket."""
    return f"{address.replace('http', 'ws', 1)}api/tables/{table}/live"


@dataclass
class Page:
    """What a page has got so far."""

    socket: ClientConnection
    facts: dict[str, Any] = field(default_factory=dict)
    frame: dict[str, Any] = field(default_factory=dict)
    step: int = 0
    answered: int | None = None
    view: Any = None
    events: list[str] = field(default_factory=list)
    refused: dict[str, Any] | None = None
    texts: list[str] = field(default_factory=list)

    def send(self, **content: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(content))

    def take(self) -> dict[str, Any]:
        """The next message. Raises ConnectionClosed when the server ends the connection."""
        text = self.socket.recv(PATIENCE)
        assert isinstance(text, str)
        self.texts.append(text)
        got: dict[str, Any] = json.loads(text)
        if got["type"] == "table":
            self.facts = got["table"]
            assert not self.facts["trouble"], self.facts
        elif got["type"] == "frame":
            self.frame, self.step, self.answered = got["frame"], got["step"], got["answered"]
            self.events += self.frame["events"]
        elif got["type"] == "joined":
            self.view = got["view"]
        else:
            self.refused = got
        return got

    def until(self, enough: Callable[[Page], Any]) -> Page:
        """Take messages until this holds."""
        while not enough(self):
            self.take()
        return self

    def until_asked(self) -> Page:
        """Take messages until there is something to choose, or the game is over."""
        return self.until(lambda page: page.frame and (page.frame["over"] or page.frame["choices"]))

    def act(self, choose: Callable[[list[dict[str, Any]]], dict[str, Any]] = lambda choices: choices[-1]) -> int:
        """Choose, and wait until the choice is taken; returns the action."""
        before = self.step
        action: int = choose(self.frame["choices"])["action"]
        self.send(type="act", action=action, step=before)
        self.until(lambda page: page.step > before or page.refused)
        assert self.refused is None, self.refused
        return action

    def refusal(self, **content: Any) -> str:
        """Send a message that must be refused; the code of the refusal."""
        self.refused = None
        self.send(**content)
        self.until(lambda page: page.refused)
        assert self.refused is not None
        code: str = self.refused["code"]
        self.refused = None
        return code

    def closed(self) -> int:
        """The code with which the server ends the connection."""
        with pytest.raises(ConnectionClosed) as closed:
            self.until(lambda page: False)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code
