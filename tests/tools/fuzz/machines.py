"""Which machines there are, for which games, and how they are run: a share in the suite, rounds in `make fuzz`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import hypothesis
from conformance.options import GAMES, SIMULTANEOUS
from hypothesis import HealthCheck, Phase
from hypothesis.stateful import run_state_machine_as_test

PHASES = (Phase.explicit, Phase.generate, Phase.shrink)


@dataclass(frozen=True)
class Entry:
    """A machine, imported when needed (one needs torch), the games it is for, and its examples of each in the suite."""

    module: str
    name: str
    games: tuple[str, ...]
    share: int


MACHINES = {
    "aec": Entry("fuzz.turn_machines", "AecMachine", tuple(GAMES), 16),
    "batch": Entry("fuzz.batch_machine", "BatchMachine", tuple(GAMES), 16),
    "parallel": Entry("fuzz.turn_machines", "ParallelMachine", tuple(SIMULTANEOUS), 30),
    "learner": Entry("fuzz.learner_machines", "LearnerMachine", tuple(GAMES), 12),
    "single": Entry("fuzz.learner_machines", "SingleMachine", tuple(GAMES), 8),
    "vector": Entry("fuzz.learner_machines", "VectorMachine", tuple(GAMES), 8),
    "sb3": Entry("fuzz.sb3_machine", "VecEnvMachine", tuple(GAMES), 8),
}


@cache
def machine_of(name: str, game_id: str) -> Any:
    """The machine of this name for a game, a class."""
    entry = MACHINES[name]
    machine = getattr(import_module(entry.module), entry.name)
    words = "".join(word.capitalize() for word in game_id.split("_"))
    return type(machine)(f"{words}{entry.name}", (machine,), {"game_id": game_id})


def fuzz(machine: Any, seed: int | None, *, examples: int, steps: int) -> None:
    """Run a machine's examples; the first failure is made small and raised.

    They follow from the seed, or, without one, from the machine alone, so that the suite always runs the same. Nothing
    hangs on how long they take, and none are kept in a data base.
    """
    settings = hypothesis.settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=seed is None,
        phases=PHASES,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    hypothesis.seed(seed)(machine)
    run_state_machine_as_test(machine, settings=settings)
