"""What an agent chooses otherwise than another, on the same questions in the same situations."""

from __future__ import annotations

import pytest

from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.lineups import lineups
from riverbed_env.players.specs import find_agent
from riverbed_lab.training.evaluation import SEED, Evaluation, compare
from studies.agent_diff import GAME, main, question_diffs, watch

pytestmark = pytest.mark.slow  # `make check`


RULE_BASED = find_agent("rule_based", GAME.name)


@pytest.mark.compiled
def test_asking_another_beside_changes_nothing() -> None:
    noted = watch(UNIFORM, RULE_BASED, "chief", 5, 200, among=RULE_BASED)
    table = lineups(GAME, [RULE_BASED])
    alone = Evaluation(GAME, table, RULE_BASED, role="chief", games=200, num_players=5, threads=1, seed=SEED)
    assert noted.found == compare([(alone.won(UNIFORM), alone.won_by_reference)])
    assert noted.games == 200
    found = list(question_diffs(noted))
    assert sum(diff.asked for diff in found) * 200 == pytest.approx(len(noted.chosen))
    for diff in found:
        for whose in (0, 1):
            assert sum(often[whose] for often in diff.verbs.values()) == pytest.approx(diff.asked)
    turn = next(diff for diff in found if diff.question == "turn")
    assert 0 < turn.alike < 0.9
    assert turn.verbs["swim"][0] > turn.verbs["swim"][1]  # random play swims as often as it does anything


@pytest.mark.compiled
def test_the_command_prints_both_rates_and_the_habits(capsys: pytest.CaptureFixture[str]) -> None:
    main("random", than="rule_based", role="leader", players=5, games=50, among="random", threads=1)
    told = capsys.readouterr().out
    assert told.startswith("leader, 5 players, 50 deals among random: random wins ")
    assert "rule_based in its place" in told
    assert "end_turn" in told
