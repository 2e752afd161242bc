"""Riverside: dice drafted in common, own score sheets, choices made unseen; for 1 to 6."""
