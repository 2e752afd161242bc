"""A seat in this process: a Python function from the message to the answer."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from riverbed_env.errors import OptionError
from riverbed_env.players.specs import load_attribute
from riverbed_env.registry import find_game

from .agent import REPAIR, Channel, SeatAgent, Usage, check_time_limit
from .answer import Failure, SeatFailureError, late
from .message import Message

Player = Callable[[Message], Mapping[str, Any] | str]


class FunctionChannel(Channel):
    """A function that answers messages: with a mapping like `{"choice": 12}`, or with what a model said.

    time_limit: seconds for an answer, 0 for as long as it takes. A function can't be stopped: one that is late goes on
    in a thread of its own, its answer is dropped, and it isn't called again before it has come back.
    """

    def __init__(self, function: Player, time_limit: float = 0.0) -> None:
        if time_limit:
            check_time_limit("call", time_limit)
        self.function, self.time_limit = function, time_limit
        self._late: _Call | None = None

    def ask(self, message: Message, decision: str = "", usage: Usage | None = None) -> str:
        """What the function says. An error in it, and a late answer, are failures of transport, as a program's are."""
        call = _Call(self.function, message)
        if not self.time_limit:
            call.run()
        elif not self._in_time(call):
            raise late(self.time_limit)
        if call.error is not None:
            words = f"the function raised {type(call.error).__name__}: {call.error}"
            raise SeatFailureError(Failure.TRANSPORT, words) from call.error
        try:
            return call.given if isinstance(call.given, str) else json.dumps(call.given)
        except (TypeError, ValueError) as error:
            raise SeatFailureError(Failure.UNPARSABLE, f"the function's answer can't be JSON: {error}") from error

    def _in_time(self, call: _Call) -> bool:
        """Make a call in a thread, after one that was late has ended; whether it ended in time."""
        end = time.monotonic() + self.time_limit
        if self._late is not None and not self._late.over.wait(self.time_limit):
            return False
        self._late = call
        threading.Thread(target=call.run, daemon=True).start()
        return call.over.wait(max(0.0, end - time.monotonic()))


class _Call:
    """One call of a function, and what came of it once it is over."""

    def __init__(self, function: Player, message: Message) -> None:
        self.function, self.message = function, message
        self.given: Mapping[str, Any] | str = ""
        self.error: Exception | None = None
        self.over = threading.Event()

    def run(self) -> None:
        """Call the function."""
        try:
            self.given = self.function(self.message)
        except Exception as error:
            self.error = error
        finally:
            self.over.set()


def call_agent(
    game: str, name: str, target: str = "", time_limit: float = 0.0, retries: int = 1, on_failure: str = REPAIR
) -> SeatAgent:
    """The agent of `call:target=package.module:function` or `call:target=path/file.py:function`."""
    source, _, attribute = target.rpartition(":")
    if not source or not attribute:
        raise OptionError(f"agent {name!r}: target is package.module:function or path/file.py:function")
    function = load_attribute(name, source, attribute)
    if not callable(function):
        raise OptionError(f"agent {name!r}: {target} isn't a function of a message")
    return SeatAgent(
        name, find_game(game), FunctionChannel(function, time_limit), retries, on_failure, "a function of messages"
    )
