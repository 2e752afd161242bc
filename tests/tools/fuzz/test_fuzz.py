"""Calls of the public interfaces in any order, of every game.

`RIVERBED_FUZZ=500 pytest tests/tools/fuzz -k "aec and riverside"` draws 500 examples of each machine of each game;
without the variable a few are drawn, always the same. If one fails, Hypothesis prints the calls that lead there, as few
as it finds, and the --hypothesis-seed that finds them again.
"""

import os
from importlib import import_module

import hypothesis
import pytest
from conformance.options import GAMES, SIMULTANEOUS, game_name
from hypothesis import HealthCheck, Phase
from hypothesis.stateful import run_state_machine_as_test

from riverbed_env.kernels.compile import compiled

EXAMPLES = int(os.environ.get("RIVERBED_FUZZ", "0"))
CALLS = 50 if EXAMPLES else 30  # in an example

# Machine -> the module of its class, the class, its games, and its examples in the suite.
MACHINES = {
    "aec": ("turn_machines", "AecMachine", GAMES, 16),
    "batch": ("batch_machine", "BatchMachine", GAMES, 16),
    "parallel": ("turn_machines", "ParallelMachine", SIMULTANEOUS, 30),
    "learner": ("learner_machines", "LearnerMachine", GAMES, 12),
}


@pytest.mark.parametrize(
    ("machine", "game_id"),
    [
        pytest.param(name, game_id, id=f"{name}-{game_name(game_id)}")
        for name, (_, _, games, _) in MACHINES.items()
        for game_id in games
    ],
)
def test_calls_in_any_order(machine: str, game_id: str) -> None:
    module, name, _, few = MACHINES[machine]
    settings = hypothesis.settings(
        max_examples=EXAMPLES or (few if compiled() else 2),
        stateful_step_count=CALLS,
        deadline=None,
        database=None,
        derandomize=not EXAMPLES,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    base = getattr(import_module(f"fuzz.{module}"), name)
    run_state_machine_as_test(type(base)(f"{machine}_{game_id}", (base,), {"game_id": game_id}), settings=settings)
