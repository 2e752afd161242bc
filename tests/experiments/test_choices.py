"""What an agent chooses otherwise than another, on the same questions in the same situations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.lineups import lineups
from riverbed_env.players.specs import find_agent
from riverbed_lab.training.evaluation import SEED, Evaluation, compare
from studies.choices import GAME, Choices, Habit, habits, main, watch

RULE_BASED = find_agent("rule_based", GAME.name)


def test_habits_are_counted_by_question_and_kind_of_action() -> None:
    dive, co_op, end = (GAME.actions.id(name) for name in ("DIVE", "CO_OP", "END_TURN"))
    spaces = GAME.actions.id("SPACE", 3), GAME.actions.id("SPACE", 4)
    noted = [(Question.TURN, dive, dive), (Question.TURN, dive, co_op), (Question.TURN, end, end),
             (Question.TURN, dive, end), (Question.VIEW, *spaces)]  # fmt: skip
    won = np.array([True, False])
    question, chosen, other = np.array(noted).T
    found = list(habits(Choices(question, chosen, other, 2, compare([(won, ~won)]))))
    assert found == [
        Habit("turn", 2.0, 0.5, {"dive": (1.5, 0.5), "end_turn": (0.5, 1.0), "co_op": (0.0, 0.5)}),
        Habit("view", 0.5, 0.0, {"space": (0.5, 0.5)}),
    ]


@pytest.mark.compiled
def test_an_agent_chooses_as_itself() -> None:
    noted = watch(RULE_BASED, RULE_BASED, "profiteer", 5, 200, among=RULE_BASED)
    assert len(noted.chosen) > 500
    np.testing.assert_array_equal(noted.chosen, noted.other)
    assert noted.found.gain.value == 0
    assert all(habit.alike == 1 for habit in habits(noted))


@pytest.mark.compiled
def test_asking_another_beside_changes_nothing() -> None:
    noted = watch(UNIFORM, RULE_BASED, "chief", 5, 200, among=RULE_BASED)
    table = lineups(GAME, [RULE_BASED])
    alone = Evaluation(GAME, table, RULE_BASED, role="chief", games=200, num_players=5, threads=1, seed=SEED)
    assert noted.found == compare([(alone.won(UNIFORM), alone.won_by_reference)])
    assert noted.games == 200
    found = list(habits(noted))
    assert sum(habit.asked for habit in found) * 200 == pytest.approx(len(noted.chosen))
    for habit in found:
        for whose in (0, 1):
            assert sum(often[whose] for often in habit.verbs.values()) == pytest.approx(habit.asked)
    turn = next(habit for habit in found if habit.question == "turn")
    assert 0 < turn.alike < 0.9
    assert turn.verbs["swim"][0] > turn.verbs["swim"][1]  # random play swims as often as it does anything


class Seeing:
    """Plays the first legal action, and by views, as search does."""

    name, memory_size, by_view = "seeing", 0, True

    def act(self, observations: Any, masks: Any, memory: Any, rng: Any, *, views: Any, settings: Any) -> Any:
        assert len(views) == len(masks)
        assert len(settings)
        return masks.argmax(axis=1)


@pytest.mark.compiled
def test_an_agent_that_plays_by_views_is_given_them() -> None:
    noted = watch(Seeing(), RULE_BASED, "leader", 5, 20, among=RULE_BASED)
    assert len(noted.chosen) > 20


@pytest.mark.compiled
def test_who_can_not_be_asked_is_refused() -> None:
    with pytest.raises(OptionError, match="search:worlds=5 needs more than one observation"):
        watch(RULE_BASED, find_agent("search:worlds=5", GAME.name), "chief", 7, 10, among=RULE_BASED)
    with pytest.raises(OptionError, match="'bosun'"):
        watch(RULE_BASED, RULE_BASED, "bosun", 7, 10, among=RULE_BASED)
    with pytest.raises(OptionError, match="games must be"):
        watch(RULE_BASED, RULE_BASED, "chief", 7, 0, among=RULE_BASED)


@pytest.mark.compiled
def test_the_command_prints_both_rates_and_the_habits(capsys: pytest.CaptureFixture[str]) -> None:
    main("random", than="rule_based", role="leader", players=5, games=50, among="random", threads=1)
    told = capsys.readouterr().out
    assert told.startswith("leader, 5 players, 50 deals among random: random wins ")
    assert "rule_based in its place" in told
    assert "end_turn" in told
