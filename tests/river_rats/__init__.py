"""Tests of River Rats, imported as `river_rats.…`: `from river_rats.scene import Scene`."""
