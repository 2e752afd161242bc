"""Counter-based random streams: each game carries its own, and no global generator exists.

A draw is Philox2x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) of a counter under a
key. The stream of game k depends on (seed, k, purpose) alone, so a game is the same whatever the batch size, the thread
or the process. All arithmetic is on integers below 2**63 or masked to 32 bits, so compiled and plain Python agree.
"""

import numpy as np

from riverbed_env.errors import SeedError

from .compile import Floats, Record, Records, Vector, Whole, kernel
from .records import Fields

MASK = 0xFFFFFFFF
MULTIPLIER = 0xD256D193
WEYL = 0x9E3779B9
ROUNDS = 10
MAX_SEED = 2**63 - 1
MAX_DRAWN = 2**62  # more words than any game draws
WORDS_A_DECISION = 4096  # reserved in a game's stream for each decision; more in multiples of it

# Purposes of streams; streams of different purposes draw different words.
DEAL, CHANCE, AGENTS = 1, 2, 3  # a game's own: its deal, chance in play, what its players draw
RESAMPLED = 8  # worlds that a seat can't exclude
TRIED, OWN_CHOICES = 9, 10  # worlds that an agent plays on before it chooses, and its own choices in them
SEATING = 11  # seats and lineups
PARTNERS = 12  # who sits beside an agent in a benchmark's cell
PACKS = 13  # content packs that a generator draws

STREAM_FIELDS = Fields(
    ("key", np.int64, (), (0, MASK)),  # half of what identifies the stream
    ("block", np.int64, (), (0, MASK)),  # the other half
    ("drawn", np.int64, (), (0, MAX_DRAWN)),  # 32-bit words drawn so far
)
STREAM = STREAM_FIELDS.dtype


@kernel
def philox(low: int, high: int, key: int) -> tuple[int, int]:
    """Philox2x32-10: two 32-bit words from a 64-bit counter (low, high) and a 32-bit key."""
    for _ in range(ROUNDS):
        product = MULTIPLIER * low  # wraps when compiled; the masked halves are right anyway
        low = ((product >> 32) & MASK) ^ key ^ high
        high = product & MASK
        key = (key + WEYL) & MASK
    return low, high


@kernel
def open_stream(stream: Record, seed: int, number: int, purpose: int) -> None:
    """Set `stream` to the start of game `number`'s stream of `seed` for one purpose."""
    low, high = philox(int(number) & MASK, (int(number) >> 32) & MASK, int(seed) & MASK)
    low, high = philox(low, high, (int(seed) >> 32) & MASK)
    low, high = philox(low, high, purpose)
    stream["key"] = low
    stream["block"] = high
    stream["drawn"] = 0


@kernel
def end_decision(stream: Record, begun: int) -> None:
    """Move a game's agent stream past the words reserved for a decision that began at word `begun`.

    An agent's draws then don't depend on how much others drew before it. Two games of a deal with the same actions so
    far continue alike, whichever agents took them, so agents differ only by their actions. If a decision drew more
    words than are reserved, the stream skips to the next multiple: no word is drawn twice.
    """
    used = int(stream["drawn"]) - begun
    stream["drawn"] = begun + WORDS_A_DECISION * max(1, (used + WORDS_A_DECISION - 1) // WORDS_A_DECISION)


@kernel
def end_decisions(streams: Records, begun: Whole) -> None:
    """`end_decision` for n streams. begun: (n,)."""
    for place in range(len(streams)):
        end_decision(streams[place], begun[place])


@kernel
def draw(stream: Record) -> int:
    """The stream's next 32-bit word."""
    drawn = int(stream["drawn"])
    stream["drawn"] = drawn + 1
    word, _ = philox(drawn & MASK, int(stream["block"]), int(stream["key"]))
    return word


@kernel
def below(stream: Record, bound: int) -> int:
    """A uniform integer in 0 … bound - 1, exactly uniform (Lemire 2019); bound 1 … 2**31."""
    product = draw(stream) * bound
    if (product & MASK) < bound:
        threshold = (MASK + 1 - bound) % bound
        while (product & MASK) < threshold:
            product = draw(stream) * bound
    return product >> 32


@kernel
def uniform(stream: Record) -> float:
    """A uniform number in [0, 1) with 32 random bits."""
    return draw(stream) / 4294967296.0


@kernel
def draw_uniforms(streams: Records, out: Floats) -> None:
    """The next uniform number in [0, 1) of each of n streams. out: (n,)."""
    for place in range(len(out)):
        out[place] = uniform(streams[place])


@kernel
def write_uniforms(seed: int, numbers: Whole, purpose: int, out: Floats) -> None:
    """Uniform numbers in [0, 1) from the streams of n games for one purpose. out: (n, numbers for each)."""
    streams = np.zeros(1, STREAM)
    for place in range(len(numbers)):
        open_stream(streams[0], seed, numbers[place], purpose)
        for nth in range(out.shape[1]):
            out[place, nth] = uniform(streams[0])


@kernel
def shuffle(stream: Record, items: Vector, size: int) -> None:
    """Shuffle the first `size` items uniformly (Fisher and Yates)."""
    for last in range(size - 1, 0, -1):
        other = below(stream, last + 1)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept


@kernel
def renew_streams(game: Record, stream: Record) -> None:
    """Draw a game's seed, number and streams anew: a sampled game would tell what is hidden by the true ones."""
    game["seed"] = draw(stream)
    game["number"] = draw(stream)
    open_stream(game["chance"], draw(stream), draw(stream), CHANCE)
    open_stream(game["agents"], draw(stream), draw(stream), AGENTS)


@kernel
def random_legal_action(mask: Vector, stream: Record) -> int:
    """An action drawn uniformly from those whose mask is 1; at least one must be."""
    legal = 0
    for action in range(len(mask)):
        legal += int(mask[action])
    nth = below(stream, legal)
    for action in range(len(mask)):
        nth -= int(mask[action])
        if nth < 0:
            return action
    return len(mask) - 1


def check_seed(seed: object) -> int:
    """The seed as a plain integer.

    Raises SeedError, which is a ValueError and a TypeError, unless it is an integer from 0 to 2**63 - 1.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise SeedError(f"seed must be an integer from 0 to {MAX_SEED} or None, not {seed!r}")
    if not 0 <= int(seed) <= MAX_SEED:
        raise SeedError(f"seed must be from 0 to {MAX_SEED}, not {seed!r}")
    return int(seed)


def fresh_seed() -> int:
    """A seed from the operating system's randomness."""
    return int(np.random.SeedSequence().generate_state(2, np.uint32).astype(np.int64) @ (1, 2**31)) & MAX_SEED
