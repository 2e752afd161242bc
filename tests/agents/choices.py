"""The choices of every installed agent in a few games, as a hash for each agent and table.

After an intended change of an agent, write them again with

    python tests/agents/choices.py
"""

import hashlib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.players import UNIFORM, Arena, find_agent, list_agents
from riverbed_env.registry import find_game

FILE = Path(__file__).parent / "choices.txt"
SEED, GAMES = 5, 4
MOST = 6  # agents in an arena
# Slow agents with less to do, and how many games they play.
SMALL = {
    "lookahead": "lookahead:worlds=8",
    "student_lookahead": "student_lookahead:worlds=2,actions=2",
    "deep_search": "search:depth=2",
}
FEWER = {"careful": 1, SMALL["lookahead"]: 1, SMALL["student_lookahead"]: 1}

MODES = ("first_game", "standard", "advanced", "expert")
TABLES: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "deep_river": [(2, {})],
    "river_rats": [(count, {"mode": mode}) for count in range(1, 5) for mode in MODES],
    "riverbed_hunt": [*((count, {}) for count in range(4, 10)), *((count, {"talk": "claims"}) for count in (4, 7))],
    "riverside": [(count, {"extension": extension}) for count in (1, 2, 4, 6) for extension in (False, True)],
}


def choices(name: str) -> Iterator[str]:
    """For each agent and table of a game: how many actions its games have, and the hash of them all."""
    game = find_game(name)
    agents = [find_agent(SMALL.get(agent, agent), name) for agent in list_agents(name) if agent != UNIFORM.name]
    groups = [agents[at : at + MOST] for at in range(0, len(agents), MOST)]
    for group, (count, options) in product(groups, TABLES[name]):
        arena = Arena(game, group, GAMES * len(group), logged=True, seed=SEED, num_players=count, **options)
        number = np.arange(arena.num_envs)
        arena.deal(number, number // len(group))
        arena.seat_agents(number, np.repeat(number[:, None] % len(group), count, axis=1))
        table = "-".join([str(count), *(str(value) for value in options.values())])
        for place, agent in enumerate(group):
            mine = number[number % len(group) == place][: FEWER.get(agent.name, GAMES)]
            arena.play_on(mine)
            taken, _ = arena.log_of(mine)
            yield f"{name} {agent.name} {table} {len(taken)} {hashlib.sha256(taken.tobytes()).hexdigest()[:16]}"


if __name__ == "__main__":
    FILE.write_text("\n".join(line for name in TABLES for line in choices(name)) + "\n", encoding="utf-8")
