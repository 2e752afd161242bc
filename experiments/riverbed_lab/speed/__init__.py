"""How fast the environments and their peers play."""
