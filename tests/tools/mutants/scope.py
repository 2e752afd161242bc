"""Which rules are altered: the functions and tables of a game's rule files, as syntax trees.

Which files they are, and why some are left out, is said in game_scopes.py.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType, ModuleType

from game_scopes import EQUIVALENT, HOME, GameScope


@dataclass(frozen=True, eq=False)
class Rule:
    """A function or table of a rule file."""

    game: GameScope
    file: str
    name: str
    tree: ast.stmt

    @property
    def reached_as(self) -> str:
        """The function that tests have to reach for an alteration to be seen."""
        return f"{self.file}:{self.game.tables.get(self.name, self.name)}"

    @property
    def module(self) -> ModuleType:
        """The module the rule is in."""
        return importlib.import_module(f"{self.game.package}.{self.file.removesuffix('.py').replace('/', '.')}")

    def replace(self, altered: ast.stmt) -> None:
        """Put the altered rule in the place of this one, for everybody who has imported it.

        Uncompiled a kernel is a plain function, so that a new body reaches all of its callers.
        """
        module = self.module
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

    def note_calls(self, reached: set[str]) -> None:
        """From now on the rule enters its name when it is called."""
        if isinstance(self.tree, ast.FunctionDef):
            noting = copy.deepcopy(self.tree)
            noting.body[:0] = ast.parse(f"_reached.add({self.reached_as!r})").body
            vars(self.module)["_reached"] = reached
            self.replace(ast.fix_missing_locations(noting))


def rules(game: GameScope) -> Iterator[Rule]:
    """All rules, file by file."""
    for file in game.files:
        for statement in ast.parse((game.folder / file).read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.FunctionDef) and statement.name not in game.at_import:
                yield Rule(game, file, statement.name, statement)
            elif isinstance(statement, ast.Assign):
                name = ast.unparse(statement.targets[0])
                if name in game.tables:
                    yield Rule(game, file, name, statement)


def digest(game: GameScope) -> str:
    """A short hash of the library and its tests but for what is another game's: results belong to it."""
    total = hashlib.sha256()
    for folder in ("riverbed_env", "tests"):
        for path in sorted((HOME / folder).rglob("*")):
            name = str(path.relative_to(HOME))
            others = any(other in name for other in game.others)
            if path.suffix in (".py", ".toml", ".txt", ".json") and path.parent != EQUIVALENT and not others:
                total.update(name.encode() + path.read_bytes())
    return total.hexdigest()[:16]
