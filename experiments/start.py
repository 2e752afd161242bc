"""Where the `riverbed` command begins: it can be stopped from its first moment on, while it is still importing."""

from __future__ import annotations

from .stopping import stoppable


def main() -> None:
    """Run the command."""
    with stoppable():
        from .command import main as command

        command()


if __name__ == "__main__":
    main()
