"""A process in which agents think: `python -m riverbed_web.worker`. It also compiles what a table needs, and draws
replays.

It gets jobs on standard input and answers on standard output, each a length and a pickle. A question holds what the
agent's seat may know and nothing else, so no agent can look at the state of a game. What agents print goes to standard
error. The process ends when its input does.
"""

import contextlib
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable
from typing import BinaryIO

from .thinking import assess, known_agent, make_replay, meet, rehearse, think

LENGTH = struct.Struct("!I")
WORKS: dict[str, Callable[..., object]] = {
    "rehearse": rehearse,
    "meet": meet,
    "think": think,
    "replay": make_replay,
    "assess": assess,
}


def _serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    def put(kind: str, content: object) -> None:
        packed = pickle.dumps((kind, content))
        answers.write(LENGTH.pack(len(packed)) + packed)
        answers.flush()

    while len(head := jobs.read(LENGTH.size)) == LENGTH.size:
        work, arguments = pickle.loads(jobs.read(LENGTH.unpack(head)[0]))
        try:
            if work in ("think", "meet"):  # loading takes none of the time to think
                spec, game = (arguments[0].agent, arguments[0].game) if work == "think" else arguments[:2]
                put("loaded", known_agent(spec, game)[1])
            put("done", WORKS[work](*arguments))
        except Exception as error:  # agents of users may raise anything
            put("failed", f"{type(error).__name__}: {error}")


def main() -> None:
    """Answer until the input ends. The command's argument is the niceness."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends its workers
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(BrokenPipeError):  # the server has gone
        _serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
