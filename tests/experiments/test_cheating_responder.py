"""The study of a responder that sees every card."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.players.policies import PolicyConfig, save_policy
from studies.cheating_responder import games_won, responder

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def test_who_sees_how_each_action_ends_loses_no_game_that_the_agent_wins() -> None:
    own, cheating = (games_won(responder("rule_based"), "leader", 5, 60, 1, 3, turns) for turns in (None, 0))
    assert not (own & ~cheating).any()
    assert cheating.sum() > own.sum() + 10


def test_only_agents_that_play_on_from_the_middle_of_a_game_make_a_lineup(tmp_path: Path) -> None:
    policy = tmp_path / "random.npz"
    layer = np.zeros((GAME.views["now"], GAME.actions.size)), np.zeros(GAME.actions.size)
    save_policy(policy, PolicyConfig(GAME.id, view="now"), [layer])
    with pytest.raises(OptionError, match=r"random\.npz can't play on from the middle of a game: it isn't compiled"):
        responder(str(policy))
