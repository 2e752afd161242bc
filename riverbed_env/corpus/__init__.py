"""Recorded games: one game as a small record, many in a corpus on disk; observations are made again on reading."""

from .corpus import Corpus
from .games import Games
from .manifest import Manifest
from .recorded import RecordedGame
from .replaying import Decisions

__all__ = ["Corpus", "Decisions", "Games", "Manifest", "RecordedGame"]
