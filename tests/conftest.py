"""Shared test set-up: a small fifth game is entered, so that all that goes over all games goes over it too."""

from __future__ import annotations

from riverbed_env import register_game

register_game("ford_v0", "toy_game.game:FORD", env="toy_game.env", view="toy_game.view", registry_id="toy/Ford-v0")
