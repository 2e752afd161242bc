"""Commands that train agents against each other and against frozen lineups: `league` and `exploit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.progress import TimeElapsedColumn
from rich.table import Table

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from ..extras import need
from .console import (
    DEFAULT_GAME,
    NONE,
    STEPS_DONE,
    CountsOption,
    GameOption,
    PackOption,
    SetOption,
    ThreadsOption,
    console,
    errors,
    progress_bar,
)
from .signals import again, goes_on
from .train import (
    CheckpointEvery,
    EvaluateEvery,
    EvaluationGames,
    FeaturesOption,
    LearnerSeed,
    NumEnvsOption,
    PPOOption,
    learner_settings,
    what_is_kept,
)

if TYPE_CHECKING:
    from ..league.best_response import BestResponses, Exploitation
    from ..league.config import LeagueConfig
    from ..league.pool import Learner
    from ..league.run import League, Progress
    from ..training.config import TrainingConfig
    from ..training.run import Progress as Done

ALL = "all"
PLAIN = ("simple", "random")  # anchors beside the reference, where the game has them

AdviceOption = Annotated[
    str | None,
    typer.Option("--advice", help="The agent whose choice learners are told, or none; the strongest."),
]


def league(
    game: GameOption = DEFAULT_GAME,
    players: CountsOption = None,
    policies: Annotated[
        str, typer.Option("--policies", help="shared: one network for all roles; per_role: one for each.")
    ] = "shared",
    anchors: Annotated[
        str | None, typer.Option("--anchors", help="Agents that never leave the pools; the reference, simple, random.")
    ] = None,
    exploiters: Annotated[
        str, typer.Option("--exploiters", help="Roles of exploiters, like chief,leader; all, or none.")
    ] = ALL,
    reference: Annotated[
        str | None, typer.Option("--reference", help="Whom ratings stand beside; the strongest rule-based agent.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="Rounds in all, 100; with --resume a league can be made longer.")
    ] = None,
    steps_per_round: Annotated[
        int | None, typer.Option("--steps-per-round", help="Decisions each learner learns from in a round.")
    ] = None,
    seed: LearnerSeed = 0,
    features: FeaturesOption = None,
    advice: AdviceOption = None,
    num_envs: NumEnvsOption = None,
    evaluation_games: Annotated[
        int | None, typer.Option("--evaluation-games", help="Deals of each role's gain over the reference.")
    ] = None,
    set_league: Annotated[
        list[str] | None,
        typer.Option("--league", help="A setting of the league, like weighting=even; may be repeated."),
    ] = None,
    set_ppo: PPOOption = None,
    threads: ThreadsOption = 0,
    pack: PackOption = None,
    set_: SetOption = None,
    out: Annotated[Path, typer.Option("--out", help="Folder of the league.")] = Path("results/league"),
    resume: Annotated[
        bool, typer.Option("--resume", help="Take up the league in the folder, with its settings.")
    ] = False,
) -> None:
    """Train agents by self-play in a league with past selves and exploiters; one broken off goes on with --resume."""
    from ..league.config import LeagueConfig, read_league_settings
    from ..training.defaults import default_opponent

    need("training")
    if resume:
        _league(out, _longer(out, rounds))
        return
    chosen = find_game(game)
    measured = reference or default_opponent(chosen)
    training = learner_settings(
        chosen,
        players=players,
        reference=measured,
        features=features,
        advice=advice,
        threads=threads,
        pack=pack,
        set_=set_,
        set_ppo=set_ppo,
        seed=seed,
        num_envs=num_envs,
        evaluation_games=evaluation_games,
    )
    named: dict[str, Any] = {"rounds": rounds, "steps_per_round": steps_per_round}
    config = LeagueConfig(
        training,
        policies=policies,
        anchors=_anchors(chosen, measured) if anchors is None else tuple(anchors.split(",")),
        exploiters=_roles(exploiters, training),
        **{name: value for name, value in named.items() if value is not None},
    )
    _league(out, read_league_settings(config, set_league or []))


def _anchors(game: Game, reference: str) -> tuple[str, ...]:
    from riverbed_env.players.installed import agent_names

    there = agent_names(game.name)
    return tuple(dict.fromkeys([reference, *(name for name in PLAIN if name in there)]))


def _roles(words: str, training: TrainingConfig) -> tuple[str, ...]:
    """The roles of `all`, `none` or a list."""
    from ..league.config import every_role

    if words == ALL:
        return every_role(training.checked())
    return () if words == NONE else tuple(words.split(","))


def _longer(out: Path, rounds: int | None) -> LeagueConfig | None:
    """The settings of the league in the folder with another number of rounds, None for as many as before."""
    if rounds is None:
        return None
    from ..league.config import load_league_config
    from ..league.run import CONFIG

    if not (out / CONFIG).exists():
        raise OptionError(f"{out} holds no league that could be taken up: {out / CONFIG} is missing")
    return replace(load_league_config(out / CONFIG), rounds=rounds)


def _league(out: Path, config: LeagueConfig | None) -> None:
    from ..league.run import settle
    from ..locks import locked

    settle(out, config)
    goes_on(lambda: _kept(out))
    with locked(out):
        _play_league(out, config)


def _kept(out: Path) -> str:
    """How a league that is broken off goes on."""
    from ..league.run import CONFIG, STATE

    return what_is_kept(out, CONFIG, STATE, "the learners that are done with the round are")


def _play_league(out: Path, config: LeagueConfig | None) -> None:
    from ..league.run import League

    with errors.status("compiling the rules and agents (about a minute the first time, then kept)"):
        found = League(out, config)
    if found.state.round or found.state.finished:
        console.print(f"taking up {out} after {found.state.round} rounds", highlight=False)
    rounds, learners = found.config.rounds, len(found.learners)
    with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
        each = found.config.steps_per_round
        task = bar.add_task(
            "league",
            total=rounds * learners * each,
            completed=(found.state.round * learners + len(found.state.finished)) * each,
        )

        def watch(progress: Progress) -> None:
            if progress.learner is not None:
                bar.update(
                    task,
                    advance=progress.steps,
                    description=f"round {progress.round + 1} of {rounds}: {progress.learner}",
                )
                return
            bar.update(task, completed=progress.round * learners * each)
            if progress.ratings is not None:
                _tell(found, progress.ratings)

        found.run(watch)
    _tell_end(found)


def _tell(found: League, row: Mapping[str, Any]) -> None:
    """A row of ratings as two tables."""
    from ..statistics import in_points

    title = f"after {row['round']} rounds"
    if row["strengths"]:
        camps = list(dict.fromkeys(each["camp"] for each in row["strengths"]))
        table = Table(title=f"{title}: strength in log odds beside {row['reference']}, 95 % interval", box=box.SIMPLE)
        table.add_column("agent")
        for camp in camps:
            table.add_column(camp, justify="right")
        for name in dict.fromkeys(each["agent"] for each in row["strengths"]):
            by_camp = {each["camp"]: each for each in row["strengths"] if each["agent"] == name}
            table.add_row(name, *(_strength(by_camp[camp]) if camp in by_camp else "–" for camp in camps))
        console.print(table)
    elif row["no_strengths"]:
        console.print(f"{title}: no strengths by camp: {row['no_strengths']}", highlight=False)
    if row["gains"]:
        heading = f"{title}: main agents in one seat among {row['reference']}, points beside it, 95 % interval"
        table = Table(title=heading, box=box.SIMPLE)
        for name in ("players", "role", "won %", row["reference"], "gain"):
            table.add_column(name, justify="left" if name == "role" else "right")
        for each in row["gains"]:
            table.add_row(
                str(each["players"]),
                each["role"],
                f"{100 * each['won']:.1f}",
                f"{100 * each['reference']:.1f}",
                in_points(each["gain"], each["gain_low"], each["gain_high"]),
            )
        console.print(table)


def _strength(each: Mapping[str, Any]) -> str:
    return f"{each['value']:+.2f} ({each['low']:+.2f} to {each['high']:+.2f})"


def _tell_end(found: League) -> None:
    console.print(f"{found.state.round} rounds; results, ratings and policies are in {found.folder}", soft_wrap=True)
    for learner in found.mains:
        console.print(_how_to_evaluate(found, learner), soft_wrap=True, highlight=False)


def _how_to_evaluate(found: League, learner: Learner) -> str:
    """The command that compares a main agent with the reference."""
    config, file = found.config.training, found.policy_of(learner)
    game = "" if found.game.id == DEFAULT_GAME else f" --game {found.game.id}"
    more = f"{game} --players {','.join(map(str, config.counts()))}"
    if len(found.game.camps) == 1:
        return f"riverbed benchmark --agent {file} --others {config.reference}{more}"
    role = "" if learner.role is None else f" --roles {learner.role}"
    return f"riverbed evaluate {file}{more}{role} --reference {config.reference}"


def exploit(
    lineup: Annotated[str, typer.Argument(help="The frozen lineup: AGENT, or ROLE=AGENT+AGENT;CAMP=AGENT.")],
    role: Annotated[str, typer.Option("--role", help="Learners' roles, like chief,leader, or all.")],
    game: GameOption = DEFAULT_GAME,
    players: CountsOption = None,
    steps: Annotated[int, typer.Option("--steps", help="The budget: decisions each learner learns from.")] = 1_000_000,
    seeds: Annotated[int, typer.Option("--seeds", help="Learners of each role, each with a seed of its own.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the first learner; the others' follow.")] = 0,
    games: Annotated[int, typer.Option("--games", help="Deals that each learner is measured on at the end.")] = 4000,
    features: FeaturesOption = None,
    advice: AdviceOption = None,
    num_envs: NumEnvsOption = None,
    evaluate_every: EvaluateEvery = None,
    evaluation_games: EvaluationGames = None,
    checkpoint_every: CheckpointEvery = None,
    set_ppo: PPOOption = None,
    threads: ThreadsOption = 0,
    pack: PackOption = None,
    set_: SetOption = None,
    out: Annotated[Path, typer.Option("--out", help="Folder of the runs and the table.")] = Path("results/exploit"),
) -> None:
    """Train best responses to a frozen lineup and measure their gain; the same command goes on where it stopped."""
    from ..league.best_response import BestResponses
    from ..training.config import read_opponents
    from ..training.defaults import default_opponent

    need("training")
    chosen = find_game(game)
    against = read_opponents([lineup], chosen, lineup)
    training = learner_settings(
        chosen,
        players=players,
        reference=default_opponent(chosen),  # who advises; a learner is compared with whom the lineup has in its seat
        features=features,
        advice=advice,
        threads=threads,
        pack=pack,
        set_=set_,
        set_ppo=set_ppo,
        opponents=against,
        steps=steps,
        seed=seed,
        num_envs=num_envs,
        evaluate_every=evaluate_every,
        evaluation_games=evaluation_games,
        checkpoint_every=checkpoint_every,
    )
    _exploit(out, BestResponses(training, _roles(role, training), seeds, games))


def _exploit(out: Path, config: BestResponses) -> None:
    from ..league.best_response import Exploitation
    from ..locks import locked

    Exploitation(out, config)  # refuses what can't be, before anything is written
    goes_on(lambda: f"finished learners and the last checkpoint are kept in {out}; it goes on with: {again()}")
    with locked(out):
        _respond(Exploitation(out, config), out)


def _respond(found: Exploitation, out: Path) -> None:
    budget, learners = found.config.training.steps, len(found.todo)
    with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
        task = bar.add_task("compiling the rules and agents", total=budget * learners)

        def watch(role: str, seed: int, done: Done) -> None:
            before = found.todo.index((role, seed)) * budget
            won = f"won {100 * done.won:.1f} %" if done.won >= 0 else "training"
            bar.update(task, completed=before + done.steps, description=f"{role}, seed {seed}: {won}")

        found.run(watch)
    _tell_robustness(found, out)


def _tell_robustness(found: Exploitation, out: Path) -> None:
    from ..league.best_response import HEADINGS, PAGE, ROWS, cells, notes, written

    lineup = written(found.config.training)
    table = Table(title=f"best responses to {lineup}, 95 % intervals", box=box.SIMPLE)
    for place, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="left" if place == 0 else "right")
    for row in found.summary():
        table.add_row(*cells(row))
    console.print(table)
    for note in notes(found):
        console.print(note, highlight=False)
    console.print(f"wrote {out / ROWS} and {out / PAGE}", soft_wrap=True)
