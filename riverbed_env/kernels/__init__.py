"""What is compiled, whatever the game: the decorator, random streams, batch loops, tables of actions and pieces."""
