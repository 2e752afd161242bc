"""The library around the kernels: `Game`, `Batch`, options, content packs, files."""
