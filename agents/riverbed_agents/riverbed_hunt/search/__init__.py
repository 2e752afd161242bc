"""Agents that play sampled worlds on before they choose: lookahead and tree search."""
