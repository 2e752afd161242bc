"""From the rows of an evaluation to the results that its report shows."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError

from .. import published
from ..evaluation.outcomes import CellGames, Outcomes
from ..evaluation.ratings import Ratings, fit_ratings
from ..evaluation.results import (
    About,
    Base,
    InferenceRow,
    LearningRow,
    LengthRow,
    LineupRow,
    Report,
    ScoreRow,
    SwapRow,
    length_row,
)
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, Cell, Plan, Setup, deviation, held_out, mirror, usual_tables
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
    setups = outcomes.plan.setups
    parts: dict[str, list[object]] = {name: [] for name in MAKERS}
    for setup in setups:
        progress(f"the figures of {setup}")
        for name, make in MAKERS.items():
            parts[name] += make(outcomes, setup)
    progress("the ratings")
    ratings, complaint = _ratings(outcomes) if rated else (None, "")
    report = Report(
        _about(outcomes, inference),
        **{name: tuple(rows) for name, rows in parts.items()},  # type: ignore[arg-type]
        learning=_learning(outcomes),
        ratings=ratings,
        inference=tuple(_labelled(outcomes, row) for row in inference),
    )
    notes = planning_notes((*report.deviations, *report.held_out))
    return replace(report, notes=(*notes, *([complaint] if complaint else [])))


def _learning(outcomes: Outcomes) -> tuple[LearningRow, ...]:
    rows = learning_rows(outcomes.game, outcomes.plan.agents)
    return tuple(replace(row, agent=outcomes.label(row.agent)) for row in rows)


def _labelled(outcomes: Outcomes, row: InferenceRow) -> InferenceRow:
    return replace(row, observed=f"all {outcomes.label(row.observed.removeprefix('all '))}")


def command(game: Game, plan: Plan, out: Path | None = None) -> str:
    """The command that repeats a plan, in a folder if one is given."""
    pool = published.installed(game, published.HELD_OUT)
    options = dict(plan.options)
    pack = options.pop("pack", None)

    def named(agent: str) -> str:
        return f"{plan.labels[agent]}={agent}" if agent in plan.labels else agent

    usual = usual_tables(game, bool(plan.held_out), plan.one_way)
    words: list[object] = ["riverbed", "evaluate", *map(named, plan.agents), "--game", plan.environment]
    words += ["--reference", named(plan.reference), "--players", ",".join(map(str, plan.players))]
    words += ["--games", plan.deals, "--seed", plan.seed]
    words += [] if plan.roles == game.roles else ["--roles", ",".join(plan.roles)]
    words += [] if plan.tables == usual else ["--tables", ",".join(plan.tables)]
    words += [] if plan.held_out == pool else ["--held-out", ",".join(plan.held_out)]
    words += [] if plan.inference_games == Plan.inference_games else ["--inference-games", plan.inference_games]
    words += ["--one-way"] if plan.one_way else []
    words += ["--variants"] if plan.variants != ({},) else []
    words += [] if pack is None else ["--pack", pack]
    words += [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    words += [] if out is None else ["--out", out]
    return shlex.join(map(str, words))


def _about(outcomes: Outcomes, inference: tuple[InferenceRow, ...]) -> About:
    game, plan, identity = outcomes.game, outcomes.plan, outcomes.folder.identity
    _, pack = game.make_params(**plan.options_of(plan.setups[0]))
    return About(
        title=game.title,
        environment=plan.environment,
        pack=f"{getattr(pack, 'name', 'pack')} {identity.pack}" if identity.pack else "none",
        code=identity.code,
        seed=plan.seed,
        command=command(game, plan),
        written=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        camps=game.camps,
        setups=plan.setups,
        agents=tuple(map(outcomes.label, plan.agents)),
        reference=outcomes.label(plan.reference),
        more=_more(outcomes, inference),
    )


def _more(outcomes: Outcomes, inference: tuple[InferenceRow, ...]) -> Mapping[str, str]:
    """Further lines of the heading."""
    plan = outcomes.plan
    return {
        **{outcomes.label(agent): agent for agent in plan.seated if agent in plan.labels},
        "deals": f"{plan.deals:,} in every cell",
        "roles": ", ".join(plan.roles),
        **({"inference from": f"{plan.inference_games:,} games of every lineup"} if inference else {}),
        **({"strangers": _names(outcomes, plan.held_out)} if HELD_OUT in plan.tables else {}),
        **({"rule-based agents": ", ".join(plan.rule_based)} if plan.rule_based else {}),
        **{name: str(value) for name, value in plan.options.items() if name != "pack"},
    }


def _names(outcomes: Outcomes, agents: Sequence[str]) -> str:
    return ", ".join(map(outcomes.label, agents))


def _bases(outcomes: Outcomes, setup: Setup) -> Iterator[Base]:
    for camp in outcomes.game.camps:
        best = outcomes.best_rule_based(setup, camp)
        rules, whose = (rate(0, 0), "") if best is None else (best.rate, " or ".join(map(outcomes.label, best.agents)))
        yield Base(setup, camp, outcomes.all_random(setup, camp), rules, whose)


def _lineup(outcomes: Outcomes, cell: Cell) -> LineupRow:
    games, camps = outcomes.read(cell), outcomes.game.camps
    agents = dict(zip(camps, map(outcomes.label, cell.camps), strict=True))
    wins = {camp: outcomes.rate(cell, camp) for camp in camps}
    return LineupRow(cell.setup, agents, len(games.block), wins, games.nobody_won)


def _mirrors(outcomes: Outcomes, setup: Setup) -> Iterator[Cell]:
    for agent in outcomes.plan.mirrored:
        yield mirror(outcomes.game, setup, agent)


def _mirror(outcomes: Outcomes, setup: Setup) -> Iterator[LineupRow]:
    for cell in _mirrors(outcomes, setup):
        yield _lineup(outcomes, cell)


def _matrix(outcomes: Outcomes, setup: Setup) -> Iterator[LineupRow]:
    if MATRIX in outcomes.plan.tables:
        for cell in outcomes.matrix(setup):
            yield _lineup(outcomes, cell)


def _deviation_cells(outcomes: Outcomes, setup: Setup) -> Iterator[Cell]:
    game, plan = outcomes.game, outcomes.plan
    if DEVIATION in plan.tables:
        for role, (agent, among) in product(plan.roles, plan.deviations):
            yield deviation(game, setup, role, agent, among)


def _deviations(outcomes: Outcomes, setup: Setup) -> Iterator[SwapRow]:
    for cell in _deviation_cells(outcomes, setup):
        yield from _swap(outcomes, cell, cell.camps[0], cell.camps[0])


def _held_out(outcomes: Outcomes, setup: Setup) -> Iterator[SwapRow]:
    plan = outcomes.plan
    if HELD_OUT in plan.tables:
        for role, agent in product(plan.roles, plan.compared):
            cell = held_out(setup, role, agent, plan.held_out)
            yield from _swap(outcomes, cell, _names(outcomes, plan.held_out), plan.reference)


def _swap(outcomes: Outcomes, cell: Cell, among: str, replaced: str) -> Iterator[SwapRow]:
    """The row of a cell with a role in focus; none for the cell that the gains are measured against."""
    gain, label = outcomes.gain(cell), outcomes.label
    if gain is not None:
        yield SwapRow(
            *(cell.setup, cell.role, outcomes.game.camp_of_role[cell.role]),
            *(label(cell.focus), label(among), label(replaced)),
            *(outcomes.in_focus(cell), outcomes.replaced(cell), gain),
        )


def _scores(outcomes: Outcomes, setup: Setup) -> Iterator[ScoreRow]:
    if outcomes.game.summary.score:
        for cell in (*_mirrors(outcomes, setup), *_deviation_cells(outcomes, setup)):
            games = outcomes.read(cell)
            among = outcomes.label(cell.camps[0])
            lineup = f"{outcomes.label(cell.focus)} among {among}" if cell.role else f"all {among}"
            yield ScoreRow(setup, lineup, len(games.block), spread(games.scores))


def _lengths(outcomes: Outcomes, setup: Setup) -> Iterator[LengthRow]:
    for cell in _mirrors(outcomes, setup):
        games = outcomes.read(cell)
        summary = outcomes.game.summary
        means = {head: float(games.columns[name].astype(np.float64).mean()) for head, name in summary.means.items()}
        lineup = f"all {outcomes.label(cell.camps[0])}"
        yield length_row(setup, lineup, games.columns["decisions"], _happened(outcomes.game, games), means)


def _happened(game: Game, games: CellGames) -> dict[str, Rate]:
    """How often the events of the game's summary happened."""
    found = {}
    for head, name in game.summary.happened.items():
        happened = games.columns[name].astype(np.float64) > 0
        if head in game.summary.among:
            happened = happened[games.columns[game.summary.among[head]].astype(np.bool_)]
        found[head] = rate(int(happened.sum()), len(happened))
    return found


MAKERS: Mapping[str, Callable[[Outcomes, Setup], Iterator[object]]] = {
    "bases": _bases,
    "mirror": _mirror,
    "deviations": _deviations,
    "matrix": _matrix,
    "held_out": _held_out,
    "scores": _scores,
    "lengths": _lengths,
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
        found = fit_ratings(
            *(sides, winner, players, block),
            names=tuple(map(outcomes.label, plan.compared)), camps=game.camps,
            reference=outcomes.label(plan.reference), seed=plan.seed,
        )  # fmt: skip
        return found, ""
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
