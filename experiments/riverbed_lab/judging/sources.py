"""Recorded games wherever they lie: evaluations, corpora, files of tables; and whose choices in them are judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.files import read_text
from riverbed_env.corpus.manifest import MANIFEST
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.players.agents import CompiledAgent
from riverbed_web.record import GameRecord

from ..evaluation.folder import PLAN
from ..evaluation.replay import Replay
from ..evaluation.run import at_table
from ..playing.plan import DEVIATION, HELD_OUT, Cell
from ..playing.play import play_seated
from ..playing.rows import columns_of, read_actions, read_table

LINES, ONE = ".jsonl", ".json"  # suffixes of files: a recorded game on each line, or one game
PERSON = "person"

Rows = list[dict[str, Any]]
Seats = tuple[int, ...]


@dataclass
class Found:
    """Recorded games, and the seats of each whose choices are judged.

    played: names of agents that played by their policy for sure, as the library itself seated them. names: who sits in
    the games read, for messages.
    """

    games: list[RecordedGame] = field(default_factory=list)
    seats: list[Seats] = field(default_factory=list)
    played: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def add(self, game: RecordedGame, seats: Iterable[int]) -> None:
        """Add a game if a seat of it is judged."""
        chosen = tuple(seats)
        self.names.update(game.agents)
        if chosen:
            self.games.append(game)
            self.seats.append(chosen)


@dataclass(frozen=True)
class Wanted:
    """Whose choices are judged: those of `agents`, or of everybody but the reference where that is empty.

    most: games of each cell of an evaluation and of each other source; 0 for all.
    """

    reference: str
    agents: tuple[str, ...] = ()
    most: int = 0

    def has(self, name: str) -> bool:
        """Whether a seat under this name is judged."""
        return name in self.agents if self.agents else name != self.reference

    def seats(self, names: Sequence[str]) -> list[int]:
        """The judged seats of a lineup."""
        return [seat for seat, name in enumerate(names) if self.has(name)]

    def is_full(self, count: int) -> bool:
        """Whether this many games of a source are enough."""
        return bool(self.most) and count >= self.most


def find_games(paths: Sequence[Path], wanted: Wanted) -> Found:
    """The games of these sources. Raises OptionError, in one line, for what can't be read, and if none is judged."""
    found = Found()
    for path in paths:
        reader_of(path)(path, wanted, found)
    check_seated("--agents", wanted.agents, found.names)
    if not found.games:
        who = ", ".join(wanted.agents) or f"anybody but {wanted.reference}"
        raise OptionError(f"{', '.join(map(str, paths))}: no recorded game seats {who}")
    return found


def check_seated(option: str, names: Iterable[str], seated: set[str]) -> None:
    """Raise OptionError for a name under which nobody sits in the games read."""
    for name in names:
        if name not in seated:
            there = ", ".join(sorted(seated)) or "nobody"
            raise OptionError(f"{option}: nobody is called {name!r}{did_you_mean(name, seated)}; there sit {there}")


def reader_of(path: Path) -> Callable[[Path, Wanted, Found], None]:
    """What reads the games of a file or folder. Raises OptionError if there is nothing."""
    if path.is_file():
        return _lines if path.suffix == LINES else _one
    if (path / PLAN).is_file():
        return _evaluation
    if (path / MANIFEST).is_file():
        return _corpus
    if path.is_dir() and any(path.glob(f"*{ONE}")):
        return _tables
    if path.exists():
        raise OptionError(f"{path} holds no recorded games: no {PLAN}, no {MANIFEST}, no *{ONE}")
    raise OptionError(f"{path} doesn't exist")


# --- files of tables --------------------------------------------------------------------------------------------------


def _one(path: Path, wanted: Wanted, found: Found) -> None:
    game = of_record(GameRecord.read(path))
    found.add(game, wanted.seats(game.agents))


def _lines(path: Path, wanted: Wanted, found: Found) -> None:
    """A recorded game on each line, as `RecordedGame.to_json` writes it."""
    begun = len(found.games)
    for number, line in enumerate(read_text(path, str(path)).splitlines(), 1):
        if line.strip() and not wanted.is_full(len(found.games) - begun):
            game = RecordedGame.from_json(line, f"{path}, line {number}")
            found.add(game, wanted.seats(game.agents))


def _tables(path: Path, wanted: Wanted, found: Found) -> None:
    """A folder of records, such as a server of tables writes."""
    begun = len(found.games)
    for file in sorted(path.glob(f"*{ONE}")):
        if not wanted.is_full(len(found.games) - begun):
            _one(file, wanted, found)


def of_record(record: GameRecord) -> RecordedGame:
    """A table's record as a recorded game; a person's name can't be taken for an agent's."""
    names = tuple(
        f"{PERSON} {name}" if kind == PERSON != name else name for name, kind in zip(record.seats, record.kinds)
    )
    return replace(record.recorded(), agents=names)


# --- corpora ----------------------------------------------------------------------------------------------------------


def _corpus(path: Path, wanted: Wanted, found: Found) -> None:
    from riverbed_env.corpus import Corpus

    corpus, begun = Corpus(path), len(found.games)
    found.played.update(corpus.manifest.agents)
    for part in corpus.parts:
        for game in corpus.records(part):
            if wanted.is_full(len(found.games) - begun):
                return
            found.add(game, wanted.seats(game.agents))


# --- evaluations ------------------------------------------------------------------------------------------------------


def _evaluation(path: Path, wanted: Wanted, found: Found) -> None:
    """The games of an evaluation in which a judged agent is the one in focus."""
    replay = Replay(path)
    found.names.update(replay.plan.seated)
    for cell in replay.cells:
        if cell.table in (DEVIATION, HELD_OUT) and wanted.has(cell.focus):
            for game, focus in _of_cell(replay, cell, wanted.most):
                found.add(game, [focus])
    found.played.update(replay.plan.seated)


def _of_cell(replay: Replay, cell: Cell, most: int) -> Iterator[tuple[RecordedGame, int]]:
    """The first `most` games of a cell, all if that is 0, with the seat in focus."""
    left = most or None
    for part in sorted((replay.path / "parts").glob(f"{replay.cells.index(cell):04}-*.parquet")):
        rows: Rows = read_table(replay.game, part, columns_of(replay.game).names).to_pylist()
        kept = read_actions(part, len(rows))
        chosen = rows[:left]
        if chosen:
            actions = _played_again(replay, cell, part, chosen) if kept is None else kept[:left]
            yield from ((_recorded(replay, cell, row, taken), row["focus"]) for row, taken in zip(chosen, actions))
        left = None if left is None else left - len(chosen)
        if left == 0:
            return


def _recorded(replay: Replay, cell: Cell, row: dict[str, Any], actions: tuple[int, ...]) -> RecordedGame:
    options = replay.plan.options_of(cell.setup)
    num_players = options.pop("num_players")
    return RecordedGame(
        environment=replay.plan.environment,
        seed=replay.plan.seed,
        number=row["game"],
        num_players=num_players,
        actions=actions,
        options=options,
        agents=tuple(row[f"agent_{seat}"] for seat in range(num_players)),
        pack=replay.identity.pack,
        version=row["code"].partition("+")[0],
    )


def _played_again(replay: Replay, cell: Cell, part: Path, rows: Rows) -> list[tuple[int, ...]]:
    """The decisions of rows of compiled agents. Raises OptionError if a game ends differently from its row."""
    table = at_table(replay.known_agents, cell)
    slow = [agent.name for agent in table if not isinstance(agent, CompiledAgent)]
    if slow:
        raise OptionError(f"{part} was written before decisions were kept for {', '.join(slow)}: play it again")
    names = [agent.name for agent in table]
    numbers = np.array([row["game"] for row in rows])
    seats = np.array([[names.index(row[f"agent_{seat}"]) for seat in range(cell.num_players)] for row in rows])
    options = replay.plan.options_of(cell.setup)
    played = play_seated(replay.game, table, seats, numbers, replay.plan.seed, logged=True, **options)
    now = replay.game.columns(played.games)
    for name in ("decisions", "winner"):
        wrong = np.flatnonzero(now[name] != np.array([row[name] for row in rows]))
        if len(wrong):
            raise OptionError(f"{part}: game {numbers[wrong[0]]} ends differently from its row; play it again")
    parts = np.split(played.actions, played.lengths.cumsum()[:-1])
    return [tuple(actions.tolist()) for actions in parts]
