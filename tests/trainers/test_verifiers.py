"""verifiers runs episodes of games with a scripted endpoint; run by `make trainers`, with the package."""

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("verifiers")

import verifiers.v1 as vf
from trainers.players import first
from verifiers.v1.utils.loaders import env_config_type, load_environment

from riverbed_env.corpus.recorded import RecordedGame

NAME = "riverbed-verifiers"


class Endpoint(BaseHTTPRequestHandler):
    """Answers chat completions with the first choice."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
        said = {"role": "assistant", "content": first(asked[-1]["content"])}
        choice = {"index": 0, "message": said, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        about = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted"}
        body = json.dumps({**about, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: Any) -> None:
        """Nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """The endpoint's address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


async def episodes(address: str, games: int) -> list[vf.Episode]:
    settings = {"id": NAME, "seat": {"players": 4, "opponents": "simple"}}
    env = load_environment(env_config_type(NAME).model_validate({"taskset": settings}))
    client = vf.EvalClientConfig(base_url=address)
    context = vf.ModelContext(model="scripted", client=client)
    async with env.serving():
        return await asyncio.gather(*(env.run_episode(task, context) for task in env.taskset.take(games)))


def test_verifiers_plays_deals_and_records_rewards(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIME_API_KEY", "none")
    for number, episode in enumerate(asyncio.run(episodes(address, 3))):
        assert episode.ok, episode.errors
        (trace,) = episode.traces
        game = trace.info["game"]
        assert game["index"] == number
        assert trace.reward == sum(game["rewards"]) == game["won"]
        assert trace.num_turns == game["decisions"] == len(game["rewards"])
        *_, batch = RecordedGame.from_json(game["record"]).replay()
        assert (batch.returns[0, game["seat"]] > 0) == game["won"]
