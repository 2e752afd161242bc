"""River Rats: a cooperative poker game with hidden hands for 1 to 4."""
