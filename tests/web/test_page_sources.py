"""The shipped page is what its sources give, and the sources are sound."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from riverbed_web.bundle import PAGE, page, with_replay

SOURCES = Path(__file__).parents[2] / "web" / "page"
MOST = 300_000  # bytes of the page

needs_node = pytest.mark.skipif(shutil.which("npm") is None, reason="no node here: npm isn't installed")


def run(*command: str) -> None:
    """Run one of the sources' own commands."""
    assert (SOURCES / "node_modules").is_dir(), "run 'make page-tools' first: it installs what builds the page"
    done = subprocess.run(
        ["npm", "run", "--silent", *command], cwd=SOURCES, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@needs_node
def test_the_shipped_page_is_what_the_sources_give(tmp_path: Path) -> None:
    run("build", "--", "--outDir", str(tmp_path / "page"))
    files = [path.relative_to(tmp_path / "page") for path in (tmp_path / "page").rglob("*")]
    assert files == [Path("index.html")]
    same = (tmp_path / "page" / "index.html").read_bytes() == PAGE.read_bytes()
    assert same, "the page isn't built from these sources: run 'make web'"


@needs_node
@pytest.mark.parametrize("command", ["lint", "test", pytest.param("types", marks=pytest.mark.slow)])
def test_the_sources_pass_their_checks(command: str) -> None:
    run(command)


def test_the_page_is_small_and_asks_for_nothing_but_the_colours() -> None:
    html = page()
    assert len(html.encode()) < MOST
    assert re.findall(r'(?:src|href)="([^"]*)"', html.partition("<script")[0]) == ["data:,", "/scene.css"]
    assert set(re.findall(r"https?://[\w./]+", html)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/1999/xlink",
    }


def test_a_replay_page_asks_for_nothing_and_its_data_ends_no_script() -> None:
    html = with_replay({"note": "</script><script>alert(1)</script>"}, "A <b>title</b>")
    assert "/scene.css" not in html
    assert "<script>alert" not in html
    assert "<title>A &lt;b&gt;title&lt;/b&gt;</title>" in html
