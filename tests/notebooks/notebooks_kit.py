"""Executing the project's notebooks from a clean state, for their test and, as a program, to rewrite their outputs.

`python tests/notebooks/notebooks_kit.py` executes all of them in place; with names (`03_self_play`), only those.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
VARIES = "varies"  # tag of cells whose words depend on how a processor rounds, as those of a training run do
SECONDS = 600  # for a cell: the first run compiles the rules


def read(path: Path) -> Any:
    """A notebook in the current format, checked."""
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    return book


def execute(path: Path, folder: Path) -> Any:
    """The notebook with the outputs of a fresh kernel in an empty folder; raises CellExecutionError if a cell fails.

    Jupyter's own files go to that folder too.
    """
    book, work = read(path), folder / "work"
    work.mkdir()
    kept = {name: str(folder / name) for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR")}
    with mock.patch.dict(os.environ, kept):
        client = NotebookClient(
            book,
            timeout=SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": str(work)}},
            record_timing=False,
            extra_arguments=[
                "--IPKernelApp.log_level=ERROR"
            ],  # it warns of a connection that doesn't leave the machine
        )
        client.execute()
    return _tidy(book)


def _tidy(book: Any) -> Any:
    """Remove what another run would write differently: merge streams, drop the version of Python."""
    book.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell in code_cells(book):
        merged: list[Any] = []
        for output in cell.outputs:
            if merged and output.output_type == merged[-1].output_type == "stream" and output.name == merged[-1].name:
                merged[-1].text += output.text
            else:
                merged.append(output)
        cell.outputs = merged
    return book


def code_cells(book: Any) -> list[Any]:
    """The cells of code."""
    return [cell for cell in book.cells if cell.cell_type == "code"]


def printed(cell: Any, name: str = "stdout") -> str:
    """What a cell printed."""
    return "".join(output.text for output in cell.outputs if output.get("name") == name)


def pictures(book: Any) -> int:
    """How many pictures are in its outputs."""
    shown = [output.get("data", {}) for cell in code_cells(book) for output in cell.outputs]
    return sum("image/png" in data or "image/svg+xml" in data for data in shown)


def main(names: list[str]) -> None:
    """Execute notebooks and write them with their outputs; a notebook that fails isn't touched."""
    for path in PATHS:
        if names and path.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            book = execute(path, Path(folder))
        for cell in code_cells(book):
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        nbformat.write(book, path)
        print(f"{path.name}: {pictures(book)} pictures, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
