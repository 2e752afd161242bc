"""How quick and how small tables in a browser are: from a choice to the screen, memory at rest, the first choice.

    python experiments/studies tables --tables 50 --game riverbed_hunt_v1

starts `riverbed serve` on one core with so many tables of agents, each watched by a page, and measures at one more,
where persons play. Pages are websocket clients on the other cores; what a browser adds to draw isn't
counted. Needs psutil.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
import psutil
import typer
from websockets.asyncio.client import ClientConnection, connect

from riverbed_env.players.installed import usual_agent
from riverbed_env.registry import find_game
from riverbed_lab.cli.console import console

from .kit import print_table

PERSON = {"kind": "person"}
SETTLING = 5.0  # s between opening the tables and measuring


@dataclass
class Server:
    """A `riverbed serve` in a process of its own, on one core."""

    address: str
    process: psutil.Process
    begun: float = field(default_factory=time.perf_counter)

    def ask(self, method: str, path: str, content: Any = None) -> Any:
        """What the server answers to a request."""
        body = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self.address + path, body, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def open(self, game: str, seats: list[dict[str, str]], **wish: Any) -> dict[str, Any]:
        """Open a table."""
        answer: dict[str, Any] = self.ask(
            "POST", "api/tables", {"game": game, "players": len(seats), "seats": seats, **wish}
        )
        return answer

    def page(self, table: dict[str, Any]) -> connect:
        """A page's connection to a table."""
        at = table["table"]["id"]
        return connect(f"{self.address.replace('http', 'ws')}api/tables/{at}/live", max_size=None)

    def kilobytes(self) -> float:
        """The memory that the server itself keeps."""
        return float(self.process.memory_info().rss) / 1000


@contextmanager
def served(core: int | None, **variables: str) -> Iterator[Server]:
    """A server on a free port, with its agents on this core."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "riverbed_lab", "serve", "--port", "0", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **variables}) as process:
            known = psutil.Process(process.pid)
            if core is not None:
                known.cpu_affinity([core])
            assert process.stdout is not None
            yield Server(process.stdout.readline().split()[1], known, begun)
            process.terminate()


async def until_asked(page: ClientConnection) -> dict[str, Any]:
    """The next frame of a page with something to choose."""
    while True:
        got: dict[str, Any] = json.loads(await page.recv())
        if got["type"] == "frame" and (got["frame"]["choices"] or got["frame"]["over"]):
            return got


async def join(page: ClientConnection, token: str | None) -> None:
    """Say who looks."""
    await page.send(json.dumps({"type": "join", "token": token, "since": 0}))


async def count(page: ClientConnection, counted: list[int]) -> None:
    """Count the frames that a watching page gets."""
    async for text in page:
        counted[0] += '"type":"frame"' in str(text)[:80]


async def persons_choose(server: Server, game: str, moves: int, pause: float) -> tuple[list[float], list[float]]:
    """Seconds from a choice to the person's own page, and to a page that watches, for some choices of persons."""
    own, others = [], []
    players = find_game(game).min_players
    table = server.open(game, [PERSON] * players, pace=0)
    async with AsyncExitStack() as pages:
        watcher = await pages.enter_async_context(server.page(table))
        await join(watcher, None)
        seats = [await pages.enter_async_context(server.page(table)) for _ in range(players)]
        for seat, token in zip(seats, table["seats"], strict=True):
            await join(seat, token)
        for _ in range(moves):
            asked, got = await first_asked(seats)
            if got["frame"]["over"]:
                break
            await asyncio.sleep(pause)
            await drain(watcher)
            begun = time.perf_counter()
            choice = got["frame"]["choices"][0]["action"]
            await asked.send(json.dumps({"type": "act", "action": choice, "step": got["step"]}))
            times = await asyncio.gather(next_frame(asked), next_frame(watcher))
            own.append(times[0] - begun)
            others.append(times[1] - begun)
            for seat in seats:
                await drain(seat, keep=True)
    return own, others


_kept: dict[ClientConnection, dict[str, Any]] = {}


async def first_asked(seats: list[ClientConnection]) -> tuple[ClientConnection, dict[str, Any]]:
    """The page of the seat that has something to choose, with its frame."""
    while True:
        for seat in seats:
            await drain(seat, keep=True)
            got = _kept.get(seat)
            if got is not None and (got["frame"]["choices"] or got["frame"]["over"]):
                return seat, got


async def drain(page: ClientConnection, *, keep: bool = False) -> None:
    """Take what has come; keep the newest frame."""
    while True:
        try:
            async with asyncio.timeout(0.005):
                got = json.loads(await page.recv())
        except TimeoutError:
            return
        if keep and got["type"] == "frame":
            _kept[page] = got


async def next_frame(page: ClientConnection) -> float:
    """When the next frame came."""
    while True:
        text = str(await page.recv())
        came = time.perf_counter()
        if '"type":"frame"' in text[:80]:
            _kept[page] = json.loads(text)
            return came


async def busy(server: Server, game: str, tables: int, moves: int) -> list[tuple[str, str]]:
    """The rows about a server with so many tables of agents."""
    players = find_game(game).default_players
    agents = [{"kind": "agent", "agent": usual_agent(game)}] * players
    counted = [0]
    async with AsyncExitStack() as pages, asyncio.TaskGroup() as group:
        counting = []
        for _ in range(tables):
            table = server.open(game, agents)
            page = await pages.enter_async_context(server.page(table))
            await join(page, None)
            counting.append(group.create_task(count(page, counted)))
        while counted[0] < tables:  # all are dealt
            await asyncio.sleep(0.1)
        await asyncio.sleep(SETTLING)
        frames, begun, used = counted[0], time.perf_counter(), cpu_seconds(server)
        own, others = await persons_choose(server, game, moves, 0.1)
        seconds = time.perf_counter() - begun
        rate, share = (counted[0] - frames) / seconds, (cpu_seconds(server) - used) / seconds
        for task in counting:
            task.cancel()
    return [
        (f"choice to own page, median and 95 % of {len(own)}", in_ms(own)),
        (f"choice to a watching page, median and 95 % of {len(others)}", in_ms(others)),
        (f"frames a second to the pages of {tables} tables", f"{rate:.0f}"),
        ("share of the core that was used", f"{share:.0%}"),
    ]


def cpu_seconds(server: Server) -> float:
    """Processor time of the server and its agents so far."""
    return sum(sum(each.cpu_times()[:2]) for each in (server.process, *server.process.children(recursive=True)))


def in_ms(seconds: list[float]) -> str:
    """The median and the 95th percentile in milliseconds."""
    return f"{np.median(seconds) * 1000:.0f} ms, {np.quantile(seconds, 0.95) * 1000:.0f} ms"


async def at_rest(server: Server, game: str, tables: int) -> tuple[str, str]:
    """The memory of a table that waits for a person: the growth over many, after as many opened before."""
    players = find_game(game).default_players

    async def opened() -> float:
        for _ in range(tables):
            table = server.open(game, [PERSON] * players)
            async with server.page(table) as page:  # dealt and looked at
                await join(page, table["seats"][0])
                while json.loads(await page.recv())["type"] != "frame":
                    pass
        return server.kilobytes()

    first, second = await opened(), await opened()
    return f"memory of a table at rest, mean of {tables}", f"{(second - first) / tables:.0f} kB"


async def first_choice(server: Server, game: str) -> tuple[str, str]:
    """Seconds from the start of the command to a person's first choice."""
    players = find_game(game).default_players
    table = server.open(game, [PERSON, *[{"kind": "agent", "agent": usual_agent(game)}] * (players - 1)], pace=0)
    async with server.page(table) as page:
        await join(page, table["seats"][0])
        await until_asked(page)
    seconds, used = time.perf_counter() - server.begun, cpu_seconds(server)
    return "from the command to the first choice, nothing compiled", f"{seconds:.1f} s, processor {used:.1f} s"


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "riverbed_hunt_v1",
    tables: Annotated[int, typer.Option(min=1, help="Tables of agents.")] = 50,
    moves: Annotated[int, typer.Option(min=1, help="Choices of persons to measure.")] = 100,
    core: Annotated[int, typer.Option(min=0, help="The core that the server and its agents run on.")] = 0,
    cold: Annotated[bool, typer.Option(help="Measure a first start too, which compiles everything.")] = True,
) -> None:
    """Measure tables in a browser."""
    rows = []
    if cold:
        with tempfile.TemporaryDirectory() as cache, served(None, RIVERBED_CACHE_DIR=cache) as server:
            rows.append(asyncio.run(first_choice(server, game)))
    with served(core) as server:
        rows.append(asyncio.run(at_rest(server, game, tables)))
    with served(core) as server:
        rows += asyncio.run(busy(server, game, tables, moves))
    print_table(f"{game}: {tables} tables of agents, one core", ("measured", "result"), rows)
    console.print(f"load of the machine: {os.getloadavg()[0]:.1f}", highlight=False)
