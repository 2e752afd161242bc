"""Agents for River Rats."""
