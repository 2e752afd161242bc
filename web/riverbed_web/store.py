"""Tables on disk: one SQLite file with the deal of each table, who sits where, and every choice.

A choice is in the file before anybody sees what follows from it. So a killed server loses none: the rest of a table is
played again from its choices. The file is written ahead (WAL) and not flushed at each choice; a power cut may take the
last ones.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from riverbed_env.errors import OptionError

from .record import SeatKind, agent_name

Stage = Literal["preparing", "playing", "over", "closed"]

FORM = 1  # of the file
SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, players INTEGER NOT NULL, pack TEXT,
    seed INTEGER NOT NULL, seed_chosen INTEGER NOT NULL, pace REAL NOT NULL, listed INTEGER NOT NULL,
    created TEXT NOT NULL, owner BLOB NOT NULL, stage TEXT NOT NULL, returns TEXT
) STRICT;
CREATE TABLE seats (
    at TEXT NOT NULL REFERENCES tables (id), seat INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    agent TEXT, token BLOB, since INTEGER NOT NULL,
    PRIMARY KEY (at, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE choices (
    at TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL, seat INTEGER NOT NULL,
    action INTEGER NOT NULL, late INTEGER NOT NULL,
    PRIMARY KEY (at, number)
) STRICT, WITHOUT ROWID;
"""
_DEALT = ("id", "game", "options", "players", "pack", "seed", "seed_chosen", "pace", "listed")
COLUMNS = (*_DEALT, "created", "owner", "stage", "returns")  # of `tables`, in their order
TEXTS = """
CREATE TABLE IF NOT EXISTS texts (
    at TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (at, number)
) STRICT, WITHOUT ROWID;
"""  # said with a choice; files of the same form from before free text have no such table
CHANGES = """
CREATE TABLE IF NOT EXISTS changes (
    at TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, choices INTEGER NOT NULL, was TEXT NOT NULL,
    is_now TEXT NOT NULL,
    PRIMARY KEY (at, number)
) STRICT, WITHOUT ROWID;
"""  # likewise
UNDONE = """
CREATE TABLE IF NOT EXISTS undone (
    at TEXT NOT NULL, seat INTEGER NOT NULL, choices INTEGER NOT NULL, action INTEGER NOT NULL
) STRICT;
"""  # likewise
COUNTS = (  # columns that count choices
    *(("choices", "number"), ("texts", "number"), ("seats", "since"), ("changes", "choices"), ("undone", "choices")),
)


@dataclass(frozen=True)
class Seat:
    """Who sits in a seat: a person, or the agent of a spec.

    token: the hash of a person's token; since: how many choices had been made at the table when they sat down.
    """

    kind: SeatKind
    name: str
    agent: str | None = None
    token: bytes | None = None
    since: int = 0


@dataclass(frozen=True)
class Change:
    """A seat changed hands after so many choices; was and is_now: "person NAME" or an agent's spec."""

    seat: int
    choices: int
    was: str
    is_now: str


@dataclass(frozen=True)
class Undone:
    """A seat took back an action that others had seen it begin, made after so many choices."""

    seat: int
    choices: int
    action: int


@dataclass(frozen=True)
class TableRow:
    """What is kept of a table beside its choices. owner: the hash of the owner's token; pack: its content's hash."""

    id: str
    game: str
    options: dict[str, Any]
    players: int
    pack: str | None
    seed: int
    seed_chosen: bool
    pace: float
    listed: bool
    owner: bytes
    seats: tuple[Seat, ...]
    created: str = ""
    stage: Stage = "preparing"
    returns: tuple[float, ...] | None = None
    changes: tuple[Change, ...] = ()
    undone: tuple[Undone, ...] = ()

    @property
    def tokens(self) -> list[bytes | None]:
        """The hashes of the owner's token and of each seat's."""
        return [self.owner, *(seat.token for seat in self.seats)]


@dataclass(frozen=True)
class KeptChoice:
    """A choice as it was taken. late: the agent gave none in time, or failed; this one is random.

    text: what the seat said in words with it, "" for nothing.
    """

    seat: int
    action: int
    late: bool = False
    text: str = ""


class Store:
    """The file of a server's tables. One server at a time holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=1.0, check_same_thread=False)
            self._open()
        except (OSError, sqlite3.Error) as error:
            held = "another server holds it" if "locked" in str(error) else str(error)
            raise OptionError(f"tables can't be kept in {path}: {held}; choose another folder with --data") from error

    def _open(self) -> None:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        (form,) = self._db.execute("PRAGMA user_version").fetchone()
        if form == 0:
            self._db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {FORM}; COMMIT;")
        elif form != FORM:
            raise sqlite3.DatabaseError(f"the file has form {form}, this version reads {FORM}")
        self._db.executescript(TEXTS + CHANGES + UNDONE)
        self._db.execute("BEGIN IMMEDIATE")  # takes the lock now, not at the first table
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield self._db
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def add(self, row: TableRow) -> TableRow:
        """Keep a new table; returns it with the time."""
        row = replace(row, created=datetime.now(UTC).isoformat(timespec="seconds"))
        with self._transaction() as db:
            values = ", ".join(f":{name}" for name in COLUMNS)
            db.execute(f"INSERT INTO tables VALUES ({values})", {**vars(row), "options": json.dumps(row.options)})
            for number, seat in enumerate(row.seats):
                self._put_seat(db, row.id, number, seat)
        return row

    @staticmethod
    def _put_seat(db: sqlite3.Connection, at: str, number: int, seat: Seat) -> None:
        db.execute(
            "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)",
            (at, number, seat.kind, seat.name, seat.agent, seat.token, seat.since),
        )

    def put_seat(self, row: TableRow, number: int, seat: Seat) -> TableRow:
        """Keep who sits in a seat from now on, and that it changed hands; returns the table with both."""
        was, is_now = (agent_name(each.kind, each.agent or each.name) for each in (row.seats[number], seat))
        change = Change(number, seat.since, was, is_now)
        with self._transaction() as db:
            self._put_seat(db, row.id, number, seat)
            db.execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)", (row.id, len(row.changes), *astuple(change)))
        seats = tuple(seat if place == number else known for place, known in enumerate(row.seats))
        return replace(row, seats=seats, changes=(*row.changes, change))

    def put_choice(self, at: str, number: int, choice: KeptChoice) -> None:
        """Keep choice `number` of a table."""
        with self._transaction() as db:
            values = (at, number, choice.seat, choice.action, choice.late)
            db.execute("INSERT INTO choices VALUES (?, ?, ?, ?, ?)", values)
            if choice.text:
                db.execute("INSERT INTO texts VALUES (?, ?, ?)", (at, number, choice.text))

    def take_back(self, row: TableRow, seat: int, *, seen: bool) -> TableRow:
        """Drop a seat's last choice, as if it had never been made; returns the table.

        seen: whether others saw it begin. Then it is kept that it was taken back.
        """
        with self._transaction() as db:
            number, action = db.execute(
                "SELECT number, action FROM choices WHERE at = ? AND seat = ? ORDER BY number DESC LIMIT 1",
                (row.id, seat),
            ).fetchone()
            for table in ("choices", "texts"):
                db.execute(f"DELETE FROM {table} WHERE at = ? AND number = ?", (row.id, number))
            for table, count in COUNTS:  # by way of negative numbers, which no other row has
                db.execute(f"UPDATE {table} SET {count} = -{count} WHERE at = ? AND {count} > ?", (row.id, number))
                db.execute(f"UPDATE {table} SET {count} = -{count} - 1 WHERE at = ? AND {count} < 0", (row.id,))
            if seen:
                db.execute("INSERT INTO undone VALUES (?, ?, ?, ?)", (row.id, seat, number, action))
        return next(self._rows("WHERE id = ?", (row.id,)))

    def put_stage(self, at: str, stage: Stage, returns: Iterable[float] | None = None) -> None:
        """Keep a table's stage, and what its game paid."""
        paid = None if returns is None else json.dumps(list(returns))
        self._db.execute("UPDATE tables SET stage = ?, returns = ? WHERE id = ?", (stage, paid, at))

    def find(self, at: str) -> TableRow | None:
        """A table by its id."""
        found = list(self._rows("WHERE id = ?", (at,)))
        return found[0] if found else None

    def newest(self, count: int) -> list[TableRow]:
        """The newest listed tables."""
        return list(self._rows("WHERE listed ORDER BY created DESC, rowid DESC LIMIT ?", (count,)))

    def choices(self, at: str) -> list[KeptChoice]:
        """The choices of a table in their order."""
        found = self._db.execute(
            "SELECT seat, action, late, text FROM choices LEFT JOIN texts USING (at, number) WHERE at = ? "
            "ORDER BY number",
            (at,),
        )
        return [KeptChoice(seat, action, bool(late), text or "") for seat, action, late, text in found]

    def late(self, at: str, players: int) -> list[int]:
        """How many choices of each seat were taken at random because its agent was late or failed."""
        found = dict(self._db.execute("SELECT seat, sum(late) FROM choices WHERE at = ? GROUP BY seat", (at,)))
        return [found.get(seat, 0) for seat in range(players)]

    def _rows(self, where: str, values: tuple[Any, ...]) -> Iterator[TableRow]:
        for found in self._db.execute(f"SELECT {', '.join(COLUMNS)} FROM tables {where}", values).fetchall():
            row = dict(zip(COLUMNS, found))
            for name in ("seed_chosen", "listed"):
                row[name] = bool(row[name])
            row["returns"] = row["returns"] and tuple(json.loads(row["returns"]))
            row["options"] = json.loads(row["options"])
            yield TableRow(
                **row, seats=self._seats(row["id"]), changes=self._changes(row["id"]), undone=self._undone(row["id"])
            )

    def _seats(self, at: str) -> tuple[Seat, ...]:
        found = self._db.execute("SELECT kind, name, agent, token, since FROM seats WHERE at = ? ORDER BY seat", (at,))
        return tuple(Seat(*row) for row in found)

    def _changes(self, at: str) -> tuple[Change, ...]:
        found = self._db.execute("SELECT seat, choices, was, is_now FROM changes WHERE at = ? ORDER BY number", (at,))
        return tuple(Change(*row) for row in found)

    def _undone(self, at: str) -> tuple[Undone, ...]:
        found = self._db.execute("SELECT seat, choices, action FROM undone WHERE at = ? ORDER BY rowid", (at,))
        return tuple(Undone(*row) for row in found)
