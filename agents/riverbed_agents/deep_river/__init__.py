"""Agents for Deep River."""
