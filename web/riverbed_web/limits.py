"""How much anybody may ask of the server."""

import time
from collections import OrderedDict

MOST_BODY = 64 * 2**10  # bytes of a request's body
MOST_MESSAGE = 4 * 2**10  # bytes of a message from a page
MESSAGES = (50.0, 100.0)  # a second, and at once: messages of one connection
REQUESTS = (100.0, 2000.0)  # of one address
OPENINGS = (1.0, 100.0)  # tables opened from one address
JOINING = 10.0  # s to say who one is, to finish a request, or to take what was sent
TRIES = 8  # of a player from outside to come back to its seat
MOST_CONNECTIONS = 2000
MOST_OF_ADDRESS = 400  # connections; of another machine
MOST_WATCHING = 1000  # connections of watchers: the rest is for players
MOST_AT_A_TABLE = 100  # of watchers
MOST_AT_A_SEAT = 20
MOST_UNDONE = 50  # choices that a seat takes back for all to see
MOST_AWAKE = 500  # tables in memory
MOST_ALONE = 20  # tables of agents that play on while nobody watches
MOST_ADDRESSES = 10_000  # whose buckets are remembered


class Bucket:
    """Allows so many things a second, and more at once after a pause."""

    def __init__(self, rate: float, at_once: float) -> None:
        self.rate, self.at_once = rate, at_once
        self._left, self._then = at_once, time.monotonic()

    def take(self) -> bool:
        """Whether one more thing is allowed now; it is then counted."""
        now = time.monotonic()
        self._left = min(self.at_once, self._left + (now - self._then) * self.rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address; the longest unused are forgotten."""

    def __init__(self, rate: float, at_once: float) -> None:
        self.rate, self.at_once = rate, at_once
        self._of: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether this address may do one more thing now."""
        bucket = self._of.setdefault(address, Bucket(self.rate, self.at_once))
        self._of.move_to_end(address)
        if len(self._of) > MOST_ADDRESSES:
            self._of.popitem(last=False)
        return bucket.take()
