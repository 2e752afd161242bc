"""Four scripted models of known quality at chat endpoints: the judge ranks them, and failures aren't strength."""

import json
import re
from pathlib import Path

import pytest
from experiments.browser import BROWSER, DESK, PHONE, open_page
from in_process import ran
from seats_kit import EXAMPLES

from riverbed_lab.judging.run import RESULT
from riverbed_lab.llm import seat as model_seat

MODELS = ("rules", "clumsy", "liar", "dice")
PLAY = ("--players", "7", "--one-way", "--tables", "deviation", "--games", "24", "--seed", "21")
JUDGE = ("--worlds", "32")


@pytest.fixture(autouse=True)
def own_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limits of another test, and no key."""
    monkeypatch.setattr(model_seat, "_run", [])
    monkeypatch.delenv("RIVERBED_LLM_KEY", raising=False)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_judge_and_the_board_rank_models_of_known_quality(tmp_path: Path) -> None:
    specs = [f"{name}={EXAMPLES / 'known_models.py'}:{name}" for name in MODELS]
    games, judged = (str(tmp_path / name) for name in ("games", "judged"))
    for words in (
        ("evaluate", *specs, "--reference", "rule_based", *PLAY, "--threads", "1", "--out", games),
        ("judge", games, *JUDGE, "--threads", "1", "--out", judged),
    ):
        ran(*words)
    rows = json.loads((tmp_path / "judged" / RESULT).read_text())["rows"]
    gain = {row["agent"].rpartition(":")[2]: row for row in rows if row["group"] == "all seats"}
    assert all(gain[name]["gain_low"] == gain[name]["gain"] == gain[name]["gain_high"] == 0 for name in MODELS[:2])
    assert gain["dice"]["gain_high"] < gain["liar"]["gain"] < 0
    assert gain["dice"]["gain"] < gain["liar"]["gain_low"]
    failures = json.loads((tmp_path / "games" / "summary.json").read_text())["outside"]
    assert {row["agent"]: row["illegal"] / row["answers"] for row in failures} == {
        name: 0.5 if name == "clumsy" else 0 for name in MODELS
    }
    page = (tmp_path / "games" / "report.html").read_text()
    board = page.partition('id="outside"')[2].partition("</table>")[0]
    assert tuple(re.findall(r'<th scope="row"><span>(\w+)', board)) == MODELS
    if BROWSER is not None:
        for width in (DESK, PHONE):
            assert open_page(page, tmp_path, width).hidden[:2] == [0, 0]  # neither the page nor the board is cut off
