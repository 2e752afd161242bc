"""River Rats' content packs, and what rows tell of a finished game."""
