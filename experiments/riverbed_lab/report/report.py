"""From the rows of an evaluation to its report: the results, the verdict in sentences, the command that repeats it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.core.files import write_json
from riverbed_env.core.game import Game

from .. import published
from ..evaluation.folder import Folder
from ..evaluation.outcomes import Outcomes, outside_frame
from ..files import records
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, MIRROR, Plan, usual_tables
from ..statistics import WORTH_RESOLVING, Difference, deals_needed, detectable
from .learning import Learner, learners

if TYPE_CHECKING:
    import pandas as pd

SUMMARY = "summary.json"
Values = Mapping[Any, Any]

LEFT_OUT = "Wins and gains leave out games in which chance chose for a player from outside; failures and costs don't."


@dataclass(frozen=True)
class Report:
    """All results of an evaluation. Agents go by their labels.

    cells: see `Outcomes.frame`; outside: see `evaluation.outcomes.outside_frame`; details: what was played, lines of
    text by name. Frames may be empty.
    """

    title: str
    camps: tuple[str, ...]
    agents: tuple[str, ...]
    reference: str
    cross_play: bool
    details: Mapping[str, str]
    command: str
    cells: pd.DataFrame
    outside: pd.DataFrame
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


def assemble(outcomes: Outcomes) -> Report:
    """All results of an evaluation."""
    game, plan, label = outcomes.game, outcomes.plan, outcomes.label
    cells, outside = outcomes.frame, outside_frame(outcomes)
    made, unread = learners(game, {agent: label(agent) for agent in plan.agents})
    return Report(
        *(game.title, game.camps, tuple(map(label, plan.agents)), label(plan.reference)),
        cross_play=plan.cross_play,
        details=_details(outcomes),
        command=command(game, plan),
        cells=cells,
        outside=outside,
        learners=made,
        notes=(*planning_notes(cells), *unread, *([LEFT_OUT] if outcomes.unrepaired else [])),
    )


def write_summary(folder: Folder, report: Report) -> Path:
    """Write the figures to the evaluation's folder; returns the file."""
    lists = {
        name: [{key: value for key, value in line.items() if value is not None} for line in records(frame)]
        for name, frame in (("cells", report.cells), ("outside", report.outside))
    }
    write_json(folder.path / SUMMARY, {**folder.identity.as_plain(), "verdict": verdict(report), **lists})
    return folder.path / SUMMARY


def command(game: Game, plan: Plan, out: Path | None = None) -> str:
    """The command that repeats a plan, in a folder if one is given. Options with their default are left out."""
    tables = usual_tables(game, bool(plan.held_out), plan.one_way)
    given: dict[str, tuple[object, object]] = {
        "--roles": (plan.roles, game.roles),
        "--tables": (plan.tables, tables),
        "--held-out": (plan.held_out, published.installed(game, published.HELD_OUT)),
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


def _details(outcomes: Outcomes) -> Mapping[str, str]:
    """What was played, by which code; lines that say nothing are left out."""
    identity = outcomes.folder.identity
    told = {
        **{name.replace("_", " "): _in_words(value) for name, value in vars(outcomes.plan).items()},
        "content pack": identity.pack,
        "code": identity.code,
        "written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    }
    return {name: text for name, text in told.items() if text}


def _in_words(value: object) -> str:
    """A field of a plan; "" if it is off or empty."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} is {each}" for name, each in value.items())
    if isinstance(value, tuple):
        return ", ".join(filter(None, map(_in_words, value)))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value or "")


# --- the verdict ------------------------------------------------------------------------------------------------------


def verdict(report: Report) -> list[str]:
    """Sentences that say what was found: each agent against the reference, setup by setup."""
    swaps = next(
        (found for name in (DEVIATION, HELD_OUT, MATRIX) if len(found := report.gains(name))), report.cells[:0]
    )
    sentences = [_of_swaps(lines) for _, lines in grouped(swaps, "setup", "agent")]
    mirrors = report.table(MIRROR)
    if "score" in mirrors:
        sentences += [_of_scores(lines) for _, lines in grouped(mirrors, "setup")]
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


def grouped(frame: pd.DataFrame, *by: str) -> Iterator[tuple[Any, list[Values]]]:
    """The lines of a frame with the same values in some columns, in order."""
    for name, lines in frame.groupby(list(by), sort=False) if len(frame) else ():
        yield name if len(by) > 1 else name[0], lines.to_dict("records")


def _of_swaps(lines: list[Values]) -> str:
    """The gains of one agent over the reference in one setup, role by role or camp by camp."""
    first, where = lines[0], "one seat" if lines[0]["role"] else "a whole camp"
    lines = [{**line, "role": line["role"] or line["camp"]} for line in lines]
    among = f" among {first['among']}" if first["num_players"] > 1 else ""
    parts = {
        "points gained as": [f"{line['role']} {_sized(line)}" for line in lines if line["gain_low"] > 0],
        "points lost as": [f"{line['role']} {_sized(line)}" for line in lines if line["gain_high"] < 0],
        "not told apart as": [line["role"] for line in lines if line["gain_low"] <= 0 <= line["gain_high"]],
    }
    gains = "; ".join(f"{words} {', '.join(roles)}" for words, roles in parts.items() if roles)
    return f"{first['setup']}: {first['agent']} in {where}{among}, against {first['replaced']} there: {gains}."


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
