"""The scopes and samples of the mutants, the lists of equivalent ones, and that a mutant is caught or survives."""

import ast
import subprocess
import sys
from collections import Counter

import pytest
from operators import KINDS, all_mutants, sample
from run import named_equivalent
from scope import GAMES, HOME, RIVERBED_HUNT, GameScope, rules

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def test_every_kind_alters_some_rule_of_the_hunt() -> None:
    assert {mutant.kind for mutant in all_mutants(RIVERBED_HUNT)} == KINDS.keys()


def functions(game: GameScope) -> set[str]:
    """The names of all functions of a game's rule files."""
    trees = [ast.parse(game.source(file)) for file in game.files]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


@EVERY_GAME
def test_every_function_of_the_rule_files_is_altered(game: GameScope) -> None:
    names = {mutant.function for mutant in all_mutants(game)}
    left_out = game.left_out | set(game.tables.values()) | {"current_seat"}  # which reads one field
    assert names | left_out >= functions(game)


@EVERY_GAME
def test_every_test_that_is_named_is_there(game: GameScope) -> None:
    assert set(game.tables) | set(game.tables.values()) <= {rule.name for rule in rules(game)}
    for path, _, name in (test.partition("::") for test in game.tests):
        assert (HOME / path).exists()
        assert not name or f"def {name.partition('[')[0]}(" in (HOME / path).read_text(encoding="utf-8")


@EVERY_GAME
def test_every_mutant_has_a_name_of_its_own(game: GameScope) -> None:
    assert max(Counter(mutant.key for mutant in all_mutants(game)).values()) == 1


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


@pytest.mark.parametrize(("tests", "share"), [("rh5_powers", "100.0%"), ("rh4_actions", "0.0%")])
def test_tests_that_reach_a_rule_catch_its_alterations(tests: str, share: str) -> None:
    words = (
        *(sys.executable, "tests/tools/mutants/run.py", "--all", "--workers", "1"),
        *("--only", "statement deleted", "acts.py make_ready:"),
        *("--tests", f"tests/riverbed_hunt/rules/test_{tests}.py"),
    )
    ended = subprocess.run(words, cwd=HOME, capture_output=True, text=True, check=False)
    assert ended.returncode == (share == "0.0%"), ended.stdout + ended.stderr
    assert f"\n{share} caught, 95% wanted" in ended.stdout
    assert ended.stdout[0] != "0"  # mutants
