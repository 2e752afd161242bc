"""The published study of learning: what `riverbed exploit` gains in one seat of each role, in tables and curves."""
