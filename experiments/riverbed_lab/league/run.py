"""A league in its folder: rounds of matchmaking, learning and ratings, taken up again where they were broken off.

A round's jobs, one for each learner, are made from the state at the round's beginning alone and don't see each other's
outcome, so they may be worked off one after the other, as here, or all at once elsewhere. Only when all are done does
the round change the league: results, past selves, exploiters, ratings.
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

from ..benchmark import code_version
from ..files import writable_folder
from ..locks import locked
from ..tensorboard import Board
from .config import LeagueConfig, load_league_config
from .learner import Outcome, one_after_another
from .matchmaking import MAINS, generation, match
from .pool import EXPLOITER, MAIN, PAST, Learner, Member, anchors_of, by_role, learners_of
from .ratings import Gains, Rated, spread_out, strengths
from .results import Tally
from .state import CHECKPOINTS, POLICIES, Finished, Standing, State, hashes_of_policies, load_state
from .worker import Job, seated_agents

CONFIG, STATE, RESULTS, RATINGS, BOARD = "config.json", "league.json", "results.json", "ratings.json", "tensorboard"
MATCHING, LEARNING = 8, 9  # purposes of random streams
LARGEST_SEED = 2**31  # of a round: libraries that a learner is made of take no larger ones


@dataclass(frozen=True)
class Progress:
    """How far a league is: the round, the learner at work (None: the round is done), decisions just learnt from."""

    round: int
    learner: str | None
    steps: int
    ratings: dict[str, Any] | None = None


Watcher = Callable[[Progress], None]
Work = Callable[[Sequence[Job], Callable[[str, int], None]], Iterable[tuple[str, Outcome]]]


class League:
    """A league in a folder; `config` begins one, None takes up the one that is there.

    work: works off jobs in any order or at once and gives each learner's name with its outcome as soon as it is there,
    `learner.one_after_another` unless told otherwise. Raises OptionError for settings that can't be,
    for a folder that holds another league, and for a state or files that can't be read, were changed, or are of another
    game, version or pack; nothing is changed then.
    """

    def __init__(self, folder: Path, config: LeagueConfig | None, work: Work = one_after_another) -> None:
        self.folder, self._work = folder, work
        self.config = settle(folder, config)
        self.game = self.config.game
        self.learners = learners_of(self.config)
        self._anchors = anchors_of(self.config)
        policies = hashes_of_policies(self.config.installed)
        self._origin = {"environment": self.game.id, "packs": self._packs(), "policies": policies}
        self.state = State(learners={learner.name: Standing() for learner in self.learners})
        if (folder / STATE).exists():
            self.state = load_state(folder, STATE, self._origin)
            if set(self.state.learners) != {learner.name for learner in self.learners}:
                raise OptionError(f"{folder / STATE} is of other learners: {', '.join(self.state.learners)}")
        self._gains: Gains | None = None

    @property
    def mains(self) -> tuple[Learner, ...]:
        """The main agents."""
        return tuple(learner for learner in self.learners if learner.kind == MAIN)

    def run(self, watch: Watcher = lambda progress: None) -> None:
        """Play the rounds that are left; after each learner's part the folder holds all it takes to go on."""
        with locked(self.folder):
            for name in (CHECKPOINTS, POLICIES):
                writable_folder(self.folder / name)
            self.config.save(self.folder / CONFIG)
            self._tidy()
            while self.state.round < self.config.rounds:
                self._round(watch)
                self._close()
                rated = self.state.ratings[-1] if self.state.ratings else None
                now = rated if rated is not None and rated["round"] == self.state.round else None
                watch(Progress(self.state.round, None, 0, now))
            self._write_for_people()

    def _round(self, watch: Watcher) -> None:
        """Work off the jobs of the round that aren't done yet."""
        number = self.state.round
        jobs = {each.name: self.job(each) for each in self.learners if each.name not in self.state.finished}
        for name, outcome in self._work(list(jobs.values()), lambda name, steps: watch(Progress(number, name, steps))):
            self.state.finished[name] = self._finished(jobs[name], outcome)
            self._save()

    def _finished(self, job: Job, outcome: Outcome) -> Finished:
        """Where a learner stands after its job."""
        before = self.state.learners[job.learner]
        standing = Standing(
            f"{CHECKPOINTS}/{job.checkpoint.name}",
            f"{POLICIES}/{job.policy.name}",
            outcome.steps,
            before.rounds + 1,
            before.begun,
        )
        return Finished(standing, outcome.tally, outcome.figures)

    def job(self, learner: Learner) -> Job:
        """What a learner has to do in this round."""
        state, config, own = self.state, self.config, zlib.crc32(learner.name.encode())
        holders, files = self._holders()
        drawn = match(
            learner,
            holders,
            (*state.pool, *self._anchors),
            self.game.camp_of_role,
            lambda lineup: state.results.win_rate(learner.name, lineup),
            config,
            (config.training.seed, MATCHING, own, state.round),
        )
        seated = dict.fromkeys(name for lineup, _ in drawn for name in lineup.by_role.values())
        files |= {member.name: self.folder / member.file for member in state.pool}
        standing = state.learners[learner.name]
        seeds = np.random.SeedSequence([config.training.seed, LEARNING, own, state.round])
        training = replace(
            config.training,
            role=learner.role,
            players=learner.players,
            seed=int(seeds.generate_state(1)[0]) % LARGEST_SEED,
        )
        stem = f"{learner.name}_{state.round + 1}"
        return Job(
            learner.name,
            training,
            self.folder / standing.checkpoint if standing.checkpoint else None,
            config.installed,
            {name: files[name] for name in seated if name in files},
            tuple(drawn),
            config.steps_per_round,
            self.folder / CHECKPOINTS / f"{stem}.npz",
            self.folder / POLICIES / f"{stem}.npz",
        )

    def _holders(self) -> tuple[dict[str, str], dict[str, Path]]:
        """Who holds each role as the main agents are now, and their files; before their first round the reference."""
        standing = self.state.learners
        there = [learner for learner in self.mains if standing[learner.name].policy]
        members = [Member(each.name, MAIN, self._roles(each), standing[each.name].policy, 0) for each in there]
        holders = by_role(members, self.game.roles, self.config.training.reference)
        return holders, {member.name: self.folder / member.file for member in members}

    def _roles(self, learner: Learner) -> tuple[str, ...]:
        return self.game.roles if learner.role is None else (learner.role,)

    def _close(self) -> None:
        """Let the round's outcomes change the league."""
        state, config = self.state, self.config
        finished = {learner.name: state.finished[learner.name] for learner in self.learners}
        state.finished = {}
        state.round += 1
        state.results.fade(config.decay)
        for name, each in finished.items():
            state.results.add(name, each.tally)
            state.learners[name] = each.standing
        if state.round % config.snapshot_every == 0:
            state.pool += [self._member(learner, PAST) for learner in self.mains]
        for learner in self.learners:
            if learner.kind == EXPLOITER and self._is_done(learner, finished):
                state.pool.append(self._member(learner, EXPLOITER))
                state.learners[learner.name] = Standing(begun=state.learners[learner.name].begun + 1)
                state.results.forget(learner.name)
        if state.round % config.rate_every == 0 or state.round == config.rounds:
            state.ratings.append(self._rate())
        self._save()
        self._log(finished)
        self._write_for_people()
        self._tidy()

    def _member(self, learner: Learner, kind: str) -> Member:
        """A learner's present policy as a member of the pools, under the name of its file."""
        file = self.state.learners[learner.name].policy
        return Member(Path(file).stem, kind, self._roles(learner), file, self.state.round)

    def _is_done(self, learner: Learner, finished: Mapping[str, Finished]) -> bool:
        """Whether an exploiter won enough in this round, or had its rounds."""
        if finished[learner.name].standing.rounds >= self.config.exploiter_rounds:
            return True
        gain = self._exploiter_gain(learner, finished)
        return gain is not None and gain >= self.config.exploiter_margin

    def _exploiter_gain(self, learner: Learner, finished: Mapping[str, Finished]) -> float | None:
        """How much more an exploiter won among the main agents in this round than the main agent of its role did."""
        role = learner.role
        main = next(each for each in self.mains if each.role in (None, role))
        own = _rate_of(finished[learner.name].tally, role)
        usual = _rate_of(finished[main.name].tally, role)
        return None if own is None or usual is None else own - usual

    def _rate(self) -> dict[str, Any]:
        """A row of ratings: main agents, some past selves and the anchors."""
        state, config = self.state, self.config
        holders, files = self._holders()
        born = sorted({each.born for each in state.pool if each.kind == PAST and each.born < state.round})
        rated = [Rated(MAINS, holders)]
        for chosen in spread_out(born, config.rated_past):
            saved = [each for each in state.pool if each.kind == PAST and each.born == chosen]
            files |= {each.name: self.folder / each.file for each in saved}
            rated.append(Rated(generation(chosen), by_role(saved, self.game.roles, config.training.reference)))
        rated += [Rated(name, dict.fromkeys(self.game.roles, name)) for name in config.installed]
        agents = seated_agents(self.game, config.installed, files)
        named = {agent.name: agent for agent in agents}
        found, missing = strengths(rated, agents, config.training.reference, config.rating_games, config.training)
        return {
            "round": state.round,
            "steps": {each.name: state.learners[each.name].steps for each in self.mains},
            "reference": config.training.reference,
            "strengths": found,
            "no_strengths": missing,
            "gains": self._gains_of({role: named[name] for role, name in holders.items()}, agents),
        }

    def _gains_of(self, mains: Mapping[str, Agent], agents: tuple[Agent, ...]) -> list[dict[str, Any]]:
        if self._gains is None:
            self._gains = Gains(self.config.training, agents[: len(self.config.installed)])
        return self._gains.rows(mains)

    def _save(self) -> None:
        self.state.save(self.folder, STATE, {**self._origin, "code": code_version()})

    def _tidy(self) -> None:
        """Delete checkpoints and policies that the state doesn't name: of rounds past, or broken off."""
        used = self.state.named()
        for name in (CHECKPOINTS, POLICIES):
            for file in (self.folder / name).glob("*.npz"):
                if f"{name}/{file.name}" not in used:
                    file.unlink(missing_ok=True)

    def _write_for_people(self) -> None:
        """What the state holds too, for reading: results, ratings, and the main agents under names that stay."""
        write_json(self.folder / RESULTS, {"round": self.state.round, "results": list(self.state.results.rows())})
        write_json(self.folder / RATINGS, {"ratings": self.state.ratings})
        for learner in self.mains:
            file = self.state.learners[learner.name].policy
            if file:
                _copy(self.folder / file, self.policy_of(learner))

    def policy_of(self, learner: Learner) -> Path:
        """The file of a main agent, which changes with each round."""
        return self.folder / f"{learner.name}.npz"

    def _log(self, finished: Mapping[str, Finished]) -> None:
        """Write the round's figures for TensorBoard."""
        number, rows = self.state.round, list(_figures(finished))
        if self.state.ratings and self.state.ratings[-1]["round"] == number:
            rows += _rated_figures(self.state.ratings[-1])
        with closing(Board(self.folder / BOARD, suffix=f".round_{number}")) as board:
            board.scalars(rows, number)

    def _packs(self) -> list[str]:
        """The hashes of the content packs that are played with."""
        training = self.config.training
        settings = [self.game.make_params(num_players=count, **training.options) for count in training.counts()]
        return sorted({str(getattr(pack, "hash", "")) for _, pack in settings})


def _copy(source: Path, target: Path) -> None:
    write_whole(target, lambda partial: shutil.copyfile(source, partial))


def _rate_of(tally: Tally, role: str | None) -> float | None:
    """How often a role won among the main agents; None where it wasn't played."""
    found = [count for (own, lineup), count in tally.items() if own == role and lineup == MAINS]
    wins, games = sum(wins for wins, _ in found), sum(games for _, games in found)
    return wins / games if games else None


def _figures(finished: Mapping[str, Finished]) -> Iterator[tuple[str, float]]:
    """Name and value of what is logged of a round."""
    for learner, each in finished.items():
        for name, value in each.figures.items():
            yield f"{learner}/{name}", value
        for lineup in {name for _, name in each.tally}:
            counts = [count for (_, name), count in each.tally.items() if name == lineup]
            yield f"{learner}/won/{lineup}", sum(wins for wins, _ in counts) / sum(games for _, games in counts)


def _rated_figures(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Name and value of what is logged of a row of ratings."""
    for each in row["strengths"]:
        yield f"strength/{each['camp']}/{each['agent']}", each["value"]
    for each in row["gains"]:
        yield f"gain/{each['players']}_players/{each['role']}", each["gain"]


def settle(folder: Path, config: LeagueConfig | None) -> LeagueConfig:
    """The league's settings: those given, or those in the folder; OptionError where there is another league or run.

    More rounds than before are no other league.
    """
    there = folder / CONFIG
    if config is None:
        if not there.exists():
            raise OptionError(f"{folder} holds no league that could be taken up: {there} is missing")
        return load_league_config(there)
    config = config.checked()
    if there.exists() and replace(load_league_config(there), rounds=config.rounds) != config:
        raise OptionError(
            f"{folder} holds a league with other settings; take it up with --resume, or choose another "
            "folder with --out"
        )
    return config
