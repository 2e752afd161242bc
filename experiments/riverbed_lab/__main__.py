"""`python -m riverbed_lab`: the `riverbed` command if it isn't on the path."""

from .cli.start import main

main()
