"""The report of an evaluation: everything there, numbers those of the results, one file that needs nothing else."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from browser import PHONE, needs_browser, open_page
from evaluated import GAME
from rich.console import Console

from riverbed_lab.evaluation.inference import score
from riverbed_lab.evaluation.ratings import fit_ratings
from riverbed_lab.evaluation.results import (
    CurvePoint,
    InferenceRow,
    LearningRow,
    LineupRow,
    Report,
    SpreadRow,
)
from riverbed_lab.playing.plan import Setup
from riverbed_lab.report.canvas import short_names
from riverbed_lab.report.model import Entry, gain_entry, mean_entry, rate_entry, signed
from riverbed_lab.report.page import write_report
from riverbed_lab.report.sections import sections
from riverbed_lab.report.terminal import render
from riverbed_lab.report.verdict import planning_notes, verdict
from riverbed_lab.statistics import Difference, deals_needed, detectable, paired_difference, rate, spread

pytestmark = pytest.mark.compiled

CAMPS = GAME.camps
TABLES = {
    "mirror": 2, "deviation": 2, "matrix": 2, "held_out": 2, "ratings": 2, "inference": 16, "lengths": 2,
}  # fmt: skip
PICTURES = {"mirror": 2, "deviation": 2, "matrix": 2, "ratings": 1, "inference": 8, "lengths": 1}


def difference(points: float, half: float) -> Difference:
    return Difference(points / 100, (points - half) / 100, (points + half) / 100, 2000, 2000)


@pytest.fixture(scope="module")
def report(report: Report) -> Report:
    """The results with a clear gain and a clear loss, which so few deals don't give."""
    first, second, *others = report.deviations
    clear = (replace(first, gain=difference(5, 2)), replace(second, gain=difference(-5, 2)))
    return replace(report, deviations=(*clear, *others))


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
    """An entry as it stands in a table, without its mark."""
    return f"{entry.text} {entry.small}".strip()


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
    assert report.about.command in words
    assert all(name in words and text in words for name, text in report.about.details.items())
    header = page.find(".//header")
    assert header is not None
    assert [each.tag for each in header][:2] == ["h1", "ul"]
    assert [line.text for line in page.iterfind(".//ul/li")] == verdict(report)
    assert all(note in words for note in report.notes)


def test_mirror_tables_and_pictures_say_what_the_results_say(report: Report, page: ElementTree.Element) -> None:
    for setup, lines, svg in zip(report.about.setups, tables(page, "mirror"), svgs(page, "mirror"), strict=True):
        rows = [row for row in report.mirror if row.setup == setup]
        best = [report.base(setup, camp) for camp in CAMPS]
        assert lines[0][1:4] == [f"{100 * each.rule_based.value:.1f} {each.rule_based_agent}" for each in best]
        words = "\n".join(svg.itertext())
        for line, row in zip(lines[1:], rows, strict=True):
            wins = [rate_entry(row.wins[camp], row.games) for camp in CAMPS]
            assert line == [row.agent, *map(shown, wins), f"{row.nobody_won:,}", f"{row.games:,}"]
            assert all(each.text in words for each in wins)


def test_deviation_tables_say_what_the_results_say(report: Report, page: ElementTree.Element) -> None:
    for setup, lines in zip(report.about.setups, tables(page, "deviation"), strict=True):
        rows = [row for row in report.deviations if row.setup == setup]
        for line, row in zip(lines, rows, strict=True):
            assert line[0] == f"{row.agent} as {row.role} among {row.among}"
            assert re.sub(" [▲▼]", "", line[1]) == shown(gain_entry(row.gain))
            assert ("▲" in line[1], "▼" in line[1]) == (row.gain.low > 0, row.gain.high < 0)
            assert line[2] == shown(rate_entry(row.wins))
            assert line[3] == f"{100 * row.replaced_wins.value:.1f} {row.replaced}"
            assert line[5] == f"{100 * report.base(setup, row.camp).random.value:.1f}"


def test_matrix_tables_and_maps_say_what_the_results_say(report: Report, page: ElementTree.Element) -> None:
    for setup, lines, svg in zip(report.about.setups, tables(page, "matrix"), svgs(page, "matrix"), strict=True):
        cells = [row for row in report.matrix if row.setup == setup]
        drawn = [text for text in "\n".join(svg.itertext()).split() if text.isdigit()]
        assert sorted(drawn) == sorted(f"{100 * cell.wins[camp].value:.0f}" for cell in cells for camp in CAMPS)
        for line, cell in zip(lines, cells, strict=True):
            wins = (shown(rate_entry(cell.wins[camp], cell.games)) for camp in CAMPS)
            assert line[:6] == [*cell.agents.values(), *wins]


def test_rating_tables_say_what_the_results_say(report: Report, page: ElementTree.Element) -> None:
    strengths, intercepts = tables(page, "ratings")
    fitted = {(each.agent, each.camp): each for each in report.ratings.strengths}
    for line in strengths:
        for entry, camp in zip(line[1:], CAMPS, strict=True):
            each = fitted[line[0], camp]
            interval = f"{signed(each.low, 2)} to {signed(each.high, 2)}"
            assert entry == ("0 reference" if line[0] == "random" else f"{signed(each.value, 2)} {interval}")
    assert len(intercepts) == len(report.ratings.intercepts) == 2 * len(CAMPS)


def test_inference_tables_say_what_the_results_say(report: Report, page: ElementTree.Element) -> None:
    whole, readable, by_turn, *_, calibration, _ = tables(page, "inference")[:8]
    scores = report.inference[0].scores
    assert [line[0] for line in whole] == ["all random", "all simple"]
    assert [line[0] for line in readable[::2]] == [*scores.by_role]
    assert [line[0] for line in by_turn] == [*map(str, scores.by_group)]
    for line, both in zip((whole[0], *by_turn), (scores.overall, *scores.by_group.values()), strict=True):
        means = (both.own.log_loss, both.reference.log_loss, both.own.brier, both.reference.brier)
        assert line[1:5] == [shown(mean_entry(mean)) for mean in means]
    bins = (*scores.overall.own.bins, *scores.overall.reference.bins)
    assert [line[3] for line in calibration] == [f"{each.observed.games:,}" for each in bins]


def test_length_tables_say_what_the_results_say(report: Report, page: ElementTree.Element) -> None:
    lines = [line for grid in tables(page, "lengths") for line in grid]
    for line, row in zip(lines, report.lengths, strict=True):
        numbers = (f"{each:.0f}" for each in (row.spread.p5, row.spread.median, row.spread.p95))
        assert (line[0], line[-5:]) == (row.lineup, [f"{row.spread.mean:.1f}", *numbers, f"{row.games:,}"])


def test_the_markdown_twin_has_the_same_tables_and_its_pictures_beside_it(
    folder: Path, page: ElementTree.Element
) -> None:
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert text.count("\n| ---") == sum(TABLES.values())
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    assert len(lines) == len(list(page.iter("tr")))
    for cell, written in zip(tables(page, "lengths")[-1][-1], lines[-1].strip("| ").split(" | "), strict=True):
        assert cell == re.sub(r"[\\()]", "", written)
    pictures = re.findall(r"\]\((figures/[^)]*)\)", text)
    assert len(pictures) == sum(PICTURES.values())
    assert all((folder / picture).read_text(encoding="utf-8").startswith("<svg") for picture in pictures)


def test_the_same_results_give_the_same_files(report: Report, folder: Path, tmp_path: Path) -> None:
    write_report(Report(report.about, lengths=report.lengths), tmp_path)
    (picture,) = (tmp_path / "figures").iterdir()
    assert picture.read_bytes() == (folder / "figures" / picture.name).read_bytes()


def test_signs_of_html_and_markdown_in_names_are_only_signs(report: Report, tmp_path: Path) -> None:
    name = "<b>|*_x_*|&`"
    about = replace(report.about, agents=(name,), command=f"riverbed evaluate '{name}'")
    row = replace(report.mirror[0], agents=dict.fromkeys(CAMPS, name))
    write_report(Report(about, mirror=(row,)), tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert tables(page, "mirror")[0][0][0] == name
    line = (tmp_path / "report.md").read_text(encoding="utf-8").splitlines()
    written = next(each for each in line if each.startswith(r"| &lt;b>\|"))
    assert len(re.findall(r"(?<!\\)\|", written)) == 7


def test_what_was_not_played_has_no_section(report: Report, tmp_path: Path) -> None:
    write_report(Report(report.about), tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert not list(page.iter("section"))
    assert not list((tmp_path / "figures").iterdir())


def test_games_of_two_camps_have_a_matrix_of_two(report: Report, tmp_path: Path) -> None:
    wins = {"salmon": rate(640, 1000), "eel": rate(360, 1000)}
    about = replace(report.about, camps=("salmon", "eel"), setups=(Setup(2),), agents=("greedy",))
    row = LineupRow(Setup(2), dict.fromkeys(wins, "greedy"), 1000, wins, 0)
    write_report(Report(about, mirror=(row,), matrix=(row,)), tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert [len(svgs(page, name)) for name in ("mirror", "matrix")] == [1, 1]
    assert tables(page, "matrix")[0][0][:2] == ["greedy", "greedy"]


def test_a_camp_that_does_not_play_at_a_player_count_has_no_column_there(report: Report, tmp_path: Path) -> None:
    wins = {"merchants": rate(600, 1000), "separatists": rate(400, 1000), "profiteer": rate(0, 0)}
    row = LineupRow(Setup(4), dict.fromkeys(CAMPS, "simple"), 1000, wins, 0)
    some = replace(row, setup=Setup(5), wins={**wins, "profiteer": rate(30, 500)})
    write_report(Report(report.about, mirror=(row, some)), tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    four, five = tables(page, "mirror")
    assert len(four[0]) == 5
    assert five[0][3].endswith("of 500")


def test_the_smallest_evaluation_is_drawn_without_a_warning(report: Report, tmp_path: Path) -> None:
    wins = {"merchants": rate(1, 1), "separatists": rate(0, 1), "profiteer": rate(0, 1)}
    chances = np.full((1, 2, 5), 0.2)
    beliefs = score(chances, np.ones((1, 2), int), np.array([[False, True]]), [1], [1], GAME.roles)
    row = LineupRow(Setup(4), dict.fromkeys(CAMPS, "simple"), 1, wins, 0)
    tiny = Report(
        replace(report.about, agents=("simple",)),
        mirror=(row,),
        matrix=(row,),
        ratings=fit_ratings([[0, 0, 0]], [0], [4], [0], names=["simple"], camps=CAMPS, reference="simple", seed=1),
        scores=(SpreadRow(Setup(4), "all simple", 1, spread(np.ones((1, 4)))),),
        inference=(InferenceRow(4, "all simple", "simple", "", "turn", beliefs),),
        lengths=(SpreadRow(Setup(4), "all simple", 1, spread(np.ones((1, 1)))),),
    )
    write_report(tiny, tmp_path)
    page = parse((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert len(list(page.iter("img"))) == 7


# --- the verdict -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (8.2, "8.2 points above simple (5.8 to 10.6)"),
        (-5.3, "5.3 points below simple (2.9 to 7.7)"),
        (0.4, "not told apart from simple"),
    ],
)
def test_the_verdict_of_a_learner_of_one_role_is_a_sentence_of_the_report_s_own_deals(
    report: Report, points: float, words: str
) -> None:
    point = CurvePoint(100, 1.0, rate(504, 2000), difference(0.0, 1.0))
    learner = LearningRow("learner", "profiteer", (5,), "simple", "simple", 0.3, (point,))
    row = replace(
        report.deviations[0], setup=Setup(5), agent="learner", replaced="simple", among="simple", role="profiteer",
        wins=rate(504, 2000), gain=difference(points, 2.4),
    )  # fmt: skip
    shown = Report(replace(report.about, reference="simple"), learning=(learner,), deviations=(row,))
    assert verdict(shown) == [f"5 players: learner wins 25.2 % as profiteer among simple: {words}."]


def test_the_verdict_of_several_roles_names_gains_losses_and_the_rest(report: Report) -> None:
    row = report.deviations[0]
    rows = tuple(
        replace(
            row, setup=Setup(7), agent="mine", replaced="simple", among="simple", role=role, gain=difference(gain, 1)
        )
        for role, gain in (("chief", 3.0), ("leader", -2.0), ("merchant", 0.5))
    )
    assert verdict(Report(replace(report.about, reference="simple"), deviations=rows)) == [
        "7 players: mine in one seat among simple, against simple there: points gained as chief 3.0 (2.0 to 4.0); "
        "points lost as leader 2.0 (1.0 to 3.0); not told apart as merchant."
    ]


def test_mirrors_alone_do_not_say_who_is_stronger_and_ratings_do(report: Report) -> None:
    (words,) = verdict(Report(report.about, mirror=report.mirror))
    assert "don't say who is stronger" in words
    (words,) = verdict(Report(report.about, matrix=report.matrix, ratings=report.ratings))
    assert "don't say who is stronger" not in words
    assert "the ratings compare agents by camp" in words


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
    row = report.deviations[0]
    assert planning_notes([replace(row, gain=close)]) == []
    (note,) = planning_notes([replace(row, gain=close), replace(row, gain=apart)])
    assert note.startswith(f"4 players: gains below {detectable(apart):.1f} points can go unnoticed in 4,000 deals")


# --- the terminal ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [30, 60, 80, 120])
def test_terminal_tables_break_no_word_at_any_width(report: Report, width: int) -> None:
    for part in sections(report):
        for table in render(part, width, "Riverbed Hunt"):
            file = io.StringIO()
            Console(file=file, width=width).print(table)
            lines = file.getvalue().splitlines()
            assert max(map(len, lines)) <= width
            assert "…" not in file.getvalue()
            for grid in part.grids[:1]:
                words = {word for line in grid.lines for entry in line.entries for word in entry.text.split()}
                assert words <= set(re.split(r"[\s]+", file.getvalue())) or grid.title not in " ".join(lines)


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


@needs_browser
def test_a_browser_shows_tables_and_pictures_and_no_reader_scrolls_the_page_sideways(
    html: str, page: ElementTree.Element, tmp_path: Path
) -> None:
    at_a_desk, on_a_phone = open_page(html, tmp_path), open_page(html, tmp_path, PHONE)
    assert (at_a_desk.tables, at_a_desk.rows) == (sum(TABLES.values()), len(list(page.iter("tr"))))
    assert len(at_a_desk.widths) == sum(PICTURES.values())
    assert min(at_a_desk.widths) > 250
    assert max(at_a_desk.pictures) > 1000
    assert len(at_a_desk.hidden) == 1 + sum(TABLES.values())
    assert not any(at_a_desk.hidden)
    assert on_a_phone.hidden[0] == 0
    assert 0 < max(on_a_phone.gains) <= PHONE
