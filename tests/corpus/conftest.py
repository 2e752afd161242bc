"""Small corpora, each recorded once when a test asks for it."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from corpus.recorded_kit import record


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a game's corpus."""

    @cache
    def folder_of(game: str) -> Path:
        folder = tmp_path_factory.mktemp(game)
        record(folder, game)
        return folder

    return folder_of
