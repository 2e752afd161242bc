"""Games whose only secret is a choice not yet shown, and games without any secret, which are left out."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from riverbed_env.testing.leaks import copy_env

from .cases import Case, Env, Rng, quiet

_PACKAGES = {"pettingzoo": "pettingzoo", "pygame-ce": "pygame"}


def cases() -> list[Case]:
    """Rock, paper, scissors; and those of PettingZoo's classics in which everything lies open."""
    return [
        Case(
            name="PettingZoo rps_v2",
            packages=_PACKAGES,
            make=make_rps,
            knows=rps_knows,
            twin=rps_twin,
            how="copy; the choice that the first has made already is another one",
            varied=lambda one, two: ["choice"] if one.unwrapped.state != two.unwrapped.state else [],
            make_drawn=lambda: make_rps(render_mode="rgb_array", screen_height=200),
            remark="the choice stands in raw_env.state too, a dictionary in the place of state()",
        ),
        *(
            Case(name=f"PettingZoo {name}", packages=_PACKAGES, remark="nothing is hidden by the rules: no twin exists")
            for name in ("connect_four_v3", "tictactoe_v3")
        ),
    ]


def make_rps(**options: Any) -> Env:
    """Rock, paper, scissors in turns."""
    with quiet():
        return import_module("pettingzoo.classic.rps_v2").env(**options)


def rps_knows(env: Env, agent: str) -> Any:
    """How many rounds were played, the choices of the last five, and the own one of this round."""
    table = env.unwrapped
    asked = list(env.possible_agents).index(env.agent_selection)
    own = table.state[agent] if asked == 1 and agent != env.agent_selection else None
    return int(table.num_moves), [int(choice) for choice in table.history], own


def rps_twin(env: Env, agent: str, rng: Rng) -> Env | None:
    """Another choice of the first one, where the second is asked."""
    first, second = env.possible_agents
    if agent != second or env.agent_selection != second:
        return None
    other = copy_env(env)
    table = other.unwrapped
    table.state[first] = (int(table.state[first]) + int(rng.integers(1, 3))) % 3
    return other
