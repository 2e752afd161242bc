"""Beliefs that a player from outside states about recorded games are scored as they are."""

import json
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from recorded_games import record_games

from riverbed_env.core.batch import Batch
from riverbed_env.core.transcript import say
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM
from riverbed_env.registry import find_game
from riverbed_env.seats import SeatAgent, SeatFailureError, belief_message, read_beliefs, schema
from riverbed_env.seats.callables import FunctionChannel
from riverbed_lab.judging.beliefs import ALL, BINS, CALIBRATION, SMALLEST, belief_scores, checked_talker, scored
from riverbed_lab.judging.sources import Found
from riverbed_lab.llm.prompt import answer_format, chat_of

HUNT = find_game("riverbed_hunt")
PLAYERS = 4


@pytest.fixture(scope="module")
def found() -> Found:
    """Two games of random talk; seat 1 is judged. They stop early, so that the test is quick."""
    batch = Batch(HUNT, 2, seed=3, num_players=PLAYERS, auto_reset=False, talk="claims")
    games = record_games(batch, [UNIFORM], np.zeros((2, PLAYERS), np.int64), np.arange(2))
    cut = [RecordedGame(**{**game.__dict__, "actions": game.actions[:160], "returns": ()}) for game in games]
    return Found(cut, [[1]] * len(cut))


def talker(say: Any) -> SeatAgent:
    """A function that is asked for beliefs."""
    return SeatAgent("talker", HUNT, FunctionChannel(say), retries=1)


def message() -> dict[str, Any]:
    batch = Batch(HUNT, 1, seed=1, num_players=PLAYERS, auto_reset=False)
    return belief_message(HUNT, batch.pack, batch.look(1)[0], batch.params)


def alike(asked: dict[str, Any]) -> dict[str, Any]:
    """Every role as likely as any other."""
    return {"beliefs": {player: dict.fromkeys(asked["beliefs"]["roles"], 1) for player in asked["beliefs"]["players"]}}


def test_the_question_fits_the_schema_and_says_who_is_meant() -> None:
    asked = message()
    jsonschema.Draft202012Validator(schema()).validate(asked)
    assert asked["beliefs"]["players"] == ["player_0", "player_2", "player_3"]
    assert tuple(asked["beliefs"]["roles"]) == HUNT.roles
    jsonschema.Draft202012Validator({**schema(), "$ref": "#/$defs/answer"}).validate(alike(asked))
    chat = chat_of(asked)
    assert "The choices" not in chat[-1]["content"]
    assert "player_3" in chat[-1]["content"]
    form = answer_format(asked)["json_schema"]["schema"]
    jsonschema.validate({"why": "", **alike(asked)}, form)


def test_chances_are_scaled_and_left_out_roles_have_none() -> None:
    asked = message()
    told = {player: {"merchant": 3, "leader": 1} for player in asked["beliefs"]["players"]}
    beliefs = read_beliefs(f"I think: {json.dumps({'beliefs': told})}", asked)
    assert beliefs.sum(axis=1).tolist() == [1, 0, 1, 1]
    assert beliefs[0].tolist() == [0, 0.75, 0.25, 0, 0]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("", "empty"),
        ("{}", "no JSON object"),
        ('{"beliefs": {"player_0": {"merchant": 1}}}', "nothing of player_2"),
        ('{"beliefs": {"player_0": {"king": 1}}}', "is no role"),
        ('{"beliefs": {"player_0": {"merchant": -1}}}', "chances of player_0"),
        ('{"beliefs": {"player_0": {"merchant": "much"}}}', "chances of player_0"),
    ],
)
def test_beliefs_that_make_no_sense_are_refused_with_the_reason(told: str, said: str) -> None:
    with pytest.raises(SeatFailureError, match=said):
        read_beliefs(told, message())


def looks(games: int, sharpness: float = 1.0, seed: int = 22) -> pd.DataFrame:
    """Honest beliefs about three roles, from which the truth is drawn: four a game; sharper ones are overconfident."""
    generator = np.random.default_rng(seed)
    honest = generator.dirichlet(np.ones(3), 4 * games)
    truth = (honest.cumsum(axis=1) < generator.random((4 * games, 1))).sum(axis=1)
    stated = honest**sharpness
    chances = stated / stated.sum(axis=1, keepdims=True)
    return pd.DataFrame({"chances": [*chances], "truth": truth, "game": np.repeat(np.arange(games), 4)})


def lines(looks: pd.DataFrame, by: str = ALL) -> pd.DataFrame:
    return pd.DataFrame.from_records([line for line in scored(looks) if line["by"] == by])


def test_uniform_and_certain_beliefs_score_as_in_closed_form() -> None:
    some = looks(10)
    certain = np.eye(3)[some["truth"]]
    for chances, log_loss, brier in (
        (np.full((40, 3), 1 / 3), np.log(3), 2 / 3),
        (certain, 0, 0),
        (np.roll(certain, 1, axis=1), -np.log(SMALLEST), 2),
    ):
        found = lines(some.assign(chances=[*chances])).iloc[0]
        assert (found["log_loss"], found["brier"]) == (pytest.approx(log_loss), pytest.approx(brier))
        assert found["seats"] == 40
    assert lines(some.assign(chances=[*certain]), CALIBRATION)["true"].tolist() == [0, 1]


def test_honest_beliefs_are_calibrated_and_overconfident_ones_are_not() -> None:
    honest, bold = lines(looks(5000), CALIBRATION), lines(looks(5000, sharpness=3.0), CALIBRATION)
    assert len(honest) == BINS
    assert honest["claims"].sum() == 3 * 4 * 5000
    assert ((honest["true_low"] <= honest["claimed"]) & (honest["claimed"] <= honest["true_high"])).sum() >= 8
    assert bold.iloc[-1]["true_high"] < bold.iloc[-1]["claimed"]
    assert bold.iloc[0]["true_low"] > bold.iloc[0]["claimed"]


def test_intervals_count_each_game_once() -> None:
    some = looks(100)
    once, again = lines(some).iloc[0], lines(pd.concat([some] * 4)).iloc[0]
    assert again["log_loss_low"] == pytest.approx(once["log_loss_low"])


def test_beliefs_are_scored_beside_the_exact_posterior(found: Found) -> None:
    rows, asked, answered = belief_scores(found, talker(alike), "it", 2)
    assert asked == answered > 4
    whole = rows[rows["by"] == ALL]
    own, deduced = (whole[whole["observer"] == name] for name in ("it", "deduction"))
    assert own["log_loss"].iloc[0] == pytest.approx(np.log(len(HUNT.roles)))
    assert own["seats"].tolist() == deduced["seats"].tolist()
    assert own["seats"].iloc[0] == own["seats"].iloc[1:].sum()

    def knows(asked: dict[str, Any]) -> dict[str, Any]:
        roles = HUNT.roles_of(found.games[asked["game"]["table"] - 1].deal().games)[0]
        return {"beliefs": {name: {HUNT.roles[roles[int(name[-1])]]: 1} for name in asked["beliefs"]["players"]}}

    best = belief_scores(found, talker(knows), "it", 2)[0].iloc[0]
    assert best["log_loss"] == best["brier"] == 0


def test_a_seat_is_asked_with_what_was_said_in_words_so_far() -> None:
    """Each text is heard by whoever is asked after it, and by nobody before."""
    silent = HUNT.actions.id("SILENT")
    batch = Batch(HUNT, 1, seed=3, num_players=PLAYERS, auto_reset=False, talk="text")
    taken: list[int] = []
    while len(batch.notes()) < 6:
        if batch.action_mask[0][silent]:
            say(batch, f"text {len(batch.notes())}")
        taken.append(silent if batch.action_mask[0][silent] else int(batch.action_mask[0].argmax()))
        batch.step([taken[-1]])
    found = Found([RecordedGame.of(batch, taken, agents=["it"] * PLAYERS)], [range(PLAYERS)])
    heard: list[list[str]] = []

    def listens(asked: dict[str, Any]) -> dict[str, Any]:
        heard.append([each["text"] for each in asked["talk"]["said"]])
        return alike(asked)

    _, asked, answered = belief_scores(found, talker(listens), "it", 1)
    assert asked == answered == len(heard)
    counts = [len(texts) for texts in heard]
    assert counts == sorted(counts)
    assert 0 in counts
    assert len(set(counts)) > 1
    assert all(texts == [f"text {number}" for number in range(len(texts))] for texts in heard)


def test_a_seat_that_does_not_answer_is_counted_and_asked_again_first(found: Found) -> None:
    seen: list[Any] = []

    def sulks(asked: dict[str, Any]) -> str:
        seen.append(asked["problem"])
        return "no"

    rows, asked, answered = belief_scores(found, talker(sulks), "it", 1)
    assert (len(rows), answered) == (0, 0)
    assert len(seen) == 2 * asked > 0
    assert seen[1]["kind"] == "unparsable"
    with pytest.raises(OptionError, match="can't be asked"):
        checked_talker(UNIFORM, HUNT.name)
    with pytest.raises(OptionError, match="doesn't have"):
        checked_talker(talker(alike), "deep_river")
