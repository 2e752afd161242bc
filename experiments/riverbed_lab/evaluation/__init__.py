"""The evaluation of agents by the protocol: four tables at each player count, ratings, inference of roles, report."""
