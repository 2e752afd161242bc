"""An evaluation that several files of tests read, played once."""

from __future__ import annotations

import pytest
from evaluated import PLAN, played

from riverbed_lab.evaluation.folder import Folder


@pytest.fixture(scope="session")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The folder of PLAN."""
    return played(PLAN, tmp_path_factory.mktemp("evaluation"))
