"""River Rats as the rest of the library knows it."""

from riverbed_env.core.game import Game

from .content.pack import MODE_NAMES
from .rules.vocab import MAX_SEATS, MIN_PLAYERS

RIVER_RATS = Game.from_package(
    __package__,
    title="River Rats",
    version=0,
    registry_id="riverbed/RiverRats-v0",
    min_players=MIN_PLAYERS,
    max_players=MAX_SEATS,
    default_players=3,
    variants=tuple({"mode": mode} for mode in MODE_NAMES),
    rewards=("win",),
)
