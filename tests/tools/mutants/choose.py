"""All alterations, and a sample of them that hits every rule and every kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

from game_scopes import GameScope
from operators import KINDS
from places import Mutant, places
from scope import rules


@cache
def all_mutants(game: GameScope) -> tuple[Mutant, ...]:
    """Every alteration of every rule of a game, each once: where two kinds come to the same, the first counts."""
    found: list[Mutant] = []
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
                    found.append(Mutant(kind, place, new, read_alike[words]))
                    read_alike[words] += 1
    return tuple(found)


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
