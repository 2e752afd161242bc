"""Tests of River Rats, imported as `river_rats.…` from the tests folder: `from river_rats.scene import Scene`."""
