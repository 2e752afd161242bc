"""A seat played by a program in any language: a request on a line of its input, an answer on a line of its output."""

import contextlib
import os
import queue
import shlex
import subprocess
import threading
import weakref
from typing import IO

from riverbed_env.core.keys import is_secret
from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from .agent import MOST_LANES, REPAIR, Channel, SeatAgent, Usage, check_time_limit
from .answer import LONGEST, Failure, SeatFailureError, late
from .message import Message, as_line

STOPPING = 2.0  # s for a program to end by itself when its input ends
MOST_LINES = 200  # lines read ahead; a program that has said so much unasked is started again, and fills no memory

Lines = queue.Queue[str | None]  # of a program's output, None at its end


class Program:
    """A running program. It is started when first asked, and again after a crash or a late answer."""

    def __init__(self, command: list[str], time_limit: float) -> None:
        self.command, self.time_limit = command, time_limit
        self._process: subprocess.Popen[str] | None = None
        self._answered = False  # since it was started
        self._lines: Lines = queue.Queue(MOST_LINES)
        self._end: weakref.finalize[[subprocess.Popen[str], Lines], Program] | None = None

    def ask(self, line: str) -> str:
        """The program's answer to a line. Raises SeatFailureError if it ends, or takes longer than its time limit.

        One that ends after answers to earlier lines is started again and asked once more.
        """
        self._drop_left_over()
        answer = self._try(line)
        if answer is None and self._answered:
            self.stop()
            answer = self._try(line)
        if answer is None:
            raise SeatFailureError(Failure.TRANSPORT, f"the program ended with code {self.stop()}")
        self._answered = True
        return answer

    def _try(self, line: str) -> str | None:
        """The program's answer; None if it has ended."""
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            return self._lines.get(timeout=self.time_limit)
        except queue.Empty:
            self.stop()
            raise late(self.time_limit) from None
        except OSError:
            return None

    def _drop_left_over(self) -> None:
        """Forget lines beyond the answers asked for; a program that ended after its answer is started again."""
        if self._lines.full():
            self.stop()
        with contextlib.suppress(queue.Empty):
            for _ in range(MOST_LINES):
                if self._process is None or self._lines.get_nowait() is None:
                    self.stop()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                self._process = process = subprocess.Popen(
                    self.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                    errors="replace",
                    env={name: value for name, value in os.environ.items() if not is_secret(name)},
                )
            except OSError as error:
                raise OptionError(f"the program {self.command[0]!r} can't be started: {error.strerror}") from error
            self._lines = queue.Queue(MOST_LINES)
            self._answered = False
            threading.Thread(target=_read_lines, args=(process.stdout, self._lines), daemon=True).start()
            self._end = weakref.finalize(self, _stop, process, self._lines)
        return self._process

    def stop(self) -> int | None:
        """End the program, kindly first; its exit code."""
        process, self._process = self._process, None
        if process is None:
            return None
        if self._end is not None:
            self._end.detach()
        return _stop(process, self._lines)


def _read_lines(output: IO[str] | None, lines: Lines) -> None:
    """Put each line of a program's output into the queue, then None. Longer ones than are looked at are cut."""
    assert output is not None
    with contextlib.suppress(ValueError, OSError):  # it was closed
        while line := output.readline(LONGEST):
            lines.put(line)
    lines.put(None)


def _stop(process: subprocess.Popen[str], lines: Lines) -> int | None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(STOPPING)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
    with contextlib.suppress(queue.Empty):  # a reader that waits for room sees the end
        while True:
            lines.get_nowait()
    return process.returncode


class StdioChannel(Channel):
    """One or more processes of a program; a decision is asked of whichever is free."""

    def __init__(self, command: str, time_limit: float = 60.0, processes: int = 1) -> None:
        words = shlex.split(command)
        if not words:
            raise OptionError("stdio: name the program, like stdio:cmd=python my_seat.py")
        check_time_limit("stdio", time_limit)
        self.lanes = check_whole("processes", processes, 1, MOST_LANES)
        self._programs = [Program(words, time_limit) for _ in range(processes)]
        self._free: queue.LifoQueue[Program] = queue.LifoQueue()
        for program in reversed(self._programs):
            self._free.put(program)

    def ask(self, message: Message, decision: str = "", usage: Usage | None = None) -> str:
        """The line that a program answers; see `Channel.ask`."""
        program = self._free.get()
        try:
            return program.ask(as_line(message))
        finally:
            self._free.put(program)

    def close(self) -> None:
        """End the programs."""
        for program in self._programs:
            program.stop()


def stdio_agent(
    game: str,
    name: str,
    cmd: str = "",
    time_limit: float = 60.0,
    processes: int = 1,
    retries: int = 1,
    on_failure: str = REPAIR,
) -> SeatAgent:
    """The agent of `stdio:cmd=COMMAND`: the command's words as a shell would split them, but without a shell."""
    channel = StdioChannel(cmd, time_limit, processes)
    return SeatAgent(name, find_game(game), channel, retries, on_failure, f"the program {cmd}")
