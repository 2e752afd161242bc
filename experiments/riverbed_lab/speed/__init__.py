"""How fast the environments play."""
