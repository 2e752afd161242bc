"""Recorded games: one game as a small record, many in a corpus on disk; observations are made again on reading."""

from .recorded import RecordedGame

__all__ = ["RecordedGame"]
