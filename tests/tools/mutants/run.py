"""`make mutants`: alters a game's rules one at a time and sees whether the fast tests catch it, without compiling.

A rule is altered in the memory of a forked process (conduct.py), never in a file. A run counts the caught mutants by
file and kind, lists the survivors, and fails below 95 %. Mutants that behave exactly as the rule does are listed, with
reasons, in `equivalent`. scope.py says which rules are altered and which tests are run.

Why not mutmut (3.8.1) or cosmic-ray (8.7.0): mutmut skips decorated functions, and all our rules are decorated.
cosmic-ray rewrites files, so each worker needs a clone, and it starts Python and pytest for each mutant (2.3 s instead
of 0.1 s). Neither has the kinds wanted here: order of effects, wrong seats, masks, visibility, deleted statements.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scope import GAMES, HOME, RIVERBED_HUNT, GameScope

if TYPE_CHECKING:  # they import rules, which must not be compiled
    from conduct import Verdict
    from places import Mutant

WANTED = 0.95


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default=RIVERBED_HUNT.name, help="(default: %(default)s)")
    parser.add_argument("--number", type=int, default=300, help="size of the sample (default: %(default)s)")
    parser.add_argument("--all", action="store_true", help="every mutant instead of a sample; takes hours")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: %(default)s)")
    parser.add_argument(
        "--only", nargs="+", default=[], help="only mutants whose kind and name contain all these words"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes at a time (default: %(default)s)")
    parser.add_argument("--equivalent", action="store_true", help="run the equivalent mutants, which must all survive")
    parser.add_argument("--tests", nargs="+", help="other tests, as pytest takes them, such as those of the rules")
    parser.add_argument("--list", action="store_true", help="list the mutants and run nothing")
    return parser.parse_args(words)


def named_equivalent(game: GameScope) -> set[str]:
    """The keys of the mutants that are listed as equivalent."""
    keys = set()
    for entry in tomllib.loads(game.equivalent.read_text(encoding="utf-8"))["mutant"]:
        which = f" ({entry['nth']})" if "nth" in entry else ""
        for after in [entry["after"]] if isinstance(entry["after"], str) else entry["after"]:
            keys.add(f"{entry['file']} {entry['function']}{which}: {entry['before']} -> {after}")
    return keys


def table(verdicts: Iterable[Verdict], by: str) -> str:
    """Counts of killed, timed out and survived, by file or kind."""
    rows: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        rows.setdefault(getattr(verdict.mutant, by), Counter())[verdict.outcome] += 1
    lines = [f"{by:<26}{'killed':>8}{'timeout':>9}{'survived':>10}{'caught':>9}"]
    for name, n in [*sorted(rows.items()), ("all", sum(rows.values(), Counter[str]()))]:
        lines.append(f"{name:<26}{n['killed']:>8}{n['timeout']:>9}{n['survived']:>10}{caught(n):>9.1%}")
    return "\n".join(lines)


def caught(counts: Counter[str]) -> float:
    """The caught share."""
    return (counts["killed"] + counts["timeout"]) / max(1, counts.total())


def chosen_mutants(chosen: argparse.Namespace, game: GameScope) -> list[Mutant]:
    """The mutants that the command line asks for."""
    from operators import all_mutants, sample

    equivalent = named_equivalent(game)
    mutants = [
        mutant
        for mutant in all_mutants(game)
        if (mutant.key in equivalent) == chosen.equivalent
        and all(words in f"{mutant.kind} {mutant.key}" for words in chosen.only)
    ]
    return mutants if chosen.all or chosen.equivalent else sample(mutants, chosen.number, chosen.seed)


def main() -> int:
    """Choose mutants, run the tests on each, and print the outcome."""
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    os.chdir(HOME)
    chosen = options()
    game = GAMES[chosen.game]
    mutants = chosen_mutants(chosen, game)
    if chosen.list:
        print("\n".join(f"{mutant.kind:<26}{mutant.key}" for mutant in mutants))
        return 0
    print(f"{len(mutants)} mutants; collecting the tests", flush=True)
    return try_all(chosen, game, mutants)


def try_all(chosen: argparse.Namespace, game: GameScope, mutants: Sequence[Mutant]) -> int:
    """Run the tests on the mutants and print the outcome; the exit code, 2 if pytest fails otherwise."""
    import pytest
    from conduct import Conductor

    verdicts: list[Verdict] = []

    def note(verdict: Verdict) -> None:
        verdicts.append(verdict)
        mutant = verdict.mutant
        if verdict.outcome == "survived":
            where = f"{mutant.kind}, {mutant.file}:{mutant.line}"
            print(f"survived ({verdict.tests} tests): {where}\n  {mutant.key}", flush=True)

    conductor = Conductor(game, mutants, chosen.workers, note)
    wanted = ["-m", "not slow and not compiled", "-k", f"not ({' or '.join(game.others)})"]
    quiet = ["-qq", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-p", "no:xdist"]
    code = pytest.main([*(chosen.tests or game.tests), *wanted, *quiet], plugins=[conductor])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        print(f"pytest ended with {code!r}")
        return 2
    return summed_up(verdicts, conductor.failing, chosen.equivalent)


def summed_up(verdicts: Sequence[Verdict], failing: Sequence[str], equivalent: bool) -> int:
    """Print the tables; the exit code."""
    print(f"\n{table(verdicts, 'file')}\n\n{table(verdicts, 'kind')}")
    for name in failing:
        print(f"fails on the unaltered rules and was left out: {name}")
    if equivalent:
        wrong = [verdict.mutant.key for verdict in verdicts if verdict.outcome != "survived"]
        print("\n".join(f"listed as equivalent, but caught: {key}" for key in wrong))
        return int(bool(wrong))
    share = caught(Counter(verdict.outcome for verdict in verdicts))
    print(f"\n{share:.1%} caught, {WANTED:.0%} wanted")
    return int(bool(failing) or share < WANTED)


if __name__ == "__main__":
    sys.exit(main())
