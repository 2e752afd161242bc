"""Rule tests of River Rats, a file a chapter."""
