"""Fits the weights that agents are installed with; each module is a command that repeats the fit."""
