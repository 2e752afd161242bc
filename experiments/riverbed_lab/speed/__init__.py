"""How fast the environments play, and compiling them ahead."""
