"""A student: a network fitted to action values by rollouts, in the games that it plays itself."""
