"""The games that a report links: each is what it is called, and its replay begins where that can be seen."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from evaluated import played
from pyarrow import parquet

from riverbed_env.deduction import Deduction
from riverbed_env.players.agents import UNIFORM
from riverbed_env.registry import find_game
from riverbed_lab.evaluation.folder import Folder
from riverbed_lab.evaluation.replay import Replay
from riverbed_lab.evaluation.results import Report
from riverbed_lab.evaluation.telling import TellingGame, telling_games
from riverbed_lab.playing.plan import Plan
from riverbed_lab.report.games import write_games
from riverbed_lab.report.page import write_report

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def told(evaluation: Folder) -> dict[str, TellingGame]:
    return {each.name: each for each in telling_games(evaluation)}


def decisions(told: TellingGame) -> int:
    """How many its record has, those that had one answer among them."""
    *_, end = told.record.positions()
    return int(end.games["table"]["decisions"][0])


def test_a_handful_of_games_is_found_and_each_is_the_game_of_its_row(
    evaluation: Folder, told: dict[str, TellingGame]
) -> None:
    assert list(told) == ["longest", "swing", "hunt", "con"]
    replay = Replay(evaluation.path)
    for each in told.values():
        *_, end = each.record.positions()
        camps = {replay.game.camp_of_role[each.row[f"role_{seat}"]] for seat in np.flatnonzero(end.returns[0] > 0)}
        assert camps == {camp for camp in replay.game.camps if each.row[f"won_{camp}"]}


def test_the_longest_game_is_the_longest_of_all_mirrors_but_that_of_random_play(
    evaluation: Folder, told: dict[str, TellingGame]
) -> None:
    rows = [row for part in evaluation.parts.glob("*.parquet") for row in parquet.read_table(part).to_pylist()]
    mirrors = [row for row in rows if row["table"] == "mirror" and row["agent_0"] != "random"]
    lengths = [row["decisions"] for row in mirrors if not row["truncated"]]
    assert told["longest"].row["decisions"] == max(lengths) == decisions(told["longest"])


def test_the_belief_swings_as_said_in_the_replay_of_that_game(told: dict[str, TellingGame]) -> None:
    swing = told["swing"]
    said = r"turn (\d+) player (\d+) .*? (\d+)% after (\d+)%.*player (\d+) is the (\w+)"
    ((turn, seer, after, before, other, role),) = re.findall(said, swing.words)
    held = {}
    for step, batch in enumerate(swing.record.positions()):
        now = int(batch.games["table"]["turn"][0])
        if now not in held and batch.acting[0]:
            roles = Deduction.of(batch.params).roles(batch.look([int(seer)]))[0]
            held[now] = (step, round(100 * roles[int(other), batch.game.roles.index(role)]))
    assert held[int(turn)] == (swing.step, int(before))
    assert held[int(turn) + 1][1] == int(after)
    assert swing.view == int(seer)
    assert int(after) - int(before) > 50


@pytest.mark.parametrize("declared", ["hunt", "con"])
def test_a_declaration_wins_for_who_made_it(told: dict[str, TellingGame], declared: str) -> None:
    game = told[declared]
    positions = [(int(batch.seat[0]), int(batch.games["table"]["turn"][0])) for batch in game.record.positions()]
    replayed = next(game.record.positions()).game
    assert replayed.actions.split(game.record.actions[game.step])[0] == declared.upper()
    seat, turn = positions[game.step]
    assert positions[-1][1] == turn
    assert game.record.returns[seat] > 0


@pytest.mark.slow
def test_the_report_links_pages_that_are_there(evaluation: Folder, report: Report, tmp_path: Path) -> None:
    games = tuple(write_games(evaluation))
    for each in games:
        page, _, place = each.link.partition("#")
        text = (evaluation.path / page).read_text(encoding="utf-8")
        carried = json.loads(text.partition('id="replay">')[2].partition("</script>")[0])
        assert carried["note"].endswith(f"{each.source.capitalize()}.")
        assert re.fullmatch(r"step=\d+&view=(truth|\d)", place)
    write_report(replace(report, games=games), tmp_path)
    html, plain = ((tmp_path / name).read_text(encoding="utf-8") for name in ("report.html", "report.md"))
    for each in games:
        assert f'href="{each.link.replace("&", "&amp;")}"' in html
        assert f"({each.link})" in plain


def test_a_game_without_hidden_roles_has_its_longest_game(tmp_path: Path) -> None:
    game = find_game("deep_river_v0")
    plan = Plan(game.id, ("random",), "random", (2,), 8, game.roles, tables=("mirror",), seed=1, inference_games=0)
    (told,) = telling_games(played(plan, tmp_path / "rows", [UNIFORM]))
    assert told.name == "longest"
    assert decisions(told) == told.row["decisions"]
