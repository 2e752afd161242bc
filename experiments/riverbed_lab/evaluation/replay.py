"""Playing the games of rows again: the same seats and deals, and a check that they end as the rows say."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import options_by_deal
from riverbed_env.core.game import Game
from riverbed_env.core.packs import pack_hash as hash_of
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent, CompiledAgent
from riverbed_env.registry import find_game

from ..config_files import read_as
from ..files import code_version
from ..playing.plan import Cell, cells
from ..playing.play import play_seated
from ..playing.rows import ACTIONS, columns_of, read_actions, read_table
from .folder import Identity, load, pack_hash
from .run import at_table, find_agents

Row = dict[str, Any]


class Replay:
    """The rows of an evaluation's folder, each of which can be played again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.identity: Identity = load(path)
        self.plan = self.identity.plan
        self.game: Game = find_game(self.plan.environment)
        self.cells = cells(self.game, self.plan)
        pack = pack_hash(self.game, self.plan)
        if pack != self.identity.pack:
            raise OptionError(f"{path} was played with content pack {self.identity.pack}; it is {pack} now")

    @cached_property
    def agents(self) -> list[Agent]:
        """The agents of the evaluation."""
        return find_agents(self.game, self.plan.seated)

    def cell(self, name: str) -> Cell:
        """A cell by its number or name."""
        if name.isdigit() and int(name) < len(self.cells):
            return self.cells[int(name)]
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise OptionError(f"{self.path} has no cell {name!r}; 'riverbed replay {self.path}' lists them")

    def rows(self, cell: Cell, part: Path) -> list[Row]:
        """The rows of a part of a cell; with all decisions, in ACTIONS, where they were kept."""
        rows: list[Row] = read_table(self.game, part, columns_of(self.game).names).to_pylist()
        expected = {"environment": self.game.id, "seed": self.plan.seed, "cell": cell.name}
        if not all(expected.items() <= row.items() for row in rows):
            raise OptionError(f"{part} holds rows of other games: expected {expected}")
        kept = read_actions(part, len(rows))
        return rows if kept is None else [{**row, ACTIONS: actions} for row, actions in zip(rows, kept)]

    def row(self, cell: Cell, number: int, focus: int | None = None) -> Row:
        """The row of a deal of a cell; `focus`, the seat in focus, distinguishes the games of one deal."""
        part = self.path / "parts" / f"{self.cells.index(cell):04}-{number // self.plan.chunk:05}.parquet"
        if not part.exists():
            raise OptionError(f"game {number} of cell {cell.name!r} isn't played: there is no {part}")
        for row in self.rows(cell, part):
            if row["game"] == number and focus in (None, row["focus"]):
                return row
        with_focus = "" if focus is None else f" with seat {focus} in focus"
        raise OptionError(f"cell {cell.name!r} has no game {number}{with_focus}")

    def in_words(self, row: Row) -> str:
        """The winners of the row's game, and its length."""
        winners = [camp for camp in self.game.camps if row[f"won_{camp}"]]
        return f"{' and '.join(winners) or 'nobody'} won after {row['decisions']} decisions"

    def record(self, row: Row) -> RecordedGame:
        """The row's game with all its actions. Raises OptionError if it ends differently from its row."""
        (game,) = self.games(self.cell(row["cell"]), [row])
        *_, last = game.replay()
        self._check([row], last.games)
        return game

    def games(self, cell: Cell, rows: Sequence[Row]) -> list[RecordedGame]:
        """The games of rows of a cell, played again where their decisions weren't kept.

        Raises OptionError if one then ends differently from its row.
        """
        if not rows:
            return []
        by_deal = options_by_deal(self.game, self.plan.options_of(cell.setup))
        kept = [row[ACTIONS] for row in rows if ACTIONS in row] or self._played_again(cell, rows)
        return [
            self._recorded(row, actions, by_deal[row["game"] % len(by_deal)])
            for row, actions in zip(rows, kept, strict=True)
        ]

    def _recorded(self, row: Row, actions: tuple[int, ...], options: Mapping[str, Any]) -> RecordedGame:
        """The record of a row's game, played with these options."""
        own = {name: value for name, value in options.items() if name != "num_players"}
        count, pack = options["num_players"], hash_of(self.game.make_params(**options)[1])
        return RecordedGame(
            *(self.plan.environment, self.plan.seed, row["game"], count, actions, own),
            *(tuple(row[f"agent_{seat}"] for seat in range(count)), pack, row["code"].partition("+")[0]),
        )

    def _played_again(self, cell: Cell, rows: Sequence[Row]) -> list[tuple[int, ...]]:
        """The decisions of rows of compiled agents."""
        table = at_table(self.agents, cell)
        slow = [agent.name for agent in table if not isinstance(agent, CompiledAgent)]
        if slow:
            raise OptionError(f"{self.path} was played before decisions were kept for {', '.join(slow)}: play it again")
        number_of, seated = {agent.name: number for number, agent in enumerate(table)}, range(cell.num_players)
        with read_as(self.path, "rows of an evaluation"):
            seats = np.array([[number_of[row[f"agent_{seat}"]] for seat in seated] for row in rows], np.int64)
        numbers = np.array([row["game"] for row in rows], np.int64)
        options = self.plan.options_of(cell.setup)
        played = play_seated(
            *(self.game, table, seats, numbers, self.plan.seed),
            logged=True,
            **options,
        )
        self._check(rows, played.games)
        parts = np.split(played.actions, played.lengths.cumsum()[:-1])
        return [tuple(actions.tolist()) for actions in parts]

    def _check(self, rows: Sequence[Row], games: npt.NDArray[np.void]) -> None:
        """Raise OptionError for the first game that doesn't end as its row says."""
        columns = {name: column.tolist() for name, column in self.game.columns(games).items()}
        for place, row in enumerate(rows):
            roles = self.game.roles_of(games[place : place + 1])[0].tolist()
            now = {f"role_{seat}": self.game.roles[role] for seat, role in enumerate(roles)}
            now |= {name: column[place] for name, column in columns.items()}
            differ = [f"{name} is {value}, not {row[name]}" for name, value in now.items() if row[name] != value]
            if differ:
                raise OptionError(
                    f"game {row['game']} ends differently from its row (code {row['code']} then, {code_version()} "
                    f"now): {'; '.join(differ)}"
                )
