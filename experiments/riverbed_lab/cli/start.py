"""Where the `riverbed` command begins: it can be stopped from its first moment on, while it is still importing."""

from __future__ import annotations

import sys

from .signals import stoppable, unmasked


def main() -> None:
    """Run the command; without what it can't do without, say who tells what is missing."""
    with stoppable():
        try:
            with unmasked():
                from .app import main as command
        except ImportError as error:
            doctor = f"{sys.executable} -m riverbed_lab.doctor"
            sys.stderr.write(f"riverbed: {error}: the installation isn't whole; {doctor} says what to do\n")
            sys.exit(2)
        command()


if __name__ == "__main__":
    main()
