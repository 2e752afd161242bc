"""Tests of Deep River, imported as `deep_river.…` from the tests folder: `from deep_river.scene import Scene`."""
