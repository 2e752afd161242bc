"""The rule-based agent: one file for each role, and what all roles reckon with."""
