"""`make fuzz`: calls of the public interfaces in any order, of every game, as long as is wanted.

    python tests/tools/fuzz/run.py --minutes 2 --game riverside_v0 --machine aec
    RIVERBED_FUZZ=2000 python tests/tools/fuzz/run.py

The variable is a number of examples of each machine of each game, however long they take, instead of a time. Each
machine of each game plays rounds of examples; a round's examples follow from its seed. Where one fails, the calls that
led there are printed, as few as Hypothesis finds, and the command that plays the same round again.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[1]))

import toy_game  # noqa: F401  # registers its game
from fuzz.machines import MACHINES, fuzz, machine_of


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="for all of it (default 10)")
    parser.add_argument("--game", nargs="+", default=[""], help="only these games")
    parser.add_argument("--machine", nargs="+", choices=MACHINES, default=list(MACHINES), help="only these machines")
    parser.add_argument("--seed", type=int, help="of the first round; the others follow (default: drawn)")
    parser.add_argument("--rounds", type=int, help="so many of each, however long it takes")
    parser.add_argument("--examples", type=int, default=50, help="in a round (default 50)")
    parser.add_argument("--steps", type=int, default=50, help="calls in an example (default 50)")
    chosen = parser.parse_args(words)
    wanted = os.environ.get("RIVERBED_FUZZ", "")
    if wanted and not (wanted.isdecimal() and int(wanted) > 0):
        parser.error(f"RIVERBED_FUZZ must be a number of examples from 1 on, not {wanted!r}")
    if wanted and not chosen.rounds:
        chosen.rounds = -(-int(wanted) // chosen.examples)
    return chosen


def main(words: Sequence[str] | None = None) -> int:
    """Play rounds until the time is over; 1 where something was found."""
    chosen = options(words)
    seed = secrets.randbelow(2**31) if chosen.seed is None else chosen.seed
    print(f"seed {seed}", flush=True)
    tasks = [
        (name, game_id)
        for name in chosen.machine
        for game_id in MACHINES[name].games
        if any(word in game_id for word in chosen.game)
    ]
    found = 0
    for name, game_id in tasks:
        found += play_rounds(name, game_id, seed, chosen, 60 * chosen.minutes / len(tasks))
    return min(found, 1)


def play_rounds(name: str, game_id: str, seed: int, chosen: argparse.Namespace, seconds: float) -> int:
    """Rounds of a machine of a game until its time is over or one fails; how many failed."""
    began, rounds, failed = time.monotonic(), 0, 0
    machine = machine_of(name, game_id)
    while not failed and (rounds < chosen.rounds if chosen.rounds else time.monotonic() - began < seconds):
        try:
            with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
                fuzz(machine, seed + rounds, examples=chosen.examples, steps=chosen.steps)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            failed = 1
            traceback.print_exception(error, file=sys.stdout)
            print(
                f"again: python tests/tools/fuzz/run.py --machine {name} --game {game_id} --seed {seed + rounds}"
                f" --rounds 1 --examples {chosen.examples} --steps {chosen.steps}",
                flush=True,
            )
        rounds += 1
    print(
        f"{name:<10} {game_id:<18} {rounds} rounds, {machine.examples:,} examples, {machine.calls:,} calls,"
        f" {machine.steps:,} decisions, {time.monotonic() - began:.0f} s",
        flush=True,
    )
    return failed


if __name__ == "__main__":
    sys.exit(main())
