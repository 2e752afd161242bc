"""The notebooks run from a clean state, what they assert holds, and what they are committed with is what they print."""

import re
from pathlib import Path

import pytest
from notebooks_kit import PATHS, ROOT, VARIES, code_cells, execute, pictures, printed, read

LARGEST = 300_000  # bytes
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning:zmq")


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in PATHS])
def test_a_notebook_runs_and_prints_what_it_is_committed_with(path: Path, tmp_path: Path) -> None:
    committed = read(path)
    fresh = execute(path, tmp_path)  # raises where a cell fails, an assertion among them
    for there, here in zip(code_cells(committed), code_cells(fresh), strict=True):
        assert "Warning" not in printed(here, "stderr")
        if VARIES not in there.metadata.get("tags", []):
            assert printed(there) == printed(here), "rewrite it with 'make notebooks'"
    assert pictures(fresh) == pictures(committed)


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in PATHS])
def test_a_notebook_is_committed_as_it_was_executed(path: Path) -> None:
    book = read(path)
    cells = code_cells(book)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert pictures(book) >= 2
    assert any("assert " in cell.source for cell in cells)
    assert not [output for cell in cells for output in cell.outputs if output.output_type == "error"]
    assert path.stat().st_size <= LARGEST
    words = [cell.source for cell in book.cells] + [printed(cell) for cell in cells]
    assert not re.search(r"/(home|root|tmp|Users|work)/", "\n".join(words))  # nobody's machine


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in PATHS])
def test_links_of_a_notebook_lead_somewhere(path: Path) -> None:
    links = [link for cell in read(path).cells if cell.cell_type == "markdown" for link in LINK.findall(cell.source)]
    assert links
    assert not [link for link in links if not (path.parent / link).exists()]


def test_every_notebook_is_listed() -> None:
    assert PATHS
    listed = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    assert sorted(LINK.findall(listed)) == [path.name for path in PATHS]
