"""A seat in words whose player holds the reins, for whoever trains or tests a language model, and doors to trainers."""
