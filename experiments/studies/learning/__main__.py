"""`python experiments/studies learning`: see the module `command` beside this one."""

from __future__ import annotations

from riverbed_lab.cli.signals import stoppable

if __name__ == "__main__":
    with stoppable():
        from .command import run

        run()
