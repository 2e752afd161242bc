"""Set up all tests: register a small fifth game, so that tests over all games cover it too."""

import gc
import signal

import pytest
import toy_game  # noqa: F401  # registers its game

pytest.register_assert_rewrite("drawn")  # where scenes assert

# A shell starts background jobs with these signals ignored; tests that send them need the usual handlers.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """Leave what has been imported out of garbage collection, which takes a fifteenth of the tests' time otherwise."""
    gc.collect()
    gc.freeze()
