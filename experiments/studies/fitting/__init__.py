"""Makes the numbers that agents carry with them: how their weights were fitted, to be done again by a command."""
