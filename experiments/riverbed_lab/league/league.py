"""A league in its folder: rounds of matchmaking, learning and ratings, resumable after every learner's part.

The jobs of a round, one for each learner, depend only on the state at its beginning, so they can be played in any order
or in parallel. When all are done, the round changes the league: win counts, past selves, exploiters, ratings.
"""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.files import write_json, write_whole
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent

from ..config_files import config_for_folder
from ..files import code_version, writable_folder
from ..locks import locked
from ..tensorboard import EventWriter
from ..training.budget import NO_LIMIT, TimeBudget
from .config import LeagueConfig, load_league_config
from .learner import Outcome, one_after_another
from .matchmaking import MAINS, generation, match
from .pool import EXPLOITER, MAIN, PAST, Learner, Member, anchors_of, by_role, learners_of
from .ratings import Gains, Rated, spread_out, strengths
from .state import CHECKPOINTS, POLICIES, Finished, LearnerProgress, State, hashes_of_policies, load_state
from .win_counts import Tally
from .worker import Job, seated_agents

CONFIG, STATE, RESULTS, RATINGS, BOARD = "config.json", "league.json", "results.json", "ratings.json", "tensorboard"
MATCHING, LEARNING = 8, 9  # purposes of random streams
LARGEST_SEED = 2**31  # of a round: PyTorch and Stable-Baselines3 take no larger ones


@dataclass(frozen=True)
class Progress:
    """How far a league is: the round, the learner at work (None: the round is done), the decisions just made."""

    round: int
    learner: str | None
    steps: int
    ratings: dict[str, Any] | None = None


Watcher = Callable[[Progress], None]
Work = Callable[[Sequence[Job], Callable[[str, int], None]], Iterable[tuple[str, Outcome]]]


class League:
    """A league in a folder. `config`: of a new league, or of the one there, which is resumed; None: as the one there.

    work: plays jobs in any order, and yields each learner's name with its outcome when it is done. Raises OptionError,
    and changes nothing, for a folder that holds another league, and for a state or files that can't be read, were
    changed, or are of another game, version or pack.
    """

    def __init__(self, folder: Path, config: LeagueConfig | None, work: Work = one_after_another) -> None:
        self.folder, self._work = folder, work
        self.config = config_for(folder, config)
        self.game = self.config.game
        self.learners = learners_of(self.config)
        self._anchors = anchors_of(self.config)
        policies = hashes_of_policies(self.config.installed)
        self._origin = {"environment": self.game.id, "packs": self._packs(), "policies": policies}
        self.state = State(learners={learner.name: LearnerProgress() for learner in self.learners})
        if (folder / STATE).exists():
            self.state = load_state(folder, STATE, self._origin)
            if set(self.state.learners) != {learner.name for learner in self.learners}:
                raise OptionError(f"{folder / STATE} is of other learners: {', '.join(self.state.learners)}")
        self._gains: Gains | None = None

    @property
    def mains(self) -> tuple[Learner, ...]:
        """The main agents."""
        return tuple(learner for learner in self.learners if learner.kind == MAIN)

    @property
    def is_finished(self) -> bool:
        """Whether all rounds have been played."""
        return self.state.round >= self.config.rounds

    def run(self, watch: Watcher = lambda progress: None, budget: TimeBudget = NO_LIMIT) -> None:
        """Play the rounds that are left; the league can be resumed after each learner's part of a round.

        A spent `budget` ends it after the part in progress.
        """
        with locked(self.folder):
            for name in (CHECKPOINTS, POLICIES):
                writable_folder(self.folder / name)
            self.config.save(self.folder / CONFIG)
            self._tidy()
            while not self.is_finished and not budget.is_spent() and self._play_jobs(watch, budget):
                self._end_round()
                rated = self.state.ratings[-1] if self.state.ratings else None
                now = rated if rated is not None and rated["round"] == self.state.round else None
                watch(Progress(self.state.round, None, 0, now))
            self._write_summary()

    def _play_jobs(self, watch: Watcher, budget: TimeBudget) -> bool:
        """Play the unfinished jobs of the round; returns whether all are done."""
        number = self.state.round
        jobs = {each.name: self.job(each) for each in self.learners if each.name not in self.state.finished}
        for name, outcome in self._work(list(jobs.values()), lambda name, steps: watch(Progress(number, name, steps))):
            self.state.finished[name] = self._finished(jobs[name], outcome)
            self._save()
            if budget.is_spent():
                break
        return len(self.state.finished) == len(self.learners)

    def _finished(self, job: Job, outcome: Outcome) -> Finished:
        """A learner's progress and win counts after its job."""
        before = self.state.learners[job.learner]
        progress = LearnerProgress(
            f"{CHECKPOINTS}/{job.checkpoint.name}",
            f"{POLICIES}/{job.policy.name}",
            outcome.steps,
            before.rounds + 1,
            before.restarts,
        )
        return Finished(progress, outcome.tally, outcome.figures)

    def job(self, learner: Learner) -> Job:
        """A learner's job of this round."""
        state, config = self.state, self.config
        holders, files = self._holders()
        lineups = match(
            *(learner, holders, (*state.pool, *self._anchors), self.game.camp_of_role),
            lambda lineup: state.results.win_rate(learner.name, lineup),
            *(config, self._seed(MATCHING, learner)),
        )
        seated = dict.fromkeys(name for lineup, _ in lineups for name in lineup.by_role.values())
        files |= {member.name: self.folder / member.file for member in state.pool}
        checkpoint = state.learners[learner.name].checkpoint
        seed = int(np.random.SeedSequence(self._seed(LEARNING, learner)).generate_state(1)[0]) % LARGEST_SEED
        stem = f"{learner.name}_{state.round + 1}"
        return Job(
            learner.name,
            replace(config.training, role=learner.role, players=learner.players, seed=seed),
            self.folder / checkpoint if checkpoint else None,
            config.installed,
            {name: files[name] for name in seated if name in files},
            tuple(lineups),
            config.steps_played,
            self.folder / CHECKPOINTS / f"{stem}.npz",
            self.folder / POLICIES / f"{stem}.npz",
        )

    def _seed(self, purpose: int, learner: Learner) -> tuple[int, ...]:
        return (self.config.training.seed, purpose, zlib.crc32(learner.name.encode()), self.state.round)

    def _holders(self) -> tuple[dict[str, str], dict[str, Path]]:
        """The main agent that holds each role now, and their files; before their first round the reference."""
        progress = self.state.learners
        trained = [learner for learner in self.mains if progress[learner.name].policy]
        members = [Member(each.name, MAIN, self._roles(each), progress[each.name].policy, 0) for each in trained]
        holders = by_role(members, self.game.roles, self.config.training.reference)
        return holders, {member.name: self.folder / member.file for member in members}

    def _roles(self, learner: Learner) -> tuple[str, ...]:
        return self.game.roles if learner.role is None else (learner.role,)

    def _end_round(self) -> None:
        """Apply the round's outcomes to the league."""
        state, config = self.state, self.config
        finished = {learner.name: state.finished[learner.name] for learner in self.learners}
        state.finished = {}
        state.round += 1
        state.results.fade(config.decay)
        for name, each in finished.items():
            state.results.add(name, each.tally)
            state.learners[name] = each.progress
        if state.round % config.snapshot_every == 0:
            state.pool += [self._member(learner, PAST) for learner in self.mains]
        for learner in self.learners:
            if learner.kind == EXPLOITER and self._joins_pool(learner, finished):
                state.pool.append(self._member(learner, EXPLOITER))
                state.learners[learner.name] = LearnerProgress(restarts=state.learners[learner.name].restarts + 1)
                state.results.forget(learner.name)
        if state.round % config.rate_every == 0 or state.round == config.rounds:
            state.ratings.append(self._rate())
        self._save()
        self._log(finished)
        self._write_summary()
        self._tidy()

    def _member(self, learner: Learner, kind: str) -> Member:
        """A learner's current policy as a member of the pools, named as its file."""
        file = self.state.learners[learner.name].policy
        return Member(Path(file).stem, kind, self._roles(learner), file, self.state.round)

    def _joins_pool(self, learner: Learner, finished: Mapping[str, Finished]) -> bool:
        """Whether an exploiter won enough in this round, or has had all its rounds."""
        if finished[learner.name].progress.rounds >= self.config.exploiter_rounds:
            return True
        gain = self._exploiter_gain(learner, finished)
        return gain is not None and gain >= self.config.exploiter_margin

    def _exploiter_gain(self, learner: Learner, finished: Mapping[str, Finished]) -> float | None:
        """An exploiter's win rate among the main agents in this round, less that of the main agent of its role."""
        role = learner.role
        main = next(each for each in self.mains if each.role in (None, role))
        own = _win_rate(finished[learner.name].tally, role)
        baseline = _win_rate(finished[main.name].tally, role)
        return None if own is None or baseline is None else own - baseline

    def _rate(self) -> dict[str, Any]:
        """A row of ratings: main agents, some past selves and the anchors."""
        state, config = self.state, self.config
        holders, files = self._holders()
        past = self._rated_past()
        files |= {each.name: self.folder / each.file for members in past.values() for each in members}
        rated = [
            Rated(MAINS, holders),
            *(
                Rated(generation(born), by_role(members, self.game.roles, config.training.reference))
                for born, members in past.items()
            ),
            *(Rated(name, dict.fromkeys(self.game.roles, name)) for name in config.installed),
        ]
        agents = seated_agents(self.game, config.installed, files)
        named = {agent.name: agent for agent in agents}
        rows, missing = strengths(rated, agents, config.training.reference, config.rating_games, config.training)
        return {
            "round": state.round,
            "steps": {each.name: state.learners[each.name].steps for each in self.mains},
            "reference": config.training.reference,
            "strengths": rows,
            "no_strengths": missing,
            "gains": self._gains_of({role: named[name] for role, name in holders.items()}, agents),
        }

    def _rated_past(self) -> dict[int, list[Member]]:
        """The past selves that are rated, by the round after which they were saved."""
        past = [each for each in self.state.pool if each.kind == PAST and each.born < self.state.round]
        chosen = spread_out(sorted({each.born for each in past}), self.config.rated_past)
        return {born: [each for each in past if each.born == born] for born in chosen}

    def _gains_of(self, mains: Mapping[str, Agent], agents: tuple[Agent, ...]) -> list[dict[str, Any]]:
        if self._gains is None:
            self._gains = Gains(self.config.training, agents[: len(self.config.installed)])
        return self._gains.rows(mains)

    def _save(self) -> None:
        self.state.save(self.folder, STATE, {**self._origin, "code": code_version()})

    def _tidy(self) -> None:
        """Delete checkpoints and policies of past or interrupted rounds, which the state doesn't name."""
        used = self.state.named()
        for name in (CHECKPOINTS, POLICIES):
            for file in (self.folder / name).glob("*.npz"):
                if f"{name}/{file.name}" not in used:
                    file.unlink(missing_ok=True)

    def _write_summary(self) -> None:
        """Write win counts and ratings for readers, and the main agents under names that don't change."""
        write_json(self.folder / RESULTS, {"round": self.state.round, "results": list(self.state.results.rows())})
        write_json(self.folder / RATINGS, {"ratings": self.state.ratings})
        for learner in self.mains:
            file = self.state.learners[learner.name].policy
            if file:
                _copy(self.folder / file, self.policy_of(learner))

    def policy_of(self, learner: Learner) -> Path:
        """The file of a main agent, rewritten after each round."""
        return self.folder / f"{learner.name}.npz"

    def _log(self, finished: Mapping[str, Finished]) -> None:
        """Write the round's figures for TensorBoard."""
        number, rows = self.state.round, list(_figures(finished))
        if self.state.ratings and self.state.ratings[-1]["round"] == number:
            rows += _rated_figures(self.state.ratings[-1])
        with closing(EventWriter(self.folder / BOARD, suffix=f".round_{number}")) as events:
            events.scalars(rows, number)

    def _packs(self) -> list[str]:
        """The hashes of the content packs in play."""
        training = self.config.training
        made = [self.game.make_params(num_players=count, **training.options) for count in training.counts()]
        return sorted({str(getattr(pack, "hash", "")) for _, pack in made})


def _copy(source: Path, target: Path) -> None:
    write_whole(target, lambda partial: shutil.copyfile(source, partial))


def _win_rate(tally: Tally, role: str | None) -> float | None:
    """A role's win rate among the main agents; None if it wasn't played."""
    counts = [count for (own, lineup), count in tally.items() if own == role and lineup == MAINS]
    wins, games = sum(wins for wins, _ in counts), sum(games for _, games in counts)
    return wins / games if games else None


def _figures(finished: Mapping[str, Finished]) -> Iterator[tuple[str, float]]:
    """Name and value of each figure logged of a round."""
    for learner, each in finished.items():
        for name, value in each.figures.items():
            yield f"{learner}/{name}", value
        for lineup in {name for _, name in each.tally}:
            counts = [count for (_, name), count in each.tally.items() if name == lineup]
            yield f"{learner}/won/{lineup}", sum(wins for wins, _ in counts) / sum(games for _, games in counts)


def _rated_figures(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Name and value of each figure logged of a row of ratings."""
    for each in row["strengths"]:
        yield f"strength/{each['camp']}/{each['agent']}", each["value"]
    for each in row["gains"]:
        yield f"gain/{each['players']}_players/{each['role']}", each["gain"]


def config_for(folder: Path, config: LeagueConfig | None) -> LeagueConfig:
    """The config given, or that of the league in the folder if it is None; rounds and threads may differ.

    Raises OptionError if the folder holds a league with other settings, or none to resume.
    """

    def take_changes(saved: LeagueConfig, given: LeagueConfig) -> LeagueConfig:
        return replace(saved, rounds=given.rounds, training=replace(saved.training, threads=given.training.threads))

    ways_out = "resume it with --resume, or choose another folder with --out"
    return config_for_folder(folder / CONFIG, config, load_league_config, take_changes, "league", ways_out)
