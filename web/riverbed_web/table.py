"""A table: a game that is played, who sits at it, and who looks at it."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import RiverbedError
from riverbed_env.kernels.random import random_legal_action
from riverbed_env.players.installed import usual_agent
from riverbed_env.registry import find_game, game_ids

from .errors import RefusedError
from .limits import MOST_UNDONE
from .messages import PUBLIC, TRUTH, Event, Sight, Tempo, Viewer, see, told
from .play import Play
from .store import KeptChoice, Seat, Stage, Store, TableRow
from .thinking import Facts, Position, question, rehearse
from .tokens import owner_of
from .values import known_to
from .workers import AgentError, Workers

log = logging.getLogger("riverbed_web")

Memory = npt.NDArray[np.int32]


class Listener(Protocol):
    """Who is told when something at a table changes."""

    seat: int | None

    def poke(self) -> None:
        """Say that something changed."""

    def dismiss(self, code: int, reason: str) -> None:
        """End the connection."""


class Table:
    """A table in memory. It is asleep, in the store alone, while nobody looks at it and no agent has to choose.

    `start` prepares it (compiling what isn't yet), plays its choices again, and lets its agents choose.
    """

    def __init__(self, row: TableRow, store: Store, workers: Workers) -> None:
        self.row = row
        self.game = find_game(row.game)
        self.play: Play | None = None
        self.listeners: set[Listener] = set()
        self.progress: dict[str, Any] | None = None
        self.trouble = ""  # why the table can't go on
        self.late = [0] * row.players
        self.pace, self.paused = row.pace, False
        self._hurried = False  # agents don't wait until a person has to choose
        self._steps = 0  # moves that a paused table still makes
        self._tempo = asyncio.Event()
        self._store, self._workers = store, workers
        self._taken = 0  # choices in the store
        self._agents: dict[str, Facts] = {}
        self._memories: dict[int, Memory] = {}
        self._sights: dict[tuple[Viewer, int], Sight] = {}
        self._told: dict[Viewer, tuple[int, list[Event]]] = {}  # after how many choices
        self._assessed: dict[Viewer, tuple[int, asyncio.Task[dict[str, Any]]]] = {}  # likewise
        self._changed = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None

    # --- what others ask ----------------------------------------------------------------------------------------

    @property
    def live(self) -> bool:
        """Whether the game goes on, or is about to."""
        return self.row.stage in ("preparing", "playing")

    @property
    def idle(self) -> bool:
        """Whether the table may fall asleep."""
        if self.listeners:
            return False
        return self._runner is None or self._runner.done() or self._waits_for_a_person or self.paused

    @property
    def alone(self) -> bool:
        """Whether agents play and nobody watches."""
        return self.live and not self.listeners and all(seat.kind == "agent" for seat in self.row.seats)

    @property
    def open(self) -> bool:
        """Whether all may be seen: agents alone have played so far, and nobody else will."""
        return self._taken > 0 and not self.row.changes and all(seat.kind == "agent" for seat in self.row.seats)

    @property
    def is_played(self) -> bool:
        """Whether a player looks."""
        return any(listener.seat is not None for listener in self.listeners)

    @property
    def _waits_for_a_person(self) -> bool:
        play = self.play
        return play is not None and not play.over and self.row.seats[play.asked].kind == "person"

    def seat_of(self, token: str | None) -> int | None:
        """The seat a token belongs to; None for the owner's and for nobody's. Raises RefusedError for a wrong token."""
        if token is None:
            return None
        place = owner_of(token, self.row.tokens)
        if place is None:
            raise RefusedError("bad_token", "this link is not, or no longer, a link to a seat at this table")
        return place - 1 if place else None

    def facts(self) -> dict[str, Any]:
        """What everybody may know of the table; nothing of it is from the state of the game."""
        here = {listener.seat for listener in self.listeners}
        seen = table_facts(self.row, self.late if self.row.stage == "over" else None)
        for number, seat in enumerate(seen["seats"]):
            seat["connected"] = number in here
        watchers = sum(listener.seat is None for listener in self.listeners)
        stage = "broken" if self.trouble else self.row.stage
        now = {"stage": stage, "trouble": self.trouble, "pace": self.pace, "paused": self.paused}
        now["open"] = self.open
        return {**seen, **now, "progress": self.progress, "watchers": watchers}

    def see(self, viewer: Viewer, since: int) -> Sight:
        """What a viewer sees now; the same for all who ask for the same."""
        assert self.play is not None
        key = viewer, since
        if key not in self._sights:
            answered = self.play.answered(viewer) if isinstance(viewer, int) else None
            self._sights[key] = see(self.play.position_for(viewer), viewer, since, answered)
        return self._sights[key]

    async def told(self, viewer: Viewer) -> list[Event]:
        """All that a viewer was told from the start. The game keeps its last events only, so it is played again."""
        row = self.row
        choices = [(kept.seat, kept.action, kept.text) for kept in self._store.choices(row.id)]
        if viewer not in self._told or self._told[viewer][0] != len(choices):
            positions = Play.positions(self.game, row.seed, row.options, choices)
            self._told[viewer] = len(choices), await asyncio.to_thread(told, positions, viewer)
        return self._told[viewer][1]

    def act(self, seat: int, action: int, step: int, text: str = "") -> None:
        """Take a person's choice, and what they say in words with it, "" for nothing.

        step: how many choices the seat had made when the person saw what to choose. Raises RefusedError if it can't be
        taken.
        """
        if self.row.stage == "over":
            raise RefusedError("over", "the game is over")
        if self.play is None or self.row.stage != "playing" or self.trouble:
            raise RefusedError("not_allowed", "the table isn't in play")
        if step != self.play.made[seat]:
            raise RefusedError("stale", "this choice has been made already, perhaps in another window")
        if not self.play.may_answer(seat):
            raise RefusedError("not_asked", "your seat isn't asked now")
        try:
            self._take(KeptChoice(seat, action, text=text))
        except RiverbedError as error:
            raise RefusedError("illegal", str(error)) from error

    def may_take_back(self, seat: int) -> bool:
        """Whether a person's seat may take its last choice back."""
        times = sum(undone.seat == seat for undone in self.row.undone)
        if self.play is None or self.row.stage != "playing" or times >= MOST_UNDONE:
            return False
        return self.play.may_take_back(seat)

    def take_back(self, seat: int, step: int) -> None:
        """Undo a person's last choice. step: how many the seat had made. Raises RefusedError if it can't be undone."""
        if self.play is None or not self.may_take_back(seat):
            raise RefusedError("not_allowed", "your last choice can't be taken back")
        if step != self.play.made[seat]:
            raise RefusedError("stale", "this choice has been taken back already, perhaps in another window")
        self.row = self._store.take_back(self.row, seat, seen=not self.play.early.get(seat))
        self.play.take_back(seat)
        self._taken -= 1
        self._told.clear()
        self._wake()

    def set_tempo(self, wish: Tempo) -> None:
        """Let agents move faster or slower, or not at all; all at the table see it."""
        self.pace = self.pace if wish.pace is None else wish.pace
        self.paused = self.paused if wish.paused is None else wish.paused
        self._steps += wish.step
        self._hurried |= wish.skip
        self._tempo.set()
        self._tell()

    async def hint(self, seat: int) -> tuple[int, str]:
        """What the game's usual agent would choose for a seat by that seat's view, and its name.

        Raises RefusedError if the seat isn't asked, AgentError if the agent has no answer.
        """
        play, spec = self.play, usual_agent(self.game.name)
        if play is None or not play.may_answer(seat):
            raise RefusedError("not_asked", "your seat isn't asked now")
        known = await self._workers.prepare(self.game, self.row.options, [spec], lambda *_: None)
        if not play.may_answer(seat):
            raise RefusedError("stale", "this choice has been made already, perhaps in another window")
        memory = np.zeros((1, known[spec].memory_size), np.int32)
        answer = await self._workers.think(question(play, spec, known[spec], memory, seat))
        return answer.action, spec

    def put_seat(self, number: int, seat: Seat) -> None:
        """Seat somebody else, for all to see. Whoever sat there is sent away; an agent begins without memories.

        Raises RefusedError for a person who could know another seat's secrets: with the seat they would see its own.
        """
        if not self.live:
            raise RefusedError("over", "nobody takes a seat any more: the table is over")
        if seat.kind == "person" and not self._may_be_shown(number):
            raise RefusedError("not_allowed", f"other people play: only an agent can take the seat of player {number}")
        seat = replace(seat, since=self._taken)
        self.row = self._store.put_seat(self.row, number, seat)
        self._memories.pop(number, None)
        for listener in list(self.listeners):
            if listener.seat == number:
                listener.dismiss(4001, "somebody else sits here now")
        self._wake()

    def _may_be_shown(self, number: int) -> bool:
        """Whether a new person may see what a seat knows: nobody has played elsewhere, or nothing has happened.

        At a table of agents alone anybody may have seen everything.
        """
        if self.open:
            return False
        changed = {change.seat for change in self.row.changes}
        persons = {place for place, known in enumerate(self.row.seats) if known.kind == "person"}
        return not (persons | changed) - {number} or (not self._taken and number in persons - changed)

    def close(self) -> None:
        """Nobody moves any more."""
        if self.live:
            self._put_stage("closed")
            self.stop()
            self._wake()

    # --- its life -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to play, or go on."""
        self._runner = asyncio.create_task(self._run(), name=f"table {self.row.id}")

    def stop(self) -> None:
        """Stop playing; the choices so far are in the store."""
        if self._runner is not None:
            self._runner.cancel()

    async def stopped(self) -> None:
        """Stop, and wait until it has."""
        self.stop()
        if self._runner is not None:
            await asyncio.gather(self._runner, return_exceptions=True)

    async def _run(self) -> None:
        try:
            await self._prepare()
            if self.row.stage == "preparing":
                self._put_stage("playing")
            self._wake()
            await self._meet_agents()
            while self.row.stage == "playing" and self.play is not None and not self.play.over:
                self._changed.clear()
                if self.row.seats[self.play.asked].kind == "person":
                    self._hurried = False
                    await self._changed.wait()
                else:
                    await self._let_agent_choose(self.play, self.play.asked)
        except RiverbedError as error:
            self._break(str(error))
        except Exception as error:
            log.exception("table %s is broken", self.row.id)
            self._break(f"the server failed: {type(error).__name__}")

    def _break(self, trouble: str) -> None:
        """Show that the table can't go on. The store isn't told: after a repair and a restart it may."""
        log.warning("table %s can't go on: %s", self.row.id, trouble)
        self.progress = None
        self.trouble = trouble
        self._wake()

    async def _prepare(self) -> None:
        """Compile the rules, in another process first; then deal, and play the choices so far."""
        async with self._ticking():
            await self._workers.prepare(self.game, self.row.options, [], self._set_progress)
            self._set_progress("dealing", 0, 1)
            await asyncio.to_thread(rehearse_once, self.row)
        choices = self._store.choices(self.row.id)
        if choices:
            await self._meet_agents()
        await self._deal(choices)

    async def _meet_agents(self) -> None:
        """Load and compile the agents that may still be asked; people can choose meanwhile."""
        async with self._ticking():
            self._agents |= await self._workers.prepare(self.game, self.row.options, self._specs(), self._set_progress)

    @contextlib.asynccontextmanager
    async def _ticking(self) -> AsyncIterator[None]:
        """Show the progress of what is done meanwhile, and for how long."""
        ticking = asyncio.create_task(self._tick())
        try:
            yield
        finally:
            ticking.cancel()
            self.progress = None
            self._tell()

    def _specs(self) -> list[str]:
        """The agents that may still be asked."""
        if not self.live:
            return []
        return list(dict.fromkeys(seat.agent for seat in self.row.seats if seat.agent is not None))

    async def _deal(self, choices: list[KeptChoice]) -> None:
        self._taken = len(choices)
        play = Play(self.game, self.row.seed, self.row.options)
        if play.pack != self.row.pack:
            raise RiverbedError(f"the table was dealt with content pack {self.row.pack}; it is {play.pack} now")
        for number, kept in enumerate(choices):
            await self._remember(play, number, kept)
            play.answer(kept.seat, kept.action, kept.text)
            self.late[kept.seat] += kept.late
            if not number % 64:
                await asyncio.sleep(0)  # others are served meanwhile
        self.play = play

    async def _remember(self, play: Play, number: int, kept: KeptChoice) -> None:
        """Let an agent with a memory think again about a choice it made, so that it remembers what it did."""
        seat = self.row.seats[kept.seat]
        if seat.agent is None or kept.late or number < seat.since or not self.live:
            return
        facts = self._agents[seat.agent]
        if facts.memory_size and not facts.in_words:
            asked = question(play, seat.agent, facts, self._memory(kept.seat, facts))
            self._memories[kept.seat] = (await self._workers.think(asked)).memory

    def _memory(self, seat: int, facts: Facts) -> Memory:
        return self._memories.get(seat, np.zeros((1, facts.memory_size), np.int32))

    def _set_progress(self, text: str, done: int, steps: int) -> None:
        self.progress = {"text": text, "done": done, "of": steps, "seconds": 0}
        self._tell()

    async def _tick(self) -> None:
        """Count the seconds of what is being prepared."""
        while True:
            await asyncio.sleep(1.0)
            if self.progress is not None:
                self.progress["seconds"] += 1
                self._tell()

    # --- choices ------------------------------------------------------------------------------------------------

    async def _let_agent_choose(self, play: Play, seat: int) -> None:
        """Ask the agent of a seat, and take its choice after a pause in which people can follow."""
        sitting = self.row.seats[seat]
        assert sitting.agent is not None
        if sitting.agent not in self._agents:  # it sat down later
            await self._meet_agents()
        facts = self._agents[sitting.agent]
        asked = question(play, sitting.agent, facts, self._memory(seat, facts))
        begun = time.monotonic()
        try:
            answer = await self._workers.think(asked)
            choice = KeptChoice(seat, answer.action, text=answer.text)
        except AgentError as error:
            log.warning("table %s: the agent of seat %d, %s: %s", self.row.id, seat, sitting.agent, error)
            answer = None
            choice = KeptChoice(seat, int(random_legal_action(asked.mask[0], asked.streams[0])), late=True)
        await self._hold(begun)
        if self.row.seats[seat] is not sitting or self.row.stage != "playing":
            return  # somebody else sits there by now
        if answer is not None and facts.memory_size:
            self._memories[seat] = answer.memory
        self._take(choice)

    async def _hold(self, begun: float) -> None:
        """Wait before an agent's move, which was thought of since `begun`: as long as the tempo says.

        A choice at the same time as a person's shows nothing yet, so that nobody waits for it.
        """
        unseen = self.game.kernels.pending is not None and any(seat.kind == "person" for seat in self.row.seats)
        while not self._hurried and not (self.paused and self._steps):
            left = None if self.paused else 0 if unseen else self.pace - (time.monotonic() - begun)
            if left is not None and left <= 0:
                break
            self._tempo.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._tempo.wait()
        self._steps = max(0, self._steps - 1) if self.paused else 0

    def _take(self, choice: KeptChoice) -> None:
        """Check a choice, keep it, and let the game go on."""
        assert self.play is not None
        self.play.check(choice.seat, choice.action, choice.text)
        self._store.put_choice(self.row.id, self._taken, choice)
        self._taken += 1
        self.play.answer(choice.seat, choice.action, choice.text)
        self.late[choice.seat] += choice.late
        if self.play.over:
            self._put_stage("over", tuple(self.play.returns))
        self._wake()

    def _put_stage(self, stage: Stage, returns: tuple[float, ...] | None = None) -> None:
        self._store.put_stage(self.row.id, stage, returns)
        self.row = replace(self.row, stage=stage, returns=returns)

    def _wake(self) -> None:
        """The game or who sits there has changed."""
        self._sights.clear()
        self._changed.set()
        self._tell()

    def _tell(self) -> None:
        for listener in self.listeners:
            listener.poke()

    # --- who looks ----------------------------------------------------------------------------------------------

    def join(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener of all changes from now on; returns how to stop that."""
        self.listeners.add(listener)
        self._tell()

        def leave() -> None:
            self.listeners.discard(listener)
            self._tell()

        return leave

    def check_view(self, seat: int | None, viewer: Viewer) -> None:
        """Raise RefusedError unless who sits in `seat` (None: nobody's seat) may look as `viewer`."""
        own = PUBLIC if seat is None else seat
        if viewer == own or self.row.stage == "over" or self.open:
            return
        raise RefusedError("not_allowed", "what others saw is shown when the game is over")

    async def assess(self, viewer: Viewer) -> tuple[int, dict[str, Any]]:
        """After how many choices a watcher has believed what of the roles, and what the next choices are worth.

        Raises RefusedError unless agents alone play, AgentError if that fails.
        """
        play = self.play
        if play is None or play.over or not self.open:
            raise RefusedError("not_allowed", "only where agents alone play you can see what choices are worth")
        made = len(play.actions)
        if self._assessed.get(viewer, (-1,))[0] != made:
            batch, asked = play.batch, play.asked
            legal = np.flatnonzero(play.mask(asked)).tolist()
            at = Position(self.game.id, self.row.options, batch.params, None, batch.look(asked), legal)
            task = asyncio.create_task(self._assess(at, tuple(play.actions), viewer))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # known, if nobody waits for it
            self._assessed[viewer] = made, task
        truth = self.game.roles_of(play.batch.games)[0].tolist() if viewer == TRUTH else None
        found = await asyncio.shield(self._assessed[viewer][1])
        return made, {**found, "roles": list(self.game.roles), "truth": truth}

    async def _assess(self, at: Position, actions: Sequence[int], viewer: Viewer) -> dict[str, Any]:
        views = await asyncio.to_thread(views_along, self.game, self.row, actions, viewer)
        return await self._workers.assess(replace(at, views=views))


def views_along(game: Game, row: TableRow, actions: Sequence[int], viewer: Viewer) -> npt.NDArray[np.void] | None:
    """What a viewer knew of the roles at first and after each action, (1 + actions,); None if none is hidden."""
    play = Play(game, row.seed, row.options)
    views = [known_to(play.batch, viewer)]
    for action in actions:
        play.answer(play.asked, action)
        views.append(known_to(play.batch, viewer))
    known = [view for view in views if view is not None]
    return np.concatenate(known) if known else None


def rehearse_once(row: TableRow) -> None:
    """Load what playing needs into this process, where that isn't done yet."""
    if row.game not in _rehearsed:
        rehearse(row.game, row.options)
        _rehearsed.add(row.game)


_rehearsed: set[str] = set()


def table_facts(row: TableRow, late: list[int] | None = None) -> dict[str, Any]:
    """What everybody may know of a table in the store. The seed, which tells the deal, is shown at the end."""
    over = row.stage == "over"
    options = {name: value for name, value in row.options.items() if name not in ("num_players", "pack")}
    return {
        "id": row.id,
        "game": row.game,
        "title": find_game(row.game).title if row.game in game_ids() else row.game,
        "players": row.players,
        "options": options,
        "pack": row.options.get("pack"),
        "stage": row.stage,
        "listed": row.listed,
        "created": row.created,
        "pace": row.pace,
        "paused": False,
        "progress": None,
        "trouble": "",
        "seed": str(row.seed) if over else None,
        "seed_chosen": row.seed_chosen,
        "seats": [
            {
                "seat": number,
                "kind": seat.kind,
                "name": seat.name,
                "agent": seat.agent,
                "connected": False,
                "late": late[number] if late is not None else None,
            }
            for number, seat in enumerate(row.seats)
        ],
        "changes": list(map(vars, row.changes)),
        "undone": list(map(vars, row.undone)),
        "open": False,
        "watchers": 0,
    }
