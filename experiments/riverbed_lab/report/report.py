"""From the rows of an evaluation to its report: the results, the verdict in sentences, the command that repeats it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.files import write_json
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM

from .. import published
from ..evaluation.folder import Folder
from ..evaluation.outcomes import Outcomes, outside_frame
from ..evaluation.ratings import Ratings, fit_ratings
from ..files import records
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, MIRROR, Cell, Plan, matrix, usual_tables
from ..statistics import WORTH_RESOLVING, Difference, deals_needed, detectable
from .learning import Learner, learners

if TYPE_CHECKING:
    import pandas as pd

SUMMARY = "summary.json"
NOBODY = -1  # the winner of a game that no camp won, and the agent of a camp that doesn't play
Whole = npt.NDArray[np.int64]
Values = Mapping[Any, Any]


@dataclass(frozen=True)
class Report:
    """All results of an evaluation. Agents go by their labels.

    cells: see `Outcomes.frame`; roles: the scores of role inference, see `evaluation.roles`; outside: see
    `evaluation.outcomes.outside_frame`; details: what was played, lines of text by name. Frames may be empty.
    """

    title: str
    camps: tuple[str, ...]
    agents: tuple[str, ...]
    reference: str
    random: str
    rule_based: tuple[str, ...]
    cross_play: bool
    details: Mapping[str, str]
    command: str
    cells: pd.DataFrame
    roles: pd.DataFrame
    outside: pd.DataFrame
    ratings: Ratings | None = None
    learners: tuple[Learner, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self, name: str) -> pd.DataFrame:
        """The cells of a table."""
        return self.cells[self.cells["table"] == name]

    def gains(self, table: str) -> pd.DataFrame:
        """The cells of a table in which an agent takes the reference's seat."""
        cells = self.table(table)
        return cells[(cells["replaced"] == self.reference) & cells["gain"].notna()] if "gain" in cells else cells[:0]

    @property
    def compared(self) -> tuple[str, ...]:
        """The agents and the reference."""
        return tuple(dict.fromkeys([*self.agents, self.reference]))


def assemble(
    outcomes: Outcomes, roles: pd.DataFrame | None = None, say: Callable[[str], None] = lambda what: None,
    rated: bool = True,
) -> Report:  # fmt: skip
    """All results of an evaluation, with ratings if `rated`; `say` gets what is being computed."""
    import pandas as pd

    game, plan, label = outcomes.game, outcomes.plan, outcomes.label
    say("the figures of all cells")
    cells, outside = outcomes.frame, outside_frame(outcomes)
    say("the ratings")
    ratings, complaint = _ratings(outcomes) if rated else (None, "")
    made, unread = learners(game, {agent: label(agent) for agent in plan.agents})
    roles = pd.DataFrame() if roles is None else roles
    if len(roles):
        roles = roles.assign(observed=[f"all {label(name.removeprefix('all '))}" for name in roles["observed"]])
    return Report(
        *(game.title, game.camps, tuple(map(label, plan.agents)), label(plan.reference), label(UNIFORM.name)),
        rule_based=tuple(map(label, plan.rule_based)),
        cross_play=plan.cross_play,
        details=_details(outcomes, len(roles) > 0),
        command=command(game, plan),
        cells=cells,
        roles=roles,
        outside=outside,
        ratings=ratings,
        learners=made,
        notes=(*planning_notes(cells), *unread, *([complaint] if complaint else [])),
    )


def write_summary(folder: Folder, report: Report, full: bool = True) -> Path:
    """Write the figures to the evaluation's folder, ratings and inference if `full`; returns the file."""
    summary = {
        **folder.identity.as_plain(),
        "verdict": verdict(report),
        "cells": [_told(line) for line in records(report.cells)],
        "outside": records(report.outside),
    }
    if full:
        summary["ratings"] = None if report.ratings is None else asdict(report.ratings)
        summary["inference"] = [_told(line) for line in records(report.roles)]
    write_json(folder.path / SUMMARY, summary)
    return folder.path / SUMMARY


def _told(line: Values) -> dict[str, Any]:
    return {name: value for name, value in line.items() if value is not None}


def command(game: Game, plan: Plan, out: Path | None = None) -> str:
    """The command that repeats a plan, in a folder if one is given. Options with their default are left out."""
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
    words += [word for name, value in plan.options.items() for word in ("--set", f"{name}={value}")]
    words += ["--one-way"] * plan.one_way + ["--variants"] * (plan.variants != ({},))
    return shlex.join(map(str, words))


def _labelled(plan: Plan, agent: str) -> str:
    return f"{plan.labels[agent]}={agent}" if agent in plan.labels else agent


def _joined(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _details(outcomes: Outcomes, inferred: bool) -> Mapping[str, str]:
    """What was played, by which code, under which seed; lines that say nothing are left out."""
    game, plan, identity = outcomes.game, outcomes.plan, outcomes.folder.identity
    _, pack = game.make_params(**plan.options_of(plan.setups[0]))

    def names(agents: Iterable[str]) -> str:
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
        "inference from": f"{plan.inference_games:,} games of every lineup" if inferred else "",
        "strangers": names(plan.held_out) if HELD_OUT in plan.tables else "",
        "rule-based agents": ", ".join(plan.rule_based),
        **{name: str(value) for name, value in plan.options.items() if name != "pack"},
        "written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    }
    return {name: text for name, text in lines.items() if text}


# --- ratings ----------------------------------------------------------------------------------------------------------


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
        for cell in matrix(game, setup, plan.compared)
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


# --- the verdict ------------------------------------------------------------------------------------------------------


def verdict(report: Report) -> list[str]:
    """Sentences that say what was found: each agent against the reference, setup by setup."""
    swaps = report.gains(DEVIATION)
    swaps = swaps if len(swaps) else report.gains(HELD_OUT)
    sentences = [_of_swaps(lines) for lines in _grouped(swaps, ["setup", "agent"])]
    mirrors = report.table(MIRROR)
    if "score" in mirrors:
        sentences += [_of_scores(lines) for lines in _grouped(mirrors, ["setup"])]
    without = "Whole camps changed hands, single seats didn't: the ratings compare agents by camp"
    if report.ratings is None:
        without = "No agent took another's seat, so these games don't say who is stronger"
    return sentences or [f"{without}; the table deviation compares them seat by seat."]


def planning_notes(cells: pd.DataFrame) -> list[str]:
    """What the gains of each setup are too few deals for; computed from the variance of the paired differences."""
    widest: dict[str, Difference] = {}
    for line in cells[cells["gain"].notna()].to_dict("records") if "gain" in cells else ():
        gain = Difference(line["gain"], line["gain_low"], line["gain_high"], line["games"], int(line["deals"]))
        if line["setup"] not in widest or detectable(gain) > detectable(widest[line["setup"]]):
            widest[line["setup"]] = gain
    return [
        f"{setup}: gains below {detectable(gain):.1f} points can go unnoticed in {gain.blocks:,} deals; about "
        f"{deals_needed(gain, WORTH_RESOLVING):,} deals would show {WORTH_RESOLVING:g} points."
        for setup, gain in widest.items()
        if detectable(gain) > WORTH_RESOLVING
    ]


def _grouped(cells: pd.DataFrame, by: list[str]) -> list[list[Values]]:
    """The lines of the cells with the same values in these columns, in order."""
    return [lines.to_dict("records") for _, lines in cells.groupby(by, sort=False)] if len(cells) else []


def _of_swaps(lines: list[Values]) -> str:
    """The gains of one agent over the reference in one setup, role by role."""
    first = lines[0]
    among = f" among {first['among']}" if first["num_players"] > 1 else ""
    sized = {line["role"]: _sized(line) for line in lines}
    if len(lines) == 1:
        size, _, ends = sized[first["role"]].partition(" ")
        side = f"{size} points {'above' if first['gain'] > 0 else 'below'} {first['replaced']} {ends}"
        told = side if _clear(first) else f"not told apart from {first['replaced']}"
        won = f"{first['agent']} wins {100 * first['won']:.1f} % as {first['role']}{among}"
        return f"{first['setup']}: {won}: {told}."
    parts = {
        "points gained as": [f"{line['role']} {sized[line['role']]}" for line in lines if line["gain_low"] > 0],
        "points lost as": [f"{line['role']} {sized[line['role']]}" for line in lines if line["gain_high"] < 0],
        "not told apart as": [line["role"] for line in lines if not _clear(line)],
    }
    gains = "; ".join(f"{words} {', '.join(roles)}" for words, roles in parts.items() if roles)
    return f"{first['setup']}: {first['agent']} in one seat{among}, against {first['replaced']} there: {gains}."


def _clear(line: Values) -> bool:
    return bool(line["gain_low"] > 0 or line["gain_high"] < 0)


def _sized(line: Values) -> str:
    """The size of a gain or loss with its interval, without signs."""
    low, high = sorted((abs(100 * line["gain_low"]), abs(100 * line["gain_high"])))
    return f"{abs(100 * line['gain']):.1f} ({low:.1f} to {high:.1f})"


def _of_scores(lines: list[Values]) -> str:
    means = [
        f"all {line['agent']} {line['score']:.1f} ({line['score_low']:.1f} to {line['score_high']:.1f})"
        for line in sorted(lines, key=lambda line: -line["score"])
    ]
    return f"{lines[0]['setup']}: mean score of {', '.join(means)}."
