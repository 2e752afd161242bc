"""The rule-based agent: a file for each role, and what all roles share."""
