"""The processes in which agents think. An agent that takes too long is stopped with its process; another one starts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from riverbed_env.core.game import Game
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import RiverbedError

from .thinking import Answer, Facts, Question
from .worker import LENGTH

LOADING = 900.0  # s to compile or load
STOPPING = 5.0  # s for a process to end by itself

Progress = Callable[[str, int, int], None]  # what is being done, steps done, steps in all


class AgentError(RiverbedError):
    """An agent gave no legal action in time."""


class _Worker:
    """One process; it does one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "riverbed_web.worker"),
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
    """A number of processes that take turns at what is asked of them; each starts when it is first needed."""

    def __init__(self, count: int, time_limit: float) -> None:
        self.time_limit = time_limit
        self._idle: asyncio.LifoQueue[_Worker | None] = asyncio.LifoQueue()
        for _ in range(count):
            self._idle.put_nowait(None)
        self._all: set[_Worker] = set()
        self._compiling = asyncio.Lock()  # one at a time, so that no two compile the same
        self._drawing = asyncio.Lock()
        self._known: dict[tuple[str, str], Facts] = {}
        self._rehearsed: set[str] = set()

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[_Worker]:
        """A worker that nobody else uses. If what is done with it doesn't end well, its process ends too."""
        worker = await self._idle.get()
        try:
            if worker is None or not worker.alive:
                self._all.discard(worker)
                worker = await _Worker.start()
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
            self._idle.put_nowait(worker)

    async def _do(self, work: str, *arguments: object) -> Any:
        """A job without a limit to speak of. Raises AgentError if it fails."""
        try:
            async with self._worker() as worker:
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
        if steps:
            progress("waiting for other tables to be prepared", 0, len(steps))
        async with self._compiling:
            for number, (words, agent) in enumerate(steps):
                progress(words, number, len(steps))
                if agent and (game.id, agent) not in self._known:
                    self._known[game.id, agent] = await self._do("meet", agent, game.id, options)
                elif not agent and game.id not in self._rehearsed:
                    await self._do("rehearse", game.id, options)
                    self._rehearsed.add(game.id)
        return {agent: self._known[game.id, agent] for agent in agents}

    async def think(self, asked: Question) -> Answer:
        """The agent's answer. Raises AgentError if it gives none within the time limit, or no legal one."""
        try:
            async with self._worker() as worker:
                await worker.put("think", asked)
                await worker.get(LOADING)
                answer = await worker.get(self.time_limit)
        except TimeoutError:
            raise AgentError(f"it took longer than {self.time_limit:g} s") from None
        except (EOFError, OSError) as error:
            raise AgentError(f"its process ended: {error}") from error
        assert isinstance(answer, Answer)
        return answer

    async def replay(self, record: RecordedGame) -> str:
        """The page of a finished game; one at a time, so that agents aren't kept from thinking."""
        async with self._drawing:
            page: str = await self._do("replay", record)
        return page

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.stop(kindly=True) for worker in self._all))
