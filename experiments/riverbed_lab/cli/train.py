"""The commands that train one agent in a folder: `train` with PPO, `distil` by fitting a network to action values."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ..extras import need
from .configs import MinutesOption, OutOption, SetOption, SettingsArgument, carry_out, gather, resumed
from .console import console

if TYPE_CHECKING:
    from ..distil.run import Distillation
    from ..ppo import Training
    from ..training.config import LearnerConfig


def train(
    settings: SettingsArgument = None,
    set_: SetOption = None,
    minutes: MinutesOption = None,
    out: OutOption = None,
) -> None:
    """Train an agent with PPO, or all seats by self-play. Run the same command again to resume."""
    need("training")
    from ..selfplay import training_in
    from ..training.build import build_training
    from ..training.config import TrainingConfig

    place = resumed(settings, set_, out, "results/train")
    _learn(training_in, TrainingConfig, build_training, settings, set_, minutes, *place)


def distil(
    settings: SettingsArgument = None,
    set_: SetOption = None,
    minutes: MinutesOption = None,
    out: OutOption = None,
) -> None:
    """Fit a network to action values by play-outs. Run the same command again to resume."""
    need("training")
    from ..distil.config import DistilConfig, build_distillation
    from ..distil.run import Distillation

    place = resumed(settings, set_, out, "results/distil")
    _learn(Distillation, DistilConfig, build_distillation, settings, set_, minutes, *place)


def _learn(
    kind: Callable[[Path, Any], Training | Distillation],
    config_kind: type[LearnerConfig],
    build: Callable[[Mapping[str, Any], str], LearnerConfig],
    settings: str | None,
    words: list[str] | None,
    minutes: float | None,
    folder: Path,
    resumes: bool,
) -> None:
    from ..training.config import ONE, among_in_words
    from ..training.folder_run import POLICY, TimeBudget

    budget = TimeBudget(minutes)
    given = None if resumes else build(*gather(settings, config_kind, words))
    config = config_kind.in_folder(folder, given)
    role, among = config.role or "any seat", among_in_words(getattr(config, "seats", ONE), config.opponents)
    console.print(f"the learner: {role} among {among}, compared with {config.reference}", soft_wrap=True)
    run = carry_out(lambda: kind(folder, config), folder, budget, lambda run: run.curve, _in_words)
    if run is not None:
        how = evaluate_command(config, folder / POLICY)
        console.print(f"wrote {folder / POLICY}; compare it with: {how}", soft_wrap=True)


def _in_words(run: Training | Distillation, row: Mapping[str, Any]) -> Text:
    """A row of the curve; the win rates are missing if no deals were played."""
    from ..statistics import in_points

    reached = f"{row['steps']:>12,} {run.config.learnt_from}, {row['seconds']:>6.0f} s"
    if "won" not in row:
        return Text(reached)
    won, low, high, theirs = (100 * row[name] for name in ("won", "low", "high", "reference"))
    return Text(
        f"{reached}: won {won:.1f} % ({low:.1f}–{high:.1f}) of {row['games']:,} common deals, "
        f"{run.config.reference} {theirs:.1f} %: {in_points(row['gain'], row['gain_low'], row['gain_high'])} points"
    )


def evaluate_command(config: LearnerConfig, policy: Path) -> str:
    """The command that compares a learner with its reference, or measures it on its small game."""
    if small := getattr(config, "small", ""):
        return shlex.join(["riverbed", "exploit", str(policy), "--exact", small])
    counts = ",".join(map(str, config.counts()))
    words = ["riverbed", "evaluate", str(policy), "--game", config.game, "--players", counts]
    words += [] if config.role is None else ["--roles", config.role]
    words += [word for name, value in config.options.items() for word in ("--set", f"{name}={value}")]
    return shlex.join([*words, "--reference", config.reference])
