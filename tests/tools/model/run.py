"""A small open model plays a short game to its end through the chat protocol, then the cassette plays it again.

    make model

`serve.py` serves it from an environment of its own. The game is Deep River with the pack `sprint`. If it doesn't end,
or goes otherwise without the model, this ends with an error. The model plays badly, and that's fine.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
GAME = ("--game", "deep_river", "--set", "pack=sprint")
MOST_OUTPUT = 100  # tokens: it is no great thinker


def address_of(server: subprocess.Popen[str]) -> str:
    """The address that the server prints among its messages."""
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("http://"):
            return line.strip()
    raise SystemExit("the model's server ended without an address")


def play(spec: str, cassette: Path, *more: str) -> str:
    """Play the game with the model in both seats; what happened, in words."""
    words = ["watch", *GAME, "--agent", spec, "--seed", "1"]
    command = [sys.executable, "-m", "riverbed_lab", *words, "--llm", f"cassette={cassette}", *more]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    if not any(word in told for word in (" won: ", " lost: ")):
        raise SystemExit(f"the game didn't end:\n{told}")
    return told


def main() -> None:
    """Play, then play again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, required=True, help="of the model's environment")
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
        played = play(spec, cassette)
    finally:
        server.kill()
        server.wait()
    if played != play(spec, cassette, "--llm", "offline=true"):
        raise SystemExit("the game from the cassette isn't the one that was played")
    print(played)
    print("the game from the cassette is the one that was played")


if __name__ == "__main__":
    main()
