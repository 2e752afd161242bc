"""The kinds of alteration. Each looks at one place of a rule and yields what could stand there, to the rule's harm.

What would only break the program (a local name that is never set, a type error) isn't yielded: any test would catch
it, which says nothing of the tests.
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import TypeAlias

from exchanges import may_interact
from places import Mutant, New, Place, places
from scope import GameScope, rules

Operator: TypeAlias = Callable[[Place], Iterator[New]]

KINDS: dict[str, Operator] = {}

SEATS = ("seat", "other", "carrier", "asked", "asker", "actor", "mover", "active", "observer", "chief")
SPACES = ("space", "place", "first", "second")


def kind(name: str) -> Callable[[Operator], Operator]:
    """Enter a kind of alteration under its name."""

    def enter(operator: Operator) -> Operator:
        KINDS[name] = operator
        return operator

    return enter


def with_fields(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of a node with some of its fields replaced."""
    altered = copy.copy(node)
    for field, value in fields.items():
        setattr(altered, field, value)
    return altered


def expression(words: str) -> ast.expr:
    """The expression these words are."""
    return ast.parse(words, mode="eval").body


def is_word(node: ast.AST, name: str) -> bool:
    """Whether the node is a member of the enum."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name


def called(node: ast.AST) -> str:
    """The name of the function a call calls, else nothing."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


# --- conditions -----------------------------------------------------------------------------------------------------

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@kind("comparison altered")
def comparison(place: Place) -> Iterator[New]:
    """`<` for `<=`, `==` for `!=` and so on."""
    if isinstance(place.node, ast.Compare):
        for index, sign in enumerate(place.node.ops):
            signs = list(place.node.ops)
            signs[index] = COMPARISONS[type(sign)]()
            yield with_fields(place.node, ops=signs)


@kind("condition negated")
def negation(place: Place) -> Iterator[New]:
    """What is done if something holds is done if it doesn't."""
    if place.field == "test" and isinstance(place.node, ast.expr):
        negated = isinstance(place.node, ast.UnaryOp) and isinstance(place.node.op, ast.Not)
        equality = isinstance(place.node, ast.Compare) and isinstance(place.node.ops[0], ast.Eq | ast.NotEq)
        if not negated and not equality:  # for an equality "comparison altered" does it
            yield ast.UnaryOp(ast.Not(), place.node)
    if isinstance(place.node, ast.UnaryOp) and isinstance(place.node.op, ast.Not):
        yield place.node.operand


@kind("and/or exchanged")
def conjunction(place: Place) -> Iterator[New]:
    """`and` for `or`, `or` for `and`."""
    if isinstance(place.node, ast.BoolOp):
        sign = ast.Or() if isinstance(place.node.op, ast.And) else ast.And()
        yield with_fields(place.node, op=sign)


@kind("condition forgotten")
def part_of_condition(place: Place) -> Iterator[New]:
    """One of several conditions isn't asked for."""
    if isinstance(place.node, ast.BoolOp):
        for index in range(len(place.node.values)):
            left = [*place.node.values[:index], *place.node.values[index + 1 :]]
            yield left[0] if len(left) == 1 else with_fields(place.node, values=left)


# --- numbers and words ----------------------------------------------------------------------------------------------


@kind("constant off by one")
def off_by_one(place: Place) -> Iterator[New]:
    """A number one larger, or one smaller where it isn't 0; a named size one larger; true for false."""
    node = place.node
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
        if node.value > 0:
            yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Name) and node.id.isupper() and isinstance(place.holder, ast.Compare):
        yield ast.BinOp(node, ast.Add(), ast.Constant(1))


@kind("another word")
def another_word(place: Place) -> Iterator[New]:
    """The next word of the same sort: another question, effect, source, event, role …; a field like the one meant."""
    node, game, words = place.node, place.game, place.game.words
    if isinstance(node, ast.Constant) and place.field == "slice" and node.value in game.sisters:
        yield ast.Constant(game.sisters[node.value])
    if isinstance(node, ast.Name) and node.id in game.sister_names:
        yield ast.Name(game.sister_names[node.id], node.ctx)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in words:
        members = list(words[node.value.id].__members__)
        if not is_word(node, "Refusal") or node.attr != "OK":
            following = members[(members.index(node.attr) + 1) % len(members)]
            yield with_fields(node, attr="GAME_OVER" if following == "OK" else following)


ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}


@kind("arithmetic exchanged")
def arithmetic(place: Place) -> Iterator[New]:
    """`-` for `+`, and so on."""
    if isinstance(place.node, ast.BinOp | ast.AugAssign) and type(place.node.op) in ARITHMETIC:
        yield with_fields(place.node, op=ARITHMETIC[type(place.node.op)]())


@kind("subtraction forgotten")
def forgotten_term(place: Place) -> Iterator[New]:
    """What is taken off, added, or wrapped round isn't; a bound isn't kept to."""
    node = place.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mod):
        yield node.left
        if isinstance(node.op, ast.Add):
            yield node.right
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield node.operand
    elif called(node) in ("min", "max") and isinstance(node, ast.Call) and len(node.args) == 2:
        yield from (argument for argument in node.args if not isinstance(argument, ast.Constant))


BITS: dict[type[ast.operator], type[ast.operator]] = {
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@kind("bit operation exchanged")
def bits(place: Place) -> Iterator[New]:
    """`|` for `&`, `>>` for `<<`, and so on; a complement forgotten."""
    if isinstance(place.node, ast.BinOp | ast.AugAssign) and type(place.node.op) in BITS:
        yield with_fields(place.node, op=BITS[type(place.node.op)]())
    elif isinstance(place.node, ast.UnaryOp) and isinstance(place.node.op, ast.Invert):
        yield place.node.operand


@kind("bits forgotten")
def forgotten_bits(place: Place) -> Iterator[New]:
    """A set of spaces or seats isn't narrowed, widened or exchanged by the other."""
    if isinstance(place.node, ast.BinOp) and isinstance(place.node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        yield place.node.left
        yield place.node.right


# --- statements -----------------------------------------------------------------------------------------------------


@kind("statement deleted")
def deletion(place: Place) -> Iterator[New]:
    """Something isn't done: a field isn't set, a rule isn't called, or an amount isn't counted."""
    node = place.node
    field_set = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    rule_called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if field_set or rule_called or isinstance(node, ast.AugAssign):
        yield ast.Pass()


@kind("order of effects")
def exchange(place: Place) -> Iterator[New]:
    """Two neighbouring statements that may touch the same fields, or two instructions of a program, exchanged."""
    node, following = place.node, place.following
    if isinstance(node, ast.stmt) and following is not None and may_interact(place.game, node, following):
        yield [following, node]
    if isinstance(node, ast.Tuple) and all(isinstance(entry, ast.Tuple) for entry in node.elts):
        for index in range(len(node.elts) - 1):
            entries = list(node.elts)
            entries[index : index + 2] = entries[index + 1], entries[index]
            yield with_fields(node, elts=entries)
        for index in range(len(node.elts)) if len(node.elts) > 1 else ():
            yield with_fields(node, elts=[*node.elts[:index], *node.elts[index + 1 :]])


@kind("early return removed")
def early_return(place: Place) -> Iterator[New]:
    """What ends a function or a loop early doesn't."""
    if isinstance(place.node, ast.Return | ast.Break | ast.Continue) and len(place.above) > 1:
        yield ast.Pass()


@kind("loop shortened")
def loop(place: Place) -> Iterator[New]:
    """The first or the last round of a loop is left out."""
    node = place.node
    if called(node) != "range" or not isinstance(node, ast.Call):
        return
    first, last = (ast.Constant(0), node.args[0]) if len(node.args) == 1 else (node.args[0], node.args[1])
    second = ast.Constant(1) if len(node.args) == 1 else ast.BinOp(first, ast.Add(), ast.Constant(1))
    yield with_fields(node, args=[second, last])
    yield with_fields(node, args=[first, ast.BinOp(last, ast.Sub(), ast.Constant(1))])


# --- seats and masks ------------------------------------------------------------------------------------------------


def seat_names(place: Place) -> tuple[str, ...]:
    """The names that seats go by."""
    return SEATS + place.game.seats


def next_seat(place: Place, seat: str) -> str | None:
    """The seat to the left of one, in the words the function has."""
    for name, table in (("table", "table"), ("game", 'game["table"]')):
        if name in place.parameters:
            return place.game.next_seat.format(seat=seat, table=table)
    return None


def loops_over(place: Place, name: str) -> bool:
    """Whether the name runs over all seats in a loop round the place."""
    return any(isinstance(node, ast.For) and ast.unparse(node.target) == name for node in place.above)


@kind("wrong seat")
def wrong_seat(place: Place) -> Iterator[New]:
    """Another seat that the function knows, the other seat of the effect, the next seat; two arguments exchanged."""
    node, seats = place.node, seat_names(place)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in seats:
        others = [name for name in place.parameters if name in seats and name != node.id]
        yield from (ast.Name(name, ast.Load()) for name in others)
        following = next_seat(place, node.id)
        # In a loop over all seats each would be visited all the same.
        if following is not None and not loops_over(place, node.id) and not others:
            yield expression(following)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        field = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if field in place.game.seat_fields:
            yield with_fields(node, slice=ast.Constant(place.game.seat_fields[field]))
    elif isinstance(node, ast.Call) and called(node) and called(node) != "range":
        for index in range(len(node.args) - 1):
            pair = node.args[index : index + 2]
            if any(all(isinstance(arg, ast.Name) and arg.id in names for arg in pair) for names in (seats, SPACES)):
                yield with_fields(node, args=[*node.args[:index], *pair[::-1], *node.args[index + 2 :]])


@kind("mask too wide")
def too_wide(place: Place) -> Iterator[New]:
    """What the rules refuse is allowed; a choice of some spaces or seats is one of all."""
    node = place.node
    if isinstance(node, ast.Attribute) and is_word(node, "Refusal") and node.attr != "OK":
        if isinstance(place.holder, ast.Return):
            yield with_fields(node, attr="OK")
    if isinstance(place.holder, ast.Assign) and place.field == "value" and sets_mask(place.holder):
        yield ast.Constant(1)
    for what in chosen_from(place):
        yield ast.Constant((1 << place.game.choices[what]) - 1)


@kind("mask too narrow")
def too_narrow(place: Place) -> Iterator[New]:
    """What the rules allow is refused; the first of the spaces or seats to choose from is left out."""
    node = place.node
    if isinstance(node, ast.Attribute) and is_word(node, "Refusal") and node.attr == "OK":
        if isinstance(place.holder, ast.Return):
            yield with_fields(node, attr="WRONG_QUESTION")
    if isinstance(place.holder, ast.Assign) and place.field == "value" and sets_mask(place.holder):
        yield ast.Constant(0)
    for _ in chosen_from(place):
        words = ast.unparse(node)
        yield expression(f"({words}) & (({words}) - 1)")


def sets_mask(statement: ast.Assign) -> bool:
    """Whether the statement writes an entry of an action mask."""
    target = statement.targets[0]
    named = isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == "mask"
    return named and not isinstance(statement.value, ast.Constant)


def chosen_from(place: Place) -> Iterator[str]:
    """What a question lets choose from, such as "spaces", where the place says so."""
    if isinstance(place.holder, ast.Call) and place.field == "args" and not isinstance(place.node, ast.Constant):
        what = place.game.asking.get(called(place.holder), {}).get(place.index or 0)
        if what is not None:
            yield what


@kind("shown to the wrong seat")
def shown(place: Place) -> Iterator[New]:
    """A private part is read or written as everybody's, as the next seat's; an event tells what lies face-down."""
    node, holder = place.node, place.holder
    if isinstance(node, ast.Subscript) and ast.unparse(node) in place.game.leaks:
        yield expression(place.game.leaks[ast.unparse(node)])
    private = isinstance(holder, ast.Subscript) and ast.unparse(holder.value).endswith("['private']")
    if private and place.field == "slice":
        seat = ast.unparse(node)
        if seat == "PUBLIC":
            yield ast.Constant(0)
        else:
            if hasattr(place.game.vocab, "PUBLIC"):
                yield ast.Constant(place.game.vocab.PUBLIC)
            following = next_seat(place, seat)
            if following is not None and not (seat in seat_names(place) and loops_over(place, seat)):
                yield expression(following)
    if called(node).startswith("record_") and isinstance(node, ast.Call) and {"game", "space"} <= set(place.parameters):
        tile = expression('int(game["tile_at"][space])')
        if isinstance(node.args[-1], ast.Constant) and node.args[-1].value == 0:
            yield with_fields(node, args=[*node.args[:-1], tile])
        elif node.keywords and all(given.arg != "thing" for given in node.keywords):
            yield with_fields(node, keywords=[*node.keywords, ast.keyword("thing", tile)])


# --- all mutants of a game ------------------------------------------------------------------------------------------


@cache
def all_mutants(game: GameScope) -> tuple[Mutant, ...]:
    """Every alteration of every rule of a game, each once: where two kinds come to the same, the first counts."""
    mutants: list[Mutant] = []
    for rule in rules(game):
        read_alike: Counter[tuple[str, str]] = Counter()
        for place in places(rule):
            here: set[tuple[str, str]] = set()
            for kind, operator in KINDS.items():
                for new in operator(place):
                    mutant = Mutant(kind, place, new)
                    words = mutant.before, mutant.after
                    if words[0] == words[1] or words in here:
                        continue
                    here.add(words)
                    mutants.append(Mutant(kind, place, new, read_alike[words]))
                    read_alike[words] += 1
    return tuple(mutants)


def sample(mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """As many mutants: one of every rule first, then of all rules; always of the kind that was chosen least so far."""
    draw = Random(seed)
    left = list(mutants)
    draw.shuffle(left)
    chosen: list[Mutant] = []
    kinds: Counter[str] = Counter()

    def choose(mutant: Mutant) -> None:
        left.remove(mutant)
        chosen.append(mutant)
        kinds[mutant.kind] += 1

    names = list(dict.fromkeys((mutant.file, mutant.function) for mutant in mutants))
    for name in draw.sample(names, min(number, len(names))):
        choose(min((one for one in left if (one.file, one.function) == name), key=lambda one: kinds[one.kind]))
    while left and len(chosen) < number:
        choose(min(left, key=lambda one: kinds[one.kind]))
    order = {id(mutant): index for index, mutant in enumerate(mutants)}
    return sorted(chosen, key=lambda one: order[id(one)])
