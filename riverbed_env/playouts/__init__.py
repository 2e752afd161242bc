"""What choices are worth: play-outs from one state with common chance, by networks and agents in compiled code."""
