"""Choose among trained policies and put the best into the library: `student`, `selfplay`, or a partner.

python experiments/studies release_policies results/student
python experiments/studies release_policies results/selfplay --agent selfplay

Of the runs in a folder, the policy with the largest gain over the baseline agent is taken. The gain is measured on
deals used for nothing else, so that choosing doesn't bias other results. Weights are stored in half precision, which
halves the file; the gains that it prints are those of the stored weights. The file records its origin.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from riverbed_agents.riverbed_hunt import partners, selfplay
from riverbed_agents.riverbed_hunt.student import agent as student
from riverbed_env.core.files import read_arrays
from riverbed_env.core.options import check_choice
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.players.lineups import lineups
from riverbed_env.players.networks import halved
from riverbed_env.players.policies import SUFFIX, SavedPolicy, load_policy, save_policy
from riverbed_lab.cli.console import console, errors, use_threads
from riverbed_lab.exploit import GREEDY, SAMPLED
from riverbed_lab.files import code_version, writable_folder
from riverbed_lab.statistics import Difference
from riverbed_lab.training.checkpoint import load_checkpoint
from riverbed_lab.training.evaluation import SEED_OF_CHOICE, Won, evaluations, lead
from riverbed_lab.training.folder_run import CHECKPOINT

from .kit import print_table

MOST_BYTES = 700_000  # of the file: the wheel must stay within its limit
FILES = {"student": student.FILE, "selfplay": selfplay.FILE, **partners.FILES}


@dataclass(frozen=True)
class Candidate:
    """A trained policy: its file, and its wins on the deals of choice, sampled and greedy."""

    path: Path
    policy: SavedPolicy
    won: Mapping[str, Won]


class Deals:
    """The deals by which policies are chosen, in any role's seat among a fixed lineup."""

    def __init__(self, players: Sequence[int], games: int, among: str, threads: int) -> None:
        self._evaluations = evaluations(
            *(GAME, lineups(GAME, among), None),
            role=None,
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
    """The published policy: the best candidate, and the gains of its rounded weights on the deals of choice."""

    best: Candidate
    candidates: int
    gains: Mapping[str, Difference]
    file: Path


def policies_in(place: Path) -> list[Path]:
    """The policies of a file, run, or folder of runs. Raises OptionError if there is none."""
    if place.suffix == SUFFIX:
        return [place]
    names = (f"policy{SUFFIX}", f"seed_*/policy{SUFFIX}")
    policies = next((files for files in (sorted(place.glob(name)) for name in names) if files), [])
    if not policies:
        raise OptionError(f"{place} holds no policy: there is none of {', '.join(names)}")
    return policies


def loaded(paths: Sequence[Path]) -> tuple[list[SavedPolicy], tuple[int, ...]]:
    """The policies, and the player counts they were trained for.

    Raises OptionError if they weren't trained for every role and the same player counts.
    """
    policies = [load_policy(path, GAME, name="learner") for path in paths]
    counts = set()
    for path, policy in zip(paths, policies, strict=True):
        training = settings_of(policy)
        if not training or "packs" not in policy.config.more:
            raise OptionError(f"{path} doesn't say how it was trained: only policies of riverbed's runs are published")
        if training.get("role"):
            raise OptionError(f"{path} was trained for {training['role']}, not every role")
        counts.add(tuple(training["players"]) or (GAME.default_players,))
    if len(counts) > 1:
        raise OptionError(f"the policies were trained for different numbers of players: {sorted(counts)}")
    return policies, counts.pop()


def settings_of(policy: SavedPolicy) -> dict[str, Any]:
    """The settings of the training or distillation that a policy came from; none if it doesn't say."""
    more = policy.config.more
    settings = more.get("training", more.get("distillation"))
    return settings if isinstance(settings, dict) else {}


def choose(paths: Sequence[Path], games: int, among: str, to: Path, threads: int) -> Chosen:
    """Measure the policies and write the best one, ready to be published, to a folder."""
    policies, players = loaded(paths)
    deals = Deals(players, games, among, threads)
    candidates = [Candidate(path, policy, _won(deals, policy)) for path, policy in zip(paths, policies, strict=True)]
    best = max(candidates, key=lambda each: each.won[GREEDY].mean())
    file = to / f"published{SUFFIX}"
    arrays = {key: array for key, array in read_arrays(best.path, "policy").items() if key != "config"}
    save_policy(
        file, replace(best.policy.config, more=_provenance(best, deals, len(candidates), among)), halved(arrays)
    )
    won = _won(deals, load_policy(file, GAME, name="learner"))
    return Chosen(best, len(candidates), {mode: deals.gain(won[mode]) for mode in won}, file)


def _won(deals: Deals, policy: SavedPolicy) -> dict[str, Won]:
    return {mode: deals.won(replace(policy, greedy=mode == GREEDY)) for mode in (SAMPLED, GREEDY)}


def _provenance(best: Candidate, deals: Deals, candidates: int, among: str) -> dict[str, Any]:
    """The origin of a published policy."""
    known, settings = best.policy.config.more, settings_of(best.policy)
    gain = deals.gain(best.won[GREEDY])
    checkpoint = best.path.with_name(CHECKPOINT)
    return {
        "packs": known["packs"],
        "steps": known["steps"],
        "seed": settings["seed"],
        **{kind: known[kind] for kind in ("training", "distillation") if kind in known},
        "code": load_checkpoint(checkpoint)[0]["code"] if checkpoint.exists() else code_version(),
        "rounded": True,
        "chosen": {
            "of": candidates,
            "among": among,
            "played": GREEDY,
            "games": len(deals.own),
            "seed_of_deals": SEED_OF_CHOICE,
            "gain": [gain.value, gain.low, gain.high],
        },
    }


def put_in_place(chosen: Chosen, place: Path) -> int:
    """Move the file to its place in the library; returns its size. Raises OptionError if it is too large."""
    size = chosen.file.stat().st_size
    if size > MOST_BYTES:
        raise OptionError(f"the policy has {size:,} bytes, more than {MOST_BYTES:,}: train a smaller network")
    chosen.file.replace(place)
    return size


def main(
    trained: Annotated[Path, typer.Argument(help="A policy file, a run or a folder of runs.")],
    agent: Annotated[str, typer.Option(help="The agent that it becomes.")] = "student",
    games: Annotated[int, typer.Option(min=1, help="Deals by which a policy is chosen.")] = 10_000,
    among: Annotated[str, typer.Option(help="The agent in all other seats.")] = "rule_based",
    threads: Annotated[int, typer.Option(help="Threads; 0 for one a core.")] = 0,
) -> None:
    """Choose the best policy and put it into the library."""
    check_choice("--agent", agent, tuple(FILES))
    paths, place = policies_in(trained), FILES[agent]
    loaded(paths)  # refuse unfit ones before anything is written
    with tempfile.TemporaryDirectory(dir=writable_folder(place.parent), prefix=".") as folder:
        with errors.status(f"measuring {len(paths)}"):
            chosen = choose(paths, games, among, Path(folder), use_threads(threads))
        size = put_in_place(chosen, place)
    policy = chosen.best.policy
    cells = (str(chosen.candidates), f"{policy.config.more['steps']:,}", str(settings_of(policy)["seed"]))
    row = (*cells, *(str(chosen.gains[mode]) for mode in (SAMPLED, GREEDY)))
    title = "published: gains in points on the deals it was chosen by (95 %)"
    print_table(title, ("of", "steps", "seed", SAMPLED, GREEDY), [row])
    console.print(f"{size:,} bytes in {place}", soft_wrap=True)
