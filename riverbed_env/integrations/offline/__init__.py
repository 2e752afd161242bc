"""Corpora for other libraries' learners: TensorDict."""
