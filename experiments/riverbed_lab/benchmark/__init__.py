"""The benchmark: tracks with fixed splits and partners, result files and the board."""
