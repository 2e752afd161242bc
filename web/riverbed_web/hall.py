"""All tables of a server: those in memory, and those asleep in the store."""

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import replace
from typing import Any

from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import RiverbedError
from riverbed_env.registry import find_game

from .errors import TOO_MANY, RefusedError
from .limits import MOST_ALONE, MOST_AT_A_SEAT, MOST_AT_A_TABLE, MOST_AWAKE, MOST_WATCHING
from .opening import Menu, SeatWish, seat_of
from .play import Play
from .record import PERSON, agent_name, content
from .store import Seat, Store, TableRow
from .table import Table, table_facts
from .tokens import new_token, owner_of, token_hash
from .workers import Workers

SHOWN = 200  # tables in the lobby
MOST_REPLAYS = 16  # pages that are kept
SWEEP = 20.0  # s between two looks for tables that may fall asleep


class Hall:
    """The tables of a server."""

    def __init__(self, store: Store, workers: Workers, menu: Menu) -> None:
        self.menu = menu
        self._store, self._workers = store, workers
        self._awake: dict[str, Table] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._replays: OrderedDict[tuple[str, bool], asyncio.Task[str]] = OrderedDict()

    def start(self) -> None:
        """Begin to look for tables that may fall asleep."""
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Stop all tables and agents; the store keeps the tables."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.gather(*(table.stopped() for table in self._awake.values()))
        await self._workers.close()
        self._store.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            await self.let_sleep()

    async def let_sleep(self) -> None:
        """Let the tables fall asleep that nobody looks at: where a person is to choose, and most of those of agents."""
        alone = [table for table in self._awake.values() if table.alone]
        idle = [table for table in self._awake.values() if table.idle]
        for table in [*idle, *alone[MOST_ALONE:]]:
            if self._awake.get(table.row.id) is table:
                self._put_to_sleep(table)
                await table.stopped()

    def _put_to_sleep(self, table: Table) -> None:
        """The store has all that is needed to go on."""
        del self._awake[table.row.id]
        table.stop()
        for listener in list(table.listeners):
            listener.dismiss(TOO_MANY, "others play; watch again later")

    def open(self, planned: TableRow) -> tuple[Table, str, list[str | None]]:
        """Open a table; returns it with the owner's token and those of the persons' seats."""
        self._make_room()
        owner = new_token()
        tokens = [new_token() if seat.kind == "person" else None for seat in planned.seats]
        seats = tuple(_with_token(seat, token) for seat, token in zip(planned.seats, tokens, strict=True))
        row = replace(planned, id=secrets.token_hex(8), owner=token_hash(owner), seats=seats)
        table = Table(self._store.add(row), self._store, self._workers)
        self._awake[row.id] = table
        table.start()
        return table, owner, tokens

    def _make_room(self, *, ours: bool = False) -> None:
        """Let the oldest table that nobody looks at sleep, if as many are awake as may be.

        ours: who asks plays at the table or owns it; then a table that is only watched sleeps, too. Raises RefusedError
        if there is no such table.
        """
        if len(self._awake) < MOST_AWAKE:
            return
        spare = [table for table in self._awake.values() if not table.listeners]
        if ours and not spare:
            spare = [table for table in self._awake.values() if not table.is_played]
        if not spare:
            raise RefusedError("too_many", f"{MOST_AWAKE} tables are in play; try again when some are over")
        self._put_to_sleep(spare[0])

    def take_place(self, at: str, token: str | None) -> tuple[Table, int | None]:
        """A table for a page, and the seat that its token belongs to; None for a watcher's place.

        Raises RefusedError if there is no such table, the token is wrong, or there are too many pages. Watchers can't
        take the room of players.
        """
        table = self.find(at, token)
        seat = table.seat_of(token)
        here = sum(listener.seat == seat for listener in table.listeners)
        watching = sum(listener.seat is None for table in self._awake.values() for listener in table.listeners)
        most = MOST_AT_A_SEAT if seat is not None else MOST_AT_A_TABLE if watching < MOST_WATCHING else 0
        if here >= most:
            raise RefusedError("too_many", "too many connections to this table or server")
        return table, seat

    def find(self, at: str, token: str | None = None) -> Table:
        """A table, woken if it was asleep. Raises RefusedError if there is none."""
        if at not in self._awake:
            row = self._row(at)
            self._make_room(ours=owner_of(token, row.tokens) is not None)
            table = Table(row, self._store, self._workers)
            self._awake[at] = table
            if row.stage != "closed":
                table.start()
        return self._awake[at]

    def _row(self, at: str) -> TableRow:
        row = self._store.find(at)
        if row is None:
            raise RefusedError("unknown_table", "there is no such table")
        return row

    def facts(self, at: str) -> dict[str, Any]:
        """The facts of a table; one that is asleep sleeps on."""
        return self._facts(self._row(at))

    def _facts(self, row: TableRow) -> dict[str, Any]:
        if row.id in self._awake:
            return self._awake[row.id].facts()
        return table_facts(row, self._store.late(row.id, row.players) if row.stage == "over" else None)

    def newest(self) -> list[dict[str, Any]]:
        """The facts of the newest listed tables."""
        return [self._facts(row) for row in self._store.newest(SHOWN)]

    def _owned(self, at: str, token: str | None) -> Table:
        """A table for its owner. Raises RefusedError for anybody else."""
        if owner_of(token, [self._row(at).owner]) is None:
            raise RefusedError("bad_token", "only who opened the table may do that")
        return self.find(at, token)

    def put_seat(self, at: str, number: int, wish: SeatWish, token: str | None) -> tuple[Table, str | None]:
        """Seat somebody else, as the table's owner; returns the new token of a person's seat."""
        table = self._owned(at, token)
        if not 0 <= number < table.row.players:
            raise RefusedError("bad_request", f"seats are 0 to {table.row.players - 1}")
        others = [seat.name for place, seat in enumerate(table.row.seats) if place != number and seat.kind == PERSON]
        seat = seat_of(table.game, wish, self.menu, number, others)
        own = new_token() if seat.kind == "person" else None
        table.put_seat(number, _with_token(seat, own))
        return table, own

    def close_table(self, at: str, token: str | None) -> Table:
        """End a table before its game is over, as its owner."""
        table = self._owned(at, token)
        table.close()
        return table

    async def saved(self, at: str) -> dict[str, Any]:
        """The file of a finished game; its options stand as the table was opened with them."""
        row = self._row(at)
        return {
            **content(await self.record(at)),
            "options": row.options,
            "changes": [*map(vars, row.changes)],
            "undone": [*map(vars, row.undone)],
        }

    async def record(self, at: str) -> RecordedGame:
        """The record of a finished game. Raises RefusedError before that: it tells all that is hidden."""
        row = self._row(at)
        if row.stage != "over" or row.returns is None:
            raise RefusedError("not_over", "a game can be saved when it is over")
        choices = [(kept.seat, kept.action, kept.text) for kept in self._store.choices(at)]
        play = await asyncio.to_thread(Play, find_game(row.game), row.seed, row.options, choices)
        agents = [agent_name(seat.kind, seat.agent or seat.name) for seat in row.seats]
        recorded = RecordedGame.of(play.batch, play.actions, agents=agents)
        return replace(recorded, pack=row.pack or "", returns=row.returns)

    async def replay(self, at: str, *, values: bool) -> str:
        """The page of a finished game, kept for the next who asks. Raises RefusedError before its end.

        values: whether it says what choices were worth, which takes longer.
        """
        key = at, values
        if key not in self._replays:
            drawing = asyncio.create_task(self._draw_replay(at, values=values))
            self._replays[key] = drawing
            while len(self._replays) > MOST_REPLAYS:
                self._replays.popitem(last=False)
        self._replays.move_to_end(key)
        drawing = self._replays[key]
        try:
            return await asyncio.shield(drawing)
        except RiverbedError:
            self._replays.pop(key, None)
            raise

    async def _draw_replay(self, at: str, *, values: bool) -> str:
        return await self._workers.replay(await self.record(at), values=values)


def _with_token(seat: Seat, token: str | None) -> Seat:
    return seat if token is None else replace(seat, token=token_hash(token))
