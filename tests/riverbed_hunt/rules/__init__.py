"""Rule tests of Riverbed Hunt, a file a chapter."""
