"""One-off studies and fits. They run from the source tree and aren't installed."""
