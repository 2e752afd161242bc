"""A seat in this process: a Python function from the message to the answer."""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from riverbed_env.errors import OptionError
from riverbed_env.players.specs import load_attribute
from riverbed_env.registry import find_game

from .agent import REPAIR, Channel, SeatAgent, Usage
from .answer import Failure, SeatFailureError
from .message import Message


@dataclass
class FunctionChannel(Channel):
    """A function that answers messages: with a mapping like `{"choice": 12}`, or with what a model said."""

    function: Callable[[Message], Mapping[str, Any] | str]

    def ask(self, message: Message, decision: str = "", usage: Usage | None = None) -> str:
        """What the function says. An error in it is a failure of transport, as a program's is."""
        try:
            given: Any = self.function(message)
        except Exception as error:
            words = f"the function raised {type(error).__name__}: {error}"
            raise SeatFailureError(Failure.TRANSPORT, words) from error
        if given is None:
            raise SeatFailureError(Failure.EMPTY, "the function returned None")
        if inspect.iscoroutine(given):
            given.close()
            raise SeatFailureError(Failure.TRANSPORT, "the function is async; give one that returns its answer")
        try:
            return given if isinstance(given, str) else json.dumps(given)
        except (TypeError, ValueError) as error:
            raise SeatFailureError(Failure.UNPARSABLE, f"the function's answer can't be JSON: {error}") from error


def call_agent(game: str, name: str, target: str = "", retries: int = 1, on_failure: str = REPAIR) -> SeatAgent:
    """The agent of `call:target=package.module:function` or `call:target=path/file.py:function`."""
    source, _, attribute = target.rpartition(":")
    if not source or not attribute:
        raise OptionError(f"agent {name!r}: target is package.module:function or path/file.py:function")
    function = load_attribute(name, source, attribute)
    if not callable(function):
        raise OptionError(f"agent {name!r}: {target} isn't a function of a message")
    return SeatAgent(name, find_game(game), FunctionChannel(function), retries, on_failure, "a function of messages")
