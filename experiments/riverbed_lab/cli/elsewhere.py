"""What --ray changes: who plays the parts."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..extras import need
from .console import use_threads

if TYPE_CHECKING:
    from ..evaluation.run import Work
    from ..league.league import Work as LeagueWork


def threads_for(ray: str | None, threads: int) -> int:
    """The threads of each part: one on a cluster, which plays as many parts at a time as it has cores."""
    return max(1, threads) if ray else use_threads(threads)


@dataclass(frozen=True)
class Elsewhere:
    """Where a command's parts are played. address: of the Ray cluster, None for this process."""

    address: str | None = None

    def connected(self) -> AbstractContextManager[None]:
        """A connection to the cluster, if there is one. Raises OptionError if it can't be reached."""
        if self.address is None:
            return nullcontext()
        need("ray")
        from ..cluster import connected

        return connected(self.address)

    def blocks(self) -> Work:
        """Who plays the parts of an evaluation."""
        if self.address is None:
            from ..evaluation.run import one_after_another

            return one_after_another
        from ..cluster import blocks

        return blocks

    def learners(self) -> LeagueWork:
        """Who plays the rounds of a league's learners."""
        if self.address is None:
            from ..league.learner import one_after_another

            return one_after_another
        from ..cluster import learners

        return learners
