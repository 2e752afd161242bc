"""The command that trains agents against each other, or best responses to a frozen lineup: `league`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import TimeElapsedColumn

from ..config_files import assignments, build, check_names
from ..extras import need
from .configs import MinutesOption, SetOption, SettingsArgument, gather, how_to_resume, resumed
from .console import COMPILING, STEPS_DONE, RayOption, console, errors, progress_bar, table
from .elsewhere import Elsewhere
from .signals import again, set_resume_words
from .train import evaluate_command

if TYPE_CHECKING:
    from ..league.best_response import Exploitation
    from ..league.config import LeagueConfig
    from ..league.league import League, Progress
    from ..ppo import Progress as TrainingProgress
    from ..training.budget import TimeBudget

TOML = ".toml"


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
    out: Annotated[str | None, typer.Option(help="Folder of a new league.", show_default="results/league")] = None,
) -> None:
    """Train agents by self-play with past selves and exploiters. Run the same command again to resume.

    With --exploit: train best responses to a frozen lineup, for `--set roles=…` and `--set seeds=N`, and measure gains.
    """
    need("training")
    from ..league.config import LeagueConfig, build_league
    from ..training.budget import TimeBudget

    budget = TimeBudget(minutes)
    place, resumes = resumed(settings, out, "results/league" if exploit is None else "results/exploit")
    if exploit is not None:
        _exploit(Path(place), settings, set_, budget, exploit)
        return
    values = None if resumes else gather(settings, LeagueConfig, set_, **({"threads": 1} if ray else {}))
    chosen = _resumed(Path(place), set_) if values is None else build_league(*values)
    _league(Path(place), chosen, budget, Elsewhere(ray))


def _resumed(out: Path, words: list[str] | None) -> LeagueConfig:
    """The config of the league in the folder, with another number of rounds if one is given."""
    from ..league.league import config_for

    config = config_for(out, None)
    changes = assignments(words or [])
    check_names(changes, ("rounds",), f"{out} is resumed with its own settings: --set")
    return build(type(config), {**config.plain(), **changes}, "--set")


def _league(out: Path, config: LeagueConfig, budget: TimeBudget, place: Elsewhere) -> None:
    from ..league.league import CONFIG, STATE, League, config_for
    from ..locks import locked

    config_for(out, config)  # refuses a folder with another league before it is locked
    set_resume_words(lambda: how_to_resume(out, CONFIG, STATE, "the finished parts of the round are"))
    with place.connected(), locked(out):
        with errors.status(COMPILING):
            playing = League(out, config, place.learners())
        if playing.state.round or playing.state.finished:
            console.print(f"resuming {out} after {playing.state.round} rounds")
        _play_with_bar(playing, budget)
    if not playing.is_finished:
        console.print(f"time is up after {playing.state.round} rounds; resume with: {again()}", soft_wrap=True)
        return
    console.print(f"{playing.state.round} rounds; results, ratings and policies are in {out}", soft_wrap=True)
    for learner in playing.mains:
        command = evaluate_command(playing.config.training, playing.policy_of(learner), learner.role)
        console.print(command, soft_wrap=True)


def _play_with_bar(playing: League, budget: TimeBudget) -> None:
    """Play the rounds, and print every row of ratings."""
    config, learners, each = playing.config, len(playing.learners), playing.config.steps_played
    parts = playing.state.round * learners + len(playing.state.finished)
    with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
        task = bar.add_task("league", total=config.rounds * learners * each, completed=parts * each)

        def watch(progress: Progress) -> None:
            if progress.learner is not None:
                doing = f"round {progress.round + 1} of {config.rounds}: {progress.learner}"
                bar.update(task, advance=progress.steps, description=doing)
            elif progress.ratings is not None:
                _print_ratings(progress.ratings)

        playing.run(watch, budget)


def _print_ratings(row: Mapping[str, Any]) -> None:
    """Print a row of ratings, if there are any."""
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
    if row["gains"]:
        console.print(gains)


def _exploit(out: Path, settings: str | None, words: list[str] | None, budget: TimeBudget, lineup: str) -> None:
    """Train best responses in a folder, or go on, and print what they gain. lineup: or a TOML file that names one."""
    from ..league.best_response import BestResponses, Exploitation, build_responses
    from ..locks import locked

    named = lineup.endswith(TOML)
    more = {} if named else {"opponents": lineup}
    config = build_responses(*gather(lineup if named else settings, BestResponses, words, **more))
    Exploitation(out, config)  # refuses a folder with other settings before it is locked
    set_resume_words(lambda: f"finished learners and the last checkpoint are kept in {out}; resume with: {again()}")
    with locked(out):
        exploitation = Exploitation(out, config)
        _exploit_with_bar(exploitation, budget)
    if exploitation.is_finished:
        _print_robustness(exploitation)
    else:
        console.print(f"time is up; resume with: {again()}", soft_wrap=True)


def _exploit_with_bar(exploitation: Exploitation, budget: TimeBudget) -> None:
    each, todo = exploitation.config.training.steps_played, exploitation.todo
    with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
        task = bar.add_task("compiling the rules and agents", total=each * len(todo))

        def watch(role: str, seed: int, progress: TrainingProgress) -> None:
            steps = todo.index((role, seed)) * each + progress.steps
            won = f"won {100 * progress.won:.1f} %" if progress.won >= 0 else "training"
            bar.update(task, completed=steps, description=f"{role}, seed {seed}: {won}")

        exploitation.run(watch, budget)


def _print_robustness(exploitation: Exploitation) -> None:
    from ..league.best_response import HEADINGS, ROWS, cells, lineup_text, notes

    out = exploitation.folder
    title = f"best responses to {lineup_text(exploitation.config.training)}, 95 % intervals"
    shown = table(*HEADINGS, title=title, words=HEADINGS[:1])
    for row in exploitation.summary():
        shown.add_row(*cells(row))
    console.print(shown)
    for note in notes(exploitation):
        console.print(note)
    console.print(f"wrote {out / ROWS}", soft_wrap=True)
