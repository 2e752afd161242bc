"""Shared test set-up: a small fifth game is entered, so that all that goes over all games goes over it too."""

from __future__ import annotations

import signal

from riverbed_env import register_game

# Whoever began the tests may have them ignore these signals, as a shell does with what runs in its background.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

register_game("ford_v0", "toy_game.game:FORD", env="toy_game.env", view="toy_game.view", registry_id="toy/Ford-v0")
