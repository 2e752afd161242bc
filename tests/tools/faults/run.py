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
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.commands import COMMANDS, outcome
from faults.injuries import INJURIES, NEEDS_ROOT, Bench, Trial, went_wrong


def main() -> None:
    """Try what was asked for, and print it line by line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(INJURIES), help="which faults (default: %(default)s)")
    parser.add_argument("--commands", default=",".join(COMMANDS), help="which commands (default: %(default)s)")
    parser.add_argument("--times", type=int, default=12, help="repetitions at random moments (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the moments (default: drawn)")
    words = parser.parse_args()
    only, commands = words.only.split(","), words.commands.split(",")
    if unknown := [*(set(only) - set(INJURIES)), *(set(commands) - set(COMMANDS))]:
        parser.error(f"there is no {', '.join(unknown)}")
    tried = failed = 0
    with tempfile.TemporaryDirectory(prefix="riverbed-faults-") as place:
        for trial in trials(Path(place), only, commands, words.times, words.seed):
            tried, failed = tried + 1, failed + bool(trial.complaints)
            print(f"{'WRONG' if trial.complaints else 'fine '} {trial.command:<10} {trial.done}", flush=True)
            for complaint in trial.complaints:
                print(f"      {complaint}", flush=True)
    print(f"{tried} trials, {failed} wrong (seed {words.seed})")
    sys.exit(1 if failed else 0)


def trials(place: Path, only: list[str], commands: list[str], times: int, seed: int) -> Iterator[Trial]:
    """The trials of one command after the other; first two whole runs of each, for comparison."""
    benches = []
    for name in commands:
        log, folder, seconds = place / name / "log", place / name / "whole", []
        for run in ("whole", "timed"):
            ended = COMMANDS[name].begin(place / name / run, log).wait(1800.0)
            seconds.append(ended.seconds)
            left, again = outcome(folder), outcome(place / name / run)
            differ = [f"{each} differs between two runs" for each in left if left[each] != again.get(each)]
            yield Trial(name, f"a whole run: {ended.seconds:.0f} s", [*went_wrong(ended), *differ])
        chance = random.Random(f"{seed}{name}")
        benches.append(Bench(COMMANDS[name], place / name, outcome(folder), min(seconds), chance, times))
    for bench in benches:
        for name in only:
            if name in NEEDS_ROOT and os.geteuid() != 0:
                yield bench.trial(name, "it needs root")
            else:
                yield from INJURIES[name](bench)


if __name__ == "__main__":
    main()
