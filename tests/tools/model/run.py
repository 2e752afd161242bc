"""A small open model plays whole games through the chat protocol; then they are played again from the cassette.

    make model

`serve.py` serves it from an environment of its own. A game that doesn't end, or that ends otherwise without the model,
ends this with an error. What went wrong with its answers is printed: a model of this size plays badly, and that's fine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PLAY = ("--game", "deep_river_v0", "--reference", "greedy", "--players", "2", "--one-way", "--tables", "deviation")
MOST_OUTPUT = 100  # tokens: it is no great thinker


def address_of(server: subprocess.Popen[str]) -> str:
    """The address that the server prints among its messages."""
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("http://"):
            return line.strip()
    raise SystemExit("the model's server ended without an address")


def evaluate(spec: str, games: int, out: Path, *more: str) -> None:
    """Play the games of a model."""
    words = ["evaluate", f"smollm2={spec}", *PLAY, "--games", str(games), "--seed", "1", "--threads", "1"]
    command = [sys.executable, "-m", "riverbed_lab", *words, "--no-report", "--out", str(out), *more]
    subprocess.run(command, check=True)


def outside(folder: Path) -> object:
    """What an evaluation counted of the model's answers."""
    return json.loads((folder / "summary.json").read_text())["outside"]


def main() -> None:
    """Play, then play again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, required=True, help="of the model's environment")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2, help="of the model")
    parser.add_argument("--out", type=Path, default=Path("results/model"))
    given = parser.parse_args()
    shutil.rmtree(given.out, ignore_errors=True)
    given.out.mkdir(parents=True)
    cassette = given.out / "calls.jsonl"
    command = [str(given.python), str(HERE / "serve.py"), "--threads", str(given.threads)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = address_of(server)
        spec = f"llm:model=SmolLM2-135M,base_url={address}/v1,concurrency=1,most_output={MOST_OUTPUT},time_limit=900"
        evaluate(spec, given.games, given.out / "played", "--cassette", str(cassette))
    finally:
        server.kill()
        server.wait()
    evaluate(spec, given.games, given.out / "again", "--cassette", str(cassette), "--offline")
    if outside(given.out / "played") != outside(given.out / "again"):
        raise SystemExit("the games from the cassette aren't those that were played")
    print("the games from the cassette are those that were played")


if __name__ == "__main__":
    main()
