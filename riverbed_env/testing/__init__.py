"""Checks for environments and games, those of other packages too."""
