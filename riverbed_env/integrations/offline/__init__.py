"""Corpora for other libraries' learners: TensorDict and Minari."""
