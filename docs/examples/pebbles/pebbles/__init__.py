"""Pebbles: two players take pebbles from a pile; who takes the last one wins."""

from riverbed_env import register_game

register_game(
    "pebbles_v0",
    "pebbles.game:PEBBLES",  # the Game
    env="pebbles.env",  # the module with env, raw_env, and parallel_env if choices are simultaneous
    registry_id="pebbles/Pebbles-v0",  # its name for PettingZoo and Gymnasium
)
