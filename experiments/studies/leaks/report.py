"""Runs the leak kit on other libraries' environments: one row of results for each."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from riverbed_env.core.files import write_json
from riverbed_env.errors import OptionError
from riverbed_env.testing.leaks import (
    Channels,
    Follow,
    Leak,
    NoTwinError,
    Report,
    attack,
    gather,
    paired_worlds_test,
    random_moments,
)
from riverbed_lab.files import code_version

from . import openspiel_games, rlcard_games, simultaneous_games
from .cases import Case, Env, in_turn, quiet

Row: TypeAlias = dict[str, Any]

NOTHING = "nothing found"
NOT_INSTALLED = "not installed"
LEAK = "leak"
UNEXPLAINED = "differs, not looked into"
NOT_DRIVEN = "couldn't be driven"
NO_SECRET = "no secret"
STEPS = 12
_ATTACKED_GAMES = 40  # for each game of paired worlds: they take far less time


def all_cases() -> list[Case]:
    """Every environment that was tried, installed or not."""
    return [*rlcard_games.cases(), *simultaneous_games.cases(), *openspiel_games.cases()]


def measure_all(games: int, seed: int, bar: Progress, only: str | None = None) -> list[Row]:
    """A row for each environment, or those with `only` in their name. Raises OptionError if there is none."""
    chosen = [case for case in all_cases() if only is None or only.lower() in case.name.lower()]
    if not chosen:
        raise OptionError(f"no environment has {only!r} in its name")
    task = bar.add_task("searching", total=len(chosen))
    rows = []
    for case in chosen:
        bar.update(task, description=case.name)
        rows.append(measure(case, games, seed))
        bar.advance(task)
    return rows


def measure(case: Case, games: int, seed: int = 0) -> Row:
    """The row of one environment."""
    started = time.perf_counter()
    row: Row = {"name": case.name, "versions": _versions(case), "twin": case.how, "remark": case.remark}
    missing = [name for name, module in case.packages.items() if find_spec(module) is None]
    if missing:
        return {**row, "verdict": NOT_INSTALLED, "said": f"missing: {', '.join(missing)}"}
    if case.make is None:
        return {**row, "verdict": NO_SECRET, "said": case.remark}
    try:
        with quiet():
            row |= _searched(case, games, seed)
    except Exception as error:  # whatever foreign code raises goes into the row
        said = f"{type(error).__name__}: {error}"
        return {**row, "verdict": NOT_DRIVEN, "said": said}
    return {**row, "seconds": round(time.perf_counter() - started, 1)}


def _versions(case: Case) -> dict[str, str]:
    versions = {}
    for name in case.packages:
        with contextlib.suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions


# --- one environment -----------------------------------------------------------------------------------------------


def _searched(case: Case, games: int, seed: int) -> Row:
    """Two searches: by agents that look only in their turn, and by the others, which look out of turn."""
    asked = _search(case, games, seed, in_turn(case.channels()), _asked)
    others = _search(case, games, seed + 1, case.channels(), _others)
    leaks = [("in turn", leak) for leak in asked.leaks] + [("out of turn", leak) for leak in others.leaks]
    return {
        "games": asked.games + others.games,
        "moments": asked.moments + others.moments,
        "twins": asked.compared + others.compared,
        "differed": asked.compared + others.compared - asked.alike - others.alike,
        "decisions": asked.decisions + others.decisions,
        "varied": dict(asked.varied + others.varied),
        "ends": dict(asked.ends + others.ends),
        "told in turn": dict(asked.names()),
        "told out of turn": dict(others.names()),
        **_verdict(case, leaks),
        "drawn": _drawn(case, seed),
        "attack": _attacked(case, games * _ATTACKED_GAMES, seed),
    }


def _search(case: Case, games: int, seed: int, channels: Channels, agents: Callable[[Env], list[str]]) -> Report:
    assert case.make is not None
    assert case.twin is not None
    assert case.knows is not None
    assert case.varied is not None
    with contextlib.suppress(NoTwinError):  # as out of turn, where every agent has been asked
        return paired_worlds_test(
            case.make, case.twin, games=games, seed=seed, agents=agents, channels=channels, moments=case.moments,
            follow=Follow(knows=case.knows, steps=STEPS), varied=case.varied, collect=True,
        )  # fmt: skip
    return Report()


def _asked(env: Env) -> list[str]:
    return [env.agent_selection]


def _others(env: Env) -> list[str]:
    return [agent for agent in env.agents if agent != env.agent_selection]


def _verdict(case: Case, leaks: Sequence[tuple[str, Leak]]) -> Row:
    """A leak only if every difference has been explained as one."""
    if not leaks:
        return {"verdict": NOTHING, "said": ""}
    explained: dict[str, str] = {}
    for when, leak in leaks:
        for name in leak.names:
            words = next(
                (words for (at, key), words in case.explained.items() if at == when and name.startswith(key)), ""
            )
            if not words:
                return {"verdict": UNEXPLAINED, "said": f"{name}, {when}: {leak}"}
            explained.setdefault(words, f"{name}, {when}")
    said = "; ".join(f"{name}: {words}" for words, name in explained.items())
    return {"verdict": LEAK, "said": said, "example": str(leaks[0][1])}


def _drawn(case: Case, seed: int) -> str:
    """Whether the picture shows hidden facts. It is drawn for spectators, so this is no leak."""
    if case.make_drawn is None:
        return ""
    assert case.twin is not None
    assert case.varied is not None
    rng = np.random.default_rng(seed)
    env = case.make_drawn()
    env.reset(seed=seed)
    for _ in random_moments(env, rng, moments=1.0):
        agent = env.agent_selection
        other = case.twin(env, agent, rng)
        if other is not None and case.varied(env, other):
            if not np.array_equal(np.array(env.render()), np.array(other.render())):
                return "render() draws what is hidden from agents: a picture for spectators, not counted"
    return "render() wasn't seen to draw anything hidden"


def _attacked(case: Case, games: int, seed: int) -> dict[str, str]:
    """The result of the statistical attack on each hidden fact with an exact posterior."""
    if case.secrets is None or case.make is None:
        return {}
    if find_spec("sklearn") is None:
        return {"attack": "scikit-learn isn't installed"}
    channels = case.channels().without("form")
    found = gather(case.make, case.secrets, games=games, seed=seed, channels=channels, moments=0.5)
    return {name: str(attack(samples, seed=seed)) for name, samples in found.items()}


# --- what is shown -------------------------------------------------------------------------------------------------


def print_report(rows: Sequence[Row], console: Console) -> None:
    """The table, then remarks and explanations by environment."""
    table = Table(title="Leaks in other libraries' environments, by paired worlds", box=box.SIMPLE_HEAD)
    table.add_column("environment", no_wrap=True)
    for column in ("games", "moments", "twins", "differed", "followed"):
        table.add_column(column, justify="right")
    table.add_column("verdict", min_width=16)
    for row in rows:
        numbers = [row.get(name) for name in ("games", "moments", "twins", "differed", "decisions")]
        leaks = [when for when in ("in turn", "out of turn") if row.get(f"told {when}")]
        verdict = row["verdict"] + (f" ({' and '.join(leaks)})" if leaks else "")
        table.add_row(row["name"], *("–" if number is None else f"{number:,}" for number in numbers), verdict)
    console.print(table)
    for row in rows:
        lines = dict.fromkeys(row.get(name, "") for name in ("said", "example", "drawn", "remark"))
        attacks = (f"attack on {name}: {words}" for name, words in row.get("attack", {}).items())
        text = "".join(f"\n  {line}" for line in (*lines, *attacks) if line)
        if text:
            console.print(row["name"] + text, markup=False, highlight=False, soft_wrap=True)


def write_report(rows: Sequence[Row], out: Path) -> Path:
    """The rows as JSON."""
    path = out / "leaks.json"
    write_json(path, {"code": code_version(), "rows": list(rows)})
    return path


def worth_an_error(rows: Sequence[Row]) -> bool:
    """Whether a difference has no explanation yet."""
    return any(row["verdict"] == UNEXPLAINED for row in rows)
