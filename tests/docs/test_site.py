"""The site that `make docs` builds: no warnings, the doors of the index, the public names, and a phone's screen."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from experiments.browser import PHONE, needs_browser, open_page
from pages_kit import DOCS

import riverbed_env
import riverbed_env.players

pytestmark = pytest.mark.slow

DOORS = ("guides/quickstart", "guides/training", "guides/evaluation", "guides/new_game")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. Any warning is an error of the build, and the build's output names it."""
    folder = tmp_path_factory.mktemp("site")
    words = ["-W", "--keep-going", "-q", "-b", "html", "-d", str(folder / "doctrees"), str(DOCS), str(folder / "html")]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *words],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    return folder / "html"


def test_the_index_opens_four_doors(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    table = index[index.index("<table") : index.index("</table>")]
    assert [door for door in DOORS if f'href="{door}.html"' in table] == list(DOORS)


def test_the_index_embeds_a_replay(site: Path) -> None:
    assert '<iframe src="replay.html#' in (site / "index.html").read_text(encoding="utf-8")
    assert '<script type="application/json" id="replay">' in (site / "replay.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("package", "page"), [(riverbed_env, "riverbed_env"), (riverbed_env.players, "players")])
def test_the_reference_lists_every_public_name(site: Path, package: ModuleType, page: str) -> None:
    text = (site / "api" / f"{page}.html").read_text(encoding="utf-8")
    assert not [name for name in package.__all__ if f">{name}<" not in text]


@needs_browser
@pytest.mark.parametrize("page", ["index", "games/riverbed_hunt"])
def test_a_page_fits_a_phone(site: Path, page: str) -> None:
    path = site / f"{page}.html"
    shown = open_page(path.read_text(encoding="utf-8"), path.parent, PHONE)
    assert shown.hidden[0] == 0
    assert all(shown.widths)
