"""Which machines there are, for which games, and how they are run: a share in the suite, rounds in `make fuzz`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import hypothesis
from conformance.options import GAMES
from hypothesis import HealthCheck, Phase
from hypothesis.stateful import run_state_machine_as_test

PHASES = (Phase.explicit, Phase.generate, Phase.shrink)


@dataclass(frozen=True)
class Entry:
    """A machine, imported when needed (one needs torch), and the games it is for."""

    module: str
    name: str
    games: tuple[str, ...]


MACHINES = {
    "aec": Entry("fuzz.aec_machine", "AecMachine", tuple(GAMES)),
    "batch": Entry("fuzz.batch_machine", "BatchMachine", tuple(GAMES)),
}


@cache
def machine_of(name: str, game_id: str) -> Any:
    """The machine of this name for a game, a class."""
    entry = MACHINES[name]
    machine = getattr(import_module(entry.module), entry.name)
    words = "".join(word.capitalize() for word in game_id.split("_"))
    return type(machine)(f"{words}{entry.name}", (machine,), {"game_id": game_id})


def fuzz(machine: Any, seed: int, *, examples: int, steps: int) -> None:
    """Run a machine's examples, which follow from the seed; the first failure is made small and raised."""
    settings = hypothesis.settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=PHASES,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    hypothesis.seed(seed)(machine)
    run_state_machine_as_test(machine, settings=settings)
