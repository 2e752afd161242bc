"""Judged games as tables, and a board: one page of results, with strength and failures side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.core.files import read_json
from riverbed_env.errors import OptionError

from ..config_files import read_as
from ..files import frame_of
from ..judging.run import ALL, GROUPS, KIND, RESULT, WITHIN
from ..statistics import in_points
from .model import MINUS, NOTHING, Entries, Entry, Section, Table, Values, points, table
from .report import SUMMARY
from .sections import OUTSIDE_WORDS, inference, outside_line

if TYPE_CHECKING:
    import pandas as pd

WORDS = (
    "What the choices of an agent's seats were worth beside what the reference would have done, in points (hundredths "
    "of a win) a game, best first, with 95 % intervals. Winners are those of the same games, less those of the same "
    "deals with the reference in all open seats."
)
SHOWN = ("games", "games_hash", "seeds", "packs", "version", "code")  # what a board says of each judgement


def judgement(rows: pd.DataFrame) -> Section:
    """What choices were worth: a table for each setup and group of seats, the strongest first."""
    return Section("strength", "strength: what choices were worth", WORDS, tuple(_tables(rows)))


def _tables(rows: pd.DataFrame) -> Iterator[Table]:
    for setup, mine in rows.groupby("setup", sort=False):
        for group in GROUPS:
            some = mine[mine["group"] == group].sort_values("gain", ascending=False, kind="stable")
            if len(some):
                title = f"{setup}, {group if group == ALL else f'by {group}'}"
                yield table(title, map(_line, some.to_dict("records")))


def _line(row: Values) -> Entries:
    return {
        "agent": row["agent"],
        **({} if row["group"] == ALL else {row["group"]: row["name"]}),
        "games": f"{row['games']:,}",
        "choices": f"{row['choices']:,}",
        "gain": points(row, "gain"),
        "winners": points(row, "winners"),
        f"games for ±{100 * WITHIN:g}": _needed(row["needed"], row["games"]),
        "by winners": _needed(row["needed_by_winners"], row["games"]),
    }


def _needed(games: float, there: int) -> Entry:
    """How many games an interval takes, and how many of them are still to be played."""
    if math.isnan(games):
        return Entry(NOTHING)
    return Entry(f"{games:,.0f}", f"{games - there:,.0f} more" if games > there else "enough")


@dataclass(frozen=True)
class Board:
    """What results say: judgements as read, their rows, beliefs, and what evaluations counted of outside players."""

    judgements: tuple[dict[str, Any], ...]
    rows: pd.DataFrame
    beliefs: pd.DataFrame
    outside: pd.DataFrame

    def sections(self) -> list[Section]:
        """The sections of the page, those without results left out."""
        pool = {name: found for each in self.judgements for name, found in each["pool"].items()}
        agents = table("agents", ({"agent": name, "sources": found} for name, found in pool.items()))
        lines = [{"reference": each["settings"]["reference"], **_told(each)} for each in self.judgements]
        words = "The agents whose policies the judge relied on: hashes of their sources, weights included."
        outside = [
            table(str(setup), map(outside_line, lines.to_dict("records")))
            for setup, lines in (self.outside.groupby("setup", sort=False) if len(self.outside) else ())
        ]
        return [
            judgement(self.rows),
            *([Section("failures", "failures and costs", OUTSIDE_WORDS, tuple(outside))] if outside else []),
            *([inference(self.beliefs)] if len(self.beliefs) else []),
            Section("pool", "reference pool", words, (agents, table("judgements", lines))),
        ]

    def ranking(self) -> Iterator[str]:
        """One sentence for each setup: who is how strong, best first."""
        references = ", ".join(dict.fromkeys(each["settings"]["reference"] for each in self.judgements))
        whole = self.rows[self.rows["group"] == ALL].sort_values("gain", ascending=False, kind="stable")
        for setup, rows in whole.groupby("setup", sort=False):
            found = zip(rows["agent"], rows["gain"], rows["gain_low"], rows["gain_high"])
            who = "; ".join(f"{agent} {in_points(*gain)}" for agent, *gain in found).replace("-", MINUS)
            yield f"{setup}: points gained over {references}: {who}."


def _told(judgement: dict[str, Any]) -> dict[str, str]:
    told = {name: judgement[name] for name in SHOWN}
    return {name: ", ".join(map(str, each)) if isinstance(each, list) else str(each) for name, each in told.items()}


def read_board(paths: Sequence[Path]) -> Board:
    """Read judgements and evaluations. Raises OptionError for anything else, and for an agent in two versions."""
    import pandas as pd

    judgements: list[dict[str, Any]] = []
    frames: dict[str, list[pd.DataFrame]] = {"rows": [], "beliefs": [], "outside": []}
    labels, pool = dict[str, str](), dict[str, str]()
    for path in paths:
        files = [path] if path.is_file() else [path / name for name in (RESULT, SUMMARY) if (path / name).is_file()]
        if not files:
            raise OptionError(f"{path} holds no results: no {RESULT}, no {SUMMARY} (riverbed judge or evaluate writes)")
        for file in files:
            read = read_json(file, "result")
            with read_as(file, "result of riverbed judge or evaluate"):
                for name in frames.keys() & read.keys():
                    frames[name] += [frame_of(read[name])] if read[name] else []
                if read.get("kind") == KIND:
                    list(map(_line, frames["rows"][-1].to_dict("records")))
                    judgements.append({name: read[name] for name in (*SHOWN, "settings", "pool")})
                else:
                    labels |= read["plan"]["labels"]
    for name, found in (pair for each in judgements for pair in each["pool"].items()):
        if pool.setdefault(name, found) != found:
            raise OptionError(
                f"the results rely on two versions of {name} ({pool[name]} and {found}): judge again with one"
            )
    if not judgements:
        raise OptionError("a board needs the result of a judgement: riverbed judge GAMES --out FOLDER")
    whole = {name: pd.concat(parts, ignore_index=True) if parts else pd.DataFrame() for name, parts in frames.items()}
    rows = whole.pop("rows")
    return Board(tuple(judgements), rows.assign(agent=rows["agent"].replace(labels)), **whole)
