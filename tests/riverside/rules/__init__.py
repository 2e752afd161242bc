"""Rule tests of Riverside, a file a chapter."""
