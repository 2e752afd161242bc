"""Agents for Riverside."""
