"""Riverside's content packs, and what rows tell of a finished game."""
