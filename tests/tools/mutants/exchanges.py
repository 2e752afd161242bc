"""Whether the order of two neighbouring statements can matter: do they touch the same fields, themselves or by calls?

Without this most exchanges would change nothing (`stage` and `active` set in the other order) and would have to be
named equivalent one by one.
"""

import ast
from collections.abc import Iterator
from functools import cache

from scope import GameScope, rules

DRAWS = {"below", "shuffle", "open_stream"}  # whatever draws reads and writes chance
FILLED = {"out", "words", "mask"}  # arrays whose parts are written apart from each other
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)


def may_interact(game: GameScope, first: ast.stmt, second: ast.stmt) -> bool:
    """Whether one statement may write what the other reads or writes, and neither sets a name the other needs."""
    if not isinstance(first, SIMPLE) or not isinstance(second, SIMPLE):
        return False
    if _names_set(first) & _names(second) or _names_set(second) & _names(first):
        return False
    reads = [_fields(game, first, ast.Load), _fields(game, second, ast.Load)]
    writes = [_fields(game, first, ast.Store), _fields(game, second, ast.Store)]
    return bool(writes[0] & (reads[1] | writes[1]) or writes[1] & reads[0])


def _names_set(statement: ast.stmt) -> set[str]:
    return {
        node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }


def _names(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _fields(game: GameScope, node: ast.AST, access: type[ast.expr_context]) -> set[str]:
    """The fields the node reads or writes, by itself and through the rules it calls."""
    fields = _own_fields(node, access)
    for name in _calls(node):
        fields |= _fields_of(game, name)[access is ast.Store]
    return fields


def _own_fields(node: ast.AST, access: type[ast.expr_context]) -> set[str]:
    """Entries of a field count as the field: `tracks` for `table["tracks"][track]`."""
    fields = set()
    for inner in ast.walk(node):
        added_to = isinstance(inner, ast.AugAssign) and access is ast.Load
        part = inner.target if isinstance(inner, ast.AugAssign) and added_to else inner
        if isinstance(part, ast.Subscript) and (isinstance(part.ctx, access) or added_to):
            fields |= set(_field_names(part))
    return fields


def _field_names(part: ast.AST) -> Iterator[str]:
    while isinstance(part, ast.Subscript):
        if isinstance(part.slice, ast.Constant) and isinstance(part.slice.value, str):
            yield part.slice.value
            return
        part = part.value
    if isinstance(part, ast.Name) and part.id not in FILLED:
        yield f"array {part.id}"


def _calls(node: ast.AST) -> set[str]:
    return {
        inner.func.id for inner in ast.walk(node) if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name)
    }


@cache
def _fields_of(game: GameScope, name: str) -> tuple[set[str], set[str]]:
    """What a rule reads and writes, through all that it calls; nothing for a function that is no rule."""
    waiting, called = [name], {name}
    reads: set[str] = set()
    writes: set[str] = set()
    while waiting:
        one = waiting.pop()
        if one in DRAWS:
            reads.add("chance")
            writes.add("chance")
        tree = _trees(game).get(one)
        if tree is None:
            continue
        reads |= _own_fields(tree, ast.Load)
        writes |= _own_fields(tree, ast.Store)
        waiting += _calls(tree) - called
        called |= _calls(tree)
    return reads, writes


@cache
def _trees(game: GameScope) -> dict[str, ast.stmt]:
    return {rule.name: rule.tree for rule in rules(game)}
