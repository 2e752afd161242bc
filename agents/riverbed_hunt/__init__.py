"""Agents for Riverbed Hunt."""
