"""Places in a rule where something could stand differently, and a rule with one place altered."""

import ast
import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from scope import GameScope, Rule, line_name

New: TypeAlias = ast.AST | Sequence[ast.stmt]  # what stands there instead: a node, or statements for as many

LONGEST = 160  # characters of a passage
SIGNS = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)  # parts of the node above, no places


@dataclass(frozen=True, eq=False)
class Place:
    """A node of a rule, and where it hangs: `holder.field`, entry `index` where that is a list."""

    rule: Rule
    node: ast.AST
    holder: ast.AST
    field: str
    index: int | None
    above: tuple[ast.AST, ...]  # from the rule down to the holder

    @property
    def game(self) -> GameScope:
        """The game whose rule it is."""
        return self.rule.game

    @property
    def statement(self) -> ast.stmt:
        """The innermost statement it is part of."""
        return next(node for node in (self.node, *reversed(self.above)) if isinstance(node, ast.stmt))

    @property
    def parameters(self) -> list[str]:
        """The names of the function's parameters."""
        tree = self.rule.tree
        return [argument.arg for argument in tree.args.args] if isinstance(tree, ast.FunctionDef) else []

    @property
    def following(self) -> ast.stmt | None:
        """The statement after this one in its block."""
        block = getattr(self.holder, self.field)
        if self.index is None or self.index + 1 >= len(block):
            return None
        following: ast.stmt = block[self.index + 1]
        return following

    @contextmanager
    def holding(self, new: New) -> Iterator[None]:
        """Put something else there for a while."""
        if self.index is None:
            setattr(self.holder, self.field, new)
            yield
            setattr(self.holder, self.field, self.node)
            return
        block = getattr(self.holder, self.field)
        part = slice(self.index, self.index + count_of(new))
        original = block[part]
        block[part] = [new] if isinstance(new, ast.AST) else new
        yield
        block[part] = original


def count_of(new: New) -> int:
    """How many nodes of a block something replaces."""
    return 1 if isinstance(new, ast.AST) else len(new)


def places(rule: Rule) -> Iterator[Place]:
    """All places of a rule, in the order of its text; its name, parameters and docstring aren't any."""
    if isinstance(rule.tree, ast.FunctionDef):
        body = rule.tree.body
        start = 1 if ast.get_docstring(rule.tree) is not None else 0
        for index in range(start, len(body)):
            yield from _below(rule, body[index], rule.tree, "body", index, (rule.tree,))
    elif isinstance(rule.tree, ast.Assign):
        yield from _below(rule, rule.tree.value, rule.tree, "value", None, (rule.tree,))


def _below(
    rule: Rule, node: ast.AST, holder: ast.AST, field: str, index: int | None, above: tuple[ast.AST, ...]
) -> Iterator[Place]:
    yield Place(rule, node, holder, field, index, above)
    for name, value in ast.iter_fields(node):
        if isinstance(value, SIGNS) or name == "annotation":
            continue
        if isinstance(value, ast.AST):
            yield from _below(rule, value, node, name, None, (*above, node))
        elif isinstance(value, list):
            for place, entry in enumerate(value):
                if isinstance(entry, ast.AST):
                    yield from _below(rule, entry, node, name, place, (*above, node))


@dataclass(frozen=True, eq=False)
class Mutant:
    """A rule with one place altered."""

    kind: str
    place: Place
    new: New
    nth: int = 0  # of those that read the same, in the order of the text

    @property
    def file(self) -> str:
        """The rule's file."""
        return self.place.rule.file

    @property
    def function(self) -> str:
        """The rule's name."""
        return self.place.rule.name

    @property
    def line(self) -> int:
        """The line of the altered statement."""
        return self.place.statement.lineno

    @property
    def seen_from(self) -> str:
        """The line that a test must execute to see the alteration: for a table, the first of its reader."""
        rule = self.place.rule
        statement = self.place.statement if rule.tree is rule.reader else rule.reader.body[0]
        return line_name(rule.file, statement)

    @cached_property
    def before(self) -> str:
        """The passage as it is."""
        return _passage(self.place, count_of(self.new), self.place.node)

    @cached_property
    def after(self) -> str:
        """The passage as it is altered."""
        with self.place.holding(self.new):
            return _passage(self.place, count_of(self.new), self.new)

    @property
    def key(self) -> str:
        """What names it whatever its line: file, function, passage, and which of several."""
        which = f" ({self.nth + 1})" if self.nth else ""
        return f"{self.file} {self.function}{which}: {self.before} -> {self.after}"

    def apply(self) -> None:
        """Alter the rule in this process."""
        with self.place.holding(self.new):
            altered = copy.deepcopy(self.place.rule.tree)
        self.place.rule.replace(ast.fix_missing_locations(altered))


def _passage(place: Place, count: int, node: New) -> str:
    """The statement with the place in it, or of a long table the entry; of a compound statement its first line."""
    if not isinstance(node, ast.AST) or count > 1:
        block = getattr(place.holder, place.field)
        return "; ".join(_first_line(statement) for statement in block[place.index : (place.index or 0) + count])
    chain = [*place.above, node]
    statement = max(at for at, each in enumerate(chain) if isinstance(each, ast.stmt))
    for each in chain[statement:]:
        words = _first_line(each)
        if len(words) <= LONGEST:
            break
    return words


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]
