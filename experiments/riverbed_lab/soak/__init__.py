"""Everything at once for an hour or more, and whether memory, files and threads stay as they are: `riverbed soak`."""
