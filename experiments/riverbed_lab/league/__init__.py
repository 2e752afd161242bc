"""Self-play in a league: pools of past selves and exploiters, lineups drawn by win rate, ratings over time."""
