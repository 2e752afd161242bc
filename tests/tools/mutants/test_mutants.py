"""The mutation tool itself: what each kind of alteration makes of a rule, the sample, and the named equivalent ones."""

from __future__ import annotations

import ast
import copy
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from operators import KINDS, all_mutants, sample
from places import Mutant, places
from run import named_equivalent
from scope import GAMES, HOME, RIVERBED_HUNT, GameScope, Rule, rules

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)

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
        "turn_down(game, params, seat, space)\ntable['depth'] = 0",
        {"table['depth'] = 0; turn_down(game, params, seat, space)"},
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


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_alters_a_rule_as_its_name_says(kind: str) -> None:
    body, expected = EXAMPLES[kind]
    lines = "".join(f"\n  {line}" for line in body.splitlines())
    tree = ast.parse(f"def rule(game, table, seat, other):{lines}").body[0]
    rule = Rule(RIVERBED_HUNT, "example.py", "rule", tree)
    assert {Mutant(kind, place, new).after for place in places(rule) for new in KINDS[kind](place)} == expected


def functions(game: GameScope) -> set[str]:
    """The names of all functions of a game's rule files."""
    trees = [ast.parse(game.source(file)) for file in game.files]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


@EVERY_GAME
def test_every_function_of_the_rule_files_is_altered(game: GameScope) -> None:
    names = {mutant.function for mutant in all_mutants(game)}
    left_out = game.at_import | set(game.tables.values())
    assert names | left_out >= functions(game)


@EVERY_GAME
def test_every_test_that_is_named_is_there(game: GameScope) -> None:
    assert set(game.tables) | set(game.tables.values()) <= {rule.name for rule in rules(game)}
    for path, _, name in (test.partition("::") for test in game.tests):
        assert (HOME / path).exists()
        assert not name or f"def {name}(" in (HOME / path).read_text(encoding="utf-8")


@EVERY_GAME
def test_every_mutant_differs_has_a_name_of_its_own_and_can_be_compiled(game: GameScope) -> None:
    as_they_are = {rule.name: ast.unparse(rule.tree) for rule in rules(game)}
    mutants = all_mutants(game)
    assert max(Counter(mutant.key for mutant in mutants).values()) == 1
    assert all(mutant.before != mutant.after for mutant in mutants)
    for mutant in sample(mutants, 300, 0):
        stood = mutant.place.put(mutant.new)
        tree = copy.deepcopy(mutant.place.rule.tree)
        compile(ast.fix_missing_locations(ast.Module([tree], [])), mutant.file, "exec")
        mutant.place.put(stood)
    assert all(ast.unparse(mutant.place.rule.tree) == as_they_are[mutant.function] for mutant in mutants)


@EVERY_GAME
@pytest.mark.parametrize("seed", [1, 2])
def test_a_sample_hits_every_rule_and_all_kinds_alike(game: GameScope, seed: int) -> None:
    mutants = all_mutants(game)
    chosen = sample(mutants, 300, seed)
    assert len({mutant.key for mutant in chosen}) == 300
    assert {mutant.place.rule for mutant in chosen} == {mutant.place.rule for mutant in mutants}
    counts = Counter(mutant.kind for mutant in chosen)
    there = Counter(mutant.kind for mutant in mutants)
    assert counts.keys() == there.keys()
    most = max(counts.values())
    assert all(most - counts[kind] <= 2 or counts[kind] == there[kind] for kind in there)  # or there are no more
    assert [mutant.key for mutant in chosen] == [mutant.key for mutant in sample(mutants, 300, seed)]


@EVERY_GAME
def test_every_mutant_named_equivalent_is_one_of_them(game: GameScope) -> None:
    assert not named_equivalent(game) - {mutant.key for mutant in all_mutants(game)}


@pytest.mark.parametrize(("tests", "outcome", "code"), [("rh5_powers", "killed", 0), ("rh4_actions", "survived", 1)])
def test_tests_that_reach_a_rule_catch_its_alterations(tmp_path: Path, tests: str, outcome: str, code: int) -> None:
    out = tmp_path / "mutants.jsonl"
    words = [
        *(
            sys.executable,
            "tests/tools/mutants/run.py",
            "--all",
            "--only",
            "powers.py make_ready:",
            "--kind",
            "deleted",
        ),
        *("--tests", f"tests/riverbed_hunt/rules/test_{tests}.py", "--workers", "1", "--out", str(out)),
    ]
    ended = subprocess.run(words, cwd=HOME, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stdout + ended.stderr
    results = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()[1:]]
    assert [result["outcome"] for result in results] == [outcome] * len(results)
    assert results
