"""The game-neutral core: kernels, random streams, tables, `Game` and `Batch`."""
