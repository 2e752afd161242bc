"""A headless browser that opens a report, for tests of what a reader sees."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((found for name in BROWSERS if (found := shutil.which(name))), None)
needs_browser = pytest.mark.skipif(
    BROWSER is None, reason=f"no browser to open the page in: none of {', '.join(BROWSERS)} is installed"
)
DESK, PHONE = 1280, 390  # widths of windows in pixels
# The page has no script of its own, so one is added that notes the width of each picture, by how much the page and each
# box of a table are wider than what is shown of them, and the right edges of pictures and of unfolded gains.
NOTE = """<script>onload = () => {
  document.querySelectorAll('img').forEach(image => image.dataset.wide = image.naturalWidth);
  const boxes = [document.documentElement, ...document.querySelectorAll('.scroll')];
  boxes.forEach(box => box.dataset.hidden = box.scrollWidth - box.clientWidth);
  const right = element => Math.ceil(element.getBoundingClientRect().right);
  document.querySelectorAll('img').forEach(image => image.dataset.right = right(image));
  const gains = [...document.querySelectorAll('.above, .below-base')].filter(gain => !gain.closest('details'));
  gains.forEach(gain => gain.dataset.gain = right(gain));
}</script>"""


@dataclass(frozen=True)
class Shown:
    """What a browser made of a page: its tables, their rows, and the width of every picture, 0 for a broken one.

    hidden: pixels across that a reader must scroll to, of the page and of each table. pictures, gains: their right
    edges in the window, in pixels.
    """

    tables: int
    rows: int
    widths: list[int]
    hidden: list[int]
    pictures: list[int]
    gains: list[int]


def open_page(html: str, folder: Path, width: int = DESK) -> Shown:
    """Open the page in a browser window of this width in pixels; the folder is for its files."""
    opened = folder / "opened.html"
    opened.write_text(html.replace("</body>", f"{NOTE}</body>"), encoding="utf-8")
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder / 'profile'}",
        f"--window-size={width},1000",
    ]
    command = [str(BROWSER), *options, "--virtual-time-budget=5000", "--dump-dom", opened.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    noted = (
        list(map(int, re.findall(rf'data-{name}="(-?\d+)"', shown))) for name in ("wide", "hidden", "right", "gain")
    )
    return Shown(shown.count("<table>"), shown.count("<tr"), *noted)
