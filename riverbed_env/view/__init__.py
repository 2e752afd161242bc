"""Drawing: from what a seat may know, and from public events."""
