"""A budget of wall-clock time: once it is spent, training stops at the next checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable

from riverbed_env.errors import OptionError

MOST_MINUTES = 10**6


class TimeBudget:
    """Minutes of wall-clock time from now on; None: no limit. clock: seconds, for tests.

    Raises OptionError unless minutes is above 0 and at most a million.
    """

    def __init__(self, minutes: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        if minutes is not None and not 0 < minutes <= MOST_MINUTES:
            raise OptionError(f"minutes must be above 0 and at most {MOST_MINUTES:,}, not {minutes}")
        self._clock = clock
        self._end = None if minutes is None else clock() + 60 * minutes

    def is_spent(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and self._clock() >= self._end


NO_LIMIT = TimeBudget(None)
