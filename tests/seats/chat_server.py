"""A server on this machine that speaks the chat-completions protocol, with the faults of real ones planted."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the server sends: a completion of these words, or another status or raw body.

    cut: close in the middle of the body; trickle: send blanks until the client goes.
    """

    words: str | None = None
    finish: str = "stop"
    status: int = 200
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    usage: Any = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 10})
    cut: bool = False
    trickle: bool = False

    @property
    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        choice = {"index": 0, "message": {"role": "assistant", "content": self.words}, "finish_reason": self.finish}
        whole: Body = {"object": "chat.completion", "choices": [choice]}
        return json.dumps(whole if self.usage is None else {**whole, "usage": self.usage}).encode()


Model = Callable[[Body, int], Reply]


@dataclass
class ChatServer:
    """What the tests see: the address, and the requests so far with their headers."""

    base_url: str
    requests: list[Body] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


def numbers_of(body: Body) -> list[int]:
    """The numbers of the choices in a prompt, as a model reads them."""
    asked = next(part["content"] for part in reversed(body["messages"]) if "The choices:" in part["content"])
    lines = asked.rpartition("The choices:")[2].splitlines()
    return [int(line.partition(".")[0]) for line in lines if line.partition(".")[0].isdigit()]


def first_choice(body: Body, number: int = 0) -> Reply:
    """A model that takes the first choice."""
    return Reply(f'I take the first. {{"choice": {numbers_of(body)[0]}}}')


@contextmanager
def chat_server(model: Model) -> Iterator[ChatServer]:
    """A server whose model gets each request and its number."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(seen.requests)
                seen.requests.append(body)
                seen.headers.append({name.lower(): value for name, value in self.headers.items()})
            assert self.path == "/v1/chat/completions"
            self._send(model(body, number))

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            size = len(reply.body) if not reply.trickle else 10**9
            self.send_header("Content-Length", str(size))
            self.end_headers()
            try:
                self.wfile.write(reply.body[: len(reply.body) // 2] if reply.cut else reply.body)
                while reply.trickle:
                    self.wfile.write(b" " * 1024)
            except OSError:
                pass
            self.close_connection = reply.cut or reply.trickle

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen = ChatServer(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
