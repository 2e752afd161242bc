"""Self-play in a league: pools of past selves and exploiters, line-ups drawn by win rate, ratings over time."""
