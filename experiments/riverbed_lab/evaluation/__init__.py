"""The evaluation of agents: rows and their outcomes, ratings, and inference of roles."""
