"""The commands of `riverbed` that fill files of their own, and what all of them share."""
