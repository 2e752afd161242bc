"""`python -m experiments`: the `riverbed` command where it isn't on the path."""

from .cli.start import main

main()
