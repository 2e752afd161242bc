"""The board: what the agents of a folder of result files reach in each track, as tables and a figure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from ..report.figures import OWN, Group, Line, Row, draw_lines, draw_rows
from ..report.model import NOTHING, Picture, Section, signed, table
from .results import Result, best_of, read_result
from .score import Cell, Estimate, improvement, profile
from .tracks import benchmark, frozen

OVER = "rule_based"  # of the probability of improvement
PARTNERS = "partners"  # the track that also shows the best known gains, which say how far a partner can be helped
LEVELS = [level / 4 for level in range(-4, 5)]  # normalised gains at which performance profiles are drawn


def read_board(folder: Path) -> list[Result]:
    """The results of a folder, the best in `roles` first. Raises OptionError if one doesn't fit, or there is none."""
    results = [read_result(path) for path in sorted(folder.glob("*.json"))]
    if not results:
        raise OptionError(f"{folder} holds no results (*.json) of riverbed bench")
    for name, times in Counter(result.agent for result in results).items():
        if times > 1:
            raise OptionError(f"{folder} has {times} results of agents called {name}: give each its own label")
    return sorted(results, key=lambda each: -found.normalised.value if (found := each.score("roles")) else math.inf)


def board(results: Sequence[Result]) -> Section:
    """All tracks in one table, a table of each track, and a figure of the tracks with one seat."""
    words = (
        "A score is the interquartile mean of the gains of all cells, each divided by the best known gain: 0 is as "
        "good as the agent replaced, 1 as the best known. The track response has the mean gain of learners that were "
        "trained against the agent, in points, and exact the mean NashConv of small rivers: the lower the better, but "
        "where nobody wins there is little to gain. Intervals are 95 %."
    )
    tables = [table("All tracks", [_line(result) for result in results])]
    for name, track in benchmark().tracks.items():
        lines = list(_track_lines(name, results))
        tables += [table(f"Track {name}: {track.about}", lines)] if lines else []
        if lines and name == PARTNERS:
            tables.append(table("Best known gains in points, and who reached them", list(_best_known())))
    scored = [name for name, track in benchmark().tracks.items() if track.is_scored]
    pictures = [picture for name in scored for draw in (_picture, _profiles) if (picture := draw(name, results))]
    return Section("board", "the board", words, tuple(tables), tuple(pictures))


def _line(result: Result) -> dict[str, Any]:
    """An agent's line: a score for each track."""
    line: dict[str, Any] = {"agent": result.agent, "budget": result.budget}
    for name, track in benchmark().tracks.items():
        found = result.score(name)
        line[name] = NOTHING
        if found:
            line[name] = _shown(found.normalised) if track.is_scored else _shown(found.points, 1, 100)
        elif track.seats == "exact" and result.nash_conv is not None:
            line[name] = f"{result.nash_conv:.3f}"
    return line


def _shown(estimate: Estimate, digits: int = 2, scale: float = 1.0) -> str:
    """A figure with its interval."""
    value, low, high = (signed(scale * each, digits) for each in (estimate.value, estimate.low, estimate.high))
    return f"{value} ({low} to {high})"


def _track_lines(name: str, results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """The lines of a track's table: points, the worst cell, and what only this track has."""
    track = benchmark().tracks[name]
    base = next((result.tracks[name].cells for result in results if result.agent == OVER and name in result.tracks), ())
    for result in results:
        found, played = result.score(name), result.tracks.get(name)
        if played is not None and played.exact:
            yield {"agent": result.agent, **dict(each for row in played.exact for each in _solved(row))}
        if found is None or played is None:
            continue
        line: dict[str, Any] = {"agent": result.agent}
        if track.is_scored:
            if track.seats == "role" and track.over == OVER:  # the entrant takes its place, where it gains nothing
                base = tuple(replace(cell, differences=((0.0, 1),)) for cell in played.cells)
            better = improvement(played.cells, base) if len(base) == len(played.cells) else None
            line |= {
                "score": _shown(found.normalised),
                "points": _shown(found.points, 1, 100),
                "worst": _shown(found.worst, 1, 100),
                f"P(better than {OVER})": NOTHING if better is None else f"{better:.2f}",
            }
        else:
            line["points"] = _shown(found.points, 1, 100)
            line |= {cell.seat: signed(100 * cell.gain, 1) for cell in played.cells}
        trained = result.score(name, trained=True)
        if trained is not None:
            line["points on training packs"] = _shown(trained.points, 1, 100)
        if played.seeds:
            line["among other seeds"] = signed(100 * sum(cell.gain for cell in played.seeds) / len(played.seeds), 1)
        yield {**line, "s": f"{played.seconds:,.0f}"}


def _solved(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the tree of a small game says: the sum of the seats' gains, what a camp could gain together, and draws."""
    joint = max((each["low"] for each in row.get("camps", {}).values()), default=0.0)
    yield row["game"], f"{row['nash_conv']:.4f}"
    yield f"{row['game']}: a camp", f"{joint:.3f}"
    yield f"{row['game']}: nobody wins", f"{100 * row.get('wins', {}).get('nobody', 0.0):.0f} %"


def _best_known() -> Iterator[dict[str, str]]:
    """A line for each partner: the best gain of each role that is frozen."""
    track, best = benchmark().tracks[PARTNERS], frozen().best[PARTNERS]
    for lineup, players in product(track.lineups, track.players):
        cells = [Cell(lineup, players, role, 0.0, 0.0, ()) for role in find_game(benchmark().game).roles]
        known = [(cell.seat, *best[cell.name]) for cell in cells if cell.name in best]
        yield {"partner": lineup, **{role: f"{signed(100 * gain, 1)} {who}" for role, gain, who in known}}


def _picture(name: str, results: Sequence[Result]) -> Picture | None:
    """The scores of a track; None if nobody has one."""
    scores = [(result.agent, found.normalised) for result in results if (found := result.score(name))]
    if not scores:
        return None
    rows = [Row(agent, each.value, each.low, each.high, signed(each.value, 2)) for agent, each in scores]
    title, words = f"Track {name}", f"{benchmark().tracks[name].about}; normalised gains, 95 %"
    return Picture(title, words, partial(draw_rows, [Group(name, OWN, rows)], "normalised gain"))


def _profiles(name: str, results: Sequence[Result]) -> Picture | None:
    """The performance profiles of a track, a curve an agent; None if nobody has played it."""
    played = [(result.agent, result.tracks[name].cells) for result in results if name in result.tracks]
    lines = [
        Line(agent, f"C{number % 10}", LEVELS, *profile(cells, best_of(name, cells), LEVELS))
        for number, (agent, cells) in enumerate(played)
        if cells
    ]
    words = "the share of cells in which an agent's normalised gain is above a level, 95 %"
    across, label = "normalised gain", "share of cells above it"
    return Picture(f"Track {name}: profiles", words, partial(draw_lines, lines, across, label)) if lines else None
