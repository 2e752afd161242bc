"""Compiled code that all games share: the decorator, random streams, batch loops, tables of actions and pieces."""
