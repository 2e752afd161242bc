"""The evaluation of agents: rows and their outcomes."""
