"""Shared test set-up: a small fifth game is registered, so that tests over all games cover it too."""

from __future__ import annotations

import signal

import pytest
import toy_game  # noqa: F401  # registers its game

pytest.register_assert_rewrite("drawn")  # where scenes assert

# Whoever began the tests may have them ignore these signals, as a shell does with what runs in its background.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
