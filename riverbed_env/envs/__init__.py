"""Thin adapters over a game: environments in the shapes that other libraries expect."""
