"""Ratings over time: which past selves are rated, and of which roles."""

import pytest

from riverbed_env.errors import OptionError
from riverbed_lab.league import config
from riverbed_lab.league.config import check_roles
from riverbed_lab.league.league import spread_out
from riverbed_lab.training.config import TrainingConfig


def test_past_selves_are_spread_out() -> None:
    assert spread_out([], 3) == []
    assert spread_out([2, 4], 3) == [2, 4]
    assert spread_out([2, 4, 6, 8, 10, 12, 14], 3) == [2, 8, 14]
    assert spread_out([2, 4, 6], 1) == [2]
    assert spread_out([2, 4, 6], 0) == []


def test_a_role_that_no_player_count_deals_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "roles_dealt", lambda training, count: {4: ("chief",), 5: ("chief", "leader")}[count])
    check_roles("--role", ("chief", "leader"), TrainingConfig(players=(4, 5)))
    with pytest.raises(OptionError, match="--role: with 4 players nobody is dealt the role 'leader'; there are chief"):
        check_roles("--role", ("leader",), TrainingConfig(players=(4,)))
