"""Content packs: data only, one folder a game."""
