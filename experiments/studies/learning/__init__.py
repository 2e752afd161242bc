"""The published study of learning: a learner for every role and seed, its results, their table, curves and page."""
