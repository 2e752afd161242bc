"""Recorded games wherever they lie: evaluations, corpora, files of tables; and whose choices in them are judged."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from riverbed_env.core.files import read_text
from riverbed_env.core.options import check_choice
from riverbed_env.corpus.corpus import Corpus
from riverbed_env.corpus.manifest import MANIFEST
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import OptionError
from riverbed_web.record import read_record

from ..evaluation.folder import PLAN, load
from ..evaluation.replay import Replay, Row
from ..playing.plan import DEVIATION, HELD_OUT, Cell
from ..playing.rows import repaired

LINES, ONE = ".jsonl", ".json"  # suffixes of files: a recorded game on each line, or one game

Judged = Iterator[tuple[RecordedGame, Sequence[int]]]  # games, and the seats of each that are judged


@dataclass
class Found:
    """Recorded games, and the seats of each whose choices are judged.

    played: names of agents that played by their policy for sure, as the library itself seated them. others: who sits in
    seats that aren't judged. names: who sits in the games read, for messages.
    """

    games: list[RecordedGame] = field(default_factory=list)
    seats: list[Sequence[int]] = field(default_factory=list)
    played: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)


def find_games(
    paths: Sequence[Path], reference: str, agents: Sequence[str] = (), most: int = 0, *, unrepaired: bool = False
) -> Found:
    """The games of these sources in which some seat is judged.

    Args:
        paths: evaluations, corpora, folders and files of records.
        reference: the agent that isn't judged where all others are.
        agents: whose choices are judged; everybody's but the reference's if empty.
        most: games of each cell of an evaluation and of each other source; 0 for all.
        unrepaired: only games in which chance chose for no agent from outside.

    Returns:
        The games.

    Raises:
        OptionError: in one line, for what can't be read, and if no seat is judged.
    """
    found = Found()

    def wanted(name: str) -> bool:
        found.names.add(name)
        return name in agents if agents else name != reference

    for path in paths:
        for source in _sources(path, found, wanted, most, unrepaired):
            for game, seats in islice((each for each in source if each[1]), most or None):
                if len(game.agents) != game.num_players:
                    raise OptionError(f"{path}: game {game.number} doesn't name its {game.num_players} agents")
                found.games.append(game)
                found.seats.append(seats)
                found.others.update(name for seat, name in enumerate(game.agents) if seat not in seats)
    for name in agents:
        check_choice("--agents", name, sorted(found.names))
    if not found.games:
        who = ", ".join(agents) or f"anybody but {reference}"
        which = " without a repaired choice" if unrepaired else ""
        raise OptionError(f"{', '.join(map(str, paths))}: no recorded game{which} seats {who}")
    return found


def labels_of(paths: Sequence[Path]) -> Mapping[str, str]:
    """The labels of agents in evaluations among these sources, by spec."""
    plans = [load(path).plan for path in paths if (path / PLAN).is_file()]
    return {spec: label for plan in plans for spec, label in plan.labels.items()}


def _sources(path: Path, found: Found, wanted: Callable[[str], bool], most: int, unrepaired: bool) -> Iterator[Judged]:
    """The games of each cell of an evaluation with a judged agent in focus, or those of any other source."""
    if not (path / PLAN).is_file():
        if unrepaired:
            raise OptionError(f"{path} doesn't say which choices were repaired: unrepaired=true is for evaluations")
        yield ((game, [at for at, name in enumerate(game.agents) if wanted(name)]) for game in _games(path, found))
        return
    replay = Replay(path)
    found.names.update(replay.plan.seated)
    found.played.update(replay.plan.seated)
    for number, cell in enumerate(replay.cells):
        if cell.table in (DEVIATION, HELD_OUT) and wanted(cell.focus):
            parts = sorted((path / "parts").glob(f"{number:04}-*.parquet"))
            rows = (_rows(replay, cell, part, unrepaired)[: most or None] for part in parts)
            yield ((game, [row["focus"]]) for some in rows for game, row in zip(replay.games(cell, some), some))


def _rows(replay: Replay, cell: Cell, part: Path, unrepaired: bool) -> list[Row]:
    """The rows of a part of a cell, without those that chance had a hand in if they aren't wanted."""
    rows = replay.rows(cell, part)
    return [row for row, bad in zip(rows, repaired(part, len(rows))) if not bad] if unrepaired else rows


def _games(path: Path, found: Found) -> Iterator[RecordedGame]:
    """The games of a file, a corpus, or a folder of records, such as a server of tables writes."""
    if path.suffix == LINES:
        for number, line in enumerate(read_text(path, str(path)).splitlines(), 1):
            if line.strip():
                yield RecordedGame.from_json(line, f"{path}, line {number}")
    elif (path / MANIFEST).is_file():
        corpus = Corpus(path)
        found.played.update(corpus.manifest.agents)
        for part in corpus.parts:
            yield from corpus.records(part)
    elif files := [path] if path.is_file() else sorted(path.glob(f"*{ONE}")):
        yield from map(read_record, files)
    else:
        raise OptionError(f"{path} holds no recorded games: no {PLAN}, no {MANIFEST}, no *{ONE}")
