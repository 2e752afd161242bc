"""How long a newcomer waits: from `pip install 'riverbed[web]'` in an empty environment to the first move at a table.

    python tests/tools/packaging/first_move.py dist --game deep_river_v0

installs the wheel of a folder with pip, starts `riverbed serve` with an empty cache of kernels, opens a table
with one person and agents, and moves as soon as it may. It prints a line for each step, in seconds from the beginning,
and the processor's seconds, which say what an idle machine would take where this one isn't.
`make dist` builds the wheel. What a person takes to read and click isn't counted.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from installations import Environment
from packages_kit import ROOT
from websockets.sync.client import connect

GOAL = 60.0  # s


def main() -> None:
    """Install, serve, move."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the wheel is")
    parser.add_argument("--game", default="deep_river_v0")
    chosen = parser.parse_args()
    (wheel,) = chosen.folder.resolve().glob("*.whl")
    with tempfile.TemporaryDirectory(prefix="riverbed-") as folder:
        environment = Environment(Path(folder), Path(folder) / "kernels")
        begun = time.perf_counter()

        def say(what: str) -> None:
            print(f"{time.perf_counter() - begun:6.1f} s  {what}", flush=True)

        environment.pip("-c", ROOT / "constraints.txt", f"{wheel}[web]")
        say("installed")
        command = ["riverbed", "serve", "--port", "0", "--data", folder]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=environment.work, env=environment.variables
        ) as process:
            assert process.stdout is not None
            address = process.stdout.readline().split()[1]
            say(f"the lobby is there: {address}")
            move(address, chosen.game, say)
            installing = processor_seconds()
            process.terminate()
    then = processor_seconds() - installing
    print(f"the goal is {GOAL:.0f} s; processor: {installing:.0f} s to install, {then:.0f} s to the first move")


def processor_seconds() -> float:
    """What the processes that have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def move(address: str, game: str, say: Any) -> None:
    """Open a table with one person, and move."""
    body = json.dumps({"game": game, "pace": 0}).encode()
    request = urllib.request.Request(address + "api/tables", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        opened = json.load(answer)
    at, token = opened["table"]["id"], opened["seats"][0]
    said = ""
    with connect(f"{address.replace('http', 'ws')}api/tables/{at}/live", max_size=None) as page:
        page.send(json.dumps({"type": "join", "token": token, "since": 0}))
        while True:
            got = json.loads(page.recv())
            progress = got["table"]["progress"] if got["type"] == "table" else None
            if progress and progress["text"] != said:
                said = progress["text"]
                say(f"the page says: {said}")
            if got["type"] == "frame" and got["frame"]["choices"]:
                break
        say("the person is asked")
        action = got["frame"]["choices"][0]["action"]
        page.send(json.dumps({"type": "act", "action": action, "step": got["step"]}))
        events = got["frame"]["event_count"]
        while got["type"] != "frame" or got["frame"]["event_count"] == events:
            got = json.loads(page.recv())
        say("the move is made and shown")


if __name__ == "__main__":
    main()
