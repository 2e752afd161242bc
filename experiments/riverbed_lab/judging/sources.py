"""Recorded games wherever they lie: evaluations, corpora, files of tables; and whose choices in them are judged."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from riverbed_env.core.files import read_text
from riverbed_env.corpus.manifest import MANIFEST
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError, did_you_mean
from riverbed_web.record import read_record

from ..evaluation.folder import PLAN, load
from ..evaluation.replay import Replay
from ..playing.plan import DEVIATION, HELD_OUT

LINES, ONE = ".jsonl", ".json"  # suffixes of files: a recorded game on each line, or one game


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


def find_games(paths: Sequence[Path], reference: str, agents: Sequence[str] = (), most: int = 0) -> Found:
    """The games of these sources in which some seat is judged.

    Args:
        paths: evaluations, corpora, folders and files of records.
        reference: the agent that isn't judged where all others are.
        agents: whose choices are judged; everybody's but the reference's if empty.
        most: games of each cell of an evaluation and of each other source; 0 for all.

    Returns:
        The games.

    Raises:
        OptionError: in one line, for what can't be read, and if no seat is judged.
    """
    found = Found()

    def wanted(name: str) -> bool:
        return name in agents if agents else name != reference

    for path in paths:
        if (path / PLAN).is_file():
            replay = Replay(path)
            found.names.update(replay.plan.seated)
            found.played.update(replay.plan.seated)
            for game, focus in _evaluated(replay, most, [each for each in replay.plan.seated if wanted(each)]):
                found.add(game, [focus])
            continue
        begun = len(found.games)
        for game in _games(path, found):
            if most and len(found.games) - begun >= most:
                break
            found.add(game, [seat for seat, name in enumerate(game.agents) if wanted(name)])
    check_seated("--agents", agents, found.names)
    if not found.games:
        who = ", ".join(agents) or f"anybody but {reference}"
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
        yield from map(read_record, files)
    else:
        raise OptionError(f"{path} holds no recorded games: no {PLAN}, no {MANIFEST}, no *{ONE}")


def _evaluated(replay: Replay, most: int, judged: Sequence[str]) -> Iterator[tuple[RecordedGame, int]]:
    """The first games of each cell of an evaluation with a judged agent in focus, and that seat."""
    for number, cell in enumerate(replay.cells):
        if cell.table in (DEVIATION, HELD_OUT) and cell.focus in judged:
            taken = 0
            for part in sorted((replay.path / "parts").glob(f"{number:04}-*.parquet")):
                rows = replay.rows(cell, part)[: most - taken if most else None]
                yield from zip(replay.games(cell, rows), (row["focus"] for row in rows))
                taken += len(rows)
                if most and taken >= most:
                    break
