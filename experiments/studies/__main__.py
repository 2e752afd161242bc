"""Runs a study from the source tree: `python experiments/studies NAME [OPTIONS]`; without a name it lists them."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The studies: modules, and packages with a `__main__`, by their dotted names."""
    modules = [path for path in FOLDER.glob("*.py") if path.stem.strip("_") == path.stem]
    modules += [path for path in (FOLDER / "fitting").glob("*.py") if path.stem != "__init__"]
    packages = [path.parent for path in FOLDER.glob("*/__main__.py")]
    return sorted(".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in (*modules, *packages))


def main() -> None:
    """Run the study named first on the command line."""
    if len(sys.argv) < 2 or sys.argv[1] not in names():
        sys.exit(f"usage: python experiments/studies NAME [OPTIONS]; the studies are {', '.join(names())}")
    name = sys.argv.pop(1)
    sys.argv[0] = str(FOLDER / f"studies {name}")  # its last part is the name in the usage line
    sys.path[0] = str(FOLDER.parent)
    runpy.run_module(f"studies.{name}", run_name="__main__")


if __name__ == "__main__":
    main()
