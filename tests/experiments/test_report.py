"""The report of an evaluation: everything there, numbers those of the results, one file that needs nothing else."""

import base64
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from browser import PHONE, needs_browser, open_page
from evaluated import GAME
from rich.console import Console

from riverbed_lab.report.figures import short_names
from riverbed_lab.report.model import Entry, entry, signed, table
from riverbed_lab.report.page import SIGNS, render, write_report
from riverbed_lab.report.report import Report, planning_notes, verdict
from riverbed_lab.report.sections import sections
from riverbed_lab.statistics import Difference, columns, deals_needed, detectable, paired_difference, rate

pytestmark = pytest.mark.compiled

CAMPS = GAME.camps
TABLES = {"mirror": 2, "deviation": 2, "matrix": 2, "held_out": 2, "lengths": 2}
PICTURES = {"deviation": 2}


def difference(points: float, half: float) -> dict[str, float]:
    return columns("gain", Difference(points / 100, (points - half) / 100, (points + half) / 100, 2000, 2000))


def only(report: Report, *lines: dict[str, object]) -> Report:
    """The report of these cells alone."""
    cells = pd.DataFrame.from_records(list(lines)) if lines else report.cells[:0]
    return replace(report, cells=cells, notes=())


def cell_of(report: Report, table: str, **changed: object) -> dict[str, object]:
    """The first cell of a table, changed."""
    return {**report.table(table).iloc[0].to_dict(), **changed}


@pytest.fixture(scope="module")
def report(report: Report) -> Report:
    """The results with a clear gain and a clear loss, which so few deals don't give."""
    cells = report.cells.copy()
    for place, gain in zip(cells.index[cells["table"] == "deviation"], (5, -5)):
        for name, value in difference(gain, 2).items():
            cells.loc[place, name] = value
    return replace(report, cells=cells)


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
    part = page.find(f".//section[@id='{name}']")
    assert part is not None
    return part


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


def shown(entry: Entry) -> str:
    """An entry as it stands on the page."""
    return f"{entry.text}{SIGNS[entry.mark]} {entry.small}".strip()


def test_every_part_has_its_tables_and_pictures(page: ElementTree.Element) -> None:
    assert [part.get("id") for part in page.iter("section")] == list(TABLES)
    assert {name: len(tables(page, name)) for name in TABLES} == TABLES
    assert {name: len(drawn) for name in TABLES if (drawn := svgs(page, name))} == PICTURES


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


def test_the_page_begins_with_the_verdict_and_says_what_was_played(report: Report, page: ElementTree.Element) -> None:
    words = " ".join(page.itertext())
    assert report.command in words
    assert all(name in words and text in words for name, text in report.details.items())
    header = page.find(".//header")
    assert header is not None
    assert [each.tag for each in header][:2] == ["h1", "ul"]
    assert [line.text for line in page.iterfind(".//ul/li")] == verdict(report)
    assert all(note in words for note in report.notes)


def rows_of(report: Report, *names: str) -> list[dict[str, Any]]:
    """The cells of some tables, in the order of the page."""
    cells = report.cells[report.cells["table"].isin(names)]
    return [row for _, rows in cells.groupby("setup", sort=False) for row in rows.to_dict("records")]


def lines_of(page: ElementTree.Element, name: str) -> list[list[str]]:
    return [line for grid in tables(page, name) for line in grid]


WINS = [f"won_{camp}" for camp in CAMPS]


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("mirror", ["agent", *WINS, "nobody_won", "games"]),
        ("deviation", ["agent", "role", "among", "gain"]),
        ("held_out", ["agent", "role", "gain"]),
        ("lengths", ["agent", "share_Hunt"]),
    ],
)
def test_tables_say_what_the_cells_say(
    name: str, columns: list[str], report: Report, page: ElementTree.Element
) -> None:
    rows = rows_of(report, "mirror" if name == "lengths" else name)
    if name == "held_out":
        rows = [row for row in rows if row["agent"] == "simple"]
    for line, row in zip(lines_of(page, name), rows, strict=True):
        assert line[: len(columns)] == [shown(entry(row, column)) for column in columns]


def test_the_matrix_has_every_lineup(report: Report, page: ElementTree.Element) -> None:
    rows = rows_of(report, "mirror", "matrix")
    lines = [tuple(line[:3]) for line in lines_of(page, "matrix")]
    assert lines == [tuple(row[f"agent_{camp}"] for camp in CAMPS) for row in rows]
    assert len(set(lines)) == len(lines) / 2 == 2**3


def test_what_there_is_to_gain_stands_beside_each_gain(report: Report, tmp_path: Path) -> None:
    gains = {"weak": 0.01, "best": 0.08, "mine": 0.05}
    rows = [
        cell_of(report, "deviation", agent=agent, replaced="random", gain=gain, gain_low=gain - 0.1, gain_high=gain)
        for agent, gain in gains.items()
    ]
    other = [cell_of(report, "deviation", role="leader", agent="best", replaced="random", gain=-0.02)]
    changed = replace(only(report, *rows, *other), agents=("weak", "best", "mine"))
    page = parse(write_report(changed, tmp_path).read_text(encoding="utf-8"))
    assert [line[4] for line in lines_of(page, "deviation")] == ["+8.0 best"] * 3 + ["–"]


def test_numbers_are_shown_by_what_they_are() -> None:
    line = {"won": 0.1234, "won_low": 0.1, "won_high": 0.2, "won_games": 9, "games": 1000, "deals": 60.0, "cost": 0.5}
    for name, low, high in (("gain", 0.01, 0.05), ("winners", -0.1, 0.1), ("log_loss", 0.5, 1.5)):
        line |= {name: (low + high) / 2, f"{name}_low": low, f"{name}_high": high}
    assert [entry(line, name) for name in ("won", "games", "deals", "cost", "gain", "winners", "log_loss", "none")] == [
        Entry("12.3", "10.0–20.0 of 9"), Entry("1,000"), Entry("60"), Entry("0.5000"),
        Entry("+3.0", "+1.0 to +5.0", "above"), Entry("0.0", "−10.0 to +10.0"),
        Entry("1.000", "0.500–1.500"), Entry("–"),
    ]  # fmt: skip


def test_the_same_results_give_the_same_file(report: Report, html: str, tmp_path: Path) -> None:
    assert write_report(report, tmp_path).read_text(encoding="utf-8") == html


def test_signs_of_html_in_names_are_only_signs(report: Report, tmp_path: Path) -> None:
    name = "<b>|*_x_*|&`"
    changed = {f"agent_{camp}": name for camp in CAMPS}
    other = replace(only(report, cell_of(report, "mirror", agent=name, **changed)), agents=(name,), command=name)
    page = parse(write_report(other, tmp_path).read_text(encoding="utf-8"))
    assert tables(page, "mirror")[0][0][0] == name


def test_what_was_not_played_has_no_section(report: Report, tmp_path: Path) -> None:
    page = parse(write_report(only(report), tmp_path).read_text(encoding="utf-8"))
    assert not list(page.iter("section"))


def test_a_camp_that_does_not_play_at_a_player_count_has_no_column_there(report: Report, tmp_path: Path) -> None:
    nobody = {**columns("won_profiteer", rate(0, 0)), "won_profiteer_games": 0}
    some = {**columns("won_profiteer", rate(3, 50)), "won_profiteer_games": 50}
    cells = (cell_of(report, "mirror", setup=setup, **won) for setup, won in (("four", nobody), ("five", some)))
    page = parse(write_report(only(report, *cells), tmp_path).read_text(encoding="utf-8"))
    four, five = tables(page, "mirror")
    assert len(four[-1]) == 5
    assert five[-1][3].endswith("of 50")


# --- the verdict -----------------------------------------------------------------------------------------------------


def test_the_verdict_of_several_roles_names_gains_losses_and_the_rest(report: Report) -> None:
    rows = [
        cell_of(
            report, "deviation", setup="7 players", agent="mine", replaced="simple", among="simple", role=role,
            **difference(gain, 1),
        )
        for role, gain in (("chief", 3.0), ("leader", -2.0), ("merchant", 0.5))
    ]  # fmt: skip
    assert verdict(replace(only(report, *rows), reference="simple")) == [
        "7 players: mine in one seat among simple, against simple there: points gained as chief 3.0 (2.0 to 4.0); "
        "points lost as leader 2.0 (1.0 to 3.0); not told apart as merchant."
    ]


def test_mirrors_alone_do_not_say_who_is_stronger_and_whole_camps_do(report: Report) -> None:
    (words,) = verdict(only(report, cell_of(report, "mirror")))
    assert "don't say who is stronger" in words
    row = cell_of(
        report, "matrix", agent="simple", camp="separatists", among="random", replaced="random", **difference(4, 1)
    )  # fmt: skip
    assert verdict(only(report, row)) == [
        "4 players: simple in a whole camp among random, against random there: "
        "points gained as separatists 4.0 (3.0 to 5.0)."
    ]


def test_the_planning_note_is_of_the_paired_comparison(report: Report) -> None:
    """A second arm that differs in few deals needs far fewer of them than independent deals would."""
    rng = np.random.default_rng(1)
    first = rng.random(4000) < 0.5
    second = np.where(rng.random(4000) < 0.02, ~first, first)
    close, apart = (
        paired_difference(first, range(4000), arm, range(4000), 1) for arm in (second, rng.random(4000) < 0.5)
    )
    assert 4 < detectable(apart) / detectable(close) < 10
    assert deals_needed(close, 2) < 4000 < deals_needed(apart, 2) < 12_000
    near, far = (cell_of(report, "deviation", deals=4000, **columns("gain", gain)) for gain in (close, apart))
    assert planning_notes(only(report, near).cells) == []
    (note,) = planning_notes(only(report, near, far).cells)
    assert note.startswith(f"4 players: gains below {detectable(apart):.1f} points can go unnoticed in 4,000 deals")


# --- the terminal ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [30, 60, 80, 120])
def test_terminal_tables_break_no_word_at_any_width(report: Report, width: int) -> None:
    for part in sections(report):
        for shown in render(part, width, "Riverbed Hunt"):
            file = io.StringIO()
            Console(file=file, width=width).print(shown)
            lines = file.getvalue().splitlines()
            assert max(map(len, lines)) <= width
            assert "…" not in file.getvalue()
            for grid in part.tables[:1]:
                words = {word for line in grid.lines for entry in line for word in entry.text.split()}
                assert words <= set(re.split(r"[\s]+", file.getvalue())) or grid.title not in " ".join(lines)


def test_long_names_are_cut_in_figures_and_stay_apart() -> None:
    known = {"simple": "simple", "agents/mine.py:AGENT": "mine:AGENT", "results/separatist/policy.npz": "policy"}
    names = [*known, "riverbed_hunt.search:iterations=50", *(f"other_agent{i}_last" for i in "12")]
    short = short_names(names)
    assert list(short) == names
    assert short.items() >= known.items()
    assert len(set(short.values())) == len(names)
    assert max(map(len, short.values())) <= 15


def test_numbers_carry_a_sign_unless_they_round_to_0() -> None:
    assert [signed(number, 1) for number in (1.23, -1.23, 0.04, -0.04, 0.0)] == ["+1.2", "−1.2", "0.0", "0.0", "0.0"]


@needs_browser
def test_a_browser_shows_tables_and_pictures_and_no_reader_scrolls_the_page_sideways(
    html: str, page: ElementTree.Element, tmp_path: Path
) -> None:
    at_a_desk, on_a_phone = open_page(html, tmp_path), open_page(html, tmp_path, PHONE)
    assert (at_a_desk.tables, at_a_desk.rows) == (sum(TABLES.values()), len(list(page.iter("tr"))))
    assert len(at_a_desk.widths) == sum(PICTURES.values())
    assert min(at_a_desk.widths) > 250
    assert max(at_a_desk.pictures) > 500
    assert len(at_a_desk.hidden) == 1 + sum(TABLES.values())
    assert not any(at_a_desk.hidden)
    assert on_a_phone.hidden[0] == 0
    assert 0 < max(on_a_phone.gains) <= PHONE


def test_marks_of_a_large_table_need_more_than_those_of_one_gain() -> None:
    line = {"agent": "one", "gain": 0.03, "gain_low": 0.002, "gain_high": 0.058}
    sure = {"agent": "two", "gain": -0.09, "gain_low": -0.12, "gain_high": -0.06}
    assert table("one", [line]).lines[0][1].mark == "above"
    many = table("many", [line, sure, *[line] * 8]).lines
    assert [entries[1].mark for entries in many[:2]] == ["", "below"]
    assert many[0][1].small == "+0.2 to +5.8"  # the interval stays that of one gain
