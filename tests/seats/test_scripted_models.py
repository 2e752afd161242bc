"""Four scripted models of known quality at chat endpoints: a board ranks them right, and failures aren't strength."""

from __future__ import annotations

from pathlib import Path

import pytest
from board_page import Page
from in_process import riverbed
from seats_kit import EXAMPLES

from riverbed_lab.llm import seat as model_seat

MODELS = ("rules", "clumsy", "liar", "dice")
PLAY = ("--players", "7", "--one-way", "--tables", "deviation", "--games", "24", "--seed", "21", "--no-report")
JUDGE = ("--worlds", "32")


@pytest.fixture(autouse=True)
def own_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limits of another test, and no key."""
    monkeypatch.setattr(model_seat, "_run", [])
    monkeypatch.delenv("RIVERBED_LLM_KEY", raising=False)


def rows(page: Page, column: str) -> dict[str, list[str]]:
    """The rows of the first table that has a column, by the model, in their order."""
    start = next(place for place, row in enumerate(page.rows) if column in row)
    found: dict[str, list[str]] = {}
    for name, *cells in page.rows[start + 1 :]:
        if name == "agent":
            break
        found[name] = cells
    return found


def number(words: str) -> float:
    """A number as the page writes it; a mark of what is clear stands behind some."""
    return float(words.split(maxsplit=1)[0].replace("\N{MINUS SIGN}", "-"))


@pytest.mark.slow
@pytest.mark.compiled
def test_the_board_ranks_models_of_known_quality(tmp_path: Path) -> None:
    specs = [f"{name}={EXAMPLES / 'known_models.py'}:{name}" for name in MODELS]
    games, judged, out = (str(tmp_path / name) for name in ("games", "judged", "board.html"))
    for words in (
        ("evaluate", *specs, "--reference", "rule_based", *PLAY, "--threads", "1", "--out", games),
        ("judge", games, *JUDGE, "--threads", "1", "--out", judged),
        ("judge", games, judged, "--page", out),
    ):
        done = riverbed(*words)
        assert done.returncode == 0, done.stderr
    page = Page(Path(out).read_text())
    strength, failures = rows(page, "gain"), rows(page, "illegal, %")
    assert tuple(strength) == MODELS  # the best first
    gain = {name: (number(cells[2]), *map(number, cells[3].split(" to "))) for name, cells in strength.items()}
    assert gain["rules"] == gain["clumsy"] == (0, 0, 0)
    value, _, high = gain["dice"]
    assert high < gain["liar"][0] < 0
    assert value < gain["liar"][1]
    assert {name: "50.0" in cells for name, cells in failures.items()} == {name: name == "clumsy" for name in MODELS}
