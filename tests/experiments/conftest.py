"""An evaluation that several files of tests read, played once, and its results."""

import pytest
from evaluated import GAME, PLAN, played

from riverbed_lab.evaluation.folder import Folder
from riverbed_lab.evaluation.outcomes import Outcomes
from riverbed_lab.report.report import Report, assemble


@pytest.fixture(scope="session")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The folder of PLAN."""
    return played(PLAN, tmp_path_factory.mktemp("evaluation"))


@pytest.fixture(scope="session")
def outcomes(evaluation: Folder) -> Outcomes:
    """The outcomes of its rows."""
    return Outcomes(GAME, PLAN, evaluation)


@pytest.fixture(scope="session")
def report(outcomes: Outcomes) -> Report:
    """All that its report shows."""
    return assemble(outcomes)
