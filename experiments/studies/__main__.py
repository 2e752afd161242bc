"""Runs a study from the source tree: `python experiments/studies NAME [OPTIONS]`; without a name it lists them."""

import sys
from importlib import import_module
from pathlib import Path

import typer

from riverbed_lab.cli.console import plainly

FOLDER = Path(__file__).parent


def studies() -> dict[str, str]:
    """The module of each study by the study's name: those that have a function `main`."""
    files = [path for path in FOLDER.rglob("*.py") if path != Path(__file__) and "\ndef main(" in path.read_text()]
    names = [".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in sorted(files)]
    return {name.removesuffix(".__main__"): f"{FOLDER.name}.{name}" for name in names}


def main() -> None:
    """Run the study named first on the command line."""
    known = studies()
    if len(sys.argv) < 2 or sys.argv[1] not in known:
        sys.exit(f"usage: python experiments/studies NAME [OPTIONS]; the studies are {', '.join(known)}")
    name = sys.argv.pop(1)
    sys.argv[0] = str(FOLDER / f"studies {name}")  # its last part is the name in the usage line
    sys.path[0] = str(FOLDER.parent)
    plainly(lambda: typer.run(import_module(known[name]).main))  # imported late: a signal may come during imports


if __name__ == "__main__":
    main()
