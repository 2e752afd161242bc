"""A league in its folder: rounds of matchmaking, learning and ratings, resumable after every learner's part.

The jobs of a round, one for each learner, depend only on the state at its beginning, so they can be played in any order
or in parallel. When all are done, the round changes the league: win counts, past selves, exploiters, ratings.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.files import write_bytes
from riverbed_env.core.packs import pack_hashes
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import SUFFIX

from ..files import code_version, writable_folder
from ..locks import locked
from ..tensorboard import EventWriter
from ..training.evaluation import SeatGains
from ..training.folder_run import NO_LIMIT, Progress, TimeBudget, Watcher
from . import matchmaking
from .config import LeagueConfig, roles_dealt
from .learner import Job, Outcome, one_after_another, seated_agents
from .matchmaking import ANCHOR, EXPLOITER, MAIN, MAINS, PAST, Learner, Member, by_role, counted, learners_of
from .state import CHECKPOINTS, POLICIES, Finished, LearnerProgress, State, hashes_of_policies, load_state

STATE, BOARD = "league.json", "tensorboard"
MATCHING, LEARNING = 8, 9  # purposes of random streams
LARGEST_SEED = 2**31  # of a round: PyTorch takes no larger ones


Work = Callable[[Sequence[Job], Callable[[str, int], None]], Iterable[tuple[str, Outcome]]]


class League:
    """A league in a folder. `config`: of a new league, or of the one there, which is resumed; None: as the one there.

    work: plays jobs in any order, and yields each learner's name with its outcome when it is done. Raises OptionError,
    and changes nothing, for a folder that holds another league, and for a state or files that can't be read, were
    changed, or are of another game, version or pack.
    """

    def __init__(self, folder: Path, config: LeagueConfig | None, work: Work = one_after_another) -> None:
        self.folder, self._work = folder, work
        self.config = LeagueConfig.in_folder(folder, config)
        self.game = self.config.game
        self.learners = learners_of(self.config)
        self._anchors = [Member(name, ANCHOR, self.game.roles, 0) for name in self.config.anchors]
        policies = hashes_of_policies(self.config.installed)
        self._origin = {"environment": self.game.id, "packs": self._packs(), "policies": policies}
        self.state = State(learners={learner.name: LearnerProgress() for learner in self.learners})
        if (folder / STATE).exists():
            self.state = load_state(folder, STATE, self._origin)
            if set(self.state.learners) != {learner.name for learner in self.learners}:
                raise OptionError(f"{folder / STATE} is of other learners: {', '.join(self.state.learners)}")
        self._gains = SeatGains(self.config.training, self.config.training.evaluation_games)

    @property
    def mains(self) -> tuple[Learner, ...]:
        """The main agents."""
        return tuple(learner for learner in self.learners if learner.kind == MAIN)

    @property
    def is_finished(self) -> bool:
        """Whether all rounds have been played."""
        return self.state.round >= self.config.rounds

    @property
    def where(self) -> str:
        """Its progress, as text."""
        return f"after {self.state.round:,} rounds"

    def run(self, watch: Watcher = lambda progress: None, budget: TimeBudget = NO_LIMIT) -> None:
        """Play the rounds that are left; the league can be resumed after each learner's part of a round.

        A spent `budget` ends it after the part in progress.
        """
        with locked(self.folder):
            for name in (CHECKPOINTS, POLICIES):
                writable_folder(self.folder / name)
            self.config.save(self.folder)
            self._tidy()
            while not self.is_finished and not budget.is_spent() and self._play_jobs(watch, budget):
                self._end_round()
                watch(Progress(self.where, self._steps_done(), self._steps_of(self.config.rounds)))
            self._write_policies()

    def _play_jobs(self, watch: Watcher, budget: TimeBudget) -> bool:
        """Play the unfinished jobs of the round; returns whether all are done."""
        number, done = self.state.round + 1, self._steps_done()

        def note(name: str, steps: int) -> None:
            nonlocal done
            done += steps
            watch(Progress(f"round {number} of {self.config.rounds}: {name}", done, self._steps_of(self.config.rounds)))

        jobs = {each.name: self.job(each) for each in self.learners if each.name not in self.state.finished}
        for name, outcome in self._work(list(jobs.values()), note):
            self.state.finished[name] = self._finished(name, outcome)
            self._save()
            if budget.is_spent():
                break
        return len(self.state.finished) == len(self.learners)

    def _steps_of(self, rounds: int) -> int:
        return rounds * len(self.learners) * self.config.steps_played

    def _steps_done(self) -> int:
        return self._steps_of(self.state.round) + len(self.state.finished) * self.config.steps_played

    def _finished(self, name: str, outcome: Outcome) -> Finished:
        """Write the files of a learner's job; its progress and win counts."""
        before, stem = self.state.learners[name], f"{name}_{self.state.round + 1}"
        write_bytes(self._file(POLICIES, stem), outcome.policy)
        write_bytes(self._file(CHECKPOINTS, stem), outcome.checkpoint)
        progress = LearnerProgress(stem, outcome.steps, before.rounds + 1, before.restarts)
        return Finished(progress, outcome.tally, outcome.figures)

    def _file(self, folder: str, stem: str) -> Path:
        return self.folder / folder / f"{stem}{SUFFIX}"

    def job(self, learner: Learner) -> Job:
        """A learner's job of this round."""
        state, config = self.state, self.config
        holders, files = self._holders()
        tally, drawing = state.results.get(learner.name, {}), self._seed(MATCHING, learner)
        pool = (*state.pool, *self._anchors)
        lineups = matchmaking.match(learner, holders, pool, self.game.camp_of_role, tally, config, drawing)
        seated = {name for lineup, _ in lineups for name in lineup.by_role.values()}
        stem = state.learners[learner.name].stem
        seed = int(np.random.SeedSequence(self._seed(LEARNING, learner)).generate_state(1)[0]) % LARGEST_SEED
        return Job(
            learner.name,
            replace(config.training, role=learner.role, players=learner.players, seed=seed),
            self._file(CHECKPOINTS, stem).read_bytes() if stem else None,
            config.installed,
            {name: file.read_bytes() for name, file in files.items() if name in seated},
            tuple(lineups),
            config.steps_played,
        )

    def _seed(self, purpose: int, learner: Learner) -> tuple[int, ...]:
        return (self.config.training.seed, purpose, zlib.crc32(learner.name.encode()), self.state.round)

    def _holders(self) -> tuple[dict[str, str], dict[str, Path]]:
        """The main agent that holds each role now, before its first round the reference; and all policies by name."""
        stems = {learner.name: self.state.learners[learner.name].stem for learner in self.mains}
        trained = [Member(each.name, MAIN, self._roles(each), 0) for each in self.mains if stems[each.name]]
        named = {
            **{each.name: stems[each.name] for each in trained},
            **{each.name: each.name for each in self.state.pool},
        }
        holders = by_role(trained, self.game.roles, self.config.training.reference)
        return holders, {name: self._file(POLICIES, stem) for name, stem in named.items()}

    def _roles(self, learner: Learner) -> tuple[str, ...]:
        return self.game.roles if learner.role is None else (learner.role,)

    def _end_round(self) -> None:
        """Apply the round's outcomes to the league."""
        state, config = self.state, self.config
        finished = {learner.name: state.finished[learner.name] for learner in self.learners}
        state.finished = {}
        state.round += 1
        for name, each in finished.items():
            state.results[name] = matchmaking.added(state.results.get(name, {}), config.decay, each.tally)
            state.learners[name] = each.progress
        if state.round % config.snapshot_every == 0:
            state.pool += [self._member(learner, PAST) for learner in self.mains]
        for learner in self.learners:
            if learner.kind == EXPLOITER and self._joins_pool(learner, finished):
                state.pool.append(self._member(learner, EXPLOITER))
                state.learners[learner.name] = LearnerProgress(restarts=state.learners[learner.name].restarts + 1)
                state.results.pop(learner.name)
        if state.round % config.rate_every == 0 or state.round == config.rounds:
            state.ratings.append(self._rate())
        self._save()
        self._log(finished)
        self._write_policies()
        self._tidy()

    def _member(self, learner: Learner, kind: str) -> Member:
        """A learner's current policy as a member of the pools, named as its file."""
        return Member(self.state.learners[learner.name].stem, kind, self._roles(learner), self.state.round)

    def _joins_pool(self, learner: Learner, finished: Mapping[str, Finished]) -> bool:
        """Whether an exploiter won enough in this round, or has had all its rounds."""
        if finished[learner.name].progress.rounds >= self.config.exploiter_rounds:
            return True
        main = next(each for each in self.mains if each.role in (None, learner.role))
        tallies = [finished[each.name].tally for each in (learner, main)]
        (wins, games), (own, of) = (counted(tally, role=learner.role, lineup=MAINS) for tally in tallies)
        return bool(games and of) and wins / games - own / of >= self.config.exploiter_margin

    def _rate(self) -> dict[str, Any]:
        """A row of ratings: the main agents' gains among the reference, and among some past selves."""
        state, config = self.state, self.config
        reference = config.training.reference
        holders, files = self._holders()
        agents = {agent.name: agent for agent in seated_agents(self.game, self.config.installed, files)}
        past = [each for each in state.pool if each.kind == PAST and each.born < state.round]
        among = {reference: dict.fromkeys(self.game.roles, reference)}
        for born in spread_out(sorted({each.born for each in past}), config.rated_past):
            members = [each for each in past if each.born == born]
            among[matchmaking.generation(born)] = by_role(members, self.game.roles, reference)
        held = {name: {role: agents[who] for role, who in roles.items()} for name, roles in among.items()}
        gains = [
            {"among": name, "role": role, "players": count, **self._gains.row(name, lineup, role, count, agents[who])}
            for name, lineup in held.items()
            if config.training.evaluation_games
            for count in config.training.counts()
            for role in roles_dealt(config.training, count)
            for who in [holders[role]]
        ]
        steps = {each.name: state.learners[each.name].steps for each in self.mains}
        return {"round": state.round, "steps": steps, "reference": reference, "gains": gains}

    def _rated(self) -> dict[str, Any] | None:
        """The rating made after this round; None if there was none."""
        return next((row for row in self.state.ratings[-1:] if row["round"] == self.state.round), None)

    def _save(self) -> None:
        self.state.save(self.folder, STATE, {**self._origin, "code": code_version()})

    def _tidy(self) -> None:
        """Delete checkpoints and policies of past or interrupted rounds, which the state doesn't name."""
        used = self.state.named()
        for name in (CHECKPOINTS, POLICIES):
            for file in (self.folder / name).glob("*.npz"):
                if f"{name}/{file.name}" not in used:
                    file.unlink(missing_ok=True)

    def _write_policies(self) -> None:
        """Write the main agents under names that don't change."""
        for learner in self.mains:
            stem = self.state.learners[learner.name].stem
            if stem:
                write_bytes(self.policy_of(learner), self._file(POLICIES, stem).read_bytes())

    def policy_of(self, learner: Learner) -> Path:
        """The file of a main agent, rewritten after each round."""
        return self.folder / f"{learner.name}{SUFFIX}"

    def _log(self, finished: Mapping[str, Finished]) -> None:
        """Write the round's figures for TensorBoard."""
        number, rows = self.state.round, list(_figures(finished))
        for each in (self._rated() or {"gains": ()})["gains"]:
            rows.append((f"gain/among_{each['among']}/{each['players']}_players/{each['role']}", each["gain"]))
        with closing(EventWriter(self.folder / BOARD, suffix=f".round_{number}")) as events:
            events.scalars(rows, number)

    def _packs(self) -> list[str]:
        """The hashes of the content packs in play."""
        training = self.config.training
        made = [self.game.make_params(num_players=count, **training.options) for count in training.counts()]
        return pack_hashes(pack for _, pack in made)


def _figures(finished: Mapping[str, Finished]) -> Iterator[tuple[str, float]]:
    """Name and value of each figure logged of a round."""
    for learner, each in finished.items():
        for name, value in each.figures.items():
            yield f"{learner}/{name}", value
        for lineup in dict.fromkeys(name for lineups in each.tally.values() for name in lineups):
            wins, games = counted(each.tally, lineup=lineup)
            yield f"{learner}/won/{lineup}", wins / games


def spread_out(born: Sequence[int], count: int) -> list[int]:
    """At most `count` of the rounds, evenly spread; the first is among them, and the last if there are two."""
    if not born:
        return []
    places = np.linspace(0, len(born) - 1, min(count, len(born))).round()
    return [born[int(place)] for place in places]
