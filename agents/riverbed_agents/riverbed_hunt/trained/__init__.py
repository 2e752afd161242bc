"""Trained agents, and the policies they play by."""
