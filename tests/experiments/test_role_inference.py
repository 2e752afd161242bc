"""Reading roles from play: who looks when, who counts, scores against closed forms, and files that are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from evaluated import AGENTS, GAME, SIMPLE

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_lab.evaluation import roles as reading
from riverbed_lab.evaluation.folder import Folder, Identity
from riverbed_lab.evaluation.roles import (
    ALL,
    BINS,
    BY_ROLE,
    BY_TURN,
    CALIBRATION,
    SMALLEST,
    Looks,
    RoleScores,
    look,
    observed,
    score,
)
from riverbed_lab.playing.plan import Plan, usual_tables
from riverbed_lab.playing.play import play_seated

pytestmark = pytest.mark.compiled

COUNT = 5
ROLES = ("chief", "merchant", "separatist")
PLAN = Plan(
    GAME.id, ("simple",), "random", (4, COUNT), 10, GAME.roles,
    tables=usual_tables(GAME, strangers=False, one_way=False), seed=3, inference_games=24,
)  # fmt: skip
IDENTITY = Identity(PLAN, "pack", "code", "sources")
Chances = np.ndarray[Any, Any]

# --- scores -----------------------------------------------------------------------------------------------------------


def moments(games: int, sharpness: float = 1.0, seed: int = 22) -> Looks:
    """Honest beliefs: the truth is drawn from them. Four moments a game, five seats, of which some count."""
    generator = np.random.default_rng(seed)
    n = 4 * games
    beliefs = generator.dirichlet(np.ones(3), (n, 5))
    truth = (beliefs.cumsum(axis=2) < generator.random((n, 5, 1))).sum(axis=2)
    stated = beliefs**sharpness
    told = {"own": stated / stated.sum(axis=2, keepdims=True)}
    counted = generator.random((n, 5)) < 0.7
    return Looks(
        told, truth, counted, np.repeat(np.arange(games), 4), np.tile(np.arange(1, 5), games), np.zeros(n, int)
    )


def told(looks: Looks, beliefs: Chances) -> Looks:
    return replace(looks, beliefs={"own": beliefs})


def whole(looks: Looks) -> Any:
    """The line over all seats."""
    found = score(looks, ROLES)
    return found[found["by"] == ALL].iloc[0]


def bins(looks: Looks) -> pd.DataFrame:
    found = score(looks, ROLES)
    return found[found["by"] == CALIBRATION]


def test_uniform_and_certain_beliefs_score_as_in_closed_form() -> None:
    looks = moments(10)
    found = whole(told(looks, np.full((40, 5, 3), 1 / 3, np.float32)))
    assert found["log_loss"] == pytest.approx(np.log(3))
    assert found["brier"] == pytest.approx(2 / 3)
    assert found["seats"] == looks.counted.sum()
    certain = np.eye(3)[looks.truth]
    assert (whole(told(looks, certain))["log_loss"], whole(told(looks, certain))["brier"]) == (0, 0)
    assert bins(told(looks, certain))["true"].tolist() == [0, 1]
    wrong = whole(told(looks, np.roll(certain, 1, axis=2)))
    assert wrong["log_loss"] == pytest.approx(-np.log(SMALLEST))
    assert wrong["brier"] == 2


def test_the_scores_of_groups_are_those_of_the_seats_that_count() -> None:
    looks = moments(30)
    rows, seats = np.nonzero(looks.counted)
    chances, truth = looks.beliefs["own"][rows, seats], looks.truth[rows, seats]
    losses = -np.log(chances[np.arange(len(rows)), truth])
    found = score(looks, ROLES)
    assert whole(looks)["log_loss"] == pytest.approx(losses.mean())
    for by, group in ((BY_TURN, looks.turn[rows].astype(str)), (BY_ROLE, np.array(ROLES)[truth])):
        lines = found[found["by"] == by]
        assert set(lines["group"]) == set(group)
        for name, loss in zip(lines["group"], lines["log_loss"]):
            assert loss == pytest.approx(losses[group == name].mean())
    claims = found[found["by"] == CALIBRATION]
    assert claims["claims"].sum() == 3 * len(rows)
    assert (claims["claims"] * claims["true"]).sum() == pytest.approx(len(rows))


def test_honest_beliefs_are_calibrated_and_overconfident_ones_are_not() -> None:
    honest, bold = bins(moments(2000)), bins(moments(2000, sharpness=3.0))
    assert len(honest) == BINS
    assert ((honest["true_low"] <= honest["claimed"]) & (honest["claimed"] <= honest["true_high"])).sum() >= 8
    assert bold.iloc[-1]["true_high"] < bold.iloc[-1]["claimed"]
    assert bold.iloc[0]["true_low"] > bold.iloc[0]["claimed"]


def test_intervals_count_each_game_once_and_cover_the_truth() -> None:
    looks = moments(100)
    once, again = whole(looks), whole(Looks.together([looks] * 4))
    assert again["log_loss_low"] == pytest.approx(once["log_loss_low"])
    truth = whole(moments(20_000))["log_loss"]
    found = [whole(moments(40, seed=seed)) for seed in range(100)]
    assert np.mean([each["log_loss_low"] <= truth <= each["log_loss_high"] for each in found]) >= 0.9


@pytest.mark.parametrize("spoil", [lambda p: p * 1.1, lambda p: p - [0.5, 0, -0.5], lambda p: p * np.nan])
def test_what_are_no_chances_is_refused(spoil: Callable[[Chances], Chances]) -> None:
    with pytest.raises(OptionError, match="must be chances"):
        whole(told(moments(3), spoil(np.full((12, 5, 3), 1 / 3))))


def test_other_roles_and_nothing_to_score_are_refused() -> None:
    looks = moments(3)
    with pytest.raises(OptionError, match="over 3 roles, but there are 2"):
        score(looks, ROLES[:2])
    with pytest.raises(OptionError, match="nothing to score"):
        whole(replace(looks, counted=np.zeros_like(looks.counted)))


# --- observation ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def looks() -> Looks:
    return look(GAME, PLAN, SIMPLE, COUNT, lambda games: None)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[RoleScores, list[tuple[int, str, int]]]:
    scores = RoleScores(GAME, Folder(tmp_path_factory.mktemp("kept"), IDENTITY))
    said: list[tuple[int, str, int]] = []
    scores.play(AGENTS, lambda *progress: said.append(progress))
    return scores, said


def test_every_seat_looks_once_at_the_beginning_of_every_turn(looks: Looks) -> None:
    played = play_seated(GAME, [SIMPLE], np.zeros((24, COUNT), np.int64), np.arange(24), PLAN.seed, num_players=COUNT)
    turns = played.games["table"]["turn"]
    for number in range(24):
        mine = looks.game == number
        seen, times = np.unique(looks.turn[mine], return_counts=True)
        assert seen.tolist() == list(range(1, turns[number] + 1))
        assert (times == COUNT).all()
        assert (looks.truth[mine] == GAME.roles_of(played.games)[number]).all()


def test_neither_the_observer_nor_a_shown_role_counts(looks: Looks) -> None:
    at = (np.arange(len(looks.truth))[:, None], np.arange(COUNT), looks.truth)
    certain = looks.beliefs["deduction"][at] == 1
    assert looks.counted.sum(axis=1).max() == COUNT - 1
    for truth, counted in zip(looks.truth[looks.turn == 1], looks.counted[looks.turn == 1]):
        assert set(truth[counted]) <= set(range(len(GAME.roles))) - {GAME.roles.index("chief")}  # who sits open
    assert certain[~looks.counted].all()  # what one was shown one knows
    assert (~looks.counted).sum(axis=1).max() > 2
    assert not certain[looks.counted].all()


def test_games_in_several_goes_are_the_same_games(looks: Looks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "NUM_ENVS", 10)
    said: list[int] = []
    parts = look(GAME, PLAN, SIMPLE, COUNT, said.append)
    assert said == [10, 10, 4]
    orders = [np.lexsort((found.seer, found.turn, found.game)) for found in (looks, parts)]
    for name in ("truth", "counted", "turn", "game"):
        np.testing.assert_array_equal(getattr(looks, name)[orders[0]], getattr(parts, name)[orders[1]])
    assert look(GAME, replace(PLAN, seed=4), SIMPLE, COUNT, said.append).truth.tolist() != looks.truth.tolist()


def test_the_reference_and_all_but_random_are_observed() -> None:
    assert observed(PLAN) == ("random", "simple")
    assert observed(replace(PLAN, reference="simple", agents=("random",))) == ("simple",)


def test_there_are_scores_of_every_lineup_by_turn_and_role(kept: Any, looks: Looks) -> None:
    scores, said = kept
    frame = scores.frame()
    assert said == [(count, agent, 24) for count in (4, COUNT) for agent in ("random", "simple")]
    lines = frame[frame["by"] == ALL]
    assert list(zip(lines["num_players"], lines["observed"], lines["observer"])) == [
        (count, f"all {agent}", observer)
        for count in (4, COUNT) for agent in ("random", "simple") for observer in ("deduction", "uniform choice")
    ]  # fmt: skip
    mine = frame[(frame["num_players"] == COUNT) & (frame["observed"] == "all simple")]
    own = mine[mine["observer"] == "deduction"].set_index(["by", "group"])
    uniform = mine[mine["observer"] == "uniform choice"].set_index(["by", "group"])
    assert own.loc[(ALL, ""), "seats"] == looks.counted.sum()
    assert own.loc[(ALL, ""), "log_loss"] < uniform.loc[(ALL, ""), "log_loss_low"]
    lengths = [looks.turn[looks.game == number].max() for number in range(24)]
    shown = range(1, int(np.percentile(lengths, 95)) + 1)  # turns that few games reach aren't shown alone
    assert list(own.loc[BY_TURN].index) == [str(turn) for turn in shown]


# --- files ------------------------------------------------------------------------------------------------------------


def test_what_is_written_down_is_not_played_again_but_for_other_games_and_sources(
    kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, _ = kept
    again = RoleScores(GAME, scores.folder)
    again.play([], lambda *progress: pytest.fail("nothing is left"))
    pd.testing.assert_frame_equal(again.frame(), scores.frame())
    folder = Folder(scores.folder.path, IDENTITY)
    monkeypatch.setattr(reading, "digest", lambda sources: "changed")
    assert RoleScores(GAME, folder).left() == [4, COUNT]
    monkeypatch.undo()
    for games, left in ((13, [4, COUNT]), (0, [])):
        folder.identity = replace(IDENTITY, plan=replace(PLAN, inference_games=games))
        assert RoleScores(GAME, folder).left() == left


def test_an_interruption_keeps_the_player_counts_that_are_done(kept: Any, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(count: int, agent: str, games: int) -> None:
        if count == COUNT:
            raise Enough

    scores = RoleScores(GAME, Folder(tmp_path, IDENTITY))
    with pytest.raises(Enough):
        scores.play(AGENTS, stop)
    assert scores.left() == [COUNT]
    scores.play(AGENTS)
    pd.testing.assert_frame_equal(scores.frame(), kept[0].frame())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"games": 24}', '{"games": 24, "sources": ""}'])
def test_a_damaged_file_is_played_again(text: str, tmp_path: Path) -> None:
    scores = RoleScores(GAME, Folder(tmp_path, IDENTITY))
    (tmp_path / "inference").mkdir()
    (tmp_path / "inference" / "4.json").write_text(text)
    assert scores.left() == [4, COUNT]


def test_games_without_deduction_have_no_inference(tmp_path: Path) -> None:
    other = find_game("deep_river")
    plan = Plan(other.id, ("greedy",), "random", (2,), 10, other.roles)
    scores = RoleScores(other, Folder(tmp_path, replace(IDENTITY, plan=plan)))
    assert scores.left() == []
    assert scores.frame().empty
