"""Programs and services in a seat: the examples play whole games; crashes, silence and noise have one end each."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from seats_kit import EXAMPLES, PYTHON, QUICK, Table, by_function, deal, first, message

from riverbed_env.errors import OptionError
from riverbed_env.players import find_agent
from riverbed_env.registry import find_game
from riverbed_env.seats import Failure, SeatAgent, SeatFailureError
from riverbed_env.seats.http import HttpChannel
from riverbed_env.seats.stdio import Program, StdioChannel


@contextmanager
def program(path: Path, source: str, time_limit: float = 60.0) -> Iterator[Program]:
    """A running program of this source."""
    path.write_text(f"import json, os, sys\n{source}\n")
    running = Program([PYTHON, str(path)], time_limit)
    try:
        yield running
    finally:
        running.stop()


def kind_of_failure(ask: Callable[[], object]) -> Failure:
    with pytest.raises(SeatFailureError) as failed:
        ask()
    return failed.value.kind


@pytest.mark.parametrize("name", ["seat.py", "seat.sh"])
def test_the_examples_play_without_a_failure(name: str) -> None:
    shell = PYTHON if name.endswith(".py") else "sh"
    agent: Any = find_agent(f"stdio:cmd={shell} {EXAMPLES / name}", QUICK)
    table = Table(agent, deal()).play(12)
    agent.channel.close()
    assert table.counts() == {"decisions": 12}
    if name == "seat.sh":
        assert np.array_equal(table.actions, Table(by_function(first), deal()).play(12).actions)


def test_several_processes_play_as_one() -> None:
    channel = StdioChannel(f"sh {EXAMPLES / 'seat.sh'}", processes=3)
    table = Table(SeatAgent("shell", find_game(QUICK), channel), deal(games=6)).play(2)
    channel.close()
    assert np.array_equal(table.actions, Table(by_function(first), deal(games=6)).play(2).actions)


def test_a_program_that_crashes_is_started_again(tmp_path: Path) -> None:
    source = "for line in sys.stdin:\n    sys.exit(3) if 'crash' in line else print(line.strip(), flush=True)"
    with program(tmp_path / "seat.py", source) as running:
        assert running.ask("one") == "one\n"
        with pytest.raises(SeatFailureError, match="ended with code 3"):
            running.ask("crash")
        assert running.ask("two") == "two\n"


def test_a_program_that_stays_silent_is_ended(tmp_path: Path) -> None:
    with program(tmp_path / "seat.py", "for line in sys.stdin: pass", time_limit=0.01) as running:
        assert kind_of_failure(lambda: running.ask("one")) == Failure.TRANSPORT
        assert running._process is None


def test_one_answer_a_question_counts_whatever_else_is_printed(tmp_path: Path) -> None:
    noisy = "for line in sys.stdin: sys.stdout.write(line + 'noise\\n' * 3); sys.stdout.flush()"
    with program(tmp_path / "seat.py", noisy) as running:
        assert running.ask("one") == "one\n"
        while running._lines.qsize() < 3:  # the noise has come
            pass
        assert running.ask("two") == "two\n"


def test_a_program_that_ends_after_each_answer_is_started_again(tmp_path: Path) -> None:
    with program(tmp_path / "seat.py", "print(sys.stdin.readline().strip(), flush=True)") as running:
        assert [running.ask(word) for word in ("one", "two", "three")] == ["one\n", "two\n", "three\n"]


def test_a_program_gets_no_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    monkeypatch.setenv("HARMLESS", "yes")
    with program(tmp_path / "seat.py", "print(json.dumps(dict(os.environ)), flush=True)") as running:
        seen = json.loads(running.ask(""))
    assert seen["HARMLESS"] == "yes"
    assert "sk-planted" not in seen.values()


def test_a_program_that_isnt_there_ends_the_run() -> None:
    with pytest.raises(OptionError, match="can't be started"):
        Program(["/no/such/program"], 1.0).ask("")


def test_a_program_that_writes_without_end_fails_and_fills_no_memory(tmp_path: Path) -> None:
    endless = "sys.stdin.readline()\nwhile True: sys.stdout.write('x' * 65536)"
    with program(tmp_path / "seat.py", endless) as running:
        running.ask("one")
        while not running._lines.full():  # all that is read ahead
            pass
        old = running._lines
        assert set(running.ask("two")) == {"x"}
        assert running._lines is not old
        assert old.qsize() <= 2


# --- services ---------------------------------------------------------------------------------------------------------

Respond = Callable[[bytes], tuple[int, bytes]]


@contextmanager
def service(respond: Respond) -> Iterator[str]:
    """A service on this machine; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, body = respond(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/seat"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_service_plays_as_a_function_does() -> None:
    with service(lambda body: (200, json.dumps(first(json.loads(body))).encode())) as url:
        table = Table(find_agent(f"http:url={url}", QUICK), deal(games=3)).play(6)
    assert np.array_equal(table.actions, Table(by_function(first), deal(games=3)).play(6).actions)
    assert set(table.counts()) == {"decisions"}


@pytest.mark.parametrize("status", [204, 302, 404, 500])
def test_another_status_is_a_failure_of_transport(status: int) -> None:
    with service(lambda body: (status, b"")) as url:
        assert kind_of_failure(lambda: HttpChannel(url).ask(message(deal()))) == Failure.TRANSPORT


def test_a_key_that_stands_in_a_services_answers_changes_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {**message(deal()), "talk": {"said": [], "most_characters": 280}}
    for key, said in (("1", "1"), ('"choice":', "[key]")):
        monkeypatch.setenv("MINE", key)
        answer = json.dumps({**first(asked), "text": key}).encode()
        with service(lambda body, answer=answer: (200, answer)) as url:  # type: ignore[misc]
            given = SeatAgent("service", find_game(QUICK), HttpChannel(url, key_env="MINE")).choose(asked)
        assert given is not None
        assert (given.choice, given.text) == (first(asked)["choice"], said)


def test_a_service_that_isnt_there_is_a_failure_of_transport() -> None:
    with service(lambda body: (200, b"")) as url:
        pass
    assert kind_of_failure(lambda: HttpChannel(url).ask(message(deal()))) == Failure.TRANSPORT
