"""Training, evaluation and measurement of the environments; nothing in the library depends on it."""
