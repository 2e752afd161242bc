"""The rules of Riverside, one file per topic; the docstring of a rule's function begins with the rule's id."""
