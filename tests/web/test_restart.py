"""A server that is killed loses no choice, agents that take too long are stopped, and Ctrl-C ends all."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from web_kit import PERSON, RANDOM, Opened, Serving

import riverbed_web
from riverbed_web.opening import Menu

AGENTS = """
import os
import time
from riverbed_env.players import PythonAgent

def first(observation, mask, memory, rng):
    return int(mask.argmax())

def slow(observation, mask, memory, rng):
    time.sleep(3600)

def wrong(observation, mask, memory, rng):
    return int(mask.argmin())

def broken(observation, mask, memory, rng):
    raise KeyError("no idea")

def gone(observation, mask, memory, rng):
    os._exit(1)

def counting(observation, mask, memory, rng):
    memory[0] += 1  # which of the legal actions it takes depends on how often it has been asked
    legal = mask.nonzero()[0]
    return int(legal[memory[0] % len(legal)])

counting.memory_size = 1
"""


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return path


class Process:
    """`riverbed serve` in a process of its own."""

    def __init__(self, data: Path, *words: str) -> None:
        command = [sys.executable, "-m", "riverbed_lab", "serve", "--port", "0", "--data", str(data)]
        self.process = subprocess.Popen(
            [*command, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Open http://127.0.0.1:"), line
        self.address = line.split()[1]

    ask, open = Serving.ask, Serving.open

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; the exit code, and what was printed since."""
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=60)
        return self.process.returncode, said


@contextmanager
def served(data: Path, *words: str) -> Iterator[Process]:
    """A server process that is killed in the end."""
    running = Process(data, *words)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


def again(table: Opened, serving: Any) -> Opened:
    """The same table at another server."""
    return Opened(serving, table.id, table.owner, table.seats)


@pytest.mark.slow
def test_a_killed_server_loses_no_choice(tmp_path: Path, agents: Path) -> None:
    agent = {"kind": "agent", "agent": f"{agents}:counting"}
    wish = {"game": "river_rats_v0", "players": 2, "seats": [PERSON, agent], "seed": 3}
    with served(tmp_path, "--agent", agent["agent"]) as first:
        table = first.open(**wish)
        with table.seat(0) as page:
            for _ in range(5):
                page.until_asked().act()
            before = page.until_asked().frame
        first.end(signal.SIGKILL)
    with served(tmp_path, "--agent", agent["agent"]) as second:
        table = again(table, second)
        with table.seat(0) as page:
            page.until_asked()
            assert page.step == 5
            assert {**page.frame, "events": []} == {**before, "events": []}
        interrupted = play_to_the_end(table)
    with Serving(tmp_path / "whole", menu=Menu((agent["agent"],))) as whole:
        assert play_to_the_end(whole.open(**wish)) == interrupted  # the agent remembers what it did before


def play_to_the_end(table: Opened) -> list[int]:
    """Choose for the person the last that is legal; the actions of the whole game."""
    with table.seat(0) as page:
        while not page.until_asked().frame["over"]:
            page.act()
    actions: list[int] = table.ask("GET", "/record")[1]["actions"]
    return actions


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_and_its_agents_with_a_line(tmp_path: Path, number: int) -> None:
    with served(tmp_path) as running:
        table = running.open(game="deep_river_v0", seats=[PERSON, RANDOM])
        with table.seat(0) as page:
            page.until(lambda page: page.frame)
            code, said = running.end(number)
            assert page.closed() == 1012
        assert code == 128 + number
        assert "tables are kept; go on with: " in said
        assert "Traceback" not in said
        with pytest.raises(ProcessLookupError):  # nothing of its session is left
            os.killpg(running.process.pid, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slow", "wrong", "broken", "gone"])
def test_an_agent_that_always_fails_has_random_choices_made_for_it(tmp_path: Path, agents: Path, name: str) -> None:
    """Also at the choice by which it is tried."""
    with Serving(tmp_path, menu=Menu((f"{agents}:{name}",)), time_limit=0.3 if name == "slow" else 60.0) as serving:
        agent = {"kind": "agent", "agent": f"{agents}:{name}"}
        table = serving.open(game="deep_river_v0", seats=[agent, agent], options={"max_turns": 3})
        with table.page() as page:
            page.until(lambda page: page.facts.get("stage") == "over")
        assert all(seat["late"] for seat in page.facts["seats"])


def test_an_agent_that_never_answers_keeps_no_other_table_waiting(tmp_path: Path, agents: Path) -> None:
    with Serving(tmp_path, menu=Menu((f"{agents}:slow",)), time_limit=3600.0) as serving:
        agent = {"kind": "agent", "agent": f"{agents}:slow"}
        stuck = [serving.open(game="deep_river_v0", seats=[agent, agent]) for _ in range(2)]
        for game in ("deep_river_v0", "river_rats_v0"):
            table = serving.open(game=game, seats=[RANDOM, RANDOM], players=2)
            with table.page() as page:
                page.until(lambda page: page.facts.get("stage") == "over")
        assert [table.ask("GET")[1]["table"]["stage"] for table in stuck] == ["playing", "playing"]


def test_the_package_loads_no_server_before_it_is_needed() -> None:
    program = "import riverbed_web, sys; print('starlette' in sys.modules or 'uvicorn' in sys.modules)"
    assert Path(riverbed_web.__file__).name == "__init__.py"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )
