"""Deep River: salmon against eels, a game of perfect information for 2."""
