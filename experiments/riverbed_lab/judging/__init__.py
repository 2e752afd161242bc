"""What choices were worth: a judge of recorded games that needs fewer of them than counting winners does."""
