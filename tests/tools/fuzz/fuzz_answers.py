"""What a call answers: its value and what it prints and warns of, or the error it raises, one of the library's own."""

from __future__ import annotations

import copy
import io
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

from riverbed_env.errors import RiverbedError

Answer = tuple[str, Any, str]


def answer(call: Callable[[], Any]) -> Answer:
    """What a call gives and prints, or which error it raises and what that says.

    An error that isn't the library's own goes on upwards; so does a warning that isn't meant for users.
    """
    printed = io.StringIO()
    with redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("always", category=UserWarning)
        warnings.showwarning = lambda message, *place: print(f"warns: {message}")
        try:
            value = call()
        except RiverbedError as error:
            return "raises", type(error), str(error)
    return "gives", copy.deepcopy(value), printed.getvalue()


def refusal(call: Callable[[], Any], *expected: type[Exception]) -> str:
    """What a call that must be refused says; AssertionError where it is taken or refused by another error."""
    kind, value, words = answer(call)
    assert kind == "raises", f"taken: it gives {value!r}"
    assert issubclass(value, expected), f"{value.__name__}: {words}"
    assert words, f"{value.__name__} says nothing"
    return words
