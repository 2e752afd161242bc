"""A seat played by a service: each request is POSTed to its URL, the answer is the response's body."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from typing import Any

from riverbed_env.core.keys import check_address, check_key_env, key_of_environment, without_key
from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from .agent import MOST_LANES, REPAIR, SeatAgent, Usage, check_time_limit
from .answer import LONGEST, Failure, SeatFailureError
from .message import Message, as_line


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A service that points elsewhere isn't followed: what a seat knows goes to the named address alone."""

    def redirect_request(self, *_: Any) -> None:
        """No other request."""


class HttpChannel:
    """A service at a URL."""

    pieces = True

    def __init__(self, url: str, time_limit: float = 60.0, concurrency: int = 8, key_env: str = "") -> None:
        check_address("http: url", url)
        check_time_limit("http", time_limit)
        check_key_env("http: key_env", key_env)
        if key_env and not key_of_environment(key_env):
            raise OptionError(f"http: the environment has no variable {key_env} with a key")
        self.lanes = check_whole("concurrency", concurrency, 1, MOST_LANES)
        self.url, self.time_limit, self.key_env = url, time_limit, key_env
        self.usage = Usage()
        self._opener = urllib.request.build_opener(_NoRedirects)

    def open(self, message: Message, decision: str) -> HttpChannel:
        """Begin a decision."""
        return self

    def ask(self, message: Message) -> str:
        """The service's answer. A status other than 200 is a failure of transport."""
        key = key_of_environment(self.key_env) if self.key_env else ""
        head = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        request = urllib.request.Request(self.url, as_line(message).encode("utf-8", "replace"), head, method="POST")
        try:
            with self._opener.open(request, timeout=self.time_limit) as response:
                if response.status != http.client.OK:
                    raise SeatFailureError(Failure.TRANSPORT, f"the service answered with status {response.status}")
                body = self._read(response)
        except urllib.error.HTTPError as error:
            error.close()
            raise SeatFailureError(Failure.TRANSPORT, f"the service answered with status {error.code}") from error
        except TimeoutError as error:
            raise SeatFailureError(Failure.TRANSPORT, f"no answer within {self.time_limit:g} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise SeatFailureError(Failure.TRANSPORT, f"the service can't be reached: {error}") from error
        return without_key(body.decode(errors="replace"), key)

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        """The body, of which no more is read than an answer may have. Raises TimeoutError when the time is over."""
        end, body = time.monotonic() + self.time_limit, b""
        while len(body) < LONGEST and (part := response.read1(LONGEST - len(body))):
            body += part
            if time.monotonic() > end:
                raise TimeoutError
        return body


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
