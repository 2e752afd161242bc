"""A headless browser that opens a report, for tests of what a reader sees."""

from __future__ import annotations

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
# The page has no script of its own, so one is added that notes how wide each picture came out.
NOTE = "<script>onload = () => document.querySelectorAll('img').forEach(i => i.dataset.wide = i.naturalWidth)</script>"


@dataclass(frozen=True)
class Shown:
    """What a browser made of a page: its tables, their rows, and the width of every picture, 0 for a broken one."""

    tables: int
    rows: int
    widths: list[int]


def open_page(html: str, folder: Path) -> Shown:
    """Open the page in the browser, with the folder for its files."""
    opened = folder / "opened.html"
    opened.write_text(html.replace("</body>", f"{NOTE}</body>"), encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command = [str(BROWSER), *options, "--virtual-time-budget=5000", "--dump-dom", opened.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    widths = [int(width) for width in re.findall(r'data-wide="(\d+)"', shown)]
    return Shown(shown.count("<table>"), shown.count("<tr"), widths)
