"""Which rules are altered: the functions and tables of the game's rule files, as syntax trees.

Left out are files that hold no rule: `identities.py` checks states on behalf of tests and `set_state`, so an alteration
there loosens a check; `text.py` and `card.py` hold words; `pack.py` reads data; and what runs once at the import (the
grid's tables in `board.py`, `SPACE_OF_BIT`, `PUBLIC_PLACES`) is there before a rule can be altered.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType

PACKAGE = "riverbed_env.games.riverbed_hunt"
FOLDER = Path(__file__).parents[2] / "riverbed_env" / "games" / "riverbed_hunt"
FILES = (
    "board.py",
    "effects.py",
    "engine.py",
    "legality.py",
    "look.py",
    "observe.py",
    "payoff.py",
    "rules/acts.py",
    "rules/cards.py",
    "rules/elements.py",
    "rules/knowledge.py",
    "rules/powers.py",
    "rules/river.py",
    "rules/setup.py",
    "rules/stack.py",
    "rules/turn.py",
    "summary.py",
)
AT_IMPORT = frozenset({"place_of", "_near", "_space_of_bit", "_public_places"})
TABLES = {"_PROGRAMS": "action_programs"}  # tables read at run time, and the function that reads them


@dataclass(frozen=True, eq=False)
class Rule:
    """A function or table of a rule file."""

    file: str
    name: str
    tree: ast.stmt

    @property
    def reached_as(self) -> str:
        """The function that tests have to reach for an alteration to be seen."""
        return f"{self.file}:{TABLES.get(self.name, self.name)}"

    @property
    def module(self) -> ModuleType:
        """The module the rule is in."""
        return importlib.import_module(f"{PACKAGE}.{self.file.removesuffix('.py').replace('/', '.')}")

    def replace(self, altered: ast.stmt) -> None:
        """Put the altered rule in the place of this one, for everybody who has imported it.

        Uncompiled a kernel is a plain function, so that a new body reaches all of its callers.
        """
        module = self.module
        if self.name in TABLES:
            exec(compile(ast.Module([altered], []), self.file, "exec"), vars(module))
            return
        function = vars(module)[self.name]
        assert isinstance(function, FunctionType), f"{self.name} is compiled"
        assert isinstance(altered, ast.FunctionDef)
        altered.decorator_list = []
        names = dict(vars(module))
        exec(compile(ast.Module([altered], []), self.file, "exec", dont_inherit=True), names)
        function.__code__ = names[self.name].__code__

    def note_calls(self, reached: set[str]) -> None:
        """From now on the rule enters its name when it is called."""
        if isinstance(self.tree, ast.FunctionDef):
            noting = copy.deepcopy(self.tree)
            noting.body[:0] = ast.parse(f"_reached.add({self.reached_as!r})").body
            vars(self.module)["_reached"] = reached
            self.replace(ast.fix_missing_locations(noting))


def rules() -> Iterator[Rule]:
    """All rules, file by file."""
    for file in FILES:
        for statement in ast.parse((FOLDER / file).read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.FunctionDef) and statement.name not in AT_IMPORT:
                yield Rule(file, statement.name, statement)
            elif isinstance(statement, ast.Assign):
                name = ast.unparse(statement.targets[0])
                if name in TABLES:
                    yield Rule(file, name, statement)


def digest() -> str:
    """A short hash of the library and its tests: results belong to it."""
    total = hashlib.sha256()
    home = Path(__file__).parents[2]
    for folder in ("riverbed_env", "tests"):
        for path in sorted((home / folder).rglob("*")):
            if path.suffix in (".py", ".toml", ".txt") and path.name != "equivalent.toml":
                total.update(str(path.relative_to(home)).encode() + path.read_bytes())
    return total.hexdigest()[:16]
