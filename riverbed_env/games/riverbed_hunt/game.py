"""Riverbed Hunt as the rest of the library knows it."""

from riverbed_env.core.game import Game

from .content.deals import every_deal
from .rules.vocab import MAX_SEATS, MIN_PLAYERS

RIVERBED_HUNT = Game.from_package(
    __package__,
    title="Riverbed Hunt",
    version=1,
    registry_id="riverbed/Hunt-v1",
    min_players=MIN_PLAYERS,
    max_players=MAX_SEATS,
    default_players=7,
    sequences=("roles",),
    variants=({"layout": "random"},),
    every_deal=every_deal,
)
