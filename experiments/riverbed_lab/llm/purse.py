"""What a run may spend on language models, over all its seats and threads: nothing is asked that could exceed it."""

import contextlib
import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from riverbed_env.errors import OptionError, RiverbedError

MICROS = 1_000_000


class BudgetError(RiverbedError):
    """The next call could cost more than is left."""


class Purse:
    """Limits in the currency of the prices and in tokens, None for no limit; what is spent, and reserved for calls.

    A call is reserved at the most it can cost and settled at what it did cost; one whose cost isn't known, at the most.
    """

    def __init__(self, max_cost: float | None = None, max_tokens: int | None = None) -> None:
        for name, limit in (("max cost", max_cost), ("max tokens", max_tokens)):
            if limit is not None and not 0 <= limit < math.inf:
                raise OptionError(f"{name} must be a number from 0 on, not {limit!r}")
        self.max_micros = None if max_cost is None else round(max_cost * MICROS)
        self.max_tokens = max_tokens
        self.micros = self.tokens = self.calls = 0  # spent
        self._held_micros = self._held_tokens = 0
        self._settled = threading.Condition()

    def reserve(self, micros: int, tokens: int) -> None:
        """Set aside the most that a call can cost; waits for calls under way if they could leave too little.

        Raises BudgetError if less than that is left without them.
        """
        with self._settled:
            while not self._fits(self._held_micros + micros, self._held_tokens + tokens):
                if not self._fits(micros, tokens):
                    raise BudgetError(self._refusal(micros, tokens))
                self._settled.wait()
            self._held_micros += micros
            self._held_tokens += tokens

    def settle(self, micros: int, tokens: int, spent_micros: int, spent_tokens: int) -> None:
        """Give back what was reserved for a call, and note what it cost."""
        with self._settled:
            self._held_micros -= micros
            self._held_tokens -= tokens
            self.micros += spent_micros
            self.tokens += spent_tokens
            self.calls += spent_tokens > 0
            self._settled.notify_all()

    def _fits(self, micros: int, tokens: int) -> bool:
        """Whether so much more can be spent."""
        return (self.max_micros is None or self.micros + micros <= self.max_micros) and (
            self.max_tokens is None or self.tokens + tokens <= self.max_tokens
        )

    def _refusal(self, micros: int, tokens: int) -> str:
        """Which limit leaves too little for the next call."""
        if self.max_micros is not None and self.micros + micros > self.max_micros:
            what, limit, spent, next_call = "cost", *(each / MICROS for each in (self.max_micros, self.micros, micros))
        else:
            what, limit, spent, next_call = "tokens", self.max_tokens or 0, self.tokens, tokens
        return (
            f"the budget is used up: max_{what} is {limit:g}, {spent:g} is spent, and the next call could take "
            f"{next_call:g}; what is in the cassette isn't paid again"
        )


class SharedPurse(Purse):
    """A purse of several processes: a file with a line for each sum that is reserved, and for what is given back of it.

    What a killed process had reserved counts as spent. Calls under way aren't waited for. Not on Windows.
    """

    def __init__(self, path: Path, max_cost: float | None = None, max_tokens: int | None = None) -> None:
        super().__init__(max_cost, max_tokens)
        self.path = path

    def reserve(self, micros: int, tokens: int) -> None:
        """Set aside the most that a call can cost. Raises BudgetError if less is left."""
        with self._book() as book:
            sums = [list(map(int, line.split())) for line in book.read().splitlines()]
            self.micros, self.tokens = (sum(each[place] for each in sums) for place in range(2))
            if not self._fits(micros, tokens):
                raise BudgetError(self._refusal(micros, tokens))
            book.write(f"{micros} {tokens}\n")

    def settle(self, micros: int, tokens: int, spent_micros: int, spent_tokens: int) -> None:
        """Give back what a call didn't cost."""
        with self._book() as book:
            book.write(f"{spent_micros - micros} {spent_tokens - tokens}\n")
        self.calls += spent_tokens > 0

    @contextlib.contextmanager
    def _book(self) -> Iterator[IO[str]]:
        """The file, which no other process or thread reads or writes meanwhile."""
        import fcntl

        with self.path.open("a+") as book:
            fcntl.flock(book, fcntl.LOCK_EX)
            book.seek(0)
            yield book
            book.flush()
