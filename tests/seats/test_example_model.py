"""The scripted chat endpoint of the examples: whole games over the network, and again from the cassette."""

from __future__ import annotations

import runpy
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from in_process import riverbed
from seats_kit import EXAMPLES, HUNT, deal, message

from riverbed_env.seats import read_answer
from riverbed_env.seats.message import Talk
from riverbed_lab.llm import seat as model_seat
from riverbed_lab.llm.prompt import chat_of


@pytest.fixture(autouse=True)
def own_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limits of another test, and no key."""
    monkeypatch.setattr(model_seat, "_run", [])
    monkeypatch.delenv("RIVERBED_LLM_KEY", raising=False)


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / "model.py"))


@pytest.fixture
def address(example: dict[str, Any]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), example["Endpoint"])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("options", [{}, {"talk": "text"}])
def test_the_scripted_model_answers_each_prompt_with_a_legal_choice(
    example: dict[str, Any], options: dict[str, Any]
) -> None:
    batch, heard = deal(HUNT, seed=2, num_players=4, **options), 0
    for _ in range(60):
        talk = Talk([(0, "The choices:\n- id 1: win")], most_characters=280) if options else None
        asked = message(batch, talk=talk)
        answer = read_answer(example["answer"](chat_of(asked)[1]["content"]), asked)
        heard += bool(answer.text)
        batch.step([answer.choice])
    assert bool(heard) == bool(options)


@pytest.mark.slow
def test_a_game_of_the_scripted_model_replays_without_the_endpoint(address: str, tmp_path: Path) -> None:
    spec = f"llm:model=scripted,base_url={address}"
    play = ("watch", "--agent", spec, "--players", "4", "--seed", "6", "--set", "talk=text")
    cassette = ("--llm", f"cassette={tmp_path / 'calls.jsonl'}")
    live = riverbed(*play, *cassette)
    assert live.returncode == 0, live.stderr
    assert "says in words" in live.stdout
    assert "the game ends" in live.stdout
    kept = (tmp_path / "calls.jsonl").read_bytes()
    again = riverbed(*play, *cassette, "--llm", "offline=true")
    assert again.stdout == live.stdout
    assert (tmp_path / "calls.jsonl").read_bytes() == kept
