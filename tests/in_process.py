"""Run the `riverbed` command inside the tests' own process.

A separate process spends a second on imports and more on loading compiled kernels; here both happen once.
"""

import io
import subprocess
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from unittest import mock

from riverbed_lab.cli.app import main
from riverbed_lab.cli.console import console

PIPE_WIDTH = 120  # the width of tables if the output isn't a terminal


def riverbed(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command with these arguments, `said` as standard input; return exit code, standard output and error."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    console.width = PIPE_WIDTH
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", ["riverbed", *words]))
        stack.enter_context(mock.patch.object(sys, "stdin", io.StringIO(said)))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return subprocess.CompletedProcess(["riverbed", *words], code, out.getvalue(), err.getvalue())


def ran(*words: str) -> str:
    """Standard output of the command with these arguments, which it takes."""
    done = riverbed(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words: str) -> str:
    """The line in which the command refuses these arguments."""
    done = riverbed(*words)
    assert done.returncode == 2, done
    (line,) = done.stderr.splitlines()
    return line


def settings(**values: object) -> tuple[str, ...]:
    """The words of these settings, as `--set` takes them."""
    return tuple(word for name, value in values.items() for word in ("--set", f"{name}={value}"))


def one_line(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())
