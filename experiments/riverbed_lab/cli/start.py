"""The start of the `riverbed` command. It can be interrupted from its first moment, while it is still importing."""

import sys

from .signals import stoppable


def main() -> None:
    """Run the command; if a dependency is missing, point to `riverbed doctor`."""
    with stoppable():
        try:
            with stoppable():
                from .app import main as command
        except ImportError as error:
            sys.stderr.write(f"riverbed: {error}; see what is missing with: {sys.executable} -m riverbed_lab.doctor\n")
            sys.exit(2)
        command()


if __name__ == "__main__":
    main()
