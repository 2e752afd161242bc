"""One adapter per game: the facts on which engine and referee are compared."""
