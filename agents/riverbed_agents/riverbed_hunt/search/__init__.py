"""Agents that play sampled worlds before they choose: lookahead and tree search."""
