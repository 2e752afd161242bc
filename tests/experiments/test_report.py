"""The report of a made-up evaluation: everything there, numbers those of the tree, one file that needs nothing else."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from browser import PHONE, needs_browser, open_page
from made_up import AGENTS, CAMPS, PLAYERS, ROLES, made_up_report

from riverbed_lab.evaluation.inference import score
from riverbed_lab.evaluation.ratings import fit_ratings
from riverbed_lab.evaluation.results import InferenceRow, MatrixCell, MirrorRow, Report, length_row
from riverbed_lab.report.canvas import short_names
from riverbed_lab.report.cells import signed
from riverbed_lab.report.page import write_report
from riverbed_lab.statistics import Difference, Rate, rate

TABLES = {
    "mirror": 3, "deviation": 3, "matrix": 3, "held_out": 1, "training": 1, "ratings": 2, "inference": 4, "lengths": 1,
}  # fmt: skip
PICTURES = {"mirror": 4, "matrix": 3, "ratings": 1, "inference": 2, "lengths": 1}


@pytest.fixture(scope="module")
def report() -> Report:
    return made_up_report()


@pytest.fixture(scope="module")
def folder(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    write_report(report, out)
    return out


@pytest.fixture(scope="module")
def html(folder: Path) -> str:
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(html: str) -> ElementTree.Element:
    return parse(html)


def parse(html: str) -> ElementTree.Element:
    """The page's tree; an error where a tag isn't closed or a sign isn't escaped."""
    return ElementTree.fromstring(html.removeprefix("<!DOCTYPE html>"))


def section(page: ElementTree.Element, name: str) -> ElementTree.Element:
    found = page.find(f".//section[@id='{name}']")
    assert found is not None
    return found


def tables(page: ElementTree.Element, name: str) -> list[list[list[str]]]:
    """The words of every cell of every body of a section's tables; small print after a space."""
    return [
        [[" ".join(part.strip() for part in cell.itertext()) for cell in line] for line in table.findall("tbody/tr")]
        for table in section(page, name).iter("table")
    ]


def svgs(page: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    images = list(section(page, name).iter("img"))
    data = [image.get("src", "").removeprefix("data:image/svg+xml;base64,") for image in images]
    return [ElementTree.fromstring(base64.b64decode(each)) for each in data]


def percent(found: Rate) -> str:
    return f"{100 * found.value:.1f} {100 * found.low:.1f}–{100 * found.high:.1f}"


def gain(found: Difference) -> str:
    return " ".join((signed(100 * found.value, 1), signed(100 * found.low, 1), "to", signed(100 * found.high, 1)))


def unmarked(cell: str) -> str:
    return re.sub(" [▲▼]", "", cell)


def test_every_part_has_its_tables_and_pictures(page: ElementTree.Element) -> None:
    assert [found.get("id") for found in page.iter("section")] == list(TABLES)
    assert {name: len(tables(page, name)) for name in TABLES} == TABLES
    assert {name: len(found) for name in TABLES if (found := svgs(page, name))} == PICTURES


def test_the_page_needs_nothing_else(html: str, page: ElementTree.Element) -> None:
    assert "http" not in re.sub(r"base64,[^\"]*", "", html)
    assert all(image.get("src", "").startswith("data:") for image in page.iter("img"))
    assert all(link.get("href", "").startswith("#") for link in page.iter("a"))
    assert not [tag for tag in ("script", "link", "iframe", "object") if page.find(f".//{tag}") is not None]
    assert "url(" not in html
    for name in PICTURES:
        for svg in svgs(page, name):
            links = [text for each in svg.iter() for key, text in each.items() if key.endswith("href")]
            assert all(link.startswith("#") for link in links)


def test_the_page_fits_a_phone_and_the_dark(html: str, page: ElementTree.Element) -> None:
    viewport = page.find(".//meta[@name='viewport']")
    assert viewport is not None
    assert "width=device-width" in viewport.get("content", "")
    assert "prefers-color-scheme: dark" in html
    boxes = [box for box in page.iter("div") if box.get("class") == "scroll"]
    assert sum(box.find("table") is not None for box in boxes) == sum(TABLES.values())


def test_every_picture_says_in_words_what_it_shows(page: ElementTree.Element) -> None:
    alternatives = [image.get("alt", "") for image in page.iter("img")]
    assert len(set(alternatives)) == len(alternatives)
    assert min(map(len, alternatives)) > 40


def test_the_heading_says_what_was_played_and_how_again(report: Report, page: ElementTree.Element) -> None:
    words = " ".join(page.itertext())
    header = report.header
    for said in (header.environment, header.pack, header.code, str(header.seed), header.command, header.written):
        assert said in words
    assert all(name in words and text in words for name, text in header.settings.items())
    assert all(warning in words for warning in report.warnings)


def test_mirror_tables_say_what_the_tree_says(report: Report, page: ElementTree.Element) -> None:
    for count, lines in zip(PLAYERS, tables(page, "mirror"), strict=True):
        rows = [row for row in report.mirror if row.num_players == count]
        base = [report.base(count, camp) for camp in CAMPS]
        assert lines[0] == ["all random", "", *(percent(each.random) for each in base), ""]
        assert lines[1][2:5] == [f"{percent(each.rule_based)} {each.rule_based_agent}" for each in base]
        for line, row in zip(lines[2:], rows, strict=True):
            told = [row.agent, f"{row.games:,}", *(percent(row.wins[camp]) for camp in CAMPS), f"{row.nobody_won:,}"]
            assert [unmarked(cell) for cell in line] == told


def test_a_mark_stands_only_where_intervals_lie_apart(report: Report, page: ElementTree.Element) -> None:
    marked = 0
    for count, lines in zip(PLAYERS, tables(page, "mirror"), strict=True):
        rows = [row for row in report.mirror if row.num_players == count]
        for line, row in zip(lines[2:], rows, strict=True):
            for cell, camp in zip(line[2:5], CAMPS, strict=True):
                base, found = report.base(count, camp), row.wins[camp]
                assert ("▲" in cell) == (found.low > base.rule_based.high)
                assert ("▼" in cell) == ("▲" not in cell and found.high < base.random.low)
                marked += "▲" in cell or "▼" in cell
    assert marked > 0


def test_deviation_tables_say_what_the_tree_says_both_ways(report: Report, page: ElementTree.Element) -> None:
    for count, lines in zip(PLAYERS, tables(page, "deviation"), strict=True):
        rows = [row for row in report.deviations if row.num_players == count]
        for line, row in zip(lines, rows, strict=True):
            assert line[:2] == [row.role, row.agent]
            for place, swap in ((2, row.among_reference), (6, row.among_agent)):
                if swap is None:
                    assert line[place : place + 4] == ["–"] * 4
                    continue
                assert unmarked(line[place]) == gain(swap.gain)
                assert ("▲" in line[place], "▼" in line[place]) == (swap.gain.low > 0, swap.gain.high < 0)
                assert line[place + 1 : place + 3] == [percent(swap.wins), percent(swap.replaced)]
                assert line[place + 3] == f"{swap.gain.games:,} {swap.gain.blocks:,} deals"
            assert line[10] == percent(report.base(count, row.camp).random)


def test_matrix_tables_and_maps_say_what_the_tree_says(report: Report, page: ElementTree.Element) -> None:
    for count, lines, svg in zip(PLAYERS, tables(page, "matrix"), svgs(page, "matrix"), strict=True):
        cells = [cell for cell in report.matrix if cell.num_players == count]
        drawn = [text for text in "\n".join(svg.itertext()).split() if text.isdigit()]
        assert sorted(drawn) == sorted(f"{100 * cell.wins[camp].value:.0f}" for cell in cells for camp in CAMPS)
        for line, cell in zip(lines[2:], cells, strict=True):
            assert line[:3] == [cell.agents[camp] for camp in CAMPS]
            assert [unmarked(each) for each in line[4:7]] == [percent(cell.wins[camp]) for camp in CAMPS]


def test_win_rate_bars_carry_their_numbers(report: Report, page: ElementTree.Element) -> None:
    for count, svg in zip(PLAYERS, svgs(page, "mirror"), strict=False):
        words = "\n".join(svg.itertext())
        rows = [row for row in report.mirror if row.num_players == count]
        assert all(f"{100 * found.value:.1f}" in words for row in rows for found in row.wins.values())
        assert all(name in words for name in (*CAMPS, *AGENTS))


def test_held_out_and_training_tables_say_what_the_tree_says(report: Report, page: ElementTree.Element) -> None:
    (lines,) = tables(page, "held_out")
    for line, row in zip(lines, report.held_out, strict=True):
        assert [line[0], line[1], unmarked(line[2]), line[6]] == [row.role, row.agent, gain(row.swap.gain), row.others]
    ((line,),) = tables(page, "training")
    assert line[5] == "0: +2.0, 1: +3.0, 2: +4.0, 3: +5.0, 4: +6.0"
    assert line[3].startswith("+4.0 ▲")


def test_rating_tables_say_what_the_tree_says(report: Report, page: ElementTree.Element) -> None:
    strengths, intercepts = tables(page, "ratings")
    for line, found in zip(strengths, report.ratings.strengths, strict=True):
        interval = f"{signed(found.low, 2)} to {signed(found.high, 2)}" if found.agent != "simple" else "reference"
        assert line == [found.agent, found.camp, f"{signed(found.value, 2)} {interval}", f"{found.games:,}"]
    assert len(intercepts) == len(report.ratings.intercepts) == 9


def test_inference_tables_say_what_the_tree_says(report: Report, page: ElementTree.Element) -> None:
    whole, readable, by_turn, calibration = tables(page, "inference")
    scores = report.inference[0].scores
    assert [line[0] for line in whole] == ["all simple"]
    assert [line[:2] for line in readable] == [[role, "all simple"] for role in scores.by_role]
    assert [line[0] for line in by_turn] == [*map(str, scores.by_group)]
    for line, found in zip((*whole, *by_turn), (scores.overall, *scores.by_group.values()), strict=True):
        means = (found.own.log_loss, found.reference.log_loss, found.own.brier, found.reference.brier)
        assert line[2:] == [f"{mean.value:.3f} {mean.low:.3f}–{mean.high:.3f}" for mean in means]
    bins = (*scores.overall.own.bins, *scores.overall.reference.bins)
    assert [line[3] for line in calibration] == [f"{each.observed.games:,}" for each in bins]


def test_length_tables_say_what_the_tree_says(report: Report, page: ElementTree.Element) -> None:
    (lines,) = tables(page, "lengths")
    for line, row in zip(lines, report.lengths, strict=True):
        assert line[:4] == [str(row.num_players), row.lineup, f"{row.games:,}", f"{row.mean:.1f}"]
        assert line[5] == f"{row.median:.0f}"


def test_the_markdown_twin_has_the_same_tables_and_its_pictures_beside_it(
    folder: Path, page: ElementTree.Element
) -> None:
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert text.count("\n| ---") == sum(TABLES.values())
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    assert len(lines) == len(list(page.iter("tr")))
    for cell, written in zip(tables(page, "lengths")[0][-1], lines[-1].strip("| ").split(" | "), strict=True):
        assert cell == written.replace("\\", "")
    pictures = re.findall(r"\]\((figures/[^)]*)\)", text)
    assert len(pictures) == sum(PICTURES.values())
    assert all((folder / picture).read_text(encoding="utf-8").startswith("<svg") for picture in pictures)


def test_the_same_results_give_the_same_files(report: Report, folder: Path, tmp_path: Path) -> None:
    for path in write_report(report, tmp_path):
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes()


def test_signs_of_html_and_markdown_in_names_are_only_signs(report: Report, tmp_path: Path) -> None:
    name = "<b>|*_x_*|&`"
    header = replace(report.header, agents=(name,), command=f"riverbed evaluate '{name}'")
    row = replace(report.mirror[0], agent=name)
    write_report(Report(header, (), mirror=(row,)), tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert tables(page, "mirror")[0][0][0] == name
    line = (tmp_path / "report.md").read_text(encoding="utf-8").splitlines()
    written = next(each for each in line if each.startswith(r"| &lt;b>\|"))
    assert len(re.findall(r"(?<!\\)\|", written)) == 7


def test_what_was_not_played_has_no_section(report: Report, tmp_path: Path) -> None:
    write_report(Report(report.header, ()), tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert not list(page.iter("section"))
    assert not list((tmp_path / "figures").iterdir())


def test_games_of_two_camps_have_no_triangle_and_a_matrix_of_two(report: Report, tmp_path: Path) -> None:
    camps = ("salmon", "eel")
    wins = {"salmon": rate(640, 1000), "eel": rate(360, 1000)}
    header = replace(report.header, camps=camps, players=(2,), agents=("greedy",))
    cell = MatrixCell(2, {"salmon": "greedy", "eel": "greedy"}, 1000, wins, 0)
    write_report(Report(header, (), mirror=(MirrorRow(2, "greedy", 1000, wins, 0),), matrix=(cell,)), tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert [len(svgs(page, name)) for name in ("mirror", "matrix")] == [1, 1]
    assert tables(page, "matrix")[0][0][:2] == ["greedy", "greedy"]


def test_a_camp_that_does_not_play_at_a_player_count_has_no_column_there(report: Report, tmp_path: Path) -> None:
    wins = {"merchants": rate(600, 1000), "separatists": rate(400, 1000), "profiteer": rate(0, 0)}
    row = MirrorRow(4, "simple", 1000, wins, 0)
    some = replace(row, num_players=5, wins={**wins, "profiteer": rate(30, 500)})
    write_report(Report(report.header, (), mirror=(row, some)), tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    four, five = tables(page, "mirror")
    assert len(four[0]) == 5
    assert five[0][4].endswith("of 500")


def test_the_smallest_evaluation_is_drawn_without_a_warning(report: Report, tmp_path: Path) -> None:
    wins = {"merchants": rate(1, 1), "separatists": rate(0, 1), "profiteer": rate(0, 1)}
    chances = np.full((1, 2, 5), 0.2)
    beliefs = score(chances, np.ones((1, 2), int), np.array([[False, True]]), [1], [1], ROLES)
    tiny = Report(
        replace(report.header, agents=("simple",)),
        (),
        mirror=(MirrorRow(4, "simple", 1, wins, 0),),
        matrix=(MatrixCell(4, dict.fromkeys(CAMPS, "simple"), 1, wins, 0),),
        ratings=fit_ratings([[0, 0, 0]], [0], [4], [0], names=["simple"], camps=CAMPS, reference="simple", seed=1),
        inference=(InferenceRow(4, "all simple", "simple", "", "turn", beliefs),),
        lengths=(length_row(4, "simple", np.array([1])),),
    )
    write_report(tiny, tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert len(list(page.iter("img"))) == 7


def test_long_names_are_cut_in_figures_and_stay_apart() -> None:
    names = [
        "simple",
        "riverbed_hunt.search:iterations=50",
        "agents/mine.py:AGENT",
        *(f"other_agent{i}_last" for i in "12"),
    ]
    short = short_names(names)
    assert list(short) == names
    assert (short["simple"], short["agents/mine.py:AGENT"]) == ("simple", "mine:AGENT")
    assert len(set(short.values())) == len(names)
    assert max(map(len, short.values())) <= 15


def test_a_saved_policy_is_called_by_its_file_without_its_suffix() -> None:
    assert short_names(["results/separatist/policy.npz"]) == {"results/separatist/policy.npz": "policy"}


def test_numbers_carry_a_sign_unless_they_round_to_0() -> None:
    assert [signed(number, 1) for number in (1.23, -1.23, 0.04, -0.04, 0.0)] == ["+1.2", "−1.2", "0.0", "0.0", "0.0"]


@pytest.mark.parametrize("decisions", [[7], [3, 3, 4], list(range(10, 900, 7))])
def test_a_histogram_of_lengths_holds_every_game_in_whole_bins(decisions: list[int]) -> None:
    row = length_row(5, "simple", np.array(decisions))
    assert (row.games, sum(row.counts)) == (len(decisions), len(decisions))
    assert len(set(np.diff(row.edges))) == 1
    assert row.edges[0] < min(decisions) <= max(decisions) < row.edges[-1]


@needs_browser
def test_a_browser_shows_the_tables_and_every_picture(html: str, page: ElementTree.Element, tmp_path: Path) -> None:
    shown = open_page(html, tmp_path)
    assert (shown.tables, shown.rows) == (sum(TABLES.values()), len(list(page.iter("tr"))))
    assert len(shown.widths) == sum(PICTURES.values())
    assert min(shown.widths) > 250


@needs_browser
def test_no_reader_scrolls_the_page_sideways_and_nobody_at_a_desk_a_table(html: str, tmp_path: Path) -> None:
    at_a_desk, on_a_phone = open_page(html, tmp_path), open_page(html, tmp_path, PHONE)
    assert len(at_a_desk.hidden) == 1 + sum(TABLES.values())
    assert not any(at_a_desk.hidden)
    assert on_a_phone.hidden[0] == 0
    assert any(on_a_phone.hidden[1:])  # the wide tables scroll in their boxes
