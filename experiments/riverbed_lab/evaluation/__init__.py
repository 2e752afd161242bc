"""The evaluation of agents: rows and their outcomes, and inference of roles."""
