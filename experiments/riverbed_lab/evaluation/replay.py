"""Replaying the game of a row: the same seats and deal, and a check that it ends as the row says."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.registry import find_game
from riverbed_web.record import GameRecord

from ..playing.plan import Cell, cells
from ..playing.play import play_seated
from ..playing.records import record_game
from ..playing.rows import columns_of, read_table
from .folder import Identity, load, pack_hash
from .run import at_table, find_agents


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
    def known_agents(self) -> list[Agent]:
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

    def row(self, cell: Cell, number: int, focus: int | None = None) -> dict[str, Any]:
        """The row of a deal of a cell; `focus`, the seat in focus, distinguishes the games of one deal."""
        part = self.path / "parts" / f"{self.cells.index(cell):04}-{number // self.plan.chunk:05}.parquet"
        if not part.exists():
            raise OptionError(f"game {number} of cell {cell.name!r} isn't played: there is no {part}")
        rows: list[dict[str, Any]] = read_table(self.game, part, columns_of(self.game).names).to_pylist()
        row = next((row for row in rows if row["game"] == number and focus in (None, row["focus"])), None)
        if row is None:
            with_focus = "" if focus is None else f" with seat {focus} in focus"
            raise OptionError(f"cell {cell.name!r} has no game {number}{with_focus}")
        expected = {"environment": self.game.id, "seed": self.plan.seed, "cell": cell.name}
        if not {**expected, "num_players": cell.num_players}.items() <= row.items():
            raise OptionError(f"{part} holds rows of other games: expected {expected}")
        return row

    def agents(self, row: dict[str, Any]) -> list[Agent]:
        """The agent of each seat."""
        by_name = {agent.name: agent for agent in self.known_agents}
        names = [row[f"agent_{seat}"] for seat in range(int(row["num_players"]))]
        strangers = set(names) - by_name.keys()
        if strangers:
            raise OptionError(f"{self.path}: a row seats {', '.join(sorted(strangers))}, which its plan doesn't name")
        return [by_name[name] for name in names]

    def in_words(self, row: dict[str, Any]) -> str:
        """The winners of the row's game, and its length."""
        winners = [camp for camp in self.game.camps if row[f"won_{camp}"]]
        return f"{' and '.join(winners) or 'nobody'} won after {row['decisions']} decisions"

    def differences(self, row: dict[str, Any]) -> list[str]:
        """Play the row's game again; every difference from the row, in words."""
        table = at_table(self.known_agents, self.cell(row["cell"]))
        names = [agent.name for agent in table]
        seats = np.array([[names.index(agent.name) for agent in self.agents(row)]])
        options = self.plan.options_of(self.cell(row["cell"]).setup)
        played = play_seated(self.game, table, seats, np.array([row["game"]]), int(row["seed"]), **options)
        roles = [self.game.roles[role] for role in self.game.roles_of(played.games)[0]]
        columns = {name: column[0].item() for name, column in self.game.columns(played.games).items()}
        now = {**columns, **{f"role_{seat}": role for seat, role in enumerate(roles)}}
        return [f"{name} is {value}, not {row[name]}" for name, value in now.items() if row[name] != value]

    def record(self, row: dict[str, Any]) -> GameRecord:
        """The row's game with all its actions."""
        options = self.plan.options_of(self.cell(row["cell"]).setup)
        return record_game(self.game, self.agents(row), int(row["seed"]), int(row["game"]), **options)
