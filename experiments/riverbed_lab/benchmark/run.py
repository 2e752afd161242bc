"""Playing a track: an entrant takes seats in evaluations on common deals, whose rows give the track's cells."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riverbed_env.core.batch import options_by_deal
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent, plays_in_words
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..evaluation import folder
from ..evaluation.outcomes import Outcomes
from ..evaluation.run import Evaluation, Work
from ..exact import exact_rows
from ..extras import need
from ..playing import plan as plans
from ..playing.plan import HELD_OUT, MATRIX, Plan, Setup
from ..playing.rows import read_table
from ..statistics import block_differences
from .score import Cell
from .tracks import ITSELF, Track, benchmark, check_agents, fingerprint, frozen, seed_of

if TYPE_CHECKING:
    from ..training.folder_run import Progress

# What an evaluation's cells are: the track's own, those on packs for training, and those among other seeds.
CELLS, TRAINED, SEEDS = "cells", "trained", "seeds"
TRAINING = "training"  # the folder of the learners
HASHED = ("game", "focus", "winner", "turns", "decisions")  # columns of the rows that their hash covers


@dataclass(frozen=True)
class Entrant:
    """Who is measured: the spec and its agent, and other seeds of the same method."""

    spec: str
    seeds: tuple[str, ...] = ()

    @cached_property
    def game(self) -> Game:
        """The benchmark's game."""
        return find_game(benchmark().game)

    @cached_property
    def agent(self) -> Agent:
        """The agent of the spec."""
        return find_agent(self.spec, self.game.name)

    @cached_property
    def hash(self) -> str:
        """Of how it plays, so that neither another name nor another way to write it changes it.

        A player from outside isn't asked for that: its spec counts.
        """
        if plays_in_words(self.agent):
            return hashlib.sha256(self.spec.encode()).hexdigest()[:16]
        return fingerprint(self.agent, self.game)

    def seed(self, track: str) -> int:
        """The seed of a track's deals, drawn from the hash: an agent can't be chosen by the deals it will be given."""
        return seed_of(track, self.hash)


@dataclass(frozen=True)
class Part:
    """One evaluation of a track: the plan's agent among one lineup, with one set of options."""

    kind: str  # CELLS, TRAINED or SEEDS: what its cells are in the result
    name: str  # unlike that of the track's other parts
    lineup: str
    plan: Plan

    @property
    def agent(self) -> str:
        """The spec of the agent that is measured."""
        return self.plan.agents[0]

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in self.name)


class TrackRun:
    """A track of the benchmark as it is played for an entrant, in a folder; resumes there."""

    def __init__(self, name: str, entrant: Entrant, path: Path, games: int | None = None, threads: int = 1) -> None:
        self.name, self.entrant, self.path, self.threads = name, entrant, path, threads
        self.track: Track = benchmark().track(name)
        self.games = games or self.track.games

    @cached_property
    def parts(self) -> list[Part]:
        """The evaluations that the track consists of."""
        if self.track.seats == "exact":
            return []
        if self.track.seats == "response":
            return [self._response(role) for role in self.entrant.game.roles]
        own = [self._part(lineup, self.track.options) for lineup in self.track.lineups]
        if self.track.trained:
            own += [self._part(lineup, self.track.trained, TRAINED) for lineup in self.track.lineups]
        return own + [self._part(seed, {}, SEEDS) for seed in self.entrant.seeds if self.track.seats == "camp"]

    def _part(self, lineup: str, options: Mapping[str, Any], kind: str = CELLS) -> Part:
        one_seat = self.track.seats in ("role", "response") or kind == SEEDS
        plan = Plan(
            environment=self.entrant.game.id,
            agents=(self.entrant.spec,),
            reference=self.track.over if self.track.seats == "role" else lineup,
            players=self.track.players,
            deals=self.games,
            roles=tuple(self.entrant.game.roles),
            tables=(HELD_OUT if one_seat else MATRIX,),
            held_out=(lineup,),
            seed=self.entrant.seed(self.name),
            options=dict(options),
            one_way=one_seat,
        )
        return Part(kind, lineup if kind == CELLS else f"{kind} {lineup}", lineup, plan)

    def _response(self, role: str) -> Part:
        """The evaluation of a role's learner, compared with the entrant, among the entrant in all other seats."""
        from ..training.folder_run import POLICY

        learner = f"{self.path / TRAINING / role / POLICY}:greedy=true"
        plan = self._part(self.entrant.spec, {}).plan
        return Part(CELLS, role, ITSELF, replace(plan, agents=(learner,), roles=(role,)))

    def _train(self, watch: Callable[[str], None]) -> None:
        """Train what is left of the learners, one for each role, against the entrant in all other seats."""
        need("training")
        from ..exploit import LARGEST_SEED, build_responses
        from ..selfplay import training_in

        seed = self.entrant.seed(self.name) % LARGEST_SEED
        training = {"opponents": self.entrant.spec, "players": list(self.track.players), "seed": seed}
        training |= {"steps": self.track.decisions, "evaluation_games": 0, "threads": self.threads}
        responses = build_responses({"training": training, "seeds": 1}, self.name)
        for role in responses.roles:
            run = training_in(self.path / TRAINING / role, responses.learner(role, seed))
            run.run(partial(_told, watch, role))

    def play(self, watch: Callable[[str], None] = lambda doing: None, work: Work | None = None) -> dict[str, Any]:
        """Play what is left of the track.

        Args:
            watch: is told what is being done.
            work: where chunks are played; None for this process.

        Returns:
            Its result, as JSON takes it.

        Raises:
            OptionError: the benchmark's own agents or packs have changed, or the folder holds another run.
        """
        if self.track.seats == "exact":
            return {"hash": self.entrant.hash, "exact": exact_rows(self.entrant.spec, self.track.small)}
        check_agents(tuple(dict.fromkeys([*self.track.lineups, self.track.over])))
        self._check_packs()
        if self.track.seats == "response":
            self._train(watch)
        rows, seconds = hashlib.sha256(), 0.0
        found: dict[str, list[dict[str, Any]]] = {CELLS: [], TRAINED: [], SEEDS: []}
        for part in self.parts:
            evaluation = Evaluation.begin(part.plan, self.path / part.folder, self.threads)
            evaluation.play(lambda cell, deals, games: watch(cell.name), work)
            seconds += read_rows(evaluation, rows)
            found[part.kind] += [_plain(cell) for cell in self._cells(part, evaluation)]
        return {
            "hash": self.entrant.hash,
            "seed": self.entrant.seed(self.name),
            "games": self.games,
            "code": evaluation.folder.identity.code,
            "rows": rows.hexdigest()[:16],
            "seconds": round(seconds, 1),
            **{kind: cells for kind, cells in found.items() if cells},
        }

    def _check_packs(self) -> None:
        for name, options in ((self.name, self.track.options), (f"{self.name} {TRAINED}", self.track.trained)):
            if name in frozen().packs and packs_of(self.entrant.game, options) != frozen().packs[name]:
                raise OptionError(f"the packs of {name} aren't those of {benchmark().name}: they have changed since")

    def _cells(self, part: Part, evaluation: Evaluation) -> Iterator[Cell]:
        """The cells of an evaluation, in order."""
        outcomes, game = evaluation.outcomes, self.entrant.game
        every = len(options_by_deal(game, part.plan.options_of(part.plan.setups[0])))
        for setup in part.plan.setups:
            for seat, camp, ours, theirs in self._pairs(part, setup):
                yield _cell(outcomes, ours, theirs, camp, (part.lineup, setup.num_players, seat), every)

    def _pairs(self, part: Part, setup: Setup) -> Iterator[tuple[str, str, plans.Cell, plans.Cell]]:
        """Role or camp, its camp, and the two cells that are compared: with the entrant there, and without it."""
        game, spec, reference = self.entrant.game, part.agent, part.plan.reference
        if part.plan.tables == (HELD_OUT,):
            for role in part.plan.roles:
                ours, theirs = (plans.held_out(setup, role, who, part.plan.held_out) for who in (spec, reference))
                yield role, game.camp_of_role[role], ours, theirs
            return
        for place, camp in enumerate(game.camps):
            seated = [reference] * len(game.camps)
            seated[place] = spec
            theirs = plans.mirror(game, setup, reference)
            ours = plans.Cell(MATRIX, setup.num_players, tuple(seated), variant=setup.variant)
            yield camp, camp, theirs if spec == reference else ours, theirs


def _cell(
    outcomes: Outcomes, ours: plans.Cell, theirs: plans.Cell, camp: str, place: tuple[str, int, str], packs: int
) -> Cell:
    """What two cells of rows say, block by block: a block is a deal, or a pack where there are several."""
    won, deals = outcomes.wins(ours, camp)
    instead, others = outcomes.wins(theirs, camp)
    blocks = (deals, others) if packs == 1 else (deals % packs, others % packs)
    differences, _, _ = block_differences(won, blocks[0], instead, blocks[1])
    values, counts = np.unique(np.round(differences, 6), return_counts=True)
    pairs = tuple(zip(values.tolist(), counts.tolist(), strict=True))
    return Cell(*place, round(float(won.mean()), 6), round(float(instead.mean()), 6), pairs)


def _told(watch: Callable[[str], None], role: str, progress: Progress) -> None:
    watch(f"learner as {role}: {progress.done:,} of {progress.total:,}")


def _plain(cell: Cell) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(vars(cell)))
    return plain


def read_rows(evaluation: Evaluation, total: Any) -> float:
    """Add every game's number, seat in focus, winner and length to a hash; the seconds that playing them took."""
    seconds = 0.0
    for number, _ in enumerate(evaluation.outcomes.cells):
        for part in evaluation.folder.parts_of(number):
            table = read_table(evaluation.game, part, (*HASHED, "seconds"))
            seconds += float(table["seconds"].to_numpy().sum())
            for name in HASHED:
                total.update(table[name].to_numpy().astype("<i8").tobytes())
    return seconds


def packs_of(game: Game, options: Mapping[str, Any]) -> str:
    """The hash of the packs that these options name."""
    plan = Plan(game.id, ("random",), "random", (game.default_players,), 1, tuple(game.roles), options=options)
    return folder.pack_hash(game, plan)


def play_tracks(
    entrant: Entrant, names: tuple[str, ...], path: Path, *, games: int | None, threads: int,
    watch: Callable[[str], None], work: Work | None, note: Callable[[str], None],
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """The results of these tracks; one that the entrant can't play says why. note: is told each track's name."""
    results = {}
    for name in names:
        note(name)
        try:
            results[name] = TrackRun(name, entrant, path / name, games, threads).play(watch, work)
        except OptionError as error:
            if benchmark().tracks[name].is_scored or len(names) == 1:
                raise
            results[name] = {"hash": entrant.hash, "refused": str(error)}
    return results
