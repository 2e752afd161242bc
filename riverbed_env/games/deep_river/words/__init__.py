"""Deep River in words: events, observations, the drawn table and the game's card."""
