"""`make mutants`: alters a game's rules one at a time and sees whether the fast tests catch it, uncompiled.

A rule is altered in the memory of a process of its own (conduct.py), never in a file. Each run says how many were
caught, by file and kind, and lists those that survived; it fails below 95 %. Mutants that can't be told from the rule
are named in `equivalent`, a file a game, with the reason.

Why a tool of our own. mutmut (3.8.1) skips decorated functions, which all our rules are. cosmic-ray (8.7.0) alters
them, and takes operators of one's own by an entry point, but: it rewrites the files of the tree it runs in, so that
every worker needs a clone; its one fixed test command can't choose the tests by the altered rule; each mutant starts
Python, NumPy, Numba and pytest anew (2.3 s a mutant with one chapter's tests alone, where a mutant takes 0.1 s here).
Of the kinds wanted it has five (comparisons, and/or, not, numbers, operators), and many of what those yield can't be
told from the rule (`is` for `==`, the decorator removed). Order of effects, wrong seats, masks, sight, forgotten terms
and deleted statements would have been ours anyway, as would the sample, the equivalent ones and the report: its part
would have been a loop and a table of results.

Which rules and tests are a game's, and what is left out and why, is said in game_scopes.py.
"""

import argparse
import json
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from game_scopes import GAMES, HOME, RIVERBED_HUNT, GameScope

WANTED = 0.95


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default=RIVERBED_HUNT.name, help="whose rules (default riverbed_hunt)")
    parser.add_argument("--number", type=int, default=300, help="how many mutants are chosen (default 300)")
    parser.add_argument("--all", action="store_true", help="every mutant (some hours)")
    parser.add_argument("--seed", type=int, default=1, help="which are chosen")
    parser.add_argument("--only", nargs="+", default=[""], help="only mutants whose name contains one of these words")
    parser.add_argument("--kind", default="", help="only this kind of alteration")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    parser.add_argument("--out", type=Path, help="where results are kept (default results/mutants-GAME.jsonl)")
    parser.add_argument("--survivors", action="store_true", help="only those that survived in the kept results")
    parser.add_argument("--equivalent", action="store_true", help="those named equivalent instead: all must survive")
    parser.add_argument("--tests", nargs="+", help="which tests, as pytest takes them")
    parser.add_argument("--list", action="store_true", help="list the chosen ones and run nothing")
    chosen = parser.parse_args(words)
    chosen.out = chosen.out or HOME / "results" / f"mutants-{chosen.game}.jsonl"
    return chosen


def named_equivalent(game: GameScope) -> dict[str, str]:
    """Key -> reason of the mutants named equivalent."""
    entries = tomllib.loads(game.equivalent.read_text(encoding="utf-8")).get("mutant", [])
    return {
        f"{entry['file']} {entry['function']}{which(entry)}: {entry['before']} -> {after}": entry["reason"]
        for entry in entries
        for after in ([entry["after"]] if isinstance(entry["after"], str) else entry["after"])
    }


def which(entry: dict[str, object]) -> str:
    """Which of several passages that read the same."""
    return f" ({entry['nth']})" if "nth" in entry else ""


def kept_results(path: Path, digest: str, *, any_digest: bool = False) -> dict[str, dict[str, object]]:
    """Results of an earlier run on the same library and tests, by key."""
    if not path.exists():
        return {}
    first, *lines = path.read_text(encoding="utf-8").splitlines() or ["{}"]
    if json.loads(first).get("digest") != digest and not any_digest:
        return {}
    return {entry["key"]: entry for entry in map(json.loads, lines)}


def table(results: Iterable[dict[str, object]], by: str) -> str:
    """Killed, timed out and survived, by file or kind."""
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


def main() -> int:
    """Choose mutants, run the tests on each, and say what became of them."""
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    os.chdir(HOME)
    import pytest
    from choose import all_mutants, sample
    from conduct import Conductor, Verdict
    from scope import digest

    chosen_by = options()
    game = GAMES[chosen_by.game]
    equivalent = named_equivalent(game)
    mutants = all_mutants(game)
    wanted = [m for m in mutants if (m.key in equivalent) == chosen_by.equivalent]
    wanted = [m for m in wanted if any(words in m.key for words in chosen_by.only) and chosen_by.kind in m.kind]
    current = digest(game)
    kept = kept_results(chosen_by.out, current, any_digest=chosen_by.survivors)
    if chosen_by.survivors:
        wanted = [m for m in wanted if m.key in kept and kept[m.key]["outcome"] == "survived"]
    elif not chosen_by.all and not chosen_by.equivalent:
        wanted = sample(wanted, chosen_by.number, chosen_by.seed)
    if chosen_by.list:
        print("\n".join(f"{m.kind:<26}{m.key}" for m in wanted))
        return 0

    results = {m.key: kept[m.key] for m in wanted if m.key in kept and not chosen_by.survivors}
    left = [m for m in wanted if m.key not in results]
    print(f"{len(wanted)} of {len(mutants)} mutants, {len(results)} of them known; gathering the tests", flush=True)
    chosen_by.out.parent.mkdir(parents=True, exist_ok=True)
    with chosen_by.out.open("w", encoding="utf-8") as file:
        print(json.dumps({"digest": current}), file=file, flush=True)
        for entry in (kept if chosen_by.survivors else results).values():
            print(json.dumps(entry), file=file, flush=True)

        def tell(verdict: Verdict) -> None:
            mutant = verdict.mutant
            entry = {
                "key": mutant.key,
                "file": mutant.file,
                "kind": mutant.kind,
                "line": mutant.line,
                "outcome": verdict.outcome,
                "by": verdict.by,
                "tests": verdict.tests,
                "seconds": round(verdict.seconds, 2),
            }
            results[mutant.key] = entry
            print(json.dumps(entry), file=file, flush=True)
            survived = sum(1 for result in results.values() if result["outcome"] == "survived")
            if sys.stdout.isatty():
                print(f"\r{len(results)}/{len(wanted)}, {survived} survived ", end="", flush=True)
            if verdict.outcome == "survived":
                print(f"\nsurvived ({verdict.tests} tests): {mutant.kind}, {mutant.file}:{mutant.line}\n  {mutant.key}")

        conductor = Conductor(game, left, chosen_by.workers, tell)
        own = f"not ({' or '.join(game.others)})"
        words = [*(chosen_by.tests or game.tests), "-m", "not slow and not compiled", "-k", own]
        quiet = ["-qq", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-p", "no:xdist"]
        code = pytest.main([*words, *quiet], plugins=[conductor])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        print(f"pytest ended with {code!r}")
        return 2
    return verdict_of(results, conductor.failing, chosen_by.equivalent)


def verdict_of(results: dict[str, dict[str, object]], failing: Sequence[str], equivalent: bool) -> int:
    """Print the tables; the exit code."""
    from conduct import RECORDED

    print(f"\n{table(results.values(), 'file')}\n\n{table(results.values(), 'kind')}")
    for name in failing:
        print(f"fails on the rules as they are, and was left out: {name}")
    counts = Counter(str(entry["outcome"]) for entry in results.values())
    if equivalent:
        for key in (key for key, entry in results.items() if entry["outcome"] != "survived"):
            print(f"named equivalent, yet caught: {key}")
        return int(counts["killed"] + counts["timeout"] > 0)
    recorded = sum(1 for entry in results.values() if str(entry["by"]).startswith(RECORDED))
    print(f"\n{share(counts):.1%} caught, {WANTED:.0%} wanted; {recorded} of them by recorded games alone")
    return int(bool(failing) or share(counts) < WANTED)


if __name__ == "__main__":
    sys.exit(main())
