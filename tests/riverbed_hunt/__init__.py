"""Tests of Riverbed Hunt, imported as `riverbed_hunt.…`: `from riverbed_hunt.scene import Scene`."""
