"""The table in a browser: a server that shows each seat what it knows, and replays."""
