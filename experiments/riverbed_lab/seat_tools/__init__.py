"""Seats as tools: one hosted game whose seats are played through the Model Context Protocol."""
