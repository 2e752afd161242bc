"""Recorded games wherever they lie: evaluations, corpora, files of tables; and whose choices in them are judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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

from ..evaluation.folder import PLAN, load
from ..evaluation.replay import Replay
from ..evaluation.run import at_table
from ..playing.plan import DEVIATION, HELD_OUT, Cell
from ..playing.play import play_seated
from ..playing.rows import columns_of, read_actions, read_table

LINES, ONE = ".jsonl", ".json"  # suffixes of files: a recorded game on each line, or one game
PERSON = "person"


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


@dataclass
class Found:
    """Recorded games, and the seats of each whose choices are judged.

    played: names of agents that played by their policy for sure, as the library itself seated them. names: who sits in
    the games read, for messages.
    """

    games: list[RecordedGame] = field(default_factory=list)
    seats: list[tuple[int, ...]] = field(default_factory=list)
    played: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def add(self, game: RecordedGame, seats: Iterable[int]) -> None:
        """Add a game if a seat of it is judged."""
        chosen = tuple(seats)
        self.names.update(game.agents)
        if chosen:
            self.games.append(game)
            self.seats.append(chosen)


def find_games(paths: Sequence[Path], wanted: Wanted) -> Found:
    """The games of these sources. Raises OptionError, in one line, for what can't be read, and if none is judged."""
    found = Found()
    for path in paths:
        if (path / PLAN).is_file():
            _evaluation(path, wanted, found)
            continue
        begun = len(found.games)
        for game in _games(path, found):
            if wanted.most and len(found.games) - begun >= wanted.most:
                break
            found.add(game, [seat for seat, name in enumerate(game.agents) if wanted.has(name)])
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


def labels_of(paths: Sequence[Path]) -> Mapping[str, str]:
    """The labels of agents in evaluations among these sources, by spec. Raises OptionError for a missing source."""
    for path in paths:
        if not path.exists():
            raise OptionError(f"{path} doesn't exist")
    plans = [load(path).plan for path in paths if (path / PLAN).is_file()]
    return {spec: label for plan in plans for spec, label in plan.labels.items()}


def _games(path: Path, found: Found) -> Iterator[RecordedGame]:
    """The games of a file, a corpus, or a folder of records, such as a server of tables writes."""
    if path.suffix == LINES:
        for number, line in enumerate(read_text(path, str(path)).splitlines(), 1):
            if line.strip():
                yield RecordedGame.from_json(line, f"{path}, line {number}")
    elif (path / MANIFEST).is_file():
        from riverbed_env.corpus import Corpus

        corpus = Corpus(path)
        found.played.update(corpus.manifest.agents)
        for part in corpus.parts:
            yield from corpus.records(part)
    elif files := [path] if path.is_file() else sorted(path.glob(f"*{ONE}")):
        yield from (of_record(GameRecord.read(file)) for file in files)
    else:
        raise OptionError(f"{path} holds no recorded games: no {PLAN}, no {MANIFEST}, no *{ONE}")


def of_record(record: GameRecord) -> RecordedGame:
    """A table's record as a recorded game; a person's name can't be taken for an agent's."""
    names = tuple(
        f"{PERSON} {name}" if kind == PERSON != name else name for name, kind in zip(record.seats, record.kinds)
    )
    return replace(record.recorded(), agents=names)


def _evaluation(path: Path, wanted: Wanted, found: Found) -> None:
    """The games of an evaluation in which a judged agent is the one in focus."""
    replay = Replay(path)
    found.names.update(replay.plan.seated)
    found.played.update(replay.plan.seated)
    for number, cell in enumerate(replay.cells):
        if cell.table in (DEVIATION, HELD_OUT) and wanted.has(cell.focus):
            left = wanted.most or None
            for part in sorted((path / "parts").glob(f"{number:04}-*.parquet")):
                games = _of_part(replay, cell, part, left)
                for game, focus in games:
                    found.add(game, [focus])
                left = None if left is None else left - len(games)
                if left == 0:
                    break


def _of_part(replay: Replay, cell: Cell, part: Path, most: int | None) -> list[tuple[RecordedGame, int]]:
    """The first `most` games of a part with the seat in focus."""
    rows: list[dict[str, Any]] = read_table(replay.game, part, columns_of(replay.game).names).to_pylist()
    kept, chosen = read_actions(part, len(rows)), rows[:most]
    actions = _played_again(replay, cell, part, chosen) if kept is None else kept
    options = replay.plan.options_of(cell.setup)
    count = options.pop("num_players")
    return [
        (
            RecordedGame(
                replay.plan.environment, replay.plan.seed, row["game"], count, taken, options,
                tuple(row[f"agent_{seat}"] for seat in range(count)), replay.identity.pack,
                row["code"].partition("+")[0],
            ),
            row["focus"],
        )
        for row, taken in zip(chosen, actions)
    ]  # fmt: skip


def _played_again(replay: Replay, cell: Cell, part: Path, rows: list[dict[str, Any]]) -> list[tuple[int, ...]]:
    """The decisions of rows of compiled agents. Raises OptionError if a game ends differently from its row."""
    table = at_table(replay.known_agents, cell)
    slow = [agent.name for agent in table if not isinstance(agent, CompiledAgent)]
    if slow:
        raise OptionError(f"{part} was written before decisions were kept for {', '.join(slow)}: play it again")
    names = [agent.name for agent in table]
    numbers = np.array([row["game"] for row in rows], np.int64)
    seats = np.array([[names.index(row[f"agent_{seat}"]) for seat in range(cell.num_players)] for row in rows])
    options = replay.plan.options_of(cell.setup)
    seats = seats.reshape(len(rows), cell.num_players).astype(np.int64)
    played = play_seated(replay.game, table, seats, numbers, replay.plan.seed, logged=True, **options)
    now = replay.game.columns(played.games) if rows else {}
    for name in now.keys() & {"decisions", "winner"}:
        wrong = np.flatnonzero(now[name] != np.array([row[name] for row in rows]))
        if len(wrong):
            raise OptionError(f"{part}: game {numbers[wrong[0]]} ends differently from its row; play it again")
    parts = np.split(played.actions, played.lengths.cumsum()[:-1])
    return [tuple(actions.tolist()) for actions in parts]
