"""A page's connection to a table: what it may see is sent when it changes, what it asks is checked."""

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from riverbed_env.core.options import whole
from riverbed_env.errors import RiverbedError

from .errors import RefusedError
from .limits import JOINING, MESSAGES, MOST_MESSAGE, Bucket
from .messages import PUBLIC, TRUTH, Tempo, Viewer, frame_message, message
from .opening import SLOWEST
from .table import Table

NOT_JOINED, BAD_TOKEN, TOO_FAST, TOO_SLOW, NO_TABLE = 4000, 4001, 4002, 4003, 4004
TOO_LARGE = 1009
BREATH = 0.02  # s between two rounds of messages; what changes meanwhile is sent at once


class ClosedError(Exception):
    """The server ends a connection. code: a websocket's close code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Connection:
    """One page at a table.

    Messages aren't queued: a page that is slow gets the newest frame, with all events since the one before. One that
    takes nothing for `JOINING` seconds is dropped.
    """

    def __init__(self, socket: WebSocket, table: Table, seat: int | None, since: int, *, leads: bool = False) -> None:
        """leads: whether the page may set how fast agents move: a player's, or the owner's."""
        self.socket, self.table, self.seat, self.leads = socket, table, seat, leads
        self._finding: asyncio.Task[None] | None = None
        self.viewer: Viewer = PUBLIC if seat is None else seat
        self._since = since
        self._replies: deque[str] = deque([self._joined()])
        self._dirty = asyncio.Event()
        self._bucket = Bucket(*MESSAGES)
        self._facts = ""  # sent last
        self._shown: object = None  # of the frame sent last: a hash, and how many choices were made
        self._closing: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # --- what the table calls -----------------------------------------------------------------------------------

    def poke(self) -> None:
        """Something at the table has changed."""
        self._dirty.set()

    def dismiss(self, code: int, reason: str) -> None:
        """End the connection soon."""
        if not self._closing.done():
            self._closing.set_exception(ClosedError(code, reason))

    # --- its life -----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the page until it goes or is sent away. Raises ClosedError or WebSocketDisconnect."""
        leave = self.table.join(self)
        tasks = [asyncio.ensure_future(self._closing), *map(asyncio.create_task, (self._read(), self._write()))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            leave()
            tasks += [self._finding] if self._finding is not None else []
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self) -> None:
        while True:
            text = await receive(self.socket)
            if not self._bucket.take():
                raise ClosedError(TOO_FAST, "too many messages")
            try:
                self._carry_out(text)
            except RefusedError as refused:
                step, _ = self._own()
                self._replies.append(message("refused", code=refused.code, text=refused.text, step=step))
            self.poke()

    async def _write(self) -> None:
        while True:
            self._dirty.clear()
            for text in await self._news():
                async with _in_time():
                    await self.socket.send_text(text)
            await asyncio.sleep(BREATH)
            await self._dirty.wait()

    # --- what is sent -------------------------------------------------------------------------------------------

    async def _news(self) -> list[str]:
        """The messages that the page doesn't have yet."""
        news = [*self._replies]
        self._replies.clear()
        facts = message("table", table=self.table.facts())
        if facts != self._facts:
            self._facts = facts
            news.append(facts)
        if self.table.play is not None:
            news += await self._new_frame()
        return news

    async def _new_frame(self) -> list[str]:
        """The frame, if anything in it has changed: whatever this viewer can't see sends nothing."""
        viewer, since = self.viewer, self._since
        sight = self.table.see(viewer, since)
        if sight.event_count - since > len(sight.events):  # the page is new, or comes back late
            events = await self.table.told(viewer)
            if viewer != self.viewer:  # the page has asked to look as another meanwhile
                return []
            sight = self.table.see(viewer, since)
            meanwhile = len(sight.events) - (sight.event_count - len(events))  # events come at the end
            sight = sight._replace(events=[*events[since:], *sight.events[meanwhile:]])
        step, answered = self._own()
        undo = self.seat is not None and self.table.may_take_back(self.seat)
        shown = hash(sight.rest), step, answered, undo
        if shown == self._shown and not sight.events:
            return []
        self._shown, self._since = shown, sight.event_count
        return [frame_message(sight, step, answered, undo=undo)]

    def _joined(self) -> str:
        return message("joined", view=self.viewer)

    def _own(self) -> tuple[int, int | None]:
        """How many choices the page's seat has made, and the last of them if it waits for others with it.

        A watcher of agents alone gets the number of all choices.
        """
        play = self.table.play
        if self.seat is None or play is None:
            return len(play.actions) if play is not None and self.table.open else 0, None
        return play.made[self.seat], play.answered(self.seat)

    # --- what is asked ------------------------------------------------------------------------------------------

    def _carry_out(self, text: str) -> None:
        asked = read_message(text)
        if asked.get("type") == "act":
            action, step = whole(asked.get("action")), whole(asked.get("step"))
            if action is None or step is None:
                raise RefusedError("bad_message", "an act has a whole number as its action and as its step")
            if self.seat is None:
                raise RefusedError("not_allowed", "you are watching: only who sits at the table chooses")
            text = asked.get("text", "")
            if not isinstance(text, str):
                raise RefusedError("bad_message", "the text of an act is a string")
            self.table.act(self.seat, action, step, text)
        elif asked.get("type") == "undo":
            step = whole(asked.get("step"))
            if step is None:
                raise RefusedError("bad_message", "an undo has a whole number as its step")
            if self.seat is None:
                raise RefusedError("not_allowed", "you are watching: only who sits at the table takes a choice back")
            self.table.take_back(self.seat, step)
        elif asked.get("type") == "ask":
            self._replies.append(self._question(whole(asked.get("since", 0))))
        elif asked.get("type") == "look":
            self._look_as(asked.get("view"))
        elif asked.get("type") == "tempo":
            if not self.leads:
                raise RefusedError("not_allowed", "you are watching: who plays sets how fast agents move")
            self.table.set_tempo(read_tempo(asked))
        elif asked.get("type") == "hint":
            if self.seat is None:
                raise RefusedError("not_allowed", "you are watching: only who sits at the table gets hints")
            self._find_out(self._find_hint(self.seat))
        elif asked.get("type") == "assess":
            self._find_out(self._assess(self.viewer))
        else:
            raise RefusedError("bad_message", "a message's type is act, undo, ask, look, tempo, hint or assess")

    def _find_out(self, finding: Coroutine[Any, Any, str]) -> None:
        """Tell the page what takes longer to find, unless something is being found already."""

        async def find() -> None:
            step, _ = self._own()
            try:
                self._replies.append(await finding)
            except RiverbedError as error:
                code = error.code if isinstance(error, RefusedError) else "no_hint"
                self._replies.append(message("refused", code=code, text=str(error), step=step))
            self.poke()

        if self._finding is not None and not self._finding.done():
            finding.close()
        else:
            self._finding = asyncio.create_task(find())

    async def _find_hint(self, seat: int) -> str:
        """What an agent would choose in the seat's place."""
        step, _ = self._own()
        action, agent = await self.table.hint(seat)
        return message("hint", action=action, agent=agent, step=step)

    async def _assess(self, viewer: Viewer) -> str:
        """What a watcher of agents can believe, and what the next choices are worth."""
        step, found = await self.table.assess(viewer)
        return message("assessed", step=step, view=viewer, **found)

    def _question(self, since: int | None) -> str:
        """What the seat is asked, in the form of the seat protocol, with the step that its `act` has to name."""
        if since is None:
            raise RefusedError("bad_message", "since is how many events you have been told of, a whole number")
        if self.seat is None:
            raise RefusedError("not_allowed", "you are watching: only who sits at the table is asked")
        play = self.table.play
        if play is None or not play.may_answer(self.seat):
            raise RefusedError("not_asked", "your seat isn't asked now")
        step, _ = self._own()
        return message("asked", step=step, message=play.question(self.seat, max(0, since)))

    def _look_as(self, view: Any) -> None:
        if view not in (PUBLIC, TRUTH):
            view = whole(view)
            if view is None or not 0 <= view < self.table.row.players:
                raise RefusedError("bad_message", "a view is public, truth or a seat")
        self.table.check_view(self.seat, view)
        self.viewer, self._since, self._shown = view, 0, None
        self._replies.append(self._joined())


@contextlib.asynccontextmanager
async def _in_time() -> Any:
    """Raise ClosedError if the page takes too long to take what is sent."""
    try:
        async with asyncio.timeout(JOINING):
            yield
    except TimeoutError:
        raise ClosedError(TOO_SLOW, "too slow") from None


def read_tempo(asked: dict[str, Any]) -> Tempo:
    """The tempo of a page's message. Raises RefusedError if it isn't one."""
    pace, paused, step, skip = (asked.get(name) for name in Tempo._fields)
    number = isinstance(pace, int | float) and not isinstance(pace, bool) and 0 <= pace <= SLOWEST
    if not all(isinstance(given, bool | None) for given in (paused, step, skip)) or not (pace is None or number):
        raise RefusedError(
            "bad_message", f"a tempo has a pace from 0 to {SLOWEST:g} s, and paused, step and skip true or false"
        )
    return Tempo(pace, paused, bool(step), bool(skip))


def read_message(text: str) -> dict[str, Any]:
    """A page's message. Raises RefusedError if it isn't a JSON object."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise RefusedError("bad_message", "a message is a JSON object with a type")
    return content


async def receive(socket: WebSocket) -> str:
    """The page's next message. Raises ClosedError if it isn't a short text, WebSocketDisconnect if it went."""
    given = await socket.receive()
    if given["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(given.get("code", 1005))
    text = given.get("text")
    if text is None or len(text) > MOST_MESSAGE:
        raise ClosedError(TOO_LARGE, "a message is a text of at most 4 kB")
    return str(text)


async def join(socket: WebSocket) -> tuple[str | None, int]:
    """The token and `since` of a page's first message. Raises ClosedError if it isn't that, or doesn't come in time."""
    try:
        async with asyncio.timeout(JOINING):
            asked = read_message(await receive(socket))
    except (TimeoutError, RefusedError):
        raise ClosedError(NOT_JOINED, "the first message must be join") from None
    token, since = asked.get("token"), whole(asked.get("since", 0))
    if asked.get("type") != "join" or not isinstance(token, str | None) or since is None:
        raise ClosedError(NOT_JOINED, "the first message must be join")
    return token, max(0, since)
