"""RLlib: a league of policies by role, and how fast its runners play."""
