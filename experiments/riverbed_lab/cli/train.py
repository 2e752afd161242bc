"""Commands that train agents: `train`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import TimeElapsedColumn

from riverbed_env.core.game import Game
from riverbed_env.registry import find_game

from ..extras import need
from .console import (
    DEFAULT_GAME,
    STEPS_DONE,
    CountsOption,
    GameOption,
    PackOption,
    SetOption,
    ThreadsOption,
    console,
    errors,
    player_counts,
    progress_bar,
    read_options,
    use_threads,
)
from .signals import again, goes_on

if TYPE_CHECKING:
    from ..training.config import TrainingConfig
    from ..training.run import Progress as Done
    from ..training.run import Training

REPORT_GAMES = 2000


FeaturesOption = Annotated[
    str | None, typer.Option("--features", help="Told beside the observation, like outlook, or none; all there are.")
]
PPOOption = Annotated[
    list[str] | None, typer.Option("--ppo", help="A setting of learners, like learning_rate=0.001; may be repeated.")
]
NumEnvsOption = Annotated[int | None, typer.Option("--num-envs", help="Games played at once.")]
LearnerSeed = Annotated[int, typer.Option("--seed", help="Seed of the games, the networks and the updates.")]
EvaluateEvery = Annotated[int | None, typer.Option("--evaluate-every", help="Steps between evaluations.")]
EvaluationGames = Annotated[int | None, typer.Option("--evaluation-games", help="Deals of an evaluation.")]
CheckpointEvery = Annotated[int | None, typer.Option("--checkpoint-every", help="Steps between checkpoints.")]


def learner_settings(
    game: Game,
    *,
    players: str | None,
    reference: str,
    features: str | None,
    advice: str | None,
    threads: int,
    pack: str | None,
    set_: list[str] | None,
    set_ppo: list[str] | None,
    **given: Any,
) -> TrainingConfig:
    """What learners are trained with; given: further settings, those that are None as usual."""
    from ..training.config import TrainingConfig, read_settings
    from ..training.defaults import default_features

    counts = None if players is None else player_counts(players, game.min_players, game.max_players)
    config = TrainingConfig(
        game=game.id,
        players=counts or (game.default_players,),
        options=read_options(game, pack, set_),
        reference=reference,
        features=default_features(game, features, advice, reference),
        threads=use_threads(threads),
        **{name: value for name, value in given.items() if value is not None},
    )
    return read_settings(config, set_ppo or [])


def train(
    game: GameOption = DEFAULT_GAME,
    role: Annotated[str | None, typer.Option("--role", help="The learner's role; any seat without one.")] = None,
    players: CountsOption = None,
    opponents: Annotated[
        list[str] | None,
        typer.Option("--opponents", help="A lineup: AGENT, or ROLE=AGENT+AGENT;CAMP=AGENT; repeat for several."),
    ] = None,
    steps: Annotated[int, typer.Option("--steps", help="Decisions of the learner to learn from.")] = 5_000_000,
    seed: LearnerSeed = 0,
    reference: Annotated[
        str | None, typer.Option("--reference", help="Whom it is measured against; the first of the opponents.")
    ] = None,
    features: FeaturesOption = None,
    advice: Annotated[
        str | None, typer.Option("--advice", help="The agent whose choice the learner is told, or none; the reference.")
    ] = None,
    num_envs: NumEnvsOption = None,
    evaluate_every: EvaluateEvery = None,
    evaluation_games: EvaluationGames = None,
    checkpoint_every: CheckpointEvery = None,
    set_ppo: PPOOption = None,
    threads: ThreadsOption = 0,
    pack: PackOption = None,
    set_: SetOption = None,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="At the end compare it with others in its seat, and report.")
    ] = False,
    report_games: Annotated[
        int, typer.Option("--report-games", help="Deals of the comparison, and of each cell of the report's tables.")
    ] = REPORT_GAMES,
    out: Annotated[Path, typer.Option("--out", help="Folder of the run.")] = Path("results/train"),
    resume: Annotated[bool, typer.Option("--resume", help="Take up the run in the folder, with its settings.")] = False,
) -> None:
    """Train an agent for a role with MaskablePPO; a run that is broken off goes on with --resume."""
    need("training", *(["reports"] if report else []))
    games = report_games if report else None
    if resume:
        train_and_report(out, None, games)
        return
    chosen = find_game(game)
    from ..training.config import read_opponents
    from ..training.defaults import default_opponent

    against = read_opponents(opponents, chosen, default_opponent(chosen))
    config = learner_settings(
        chosen,
        players=players,
        reference=reference or next(iter(against[0].values()))[0],
        features=features,
        advice=advice,
        threads=threads,
        pack=pack,
        set_=set_,
        set_ppo=set_ppo,
        role=role,
        opponents=against,
        steps=steps,
        seed=seed,
        num_envs=num_envs,
        evaluate_every=evaluate_every,
        evaluation_games=evaluation_games,
        checkpoint_every=checkpoint_every,
    )
    train_and_report(out, config, games)


def train_and_report(out: Path, config: TrainingConfig | None, games: int | None) -> None:
    """Train in a folder, with these settings or, if None, with those that are there; then the report.

    games: deals of the comparison and of each cell of the report's tables, None for no report. Raises OptionError for
    settings that can't be, before any work is done.
    """
    from ..locks import locked
    from ..training.run import settle
    from .run_report import check_report, report_run

    settled = settle(out, config)
    if games is not None:
        check_report(settled, out, games)
    goes_on(lambda: _kept(out))
    with locked(out):
        training = open_training(out, config)
        train_to_end(training)
        if games is None:
            policy = out / "policy.npz"
            console.print(f"wrote {policy}; riverbed evaluate {policy} … compares it", soft_wrap=True)
        else:
            report_run(training, games)


def _kept(out: Path) -> str:
    """How a run that is broken off goes on."""
    from ..training.run import CHECKPOINT, CONFIG

    return what_is_kept(out, CONFIG, CHECKPOINT, "its last checkpoint is")


def what_is_kept(out: Path, settings: str, state: str, words: str) -> str:
    """How a run goes on with --resume: from its state, which the words are of, or from its settings alone."""
    if not (out / settings).exists():
        return f"nothing is learnt yet; it begins with: {again()}"
    kept = words if (out / state).exists() else "its settings are"
    return f"{kept} kept in {out}; it goes on with: {again('--resume')}"


def open_training(out: Path, config: TrainingConfig | None) -> Training:
    """The run of a folder, compiled; it says where it is taken up."""
    from ..training.run import Training

    with errors.status("compiling the rules and agents (about a minute the first time, then kept)"):
        training = Training(out, config)
    if training.steps:
        console.print(f"taking up {out} at {training.steps:,} decisions", highlight=False)
    return training


def train_to_end(training: Training) -> None:
    """Train with a bar; every evaluation is told."""
    before = told = len(training.curve)
    with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
        task = bar.add_task("training", total=training.config.steps, completed=training.steps)

        def watch(done: Done) -> None:
            speed = done.steps / done.seconds if done.seconds else 0.0
            won = f"won {100 * done.won:.1f} %, {speed:,.0f} decisions/s" if done.won >= 0 else "training"
            bar.update(task, completed=done.steps, description=won)
            tell_news()

        def tell_news() -> None:
            nonlocal told
            for row in training.curve[told:]:
                _tell(row, training.config.reference)
            told = len(training.curve)

        training.run(watch)
        tell_news()
    if told == before:  # it was done already
        _tell(training.curve[-1], training.config.reference)


def _tell(row: Mapping[str, Any], reference: str) -> None:
    """A row of the curve; nothing where no deals are played."""
    from ..statistics import in_points

    if "won" not in row:
        return
    won, low, high, theirs = (100 * row[name] for name in ("won", "low", "high", "reference"))
    console.print(
        f"{row['steps']:>12,} decisions, {row['seconds']:>6.0f} s: won {won:.1f} % ({low:.1f}–{high:.1f}) of "
        f"{row['games']:,} common deals, {reference} {theirs:.1f} %: "
        f"{in_points(row['gain'], row['gain_low'], row['gain_high'])} points",
        highlight=False,
        soft_wrap=True,
    )
