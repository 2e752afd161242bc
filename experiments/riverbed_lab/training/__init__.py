"""Training: a learner in one seat, its network, and its runs with their files."""
