"""Deep River as the rest of the library knows it."""

from riverbed_env.core.game import Game

from .rules.vocab import NUM_SEATS

DEEP_RIVER = Game.from_package(
    __package__,
    title="Deep River",
    version=0,
    registry_id="riverbed/DeepRiver-v0",
    min_players=NUM_SEATS,
    max_players=NUM_SEATS,
    default_players=NUM_SEATS,
)
