"""Compare agents from Python: `evaluate` plays them on common deals and returns data frames and the report."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.core.game import Game
from riverbed_env.players.agents import Agent
from riverbed_env.registry import find_game

from . import published
from .evaluation.outcomes import rows_frame
from .evaluation.run import Evaluation, find_agents
from .extras import need
from .files import writable_folder
from .playing.plan import Plan, usual_tables
from .report.page import write_report
from .report.report import Report, assemble, verdict

if TYPE_CHECKING:
    import pandas as pd

Given = str | Agent


@dataclass(frozen=True)
class Evaluated:
    """The results of a finished evaluation, as data frames of pandas."""

    evaluation: Evaluation

    @cached_property
    def rows(self) -> pd.DataFrame:
        """One row per game, with `focus_role`, `focus_agent` and `focus_won` of the seat in focus."""
        return rows_frame(self.evaluation.game, self.evaluation.folder)

    @cached_property
    def cells(self) -> pd.DataFrame:
        """One row per cell: the lineup, win rates by camp, gains; from 0 to 1, with 95 % intervals."""
        return self.evaluation.outcomes.frame

    @cached_property
    def results(self) -> Report:
        """All that the report shows."""
        return assemble(self.evaluation.outcomes)

    @property
    def verdict(self) -> list[str]:
        """Who is better than whom, in sentences."""
        return verdict(self.results)

    def report(self, path: Path | str) -> Path:
        """Write report.html into a folder.

        Args:
            path: the folder, made if needed.

        Returns:
            The file.

        Raises:
            OptionError: the folder can't be written.
        """
        return write_report(self.results, writable_folder(Path(path)))


def evaluate(
    agents: Sequence[Given] | Mapping[str, Given],
    *,
    reference: Given | None = None,
    players: int | Sequence[int] | None = None,
    games: int = 10_000,
    game: str = "riverbed_hunt",
    roles: Sequence[str] = (),
    tables: Sequence[str] = (),
    held_out: Sequence[str] = (),
    one_way: bool = False,
    seed: int = 0,
    threads: int = 1,
    out: Path | str | None = None,
    **options: Any,
) -> Evaluated:
    """Compare agents on common deals, as `riverbed evaluate` does.

    Args:
        agents: specs like "simple" or "run/policy.npz", or agents; a mapping gives each its label.
        reference: whom to measure against; by default the best published agent that isn't among them.
        players: player counts; by default all of the game.
        games: deals of each cell, 1 or more.
        game: the game's id.
        roles: roles to compare; by default all.
        tables: of "mirror", "deviation", "matrix", "held_out" and "cross_play"; by default all that apply but the last.
        held_out: agents that "held_out" draws from; by default the published ones.
        one_way: seat an agent once per game at most.
        seed: of the numbered games.
        threads: that play; their number changes no row.
        out: the folder of the rows, where the same call resumes; by default a temporary one.
        options: of the game, like `pack`.

    Returns:
        The results, with the frames `rows` and `cells`.

    Raises:
        OptionError: if the plan can't be played, or the folder holds another evaluation.
    """
    need("reports")
    named = dict(agents) if isinstance(agents, Mapping) else {_name(agent): agent for agent in agents}
    labels = {_name(agent): label for label, agent in named.items() if label != _name(agent)}
    chosen, specs = find_game(game), tuple(map(_name, named.values()))
    plan = plan_of(
        *(chosen, specs, None if reference is None else _name(reference)),
        players=(players,) if isinstance(players, int) else tuple(players or ()),
        deals=games, roles=tuple(roles), tables=tuple(tables), held_out=tuple(held_out), one_way=one_way,
        seed=seed, labels=labels, options=options,
    )  # fmt: skip
    given = (*named.values(), *([] if reference is None else [reference]))
    own = {agent.name: agent for agent in given if not isinstance(agent, str)}
    folder = Path(tempfile.mkdtemp(prefix="riverbed-") if out is None else out)
    found = [own.get(spec) or find_agents(chosen, [spec])[0] for spec in plan.seated]
    evaluation = Evaluation.begin(plan, folder, threads, found)
    evaluated = Evaluated(evaluation)
    if out is None:
        weakref.finalize(evaluated, shutil.rmtree, folder)
    evaluation.play()
    return evaluated


def plan_of(
    game: Game, agents: Sequence[str], reference: str | None, *, players: Sequence[int], roles: Sequence[str],
    tables: Sequence[str], held_out: Sequence[str], one_way: bool, **settings: Any,
) -> Plan:  # fmt: skip
    """The plan of an evaluation; what is empty or None has the default of `evaluate`.

    Args:
        game: the game.
        agents: the specs of the agents; by default the published ones but the reference.
        reference: the spec of whom they are measured against.
        players: player counts.
        roles: roles to compare.
        tables: the tables to play.
        held_out: specs of the agents that "held_out" draws from.
        one_way: seat an agent once per game at most.
        settings: other fields of the plan.

    Returns:
        The plan.
    """
    measured = reference or published.reference(game, agents)
    others = [name for name in published.installed(game, published.AGENTS) if name != measured]
    pool = tuple(held_out) or published.installed(game, published.HELD_OUT)
    return Plan(
        environment=game.id,
        agents=tuple(agents or others),
        reference=measured,
        players=tuple(players or range(game.min_players, game.max_players + 1)),
        roles=tuple(roles or game.roles),
        tables=tuple(tables or usual_tables(game, bool(pool), one_way)),
        held_out=pool,
        one_way=one_way,
        **settings,
    )


def _name(agent: Given) -> str:
    return agent if isinstance(agent, str) else agent.name
