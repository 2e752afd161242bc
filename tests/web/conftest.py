"""One server for the tests that don't need one of their own."""

from collections.abc import Iterator

import pytest
from web_kit import Serving


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that the tests share."""
    with Serving(tmp_path_factory.mktemp("tables")) as running:
        yield running
