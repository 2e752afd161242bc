"""Fits the weights of installed agents and models; each module is a command that repeats its fit."""
