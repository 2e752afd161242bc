"""River Rats' options, and the summary of a finished game."""
