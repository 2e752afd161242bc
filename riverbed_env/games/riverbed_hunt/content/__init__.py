"""Riverbed Hunt's content packs, and the summary of finished games."""
