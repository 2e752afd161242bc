"""The loops of `kernels.loops`, linked to one game's kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Generic, ParamSpec, TypeVar

from riverbed_env.kernels import loops
from riverbed_env.kernels.compile import KernelFamily

P = ParamSpec("P")
R = TypeVar("R")


class Linked(Generic[P, R]):
    """A loop that is linked when it is first asked for. helpers: the loops that it calls, each on one thread."""

    def __init__(self, template: Callable[P, R], *helpers: Linked[..., Any]) -> None:
        self._template, self._helpers, self._name = template, helpers, template.__name__

    def __get__(self, owner: Loops, _: type[Loops] | None = None) -> Callable[P, R]:
        if self._name not in owner.__dict__:
            helpers = {helper._name: helper.__get__(owner.alone) for helper in self._helpers}
            owner.__dict__[self._name] = owner.link(self._template, helpers)
        linked: Callable[P, R] = owner.__dict__[self._name]
        return linked


class Loops:
    """A game's loops by name. kernels: the game's own, by the templates' names; alone: parallel ones' on one thread."""

    def __init__(self, game: str, family: KernelFamily, kernels: Mapping[str, Any], alone: Loops | None = None) -> None:
        self._game, self._family, self._kernels = game, family, kernels
        self._parallel, self.alone = alone is not None, alone or self

    write_row = Linked(loops.write_row)
    show_game = Linked(loops.show_game)
    serve = Linked(loops.serve, write_row)
    row_of = Linked(loops.row_of, write_row)
    full_states = Linked(loops.full_states)
    returns_of_one = Linked(loops.returns_of_one)
    returns_of_all = Linked(loops.returns_of_all)
    deal_games = Linked(loops.deal_games)
    ask_all = Linked(loops.ask_all)
    step_pending = Linked(loops.step_pending)
    violations = Linked(loops.violations)
    count_illegal = Linked(loops.count_illegal)
    step_games = Linked(loops.step_games, count_illegal, show_game)
    observe_games = Linked(loops.observe_games, write_row)
    look_at_games = Linked(loops.look_at_games)
    resample_views = Linked(loops.resample_views)
    choose_randomly = Linked(loops.choose_randomly)
    stream_copies = Linked(loops.stream_copies)
    put_streams = Linked(loops.put_streams)
    replay_games = Linked(loops.replay_games, write_row)

    @cached_property
    def parallel(self) -> Loops:
        """The same loops on several threads."""
        return Loops(self._game, self._family, self._kernels, self)

    def link(self, template: Callable[..., Any], helpers: Mapping[str, Any]) -> Any:
        """A loop's template linked to the game's kernels and to `helpers`."""
        name = f"{self._game}_{template.__name__}{'_parallel' if self._parallel else ''}"
        return self._family.link(template, name, {**self._kernels, **helpers}, parallel=self._parallel)
