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
import json
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from scope import GAMES, HOME, RIVERBED_HUNT, GameScope, digest

if TYPE_CHECKING:  # it imports rules, which must not be compiled
    from places import Mutant

WANTED = 0.95


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default=RIVERBED_HUNT.name, help="(default: %(default)s)")
    parser.add_argument("--number", type=int, default=300, help="size of the sample (default: %(default)s)")
    parser.add_argument("--all", action="store_true", help="every mutant instead of a sample; takes hours")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: %(default)s)")
    parser.add_argument("--only", nargs="+", default=[""], help="only mutants whose name contains one of these words")
    parser.add_argument("--kind", default="", help="only this kind of alteration")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time (default: %(default)s)")
    parser.add_argument("--out", type=Path, help="file of results (default: results/mutants-GAME.jsonl)")
    parser.add_argument("--survivors", action="store_true", help="run again the survivors in the file of results")
    parser.add_argument("--equivalent", action="store_true", help="run the equivalent mutants, which must all survive")
    parser.add_argument("--tests", nargs="+", help="other tests, as pytest takes them")
    parser.add_argument("--list", action="store_true", help="list the mutants and run nothing")
    chosen = parser.parse_args(words)
    chosen.out = chosen.out or HOME / "results" / f"mutants-{chosen.game}.jsonl"
    return chosen


def named_equivalent(game: GameScope) -> set[str]:
    """The keys of the mutants that are listed as equivalent."""
    entries = tomllib.loads(game.equivalent.read_text(encoding="utf-8")).get("mutant", [])
    for entry in entries:
        entry["which"] = f" ({entry['nth']})" if "nth" in entry else ""
        entry["all"] = [entry["after"]] if isinstance(entry["after"], str) else entry["after"]
    return {
        f"{entry['file']} {entry['function']}{entry['which']}: {entry['before']} -> {after}"
        for entry in entries
        for after in entry["all"]
    }


def kept_results(path: Path, digest: str, *, any_digest: bool = False) -> dict[str, dict[str, object]]:
    """Results of an earlier run with the same sources and tests, by key."""
    if not path.exists():
        return {}
    first, *lines = path.read_text(encoding="utf-8").splitlines() or ["{}"]
    if json.loads(first).get("digest") != digest and not any_digest:
        return {}
    return {entry["key"]: entry for entry in map(json.loads, lines)}


def table(results: Iterable[dict[str, object]], by: str) -> str:
    """Counts of killed, timed out and survived, by file or kind."""
    rows: dict[str, Counter[str]] = {}
    for entry in results:
        rows.setdefault(str(entry[by]), Counter())[str(entry["outcome"])] += 1
    lines = [f"{by:<26}{'killed':>8}{'timeout':>9}{'survived':>10}{'caught':>9}"]
    total = sum(rows.values(), Counter[str]())
    for name, counts in [*sorted(rows.items()), ("all", total)]:
        lines.append(
            f"{name:<26}{counts['killed']:>8}{counts['timeout']:>9}{counts['survived']:>10}{share(counts):>9.1%}"
        )
    return "\n".join(lines)


def share(counts: Counter[str]) -> float:
    """The caught share."""
    return (counts["killed"] + counts["timeout"]) / max(1, counts.total())


def chosen_mutants(chosen: argparse.Namespace, game: GameScope, kept: dict[str, dict[str, object]]) -> list[Mutant]:
    """The mutants that the command line asks for."""
    from operators import all_mutants, sample

    equivalent = named_equivalent(game)
    mutants = [
        mutant
        for mutant in all_mutants(game)
        if (mutant.key in equivalent) == chosen.equivalent
        and any(words in mutant.key for words in chosen.only)
        and chosen.kind in mutant.kind
    ]
    if chosen.survivors:
        return [mutant for mutant in mutants if kept.get(mutant.key, {}).get("outcome") == "survived"]
    return mutants if chosen.all or chosen.equivalent else sample(mutants, chosen.number, chosen.seed)


def main() -> int:
    """Choose mutants, run the tests on each, and print the outcome."""
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    os.chdir(HOME)
    chosen = options()
    game, current = GAMES[chosen.game], digest(GAMES[chosen.game])
    kept = kept_results(chosen.out, current, any_digest=chosen.survivors)
    wanted = chosen_mutants(chosen, game, kept)
    if chosen.list:
        print("\n".join(f"{mutant.kind:<26}{mutant.key}" for mutant in wanted))
        return 0
    results = {} if chosen.survivors else {mutant.key: kept[mutant.key] for mutant in wanted if mutant.key in kept}
    print(f"{len(wanted)} mutants, {len(results)} of them with results; collecting the tests", flush=True)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    with chosen.out.open("w", encoding="utf-8") as file:
        print(json.dumps({"digest": current}), file=file, flush=True)
        for entry in (kept if chosen.survivors else results).values():
            print(json.dumps(entry), file=file, flush=True)
        code, failing = try_all(chosen, game, [mutant for mutant in wanted if mutant.key not in results], results, file)
    return code or verdict_of(results, failing, chosen.equivalent)


def try_all(
    chosen: argparse.Namespace,
    game: GameScope,
    mutants: Sequence[Mutant],
    results: dict[str, dict[str, object]],
    file: TextIO,
) -> tuple[int, list[str]]:
    """Run the tests on the mutants; 2 if pytest fails otherwise, and the tests that fail on the unaltered rules."""
    import pytest
    from conduct import Conductor, Verdict

    def note(verdict: Verdict) -> None:
        mutant = verdict.mutant
        told = {"key": mutant.key, "file": mutant.file, "kind": mutant.kind, "line": mutant.line}
        came = {"outcome": verdict.outcome, "by": verdict.by, "tests": verdict.tests}
        results[mutant.key] = {**told, **came, "seconds": round(verdict.seconds, 2)}
        print(json.dumps(results[mutant.key]), file=file, flush=True)
        if verdict.outcome == "survived":
            print(f"survived ({verdict.tests} tests): {mutant.kind}, {mutant.file}:{mutant.line}\n  {mutant.key}")

    conductor = Conductor(game, mutants, chosen.workers, note)
    own = f"not ({' or '.join(game.others)})"
    tests = [*(chosen.tests or game.tests), "-m", "not slow and not compiled", "-k", own]
    quiet = ["-qq", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-p", "no:xdist"]
    code = pytest.main([*tests, *quiet], plugins=[conductor])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        print(f"pytest ended with {code!r}")
        return 2, []
    return 0, conductor.failing


def verdict_of(results: dict[str, dict[str, object]], failing: Sequence[str], equivalent: bool) -> int:
    """Print the tables; the exit code."""
    from conduct import RECORDED

    print(f"\n{table(results.values(), 'file')}\n\n{table(results.values(), 'kind')}")
    for name in failing:
        print(f"fails on the unaltered rules and was left out: {name}")
    counts = Counter(str(entry["outcome"]) for entry in results.values())
    if equivalent:
        for key in (key for key, entry in results.items() if entry["outcome"] != "survived"):
            print(f"listed as equivalent, but caught: {key}")
        return int(counts["killed"] + counts["timeout"] > 0)
    recorded = sum(1 for entry in results.values() if str(entry["by"]).startswith(RECORDED))
    print(f"\n{share(counts):.1%} caught, {WANTED:.0%} wanted; {recorded} of them by recorded games alone")
    return int(bool(failing) or share(counts) < WANTED)


if __name__ == "__main__":
    sys.exit(main())
