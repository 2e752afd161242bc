"""Tries faults on the command line: kills, signals, full and read-only disks, two runs at once, and more.

    python tests/tools/faults/run.py --only kill,stop --commands train --times 3

Without options it tries everything on every command, which takes hours. Each trial is a line; the exit code is 1 if
one went wrong. Trials that need a disk of their own need root: without it they count as failures unless --only leaves
them out.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[depth]) for depth in (1, 2)]

from faults.injuries import INJURIES, NEEDS_ROOT, Bench, Trial, went_wrong  # noqa: E402
from faults.outcome import outcome  # noqa: E402
from faults.tried import COMMANDS, begin  # noqa: E402


def main() -> None:
    """Try what was asked for and tell it line by line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(INJURIES), help=f"of {', '.join(INJURIES)}")
    parser.add_argument("--commands", default=",".join(COMMANDS), help=f"of {', '.join(COMMANDS)}")
    parser.add_argument("--times", type=int, default=12, help="how often what is done at random moments is done")
    parser.add_argument("--seed", type=int, default=None, help="of the moments; a new one each time")
    words = parser.parse_args()
    seed = random.randrange(10**6) if words.seed is None else words.seed
    only, commands = words.only.split(","), words.commands.split(",")
    if unknown := [*(set(only) - set(INJURIES)), *(set(commands) - set(COMMANDS))]:
        parser.error(f"there is no {', '.join(unknown)}")
    say(f"seed {seed}")
    tried = failed = 0
    with tempfile.TemporaryDirectory(prefix="riverbed-faults-") as place:
        for trial in trials(Path(place), only, commands, words.times, seed):
            tried, failed = tried + 1, failed + bool(trial.complaints)
            say(f"{'WRONG' if trial.complaints else 'fine '} {trial.command:<10} {trial.done}")
            for complaint in trial.complaints:
                say(f"      {complaint}")
    say(f"{tried} trials, {failed} wrong (seed {seed})")
    sys.exit(1 if failed else 0)


def trials(place: Path, only: list[str], commands: list[str], times: int, seed: int) -> Iterator[Trial]:
    """All that is asked for, one command after the other; all whole runs first, which others are tried beside."""
    root = os.name == "posix" and os.geteuid() == 0
    benches = []
    for name in commands:
        folder, begun = place / name / "whole", time.monotonic()
        ended = begin(COMMANDS[name], folder, place / name / "log").wait(1800.0)
        yield Trial(name, f"a whole run: {ended.seconds:.0f} s", went_wrong(ended))
        again = begin(COMMANDS[name], place / name / "timed", place / name / "log").wait(1800.0)
        whole, same = outcome(folder), outcome(place / name / "timed")
        differ = [f"{each} differs between two runs" for each in whole if whole[each] != same.get(each)]
        yield Trial(name, f"the same again: {again.seconds:.0f} s", [*went_wrong(again), *differ])
        seconds = min(time.monotonic() - begun, again.seconds)
        benches.append(Bench(COMMANDS[name], place / name, whole, seconds, random.Random(f"{seed}{name}"), times, root))
    for bench in benches:
        for name in only:
            if name in NEEDS_ROOT and not root:
                yield Trial(bench.tried.name, name, ["it needs root"])
            else:
                yield from INJURIES[name](bench)


def say(line: str) -> None:
    """A line, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
