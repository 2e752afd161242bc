"""Choose among trained policies and put them into the library, as the agents `trained` and `student`.

python experiments/studies release_policies --from results/learning --student results/student

Of each role's runs, `ROLE/seed_N` as the study of learning and `riverbed exploit` leave them, the policy with the
largest gain over the baseline agent in that seat is taken. The gain is measured on deals used for nothing else, so that
choosing doesn't bias other results. Weights are stored in half precision, which halves the files, unless that visibly
costs wins on the same deals. Each file records its origin.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from riverbed_agents.riverbed_hunt.trained.agent import FOLDER, STUDENT, policy_file
from riverbed_env.core.files import read_arrays
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.players.installed import agent_parameters
from riverbed_env.players.lineups import lineups
from riverbed_env.players.networks import halved
from riverbed_env.players.policies import SUFFIX, SavedPolicy, load_policy, save_policy
from riverbed_lab.cli.console import console, use_threads, waiting
from riverbed_lab.files import code_version, writable_folder
from riverbed_lab.league.best_response import GREEDY, SAMPLED
from riverbed_lab.statistics import Difference
from riverbed_lab.training.checkpoint import load_checkpoint
from riverbed_lab.training.evaluation import SEED_OF_CHOICE, Won, evaluations, lead
from riverbed_lab.training.folder_run import CHECKPOINT

from .kit import print_table

MOST_BYTES = 900_000  # of all files together: the wheel must stay within its limit


@dataclass(frozen=True)
class Candidate:
    """A trained policy: its file, and its wins on the deals of choice, sampled and greedy."""

    path: Path
    policy: SavedPolicy
    won: Mapping[str, Won]


class Deals:
    """The deals by which policies of a role (None: of any) are chosen, among a fixed lineup."""

    def __init__(self, role: str | None, players: Sequence[int], games: int, among: str, threads: int) -> None:
        self._evaluations = evaluations(
            *(GAME, lineups(GAME, among), None),
            role=role,
            games=games,
            players=players,
            threads=threads,
            seed=SEED_OF_CHOICE,
        )
        self.own = np.concatenate([each.won_by_reference for each in self._evaluations])

    def won(self, policy: SavedPolicy) -> Won:
        """Which deals the policy wins."""
        return np.concatenate([each.won(policy) for each in self._evaluations])

    def gain(self, won: Won) -> Difference:
        """The gain over the lineup's agent in that seat."""
        return lead(won, self.own)


@dataclass(frozen=True)
class Chosen:
    """A role's published policy: the best candidate, its gains on the deals of choice, and whether it is rounded."""

    name: str
    best: Candidate
    candidates: int
    gains: Mapping[str, Difference]
    rounded: bool
    file: Path


def policies_in(place: Path, role: str | None) -> list[Path]:
    """The policies of a role's runs, ROLE/seed_N, in a folder; without a role those of a file, run, or folder of runs.

    Raises OptionError if there is none.
    """
    if place.suffix == SUFFIX:
        return [place]
    runs = f"seed_*/policy{SUFFIX}"
    names = (f"{role}/{runs}",) if role else (f"policy{SUFFIX}", runs)
    policies = next((files for files in (sorted(place.glob(name)) for name in names) if files), [])
    if not policies:
        raise OptionError(f"{place} holds no policy of {role or 'every role'}: there is none of {', '.join(names)}")
    return policies


def loaded(name: str, paths: Sequence[Path], role: str | None) -> tuple[list[SavedPolicy], tuple[int, ...]]:
    """The policies, and the player counts they were trained for.

    Raises OptionError if they weren't trained for this role (None: for any) and the same player counts.
    """
    policies = [load_policy(path, GAME, name="learner") for path in paths]
    counts = set()
    for path, policy in zip(paths, policies, strict=True):
        training = settings_of(policy)
        if not training or "packs" not in policy.config.more:
            raise OptionError(f"{path} doesn't say how it was trained: only policies of riverbed's runs are published")
        if training.get("role") != role:
            trained = training.get("role") or "every role"
            raise OptionError(f"{path} was trained for {trained}, not {role or 'every role'}")
        counts.add(tuple(training["players"]) or (GAME.default_players,))
    if len(counts) > 1:
        raise OptionError(f"the policies for {name} were trained for different numbers of players: {sorted(counts)}")
    return policies, counts.pop()


def settings_of(policy: SavedPolicy) -> dict[str, Any]:
    """The settings of the training or distillation that a policy came from; none if it doesn't say."""
    more = policy.config.more
    settings = more.get("training", more.get("distillation"))
    return settings if isinstance(settings, dict) else {}


def choose(
    name: str, paths: Sequence[Path], role: str | None, games: int, among: str, to: Path, threads: int
) -> Chosen:
    """Measure the policies and write the best one, ready to be published, to a folder."""
    policies, players = loaded(name, paths, role)
    deals = Deals(role, players, games, among, threads)
    candidates = [Candidate(path, policy, _won(deals, policy)) for path, policy in zip(paths, policies, strict=True)]
    best = max(candidates, key=lambda each: each.won[_usual()].mean())
    file = to / f"{name}{SUFFIX}"
    arrays = {key: array for key, array in read_arrays(best.path, "policy").items() if key != "config"}
    more = _provenance(best, deals, len(candidates), among)
    plain = replace(best.policy.config, more=more)
    save_policy(file, replace(plain, more={**more, "rounded": True}), halved(arrays))
    won = _won(deals, load_policy(file, GAME, name="learner"))
    rounded = costs_nothing(won[_usual()], best.won[_usual()])
    if not rounded:
        save_policy(file, plain, arrays)
        won = dict(best.won)
    return Chosen(name, best, len(candidates), {mode: deals.gain(won[mode]) for mode in won}, rounded, file)


def costs_nothing(after: Won, before: Won) -> bool:
    """Whether a change has no significant cost: the paired interval of the win rate doesn't lie below zero."""
    return lead(after, before).high >= 0


def _usual() -> str:
    """How the published agents play by default."""
    return GREEDY if agent_parameters("trained", GAME.name)["greedy"] else SAMPLED


def _won(deals: Deals, policy: SavedPolicy) -> dict[str, Won]:
    return {mode: deals.won(replace(policy, greedy=mode == GREEDY)) for mode in (SAMPLED, GREEDY)}


def _provenance(best: Candidate, deals: Deals, candidates: int, among: str) -> dict[str, Any]:
    """The origin of a published policy."""
    known, settings = best.policy.config.more, settings_of(best.policy)
    gain = deals.gain(best.won[_usual()])
    checkpoint = best.path.with_name(CHECKPOINT)
    return {
        "packs": known["packs"],
        "steps": known["steps"],
        "seed": settings["seed"],
        **{kind: known[kind] for kind in ("training", "distillation") if kind in known},
        "code": load_checkpoint(checkpoint)[0]["code"] if checkpoint.exists() else code_version(),
        "rounded": False,
        "chosen": {
            "of": candidates,
            "among": among,
            "played": _usual(),
            "games": len(deals.own),
            "seed_of_deals": SEED_OF_CHOICE,
            "gain": [gain.value, gain.low, gain.high],
        },
    }


def put_in_place(chosen: Sequence[Chosen]) -> int:
    """Move the files into the library; returns the size of all policies. Raises OptionError if they are too large."""
    new = {each.file.name: each.file for each in chosen}
    kept = [path for path in FOLDER.glob(f"*{SUFFIX}") if path.name not in new]
    size = sum(path.stat().st_size for path in (*kept, *new.values()))
    if size > MOST_BYTES:
        raise OptionError(f"the policies are {size:,} bytes together, more than {MOST_BYTES:,}: train smaller networks")
    for each in chosen:
        each.file.replace(policy_file(each.name))
    return size


def main(
    runs: Annotated[Path | None, typer.Option("--from", help="Folder of the roles' runs, ROLE/seed_N.")] = None,
    student: Annotated[Path | None, typer.Option(help="The student: a file, run or folder of runs.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Deals by which a policy is chosen.")] = 10_000,
    among: Annotated[str, typer.Option(help="The agent in all other seats.")] = "rule_based",
    threads: Annotated[int, typer.Option(help="Threads; 0 for one a core.")] = 0,
) -> None:
    """Choose the best of the trained policies and put them into the library."""
    todo: list[tuple[str, list[Path], str | None]] = []
    if runs is not None:
        todo += [(role, policies_in(runs, role), role) for role in GAME.roles]
    if student is not None:
        todo.append((STUDENT, policies_in(student, None), None))
    if not todo:
        raise OptionError("name the trained policies with --from, --student or both")
    for each in todo:
        loaded(*each)  # refuse unfit ones before anything is measured
    with tempfile.TemporaryDirectory(dir=writable_folder(FOLDER), prefix=".") as folder:
        chosen = []
        for name, paths, role in todo:
            with waiting(f"{name}: measuring {len(paths)}"):
                chosen.append(choose(name, paths, role, games, among, Path(folder), use_threads(threads)))
        size = put_in_place(chosen)
    _print(chosen, size)


def _print(chosen: Sequence[Chosen], size: int) -> None:
    rows = []
    for each in chosen:
        policy = each.best.policy
        cells = (str(each.candidates), f"{policy.config.more['steps']:,}", str(settings_of(policy)["seed"]))
        gains = (str(each.gains[mode]) for mode in (SAMPLED, GREEDY))
        rows.append((each.name, *cells, *gains, "yes" if each.rounded else "no"))
    title = "published: gains in points on the deals it was chosen by (95 %)"
    print_table(title, ("policy", "of", "steps", "seed", SAMPLED, GREEDY, "rounded"), rows)
    better = sum(each.gains[GREEDY].value >= each.gains[SAMPLED].value for each in chosen)
    console.print(f"greedy gains as much or more in {better} of {len(chosen)}; the agents play {_usual()} by default")
    console.print(f"{size:,} bytes in {FOLDER}", soft_wrap=True)
