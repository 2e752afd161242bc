"""The command that trains agents against each other, or best responses to a frozen lineup: `league`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ..cluster import connected, learners
from ..config_files import assignments, build, check_names
from ..extras import need
from .configs import TOML, MinutesOption, OutOption, SetOption, SettingsArgument, carry_out, gather, resumed
from .console import RayOption, console, table
from .train import evaluate_command

if TYPE_CHECKING:
    from ..league.config import LeagueConfig
    from ..training.folder_run import TimeBudget


def league(
    settings: SettingsArgument = None,
    exploit: Annotated[
        str | None,
        typer.Option(
            metavar="LINEUP",
            help="Train best responses to AGENT, AGENT;ROLE=AGENT+AGENT;CAMP=AGENT or the opponents of a TOML file.",
            show_default="none",
        ),
    ] = None,
    set_: SetOption = None,
    minutes: MinutesOption = None,
    ray: RayOption = None,
    out: OutOption = None,
) -> None:
    """Train agents by self-play with past selves and exploiters. Run the same command again to resume.

    With --exploit: train best responses to a frozen lineup, for `--set roles=…` and `--set seeds=N`, and measure gains.
    """
    need("training")
    from ..league.config import LeagueConfig, build_league
    from ..league.league import League
    from ..league.learner import one_after_another
    from ..training.folder_run import TimeBudget

    budget = TimeBudget(minutes)
    folder, resumes = resumed(settings, out, "results/league" if exploit is None else "results/exploit")
    if exploit is not None:
        _exploit(folder, settings, set_, budget, exploit)
        return
    more = {"threads": 1} if ray else {}
    given = _longer(folder, set_) if resumes else build_league(*gather(settings, LeagueConfig, set_, **more))
    config = LeagueConfig.in_folder(folder, given)
    with connected(ray):
        run = carry_out(
            lambda: League(folder, config, learners if ray else one_after_another),
            *(folder, budget, lambda run: run.state.ratings, lambda run, row: _ratings(row)),
        )
    if run is None:
        return
    console.print(f"{run.state.round} rounds; results, ratings and policies are in {folder}", soft_wrap=True)
    for learner in run.mains:
        command = evaluate_command(config.training, run.policy_of(learner), learner.role)
        console.print(command, soft_wrap=True)


def _longer(folder: Path, words: list[str] | None) -> LeagueConfig:
    """The config of the league in the folder, with another number of rounds if one is given."""
    from ..league.config import LeagueConfig

    config = LeagueConfig.in_folder(folder, None)
    changes = assignments(words or [])
    check_names(changes, ("rounds",), f"{folder} is resumed with its own settings: --set")
    return build(type(config), {**config.plain(), **changes}, "--set")


def _ratings(row: Mapping[str, Any]) -> Table | str:
    """A row of ratings as a table."""
    from ..statistics import in_points

    title = f"after {row['round']} rounds: main agents in one seat among others, gain over these in points"
    columns = ("among", "players", "role", "won %", "theirs %", "gain")
    gains = table(*columns, title=f"{title}, 95 % interval", words=("among", "role"))
    for each in row["gains"]:
        gains.add_row(
            *(each["among"], str(each["players"]), each["role"]),
            *(f"{100 * each['won']:.1f}", f"{100 * each['reference']:.1f}"),
            in_points(each["gain"], each["gain_low"], each["gain_high"]),
        )
    return gains if row["gains"] else f"after {row['round']} rounds"


def _exploit(folder: Path, settings: str | None, words: list[str] | None, budget: TimeBudget, lineup: str) -> None:
    """Train best responses in a folder, or go on, and print what they gain. lineup: or a TOML file that names one."""
    from ..league import best_response as best
    from ..statistics import FEWEST_SEEDS

    named = lineup.endswith(TOML)
    more = {} if named else {"opponents": lineup}
    config = best.build_responses(*gather(lineup if named else settings, best.BestResponses, words, **more))
    best.BestResponses.in_folder(folder, config.with_hashes())  # refuses other settings before the folder is locked
    run = carry_out(lambda: best.Exploitation(folder, config), folder, budget)
    if run is None:
        return
    title = f"best responses to {best.lineup_text(config.training)}, 95 % intervals"
    shown = table(*best.HEADINGS, title=title, words=best.HEADINGS[:1])
    for row in run.summary():
        shown.add_row(*best.cells(row))
    console.print(shown)
    if config.seeds < FEWEST_SEEDS:
        console.print(f"An interval over training seeds needs {FEWEST_SEEDS} of them; there are {config.seeds}.")
    console.print(f"wrote {folder / best.ROWS}", soft_wrap=True)
