"""Calls to language models, kept in a file of JSON lines: a run that makes the same calls replays without a network."""

import contextlib
import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from riverbed_env.core.files import cannot_write
from riverbed_env.errors import OptionError

FORMAT = 1
Body = Mapping[str, Any]


class Cassette:
    """Answers by the request and the decision it was made for. New ones are appended, each on a line, whole.

    path: the file; it is created with the first call. A last line without its end, left by a killed process, is cut
    off. Raises OptionError if the file isn't a cassette.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._answers: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._under_way: dict[str, threading.Lock] = {}
        if path.exists():
            self._read()

    def _read(self) -> None:
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                kept = json.loads(line)
                if kept["format"] != FORMAT:
                    raise ValueError(f"it has format {kept['format']}")
                self._answers[kept["key"]] = kept["answer"]  # a call that failed may have been made again
            except (ValueError, KeyError, TypeError) as error:
                raise OptionError(f"cassette {self.path}, line {number}, can't be read: {error}") from error
        if whole < len(content):
            with self.path.open("rb+") as file:
                file.truncate(whole)

    def __len__(self) -> int:
        return len(self._answers)

    def find(self, key: str) -> dict[str, Any] | None:
        """The answer kept for a key; None if there is none."""
        return self._answers.get(key)

    @contextlib.contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """Nobody else makes the same call meanwhile: two would be paid, and only one kept."""
        with self._lock:
            lock = self._under_way.setdefault(key, threading.Lock())
        with lock:
            yield

    def keep(self, key: str, body: Body, answer: dict[str, Any]) -> None:
        """Append a call. Raises WriteError if the file can't be written."""
        line = json.dumps({"format": FORMAT, "key": key, "request": body, "answer": answer}, ensure_ascii=False)
        with self._lock:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("ab") as file:
                    file.write(line.encode("utf-8", "replace") + b"\n")
            except OSError as error:
                raise cannot_write(self.path, error) from error
            self._answers[key] = answer


def key_of(body: Body, decision: str) -> str:
    """The key of a call: a hash of the request and of the decision, so that equal questions of two games differ."""
    return hashlib.sha256(f"{decision} {json.dumps(body, sort_keys=True)}".encode()).hexdigest()[:32]
