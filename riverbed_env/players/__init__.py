"""Who sits in the seats: agents, saved policies, lineups, and the arena they play in."""
