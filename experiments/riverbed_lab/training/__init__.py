"""Training: a learner in one seat, its network, its runs and what is kept of them."""
