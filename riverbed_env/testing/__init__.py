"""What other authors can use too: checks for any masked environment."""
