"""A student: a network fitted to what choices are worth by play-outs, in the games that it plays itself."""
