"""Agents made of a policy file that `riverbed distil` wrote: the student, and the student with a few worlds."""
