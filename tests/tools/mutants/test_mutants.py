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
from choose import all_mutants, sample
from game_scopes import DEEP_RIVER, GAMES, HOME, RIVER_RATS, RIVERBED_HUNT, RIVERSIDE, GameScope
from operators import KINDS
from places import Mutant, places
from run import named_equivalent, options
from scope import Rule, digest, rules

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


def altered(
    kind: str, body: str, game: GameScope = RIVERBED_HUNT, parameters: str = "game, table, seat, other"
) -> set[str]:
    """What a kind of alteration makes of a rule with such a body."""
    lines = "".join(f"\n  {line}" for line in body.splitlines())
    tree = ast.parse(f"def rule({parameters}):{lines}").body[0]
    rule = Rule(game, "example.py", "rule", tree)
    return {Mutant(kind, place, new).after for place in places(rule) for new in KINDS[kind](place)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_alters_a_rule_as_its_name_says(kind: str) -> None:
    body, expected = EXAMPLES[kind]
    assert altered(kind, body) == expected


# The words of the other games that a kind has to know: game, kind, parameters, body, what becomes of it.
OTHER_WORDS = {
    "a field like the one meant": (
        RIVER_RATS,
        "another word",
        "table",
        "x = table['market'] & Suit.CLUBS",
        {"x = table['discard'] & Suit.CLUBS", "x = table['market'] & Suit.DIAMONDS"},
    ),
    "the seat that placed a card": (
        RIVER_RATS,
        "wrong seat",
        "game, placer",
        "f(placer)",
        {"f((placer + 1) % int(game['table']['num_players']))"},
    ),
    "the rival": (DEEP_RIVER, "wrong seat", "table, seat", "f(seat)", {"f(1 - seat)"}),
    "the side that began": (DEEP_RIVER, "wrong seat", "table", "f(table['active'])", {"f(table['first'])"}),
    "places to choose from": (
        DEEP_RIVER,
        "mask too wide",
        "table, places",
        "ask(table, Question.FISH, places, 0)",
        {"ask(table, Question.FISH, 1023, 0)"},
    ),
    "tokens to choose from": (
        DEEP_RIVER,
        "mask too narrow",
        "table, tokens",
        "ask(table, Question.TOKEN, 0, tokens)",
        {"ask(table, Question.TOKEN, 0, tokens & tokens - 1)"},
    ),
    "sheets before the phase is over": (
        RIVERSIDE,
        "shown to the wrong seat",
        "game",
        "view['sheets'] = game['sheets']",
        {"view['sheets'] = game['private']['sheet']"},
    ),
    "nothing is public's own": (
        RIVERSIDE,
        "shown to the wrong seat",
        "game, seat",
        "own = game['private'][seat]",
        {"own = game['private'][(seat + 1) % int(game['table']['num_players'])]"},
    ),
}


@pytest.mark.parametrize("words", OTHER_WORDS)
def test_a_kind_knows_the_words_of_each_game(words: str) -> None:
    game, kind, parameters, body, expected = OTHER_WORDS[words]
    assert altered(kind, body, game, parameters) == expected


def test_statements_that_touch_nothing_in_common_arent_exchanged() -> None:
    assert altered("order of effects", "table['stage'] = 1\ntable['active'] = seat") == set()
    assert altered("order of effects", "kept = table['depth']\ntable['asked'] = kept") == set()


def functions(game: GameScope) -> set[str]:
    """The names of all functions of a game's rule files."""
    trees = [ast.parse((game.folder / file).read_text(encoding="utf-8")) for file in game.files]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


@EVERY_GAME
def test_every_function_of_the_rule_files_is_altered(game: GameScope) -> None:
    names = {mutant.function for mutant in all_mutants(game)}
    left_out = game.at_import | set(game.tables.values())
    assert names | left_out >= functions(game)


@EVERY_GAME
def test_no_rule_file_is_left_out(game: GameScope) -> None:
    there = {path.relative_to(game.folder).as_posix() for path in (game.folder / "rules").glob("*.py")}
    tables = {
        f"rules/{name}.py" for name in ("__init__", "actions", "invariants", "kernels", "pieces", "state", "vocab")
    }
    assert there - tables == {file for file in game.files if file.startswith("rules/")}


@EVERY_GAME
def test_what_is_named_of_a_game_is_there(game: GameScope) -> None:
    assert set(game.tables) | set(game.tables.values()) <= {rule.name for rule in rules(game)}
    assert game.at_import <= functions(game)
    assert set(game.chapters) <= set(game.files)
    assert all((HOME / path.split("::")[0]).exists() for path in game.tests)
    chapters = {path.name for path in (HOME / "tests" / game.name).rglob("test_*.py")}
    assert all(any(name.startswith(chapter) for name in chapters) for chapter in game.chapters.values())


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


def test_the_hunt_has_mutants_of_every_kind() -> None:
    assert {mutant.kind for mutant in all_mutants(RIVERBED_HUNT)} == KINDS.keys()


@EVERY_GAME
def test_every_mutant_named_equivalent_is_one_of_them(game: GameScope) -> None:
    assert not named_equivalent(game).keys() - {mutant.key for mutant in all_mutants(game)}


def test_results_of_a_game_are_kept_apart() -> None:
    assert len({options(["--game", name]).out for name in GAMES}) == len(GAMES)
    assert len({digest(game) for game in GAMES.values()}) == len(GAMES)


@pytest.mark.slow
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
