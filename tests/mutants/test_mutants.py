"""The mutation tool itself: what each kind of alteration makes of a rule, the sample, and the named equivalent ones."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from choose import all_mutants, sample
from operators import KINDS
from places import Mutant, places
from run import HOME, named_equivalent
from scope import AT_IMPORT, FILES, FOLDER, TABLES, Rule, rules

EXAMPLES = {
    "comparison altered": ("if a <= b:\n  c()", {"if a < b:"}),
    "condition negated": ("if a and not b:\n  c()", {"if not (a and (not b)):", "if a and b:"}),
    "and/or exchanged": ("x[0] = a or b", {"x[0] = a and b"}),
    "condition forgotten": ("if a and b and c:\n  d()", {"if b and c:", "if a and c:", "if a and b:"}),
    "constant off by one": ("x[0] = 3", {"x[1] = 3", "x[0] = 4", "x[0] = 2"}),
    "another word": ("x['used'] = Question.TURN", {"x['used'] = Question.ANSWER", "x['discard_pile'] = Question.TURN"}),
    "arithmetic exchanged": ("x[n] += a - b", {"x[n] -= a - b", "x[n] += a + b"}),
    "subtraction forgotten": (
        "f(a - b, min(9, c), -d)",
        {"f(a, min(9, c), -d)", "f(a - b, c, -d)", "f(a - b, min(9, c), d)"},
    ),
    "bit operation exchanged": ("f(a & ~b)", {"f(a | ~b)", "f(a & b)"}),
    "bits forgotten": ("f(a | b)", {"f(a)", "f(b)"}),
    "statement deleted": ("kept = 1\nx[0] = kept", {"pass"}),
    "order of effects": (
        "turn_down(game, setting, seat, space)\ntable['depth'] = 0",
        {"table['depth'] = 0; turn_down(game, setting, seat, space)"},
    ),
    "early return removed": ("if a:\n  return 1\nreturn 2", {"pass"}),
    "loop shortened": ("for i in range(n):\n  f(i)", {"for i in range(1, n):", "for i in range(0, n - 1):"}),
    "wrong seat": (
        "f(seat, other, frame['carrier'])",
        {
            "f(other, other, frame['carrier'])",
            "f(seat, seat, frame['carrier'])",
            "f(seat, other, frame['seat'])",
            "f(other, seat, frame['carrier'])",
        },
    ),
    "mask too wide": ("return Refusal.EXHAUSTED", {"return Refusal.OK"}),
    "mask too narrow": ("mask[3] = a", {"mask[3] = 0"}),
    "shown to the wrong seat": (
        "view['private'] = game['private'][seat]",
        {
            "view['private'] = game['private'][9]",
            "view['private'] = game['private'][(seat + 1) % int(table['num_players'])]",
        },
    ),
}


def altered(kind: str, body: str) -> set[str]:
    """What a kind of alteration makes of a rule with such a body."""
    lines = "".join(f"\n  {line}" for line in body.splitlines())
    tree = ast.parse(f"def rule(game, table, seat, other):{lines}").body[0]
    rule = Rule("example.py", "rule", tree)
    return {Mutant(kind, place, new).after for place in places(rule) for new in KINDS[kind](place)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_alters_a_rule_as_its_name_says(kind: str) -> None:
    body, expected = EXAMPLES[kind]
    assert altered(kind, body) == expected


def test_statements_that_touch_nothing_in_common_arent_exchanged() -> None:
    assert altered("order of effects", "table['stage'] = 1\ntable['active'] = seat") == set()
    assert altered("order of effects", "kept = table['depth']\ntable['asked'] = kept") == set()


def test_every_function_of_the_rule_files_is_altered() -> None:
    names = {(mutant.file, mutant.function) for mutant in all_mutants()}
    for file in FILES:
        for node in ast.parse((FOLDER / file).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name not in AT_IMPORT | set(TABLES.values()):
                assert (file, node.name) in names


def test_no_rule_file_is_left_out() -> None:
    there = {path.relative_to(FOLDER).as_posix() for path in (FOLDER / "rules").glob("*.py")}
    assert there - {"rules/__init__.py"} == {file for file in FILES if file.startswith("rules/")}


def test_every_mutant_differs_has_a_name_of_its_own_and_can_be_compiled() -> None:
    mutants = all_mutants()
    assert max(Counter(mutant.key for mutant in mutants).values()) == 1
    assert all(mutant.before != mutant.after for mutant in mutants)
    for mutant in sample(mutants, 300, 0):
        stood = mutant.place.put(mutant.new)
        compile(ast.unparse(mutant.place.rule.tree), mutant.file, "exec")
        mutant.place.put(stood)
    assert {rule.name: ast.unparse(rule.tree) for rule in rules()} == {
        mutant.function: ast.unparse(mutant.place.rule.tree) for mutant in mutants
    }  # what was altered is as it was


@pytest.mark.parametrize("seed", [1, 2])
def test_a_sample_hits_every_rule_and_all_kinds_alike(seed: int) -> None:
    mutants = all_mutants()
    chosen = sample(mutants, 300, seed)
    assert len({mutant.key for mutant in chosen}) == 300
    assert {mutant.place.rule for mutant in chosen} == {mutant.place.rule for mutant in mutants}
    counts = Counter(mutant.kind for mutant in chosen)
    assert counts.keys() == KINDS.keys()
    assert max(counts.values()) - min(counts.values()) <= 2
    assert [mutant.key for mutant in chosen] == [mutant.key for mutant in sample(mutants, 300, seed)]


def test_every_mutant_named_equivalent_is_one_of_them() -> None:
    assert not named_equivalent().keys() - {mutant.key for mutant in all_mutants()}


@pytest.mark.slow
@pytest.mark.parametrize(("tests", "outcome", "code"), [("rh5_powers", "killed", 0), ("rh1_setup", "survived", 1)])
def test_tests_that_reach_a_rule_catch_its_alterations(tmp_path: Path, tests: str, outcome: str, code: int) -> None:
    out = tmp_path / "mutants.jsonl"
    words = [
        *(sys.executable, "tests/mutants/run.py", "--all", "--only", "powers.py make_ready:", "--kind", "deleted"),
        *("--tests", f"tests/riverbed_hunt/rules/test_{tests}.py", "--workers", "1", "--out", str(out)),
    ]
    ended = subprocess.run(words, cwd=HOME, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stdout + ended.stderr
    results = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()[1:]]
    assert [result["outcome"] for result in results] == [outcome] * len(results)
    assert results
