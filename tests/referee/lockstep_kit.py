"""What the tests of engine and referee in lock-step share: that nothing differs, and that every difference is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.lockstep import Lockstep, Outcome

DAMAGED = 2  # the game that is damaged


def agreed(outcome: Outcome) -> Outcome:
    """The outcome of games in which nothing differed."""
    assert outcome.disagreements == []
    assert sum(outcome.endings.values()) == outcome.games
    return outcome


def differing(outcome: Outcome) -> set[str]:
    """The facts in which games differed."""
    return {difference.fact for difference in outcome.disagreements}


def check_damage_is_found(
    lockstep: Lockstep, decisions: int, fact: str, field: Callable[[Lockstep], Any], by: int = 1
) -> None:
    """Play `decisions` in which nothing differs, add `by` to a field of one game: then exactly this fact differs."""
    for _ in range(decisions):
        lockstep._step()
        lockstep._compare()
    assert lockstep.outcome.disagreements == []
    field(lockstep)[DAMAGED] += by
    lockstep._compare()
    (found,) = lockstep.outcome.disagreements
    assert (found.fact, found.number, found.decision) == (fact, DAMAGED, decisions)
