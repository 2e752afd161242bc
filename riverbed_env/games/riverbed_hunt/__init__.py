"""Riverbed Hunt: a hidden-role game for 4 to 9."""
