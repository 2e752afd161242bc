"""Run the leak kit on other libraries' hidden-information games and print the results.

python experiments/studies leaks --games 30
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np
import typer

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
)  # fmt: skip
from riverbed_lab.cli.console import console, progress_bar
from riverbed_lab.files import code_version, writable_folder
from riverbed_lab.speed.peers import known_noise_silenced

from ..kit import Seed, print_table
from . import openspiel_games, pettingzoo_games
from .cases import Case, Env

Row: TypeAlias = dict[str, Any]

NOTHING = "nothing found"
NOT_INSTALLED = "not installed"
LEAK = "leak"
UNEXPLAINED = "differs, unexplained"
NOT_DRIVEN = "the search failed"
STEPS = 12
ATTACKED_GAMES = 40  # games of the attack per game of paired worlds, which takes far longer


def main(
    games: Annotated[int, typer.Option(min=1, help="Games of each of an environment's two searches.")] = 30,
    seed: Seed = 0,
    only: Annotated[str, typer.Option(help="Only environments with this in their name.")] = "",
    out: Annotated[Path | None, typer.Option(help="Write the rows as JSON to this folder.")] = None,
) -> None:
    """Run the leak kit on other libraries' hidden-information games."""
    chosen = [case for case in all_cases() if only.lower() in case.name.lower()]
    if not chosen:
        raise OptionError(f"no environment has {only!r} in its name")
    if out is not None:
        writable_folder(out)
    with progress_bar() as bar:
        rows = [measure(case, games, seed) for case in bar.track(chosen, description="searching")]
    print_report(rows)
    if out is not None:
        write_json(out / "leaks.json", {"code": code_version(), "rows": rows})
        console.print(f"wrote {out / 'leaks.json'}")
    if any(row["verdict"] == UNEXPLAINED for row in rows):
        sys.exit(1)


def all_cases() -> list[Case]:
    """Every environment of the study, installed or not."""
    return [*pettingzoo_games.cases(), *openspiel_games.cases()]


def measure(case: Case, games: int, seed: int = 0) -> Row:
    """The row of one environment."""
    started = time.perf_counter()
    row: Row = {"name": case.name, "twin": case.how, "remark": case.remark}
    missing = [name for name, module in case.packages.items() if find_spec(module) is None]
    if missing:
        return {**row, "verdict": NOT_INSTALLED, "said": f"missing: {', '.join(missing)}"}
    row["versions"] = {name: version(name) for name in case.packages}
    try:
        with known_noise_silenced():
            row |= _searched(case, games, seed)
    except Exception as error:  # record any error that foreign code raises
        return {**row, "verdict": NOT_DRIVEN, "said": f"{type(error).__name__}: {error}"}
    return {**row, "seconds": round(time.perf_counter() - started, 1)}


def _searched(case: Case, games: int, seed: int) -> Row:
    """Two searches: what the acting agent receives, and what the other agents receive meanwhile."""
    asked = _search(case, games, seed, _in_turn(case.channels()), lambda env: [env.agent_selection])
    others = _search(
        case, games, seed + 1, case.channels(), lambda env: [each for each in env.agents if each != env.agent_selection]
    )
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
        "attack": _attacked(case, games * ATTACKED_GAMES, seed),
    }


def _in_turn(channels: Channels) -> Channels:
    """The same channels, but empty for agents that aren't acting."""

    def asked_only(channel: Callable[[Env, str], Any]) -> Callable[[Env, str], Any]:
        return lambda env, agent: channel(env, agent) if env.agent_selection == agent else None

    return Channels({name: asked_only(channel) for name, channel in channels.functions.items()}, channels.decoders)


def _search(case: Case, games: int, seed: int, channels: Channels, agents: Callable[[Env], list[str]]) -> Report:
    with contextlib.suppress(NoTwinError):  # as for the others, where all agents act at once
        return paired_worlds_test(
            case.make, case.twin, games=games, seed=seed, agents=agents, channels=channels, moments=case.moments,
            follow=Follow(knows=case.knows, steps=STEPS), varied=case.varied, collect=True,
        )  # fmt: skip
    return Report()


def _verdict(case: Case, leaks: Sequence[tuple[str, Leak]]) -> Row:
    """The verdict: a leak only if the case explains every difference."""
    if not leaks:
        return {"verdict": NOTHING, "said": ""}
    explained: dict[str, str] = {}
    for when, leak in leaks:
        for name in leak.names:
            known = (words for (at, key), words in case.explained.items() if at == when and name.startswith(key))
            words = next(known, "")
            if not words:
                return {"verdict": UNEXPLAINED, "said": f"{name}, {when}: {leak}"}
            explained.setdefault(words, f"{name}, {when}")
    said = "; ".join(f"{name}: {words}" for words, name in explained.items())
    return {"verdict": LEAK, "said": said, "example": str(leaks[0][1])}


def _drawn(case: Case, seed: int) -> str:
    """Whether `render` shows hidden facts. It is for spectators, so that is no leak."""
    if case.make_drawn is None:
        return ""
    rng = np.random.default_rng(seed)
    env = case.make_drawn()
    env.reset(seed=seed)
    for _ in random_moments(env, rng, moments=1.0):
        other = case.twin(env, env.agent_selection, rng)
        if other is not None and case.varied(env, other):
            if not np.array_equal(np.array(env.render()), np.array(other.render())):
                return "render() draws facts that are hidden from agents; it is for spectators and not counted"
    return "render() drew nothing hidden"


def _attacked(case: Case, games: int, seed: int) -> dict[str, str]:
    """The result of the statistical attack on each hidden fact with an exact posterior."""
    if case.secrets is None:
        return {}
    if find_spec("sklearn") is None:
        return {"attack": "scikit-learn isn't installed"}
    channels = case.channels().without("form")
    samples = gather(case.make, case.secrets, games=games, seed=seed, channels=channels, moments=0.5)
    return {name: str(attack(each, seed=seed)) for name, each in samples.items()}


def print_report(rows: Sequence[Row]) -> None:
    """Print the table, then the remarks and explanations for each environment."""
    columns = ("games", "moments", "twins", "differed", "decisions")
    lines = []
    for row in rows:
        leaks = [when for when in ("in turn", "out of turn") if row.get(f"told {when}")]
        verdict = row["verdict"] + (f" ({' and '.join(leaks)})" if leaks else "")
        lines.append((row["name"], *("–" if name not in row else f"{row[name]:,}" for name in columns), verdict))
    print_table("Leaks in other libraries' environments", ("environment", *columns, "verdict"), lines, left=(0, 6))
    for row in rows:
        said = dict.fromkeys(row.get(name, "") for name in ("said", "example", "drawn", "remark"))
        attacks = (f"attack on {name}: {words}" for name, words in row.get("attack", {}).items())
        text = "".join(f"\n  {line}" for line in (*said, *attacks) if line)
        if text:
            console.print(row["name"] + text, soft_wrap=True)
