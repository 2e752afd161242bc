"""An independent referee of Riverbed Hunt, written from the rules alone and sharing nothing with the engine."""

from .board import Board, board_with_empty
from .knowledge import Knowledge
from .pack import Card, Effect, Layer, Layout, Pack, Players, Text, Tile, read_pack
from .referee import Action, Chance, Deal, Referee

__all__ = [
    "Action",
    "Board",
    "Card",
    "Chance",
    "Deal",
    "Effect",
    "Knowledge",
    "Layer",
    "Layout",
    "Pack",
    "Players",
    "Referee",
    "Text",
    "Tile",
    "board_with_empty",
    "read_pack",
]
