"""One adapter a game: what engine and referee are compared by."""
