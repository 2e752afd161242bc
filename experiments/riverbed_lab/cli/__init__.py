"""The commands of `riverbed` that fill files of their own."""
