"""How the evaluated policies were made: settings, decisions, minutes, hash and command, and their learning curves."""

import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riverbed_env.core.files import read_json
from riverbed_env.core.game import Game
from riverbed_env.core.schema import of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import policy_file

from ..config_files import NONE, read_as
from ..training.config import ONE, among_in_words, line_ups_in_words
from ..training.curve import CURVE, Curve, Evaluated

ANY_SEAT = "any seat"
HABITS = "habits/"  # begins their names
WAYS = {"training": ("train", "decisions"), "distillation": ("distil", "action-value targets")}  # command and unit
OF_MACHINE = ("threads", "device")  # settings that don't say what was learnt


@dataclass(frozen=True)
class Learner:
    """How an agent was made: `made` in words by heading, the points of its curve, whose seat and against whom."""

    agent: str
    role: str
    reference: str
    made: Mapping[str, str]
    points: tuple[Evaluated, ...]


def learners(game: Game, labels: Mapping[str, str]) -> tuple[tuple[Learner, ...], tuple[str, ...]]:
    """The learners among agents, given by spec and label; and why a curve couldn't be read or shown."""
    found, complaints = [], []
    for file, spec in {file: spec for spec in labels if (file := policy_file(spec)) is not None}.items():
        if file.with_name(CURVE).exists():
            try:
                found.append(_learner(game, labels[spec], file))
            except OptionError as error:
                complaints.append(f"There is no learning curve of {spec}: {error}.")
    return tuple(found), tuple(complaints)


def _learner(game: Game, agent: str, file: Path) -> Learner:
    """A policy with the curve beside it; OptionError if that isn't the policy's own, or has no evaluations."""
    path = file.with_name(CURVE)
    made_by = load_policy(file, game).config.more
    curve = of_kind(Curve, read_json(path, "curve"), str(path)).curve
    points = tuple(each for each in curve if isinstance(each, Evaluated))
    with read_as(file, "policy that says how it was trained"):
        steps, how = made_by["steps"], next(each for each in WAYS if made_by.get(each))
        settings, (name, unit) = made_by[how], WAYS[how]
        role, players = settings["role"] or ANY_SEAT, settings["players"] or (game.default_players,)
        made = {
            "agent": agent,
            "seat": f"{role}, {', '.join(map(str, players))} players",
            "among": among_in_words(settings.get("seats", ONE), settings["opponents"]),
            "learnt from": f"{steps:,} {unit}",
            "seeds": f"1 ({settings['seed']})",
            "hash of the policy": hashlib.sha256(file.read_bytes()).hexdigest()[:12],
            "command": command(name, settings),
            **habits_in_words(made_by.get("habits", {})),
        }
        reference = settings["reference"]
    if not points:
        raise OptionError(f"{path} has no evaluations")
    if points[-1].steps != steps:
        raise OptionError(f"{path} ends at {points[-1].steps:,} steps, the policy has learnt from {steps:,}")
    return Learner(agent, role, reference, {**made, "minutes": f"{points[-1].seconds / 60:.1f}"}, points)


def habits_in_words(habits: Mapping[str, float]) -> dict[str, str]:
    """How often a policy does what, from `habits` of its file; none where it has none."""
    shares = {name.removeprefix(HABITS): value for name, value in habits.items()}
    counts = {name: f"{shares.pop(name):.1f}" for name in ("decisions", "gain", "regret") if name in shares}
    words = [f"{counts.pop('decisions')} decisions a game"] if "decisions" in counts else []
    words += [f"{name} {100 * share:.0f} %" for name, share in shares.items()]
    words += [f"{name} {value} points" for name, value in counts.items()]
    return {"habits": ", ".join(words)} if words else {}


def command(name: str, settings: Mapping[str, Any]) -> str:
    """The command that repeats a run with these settings."""
    words = {name: value for name, value in settings.items() if value is not None and name not in OF_MACHINE}
    words |= {"opponents": "|".join(line_ups_in_words(settings["opponents"])), **words.pop("options", {})}
    options = [word for name, value in words.items() for word in ("--set", f"{name}={_word(value)}")]
    return shlex.join(["riverbed", name, *options])


def _word(value: Any) -> str:
    return (",".join(map(str, value)) or NONE) if isinstance(value, list) else str(value)
