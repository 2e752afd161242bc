"""Riverside as the rest of the library knows it."""

from riverbed_env.core.game import Game

from .rules.vocab import DEFAULT_PLAYERS, MAX_SEATS, MIN_PLAYERS

RIVERSIDE = Game.from_package(
    __package__,
    title="Riverside",
    version=0,
    registry_id="riverbed/Riverside-v0",
    min_players=MIN_PLAYERS,
    max_players=MAX_SEATS,
    default_players=DEFAULT_PLAYERS,
    variants=({}, {"extension": True}),
)
