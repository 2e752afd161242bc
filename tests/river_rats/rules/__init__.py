"""Rule tests of River Rats, one file a chapter of the spec."""
