"""Which rules of a game are altered, which tests are run on them, and the words of each game that alterations use.

Rules are the functions in the game's `rules` folder and in `content/summary.py`, and the tables named here. Left out
are `invariants.py` (it checks states for tests and `set_state`, so an alteration loosens a check), `actions.py` and
`pieces.py` (tables made at import, before a rule can be altered), and single functions of these kinds.
"""

import ast
import copy
import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

HOME = Path(__file__).parents[3]
EQUIVALENT = Path(__file__).with_name("equivalent")
NO_RULES = ("actions.py", "invariants.py", "pieces.py")
# Left out is what says nothing of the rules or takes long without compiling: the referee's games replace random play.
NO_TESTS = ("options", "random_play")
DRAWN = "tests/deduction/test_every_game.py"  # of games drawn from what a seat sees
DRAWN_GAMES = (
    f"{DRAWN}::test_an_environment_draws_a_copy_of_itself",
    f"{DRAWN}::test_the_true_game_has_no_influence_beyond_the_view",
    f"{DRAWN}::test_drawn_games_look_the_same_to_their_seat_and_can_be_played_on",
)


@dataclass(frozen=True, eq=False)
class GameScope:
    """A game's rules and tests, and what alterations must know of its words."""

    name: str
    more_tests: tuple[str, ...]  # beside those in the game's own folder of tests
    left_out: frozenset[str] = frozenset()  # functions that run once, at import, or that only invariants ask
    tables: Mapping[str, str] = field(default_factory=dict)  # table read at run time -> the function that reads it
    seats: tuple[str, ...] = ()  # names of seats besides those used in every game
    next_seat: str = '({seat} + 1) % int({table}["num_players"])'
    sisters: Mapping[str, str] = field(default_factory=dict)  # field -> one that is easily written for it
    sister_names: Mapping[str, str] = field(default_factory=dict)  # the same of names
    seat_fields: Mapping[str, str] = field(default_factory=dict)  # field that holds a seat -> another one
    # Function that asks -> argument -> what it lets choose from, as bits; and how many there are of each.
    asking: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    choices: Mapping[str, int] = field(default_factory=dict)
    leaks: Mapping[str, str] = field(default_factory=dict)  # what all may see -> what nobody may see yet

    @property
    def package(self) -> str:
        """The name of its package."""
        return f"riverbed_env.games.{self.name}"

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Its rule files, by their paths in the package."""
        folder = HOME / "riverbed_env" / "games" / self.name
        names = (path.name for path in sorted((folder / "rules").glob("*.py")))
        return (*(f"rules/{name}" for name in names if name not in NO_RULES), "content/summary.py")

    @property
    def tests(self) -> list[str]:
        """The fast tests that say something of the rules, as pytest takes them."""
        folder = HOME / "tests" / self.name
        paths = [path for path in sorted(folder.glob("test_*.py")) if path.stem.removeprefix("test_") not in NO_TESTS]
        of_all = [HOME / "tests" / path for path in ("golden/test_hashes.py", "referee/test_lockstep.py")]
        kept = [folder / "rules", *paths, *of_all]
        return [*(str(path.relative_to(HOME)) for path in kept), *self.more_tests]

    @property
    def equivalent(self) -> Path:
        """The file that lists its equivalent mutants."""
        return EQUIVALENT / f"{self.name}.toml"

    def source(self, file: str) -> str:
        """The text of a rule file."""
        return (HOME / "riverbed_env" / "games" / self.name / file).read_text(encoding="utf-8")

    @cached_property
    def vocab(self) -> ModuleType:
        """The module of its enums."""
        return importlib.import_module(f"{self.package}.rules.vocab")

    @cached_property
    def words(self) -> dict[str, type[IntEnum]]:
        """Its enums by name."""
        kinds = vars(self.vocab).items()
        return {name: kind for name, kind in kinds if isinstance(kind, type) and issubclass(kind, IntEnum)}

    @property
    def others(self) -> list[str]:
        """The names of the other games."""
        return [name for name in GAMES if name != self.name]


def both_ways(*pairs: tuple[str, str]) -> dict[str, str]:
    """Each word for the other."""
    return {**dict(pairs), **{second: first for first, second in pairs}}


RIVERBED_HUNT = GameScope(
    name="riverbed_hunt",
    more_tests=(
        "tests/referee/test_sight.py",
        "tests/golden/test_golden.py",
        "tests/judging/test_worlds.py",
        "tests/leaks/test_answers_tell_nothing.py::test_without_a_card_nobody_is_asked",
        "tests/leaks/test_answers_tell_nothing.py::test_a_turn_isnt_taken_by_itself_while_a_card_might_be_played",
        "tests/leaks/test_answers_tell_nothing.py::test_a_turn_that_is_forced_in_public_is_taken_whatever_the_role",
    ),
    left_out=frozenset({"place_of", "_near"}),
    tables={"_PROGRAMS": "action_programs"},
    sisters={
        "steps": "swims",
        "swims": "land_steps",
        "land_steps": "steps",
        **both_ways(
            ("orthogonal", "diagonal"),
            ("dive_ready", "swim_ready"),
            ("discard_pile", "used"),
            ("face_down", "occupied"),
        ),
    },
    sister_names=both_ways(("face_down", "occupied"), ("WATER", "LAND")),
    seat_fields=both_ways(("carrier", "seat"), ("asked", "active")),
    asking={"ask": {3: "spaces", 4: "seats"}, "ask_for": {5: "spaces", 6: "seats"}},
    choices={"spaces": 16, "seats": 9},
)

RIVER_RATS = GameScope(
    name="river_rats",
    more_tests=(
        "tests/conformance/test_random_play.py::test_decisions_taken_for_the_players_change_nothing",
        f"{DRAWN}::test_every_unseen_card_is_as_likely_in_another_hand",
        f"{DRAWN}::test_the_second_rat_is_one_whose_king_was_not_seen",
        f"{DRAWN}::test_the_card_that_a_placer_laid_face_down_is_drawn_among_the_unseen",
        *DRAWN_GAMES,
    ),
    left_out=frozenset({"_straight_tops"}),
    seats=("placer",),
    sisters={
        "collective": "rat_up",
        "rat_up": "revealed",
        "revealed": "collective",
        **both_ways(
            ("market", "discard"),
            ("joker_down", "joker_up"),
            ("rat_debt_seen", "debt_seen"),
            ("first_rat", "second_rat"),
            ("played", "swapped"),
            ("rat", "defeated"),
        ),
    },
    sister_names=both_ways(("KING", "ACE")),
    seat_fields={"asked": "active", "active": "asked", "placer": "active"},
)

DEEP_RIVER = GameScope(
    name="deep_river",
    more_tests=(
        "tests/deep_river/test_random_play.py::test_both_sides_see_and_play_alike_positions_alike",
        *DRAWN_GAMES,
    ),
    left_out=frozenset({"chance_stream", "event_field"}),  # which hands its arguments on
    seats=("camp",),
    next_seat="1 - {seat}",
    sisters=both_ways(("top", "under"), ("places", "tokens"), ("barred", "tilted"), ("kind", "steps")),
    sister_names=both_ways(("SALMON_NEST", "EEL_NEST")),
    seat_fields={"active": "first", "asked": "first"},
    asking={"ask": {2: "places", 3: "tokens"}},
    choices={"places": 10, "tokens": 3},
)

RIVERSIDE = GameScope(
    name="riverside",
    more_tests=(
        "tests/riverside/test_random_play.py::test_nothing_others_choose_in_a_phase_shows_before_it_is_over",
        *DRAWN_GAMES,
    ),
    left_out=frozenset({"most_deeds"}),
    seats=("one",),
    sisters=both_ways(
        ("last", "total"),
        ("tickets", "ticket_points"),
        ("fire", "plus"),
        ("queued", "paid"),
        ("seats", "royal"),
        ("captain", "final"),
        ("open_columns", "heated"),
    ),
    sister_names=both_ways(("RANGE", "SPEED_RANGE")),
    leaks={"game['sheets']": "game['private']['sheet']"},
)

GAMES = {game.name: game for game in (RIVERBED_HUNT, RIVER_RATS, DEEP_RIVER, RIVERSIDE)}


@dataclass(frozen=True, eq=False)
class Rule:
    """A function or table of a rule file; `reader` is the function that reads the table, or the function itself."""

    game: GameScope
    file: str
    name: str
    tree: ast.stmt
    reader: ast.FunctionDef

    @property
    def module(self) -> ModuleType:
        """The module the rule is in."""
        return importlib.import_module(f"{self.game.package}.{self.file.removesuffix('.py').replace('/', '.')}")

    def replace(self, altered: ast.stmt) -> None:
        """Put the altered rule in the place of this one, for everybody who has imported it.

        Uncompiled a kernel is a plain function, so that a new body reaches all of its callers.
        """
        module = self.module
        for named in [vars(module)[alias] for alias in NAMED if alias in vars(module)]:
            vars(module).update({name: word for name, word in vars(named).items() if name not in vars(module)})
        if self.name in self.game.tables:
            exec(compile(ast.Module([altered], []), self.file, "exec"), vars(module))
            return
        function = vars(module)[self.name]
        assert isinstance(function, FunctionType), f"{self.name} is compiled"
        assert isinstance(altered, ast.FunctionDef)
        altered.decorator_list = []
        names = dict(vars(module))
        exec(compile(ast.Module([altered], []), self.file, "exec", dont_inherit=True), names)
        function.__code__ = names[self.name].__code__

    def note_lines(self, note: Callable[[str], None]) -> None:
        """From now on each statement of a function notes its place when it is executed."""
        if isinstance(self.tree, ast.FunctionDef):
            vars(self.module)["_note"] = note
            self.replace(ast.fix_missing_locations(_Noting(self.file).generic_visit(copy.deepcopy(self.tree))))


NAMED = ("v", "p", "instructions")  # modules by which rules name words, pieces and instructions


class _PlainWords(ast.NodeTransformer):
    """Leaves out the modules by which rules name things: `Question.TURN` for `v.Question.TURN`."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:  # the name ast gives it
        self.generic_visit(node)
        plain = isinstance(node.value, ast.Name) and node.value.id in NAMED
        return ast.copy_location(ast.Name(node.attr, node.ctx), node) if plain else node


class _Noting(ast.NodeTransformer):
    """Puts a call of `_note` before each statement."""

    def __init__(self, file: str) -> None:
        self.file = file

    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        if not isinstance(node, ast.stmt):
            return node
        return [*ast.parse(f"_note({line_name(self.file, node)!r})").body, node]


def line_name(file: str, statement: ast.stmt) -> str:
    """The name of a statement's line: "rules/acts.py:92"."""
    return f"{file}:{statement.lineno}"


def rules(game: GameScope) -> Iterator[Rule]:
    """All rules, file by file."""
    for file in game.files:
        body = _PlainWords().visit(ast.parse(game.source(file))).body
        functions = {statement.name: statement for statement in body if isinstance(statement, ast.FunctionDef)}
        for statement in body:
            if isinstance(statement, ast.FunctionDef) and statement.name not in game.left_out:
                yield Rule(game, file, statement.name, statement, statement)
            elif isinstance(statement, ast.Assign):
                name = ast.unparse(statement.targets[0])
                if name in game.tables:
                    yield Rule(game, file, name, statement, functions[game.tables[name]])
