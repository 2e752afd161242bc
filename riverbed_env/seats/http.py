"""A seat played by a service: each request is POSTed to its URL, the answer is the response's body."""

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import cache
from typing import Any

from riverbed_env.core.keys import check_address, check_key_env, key_of_environment
from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_env.version import __version__

from .agent import MOST_LANES, REPAIR, Channel, SeatAgent, Usage, check_time_limit
from .answer import Failure, SeatFailureError, late
from .message import Message, as_line

LONGEST_BODY = 4_000_000  # bytes of a response
UNREACHABLE = (OSError, http.client.HTTPException)  # what `post` raises


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A service that points elsewhere isn't followed: what a seat knows goes to the named address alone."""

    def redirect_request(self, *_: Any) -> None:
        """No other request."""


@cache
def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_NoRedirects)


def post(
    address: str, body: bytes, key: str, time_limit: float, clock: Callable[[], float] = time.monotonic
) -> tuple[int, bytes, str | None]:
    """POST JSON to a service: the status, the body and the `Retry-After` of its response.

    key: sent as a bearer token, "" for none. Raises one of UNREACHABLE: TimeoutError if the time limit, in seconds, is
    over, however slowly the body comes.
    """
    head = {"Content-Type": "application/json", "User-Agent": f"riverbed/{__version__}"}
    if key:
        head["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(address, body, head, method="POST")
    end = clock() + time_limit
    try:
        response: Any = _opener().open(request, timeout=time_limit)
    except urllib.error.HTTPError as error:
        response = error  # it is a response too
    with response:
        read = b""
        while part := response.read1(LONGEST_BODY + 1 - len(read)):
            read += part
            if clock() > end:
                raise TimeoutError("the answer is too slow")
            if len(read) > LONGEST_BODY:
                raise OSError(f"the answer has over {LONGEST_BODY:,} bytes")
        told = response.headers.get("Content-Length", "")
        if told.isdecimal() and int(told) > len(read):
            raise http.client.IncompleteRead(read)
        return response.status, read, response.headers.get("Retry-After")


class HttpChannel(Channel):
    """A service at a URL."""

    def __init__(self, url: str, time_limit: float = 60.0, concurrency: int = 8, key_env: str = "") -> None:
        check_address("http: url", url)
        check_time_limit("http", time_limit)
        check_key_env("http: key_env", key_env)
        if key_env and not key_of_environment(key_env):
            raise OptionError(f"http: the environment has no variable {key_env} with a key")
        self.lanes = check_whole("concurrency", concurrency, 1, MOST_LANES)
        self.url, self.time_limit, self.key_env = url, time_limit, key_env

    @property
    def key(self) -> str:
        """The bearer token."""
        return key_of_environment(self.key_env) if self.key_env else ""

    def ask(self, message: Message, decision: str = "", usage: Usage | None = None) -> str:
        """The service's answer. A status other than 200 is a failure of transport."""
        sent = as_line(message).encode("utf-8", "replace")
        try:
            status, body, _ = post(self.url, sent, self.key, self.time_limit)
        except TimeoutError as error:
            raise late(self.time_limit) from error
        except UNREACHABLE as error:
            raise SeatFailureError(Failure.TRANSPORT, f"the service can't be reached: {error}") from error
        if status != http.client.OK:
            raise SeatFailureError(Failure.TRANSPORT, f"the service answered with status {status}")
        return body.decode(errors="replace")


def http_agent(
    game: str,
    name: str,
    url: str = "",
    time_limit: float = 60.0,
    concurrency: int = 8,
    key_env: str = "",
    retries: int = 1,
    on_failure: str = REPAIR,
) -> SeatAgent:
    """The agent of `http:url=ADDRESS`. key_env: the environment variable with a bearer token, "" for none."""
    channel = HttpChannel(url, time_limit, concurrency, key_env)
    return SeatAgent(name, find_game(game), channel, retries, on_failure, f"the service at {url}")
