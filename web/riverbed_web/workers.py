"""The processes in which agents think. An agent that takes too long is stopped with its process; another one starts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from riverbed_env.core.game import Game
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import RiverbedError
from riverbed_env.players.installed import list_agents

from .thinking import Answer, Facts, Position, Question
from .worker import LENGTH

log = logging.getLogger("riverbed_web")

LOADING = 900.0  # s to compile or load
SLOW = 0.5  # s; an agent that takes longer for two choices running thinks where it keeps no quick one waiting
QUICK, HEAVY, ASIDE = "quick", "heavy", "aside"  # kinds of processes: for agents, and for what no game waits for
NICENESS = {QUICK: 5, HEAVY: 15, ASIDE: 19}  # the server itself comes first
STOPPING = 5.0  # s for a process to end by itself

Progress = Callable[[str, int, int], None]  # what is being done, steps done, steps in all


class AgentError(RiverbedError):
    """An agent gave no legal action in time."""


class _Worker:
    """One process; it does one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, niceness: int) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "riverbed_web.worker", str(niceness)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        return cls(process)

    async def put(self, work: str, *arguments: object) -> None:
        """Give the process a job."""
        packed = pickle.dumps((work, arguments))
        assert self.process.stdin is not None
        self.process.stdin.write(LENGTH.pack(len(packed)) + packed)
        await self.process.stdin.drain()

    async def get(self, limit: float) -> Any:
        """The process's next answer. Raises AgentError if the job failed, TimeoutError, or EOFError if it has ended."""
        assert self.process.stdout is not None
        async with asyncio.timeout(limit):
            head = await self.process.stdout.readexactly(LENGTH.size)
            kind, content = pickle.loads(await self.process.stdout.readexactly(LENGTH.unpack(head)[0]))
        if kind == "failed":
            raise AgentError(content)
        return content

    @property
    def alive(self) -> bool:
        return self.process.returncode is None

    async def stop(self, *, kindly: bool = False) -> None:
        """End the process; kindly: let it end by itself first."""
        if self.alive and kindly and self.process.stdin is not None:
            self.process.stdin.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.process.wait(), STOPPING)
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
        await self.process.wait()


class Workers:
    """Processes that take turns at what is asked of them; each starts when it is first needed.

    count: how many are for quick agents; as many others are for slow ones, and for those that nobody has tried yet;
    and as many for values of choices.
    """

    def __init__(self, count: int, time_limit: float) -> None:
        self.time_limit = time_limit
        self._idle: dict[str, asyncio.LifoQueue[_Worker | None]] = {}
        for kind in NICENESS:
            self._idle[kind] = asyncio.LifoQueue()
            for _ in range(count):
                self._idle[kind].put_nowait(None)
        self._all: set[_Worker] = set()
        self._compiling = asyncio.Lock()  # one at a time, so that no two compile the same; only for what ends
        self._meeting: defaultdict[tuple[str, str], asyncio.Lock] = defaultdict(asyncio.Lock)
        self._drawing = {values: asyncio.Lock() for values in (False, True)}
        self._known: dict[tuple[str, str], Facts] = {}
        self._late: Counter[tuple[str, str]] = Counter()  # slow choices running
        self._rehearsed: set[str] = set()

    @asynccontextmanager
    async def _worker(self, kind: str = QUICK) -> AsyncIterator[_Worker]:
        """A worker that nobody else uses. If what is done with it doesn't end well, its process ends too."""
        worker = await self._idle[kind].get()
        try:
            if worker is None or not worker.alive:
                self._all.discard(worker)
                worker = await _Worker.start(NICENESS[kind])
                self._all.add(worker)
            yield worker
        except AgentError:  # the process itself is sound
            raise
        except BaseException:
            if worker is not None:
                self._all.discard(worker)
                await asyncio.shield(worker.stop())
                worker = None
            raise
        finally:
            self._idle[kind].put_nowait(worker)

    async def _do(self, work: str, *arguments: object, kind: str = QUICK) -> Any:
        """A job without a limit to speak of. Raises AgentError if it fails."""
        try:
            async with self._worker(kind) as worker:
                await worker.put(work, *arguments)
                return await worker.get(LOADING)
        except TimeoutError:
            raise AgentError(f"it isn't ready after {LOADING:.0f} s") from None
        except (EOFError, OSError) as error:
            raise AgentError(f"its process ended: {error}") from error

    async def prepare(
        self, game: Game, options: dict[str, Any], agents: list[str], progress: Progress
    ) -> dict[str, Facts]:
        """Compile a game's rules and these agents where that is still to do; returns what tables must know of them.

        Raises AgentError if something can't be loaded.
        """
        unmet = [agent for agent in agents if (game.id, agent) not in self._known]
        steps = [] if game.id in self._rehearsed else [(f"compiling the rules of {game.title}", "")]
        steps += [(f"preparing the agent {agent}", agent) for agent in unmet]
        for number, (words, agent) in enumerate(steps):
            progress(words, number, len(steps))
            if agent:
                await self._meet(game, options, agent)
            else:
                await self._rehearse(game, options)
        return {agent: self._known[game.id, agent] for agent in agents}

    async def _rehearse(self, game: Game, options: dict[str, Any]) -> None:
        async with self._compiling:
            if game.id not in self._rehearsed:
                await self._do("rehearse", game.id, options)
                self._rehearsed.add(game.id)

    async def _meet(self, game: Game, options: dict[str, Any], agent: str) -> None:
        """Load an agent and let it choose once. One that fails at that choice plays on as one that fails in play.

        Installed agents with their own parameters are compiled first. That takes its time; anything else has only the
        time limit for the choice.
        """
        name, _, parameters = agent.partition(":")
        usual = name in list_agents(game.name)
        if usual and parameters:
            await self._meet(game, options, name)
        key = game.id, agent
        compiles = usual and not parameters
        async with self._compiling if compiles else self._meeting[key]:
            if key in self._known:
                return
            try:
                async with self._worker(QUICK if compiles else HEAVY) as worker:
                    await worker.put("meet", agent, game.id, options)
                    self._known[key] = await worker.get(LOADING)
                    await worker.get(LOADING if compiles else self.time_limit)
            except (AgentError, TimeoutError, EOFError, OSError) as error:
                if key not in self._known:
                    raise AgentError(str(error) or f"it isn't ready after {LOADING:.0f} s") from error
                log.warning("agent %s gave no choice when it was tried: %s", agent, error or "it took too long")

    async def think(self, asked: Question) -> Answer:
        """The agent's answer. Raises AgentError if it gives none within the time limit, or no legal one."""
        key = asked.game, asked.agent
        try:
            async with self._worker(HEAVY if self._late[key] > 1 else QUICK) as worker:
                await worker.put("think", asked)
                await worker.get(LOADING)
                with self._timed(key):
                    answer = await worker.get(self.time_limit)
        except TimeoutError:
            raise AgentError(f"it took longer than {self.time_limit:g} s") from None
        except (EOFError, OSError) as error:
            raise AgentError(f"its process ended: {error}") from error
        assert isinstance(answer, Answer)
        return answer

    @contextlib.contextmanager
    def _timed(self, key: tuple[str, str]) -> Iterator[None]:
        """Count an agent's slow choices running."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._late[key] = self._late[key] + 1 if time.monotonic() - begun > SLOW else 0

    async def replay(self, record: RecordedGame, *, values: bool) -> str:
        """The page of a finished game; one at a time, so that agents aren't kept from thinking."""
        async with self._drawing[values]:
            page: str = await self._do("replay", record, values, kind=ASIDE if values else QUICK)
        return page

    async def assess(self, position: Position) -> dict[str, Any]:
        """What can be believed in a position, and what its choices are worth. Raises AgentError if that fails."""
        found: dict[str, Any] = await self._do("assess", position, kind=ASIDE)
        return found

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.stop(kindly=True) for worker in self._all))
