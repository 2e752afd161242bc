"""OpenEnv's own server and client play games side by side; run by `make trainers`, with the package."""

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest

pytest.importorskip("openenv")

import uvicorn
from starlette.testclient import TestClient
from trainers.players import first

from riverbed_lab import SeatEnv
from riverbed_lab.seat_env.openenv import SeatAction, SeatClient, seat_app

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
    async with SeatClient(base_url=address) as client:
        result, total = await client.reset(split="test", index=index), 0.0
        while not result.done:
            answer = first(result.observation.messages[-1]["content"])
            result = await client.step(SeatAction(answer=answer))
            total += result.reward
        state = await client.state()
        assert (state.split, state.index) == ("test", index)
        return total, result.observation.metadata


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


def test_tasks_are_deals_by_split() -> None:
    with TestClient(seat_app(**SETTINGS)) as client:
        assert [each["name"] for each in client.get("/riverbed/splits").json()] == ["train", "test"]
        found = [
            client.post("/riverbed/task", json={"split": split, "index": 3}).json()["task"]
            for split in ("train", "test")
        ]
        assert found[0]["deal"] != found[1]["deal"]
        assert client.post("/riverbed/task", json={"split": "test", "index": 10**9}).status_code == 400
