"""Pages, examples and notebooks import of `riverbed_env` what the reference lists, and nothing else."""

import ast
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from pages_kit import DOCS

API = "\n".join(path.read_text(encoding="utf-8") for path in (DOCS / "api").glob("*.md"))
BLOCK = re.compile(r"^```py(?:thon)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILES = [
    DOCS.parent / "README.md",
    *(path for path in sorted(DOCS.rglob("*")) if path.suffix in (".md", ".py") and path.name != "conf.py"),
    *sorted((DOCS.parent / "notebooks").glob("*.ipynb")),
]


def codes(path: Path) -> Iterator[str]:
    """The Python of a file, piece by piece."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from BLOCK.findall(text)
    elif path.suffix == ".ipynb":
        yield from ("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    else:
        yield text


def imported(code: str) -> Iterator[str]:
    """The full names of what a program imports of the library; a program that isn't one by itself has none."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("riverbed_env"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("riverbed_env"))


def public() -> set[str]:
    """The full names on the pages of the reference, those in `__all__` of the modules there, and their modules."""
    names = set(re.findall(r"auto(?:class|function|module):: (riverbed_env[\w.]*)", API))
    for module in re.findall(r"automodule:: (riverbed_env[\w.]*)", API):
        loaded = import_module(module)
        names |= {f"{module}.{name}" for name in getattr(loaded, "__all__", vars(loaded))}
    return names | {name.rpartition(".")[0] for name in names}


def test_pages_and_notebooks_import_public_names_only() -> None:
    listed = public()
    assert len(listed) > 60
    found = {str(path.relative_to(DOCS.parent)): set().union(*map(imported, codes(path))) for path in FILES}
    assert sum(map(len, found.values())) > 60
    assert {name: hidden for name, used in found.items() if (hidden := sorted(used - listed))} == {}


@pytest.mark.parametrize(
    "code", ["from riverbed_env.core.batch import row_length", "import riverbed_env.kernels.cache"]
)
def test_another_name_would_be_found(code: str) -> None:
    assert set(imported(code)) - public()
