"""From the rows of an evaluation to the results that its report shows."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError

from .. import published
from ..evaluation.outcomes import CellGames, Outcomes
from ..evaluation.outside import outside_rows
from ..evaluation.ratings import Ratings, fit_ratings
from ..evaluation.results import About, Base, InferenceRow, LineupRow, Report, SpreadRow, SwapRow
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, MIRROR, Cell, Plan, Setup, usual_tables
from ..statistics import Rate, rate, spread
from .learning_curves import learning_rows
from .verdict import planning_notes

NOBODY = -1  # the winner of a game that no camp won, and the agent of a camp that doesn't play
Whole = npt.NDArray[np.int64]


def assemble(
    outcomes: Outcomes,
    inference: tuple[InferenceRow, ...] = (),
    progress: Callable[[str], None] = lambda what: None,
    rated: bool = True,
) -> Report:
    """All results of an evaluation, with ratings if `rated`; `progress` gets what is being computed."""
    parts: dict[str, list[object]] = {name: [] for name in MAKERS}
    for setup in outcomes.plan.setups:
        progress(f"the figures of {setup}")
        for name, make in MAKERS.items():
            parts[name] += make(outcomes, setup)
    progress("the ratings")
    ratings, complaint = _ratings(outcomes) if rated else (None, "")
    label = outcomes.label
    curves, unread = learning_rows(outcomes.game, outcomes.plan.agents)
    report = Report(
        _about(outcomes, inference),
        **{name: tuple(rows) for name, rows in parts.items()},  # type: ignore[arg-type]
        learning=tuple(replace(row, agent=label(row.agent)) for row in curves),
        ratings=ratings,
        inference=tuple(replace(row, observed=f"all {label(row.observed.removeprefix('all '))}") for row in inference),
    )
    notes = planning_notes((*report.deviations, *report.held_out))
    return replace(report, notes=(*notes, *unread, *([complaint] if complaint else [])))


def command(game: Game, plan: Plan, out: Path | None = None) -> str:
    """The command that repeats a plan, in a folder if one is given. Options with their default are left out."""
    options = dict(plan.options)
    tables = usual_tables(game, bool(plan.held_out), plan.one_way)
    given: dict[str, tuple[object, object]] = {
        "--roles": (plan.roles, game.roles),
        "--tables": (plan.tables, tables),
        "--held-out": (plan.held_out, published.installed(game, published.HELD_OUT)),
        "--inference-games": (plan.inference_games, Plan.inference_games),
        "--out": (out, None),
    }
    words: list[object] = ["riverbed", "evaluate", *(_labelled(plan, agent) for agent in plan.agents)]
    words += ["--game", plan.environment, "--reference", _labelled(plan, plan.reference)]
    words += ["--players", _joined(plan.players), "--games", plan.deals, "--seed", plan.seed]
    words += [word for name, (value, usual) in given.items() if value != usual for word in (name, _joined(value))]
    words += [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    words += ["--one-way"] * plan.one_way + ["--variants"] * (plan.variants != ({},))
    return shlex.join(map(str, words))


def _labelled(plan: Plan, agent: str) -> str:
    return f"{plan.labels[agent]}={agent}" if agent in plan.labels else agent


def _joined(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _about(outcomes: Outcomes, inference: tuple[InferenceRow, ...]) -> About:
    game, plan = outcomes.game, outcomes.plan
    return About(
        title=game.title,
        camps=game.camps,
        setups=plan.setups,
        agents=tuple(map(outcomes.label, plan.agents)),
        reference=outcomes.label(plan.reference),
        command=command(game, plan),
        details=_details(outcomes, inference),
    )


def _details(outcomes: Outcomes, inference: tuple[InferenceRow, ...]) -> Mapping[str, str]:
    """What was played, by which code, under which seed; lines that say nothing are left out."""
    game, plan, identity = outcomes.game, outcomes.plan, outcomes.folder.identity
    _, pack = game.make_params(**plan.options_of(plan.setups[0]))

    def names(agents: tuple[str, ...]) -> str:
        return ", ".join(map(outcomes.label, agents))

    lines = {
        "environment": plan.environment,
        "content pack": f"{getattr(pack, 'name', 'pack')} {identity.pack}" if identity.pack else "none",
        "code": identity.code,
        "seed": str(plan.seed),
        "players": ", ".join(map(str, plan.players)),
        "variants": "; ".join(dict.fromkeys(setup.variant for setup in plan.setups)).removeprefix("; "),
        "agents": names(plan.agents),
        "reference": outcomes.label(plan.reference),
        **{outcomes.label(agent): agent for agent in plan.seated if agent in plan.labels},
        "deals": f"{plan.deals:,} in every cell",
        "roles": ", ".join(plan.roles),
        "inference from": f"{plan.inference_games:,} games of every lineup" if inference else "",
        "strangers": names(plan.held_out) if HELD_OUT in plan.tables else "",
        "rule-based agents": ", ".join(plan.rule_based),
        **{name: str(value) for name, value in plan.options.items() if name != "pack"},
        "written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    }
    return {name: text for name, text in lines.items() if text}


def _cells(outcomes: Outcomes, setup: Setup, *tables: str) -> list[Cell]:
    """The cells of some tables in a setup, in the order of the plan."""
    return [cell for cell in outcomes.cells if cell.setup == setup and cell.table in tables]


def _bases(outcomes: Outcomes, setup: Setup) -> Iterator[Base]:
    for camp in outcomes.game.camps:
        best = outcomes.best_rule_based(setup, camp)
        rules, whose = (rate(0, 0), "") if best is None else (best.rate, " or ".join(map(outcomes.label, best.agents)))
        yield Base(setup, camp, outcomes.all_random(setup, camp), rules, whose)


def _mirror(outcomes: Outcomes, setup: Setup) -> list[LineupRow]:
    return [_lineup(outcomes, cell) for cell in _cells(outcomes, setup, MIRROR)]


def _matrix(outcomes: Outcomes, setup: Setup) -> list[LineupRow]:
    cells = outcomes.matrix(setup) if MATRIX in outcomes.plan.tables else []
    return [_lineup(outcomes, cell) for cell in cells]


def _lineup(outcomes: Outcomes, cell: Cell) -> LineupRow:
    games, camps = outcomes.read(cell), outcomes.game.camps
    agents = dict(zip(camps, map(outcomes.label, cell.camps), strict=True))
    wins = {camp: outcomes.rate(cell, camp) for camp in camps}
    return LineupRow(cell.setup, agents, len(games.block), wins, games.nobody_won)


def _deviations(outcomes: Outcomes, setup: Setup) -> Iterator[SwapRow]:
    for cell in _cells(outcomes, setup, DEVIATION):
        among = outcomes.label(cell.camps[0])
        yield from _swap(outcomes, cell, among, among)


def _held_out(outcomes: Outcomes, setup: Setup) -> Iterator[SwapRow]:
    for cell in _cells(outcomes, setup, HELD_OUT):
        among = ", ".join(map(outcomes.label, cell.pool))
        yield from _swap(outcomes, cell, among, outcomes.label(outcomes.plan.reference))


def _swap(outcomes: Outcomes, cell: Cell, among: str, replaced: str) -> Iterator[SwapRow]:
    """The row of a cell with a role in focus; none for the cell that the gains are measured against."""
    gain = outcomes.gain(cell)
    if gain is not None:
        yield SwapRow(
            *(cell.setup, cell.role, outcomes.game.camp_of_role[cell.role]),
            *(outcomes.label(cell.focus), among, replaced),
            *(outcomes.in_focus(cell), outcomes.replaced(cell), gain),
        )


def _scores(outcomes: Outcomes, setup: Setup) -> Iterator[SpreadRow]:
    if outcomes.game.summary.score:
        for cell in _cells(outcomes, setup, MIRROR, DEVIATION):
            scores = outcomes.read(cell).scores
            among = outcomes.label(cell.camps[0])
            lineup = f"{outcomes.label(cell.focus)} among {among}" if cell.role else f"all {among}"
            yield SpreadRow(setup, lineup, len(scores), spread(scores))


def _lengths(outcomes: Outcomes, setup: Setup) -> Iterator[SpreadRow]:
    for cell in _cells(outcomes, setup, MIRROR):
        games = outcomes.read(cell)
        decisions = games.columns["decisions"].astype(np.float64)[:, None]
        means = outcomes.game.summary.means.items()
        yield SpreadRow(
            setup,
            f"all {outcomes.label(cell.camps[0])}",
            len(decisions),
            spread(decisions),
            _happened(outcomes.game, games),
            {head: float(games.columns[name].astype(np.float64).mean()) for head, name in means},
        )


def _happened(game: Game, games: CellGames) -> dict[str, Rate]:
    """How often the events of the game's summary happened."""
    rates = {}
    for head, name in game.summary.happened.items():
        happened = games.columns[name].astype(np.float64) > 0
        if head in game.summary.among:
            happened = happened[games.columns[game.summary.among[head]].astype(np.bool_)]
        rates[head] = rate(int(happened.sum()), len(happened))
    return rates


MAKERS: Mapping[str, Callable[[Outcomes, Setup], Iterator[object] | list[LineupRow]]] = {
    "bases": _bases,
    "mirror": _mirror,
    "deviations": _deviations,
    "matrix": _matrix,
    "held_out": _held_out,
    "scores": _scores,
    "lengths": _lengths,
    "outside": outside_rows,
}


def _ratings(outcomes: Outcomes) -> tuple[Ratings | None, str]:
    """The ratings from the games of the matrix, mirrors among them; else None, and why if that is news."""
    game, plan = outcomes.game, outcomes.plan
    if MATRIX not in plan.tables or len(plan.compared) == 1:
        return None, ""
    if len(plan.variants) > 1:
        return None, "There are no ratings over several variants."
    parts = [
        _rated_games(outcomes, cell, place * plan.deals)
        for place, setup in enumerate(plan.setups)
        for cell in outcomes.matrix(setup)
    ]
    sides, winner, players, block = (np.concatenate(column) for column in zip(*parts, strict=True))
    try:
        ratings = fit_ratings(
            *(sides, winner, players, block),
            names=tuple(map(outcomes.label, plan.compared)), camps=game.camps,
            reference=outcomes.label(plan.reference), seed=plan.seed,
        )  # fmt: skip
        return ratings, ""
    except OptionError as error:
        return None, f"There are no ratings: {error}"


def _rated_games(outcomes: Outcomes, cell: Cell, first: int) -> tuple[Whole, Whole, Whole, Whole]:
    """Of each game of a cell: the agents by camp, the winning camp, the player count, and the deal from `first` on."""
    games = outcomes.read(cell)
    seated = np.array([outcomes.plan.compared.index(agent) for agent in cell.camps])
    one_won = games.won.sum(axis=1) == 1
    return (
        np.where(games.there, seated, NOBODY),
        np.where(one_won, games.won.argmax(axis=1), NOBODY),
        np.full(len(games.block), cell.num_players),
        first + games.block,
    )
