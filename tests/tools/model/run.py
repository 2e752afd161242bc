"""A small open model plays whole games through the chat protocol; then they are played again from the cassette.

    make model

`serve.py` serves it from an environment of its own. A game that doesn't end, or that goes otherwise without the model,
ends this with an error. The model plays badly, and that's fine.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
GAMES = ("deep_river_v0", "river_rats_v0")
MOST_OUTPUT = 100  # tokens: it is no great thinker


def address_of(server: subprocess.Popen[str]) -> str:
    """The address that the server prints among its messages."""
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("http://"):
            return line.strip()
    raise SystemExit("the model's server ended without an address")


def play(spec: str, game: str, cassette: Path, *more: str) -> str:
    """Play a game with the model in both seats; what happened, in words."""
    words = ["watch", "--game", game, "--agent", spec, "--players", "2", "--seed", "1", "--no-board"]
    command = [sys.executable, "-m", "riverbed_lab", *words, "--cassette", str(cassette), *more]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    if not any(word in told for word in (" won: ", " lost: ")):
        raise SystemExit(f"{game} didn't end:\n{told}")
    return told


def main() -> None:
    """Play, then play again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, required=True, help="of the model's environment")
    parser.add_argument("--games", nargs="+", default=GAMES)
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
        played = [play(spec, game, cassette) for game in given.games]
    finally:
        server.kill()
        server.wait()
    if played != [play(spec, game, cassette, "--offline") for game in given.games]:
        raise SystemExit("the games from the cassette aren't those that were played")
    print(*played, sep="\n")
    print("the games from the cassette are those that were played")


if __name__ == "__main__":
    main()
