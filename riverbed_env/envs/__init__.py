"""Environments over any game, as the interfaces of other libraries."""
