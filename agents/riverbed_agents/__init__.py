"""Agents: bots and learned policies. They see observations and masks, never a state."""
