"""Action values: rollouts from one state with common chance, by networks and agents in compiled code."""
