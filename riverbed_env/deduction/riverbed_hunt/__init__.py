"""Deduction in Riverbed Hunt: who may be who, and which tiles and cards may lie where."""
