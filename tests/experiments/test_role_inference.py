"""Reading roles from play: who looks when, who counts, and scores that are played once and kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.evaluation import inference_file, role_inference
from riverbed_lab.evaluation.folder import Folder, Identity
from riverbed_lab.evaluation.inference_file import InferenceFiles, from_plain, to_plain
from riverbed_lab.evaluation.results import InferenceRow
from riverbed_lab.evaluation.role_inference import BY_TENTH, BY_TURN, Looks, look, observed
from riverbed_lab.playing.plan import Plan, usual_tables
from riverbed_lab.playing.play import play_seated
from riverbed_lab.statistics import Mean

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt_v1")
SIMPLE = find_agent("simple", GAME.name)
AGENTS = [UNIFORM, SIMPLE]
COUNT = 5
PLAN = Plan(
    GAME.id,
    ("simple",),
    "random",
    (4, COUNT),
    10,
    GAME.roles,
    tables=usual_tables(GAME, strangers=False, one_way=False),
    rule_based=("simple",),
    seed=3,
    inference_games=24,
)
IDENTITY = Identity(PLAN, "pack", "code", "sources")


@pytest.fixture(scope="module")
def looks() -> Looks:
    return look(GAME, PLAN, SIMPLE, COUNT, lambda games: None)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[InferenceFiles, list[tuple[int, str, int]]]:
    files = InferenceFiles(GAME, Folder(tmp_path_factory.mktemp("kept"), IDENTITY))
    told: list[tuple[int, str, int]] = []
    files.play(AGENTS, lambda *progress: told.append(progress))
    return files, told


def test_every_seat_looks_once_at_the_beginning_of_every_turn(looks: Looks) -> None:
    played = play_seated(GAME, [SIMPLE], np.zeros((24, COUNT), np.int64), np.arange(24), PLAN.seed, num_players=COUNT)
    turns = played.games["table"]["turn"]
    for number in range(24):
        mine = looks.game == number
        assert set(looks.turns[mine]) == {turns[number]}
        seen, times = np.unique(looks.turn[mine], return_counts=True)
        assert seen.tolist() == list(range(1, turns[number] + 1))
        assert (times == COUNT).all()
        assert (looks.truth[mine] == GAME.roles_of(played.games)[number]).all()


def test_neither_the_observer_nor_a_shown_role_counts(looks: Looks) -> None:
    certain = looks.posteriors[np.arange(len(looks.truth))[:, None], np.arange(COUNT), looks.truth] == 1
    assert looks.counted.sum(axis=1).max() == COUNT - 1
    for truth, counted in zip(looks.truth[looks.turn == 1], looks.counted[looks.turn == 1]):
        assert set(truth[counted]) <= set(range(len(GAME.roles))) - {GAME.roles.index("chief")}  # who sits open
    assert certain[~looks.counted].all()  # what one was shown one knows
    assert (~looks.counted).sum(axis=1).max() > 2
    assert not certain[looks.counted].all()


def test_the_same_seed_gives_the_same_looks_and_another_others(looks: Looks) -> None:
    again = look(GAME, PLAN, SIMPLE, COUNT, lambda games: None)
    for name in Looks.__dataclass_fields__:
        assert (getattr(again, name) == getattr(looks, name)).all()
    other = look(GAME, replace(PLAN, seed=4), SIMPLE, COUNT, lambda games: None)
    assert other.truth.shape != looks.truth.shape or (other.truth != looks.truth).any()


def test_games_in_several_goes_are_the_same_games(looks: Looks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(role_inference, "NUM_ENVS", 10)
    told: list[int] = []
    parts = look(GAME, PLAN, SIMPLE, COUNT, told.append)
    assert told == [10, 10, 4]
    orders = [np.lexsort((found.counted[:, 0], found.turn, found.game)) for found in (looks, parts)]
    np.testing.assert_array_equal(looks.turn[orders[0]], parts.turn[orders[1]])
    assert parts.posteriors.sum() == pytest.approx(looks.posteriors.sum())


def test_the_reference_and_all_but_random_are_observed() -> None:
    assert observed(PLAN) == ("random", "simple")
    assert observed(replace(PLAN, reference="simple", agents=("random",))) == ("simple",)


def test_there_are_scores_by_turn_and_by_tenth_of_every_line_up(kept) -> None:
    files, told = kept
    rows = files.rows()
    assert [(row.num_players, row.observed, row.grouped_by) for row in rows] == [
        (count, f"all {agent}", grouped)
        for count in (4, COUNT)
        for agent in ("random", "simple")
        for grouped in (BY_TURN, BY_TENTH)
    ]
    assert told == [(count, agent, 24) for count in (4, COUNT) for agent in ("random", "simple")]
    assert {(row.observer, row.reference) for row in rows} == {("deduction", "uniform choice")}
    for by_turn, by_tenth in zip(rows[::2], rows[1::2]):
        assert by_turn.scores.overall == by_tenth.scores.overall
        assert by_turn.scores.overall.own.log_loss.blocks == 24
        assert set(by_tenth.scores.by_group) == set(range(1, 11))


def test_turns_that_few_games_reach_are_not_shown_alone(looks: Looks, kept) -> None:
    files, _ = kept
    row = next(row for row in files.rows() if (row.num_players, row.observed) == (COUNT, "all simple"))
    lengths = [looks.turns[looks.game == number][0] for number in range(24)]
    assert list(row.scores.by_group) == list(range(1, int(np.percentile(lengths, 95)) + 1))
    assert row.scores.overall.own.log_loss.count == looks.counted.sum()


def test_deduction_reads_simple_play_better_than_uniform_choice(kept) -> None:
    files, _ = kept
    row = next(row for row in files.rows() if (row.num_players, row.observed) == (COUNT, "all simple"))
    assert row.scores.overall.own.log_loss.value < row.scores.overall.reference.log_loss.low


def test_what_is_written_down_is_not_played_again(kept) -> None:
    files, _ = kept
    again = InferenceFiles(GAME, files.folder)
    assert again.left() == []
    again.play([], lambda *progress: pytest.fail("nothing is left"))
    assert again.rows() == files.rows()


def test_other_games_and_other_sources_are_played_anew(kept, monkeypatch: pytest.MonkeyPatch) -> None:
    files, _ = kept
    folder = Folder(files.folder.path, IDENTITY)
    monkeypatch.setattr(inference_file, "digest", lambda sources: "changed")
    assert InferenceFiles(GAME, folder).left() == [4, COUNT]
    monkeypatch.undo()
    folder.identity = replace(IDENTITY, plan=replace(PLAN, inference_games=13))
    assert InferenceFiles(GAME, folder).left() == [4, COUNT]
    folder.identity = replace(IDENTITY, plan=replace(PLAN, inference_games=0))
    none = InferenceFiles(GAME, folder)
    assert (none.left(), none.rows()) == ([], ())


def test_an_interruption_keeps_the_player_counts_that_are_done(kept, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(count: int, agent: str, games: int) -> None:
        if count == COUNT:
            raise Enough

    files = InferenceFiles(GAME, Folder(tmp_path, IDENTITY))
    with pytest.raises(Enough):
        files.play(AGENTS, stop)
    assert files.left() == [COUNT]
    files.play(AGENTS, lambda *progress: None)
    assert files.rows() == kept[0].rows()


def test_an_interval_of_one_game_comes_back_from_json(kept) -> None:
    row: InferenceRow = kept[0].rows()[0]
    mean = Mean(0.5, -np.inf, np.inf, 3, 1)
    overall = replace(row.scores.overall, own=replace(row.scores.overall.own, log_loss=mean))
    alone = replace(row, scores=replace(row.scores, overall=overall))
    assert to_plain(alone)["scores"]["overall"]["own"]["log_loss"]["low"] is None
    assert from_plain(to_plain(alone)) == alone


def test_games_without_deduction_have_no_inference(tmp_path: Path) -> None:
    other = find_game("deep_river_v0")
    plan = Plan(other.id, ("greedy",), "random", (2,), 10, other.roles)
    files = InferenceFiles(other, Folder(tmp_path, replace(IDENTITY, plan=plan)))
    assert (files.left(), files.rows()) == ([], ())
    files.play([], lambda *progress: pytest.fail("nothing is played"))
