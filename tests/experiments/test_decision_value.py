"""What a seat's choices decide, told from games in which it strays now and then."""

from __future__ import annotations

import numpy as np
import pytest

from riverbed_env.players.specs import find_agent
from studies.decision_value import GAME, SHARE, Answers, decision_values, watch, weights

pytestmark = pytest.mark.slow  # `make check`


RULE_BASED = find_agent("rule_based", GAME.name)


@pytest.mark.parametrize(("legal", "wins"), [(2, (0.75, 0.25)), (4, (0.5, 0.1, 0.9, 0.2))])
def test_the_weights_give_the_difference_to_a_random_action(legal: int, wins: tuple[float, ...]) -> None:
    taken = np.full(legal, SHARE / legal)
    taken[0] += 1 - SHARE
    weighed = weights(np.arange(legal) == 0, np.full(legal, legal), SHARE)
    assert (taken * weighed * wins).sum() == pytest.approx(wins[0] - np.mean(wins))
    assert (taken * weighed).sum() == pytest.approx(0)


def test_gains_are_those_that_the_games_were_made_with() -> None:
    random = np.random.default_rng(0)
    games = 200_000
    chances = {2: (0.6, 0.4), 6: (0.5, 0.5, 0.5)}  # of winning after each legal action, the agent's first, by question
    game = np.arange(games)
    question = np.where(game % 2 == 0, 2, 6)
    legal = np.where(question == 2, 2, 3)
    strays = random.random(games) < SHARE
    action = np.where(strays, random.integers(0, legal), 0)
    won = random.random(games) < np.array([chances[q][a] for q, a in zip(question.tolist(), action.tolist())])
    turn, reveal, every = decision_values(Answers(game, question, legal, weights(action == 0, legal, SHARE), won))
    assert (turn.question, turn.asked, turn.legal) == ("turn", 0.5, 2.0)
    assert turn.gain.low < 0.1 < turn.gain.high
    assert turn.a_game.low < 0.05 < turn.a_game.high
    assert reveal.gain.low < 0 < reveal.gain.high
    assert (every.question, every.asked) == ("all", 1.0)


@pytest.mark.compiled
def test_what_is_turned_up_matters_more_than_what_is_looked_at() -> None:
    answers = watch(RULE_BASED, "separatist", 7, 4000, threads=1, seed=3)
    assert answers.won.shape == (4000,)
    assert set(np.unique(answers.game).tolist()) <= set(range(4000))
    assert (answers.legal > 1).all()
    found = {value.question: value for value in decision_values(answers)}
    assert found["reveal"].gain.low > found["view"].gain.value
    assert found["reveal"].gain.low > 0
    assert found["all"].asked == pytest.approx(sum(each.asked for name, each in found.items() if name != "all"))
    parts = [found[name].a_game.value for name in found if name != "all"]
    assert found["all"].a_game.value == pytest.approx(sum(parts))
