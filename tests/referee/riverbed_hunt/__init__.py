"""An independent referee of Riverbed Hunt, written from the rules alone and sharing nothing with the engine."""
