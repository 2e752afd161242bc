"""From the rows of an evaluation to the results that its report shows."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError

from .. import published
from ..evaluation.outcomes import Outcomes
from ..evaluation.ratings import Ratings, fit_ratings
from ..evaluation.results import (
    Base,
    DeviationRow,
    Header,
    HeldOutRow,
    InferenceRow,
    LengthRow,
    MatrixCell,
    MirrorRow,
    Report,
    Swap,
    length_row,
)
from ..playing.plan import (
    CAMP_MATRIX,
    DEVIATION,
    HELD_OUT,
    MIRROR,
    Cell,
    Plan,
    deviation,
    held_out,
    mirror,
    usual_tables,
)
from ..statistics import Rate, rate
from .learning_curves import learning_rows
from .terminal_tables import warnings_of

NOBODY = -1  # the winner of a game that no camp won, and the agent of a camp that doesn't play
Whole = npt.NDArray[np.int64]


def assemble(
    outcomes: Outcomes, inference: tuple[InferenceRow, ...] = (), progress: Callable[[str], None] = lambda what: None
) -> Report:
    """All results of an evaluation; `progress` is told what is being computed."""
    counts = outcomes.plan.players
    found: dict[str, list[tuple[object, ...]]] = {name: [] for name in MAKING}
    for count in counts:
        progress(f"the figures of {count} players")
        for name, make in MAKING.items():
            found[name].append(tuple(make(outcomes, count)))
    progress("the ratings")
    ratings, complaint = _ratings(outcomes)
    return Report(
        _header(outcomes, inference),
        **{name: tuple(row for rows in parts for row in rows) for name, parts in found.items()},  # type: ignore[arg-type]
        learning=learning_rows(outcomes.game, outcomes.plan.agents),
        ratings=ratings,
        inference=inference,
        warnings=(*warnings_of(outcomes, counts), *([complaint] if complaint else [])),
    )


def command(game: Game, plan: Plan, out: Path | None = None) -> str:
    """The command that plays a plan again, in a folder if one is given."""
    pool = published.installed(game, published.HELD_OUT)
    usual = usual_tables(bool(plan.held_out), plan.one_way)
    options = dict(plan.options)
    pack = options.pop("pack", None)
    words: list[object] = ["riverbed", "evaluate", *plan.agents, "--game", plan.environment]
    words += ["--reference", plan.reference, "--players", ",".join(map(str, plan.players)), "--games", plan.deals]
    words += ["--seed", plan.seed]
    words += [] if plan.roles == game.roles else ["--roles", ",".join(plan.roles)]
    words += [] if plan.tables == usual else ["--tables", ",".join(plan.tables)]
    words += [] if plan.held_out == pool else ["--held-out", ",".join(plan.held_out)]
    words += [] if plan.inference_games == Plan.inference_games else ["--inference-games", plan.inference_games]
    words += ["--one-way"] if plan.one_way else []
    words += [] if pack is None else ["--pack", pack]
    words += [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    words += [] if out is None else ["--out", out]
    return shlex.join(map(str, words))


def _header(outcomes: Outcomes, inference: tuple[InferenceRow, ...]) -> Header:
    game, plan, identity = outcomes.game, outcomes.plan, outcomes.folder.identity
    _, pack = game.make_params(num_players=plan.players[0], **plan.options)
    named = f"{getattr(pack, 'name', 'pack')} {identity.pack}" if identity.pack else "none"
    return Header(
        title=game.title,
        environment=plan.environment,
        pack=named,
        code=identity.code,
        seed=plan.seed,
        command=command(game, plan),
        written=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        camps=game.camps,
        players=plan.players,
        agents=plan.agents,
        reference=plan.reference,
        settings=_settings(plan, inference),
    )


def _settings(plan: Plan, inference: tuple[InferenceRow, ...]) -> Mapping[str, str]:
    """Further lines of the heading."""
    return {
        "deals": f"{plan.deals:,} in every cell",
        "roles": ", ".join(plan.roles),
        **({"roles read in": f"{plan.inference_games:,} games of every lineup"} if inference else {}),
        **({"strangers": ", ".join(plan.held_out)} if HELD_OUT in plan.tables else {}),
        **({"agents made of rules": ", ".join(plan.rule_based)} if plan.rule_based else {}),
        **{name: str(value) for name, value in plan.options.items() if name != "pack"},
    }


def _bases(outcomes: Outcomes, count: int) -> Iterator[Base]:
    for camp in outcomes.game.camps:
        best = outcomes.best_rule_based(count, camp)
        rules, whose = (rate(0, 0), "") if best is None else (best.rate, " or ".join(best.agents))
        yield Base(count, camp, outcomes.all_random(count, camp), rules, whose)


def _wins(outcomes: Outcomes, cell: Cell) -> dict[str, Rate]:
    return {camp: outcomes.rate(cell, camp) for camp in outcomes.game.camps}


def _mirror(outcomes: Outcomes, count: int) -> Iterator[MirrorRow]:
    for agent, cell in _mirrors(outcomes, count):
        games = outcomes.read(cell)
        yield MirrorRow(count, agent, len(games.block), _wins(outcomes, cell), games.nobody_won)


def _mirrors(outcomes: Outcomes, count: int) -> Iterator[tuple[str, Cell]]:
    for agent in outcomes.plan.mirrored:
        yield agent, mirror(outcomes.game, count, agent)


def _lengths(outcomes: Outcomes, count: int) -> Iterator[LengthRow]:
    for agent, cell in _mirrors(outcomes, count):
        yield length_row(count, agent, outcomes.read(cell).decisions)


def _deviations(outcomes: Outcomes, count: int) -> Iterator[DeviationRow]:
    game, plan = outcomes.game, outcomes.plan
    if DEVIATION not in plan.tables:
        return
    for role, agent in product(plan.roles, plan.agents):
        if agent != plan.reference:
            there = _swap(outcomes, deviation(game, count, role, agent, plan.reference))
            back = None if plan.one_way else _swap(outcomes, deviation(game, count, role, plan.reference, agent))
            yield DeviationRow(count, role, game.camp_of_role[role], agent, there, back)


def _swap(outcomes: Outcomes, cell: Cell) -> Swap | None:
    gain = outcomes.gain(cell)
    return None if gain is None else Swap(outcomes.in_focus(cell), outcomes.replaced(cell), gain)


def _matrix(outcomes: Outcomes, count: int) -> Iterator[MatrixCell]:
    if CAMP_MATRIX not in outcomes.plan.tables:
        return
    for cell in outcomes.matrix(count):
        games, agents = outcomes.read(cell), dict(zip(outcomes.game.camps, cell.camps, strict=True))
        yield MatrixCell(count, agents, len(games.block), _wins(outcomes, cell), games.nobody_won)


def _held_out(outcomes: Outcomes, count: int) -> Iterator[HeldOutRow]:
    game, plan = outcomes.game, outcomes.plan
    if HELD_OUT not in plan.tables:
        return
    for role, agent in product(plan.roles, plan.compared):
        swap = _swap(outcomes, held_out(count, role, agent, plan.held_out))
        if swap is not None:
            yield HeldOutRow(count, role, game.camp_of_role[role], agent, ", ".join(plan.held_out), swap)


MAKING: Mapping[str, Callable[[Outcomes, int], Iterator[object]]] = {
    "bases": _bases,
    MIRROR: _mirror,
    "deviations": _deviations,
    "matrix": _matrix,
    HELD_OUT: _held_out,
    "lengths": _lengths,
}


def _ratings(outcomes: Outcomes) -> tuple[Ratings | None, str]:
    """The ratings by the games of the camp matrix, its mirrors among them; else why there are none, if that's news."""
    game, plan = outcomes.game, outcomes.plan
    if CAMP_MATRIX not in plan.tables or len(plan.compared) == 1:
        return None, ""
    parts = [
        _rated_games(outcomes, cell, count, place * plan.deals)
        for place, count in enumerate(plan.players)
        for cell in outcomes.matrix(count)
    ]
    sides, winner, players, block = (np.concatenate(column) for column in zip(*parts, strict=True))
    try:
        found = fit_ratings(
            *(sides, winner, players, block),
            names=plan.compared, camps=game.camps, reference=plan.reference, seed=plan.seed,
        )  # fmt: skip
        return found, ""
    except OptionError as error:
        return None, f"There are no ratings: {error}"


def _rated_games(outcomes: Outcomes, cell: Cell, count: int, first: int) -> tuple[Whole, Whole, Whole, Whole]:
    """Of each game of a cell: the agents by camp, the camp that won, the player count, and the deal from `first` on."""
    games = outcomes.read(cell)
    seated = np.array([outcomes.plan.compared.index(agent) for agent in cell.camps])
    one_won = games.won.sum(axis=1) == 1
    return (
        np.where(games.there, seated, NOBODY),
        np.where(one_won, games.won.argmax(axis=1), NOBODY),
        np.full(len(games.block), count),
        first + games.block,
    )
