"""OpenEnv's own server and client play games side by side; run by `make trainers`, with the package."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator

import pytest

pytest.importorskip("openenv")

import uvicorn
from openenv.core import GenericEnvClient
from starlette.testclient import TestClient
from trainers.players import first

from riverbed_env.players import UNIFORM
from riverbed_env.registry import find_game
from riverbed_lab import SeatEnv
from riverbed_lab.seat_env.openenv import seat_app, server
from riverbed_lab.seat_tools.hosted import HostedGame
from riverbed_lab.seat_tools.server import Seats, http_app

SETTINGS = {"players": 4, "opponents": "simple", "history": "changes"}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server's address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(seat_app(8, **SETTINGS), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


async def play(address: str, index: int) -> tuple[float, dict[str, object]]:
    """A game by the client; its rewards and the last metadata."""
    async with GenericEnvClient(base_url=address) as client:
        result, total = await client.reset(split="test", index=index), 0.0
        while not result.done:
            result = await client.step({"answer": first(result.observation["messages"][-1]["content"])})
            total += result.reward
        state = await client.state()
        assert (state["split"], state["index"]) == ("test", index)
        return total, result.metadata


def test_sessions_play_the_games_that_a_seat_env_plays(address: str) -> None:
    async def several() -> list[tuple[float, dict[str, object]]]:
        return await asyncio.gather(*(play(address, index) for index in range(4)))

    env = SeatEnv(**SETTINGS, split="test")  # type: ignore[arg-type]
    for index, (total, known) in enumerate(asyncio.run(several())):
        messages, own, info = env.reset(index), 0.0, {}
        while not env.done:
            messages, reward, _, info = env.step(first(messages[-1]["content"]))
            own += reward
        assert (own, info["returns"], info["seat"]) == (total, known["returns"], known["seat"])


def test_tasks_are_deals_by_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBED_SEAT", json.dumps(SETTINGS))
    with TestClient(server()) as client:
        assert [each["name"] for each in client.get("/riverbed/splits").json()] == ["train", "test"]
        found = [
            client.post("/riverbed/task", json={"split": split, "index": 3}).json()["task"]
            for split in ("train", "test")
        ]
        assert found[0]["deal"] != found[1]["deal"]
        assert client.post("/riverbed/task", json={"split": "test", "index": 10**9}).status_code == 400


def test_seats_are_tools_in_the_mcp_that_openenv_needs() -> None:
    seats = Seats(HostedGame(find_game("river_rats_v0"), [None, UNIFORM], 1))
    head = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {seats.tokens[0]}"}
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    call = {"name": "look", "arguments": {}}
    with TestClient(http_app(seats), base_url="http://127.0.0.1:8000") as client:
        begun = client.post("/mcp/", json=rpc("initialize", about), headers=head)
        head["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
        seen = client.post("/mcp/", json=rpc("tools/call", call), headers=head).json()["result"]
    assert json.loads(seen["content"][0]["text"])["you"]["seat"] == 0


def rpc(method: str, params: dict[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
